"""Measure: what strategies win, what best responses win against them, and how far they are from an equilibrium.

Names are loaded on first use.
"""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
