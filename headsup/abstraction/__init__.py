"""Abstraction: smaller games instead of larger ones, by features and buckets of hands and by merged public trees."""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
