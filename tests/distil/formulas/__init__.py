"""Tests of the flop formulas."""
