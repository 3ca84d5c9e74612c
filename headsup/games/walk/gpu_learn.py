"""Learning by bucket on a CUDA device, on boards that were drawn: gains of all hands of a bucket, settled once a walk.

The GPU twin of a sampled walk of `headsup.games.walk.bucketwalk`, and of the same against an opponent who replies best
on the last street, whose reply is found and answered board by board.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from headsup.common.arrays import AnyArray
from headsup.games.holdem.bucketed import Buckets
from headsup.games.holdem.layout import BEST, LEARN, Rule
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.gpu_buckets import PLAIN, DeviceBoards, GpuBucketWalker, Standing

LISTS = 512
"""Where a street has fewer buckets, their hands lie in several lists each, about so many in all: a warp adds up a list,
and few long ones would leave the device idle."""


class Drawn(NamedTuple):
    """Drawn boards of a street, how hands stand on them, and the hands of each bucket."""

    level: DeviceBoards
    standing: Standing
    members: tuple[Any, Any]


class Sample(NamedTuple):
    """Drawn boards, street by street."""

    drawn: list[Drawn]
    scales: list[float]  # how many boards each of them stands for


class GpuBucketLearner(GpuBucketWalker):
    """A game and its buckets on the device, with tables of the buckets of all boards."""

    def __init__(self, game: VectorGame, buckets: Buckets, dtype: Any = np.float32) -> None:
        super().__init__(game, buckets, dtype)
        self._tables_of: dict[int, Any] = {}
        self._gains: dict[tuple[int, int], list[Any]] = {}
        """By seat and street, shape by shape: what hands gained and is not settled yet."""
        self._root: Drawn | None = None  # before the first deal there is one board

    def compile_learning(self, against_best: bool) -> None:
        """Compile what `learn`, or `learn_against_best`, needs, and no more: with many shapes it takes a minute."""
        last = [(BEST, False), (LEARN, True)] if against_best else [(LEARN, False)]
        self._compile_all([[(LEARN, False)]] * (self.game.streets - 1) + [last])

    def sample(self, numbers: Sequence[AnyArray], factors: AnyArray) -> Sample:
        """Boards that were drawn, by their numbers, street by street (`headsup.games.holdem.sampled.BoardSampler`): as
        many below each board of the street before, and together.
        """
        if self._root is None:
            self._root = self._drawn(0, numbers[0], 1)
        drawn = [self._root, *(self._drawn(s, numbers[s], len(numbers[s - 1])) for s in range(1, len(numbers)))]
        return Sample(drawn, [float(factor) for factor in factors])

    def _drawn(self, s: int, drawn: AnyArray, above: int) -> Drawn:
        """Some boards of a street, below so many."""
        cp, boards = self._cp, cast(Any, self.game.boards.levels[s])
        level = DeviceBoards(
            len(drawn),
            cp.asarray(boards.cards[drawn]),
            cp.asarray(boards.masks[drawn]),
            cp.asarray(np.repeat(np.arange(above, dtype=np.int32), len(drawn) // above)),
            cp.asarray(drawn.astype(np.int32)),
            self.table(s),
        )
        standing = self.standing(s, level)
        return Drawn(level, standing, self._members(s, level, standing))

    def table(self, s: int) -> Any:
        """The buckets of a street's boards, all of them, on the device."""
        if s not in self._tables_of:
            size, step = self.game.boards.sizes()[s], 1 << 14
            first = self._cp.asarray(self.buckets.rows(0, s, 0, 1))
            out = self._cp.empty((size, self.hands), first.dtype)
            for low in range(0, size, step):
                high = min(size, low + step)
                out[low:high] = self._cp.asarray(self.buckets.rows(0, s, low, high))
            self._tables_of[s] = out
        return self._tables_of[s]

    def _members(self, s: int, level: DeviceBoards, standing: Standing) -> tuple[Any, Any]:
        """The hands of each bucket, board by board and by place; where each list of them begins.

        A bucket has one list, or several, one after another, of which each has some of the boards.
        """
        cp, cells = self._cp, level.boards * self.hands
        lists = max(1, min(level.boards, LISTS // self.streets[s].width))
        width = self.streets[s].width * lists
        of_hand = level.buckets[level.number]
        of_place = cp.take_along_axis(of_hand, standing.order.astype(cp.int64), axis=1).astype(cp.int64)
        of_place = of_place * lists + cp.arange(level.boards)[:, None] % lists
        dead = cp.arange(self.hands)[None, :] >= standing.alive[:, None]
        keys = (cp.where(dead, width, of_place) * cells).ravel() + cp.arange(cells)
        keys = cp.sort(keys)
        first = cp.searchsorted(keys, cp.arange(width + 1) * cells)
        return (keys % cells).astype(cp.int32), first.astype(cp.int32)

    def learn(self, seat: int, sample: Sample, policy: Any, stores: Any, rule: Rule, begin: int = 0) -> None:
        """One walk of a seat over drawn boards: its regrets, averages and what it plays next.

        `stores[street][shape]` is the seat's (regrets, average's sums), [entries, rows, buckets]. Streets before
        `begin` do not learn.
        """
        come = self._come(sample, policy)
        below: Any = {seat: self._nothing(sample)}
        for s in range(self.game.streets - 1, begin - 1, -1):
            values = self._gained(seat, s, sample, come, below, policy)
            self._settle(seat, s, sample, policy, stores, rule)
            below = {seat: self._above(sample, s, values)}

    def learn_against_best(
        self, seat: int, sample: Sample, policy: Any, stores: Any, theirs: Any, rule: Rule, begin: int = 0
    ) -> None:
        """The same against an opponent who replies best on the last street, and learns on all those before it.

        `policy` has the opponent's part on those streets, and `theirs` what it has learnt there, as `stores`.
        """
        cp, last, other = self._cp, self.game.streets - 1, 1 - seat
        come = self._come(sample, policy)
        nothing = self._nothing(sample)
        level, below = sample.drawn[last].level, {seat: nothing, other: nothing}
        codes = [
            cp.empty((level.boards, len(shape.entry), self.hands), f"u{shape.code_bytes}")
            for shape in self.streets[last].shapes
        ]
        replied = self._up(
            last,
            level,
            come[last],
            below,
            policy,
            BEST,
            (other,),
            sample.drawn[last].standing,
            None,
            sample.scales[last],
            codes,
        )[other]
        values = self._gained(seat, last, sample, come, below, policy, codes)
        self._settle(seat, last, sample, policy, stores, rule)
        below = {seat: self._above(sample, last, values), other: self._above(sample, last, replied)}
        for s in range(last - 1, -1, -1):
            replied = self._gained(other, s, sample, come, below, policy)
            if s >= begin:
                values = self._gained(seat, s, sample, come, below, policy)
                self._settle(seat, s, sample, policy, stores, rule)
                below[seat] = self._above(sample, s, values)
            self._settle(other, s, sample, policy, theirs, rule)
            below[other] = self._above(sample, s, replied)

    def _come(self, sample: Sample, policy: Any) -> list[Any]:
        """Both players' reach at the entries of every street."""
        come = [list(self._weights)]
        for s in range(self.game.streets - 1):
            come.append(self._reach(s, sample.drawn[s].level, come[s], policy))
        return come

    def _nothing(self, sample: Sample) -> Any:
        return self._cp.zeros((sample.drawn[-1].level.boards, 1, self.hands), self.dtype)

    @staticmethod
    def _above(sample: Sample, s: int, values: Any) -> Any:
        """Values of drawn boards on those above: they are entered as they lie in the tree, and have no copies."""
        return values.reshape(sample.drawn[max(0, s - 1)].level.boards, -1, *values.shape[1:]).sum(axis=1)

    def _gained(
        self, seat: int, s: int, sample: Sample, come: Any, below: Any, policy: Any, codes: list[Any] | None = None
    ) -> Any:
        """Values of a seat on a street of drawn boards; what its hands gain is kept until it is settled."""
        cp, street, level = self._cp, self.streets[s], sample.drawn[s].level
        gains = [  # nothing is gained where all chips are in
            cp.empty(
                (level.boards, len(shape.entry), self.hands, shape.pad if shape.rows[seat].shape[1] else 0), self.dtype
            )
            for shape in street.shapes
        ]
        self._gains[seat, s] = gains
        return self._up(
            s, level, come[s], below, policy, LEARN, (seat,), sample.drawn[s].standing, gains, sample.scales[s], codes
        )[seat]

    def _settle(self, seat: int, s: int, sample: Sample, policy: Any, stores: Any, rule: Rule) -> None:
        """What the hands of each bucket gained goes into its regrets, averages and what it plays next."""
        street, real, none = self.streets[s], np.float32, np.uint64(0)
        members, hands, width = sample.drawn[s].members, np.int32(self.hands), np.int64(street.width)
        lists = (len(members[1]) - 1) // street.width
        for n, (shape, gains) in enumerate(zip(street.shapes, self._gains.pop((seat, s)), strict=True)):
            if not shape.rows[seat].shape[1]:
                continue
            kernels, (regret, total), entries = street.kernels[n][seat], stores[s][n], len(shape.entry)
            given: tuple[Any, ...] = (gains, *members)
            if lists > 1:
                pieces = self._cp.empty((entries, street.width, lists, shape.pad), self.dtype)
                blocks = -(-entries * street.width * lists // (PLAIN // 32))
                kernels["collect"]((blocks,), (PLAIN,), (*given, np.int32(entries), hands, width * lists, pieces))
                given = pieces.sum(axis=2), none, none
            kernels["settle"](
                (-(-entries * street.width // PLAIN),),
                (PLAIN,),
                (
                    *given, np.int32(entries), hands, width, regret, total, policy[seat][s][n], real(rule.keep),
                    real(rule.shrink), real(rule.weight),
                ),
            )  # fmt: skip
