"""Any hold'em spot: solve it, look at it, lock, compare and report."""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
