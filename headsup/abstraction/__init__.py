"""Abstraction: smaller games that stand for bigger ones: features of hands, buckets of them, merged public trees."""

from headsup.abstraction.buckets import FeatureBuckets, suit_classes
from headsup.abstraction.features import Features
from headsup.abstraction.merge import Merged, merge, suit_blind, unmerged
from headsup.abstraction.spec import Spec, build_buckets, parse_spec

__all__ = [
    "FeatureBuckets",
    "Features",
    "Merged",
    "Spec",
    "build_buckets",
    "merge",
    "parse_spec",
    "suit_blind",
    "suit_classes",
    "unmerged",
]
