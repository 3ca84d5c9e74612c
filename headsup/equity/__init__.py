"""Exact equities (`equity`), sampling with confidence intervals, and matchup tables."""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
