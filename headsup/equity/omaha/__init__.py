"""Equity of Omaha hands, high and high-low, and the table of all matchups before the flop."""
