"""Solvers: `solve(game, method)` for everyone, `start(game, method)` to step a solver by hand.

The names below are looked up when they are first used: the solvers compile their loops, and what only reads the shipped
equilibria (`headsup.solve.jamfold_data`) should not wait for the compiler to load.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from headsup.solve.cfr import PRESETS, Settings
    from headsup.solve.methods import METHODS, solve, start
    from headsup.solve.solution import Solution

__all__ = ["METHODS", "PRESETS", "Settings", "Solution", "solve", "start"]

_HOMES = {
    "METHODS": "methods",
    "PRESETS": "cfr",
    "Settings": "cfr",
    "Solution": "solution",
    "solve": "methods",
    "start": "methods",
}


def __getattr__(name: str) -> Any:
    """A public name, from the module where it lives."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
