"""Flop formulas: a few yes/no features of the flop, each with a weight, whose sum tells a hand's equity."""
