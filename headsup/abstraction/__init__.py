"""Abstraction: smaller games that stand for larger ones: features of hands, buckets of them, merged public trees."""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
