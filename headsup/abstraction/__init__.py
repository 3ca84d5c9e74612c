"""Abstraction: smaller games that stand for bigger ones: features of hands, buckets of them, merged public trees."""

from headsup.abstraction.buckets import FeatureBuckets, suit_classes
from headsup.abstraction.capped import Capped
from headsup.abstraction.features import Features
from headsup.abstraction.forced import Forced
from headsup.abstraction.merge import Merged, merge, suit_blind, unmerged
from headsup.abstraction.rounds import Joined, checked_down, part_after, ranges_at, solve_parts
from headsup.abstraction.sizes import chances
from headsup.abstraction.spec import Spec, build_buckets, parse_spec
from headsup.abstraction.translation import Seats, Translated

__all__ = [
    "Capped",
    "FeatureBuckets",
    "Features",
    "Forced",
    "Joined",
    "Merged",
    "Seats",
    "Spec",
    "Translated",
    "build_buckets",
    "chances",
    "checked_down",
    "merge",
    "parse_spec",
    "part_after",
    "ranges_at",
    "solve_parts",
    "suit_blind",
    "suit_classes",
    "unmerged",
]
