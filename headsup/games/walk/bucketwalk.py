"""Walks of strategies that lie by bucket: the walk of `headsup.games.walk.walk`, on a piece of the boards at a time.

What the buckets play is looked up for every hand of some boards (`gather`); the walk's stores begin at 0, so they end
with gains and frequencies by hand; both are added to the buckets' sums (`scatter`), a board as often as the boards it
stands for, a hand's gains by its weight. Sums are taken in the order of the boards, so results are bit-identical for
any number of threads and size of a piece.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import UserError
from headsup.games.holdem.boardlist import board_counts
from headsup.games.holdem.bucketed import BucketLayout, Buckets, bucket_layout
from headsup.games.holdem.layout import CLOSE, OPEN, SHARE, Rule, Store, workspace_bytes
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.bucket_kernels import StreetBuckets, gather, scatter
from headsup.games.walk.plain import PlainWalker
from headsup.games.walk.walk import BEST, LEARN, MIX, Policy, Walker, takes_kernels

PIECE_BYTES = 1 << 28
"""Bytes of the numbers by hand of one piece, unless a single board below the root and all under it take more."""
KEPT = 1 << 28  # bytes of buckets that are kept from one walk to the next; others are asked for again
MOST = 1 << 33  # bytes of the largest piece that makes sense


class BucketSums(NamedTuple):
    """What a walk adds to a seat's numbers by bucket."""

    gain: AnyArray  # what each action earns more than the strategy, by the opponent's reach
    played: AnyArray  # the seat's own reach of each action, by the weight of the walk


@dataclass(frozen=True)
class _Piece:
    """Some of the boards right below the root, with all boards under them; or the root itself."""

    boards: tuple[tuple[int, int], ...]  # the first board and the one after the last, for each street
    at: tuple[AnyArray, AnyArray]  # for each seat, where a board of number 0 would begin on each street
    ends: tuple[int, int]  # where each seat's numbers end

    @property
    def streets(self) -> list[int]:
        """Those on which it has boards."""
        return [s for s, (low, high) in enumerate(self.boards) if high > low]


class BucketWalker:
    """Workspace and threads to walk a game with strategies by bucket."""

    def __init__(self, game: VectorGame, buckets: Buckets, dtype: Any = np.float64, threads: int = 1) -> None:
        self.game, self.dtype = game, np.dtype(dtype)
        compiled = takes_kernels(game)
        self._walker: Walker | None = Walker(game, dtype, threads, in_stages=True) if compiled else None
        self._plain = None if compiled else PlainWalker(game)
        self.threads = self._walker.threads if self._walker else 1
        self.layouts = tuple(bucket_layout(game, buckets, seat) for seat in (0, 1))
        self.deal(game, buckets)

    def deal(self, game: VectorGame, buckets: Buckets) -> None:
        """Continue with as many other boards of the same betting and hands."""
        self.game, self.buckets = game, buckets
        if self._walker is not None:
            self._walker.game, self._walker.hands = game, game.showdown.arrays  # type: ignore[attr-defined]
        else:
            self._plain = PlainWalker(game)
        self._kept: dict[tuple[int, int, int], AnyArray] = {}
        self._left = KEPT
        self._counts = [board_counts(game.boards, s) for s in range(game.streets)]
        self._root = self._piece([(0, 1)] + [(0, 0)] * (game.streets - 1), (0, 0))
        self._pieces = list(self._cut())
        ends = [max(piece.ends[p] for piece in (self._root, *self._pieces)) for p in (0, 1)]
        size = (sum(ends) + 2 * max(ends)) * self.dtype.itemsize
        if size > MOST:
            raise UserError(
                f"one board below the root of {game} takes {size / 1e9:,.0f} GB with all boards under it: sample "
                "boards, or take fewer cards or bet sizes"
            )
        if [len(array) for array in getattr(self, "_source", ())] != ends:
            self._source = np.zeros(ends[0], self.dtype), np.zeros(ends[1], self.dtype)
            self._learnt = np.zeros(max(ends), self.dtype), np.zeros(max(ends), self.dtype)

    def _piece(self, boards: list[tuple[int, int]], begin: tuple[int, int]) -> _Piece:
        at, ends = [], []
        for p in (0, 1):
            cells = self.game.rounds.rows[p] * self.game.showdown.sizes[p]
            low, high = np.array(boards).T
            size = (high - low) * cells
            first = begin[p] + np.cumsum(size) - size
            ends.append(begin[p] + int(size.sum()))
            at.append((first - low * cells).astype(np.int64))
        return _Piece(tuple(boards), (at[0], at[1]), (ends[0], ends[1]))

    def _cut(self) -> Iterator[_Piece]:
        """The boards below the root in pieces that fit the workspace."""
        game, levels = self.game, self.game.boards.levels
        tasks = len(levels[1]) if game.streets > 1 and game.rounds.deals[1] else 0
        if not tasks:
            return
        begin = [np.arange(tasks + 1)]  # for each street, where the boards of each task begin
        for s in range(1, game.streets - 1):
            begin.append(np.asarray(levels[s].child)[begin[-1]])
        cells = [sum(2 * int(game.rounds.rows[p, s]) * game.showdown.sizes[p] for p in (0, 1)) for s in range(1, len(begin) + 1)]  # noqa: E501  # fmt: skip
        size = sum(np.diff(starts) * n * self.dtype.itemsize for starts, n in zip(begin, cells, strict=True))
        low, least = 0, tasks if self._walker is None else self.threads
        while low < tasks:
            workspace = int(np.searchsorted(np.cumsum(size[low:]), PIECE_BYTES, side="right"))
            high = min(low + max(least, workspace), tasks)
            yield self._piece([(0, 0)] + [(int(starts[low]), int(starts[high])) for starts in begin], self._root.ends)
            low = high

    def best_values(self, numbers: Policy) -> tuple[float, float]:
        """What a best response of each seat, free of all buckets, earns against the opponent's numbers."""
        return self._earned(numbers, BEST)

    def values(self, numbers: Policy) -> tuple[float, float]:
        """What each seat earns when both play in proportion to what is positive in their numbers."""
        return self._earned(numbers, MIX)

    def _earned(self, numbers: Policy, mode: int) -> tuple[float, float]:
        a, b = (float(self.game.weights[p] @ self.walk(p, mode, numbers)) for p in (0, 1))
        return a, b

    def walk(
        self, seat: int, mode: int, numbers: Policy, weight: float = 0.0, sums: BucketSums | None = None
    ) -> Floats:
        """One pass for a seat: the values of its hands at the root; with LEARN, `sums` is added to.

        `weight` is what the pass counts in `sums.played`.
        """
        given = numbers[0].astype(self.dtype, copy=False), numbers[1].astype(self.dtype, copy=False)
        rule, mine = Rule(1.0, 1.0, weight, False, False), sums if mode == LEARN else None
        if self._walker is None:
            return self._walk_plainly(seat, mode, given, rule, mine)
        walker = self._walker
        self._fill(self._root, given)
        walker.stage(OPEN, seat, mode, self._source, self._stores(self._root, seat, mine), rule)
        for piece in self._pieces:
            self._fill(piece, given)
            stores = self._stores(piece, seat, mine, self._root.ends[seat])
            walker.stage(SHARE, seat, mode, self._source, stores, rule, piece.boards[1])
            self._learn(piece, seat, mine)
        walker.stage(CLOSE, seat, mode, self._source, self._stores(self._root, seat, mine, self._root.ends[seat]), rule)
        self._learn(self._root, seat, mine)
        return walker.root_values(seat)

    def _walk_plainly(self, seat: int, mode: int, numbers: Policy, rule: Rule, sums: BucketSums | None) -> Floats:
        """All boards at once: games that are walked in NumPy are small."""
        assert self._plain is not None
        pieces = [self._root, *self._pieces]
        for piece in pieces:
            self._fill(piece, numbers)
        stores = self._stores(pieces[-1], seat, sums)
        values = self._plain.walk(seat, mode, self._source, stores, rule)
        for piece in pieces:
            self._learn(piece, seat, sums)
        return values

    def _stores(self, piece: _Piece, seat: int, sums: BucketSums | None, begin: int = 0) -> tuple[Store, Store]:
        """Stores for a piece, which begin at 0; those before `begin` are left as they are."""
        none, source = np.zeros(0, np.float32), self._source
        stores = [Store(source[p], source[p], source[p][:0], none, none, piece.at[p], piece.at[p]) for p in (0, 1)]
        if sums is not None:
            ends = self._source[seat].size
            for array in self._learnt:
                array[begin : piece.ends[seat]] = 0.0
            stores[seat] = stores[seat]._replace(regret=self._learnt[0][:ends], cumulative=self._learnt[1][:ends])
        return stores[0], stores[1]

    def _fill(self, piece: _Piece, numbers: Policy) -> None:
        for p in (0, 1):
            for s in piece.streets:
                out = self._part(self._source[p], piece, p, s)
                self.share_out(gather, len(out), numbers[p], self._street(p, s, piece), out)

    def _learn(self, piece: _Piece, seat: int, sums: BucketSums | None) -> None:
        if sums is None:
            return
        weights = np.asarray(self.game.weights[seat], dtype=self.dtype)
        for s in piece.streets:
            buckets = self._street(seat, s, piece)
            counts = self._counts[s][slice(*piece.boards[s])].astype(self.dtype)
            for out, learnt, hands in zip(sums, self._learnt, (weights, np.ones_like(weights)), strict=True):
                values = self._part(learnt, piece, seat, s)
                self.share_out(scatter, values.shape[1], out, buckets, values, counts, hands)

    def share_out(self, kernel: Any, n: int, *arguments: Any) -> None:
        """A kernel on 0 .. n - 1, a part for each thread."""
        cuts = [n * t // self.threads for t in range(self.threads + 1)]
        if self._walker is None:
            kernel(*arguments, 0, n)
        else:
            self._walker.share_out(lambda t: kernel(*arguments, cuts[t], cuts[t + 1]))

    def _street(self, p: int, s: int, piece: _Piece) -> StreetBuckets:
        layout: BucketLayout = self.layouts[p]
        low, high = int(layout.row_at[s]), int(layout.row_at[s + 1])
        return StreetBuckets(layout.first[low : high + 1], layout.kind[low:high], self._table(p, s, *piece.boards[s]))

    def _part(self, flat: AnyArray, piece: _Piece, p: int, s: int) -> AnyArray:
        """[boards, rows, hands] of a street of a piece."""
        rows, hands, (low, high) = int(self.game.rounds.rows[p, s]), self.game.showdown.sizes[p], piece.boards[s]
        begin = int(piece.at[p][s]) + low * rows * hands
        return flat[begin : begin + (high - low) * rows * hands].reshape(high - low, rows, hands)

    def _table(self, p: int, s: int, low: int, high: int) -> AnyArray:
        """uint32[partitions, boards, hands]: the buckets of some boards."""
        key = (p, s, low)
        if key in self._kept:
            return self._kept[key]
        sizes = self.buckets.sizes[s]
        wanted = high - low, self.game.showdown.sizes[p]
        partitions = [self.buckets.rows(p, s, low, high, kind) for kind in range(len(sizes))]
        for rows, size in zip(partitions, sizes, strict=True):
            if rows.shape != wanted or (rows.size and int(rows.max()) >= size):
                raise UserError(f"buckets of street {s} must be {list(wanted)} numbers below {size}")
        table = np.stack([np.asarray(rows, dtype=np.uint32) for rows in partitions])
        if table.nbytes <= self._left:
            self._left -= table.nbytes
            self._kept[key] = table
        return table


def bucket_walk_bytes(game: VectorGame, dtype: Any, threads: int) -> int:
    """About what a `BucketWalker` takes beside the numbers by bucket, before it is made."""
    workspaces = threads * workspace_bytes(game.rounds, game.showdown.sizes, dtype)
    cells = [2 * int(rows) * n for p, n in enumerate(game.showdown.sizes) for rows in game.rounds.rows[p]]
    boards = np.tile(np.array(game.boards.sizes(), dtype=object), 2)
    return int(workspaces + min(PIECE_BYTES, int(boards @ np.array(cells, dtype=object)) * np.dtype(dtype).itemsize))
