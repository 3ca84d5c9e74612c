"""Solvers: `solve(game, method)`, `solve_spot(spot)` for players, `start(game, method)` to step by hand."""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
