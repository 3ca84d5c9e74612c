"""Many rank sets at once on a CUDA device: the GPU twin of `ranksets.Tabulator`.

Rank sets with the same runs of equal ranks (108 kinds) make a batch; the product of weights and features is one batched
float32 product, exact since all sums are integers below 2^24.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from math import comb, prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import card_classes, rank_multiset_index
from headsup.cards.combos import binomials
from headsup.common.backend import gpu
from headsup.equity.holdem.rankboards import CHOOSE
from headsup.equity.omaha.matchups.ranksets import KEPT, Blocks, Tabulator, straight_flush_sets
from headsup.evaluate.cuda import cuda_module

BATCH_BYTES = 8 << 30  # device memory that the arrays of one batch may take
CENSUS_KEYS = np.array(
    [
        ((a * 9 + b) * 9 + c) * 8 + ties
        for a in range(9)
        for b in range(a + 1)
        for c in range(b + 1)
        if 0 <= 8 - a - b - c <= c
        for ties in range(8)
    ]
)
"""The rows of `Tabulator.census` that a deal of eight can reach: its suit sizes, largest first, and which suits tie."""


class GpuTabulator(Tabulator):
    """The tables on the device, and batches of rank sets."""

    def __init__(self, ranks: int = 13, outcomes: bool = False) -> None:
        cp = self._cp = gpu()
        self._module = cuda_module(Path(__file__).with_name("kernels.cu"), f"-DOUTCOMES={int(outcomes)}")
        with ThreadPoolExecutor(1) as pool:
            # the compiler and the libraries of the device get ready while this thread makes the tables
            ready = pool.submit(self._get_ready)
            super().__init__(ranks, outcomes)
        ready.result()
        known, classes = self._known, card_classes(4)
        starts, sets = straight_flush_sets(ranks)
        tables = {
            "high": self._high,
            "low": self._low,
            "rank_boards": known.rank_boards,
            "suited": known.suited,
            "together": known.together,
            "flush": known.flush,
            "pairs": self._lookups.pairs,
            "choose": CHOOSE.astype(np.int32),
            "sf_from": starts.astype(np.int32),
            "sf_sets": sets,
            "splits": self._splits.astype(np.int32),
            "split_index": self._split_index.astype(np.int32),
            "of_combo": classes.of_combo,
            "binomial": binomials().astype(np.int32),
            "first_class": classes.starts.astype(np.int32),
            "census_slot": np.searchsorted(CENSUS_KEYS, np.arange(len(self.census))).astype(np.int32),
            "n_classes": self._class_count.astype(np.int32),
        }
        self._device = {name: cp.asarray(np.ascontiguousarray(table)) for name, table in tables.items()}
        self._counts = np.zeros((len(CENSUS_KEYS), 2), dtype=np.int64)
        self.kernel_seconds = 0.0

    def _get_ready(self) -> None:
        """Load the library for products of matrices, and compile the kernels."""
        tiny = self._cp.zeros((1, 2, 2), dtype=self._cp.float32)
        self._products(tiny, tiny)
        self._module.get_function("deals")

    def _products(self, rows: Any, dense: Any) -> Any:
        """rows[r] @ dense[r].T for each rank set r, without the transposed copy that `cupy.matmul` makes."""
        cp = self._cp
        (size, n, k), m = rows.shape, dense.shape[1]
        out = cp.empty((size, n, m), dtype=cp.float32)
        unit, zero = np.ones(1, dtype=np.float32), np.zeros(1, dtype=np.float32)
        # cuBLAS counts by columns: what lies in memory row by row is the transpose
        cp.cuda.cublas.sgemmStridedBatched(
            cp.cuda.get_cublas_handle(), cp.cuda.cublas.CUBLAS_OP_T, cp.cuda.cublas.CUBLAS_OP_N, m, n, k,
            unit.ctypes.data, dense.data.ptr, k, m * k, rows.data.ptr, k, n * k,
            zero.ctypes.data, out.data.ptr, m, n * m, size,
        )  # fmt: skip
        return out

    def blocks_many(self, rank_sets: npt.NDArray[np.uint8]) -> Iterator[Blocks]:
        """The blocks of each rank set, in the order given; what is counted grows as they are handed out."""
        steps = (np.diff(rank_sets.astype(np.int64), axis=1) != 0) @ (1 << np.arange(7))  # where ranks change: the runs
        done: dict[int, tuple[Blocks, npt.NDArray[np.int32]]] = {}
        for step in np.unique(steps):
            members = np.flatnonzero(steps == step)
            run = _runs(rank_sets[members[0]].tolist())
            size = max(1, BATCH_BYTES // self._bytes_each(run))
            for start in range(0, len(members), size):
                some = members[start : start + size]
                done.update(zip(some.tolist(), self._batch(rank_sets[some].astype(np.int64), run), strict=True))
        for i in range(len(rank_sets)):
            blocks, census = done.pop(i)
            self._counts += census
            yield blocks

    def counted(self) -> npt.NDArray[np.int64]:
        """Classes and deals so far, as `Tabulator.counted`."""
        self.census[CENSUS_KEYS] = self._counts
        return super().counted()

    def blocks(self, rank_set: npt.NDArray[np.uint8]) -> Blocks:
        """The blocks of one rank set, as `Tabulator.blocks`."""
        return next(iter(self.blocks_many(rank_set[None, :])))

    def _bytes_each(self, run: tuple[int, ...]) -> int:
        """An upper bound of the device memory that one rank set takes."""
        boards, n_sets, n = 6188, 1 << len(run), min(35, prod(count + 1 for count in run))
        return boards * (4 * n_sets + n * (4 * self._kinds + self._groups + 1) + 8) + 256 * 35 * 64 + (1 << 20)

    def _batch(
        self, ranks: npt.NDArray[np.int64], run: tuple[int, ...]
    ) -> Iterator[tuple[Blocks, npt.NDArray[np.int32]]]:
        cp, on, size = self._cp, self._device, len(ranks)
        counts = np.zeros((size, 13), dtype=np.int64)
        np.add.at(counts, (np.arange(size)[:, None], ranks), 1)
        hands = np.zeros((size, 256), dtype=np.int64)
        hands[:, self._hand_masks] = rank_multiset_index(ranks[:, self._hand_places])
        _, part_of, turned = self._parts(hands[0])
        split = self._splits[np.unique(part_of, return_index=True)[1]]
        parts = np.sort(np.stack([hands[:, split], hands[:, 255 ^ split]], axis=2), axis=2)
        _, places, _ = self._suit_sets(ranks[0], counts[0])
        sets = (1 << ranks) @ (places >> np.arange(8)[:, None] & 1)
        others = 3 - counts[:, None, :] + (sets[:, :, None] >> np.arange(13) & 1)
        others[:, :, self.ranks :] = 0
        n, n_sets = parts.shape[1], sets.shape[1]

        def up(array: npt.NDArray[Any], dtype: Any = np.int32) -> Any:
            return cp.asarray(np.ascontiguousarray(array, dtype=dtype))

        left = np.where(np.arange(13) < self.ranks, 4 - counts, 0)
        d_ranks, d_parts, d_sets, d_places, d_others = up(ranks), up(parts), up(sets), up(places), up(others)
        d_part_of, d_turned, d_hands, d_left = up(part_of), up(turned, np.uint8), up(hands), up(left)
        shape = self._class_count[parts[0]]
        starts = np.concatenate([[0], np.cumsum(shape[:, 0] * shape[:, 1])])
        cells = int(starts[-1])
        lowest = np.searchsorted(ranks[0], ranks[0])
        set_at, large = self._set_at(places, lowest), np.flatnonzero(np.bitwise_count(sets[0]) >= 4)
        d_lowest, d_set_at, d_large = up(lowest), up(set_at), up(large)
        d_starts, d_run = up(starts), up(np.array(run))
        # The device's arrays; sums start at zero, everything else is written whole.
        weights = cp.empty((size, 6188), dtype=cp.int32)
        codes = cp.empty((size, n, 6188), dtype=cp.uint8)
        dense = cp.empty((size, self._kinds * n, 6188), dtype=cp.float32)
        lanes = cp.empty((size, 6188, self._groups * n), dtype=cp.uint8)
        base = cp.empty((size, n, 2 * self._groups + 4), dtype=cp.int64)
        rows = cp.empty((size, n_sets, 6188), dtype=cp.float32)
        won = cp.zeros((size, n_sets, self._groups, 35), dtype=cp.int32)
        cell_kinds = 2 * self._groups if self.outcomes else self._groups
        change = cp.empty((size, n_sets, 35, cell_kinds), dtype=cp.int32)
        by_places = cp.empty((size, 256, 35, cell_kinds), dtype=cp.int32)
        sums = cp.zeros((size, len(KEPT[self.outcomes]), cells), dtype=cp.int64)
        number = cp.zeros((size, cells), dtype=cp.int64)
        census = cp.zeros((size, len(CENSUS_KEYS), 2), dtype=cp.int32)
        boards = cp.zeros(size, dtype=cp.int64)
        # as they are stored: a quarter of the bytes to bring over
        d_kept = cp.empty(sums.shape, dtype=cp.uint32)
        d_met = cp.empty(number.shape, dtype=cp.uint8)
        faults = cp.zeros(1, dtype=cp.int32)
        begin, end = cp.cuda.Event(), cp.cuda.Event()
        begin.record()
        self._run("board_weights", (25, size), 256, on["rank_boards"], on["choose"], d_left, weights)
        self._run("count_boards", (1, size), 256, weights, boards)
        self._run("features", (n, size), 256, on["high"], on["low"], d_parts, weights, n, codes, dense, lanes, base)
        deck = int(self.deck)
        self._run(
            "suit_weights", (n_sets, size), 256, on["suited"], on["together"], d_sets, d_others, deck, on["pairs"],
            n_sets, rows,
        )  # fmt: skip
        products = self._products(rows, dense)
        if len(large):
            self._run(
                "contested", (len(large), size), 128, on["suited"], on["together"], on["flush"], d_ranks, on["splits"],
                d_sets, d_places, d_others, deck, on["pairs"], d_part_of, n, lanes, n_sets, d_large, won,
            )  # fmt: skip
        self._run(
            "corrections", (n_sets, size), 64, on["together"], on["flush"], on["sf_from"], on["sf_sets"], on["pairs"],
            d_ranks, on["splits"], d_part_of, d_turned, n, d_sets, d_places, d_others, codes, products, won,
            n_sets, change,
        )  # fmt: skip
        self._run(
            "spread", (256, size), 64, d_lowest, on["splits"], on["split_index"], d_set_at, change, n_sets, by_places
        )
        ways = prod(comb(4, count) for count in run)
        self._run(
            "deals", (-(-ways // 128), size), 128, d_ranks, on["splits"], d_hands, on["of_combo"], on["binomial"],
            on["first_class"], on["n_classes"], base, by_places, d_part_of, d_turned, d_starts, n, d_run, len(run),
            ways, cells, sums, number, census, on["census_slot"], len(CENSUS_KEYS),
        )  # fmt: skip
        d_sizes = up(self._row_sizes(parts[0]), np.int64)
        self._run("keep", (-(-cells // 256), size), 256, sums, number, d_sizes, cells, d_kept, d_met, faults)
        end.record()
        end.synchronize()
        self.kernel_seconds += cp.cuda.get_elapsed_time(begin, end) / 1e3
        if not (cp.asnumpy(boards) == self.boards).all():
            raise AssertionError("the weights of a rank set's boards do not add up")
        self._check_weights(sets[0], cp.asnumpy(rows[0]))
        if int(cp.asnumpy(faults)[0]):
            raise AssertionError("the results of a class of hands are not the same for all of its hands")
        kept, met, counted = cp.asnumpy(d_kept), cp.asnumpy(d_met), cp.asnumpy(census)
        return ((Blocks(parts[i], starts, kept[i], met[i]), counted[i]) for i in range(size))

    def _set_at(self, places: npt.NDArray[np.int64], lowest: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """For each set of positions with different ranks, the suit set with these ranks; else -1."""
        index = {place: i for i, place in enumerate(places.tolist())}
        at = np.full(256, -1, dtype=np.int64)
        for mask in range(256):
            moved = [int(lowest[i]) for i in range(8) if mask >> i & 1]
            if len(set(moved)) == len(moved):
                at[mask] = index.get(sum(1 << i for i in moved), -1)
        return at

    def _run(self, name: str, grid: tuple[int, int], threads: int, *arguments: Any) -> None:
        """Launch a kernel over (blocks, rank sets); plain ints go over as 32-bit ones."""
        typed = tuple(np.int32(argument) if isinstance(argument, int) else argument for argument in arguments)
        self._module.get_function(name)(grid, (threads,), typed)


def _runs(ranks: list[int]) -> tuple[int, ...]:
    """How often each rank repeats, lowest first."""
    return tuple(ranks.count(rank) for rank in sorted(set(ranks)))
