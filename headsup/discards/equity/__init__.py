"""Equity where cards are swapped on the flop and the turn."""
