"""Cards: ints 0..51, combos, range text, suit isomorphism and canonical indices.

The names below are looked up when they are first used: what needs one of them should not wait for all.
"""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
