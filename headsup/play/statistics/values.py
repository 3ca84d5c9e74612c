"""Luck taken out of a hand's result, without changing what it is on average.

All-in equity: where the last chips were in before the last card, the result is the mean over the boards that could have
come, odd chips by the book. The cards to come do not know what was played, so the mean over all deals is the same.

AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling 2018) takes more out. Let v be any function of where a hand stands,
all cards known. The score of a hand is its result less a correction for every event whose chances are known,

    v(after what happened) - sum over what could have happened of chance * v(after it),

which is 0 on average whatever v is; the nearer v is to the truth, the less is left to luck. The events are the deal,
the cards of each street, and the choices of agents that say how often they take each action (`Mixed`). Their paper also
averages over the hands that a known player could have held; that is not done here.

A `Value` is such a v that is a martingale of the cards: before a card it is the mean of what it is after it. So a
street's correction is v after the cards less v before them, and no card but the real one need be looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, Protocol

import numpy as np

from headsup.cards.combos import colex
from headsup.games.betting.rules import DEAL, FOLD, Betting, State
from headsup.play.agents.chart import hand_classes, jam_probabilities
from headsup.play.table.agent import Agent
from headsup.play.table.record import HandRecord
from headsup.play.table.rules import BOARD, Table, TableHand, award
from headsup.play.table.showdown import Shown

Holes = tuple[tuple[int, ...], tuple[int, ...]]
Outcomes = tuple[tuple[Shown, float], ...]
"""How a showdown may end, and how likely each is; the values of the hands are only compared."""

_HIGHS = ((2, 1), (1, 1), (1, 2))
_LOWS = ((0, 0), (2, 1), (1, 1), (1, 2))


@lru_cache(maxsize=65536)
def outcomes(
    cards: str, first: tuple[int, ...], second: tuple[int, ...], board: tuple[int, ...], dead: tuple[int, ...] = ()
) -> Outcomes:
    """All ways in which the showdown of two known hands may end from a board on, exactly; dead cards cannot come."""
    cells = _cells(cards, first, second, board, dead)
    total = sum(map(sum, cells))
    return tuple(
        (Shown(high, low), count / total)
        for high, row in zip(_HIGHS, cells, strict=True)
        for low, count in zip(_LOWS, row, strict=True)
        if count
    )


def _cells(
    cards: str, first: tuple[int, ...], second: tuple[int, ...], board: tuple[int, ...], dead: tuple[int, ...]
) -> Sequence[Sequence[int]]:
    """Counts of boards: win, tie, lose the high by no low, win, tie, lose it."""
    assert board or not dead
    if not board and cards == "holdem":
        from headsup.equity.holdem.table import BOARDS, combo_table

        table, a, b = combo_table(), colex(first), colex(second)
        wins, ties = int(table.wins[a, b]), int(table.ties[a, b])
        return (wins, 0, 0, 0), (ties, 0, 0, 0), (BOARDS - wins - ties, 0, 0, 0)
    if not board:
        from headsup.equity.api import equity

        return equity(list(first), list(second), game=cards).cells
    taken = {*first, *second, *board, *dead}
    free = [card for card in range(52) if card not in taken]
    sets = list(combinations(free, 5 - len(board)))
    rest = np.array(sets, dtype=np.uint8).reshape(len(sets), 5 - len(board))
    boards = np.empty((len(rest), 5), dtype=np.uint8)
    boards[:, : len(board)], boards[:, len(board) :] = board, rest
    high, low = _values(cards, first, boards), _values(cards, second, boards)
    highs = np.sign(low[0] - high[0]) + 1  # 0 where the first wins
    lows = np.where((high[1] == 0) & (low[1] == 0), 0, np.sign(low[1] - high[1]) + 2)
    counts = np.bincount(4 * highs + lows, minlength=12).reshape(3, 4)
    found: Sequence[Sequence[int]] = counts.tolist()
    return found


def _values(cards: str, hole: tuple[int, ...], boards: Any) -> tuple[Any, Any]:
    """Highs and lows of one hand on many boards, as signed numbers."""
    from headsup.evaluate import omaha_high, omaha_low, rank_hands

    hands = np.tile(np.array(hole, dtype=np.uint8), (len(boards), 1))
    if cards == "holdem":
        high = rank_hands(np.concatenate([hands, boards], axis=1), check=False)
        return high.astype(np.int64), np.zeros(len(boards), dtype=np.int64)
    high = omaha_high(hands, boards, check=False)
    low = omaha_low(hands, boards, check=False) if cards == "omaha8" else np.zeros(len(boards), dtype=np.uint8)
    return high.astype(np.int64), low.astype(np.int64)


def pot_share(cards: str, holes: Holes, board: tuple[int, ...], dead: tuple[int, ...] = ()) -> float:
    """What part of a pot seat 0 gets on average, odd chips divided; dead cards cannot come."""
    return sum(award(4, shown, 1) * chance for shown, chance in outcomes(cards, *holes, board, dead)) / 4.0


def all_in_board(record: HandRecord) -> int:
    """How many cards lay on the board when the betting of a hand that was shown ended; 5 if nothing was to come."""
    if not record.shown or record.table.draws:
        return 5
    return BOARD[record.steps[-1].street] if record.steps else BOARD[record.table.first_street]


def equity_chips(record: HandRecord) -> float:
    """What seat 0 wins in a hand, the cards after an all-in taken by their mean."""
    known = all_in_board(record)
    if known == 5:
        return float(record.chips[0])
    hand = TableHand(record.table, record.deal)
    for step in record.steps:
        hand.act(step.action)
    pot, paid = hand.pot, hand.paid[0]
    found = outcomes(record.table.cards, *record.holes, record.deal.board[:known])
    return sum(award(pot, shown, record.table.oop) * chance for shown, chance in found) - paid


# --- AIVAT ------------------------------------------------------------------------------------------------------------


class Value(Protocol):
    """What a hand is worth to seat 0, in chips, from where it stands, all cards known."""

    start: float | None
    """Its mean over all deals; None where nobody knows, and then the luck of the deal stays in."""

    def at(self, state: State, holes: Holes, board: tuple[int, ...]) -> float:
        """The value; on a board that is not complete the mean of the values over the cards to come."""


class EquityValue:
    """A pot's share by all-in equity, as if what was bet last were called and nobody bet any more."""

    def __init__(self, table: Table) -> None:
        self.table = table
        root = table.betting.root()
        # whatever v is, the two seats are dealt alike, so that half of the pot is the mean
        self.start = None if table.board else self.called(root)[0] / 2 - self.called(root)[1]

    def called(self, state: State) -> tuple[int, int]:
        """The pot, and what seat 0 has in it, if the last bet is called."""
        stacks, start, paid = self.table.betting.stacks, state.start, state.paid
        top = max(paid[0] - start[0], paid[1] - start[1])
        mine, theirs = (min(start[i] + top, stacks[i]) for i in (0, 1))
        shortest = min(mine - start[0], theirs - start[1])
        return self.table.betting.pot + start[0] + start[1] + 2 * shortest, start[0] + shortest

    def at(self, state: State, holes: Holes, board: tuple[int, ...]) -> float:
        """Exact where somebody folded."""
        if state.player == FOLD:
            return folded(self.table.betting, state)
        pot, paid = self.called(state)
        return pot_share(self.table.cards, holes, board) * pot - paid


class ChartValue:
    """The exact value of a hand between two agents that only jam, call and fold by their class of hands."""

    def __init__(self, table: Table, agents: Sequence[Agent]) -> None:
        """`agents` are those of the two seats; see `headsup.play.agents.chart.jams_only`."""
        self.table, self.called = table, EquityValue(table)
        betting = table.betting
        self.jam, self.call = (np.array(jam_probabilities(agents[i], table, i == 0), dtype=np.float64) for i in (0, 1))
        self.class_of = hand_classes(table.cards)
        root = betting.root()
        self.fold = folded(betting, betting.fold(root))
        self.give = folded(betting, betting.fold(betting.bet(root, (betting.bounds(root) or (0, 0))[1])))
        self.start = self._mean() if table.cards == "holdem" else None

    def _mean(self) -> float:
        """Over all deals of two hands."""
        from headsup.equity.holdem.table import combo_table

        both, stack = combo_table(), self.table.betting.stacks[0]
        meet = np.asarray(both.deals) > 0
        shown = 2.0 * stack * np.where(meet, both.equities(), 0.5) - stack
        jam, call = self.jam[self.class_of][:, None], self.call[self.class_of][None, :]
        value = (1 - jam) * self.fold + jam * ((1 - call) * self.give + call * shown)
        return float(value[meet].mean())

    def at(self, state: State, holes: Holes, board: tuple[int, ...]) -> float:
        """By both agents' shares, from wherever the hand stands."""
        jam = float(self.jam[self.class_of[colex(holes[0])]]) if state.player == 0 else 1.0
        call = float(self.call[self.class_of[colex(holes[1])]]) if state.player < DEAL else 1.0
        if state.player == FOLD or not jam:
            return self.called.at(state, holes, board) if state.player == FOLD else self.fold
        betting = self.table.betting
        shove = betting.bet(state, (betting.bounds(state) or (0, 0))[1]) if state.player == 0 else state
        shown = self.called.at(shove, holes, board) if call else 0.0
        return (1 - jam) * self.fold + jam * ((1 - call) * self.give + call * shown)


def folded(betting: Betting, state: State) -> float:
    """What seat 0 wins where somebody has folded."""
    paid = betting.payoffs(state)
    return paid.lose[0] if state.folder == 0 else paid.win[0]
