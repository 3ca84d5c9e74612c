"""Features and buckets on a CUDA device: the twins of `Features` and `FeatureBuckets.rows`, with the same integers."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from headsup.abstraction.hands.features import Features, RunOutRows, RunOutSums
from headsup.abstraction.hands.kmeans import Finder
from headsup.cards.boards import Boards, BoardTree
from headsup.common.arrays import AnyArray, Floats
from headsup.common.backend import gpu
from headsup.common.progress import Progress, Watch
from headsup.evaluate import tables
from headsup.evaluate.cuda import cuda_module

THREADS = 256
_BOARDS = 1 << 14  # valued in one launch
NEAREST_POINTS = 2  # of a thread that looks for the nearest centre
_POINTS = 1 << 22
_NAMES = ("against_random", "against_weights", "sum_run_outs")
_GATHERS = ("gather1", "gather2", "gather4", "nest1", "nest2", "nest4")


def kernels() -> dict[str, Any]:
    """The compiled kernels of features and tables."""
    compiled = module("features.cu")
    return {name: compiled.get_function(name) for name in (*_NAMES, *_GATHERS)}


def module(name: str, options: tuple[str, ...] = ()) -> Any:
    """A file of kernels, compiled; without fused multiply-adds, so that k-means sorts hands in as the CPU does."""
    return cuda_module(Path(__file__).with_name(name), "--fmad=false", *options)


class GpuFeatures(Features):
    """The features of all hands on the boards of a tree, counted on a CUDA device."""

    threads, block = True, 256  # many threads call the device, and process its results

    def __init__(self, tree: BoardTree) -> None:
        super().__init__(tree)
        self._cp = gpu()
        self._kernels = kernels()
        self._finders: dict[tuple[int, bool], Any] = {}
        known = tables.load()
        self._tables = tuple(self._cp.asarray(table) for table in known[:4])
        self._cards = self._cp.asarray(self.cards)
        self._maps = self._cp.asarray(np.ascontiguousarray(self.maps))

    def strengths_on(self, cards: AnyArray, progress: Watch | None = None) -> AnyArray:
        """uint16[boards, H], as on the CPU."""
        out = np.empty((len(cards), len(self.hands)), dtype=np.uint16)
        for at in range(0, len(cards), _BOARDS):
            some = self._cp.asarray(np.ascontiguousarray(cards[at : at + _BOARDS], dtype=np.uint8))
            out[at : at + _BOARDS] = self._cp.asnumpy(self.strengths_near(some))
            if progress is not None:
                progress(Progress(min(at + _BOARDS, len(cards)), len(cards)))
        return out

    def strengths_near(self, cards: Any) -> Any:
        """The same from boards on the device to strengths on the device."""
        cp, hands = self._cp, len(self.hands)
        out = cp.empty((len(cards), hands), cp.uint16)
        arguments = (cards, np.int32(cards.shape[1]), self._cards, np.int32(hands), *self._tables, out)
        if len(cards):
            self._kernels["against_random"]((len(cards),), (THREADS,), arguments)
        return out

    def against(self, street: int, low: int, high: int, weights: AnyArray) -> Floats:
        """float64[sets, H, K], as on the CPU."""
        cp, hands, lists = self._cp, len(self.hands), weights.shape[1]
        cards, copies, first = (cp.asarray(np.ascontiguousarray(array)) for array in self._complete(street, low, high))
        won, met = cp.zeros((2, high - low, hands, lists))
        given = cp.asarray(np.ascontiguousarray(weights, dtype=np.float64))
        self._kernels["against_weights"](
            (high - low,),
            (THREADS,),
            (
                cards, np.int32(cards.shape[1]), self._cards, np.int32(hands), *self._tables, given, np.int32(lists),
                first, copies, won, met,
            ),
        )  # fmt: skip
        return self._equities(street, low, high, cp.asnumpy(won), cp.asnumpy(met))

    def nearest(self, points: AnyArray, centres: AnyArray, city: bool) -> AnyArray:
        """uint32[n]: the nearest centre of each point."""
        out = np.empty(len(points), np.uint32)
        for at in range(0, len(points), _POINTS):
            out[at : at + _POINTS] = self.finder(points[at : at + _POINTS], city)(centres)[0]
        return out

    def finder(self, points: AnyArray, city: bool) -> Finder:
        """A function that finds the nearest centres of these points, which stay on the device."""
        cp, (n, d) = self._cp, points.shape
        near = cp.asarray(np.ascontiguousarray(points, dtype=np.float32))
        kernel = self._nearest(d, city)

        def find(centres: AnyArray) -> tuple[AnyArray, AnyArray]:
            given = cp.asarray(np.ascontiguousarray(centres, dtype=np.float32))
            bucket, distance = cp.empty(n, cp.uint32), cp.empty(n, cp.float32)
            if n:
                grid = (-(-n // (THREADS * NEAREST_POINTS)),)
                kernel(grid, (THREADS,), (near, given, np.int64(n), np.int32(len(given)), bucket, distance))
            return cp.asnumpy(bucket), cp.asnumpy(distance)

        return find

    def _nearest(self, d: int, city: bool) -> Any:
        """The kernel for points of so many dimensions, which it holds in registers."""
        if (d, city) not in self._finders:
            options = (f"-DDIMENSIONS={d}", f"-DCITY={int(city)}", f"-DPOINTS={NEAREST_POINTS}")
            self._finders[d, city] = module("nearest.cu", options).get_function("nearest_kernel")
        return self._finders[d, city]

    @cached_property
    def _near_strengths(self) -> Any:
        """The table of all strengths on the device."""
        return self._cp.asarray(self.strengths)

    def _summed(
        self, boards: Boards, low: int, high: int, table: AnyArray, run_outs: RunOutRows, bins: int
    ) -> RunOutSums:
        row, renaming, first, copies = run_outs
        cp, hands, n = self._cp, len(self.hands), high - low
        near = self._near_strengths if table is self.strengths else cp.asarray(table)
        sums, histogram = cp.zeros((n, hands, 2), cp.int64), cp.zeros((n, hands, bins), cp.int32)
        self._kernels["sum_run_outs"](
            (n, -(-hands // THREADS)),
            (THREADS,),
            (
                near, cp.asarray(row.astype(np.int64)), cp.asarray(renaming), self._maps, np.int32(hands),
                cp.asarray(first), cp.asarray(copies.astype(np.int32)), cp.asarray(self._bin_of(bins)), np.int32(bins),
                sums, histogram,
            ),
        )  # fmt: skip
        return self._averaged(boards, low, high, cp.asnumpy(sums), cp.asnumpy(histogram))


class DeviceBuckets:
    """The twin of `FeatureBuckets` (`.on_device()`) with its tables on the device; its rows are CuPy arrays."""

    def __init__(self, buckets: Any) -> None:
        self._cp = cp = gpu()
        self.buckets, self.sizes, self.kinds = buckets, buckets.sizes, buckets.kinds
        self._kernels = kernels()
        self._maps = tuple(
            cp.asarray(np.ascontiguousarray(buckets.features.maps[:, buckets.columns[seat]])) for seat in (0, 1)
        )
        self._held: dict[tuple[int, int], Any] = {}
        self._where: dict[int, tuple[Any, Any]] = {}
        self._parents: dict[int, Any] = {}

    def rows(self, seat: int, street: int, low: int, high: int, kind: int = 0) -> Any:
        """[high - low, hands of the seat], on the device, as `Buckets.rows`; uint8, uint16 or uint32."""
        cp, made = self._cp, self.buckets
        if not made.partitions[street]:  # suit classes: few boards, or the CPU numbers them
            return cp.asarray(np.ascontiguousarray(made.rows(seat, street, low, high)))
        maps, n = self._maps[seat], high - low
        columns = maps.shape[1]
        table = self._table(street, kind)
        out = cp.empty((n, columns), table.dtype)
        sets, renaming = self._place(street)
        grid = (-(-n * columns // THREADS),)
        if n:
            self._kernels[f"gather{table.dtype.itemsize}"](
                grid,
                (THREADS,),
                (
                    table,
                    np.int32(table.shape[1]),
                    sets,
                    renaming,
                    maps,
                    np.int32(columns),
                    np.int64(low),
                    np.int64(n),
                    out,
                ),
            )
        if not made.nested or street == 0 or not n:
            return out
        level = made.tree.levels[street]
        if street not in self._parents:
            self._parents[street] = cp.asarray(level.parent)
        first, last = int(level.parent[low]), int(level.parent[high - 1])
        before = cp.ascontiguousarray(self.rows(seat, street - 1, first, last + 1).astype(cp.uint32))
        whole = cp.empty((n, columns), cp.uint32)
        self._kernels[f"nest{table.dtype.itemsize}"](
            grid,
            (THREADS,),
            (
                before, np.int64(first), self._parents[street], out, np.uint32(made.partitions[street][0].size),
                np.int32(columns), np.int64(low), np.int64(n), whole,
            ),
        )  # fmt: skip
        return whole

    def _table(self, street: int, kind: int) -> Any:
        if (street, kind) not in self._held:
            self._held[street, kind] = self._cp.asarray(np.ascontiguousarray(self.buckets.table(street, kind)))
        return self._held[street, kind]

    def _place(self, street: int) -> tuple[Any, Any]:
        if street not in self._where:
            sets, renaming = self.buckets.places(street)
            self._where[street] = self._cp.asarray(sets), self._cp.asarray(renaming)
        return self._where[street]
