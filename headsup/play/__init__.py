"""Matches between agents under one referee, with confidence intervals.

play(Match("jamfold", "caller", "holdem-jamfold", stack=10, hands=1000, duplicate=True)).summary()
"""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
