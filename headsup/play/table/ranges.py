"""Ranges against ranges: what each of the 1,326 hands wins from weighted hands over all cards to come."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations
from math import comb

import numpy as np

from headsup.cards.combos import HOLDEM_COUNT, holdem_combos
from headsup.common.arrays import Floats
from headsup.play.table.rules import Table

FLOP_CARDS = 3  # cards on a flop
LEAST = 1e-12  # a fraction of a range that rounding leaves where a hand meets nothing


def start_weights(table: Table, seat: int) -> Floats:
    """[1326] the weights with which a seat is dealt its hands; hands on the board are not left out."""
    weights = getattr(table, "weights", None)
    return np.ones(HOLDEM_COUNT) if weights is None else np.array(weights[seat], dtype=np.float64)


def against_ranges(ranges: Floats, board: tuple[int, ...]) -> tuple[Floats, Floats]:
    """(won, met), each [lists, 1326]: what each hand wins (a tie counts half) and meets of ranges [lists, 1326].

    Weights of hands that share a card with the board must be 0; the results for such hands have no meaning.
    """
    if len(board) > FLOP_CARDS:
        return swept(ranges, board)
    return ranges @ _equities(board).T, met_by(ranges)


def met_by(ranges: Floats) -> Floats:
    """[lists, 1326] the weight of ranges [lists, 1326] that shares no card with each hand."""
    has, total = _holds(), ranges.sum(axis=1, keepdims=True)
    met = total - (ranges @ has) @ has.T + ranges  # both cards took off the hand itself
    return np.where(met > LEAST * total, met, 0.0)


def before_swaps(ranges: Floats) -> tuple[Floats, Floats]:
    """`against_ranges` before the flop of hold'em with discards, by equities against a random hand."""
    from headsup.discards.equity.table import BEFORE, combo_equities

    own = combo_equities()
    met, lost = np.split(met_by(np.concatenate([ranges, ranges * own])), 2)
    return (0.5 + BEFORE * own) * met - BEFORE * lost, met


def share_of_ranges(
    first: Floats, second: Floats, board: tuple[int, ...], dead: tuple[int, ...] | None = None
) -> float:
    """The first range's fraction of the pot against the second, over the cards to come.

    With `dead` the flop is swept, too, and these cards do not come.
    """
    won, met = against_ranges(second[None], board) if dead is None or not board else swept(second[None], board, dead)
    return float(first @ won[0]) / float(first @ met[0])


@cache
def _holds() -> Floats:
    """[1326, 52] whether a hand has a card."""
    return np.asarray((holdem_combos()[:, :, None] == np.arange(52)).any(axis=1), dtype=np.float64)


@lru_cache(maxsize=8)
def _equities(board: tuple[int, ...]) -> Floats:
    """[1326, 1326] the row's pot share against the column before or on the flop; 0 where they share a card."""
    if not board:
        from headsup.equity.holdem.table import combo_table

        table = combo_table()
        return np.where(np.asarray(table.deals) > 0, (2.0 * table.wins + table.ties) / (2.0 * table.deals.max()), 0.0)
    from headsup.equity.holdem.flop_pairs import flop_pairs

    pairs, out = flop_pairs(np.array(board, dtype=np.uint8)), np.zeros((HOLDEM_COUNT, HOLDEM_COUNT))
    has = _holds()[pairs.hands]
    out[np.ix_(pairs.hands, pairs.hands)] = np.where(has @ has.T > 0.0, 0.0, (1.0 + pairs.lead) / 2.0)
    return out


def swept(ranges: Floats, board: tuple[int, ...], dead: tuple[int, ...] = (), every: int = 1) -> tuple[Floats, Floats]:
    """`against_ranges` after the flop, by one sweep over the hands of each run-out, or of one out of so many.

    Dead cards do not come; weights of hands that have one must be 0.
    """
    from headsup.abstraction.hands.feature_kernels import against_weights
    from headsup.evaluate import rank_combos

    left = [card for card in range(52) if card not in board and card not in dead]
    boards = np.array([(*board, *rest) for rest in combinations(left, 5 - len(board))], dtype=np.uint8)[::every]
    values, weights = rank_combos(boards, check=False), np.ascontiguousarray(ranges.T, dtype=np.float64)
    won, met = np.zeros((2, 1, *weights.shape))
    span, copies = np.array([0, len(boards)], dtype=np.int64), np.ones(len(boards), dtype=np.int32)
    against_weights(values, holdem_combos(), weights, span, copies, won, met)
    if every > 1:
        real = met_by(ranges)
        return won[0].T * (real / np.where(met[0].T > 0.0, met[0].T, 1.0)), real
    run_outs = comb(len(left) - 4, 5 - len(board))  # that two hands leave
    most = LEAST * ranges.sum(axis=1, keepdims=True)
    return won[0].T / run_outs, np.where(met[0].T / run_outs > most, met[0].T / run_outs, 0.0)
