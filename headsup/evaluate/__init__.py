"""Stage 2: lookup tables and kernels for hold'em of up to seven cards, Omaha high, and the eight-or-better low.

A high hand's value is 1..7462 and greater is better (7462 is a royal flush); 0 means no hand. A low's value is 1..56
and greater is better (56 is 5-4-3-2-A); 0 means no low. Functions take arrays of card ints and return arrays of values:
one call over many hands is what is fast. `rank` is the friendly one, for a single hand.

The names below are looked up when they are first used: what needs one of them should not wait for all.
"""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
