"""Agents with a style: tight, and three that adapt a little to their opponent.

`average`, `loose-passive` and `loose-aggressive` are our own programs after andersson-2006's description of lost ones.
A hand of strength `bet` or more bets or raises; one of at least `call` plus a term for the pot odds calls; with
probability `bluff` a hand that would check bets. Learners bluff more against frequent folders and call more against
frequent bettors; counts start with ten actions of an average player. `tight` learns nothing.
"""

from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from headsup.cards.classes import holdem_class_of_combo, holdem_class_sizes
from headsup.cards.combos import colex, holdem_combos
from headsup.common.arrays import Floats
from headsup.common.errors import UserError
from headsup.play.table.agent import Agent, Player, maker, nothing_after
from headsup.play.table.record import HandRecord
from headsup.play.table.rules import CALLS, Action, PlayerView, Table


@cache
def preflop_strengths() -> Floats:
    """[169] the fraction of hands with less equity against a random hand, counting half of the own class."""
    from headsup.equity.holdem.table import holdem_table

    table, sizes = holdem_table(), holdem_class_sizes()
    equity = (table.equities() * table.deals).sum(axis=1) / table.deals.sum(axis=1)
    order = np.argsort(equity, kind="stable")
    below = np.cumsum(sizes[order]) - sizes[order] / 2
    strengths = np.empty(169)
    strengths[order] = below / sizes.sum()
    return strengths


@lru_cache(maxsize=4096)
def strength(hole: tuple[int, ...], board: tuple[int, ...]) -> float:
    """The fraction of the opponent's hands that a hand beats on the current board, ties half; preflop by equity."""
    if not board:
        return float(preflop_strengths()[holdem_class_of_combo()[colex(hole)]])
    from headsup.evaluate import rank_hands

    known = np.array([*hole, *board], dtype=np.uint8)
    combos = holdem_combos()
    free = combos[~np.isin(combos, known).any(axis=1)]
    rows = np.empty((len(free) + 1, 2 + len(board)), dtype=np.uint8)
    rows[:-1, :2], rows[-1, :2], rows[:, 2:] = free, hole, board
    values = rank_hands(rows, check=False)
    mine, theirs = values[-1], values[:-1]
    return float((theirs < mine).mean() + 0.5 * (theirs == mine).mean())


class Style(NamedTuple):
    """The parameters of a style: hand strengths, a bet size in pots, and a bluff probability."""

    enter: float
    call: float
    bet: float
    size: float
    bluff: float
    learns: bool = True


STYLES = {
    "tight": Style(enter=0.75, call=0.7, bet=0.85, size=0.75, bluff=0.0, learns=False),
    "average": Style(enter=0.45, call=0.5, bet=0.72, size=0.67, bluff=0.10),
    "loose-passive": Style(enter=0.20, call=0.35, bet=0.88, size=0.5, bluff=0.03),
    "loose-aggressive": Style(enter=0.25, call=0.45, bet=0.62, size=1.0, bluff=0.20),
}
AVERAGE = 10  # prior actions of an average player: three folds to a bet, four bets


class StylePlayer(Player):
    def __init__(self, name: str, style: Style) -> None:
        self.name, self.style, self.memory = name, style, style.learns
        self._forget()

    def _forget(self) -> None:
        self.faced, self.folds = AVERAGE, 3
        self.acted, self.bets = AVERAGE, 4

    def start(self, table: Table) -> None:
        self._forget()

    def act(self, view: PlayerView) -> Action:
        legal, style = view.legal, self.style
        if legal.discards:
            return CALLS
        have = strength(view.hole, view.board)
        shift = 0.5 * (self.bets / self.acted - 4 / AVERAGE) if style.learns else 0.0
        bluff = style.bluff * (self.folds / self.faced) / (3 / AVERAGE) if style.learns else style.bluff
        raises = sum(step.action.kind == "r" and step.street == view.street for step in view.steps)
        if legal.low and (have >= style.bet + 0.06 * raises or (not legal.fold and self.dice.random() < bluff)):
            paid = view.state.paid[view.seat] - view.state.start[view.seat]
            owed = max(legal.call, 0)
            return legal.bet(paid + owed + style.size * (view.pot + owed))
        if legal.call == 0:
            return CALLS
        price = legal.call / (view.pot + legal.call) if legal.call > 0 else 1.0
        need = (style.call if view.street else style.enter) + 0.6 * (price - 0.25) - shift
        return CALLS if legal.call > 0 and have >= need else legal.passive

    def end(self, record: HandRecord, seat: int) -> None:
        """Count the opponent's actions."""
        bet = False
        for step in record.steps:
            if step.seat == seat:
                bet = step.action.kind == "r"
                continue
            self.acted += 1
            self.bets += step.action.kind == "r"
            if bet:
                self.faced += 1
                self.folds += step.action.kind == "f"


def _make(name: str, rest: str, table: Table) -> Agent:
    nothing_after(name, rest)
    if table.cards != "holdem":
        raise UserError(f"the agent {name} plays hold'em, and {table.name} deals {table.cards}: choose another")
    return StylePlayer(name, STYLES[name])


for _name in STYLES:
    maker(_name)(lambda rest, table, name=_name: _make(name, rest, table))  # type: ignore[misc]
