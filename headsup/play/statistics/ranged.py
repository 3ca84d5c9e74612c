"""Scores by ranges: the mean result over all pairs of hands that both agents would have played the same way.

Both agents are `Mixed`, so the distribution of both hands given the board and the actions is exact, and a showdown is
scored by its mean over all pairs (Rao-Blackwell). All-ins before the river are also averaged over the cards to come.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np

from headsup.cards.combos import HOLDEM_COUNT, holdem_combos
from headsup.common.arrays import Floats
from headsup.play.statistics.values import EquityValue, all_in_board
from headsup.play.table.agent import Mixed
from headsup.play.table.dice import Dice
from headsup.play.table.real import free_of
from headsup.play.table.record import HandRecord
from headsup.play.table.rules import BOARD, PlayerView, apply, states_before

RUN_OUTS = 48  # runouts drawn for an all-in on the flop


def ranged_chips(record: HandRecord, agents: Sequence[Mixed]) -> float:
    """The score of a hold'em hand for seat 0, in chips; `agents` are in seat order."""
    table, betting, board = record.table, record.table.betting, record.deal.board
    if record.faults or not record.shown:
        return float(record.chips[0])
    state, reach = table.root, [np.ones(HOLDEM_COUNT), np.ones(HOLDEM_COUNT)]
    for i, (step, before) in enumerate(states_before(table, record.steps)):
        known = board[: BOARD[step.street]]
        view = PlayerView.at(table, before, record.deal.holes[step.seat], known, tuple(record.steps[:i]))
        reach[step.seat] = agents[step.seat].narrow(view, step.action, reach[step.seat])
        state = apply(betting, before, step.action)
    pot, paid = EquityValue(table).called(state)
    known = board[: all_in_board(record)]
    return share_of_ranges(reach[0], reach[1], known, Dice(0, record.number)) * pot - paid


def share_of_ranges(first: Floats, second: Floats, board: tuple[int, ...], dice: Dice) -> float:
    """The first range's fraction of the pot against the second, over the cards to come."""
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
    results = np.array([_shown(first, second, (*board, *cards)) for cards in come])
    won, met = results.sum(axis=0)
    return float(won / met)


@cache
def _before_the_flop() -> tuple[Floats, Floats]:
    """[1326, 1326] equities, and whether two hands are disjoint."""
    from headsup.equity.holdem.table import combo_table

    table = combo_table()
    met = (np.asarray(table.deals) > 0).astype(np.float64)
    return np.where(met > 0.0, table.equities(), 0.0), met


def _shown(first: Floats, second: Floats, board: tuple[int, ...]) -> tuple[float, float]:
    """On a full board: the weight of pairs that the first range wins (half for ties), and of all pairs."""
    from headsup.evaluate import rank_hands
    from headsup.games.holdem.showdown_kernels import add_showdown

    hands = np.flatnonzero(free_of(board) & ((first > 0.0) | (second > 0.0)))
    cards = holdem_combos()[hands]
    ranks = rank_hands(np.concatenate([np.broadcast_to(board, (len(hands), 5)), cards], axis=1), check=False)
    order = np.argsort(ranks, kind="stable")
    ranks, cards, mine, theirs = ranks[order], cards[order], first[hands[order]], second[hands[order]]
    beaten, met = np.zeros((2, len(hands), 1))
    places, held = np.arange(len(hands), dtype=np.uint16), np.zeros((53, 1))
    add_showdown(places, ranks.astype(np.uint16), cards, theirs[:, None], 1.0, held, beaten, met)
    return float(mine @ beaten[:, 0]), float(mine @ met[:, 0])
