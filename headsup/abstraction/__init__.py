"""Abstraction: smaller games that stand for bigger ones: features of hands, buckets of them, merged public trees.

Names are looked up when they are first used, so that what needs one of them does not wait for all; `merge` is also the
name of its module, so it is not among those.
"""

from typing import TYPE_CHECKING

from headsup.abstraction.merge import Merged, merge, suit_blind, unmerged
from headsup.lazy import lazily

if TYPE_CHECKING:
    from headsup.abstraction.buckets import FeatureBuckets, suit_classes
    from headsup.abstraction.capped import Capped
    from headsup.abstraction.features import Features
    from headsup.abstraction.forced import Forced
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

lazily(
    __name__,
    {
        "Capped": "capped",
        "FeatureBuckets": "buckets",
        "Features": "features",
        "Forced": "forced",
        "Joined": "rounds",
        "Merged": "merge",
        "Seats": "translation",
        "Spec": "spec",
        "Translated": "translation",
        "build_buckets": "spec",
        "chances": "sizes",
        "checked_down": "rounds",
        "merge": "merge",
        "parse_spec": "spec",
        "part_after": "rounds",
        "ranges_at": "rounds",
        "solve_parts": "rounds",
        "suit_blind": "merge",
        "suit_classes": "buckets",
        "unmerged": "merge",
    },
)
