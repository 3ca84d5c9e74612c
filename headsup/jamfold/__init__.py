"""Jam or fold: the game, its equilibria, and the shipped ones."""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
