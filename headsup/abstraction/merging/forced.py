"""Strategies that take every action with a least probability.

After an action that an equilibrium never takes there is no range. andersson-2006 solves its preflop model a second time
with every action forced a little, for the ranges alone (section 4.3). `Forced` mixes such a floor into a strategy; the
solvers find an equilibrium among strategies with a floor (`floor` of the CFR family, `tremble` of the linear program).
"""

from __future__ import annotations

import numpy as np

from headsup.common.arrays import Floats
from headsup.common.checks import as_strategy, door, finite, of_kind, quoted
from headsup.common.errors import UserError
from headsup.games.betting.rules import DEAL
from headsup.games.holdem.vector import Place, Strategy, VectorGame


def check_floor(game: VectorGame, floor: float) -> float:
    """A probability that every action of a game can have at once, or a `UserError`."""
    if isinstance(floor, bool) or not isinstance(floor, int | float):
        raise UserError(f"floor must be a number, the least probability of every action, not {quoted(floor)}")
    most = int(game.betting.count[game.betting.player < DEAL].max(initial=1))
    if not 0.0 <= floor < 1.0 / most:
        raise UserError(f"every action is forced by less than 1/{most} (there are up to {most} of them), not {floor}")
    return float(floor)


class Forced:
    """A strategy whose actions each have a probability of at least `floor`; the rest follows the strategy."""

    @door(game=of_kind(VectorGame), strategy=as_strategy, floor=finite)
    def __init__(self, game: VectorGame, strategy: Strategy, floor: float = 0.01) -> None:
        self.strategy, self.floor = strategy, check_floor(game, floor)

    def rows(self, decision: int, board: Place) -> Floats:
        """Every action gets its floor first."""
        rows = np.asarray(self.strategy.rows(decision, board), dtype=np.float64)
        return np.asarray(self.floor + (1.0 - len(rows) * self.floor) * rows)
