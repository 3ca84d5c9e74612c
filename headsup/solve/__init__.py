"""Solvers: `solve(game, method)` for everyone, `solve_spot(spot)` for players, `start(game, method)` to step by hand.

The names below are looked up when they are first used: the solvers compile their loops, and what only reads the shipped
equilibria (`headsup.jamfold.shipped`) should not wait for the compiler to load.
"""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
