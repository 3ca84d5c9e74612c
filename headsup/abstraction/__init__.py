"""Abstraction: smaller games that stand for bigger ones: features of hands, buckets of them, merged public trees.

Names are looked up when they are first used, so that what needs one of them does not wait for all; `merge` is also the
name of its module, so it is not among those.
"""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
