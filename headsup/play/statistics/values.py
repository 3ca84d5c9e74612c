"""Variance reduction for the result of a hand: all-in equity and the value functions of AIVAT.

AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling 2018): with v any estimate of a hand's value with all cards known,
the score is the result minus, for every event whose probabilities are known,

    v(after the event) - sum over possible events of probability * v(after it),

which has mean 0 for any v. Events are the deal, the cards of each street, and the choices of `Mixed` agents. A `Value`
is a v that is a martingale in the cards, so the correction of a street is v after the cards minus v before them.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from headsup.cards.combos import colex
from headsup.games.betting.rules import DEAL, FOLD, Betting, State
from headsup.play.agents.chart import hand_classes, jam_probabilities
from headsup.play.table.agent import Agent, Mixed
from headsup.play.table.record import HandRecord
from headsup.play.table.rules import BOARD, PlayerView, Table, apply, award
from headsup.play.table.showdown import Shown

Holes = tuple[tuple[int, ...], tuple[int, ...]]
Outcomes = tuple[tuple[Shown, float], ...]
"""Results of a showdown with their probabilities; hand values are only compared."""

_HIGHS = ((2, 1), (1, 1), (1, 2))
_LOWS = ((0, 0), (2, 1), (1, 1), (1, 2))


@lru_cache(maxsize=65536)
def outcomes(
    cards: str, first: tuple[int, ...], second: tuple[int, ...], board: tuple[int, ...], dead: tuple[int, ...] = ()
) -> Outcomes:
    """The exact distribution of showdowns of two known hands from a board on; dead cards cannot come."""
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
    """Counts of boards: rows win, tie, lose the high; columns no low, win, tie, lose it."""
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
    boards = np.array([(*board, *rest) for rest in combinations(free, 5 - len(board))], dtype=np.uint8)
    high, low = _values(cards, first, boards), _values(cards, second, boards)
    highs = np.sign(low[0] - high[0]) + 1  # 0 where the first wins
    lows = np.where((high[1] == 0) & (low[1] == 0), 0, np.sign(low[1] - high[1]) + 2)
    counts = np.bincount(4 * highs + lows, minlength=12).reshape(3, 4)
    rows: Sequence[Sequence[int]] = counts.tolist()
    return rows


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
    """Seat 0's mean fraction of the pot, odd chips divided; dead cards cannot come."""
    return sum(award(4, shown, 1) * chance for shown, chance in outcomes(cards, *holes, board, dead)) / 4.0


def all_in_board(record: HandRecord) -> int:
    """How many board cards were known when the betting of a showdown ended; 5 if no card was to come."""
    if not record.shown or record.table.draws:
        return 5
    return BOARD[record.steps[-1].street] if record.steps else BOARD[record.table.first_street]


def equity_chips(record: HandRecord) -> float:
    """Seat 0's result with cards after an all-in replaced by their mean."""
    known = all_in_board(record)
    if known == 5:
        return float(record.chips[0])
    hand = record.table.hand(record.deal, (step.action for step in record.steps))
    pot, paid = hand.pot, hand.paid[0]
    showdowns = outcomes(record.table.cards, *record.holes, record.deal.board[:known])
    return sum(award(pot, shown, record.table.oop) * chance for shown, chance in showdowns) - paid


# --- AIVAT ------------------------------------------------------------------------------------------------------------


class Value(ABC):
    """An estimate of a hand's value to seat 0 in chips, with all cards known."""

    start: float | None  # its mean over all deals; None if unknown, and then the deal is not corrected for

    @abstractmethod
    def at(self, state: State, holes: Holes, board: tuple[int, ...]) -> float:
        """The value; on an incomplete board the mean over the cards to come."""

    def chips(self, record: HandRecord, agents: Sequence[Agent]) -> float:
        """The score of a hand for seat 0, in chips; called by `aivat_chips`."""
        table, betting, deal = record.table, record.table.betting, record.deal
        state, holes = betting.root(), deal.holes
        known = BOARD[table.first_street]
        score = float(record.chips[0])
        now = self.at(state, holes, deal.board[:known])
        if self.start is not None:
            score -= now - self.start
        steps = record.steps[: len(record.steps) - len(record.faults)]
        for i, step in enumerate(steps):
            state, known, now, correction = self._streets(table, state, known, now, deal.board, holes)
            score -= correction
            agent = agents[step.seat]
            after = apply(betting, state, step.action)
            then = self.at(after, holes, deal.board[:known])
            if isinstance(agent, Mixed):
                view = PlayerView.at(table, state, holes[step.seat], deal.board[:known], tuple(steps[:i]))
                options = agent.probabilities(view)
                if len(options) > 1:
                    expected = (
                        p * self.at(apply(betting, state, action), holes, deal.board[:known]) for action, p in options
                    )
                    score -= then - sum(expected)
            state, now = after, then
        return score - self._streets(table, state, known, now, deal.board, holes)[3] if not record.faults else score

    def _streets(
        self, table: Table, state: State, known: int, now: float, board: tuple[int, ...], holes: Holes
    ) -> tuple[State, int, float, float]:
        """Deal until a player acts or the hand ends: the state, cards known, value there, and the correction for the
        cards.
        """
        betting, correction = table.betting, 0.0
        while state.player == DEAL:
            state = betting.next_street(state)
            known = BOARD[table.first_street + state.street]
            then = self.at(state, holes, board[:known])
            correction, now = correction + then - now, then
        return state, known, now, correction


class EquityValue(Value):
    """The pot's share by all-in equity, as if the last bet were called and betting ended."""

    def __init__(self, table: Table) -> None:
        self.table = table
        root = table.betting.root()
        # both seats are dealt alike, so the mean share of the pot is a half
        self.start = None if table.board else self.called(root)[0] / 2 - self.called(root)[1]

    def called(self, state: State) -> tuple[int, int]:
        """The pot and seat 0's part of it if the last bet is called."""
        stacks, start, paid = self.table.betting.stacks, state.start, state.paid
        top = max(paid[0] - start[0], paid[1] - start[1])
        mine, theirs = (min(start[i] + top, stacks[i]) for i in (0, 1))
        shortest = min(mine - start[0], theirs - start[1])
        return self.table.betting.pot + start[0] + start[1] + 2 * shortest, start[0] + shortest

    def at(self, state: State, holes: Holes, board: tuple[int, ...]) -> float:
        if state.player == FOLD:
            return folded(self.table.betting, state)
        pot, paid = self.called(state)
        return pot_share(self.table.cards, holes, board) * pot - paid


class ChartValue(Value):
    """The exact value of a hand between two agents that only jam, call and fold by hand class."""

    def __init__(self, table: Table, agents: Sequence[Agent]) -> None:
        """`agents` are in seat order; see `headsup.play.agents.chart.jams_only`."""
        self.table, self.called = table, EquityValue(table)
        betting = table.betting
        self.jam, self.call = (np.array(jam_probabilities(agents[i], table, i == 0), dtype=np.float64) for i in (0, 1))
        self.class_of = hand_classes(table.cards)
        root = betting.root()
        self.fold = folded(betting, betting.fold(root))
        self.give = folded(betting, betting.fold(betting.bet(root, (betting.bounds(root) or (0, 0))[1])))
        self.start = self._mean() if table.cards == "holdem" else None

    def _mean(self) -> float:
        from headsup.equity.holdem.table import combo_table

        both, stack = combo_table(), self.table.betting.stacks[0]
        meet = np.asarray(both.deals) > 0
        shown = 2.0 * stack * np.where(meet, both.equities(), 0.5) - stack
        jam, call = self.jam[self.class_of][:, None], self.call[self.class_of][None, :]
        value = (1 - jam) * self.fold + jam * ((1 - call) * self.give + call * shown)
        return float(value[meet].mean())

    def at(self, state: State, holes: Holes, board: tuple[int, ...]) -> float:
        jam = float(self.jam[self.class_of[colex(holes[0])]]) if state.player == 0 else 1.0
        call = float(self.call[self.class_of[colex(holes[1])]]) if state.player < DEAL else 1.0
        if state.player == FOLD or not jam:
            return self.called.at(state, holes, board) if state.player == FOLD else self.fold
        betting = self.table.betting
        shove = betting.bet(state, (betting.bounds(state) or (0, 0))[1]) if state.player == 0 else state
        shown = self.called.at(shove, holes, board) if call else 0.0
        return (1 - jam) * self.fold + jam * ((1 - call) * self.give + call * shown)


def folded(betting: Betting, state: State) -> float:
    """What seat 0 wins after a fold."""
    paid = betting.payoffs(state)
    return paid.lose[0] if state.folder == 0 else paid.win[0]
