"""Solvers: `solve(game, method)` for everyone, `solve_spot(spot)` for players, `start(game, method)` to step by hand.

The names below are looked up when they are first used: the solvers compile their loops, and what only reads the shipped
equilibria (`headsup.solve.jamfold_data`) should not wait for the compiler to load.
"""

from typing import TYPE_CHECKING

from headsup.lazy import callable_as, lazily

if TYPE_CHECKING:
    from headsup.solve.methods import Stopped, Unsaved, solve, start
    from headsup.solve.settings import METHODS, PRESETS, Settings
    from headsup.solve.solution import Solution
    from headsup.solve.spot import SpotSolution, solve_spot
    from headsup.solve.stored import solve_stored

__all__ = [
    "METHODS",
    "PRESETS",
    "Settings",
    "Solution",
    "SpotSolution",
    "Stopped",
    "Unsaved",
    "solve",
    "solve_spot",
    "solve_stored",
    "start",
]

lazily(
    __name__,
    {
        "METHODS": "settings",
        "PRESETS": "settings",
        "Settings": "settings",
        "Solution": "solution",
        "SpotSolution": "spot",
        "Stopped": "methods",
        "Unsaved": "methods",
        "solve": "methods",
        "solve_spot": "spot",
        "solve_stored": "stored",
        "start": "methods",
    },
)
callable_as(__name__, "solve")
