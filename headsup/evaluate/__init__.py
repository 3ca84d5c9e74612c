"""Stage 2: lookup tables and kernels for hold'em of up to seven cards, Omaha high, and the eight-or-better low.

A high hand's value is 1..7462 and greater is better (7462 is a royal flush); 0 means no hand. A low's value is 1..56
and greater is better (56 is 5-4-3-2-A); 0 means no low. Functions take arrays of card ints and return arrays of values:
one call over many hands is what is fast. `rank` is the friendly one, for a single hand.

The names below are looked up when they are first used: what needs one of them should not wait for all.
"""

from typing import TYPE_CHECKING

from headsup.lazy import lazily

if TYPE_CHECKING:
    from headsup.evaluate.arrays import (
        count_values,
        flush_ranks,
        omaha_high,
        omaha_low,
        omaha_on_board,
        rank_combos,
        rank_hands,
        rank_on_boards,
        rank_ranks,
    )
    from headsup.evaluate.names import Low, Rank, category, low_name, name, rank

__all__ = [
    "Low",
    "Rank",
    "category",
    "count_values",
    "flush_ranks",
    "low_name",
    "name",
    "omaha_high",
    "omaha_low",
    "omaha_on_board",
    "rank",
    "rank_combos",
    "rank_hands",
    "rank_on_boards",
    "rank_ranks",
]

lazily(
    __name__,
    {
        "Low": "names",
        "Rank": "names",
        "category": "names",
        "count_values": "arrays",
        "flush_ranks": "arrays",
        "low_name": "names",
        "name": "names",
        "omaha_high": "arrays",
        "omaha_low": "arrays",
        "omaha_on_board": "arrays",
        "rank": "names",
        "rank_combos": "arrays",
        "rank_hands": "arrays",
        "rank_on_boards": "arrays",
        "rank_ranks": "arrays",
    },
)
