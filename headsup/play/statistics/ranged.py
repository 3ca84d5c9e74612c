"""AIVAT by ranges: both hands are averaged out, and the public cards and actions are corrected for.

If both agents report what they do with every hand, the distribution of both hands given the board and the actions is
exact: the weights of a hand are the product of the probabilities with which it took its player's actions. So

1. a showdown is scored by its mean over all pairs of hands that would have been played the same way (Rao-Blackwell;
   imaginary observations of Bowling and others 2008), and an all-in also over the cards to come;
2. every public event has a known probability, and is corrected for by an estimate v of the value of both ranges, as in
   AIVAT (`headsup.play.statistics.values`):  v(after the event) - sum over events of probability * v(after it).

v is the pot's share by equity as if betting ended, with one exception: of a player who faces a bet, hands that lose
more by a call than by a fold are taken to fold. As long as nobody faces a bet, v is a martingale in the cards. After a
bet by local best response v is its own estimate, which knows how many hands fold.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from headsup.common.arrays import Floats
from headsup.games.betting.rules import FOLD, State
from headsup.play.agents.lbr import LocalBestResponse
from headsup.play.statistics.values import EquityValue, folded
from headsup.play.table.agent import Agent, Mixed
from headsup.play.table.ranges import against_ranges, share_of_ranges, start_weights
from headsup.play.table.real import free_of
from headsup.play.table.record import HandRecord
from headsup.play.table.rules import BOARD, Action, PlayerView, Table, apply, states_before


def scored_by_ranges(table: Table, agents: Sequence[Agent]) -> bool:
    """Whether AIVAT scores these agents by ranges: local best response, and agents that answer quickly for a range."""
    known = all(isinstance(agent, Mixed | LocalBestResponse) for agent in agents)
    quick = all(getattr(agent, "ranged", False) for agent in agents)
    lbr = any(isinstance(agent, LocalBestResponse) for agent in agents)
    swaps = not table.draws or all(hasattr(agent, "swap_probabilities") for agent in agents)
    return table.cards == "holdem" and swaps and known and (lbr or quick)


def ranged_chips(record: HandRecord, agents: Sequence[Agent]) -> float:
    """The score of a hand for seat 0, in chips; `agents` are in seat order.

    A hand that ended by a fault is scored up to the fault.
    """
    table, cards = record.table, record.deal.board
    value, state, score = RangeValue(table, agents), table.root, 0.0
    board = cards[: BOARD[table.first_street]]
    ranges = _without(board, [start_weights(table, seat) for seat in (0, 1)])
    steps = record.steps[: len(record.steps) - len(record.faults)]
    for i, (step, before) in enumerate(states_before(table, steps)):
        known = cards[: BOARD[step.street]]
        if known != board:
            now, ranges = value.shown(before, ranges, board), _without(known, ranges)
            score, board = score + now - value.shown(before, ranges, known), known
        rows, correction = value.action(PlayerView.at(table, before, (), board, steps[:i]), ranges, step.action)
        ranges[step.seat] = ranges[step.seat] * rows
        score, state = score - correction, apply(table.betting, before, step.action)
    return score + value.end(record, state, ranges, board)


def _without(board: tuple[int, ...], ranges: Sequence[Floats]) -> list[Floats]:
    return [np.where(free_of(board), weights, 0.0) for weights in ranges]


class RangeValue:
    """The estimate v of what a betting state is worth to seat 0 in chips, given both ranges."""

    start = None  # the deal needs no correction: both hands are averaged out

    def __init__(self, table: Table, agents: Sequence[Agent]) -> None:
        self.table, self.agents, self.called = table, agents, EquityValue(table).called

    def chips(self, record: HandRecord, agents: Sequence[Agent]) -> float:
        """The score of a hand for seat 0, in chips; called by `aivat_chips`."""
        return ranged_chips(record, agents)

    def shown(self, state: State, ranges: Sequence[Floats], board: tuple[int, ...]) -> float:
        """If the last bet is called and betting ends."""
        pot, paid = self.called(state)
        return share_of_ranges(ranges[0], ranges[1], board) * pot - paid

    def end(self, record: HandRecord, state: State, ranges: Sequence[Floats], board: tuple[int, ...]) -> float:
        """What seat 0 wins in the end: at a showdown, the mean over both ranges and the cards after a board."""
        if record.faults or not record.shown:
            return float(record.chips[0])
        pot, paid = self.called(state)
        won = record.chips[0] + paid
        odd = won - pot / 2.0 if 0 < won < pot else 0.0  # half a chip, where an odd pot is split
        return self.shown(state, ranges, board) + odd

    def against(self, ranges: Floats, view: PlayerView) -> tuple[Floats, Floats]:
        """(won, met), each [lists, 1326], as `against_ranges` returns them."""
        return against_ranges(ranges, view.board)

    def action(self, view: PlayerView, ranges: Sequence[Floats], taken: Action) -> tuple[Floats, float]:
        """[1326] how often each hand takes the action that was taken, and the correction for that event."""
        agent, mine = self.agents[view.seat], ranges[view.seat]
        if isinstance(agent, LocalBestResponse):
            decision = agent.decision(view)
            chosen = np.arange(len(decision.actions))[:, None] == decision.picks
            rows = dict(zip(decision.actions, chosen.astype(np.float64), strict=True))
            if decision.worths is None or decision.met is None:
                return rows[taken], 0.0
            weights = mine * decision.met * chosen
            masses = weights.sum(axis=1)
            values = self._for_seat_0((weights * decision.worths).sum(axis=1), masses, view)
        else:
            assert isinstance(agent, Mixed)
            rows = agent.range_probabilities(view)
            if len(rows) == 1:
                return rows[taken], 0.0
            won, met = self.against(mine * np.array(list(rows.values())), view)
            masses = met @ ranges[1 - view.seat]
            after = [apply(self.table.betting, view.state, action) for action in rows]
            seen = zip(after, won, met, strict=True)
            values = np.array([self._after(state, view, ranges[1 - view.seat], *hands) for state, *hands in seen])
        at = list(rows).index(taken)
        return rows[taken], float(values[at] / masses[at] - values.sum() / masses.sum())

    def _for_seat_0(self, worths: Floats, masses: Floats, view: PlayerView) -> Floats:
        """Sums of what the player to act wins from here on, as seat 0's result of the hand."""
        worths = worths - masses * view.state.paid[view.seat]
        return worths if view.seat == 0 else self.table.betting.pot * masses - worths

    def _after(self, state: State, view: PlayerView, theirs: Floats, won: Floats, met: Floats) -> float:
        """v times the weight of all pairs of hands after an action; won and met are those of the opponent's hands."""
        betting, seat = self.table.betting, 1 - view.seat
        if state.player == FOLD:
            return folded(betting, state) * float(theirs @ met)
        pot, paid = self.called(state)
        worths = pot * won - paid * met if seat == 0 else pot * (met - won) - paid * met
        if state.player == seat and betting.owed(state) and not self._only_calls(seat, view.street):
            fold = folded(betting, betting.fold(state)) * met
            worths = np.maximum(worths, fold) if seat == 0 else np.minimum(worths, fold)
        return float(theirs @ worths)

    def _only_calls(self, seat: int, street: int) -> bool:
        agent = self.agents[seat]
        return isinstance(agent, LocalBestResponse) and agent.menu(street) is None
