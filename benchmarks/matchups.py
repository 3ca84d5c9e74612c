"""The Omaha matchup table: eval8 against brute force, and what the whole table costs.

Times are of one core (`process_time`), so that other programs on the machine change them little. A rank set's cost
depends on how it repeats its ranks (108 ways), so a stratified sample gives the whole: one rank set for each way, or
for each number of different ranks with `--quick`. Operations of a rank set, counted, not estimated:

- board evaluations: a pair of rank hands on a rank board, as if no flush existed;
- multiply-adds of the product of suit weights and board features (float32, exact: sums stay below 2^24);
- deals: eight-card classes, each added to 35 cells.

The peak is what a large float32 product of NumPy reaches on one core here.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded: one core

import time
from collections.abc import Callable
from math import comb
from typing import Any

import numpy as np

from headsup.cards import parse_cards
from headsup.cards.deals import DEAL_CLASSES
from headsup.common.backend import gpu_present
from headsup.equity.omaha.eval8 import SPLITS, eval8, matchup_grid
from headsup.equity.omaha.matchups import verify
from headsup.equity.omaha.matchups.ranksets import Tabulator, rank_sets

THESIS_EVAL8 = 15 / 500
"""Seconds for one eval8 on a g2.2xlarge's GPU (ho-2015, section 3.3)."""
THESIS_TABLE = 12 * 86_400
"""Seconds for the whole table on rented GPUs (ho-2015)."""


def seconds(work: Callable[[], Any], times: int) -> float:
    """The best of some runs, after one that compiles."""
    work()
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def run(quick: bool) -> None:
    """Print the figures."""
    bench_eval8(quick)
    bench_table(quick)
    if gpu_present():
        bench_gpu(quick)


def bench_eval8(quick: bool) -> None:
    """One matchup and 35 splits, against a compiled sweep over every board."""
    a, b = parse_cards("AsAdQsJd"), parse_cards("5h4s3c2h")
    matchup_time = seconds(lambda: matchup_grid(a, b), 20)
    splits_time = seconds(lambda: eval8(a + b), 10)
    matchup_sweep = sweep_seconds(sorted(a + b), 2, quick)
    splits_sweep = sweep_seconds(sorted(a + b), 70, quick)
    print("eval8: AsAdQsJd v 5h4s3c2h, 1,086,008 boards, one core")
    for name, ours, sweep in (("one matchup", matchup_time, matchup_sweep), ("35 splits", splits_time, splits_sweep)):
        print(f"  {name:12} {1e3 * ours:9.3f} ms   compiled sweep {1e3 * sweep:9.1f} ms   ratio {sweep / ours:8.0f}")
    print(f"  the thesis, on a GPU: 500 in 15 s = 30 ms each; ratio {THESIS_EVAL8 / splits_time:.1f}")


def sweep_seconds(cards: list[int], hands: int, quick: bool) -> float:
    """A compiled sweep over all boards that values so many hands of four of the eight cards on each.

    With `quick` over the boards of 34 of the 44 cards, scaled up.
    """
    deck = np.array([card for card in range(52) if card not in cards], dtype=np.int64)[: 34 if quick else 44]
    masks = [*SPLITS, *(255 ^ mask for mask in SPLITS)][:: 35 if hands == 2 else 1]
    held = np.array([[card for i, card in enumerate(cards) if mask >> i & 1] for mask in masks], dtype=np.int64)
    grid = np.zeros((3, 4), dtype=np.int64)
    taken = seconds(lambda: verify._entry(deck, held[0], held[1:], *verify._tables(), grid), 1)
    return taken * comb(44, 5) / comb(len(deck), 5)


def bench_table(quick: bool) -> None:
    """What all 120,055 rank sets cost on one core, from a sample of every kind of them."""
    tabulator, sets = Tabulator(), rank_sets()
    same = (np.diff(sets.astype(np.int64), axis=1) == 0) @ (1 << np.arange(7))
    kind = np.bitwise_count(same) if quick else same
    tabulator.blocks(sets[0])
    total = evaluations = products = 0.0
    for pattern in np.unique(kind).tolist():
        members = np.flatnonzero(kind == pattern)
        chosen = sets[members[len(members) // 2]]
        total += len(members) * seconds(lambda ranks=chosen: tabulator.blocks(ranks), 3)  # type: ignore[misc]
        boards, adds = operations(tabulator, chosen)
        evaluations += len(members) * boards
        products += len(members) * adds
    peak = peak_rate()
    print(f"matchup table: {len(sets):,} rank sets, one core")
    print(f"  all rank sets        {total:10,.0f} core-seconds   {len(sets) / total:,.0f} rank sets/s")
    print(f"  board evaluations    {evaluations:10.3g}   {evaluations / total:.3g}/s   (the thesis: 5.0e12 in all)")
    rate = products / total
    print(f"  multiply-adds        {products:10.3g}   {rate:.3g}/s   peak {peak:.3g}/s   share {rate / peak:.0%}")
    print(f"  eight-card classes   {DEAL_CLASSES:10,}   {DEAL_CLASSES / total:,.0f}/s, each into 35 cells")
    print(f"  the thesis: 12 days of rented GPUs; ratio to one core here {THESIS_TABLE / total:,.0f}")


def bench_gpu(quick: bool) -> None:
    """Every rank set (every sixteenth with `quick`) on the CUDA device: time of its kernels, and of all of it."""
    from headsup.equity.omaha.matchups.gpu import GpuTabulator

    tabulator, sets = GpuTabulator(), rank_sets()[:: 16 if quick else 1]
    for _ in tabulator.blocks_many(sets[:: len(sets) // 64]):  # compiles
        pass
    tabulator.kernel_seconds = 0.0
    start = time.perf_counter()
    for first in range(0, len(sets), 8192):
        for _ in tabulator.blocks_many(sets[first : first + 8192]):
            pass
    taken = time.perf_counter() - start
    adds = sum(operations(tabulator, ranks)[1] for ranks in sets[::499]) * 499
    print(f"matchup table on the GPU: {len(sets):,} rank sets")
    print(f"  kernels {tabulator.kernel_seconds:.2f} s   with transfers and Python {taken:.1f} s")
    print(f"  multiply-adds of the product {adds / tabulator.kernel_seconds:.3g}/s over the time of all kernels")


def operations(tabulator: Tabulator, ranks: np.ndarray) -> tuple[int, int]:
    """(board evaluations, multiply-adds of the product) of one rank set."""
    eight = ranks.astype(np.int64)
    hands = np.zeros(256, dtype=np.int64)
    from headsup.cards.classes import rank_multiset_index

    hands[tabulator._hand_masks] = rank_multiset_index(eight[tabulator._hand_places])
    parts = len(tabulator._parts(hands)[0])
    suits = len(tabulator._suit_sets(eight, np.bincount(eight, minlength=13))[0])
    boards = 6188
    return parts * boards, suits * boards * tabulator._kinds * parts


def peak_rate() -> float:
    """Multiply-adds a second of a large float32 product."""
    n = 1024
    a, b = np.ones((n, n), dtype=np.float32), np.ones((n, n), dtype=np.float32)
    return n**3 / seconds(lambda: a @ b, 5)
