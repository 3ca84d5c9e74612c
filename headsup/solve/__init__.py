"""Solvers: `solve(game, method)` for everyone, `solve_spot(spot)` for players, `start(game, method)` to step by hand.

Names are loaded on first use, so that reading shipped equilibria (`headsup.jamfold.shipped`) does not load the
compiler.
"""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
