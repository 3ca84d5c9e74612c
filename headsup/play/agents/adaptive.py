"""An agent that models its opponent's frequencies and exploits them within a bounded risk, in jam or fold.

It counts how often the opponent jams as small blind and calls as big blind, takes the opponent's hands for the best
ones of that number, and plays the strategy that wins the most from them among those with at most a given
exploitability (`headsup.jamfold.safe`). The counts start with `PRIOR` decisions of an equilibrium, so it starts near
one. Whatever the opponent does, and however it changes, no hand is played with a strategy of more than that risk.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from headsup.common.arrays import Floats
from headsup.common.checks import parse_float
from headsup.common.errors import UserError
from headsup.play.agents.chart import ChartPlayer, top_hands
from headsup.play.table.agent import Agent, maker
from headsup.play.table.record import HandRecord
from headsup.play.table.rules import Table

if TYPE_CHECKING:
    from headsup.jamfold.game import JamFoldGame

RISK = 20.0  # mbb per game
MOST_RISK = 2000.0
PRIOR = 20  # decisions of an equilibrium that count before the first hand


class AdaptivePlayer(ChartPlayer):
    memory = True

    def __init__(self, name: str, risk: float) -> None:
        super().__init__(name, self._chart, "holdem")
        self.risk = risk
        self._forget()

    def _forget(self) -> None:
        """Decisions of the opponent, and how many were jams or calls, by whether it opened."""
        self.decisions, self.plays = {True: 0, False: 0}, {True: 0, False: 0}

    def start(self, table: Table) -> None:
        self._forget()

    def by_class(self, opens: bool, stack: float) -> list[float]:
        """Probabilities by hand class now; they change as the opponent is learned."""
        rows: list[float] = self._chart(opens, stack).tolist()
        return rows

    def _chart(self, opens: bool, stack: float) -> Floats:
        return safe_chart(opens, stack, self.percent(not opens, stack), self.risk)

    def percent(self, opens: bool, stack: float) -> int:
        """The estimate of how many hands in a hundred the opponent jams as opener, or calls with."""
        played = PRIOR * equilibrium_frequency(opens, stack) + self.plays[opens]
        return round(100.0 * played / (PRIOR + self.decisions[opens]))

    def end(self, record: HandRecord, seat: int) -> None:
        for step in record.steps:
            if step.seat != seat:
                opens = step.seat == 0
                self.decisions[opens] += 1
                self.plays[opens] += step.action.kind != "f"


@lru_cache(maxsize=64)
def solved_game(stack: float) -> tuple[JamFoldGame, float, float, float]:
    """The game at a stack, its value, and how often an equilibrium jams and calls."""
    from headsup.games.betting.stakes import Stakes
    from headsup.games.holdem.classes import class_table
    from headsup.jamfold.game import JamFoldGame
    from headsup.jamfold.solve import certified

    game = JamFoldGame.of(class_table("holdem"), Stakes(stack, stack))
    _, proof = certified(game, 1e-6)
    return game, proof.value_sb, proof.jam_frequency, proof.call_frequency


def equilibrium_frequency(opens: bool, stack: float) -> float:
    _, _, jams, calls = solved_game(stack)
    return jams if opens else calls


@lru_cache(maxsize=4096)
def safe_chart(opens: bool, stack: float, percent: int, risk: float) -> Floats:
    """[169] the safe response of the opener, or of the caller, to an opponent who plays its best hands; risk in mbb."""
    from headsup.jamfold.safe import safe_response

    game, value, _, _ = solved_game(stack)
    (model,) = top_hands(percent)
    chart = safe_response(game, "sb" if opens else "bb", model, risk / 1000.0, value)
    return np.asarray(chart)


@maker("adaptive")
def make_adaptive(rest: str, table: Table) -> Agent:
    """Safe within 20 mbb per game, or within `adaptive:MBB`."""
    try:
        risk = parse_float(rest) if rest else RISK
    except ValueError:
        risk = -1.0
    if not 0.0 <= risk <= MOST_RISK:
        raise UserError(f"'adaptive:{rest}' needs a risk of 0 to {MOST_RISK:g} mbb per game: write adaptive:20")
    if table.cards != "holdem" or not table.betting.jam_or_fold:
        raise UserError(f"adaptive plays holdem-jamfold, and not {table.name}: choose another agent or game")
    return AdaptivePlayer(f"adaptive:{rest}" if rest else "adaptive", risk)
