"""Equity of hold'em hands and ranges, before and after the flop, and the tables that ship."""
