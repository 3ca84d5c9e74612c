"""Checks of a whole table: sums that must hold, and brute force on entries picked at random."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import FULL_MASK, mask_of
from headsup.cards.classes import omaha_class_sizes
from headsup.cards.combos import combo_masks, combos
from headsup.common.backend import jit
from headsup.common.checks import cores
from headsup.common.errors import DataError
from headsup.common.progress import Progress, Watch
from headsup.equity.blocks import in_threads
from headsup.equity.omaha.eval8 import hands_against
from headsup.equity.omaha.matchups import merge_kernels
from headsup.equity.omaha.matchups.packets import Plan
from headsup.equity.omaha.matchups.store import array_specs, row_cuts
from headsup.equity.results import SHARES
from headsup.evaluate.kernels import omaha_on_board
from headsup.evaluate.tables import load


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
class BruteEntry:
    """One entry by brute force: the grid of counts over all disjoint hands of the column's class."""

    row: int
    column: int
    number: int
    grid: npt.NDArray[np.int64]  # [3, 4]: high (win, tie, lose) by low (none, win, tie, lose) of the row's hand

    @property
    def quarters(self) -> int:
        return int((np.array(SHARES) * self.grid).sum())

    @property
    def quarters_high(self) -> int:
        win, tie, _ = self.grid.sum(axis=1).tolist()
        return int(4 * win + 2 * tie)


def brute_entry(row: int, column: int, ranks: int = 13) -> BruteEntry:
    """Every board against every disjoint hand of the column's class."""
    hand, others = hands_against(row, column)
    grid = np.zeros((3, 4), dtype=np.int64)
    free = combo_masks(5) & np.uint64(FULL_MASK >> 4 * ranks << 4 * ranks | mask_of(hand)) == 0
    hands = np.concatenate([np.array([hand], dtype=np.uint8), others])
    _add_boards(load(), combos(5)[free], hands, grid)
    return BruteEntry(row, column, len(others), grid)


def brute_entries(plan: Plan, count: int, seed: int = 0, jobs: int | None = None) -> Iterator[BruteEntry]:
    """Entries at random, all pairs of classes alike, computed on all cores."""
    pairs = np.random.default_rng(seed).integers(plan.classes, size=(count, 2)).tolist()
    pool = ThreadPoolExecutor(jobs or cores())
    try:
        yield from pool.map(lambda pair: brute_entry(pair[0], pair[1], plan.ranks), pairs)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@jit
def _add_boards(t: Any, boards: Any, hands: Any, grid: Any) -> None:
    """Compare hand 0 with every other hand on every board that misses both."""
    high = np.empty(hands.shape[0], dtype=np.uint16)
    low = np.empty(hands.shape[0], dtype=np.uint8)
    for b in range(boards.shape[0]):
        omaha_on_board(hands, boards[b], t, high, low)
        for h in range(1, hands.shape[0]):
            if high[h]:
                row = 0 if high[0] > high[h] else (1 if high[0] == high[h] else 2)
                if low[0] == low[h]:
                    column = 2 if low[0] else 0
                else:
                    column = 1 if low[0] > low[h] else 3
                grid[row, column] += 1
