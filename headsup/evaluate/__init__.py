"""Lookup tables and kernels for hold'em of up to seven cards, Omaha high, and the eight-or-better low.

A high hand's value is 1..7462, a low's 1..56; greater is better, 0 means no hand. Functions take and return arrays;
`rank` takes a single hand.
"""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
