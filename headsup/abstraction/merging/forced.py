"""Strategies that take every action now and then.

An equilibrium may never take an action, and then nothing is known of who has come by it: there is no range after it.
andersson-2006 solves its preflop model a second time with every action forced a little, for the ranges alone
(section 4.3). Two ways to that: `Forced` mixes a little of everything into a strategy, and the solvers find an
equilibrium among strategies that do (`floor` of the CFR family, `tremble` of the linear program).
"""

from __future__ import annotations

import numpy as np

from headsup.common.arrays import Floats
from headsup.common.checks import as_strategy, door, finite, of_kind, quoted
from headsup.common.errors import UserError
from headsup.games.betting.rules import DEAL
from headsup.games.holdem.vector import Place, Strategy, VectorGame


def check_floor(game: VectorGame, floor: float) -> float:
    """A share that every action of a game can have, or one sentence."""
    if isinstance(floor, bool) or not isinstance(floor, int | float):
        raise UserError(f"floor must be a number, the least share of every action, not {quoted(floor)}")
    most = int(game.betting.count[game.betting.player < DEAL].max(initial=1))
    if not 0.0 <= floor < 1.0 / most:
        raise UserError(f"every action is forced by less than 1/{most} (there are up to {most} of them), not {floor}")
    return float(floor)


class Forced:
    """A strategy whose actions each have a share of at least `floor`; the rest goes as the strategy says."""

    @door(game=of_kind(VectorGame), strategy=as_strategy, floor=finite)
    def __init__(self, game: VectorGame, strategy: Strategy, floor: float = 0.01) -> None:
        self.strategy, self.floor = strategy, check_floor(game, floor)

    def rows(self, decision: int, board: Place) -> Floats:
        """Every action gets its floor first."""
        rows = np.asarray(self.strategy.rows(decision, board), dtype=np.float64)
        return np.asarray(self.floor + (1.0 - len(rows) * self.floor) * rows)
