"""AIVAT by ranges for hold'em with discards (`headsup.play.statistics.ranged`).

Discarded cards are taken as seen: they block hands as board cards do. Both hands given the board, the actions and the
discards are then as independent as in hold'em, and a swap is one more event with known probabilities: the player keeps
both cards, or discards one of 52. A discard of d by a range w that discards d from {k, d} with probability s leaves

    w'(k, n) = r(k) + r(n)  with  r(k) = w(k, d) * s(k, d),

since either card may be the one that was kept, and every card that is left is drawn with the same probability.

The estimates of `RangeValue` are moved towards half of the pot as long as swaps are to come (`KEPT`). Any estimate is
unbiased, because each event's mean is exact.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from headsup.cards.combos import holdem_combos
from headsup.common.arrays import Floats
from headsup.play.agents.discard_all_in import DECK, ReducedTable
from headsup.play.statistics.discard_values import KEPT
from headsup.play.statistics.ranged import RangeValue
from headsup.play.table.agent import Agent
from headsup.play.table.ranges import before_swaps, share_of_ranges, start_weights, swept
from headsup.play.table.real import free_of
from headsup.play.table.record import HandRecord
from headsup.play.table.rules import Action, PlayerView, Table, TableHand, hidden

EVERY = 11  # on a flop estimates use one run-out out of so many
SMALL = 10  # big blinds; in smaller pots flop and turn cards are not corrected for
Cards = tuple[int, ...]


def ranged_discard_chips(record: HandRecord, agents: Sequence[Agent]) -> float:
    """The score of a hand for seat 0, in chips; `agents` are in seat order."""
    table, hand = record.table, TableHand(record.table, record.deal)
    value, score = DiscardRangeValue(table, agents), 0.0
    ranges = value.without(hand.board, [start_weights(table, seat) for seat in (0, 1)])
    for step in record.steps[: len(record.steps) - len(record.faults)]:
        view, street, board = hand.view(), hand.street, hand.board
        view = view._replace(hole=(), steps=hidden(hidden(view.steps, 0), 1))
        value.swaps = max(hand.swaps_to_come - 1, 0)
        if view.legal.discards:
            ranges[step.seat], gain = value.swap(view, ranges, step.action)
        else:
            rows, gain = value.action(view, ranges, step.action)
            ranges[step.seat] = ranges[step.seat] * rows
        ranges, score = value.without(board, ranges), score - gain
        hand.act(step.action)
        if hand.street > street:
            pot = value.called(hand.state)[0]
            if len(hand.board) < 5 and pot < SMALL * table.unit:  # not worth two sweeps over all run-outs
                ranges = value.without(hand.board, ranges)
                continue
            now, ranges = value.share(ranges, board), value.without(hand.board, ranges)
            gain = KEPT[hand.street, hand.swaps_to_come] * (value.share(ranges, hand.board) - now)
            score -= gain * pot
    return score + value.end(record, hand.state, ranges, hand.board)


class DiscardRangeValue(RangeValue):
    """The estimate v during a hand of hold'em with discards."""

    swaps = 0  # to come on this street after the next action

    def __init__(self, table: Table, agents: Sequence[Agent]) -> None:
        super().__init__(table, agents)
        deck = table.deck if isinstance(table, ReducedTable) else DECK
        self.dead: Cards = tuple(card for card in DECK if card not in deck)

    def chips(self, record: HandRecord, agents: Sequence[Agent]) -> float:
        return ranged_discard_chips(record, agents)

    def without(self, board: Cards, ranges: Sequence[Floats]) -> list[Floats]:
        """Ranges without hands that have a card of the board or a dead one, scaled to a largest weight of 1."""
        free = [np.where(free_of((*board, *self.dead)), weights, 0.0) for weights in ranges]
        return [weights / weights.max() for weights in free]

    def share(self, ranges: Sequence[Floats], board: Cards) -> float:
        """Seat 0's fraction of the pot without further swaps, a martingale in the cards of the board."""
        return share_of_ranges(ranges[0], ranges[1], board, self.dead)

    def against(self, ranges: Floats, view: PlayerView) -> tuple[Floats, Floats]:
        if not view.board:
            return before_swaps(ranges)
        won, met = swept(ranges, view.board, self.dead, EVERY if len(view.board) == 3 else 1)
        return 0.5 * met + KEPT[view.street, self.swaps] * (won - 0.5 * met), met

    def swap(self, view: PlayerView, ranges: Sequence[Floats], taken: Action) -> tuple[Floats, float]:
        """[1326] the player's range after a swap, and the correction for that event."""
        played: Floats = self.agents[view.seat].swap_probabilities(view)  # type: ignore[attr-defined]
        mine, keeps = _square(ranges[view.seat]), _square(ranges[view.seat] * played[:, 0])
        low, high = holdem_combos().astype(np.int64).T
        discards = np.zeros((52, 52))  # by the card that is discarded and the one that is kept
        discards[low, high], discards[high, low] = played[:, 1], played[:, 2]
        discards *= mine
        free = _square(free_of((*view.board, *self.dead)).astype(np.float64))
        won, met = (free * _square(each[0]) for each in self.against(ranges[1 - view.seat][None], view))

        def after(worth: Floats) -> Floats:  # summed over the draws, for each event
            return np.array([(keeps * worth).sum() / 2.0, *(discards * (worth.sum(axis=0) - worth)).sum(axis=1)])

        chances = np.array([(keeps * met).sum() / 2.0, *(discards * met).sum(axis=1)])
        total = after(met)
        shares = after(won) / np.where(total > 0.0, total, 1.0)
        event = 1 + taken.amount if taken.kind == "d" else 0
        gain = float(shares[event] - shares @ chances / chances.sum()) * self.called(view.state)[0]
        if event:
            self.dead = (*self.dead, taken.amount)
            keeps = discards[taken.amount][:, None] + discards[taken.amount]
        return keeps[low, high], gain if view.seat == 0 else -gain


def _square(hands: Floats) -> Floats:
    """[52, 52] of [1326] values of hands, by both cards."""
    low, high = holdem_combos().astype(np.int64).T
    square = np.zeros((52, 52))
    square[low, high] = square[high, low] = hands
    return square
