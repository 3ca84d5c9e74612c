"""Solvers: `solve(game, method)` for everyone, `start(game, method)` to step a solver by hand."""

from headsup.solve.cfr import PRESETS, Settings
from headsup.solve.methods import METHODS, solve, start
from headsup.solve.solution import Solution

__all__ = ["METHODS", "PRESETS", "Settings", "Solution", "solve", "start"]
