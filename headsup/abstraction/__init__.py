"""Abstraction: smaller games that stand for bigger ones."""

from headsup.abstraction.forced import Forced
from headsup.abstraction.merge import Merged, merge, suit_blind, unmerged
from headsup.abstraction.rounds import Joined, checked_down, part_after, ranges_at, solve_parts
from headsup.abstraction.sizes import chances
from headsup.abstraction.translation import Seats, Translated

__all__ = [
    "Forced",
    "Joined",
    "Merged",
    "Seats",
    "Translated",
    "chances",
    "checked_down",
    "merge",
    "part_after",
    "ranges_at",
    "solve_parts",
    "suit_blind",
    "unmerged",
]
