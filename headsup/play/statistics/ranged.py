"""The score of a hand by ranges: what it would have paid on average with all hands that would have been played so.

Both agents are `Mixed`. So how likely each pair of hands is, given the board and
all that was done, is known exactly, and a showdown is scored by its mean over all of them in place of the two that were
dealt. Its mean over a match is that of the real score (Rao and Blackwell), and the luck of the private cards is gone;
that of the board and of the actions drawn stays. Where all chips are in before the river, the mean is also taken over
cards to come: over all of them before the flop and on the turn, over some drawn ones on the flop (there it is a
ratio of two sums, whose mean is very slightly off).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from headsup.cards.combos import HOLDEM_COUNT, holdem_combos
from headsup.common.arrays import AnyArray, Floats
from headsup.games.betting.rules import DEAL
from headsup.play.statistics.values import EquityValue, all_in_board
from headsup.play.table.agent import Mixed
from headsup.play.table.dice import Dice
from headsup.play.table.real import free_of
from headsup.play.table.record import HandRecord
from headsup.play.table.rules import BOARD, Legal, PlayerView, apply

RUN_OUTS = 48
"""Turns and rivers that are drawn for an all-in on the flop."""


def ranged_chips(record: HandRecord, agents: Sequence[Mixed]) -> float:
    """The score of a hand of hold'em for seat 0, in chips; `agents` are those of the two seats."""
    table, betting, board = record.table, record.table.betting, record.deal.board
    if record.faults or not record.shown:
        return float(record.chips[0])
    state, reach = betting.root(), [np.ones(HOLDEM_COUNT), np.ones(HOLDEM_COUNT)]
    for i, step in enumerate(record.steps):
        while state.player == DEAL:
            state = betting.next_street(state)
        known = board[: BOARD[step.street]]
        legal, hole = Legal.of(betting, state), record.deal.holes[step.seat]
        view = PlayerView(table, step.seat, hole, known, state, legal, tuple(record.steps[:i]))
        reach[step.seat] *= agents[step.seat].hand_probabilities(view, step.action)
        state = apply(betting, state, step.action)
    pot, paid = EquityValue(table).called(state)
    known = board[: all_in_board(record)]
    return share_of_ranges(reach[0], reach[1], known, Dice(0, record.number)) * pot - paid


def share_of_ranges(first: Floats, second: Floats, board: tuple[int, ...], dice: Dice) -> float:
    """What part of a pot the first of two ranges gets, by weights of the 1,326 hands, over the cards to come."""
    if not board:
        won, met = _before_the_flop()
        return float(first @ won @ second) / float(first @ met @ second)
    left = [card for card in range(52) if card not in board]
    come: list[tuple[int, ...]] = [()] if len(board) == BOARD[3] else [(card,) for card in left]
    if len(board) == BOARD[1]:
        come = []
        while len(come) < RUN_OUTS:
            turn, river = left[dice.below(len(left))], left[dice.below(len(left))]
            come += [(turn, river)] if turn != river else []
    found = np.array([_shown(first, second, (*board, *cards)) for cards in come])
    won, met = found.sum(axis=0)
    return float(won / met)


@cache
def _before_the_flop() -> tuple[Floats, Floats]:
    """[1326, 1326] what each hand wins from each other, and whether they can meet."""
    from headsup.equity.holdem.table import combo_table

    table = combo_table()
    met = (np.asarray(table.deals) > 0).astype(np.float64)
    return np.where(met > 0.0, table.equities(), 0.0), met


def _shown(first: Floats, second: Floats, board: tuple[int, ...]) -> tuple[float, float]:
    """On a whole board, the weight of all pairs of hands that the first wins (half of it for ties), and of all."""
    from headsup.evaluate import rank_hands

    hands = np.flatnonzero(free_of(board) & ((first > 0.0) | (second > 0.0)))
    cards = holdem_combos()[hands]
    ranks = rank_hands(np.concatenate([np.broadcast_to(board, (len(hands), 5)), cards], axis=1), check=False)
    order = np.argsort(ranks, kind="stable")
    ranks, cards, mine, theirs = ranks[order], cards[order], first[hands[order]], second[hands[order]]
    places, with_card = np.arange(len(hands)), np.zeros((len(hands) + 1, 52))
    for column in (0, 1):
        with_card[places + 1, cards[:, column]] = theirs
    with_card, summed = np.cumsum(with_card, axis=0), np.concatenate([[0.0], np.cumsum(theirs)])

    def below(end: AnyArray) -> Floats:
        """The weight of the other's hands before a place that share no card with one's own."""
        return np.asarray(summed[end] - with_card[end, cards[:, 0]] - with_card[end, cards[:, 1]])

    weaker = below(np.searchsorted(ranks, ranks, "left"))
    not_stronger = below(np.searchsorted(ranks, ranks, "right")) + theirs  # the same hand was taken off twice
    everything = below(np.full(len(hands), len(hands))) + theirs
    return float(mine @ (0.5 * (weaker + not_stronger))), float(mine @ everything)
