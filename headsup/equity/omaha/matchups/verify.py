"""Proof that a table is right: sums that must hold over all of it, and brute force on entries picked at random.

The brute force knows nothing of ranks apart from suits, of weights or of symmetry. An entry of classes A and B is one
hand of A against each disjoint hand of B, on every five-card board that misses the hand of A (and, for each hand of B,
those that miss it too): the best of 6 x 10 five-card hands for the high, two masks for the low, and the pot divided.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import omaha_class_sizes, rank_multisets
from headsup.common.backend import jit
from headsup.common.errors import DataError
from headsup.common.progress import Progress, Watch
from headsup.equity.blocks import in_threads
from headsup.equity.omaha.boards import LOW_BIT
from headsup.equity.omaha.eval8 import hands_against
from headsup.equity.omaha.matchups import merge_kernels
from headsup.equity.omaha.matchups.packets import Plan
from headsup.equity.omaha.matchups.store import array_specs, row_cuts
from headsup.equity.results import SHARES
from headsup.evaluate import flush_ranks, rank_ranks
from headsup.evaluate.tables import low_table


def check_sums(folder: Path, plan: Plan, patterns: Mapping[str, tuple[int, int]], progress: Watch) -> dict[str, int]:
    """Check every sum that the table must have, in integers; the counts for its manifest.

    For each pair of classes the two equities add up to exactly 1; each hand meets C(4m - 4, 4) others; over all
    matchups the mean equity is exactly one half.
    """
    arrays = {spec.name: spec.open(folder) for spec in array_specs(plan)}
    sizes, number, cuts = omaha_class_sizes()[: plan.classes], arrays["number"], row_cuts(plan.ranks)
    met = 0
    won = {"omaha8": 0, "omaha": 0}

    def added(rows: tuple[int, int]) -> tuple[int, dict[str, int]]:
        row_from, row_to = rows
        meets, those = number[row_from:row_to].sum(axis=1, dtype=np.int64), sizes[row_from:row_to]
        if (meets != comb(4 * plan.ranks - 4, 4)).any():
            raise DataError(f"hands of rows {row_from} to {row_to} do not meet every other hand: this is a fault")
        totals = {}
        for game in won:
            quarters = arrays[game]
            totals[game] = int(quarters[row_from:row_to].sum(axis=1, dtype=np.int64) @ those)
            faults = merge_kernels.unfair(quarters, number, sizes, plan.boards, row_from, row_to)
            if faults:
                raise DataError(f"{faults} pairs of hands share more or less than the pot in {game}: this is a fault")
        return int(meets @ those), totals

    for block, (meet, totals) in enumerate(in_threads(added, pairwise(cuts))):
        met += meet
        for game, total in totals.items():
            won[game] += total
        progress(Progress(block + 1, len(cuts) - 1, "adding up"))
    for game, total in won.items():
        if total != 2 * plan.boards * met:
            raise DataError(f"the mean equity of {game} is not one half: this is a fault")
    if met != comb(4 * plan.ranks, 4) * comb(4 * plan.ranks - 4, 4):
        raise DataError("the matchups do not add up to all pairs of hands: this is a fault")
    return {
        "deals": sum(deals for _, deals in patterns.values()),
        "deal_classes": sum(classes for classes, _ in patterns.values()),
        "hands": int(sizes.sum()),
        "matchups": met,
        "quarters": 4 * plan.boards * met,
    }


@dataclass(frozen=True)
class Entry:
    """One entry by brute force: the grid of counts over all disjoint hands of the column's class."""

    row: int
    column: int
    number: int
    grid: npt.NDArray[np.int64]
    """[3, 4]: high (win, tie, lose) by low (none, win, tie, lose) of the row's hand."""

    @property
    def quarters(self) -> int:
        """Quarter-pots won in hi-lo."""
        return int((np.array(SHARES) * self.grid).sum())

    @property
    def quarters_high(self) -> int:
        """Quarter-pots won in Omaha high."""
        win, tie, _ = self.grid.sum(axis=1).tolist()
        return int(4 * win + 2 * tie)


def brute_entry(row: int, column: int, ranks: int = 13) -> Entry:
    """Every board against every disjoint hand of the column's class."""
    hand, others = hands_against(row, column)
    grid = np.zeros((3, 4), dtype=np.int64)
    deck = np.array([card for card in range(4 * ranks) if card not in hand], dtype=np.int64)
    if len(others):
        _entry(deck, np.array(hand, dtype=np.int64), others.astype(np.int64), *_tables(), grid)
    return Entry(row, column, len(others), grid)


def brute_entries(plan: Plan, count: int, seed: int = 0, jobs: int | None = None) -> Iterator[Entry]:
    """Entries at random, all pairs of classes alike, computed on all cores."""
    rng = np.random.default_rng(seed)
    pairs = rng.integers(plan.classes, size=(count, 2)).tolist()
    _tables()
    pool = ThreadPoolExecutor(jobs or os.cpu_count() or 1)
    try:
        yield from pool.map(lambda pair: brute_entry(pair[0], pair[1], plan.ranks), pairs)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@cache
def _tables() -> tuple[npt.NDArray[Any], ...]:
    """(values of two and three ranks [91, 455], flushes [8192], lows [256, 256], low bit of each rank)."""
    pairs, triples = rank_multisets(2), rank_multisets(3)
    five = np.concatenate([np.repeat(pairs, len(triples), axis=0), np.tile(triples, (len(pairs), 1))], axis=1)
    possible = np.sort(five, axis=1)[:, 0] != np.sort(five, axis=1)[:, 4]  # the deck has no five of a rank
    values = np.zeros(len(five), dtype=np.uint16)
    values[possible] = rank_ranks(five[possible])
    by_triple = np.ascontiguousarray(values.reshape(len(pairs), len(triples)).T)
    return by_triple, np.array(flush_ranks()), np.array(low_table()).reshape(256, 256), LOW_BIT


@jit
def _entry(deck: Any, hand: Any, others: Any, by_triple: Any, flush: Any, low: Any, low_bit: Any, grid: Any) -> None:
    """Walk through all boards from the deck; hand 0 is the row's, the rest are the column's."""
    n, count = deck.shape[0], others.shape[0] + 1
    hands = np.empty((count, 4), dtype=np.int64)
    hands[0] = hand
    hands[1:] = others
    pairs = np.empty((count, 6), dtype=np.int64)
    masks = np.zeros(count, dtype=np.uint64)
    lows = np.zeros(count, dtype=np.int64)
    for h in range(count):
        at = 0
        for i in range(4):
            masks[h] |= np.uint64(1) << np.uint64(hands[h, i])
            lows[h] |= np.int64(low_bit[hands[h, i] >> 2])
            for j in range(i):
                below, above = hands[h, j] >> 2, hands[h, i] >> 2  # cards ascend, and so do their ranks
                pairs[h, at] = below + above * (above + 1) // 2
                at += 1
    board = np.empty(5, dtype=np.int64)
    best = np.empty(91, dtype=np.uint16)
    for a in range(n):
        board[0] = deck[a]
        for b in range(a + 1, n):
            board[1] = deck[b]
            for c in range(b + 1, n):
                board[2] = deck[c]
                for d in range(c + 1, n):
                    board[3] = deck[d]
                    for e in range(d + 1, n):
                        board[4] = deck[e]
                        _board(board, hands, pairs, masks, lows, by_triple, flush, low, low_bit, best, grid)


@jit(inner=True)
def _board(
    board: Any, hands: Any, pairs: Any, masks: Any, lows: Any, by_triple: Any, flush: Any, low: Any, low_bit: Any,
    best: Any, grid: Any,
) -> None:  # fmt: skip
    """One board: hand 0 against every other hand that misses it."""
    taken = np.uint64(0)
    board_low: Any = 0
    for i in range(5):
        taken |= np.uint64(1) << np.uint64(board[i])
        board_low |= np.int64(low_bit[board[i] >> 2])
    for pair in range(91):
        best[pair] = 0
    for i in range(5):
        for j in range(i + 1, 5):
            for k in range(j + 1, 5):
                r, s, t = board[i] >> 2, (board[j] >> 2) + 1, (board[k] >> 2) + 2
                values = by_triple[r + s * (s - 1) // 2 + t * (t - 1) * (t - 2) // 6]
                for pair in range(91):
                    best[pair] = max(best[pair], values[pair])
    suit, suited = _flush_suit(board)
    mine: Any = 0
    my_low: Any = 0
    for h in range(hands.shape[0]):
        if masks[h] & taken:
            continue
        value: Any = 0
        for pair in range(6):
            value = max(value, np.int64(best[pairs[h, pair]]))
        if suit >= 0:
            value = max(value, _best_flush(hands[h], suit, suited, flush))
        its_low = np.int64(low[lows[h], board_low])
        if h == 0:
            mine, my_low = value, its_low
            continue
        row = 0 if mine > value else (1 if mine == value else 2)
        if my_low == its_low:
            column = 2 if my_low else 0
        else:
            column = 1 if my_low > its_low else 3
        grid[row, column] += 1


@jit(inner=True)
def _flush_suit(board: Any) -> tuple[int, int]:
    """The suit with three or more cards on the board and the ranks it has there, or -1."""
    for suit in range(4):
        count, ranks = 0, 0
        for i in range(5):
            if board[i] & 3 == suit:
                count += 1
                ranks |= 1 << (board[i] >> 2)
        if count >= 3:
            return suit, ranks
    return -1, 0


@jit(inner=True)
def _best_flush(hand: Any, suit: int, suited: int, flush: Any) -> Any:
    """The best flush of two hole cards with exactly three of the board's cards in their suit, or 0."""
    value: Any = 0
    for i in range(4):
        for j in range(i):
            if hand[i] & 3 == suit and hand[j] & 3 == suit:
                pair = 1 << (hand[i] >> 2) | 1 << (hand[j] >> 2)
                three = suited
                while three:  # every subset of the board's ranks in the suit
                    if _count(three) == 3:
                        value = max(value, np.int64(flush[pair | three]))
                    three = (three - 1) & suited
    return value


@jit(inner=True)
def _count(mask: int) -> int:
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count
