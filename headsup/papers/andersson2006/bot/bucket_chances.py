"""Chance among buckets: what an abstract game of bucketed hands needs to know of the cards, as counts.

`start` are the hands of the first street in each bucket, `moves` the deals from each bucket of a street to each of the
next; `won` and `met` over all pairs of hands, boards and cards to come, twice what a bucket wins from another and the
number of pairs. Counts are over all deals, or over random boards with standard errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from headsup.abstraction.hands.buckets import FeatureBuckets
from headsup.abstraction.hands.looking import transitions
from headsup.cards.combos import combo_masks
from headsup.common import contents
from headsup.common.arrays import AnyArray, Floats
from headsup.common.checks import check_seed, whole
from headsup.common.errors import UserError
from headsup.common.progress import Progress, Watch


@dataclass(frozen=True, eq=False)
class BucketChances:
    text: str  # the buckets, as `headsup.abstraction.hands.spec` writes them
    start: AnyArray  # int64[buckets] of the first street
    moves: tuple[AnyArray, ...]  # by street but the last: int64[kinds, kinds of the next, from, to]
    won: tuple[AnyArray, ...]
    """By street: int64[kinds, buckets, buckets], twice what a hand of the first bucket wins from one of the second."""
    met: tuple[AnyArray, ...]  # by street: int64[kinds, buckets, buckets], pairs
    errors: tuple[Floats, ...] = ()  # standard errors of the shares of each street, where boards were drawn

    @property
    def streets(self) -> int:
        return len(self.won)

    def sizes(self) -> tuple[int, ...]:
        return tuple(won.shape[1] for won in self.won)

    def first(self) -> Floats:
        """The probability of each bucket of the first street."""
        return np.asarray(self.start / self.start.sum())

    def move(self, street: int, kinds: tuple[int, int] = (0, 0)) -> Floats:
        """[from, to] transition probabilities to the next street; uniform from an empty bucket."""
        counts = self.moves[street][kinds]
        total = counts.sum(axis=1, keepdims=True)
        return np.asarray(np.where(total > 0, counts / np.maximum(total, 1), 1.0 / counts.shape[1]))

    def without_rare(self, least: float) -> BucketChances:
        """The same without transitions below a probability; the others keep their counts."""
        kept = []
        for counts in self.moves:
            total = counts.sum(axis=-1, keepdims=True)
            kept.append(np.where(counts < least * total, 0, counts))
        return replace(self, moves=tuple(kept))

    def share(self, street: int, kind: int = 0) -> Floats:
        """[own, opponent's]: the fraction of the pot a bucket wins from another, all-in; 1/2 if they never meet."""
        won, met = self.won[street][kind], self.met[street][kind]
        return np.asarray(np.where(met > 0, won / np.maximum(2.0 * met, 1.0), 0.5))

    def arrays(self) -> dict[str, AnyArray]:
        arrays = {"start": self.start}
        for name in ("moves", "won", "met"):
            arrays |= {f"{name}{s}": array for s, array in enumerate(getattr(self, name))}
        return arrays

    @classmethod
    def read(cls, text: str, arrays: Mapping[str, AnyArray]) -> BucketChances:
        """Read what `arrays` returned; impossible counts raise an error."""
        streets = range(sum(name.startswith("won") for name in arrays))

        def counts(name: str, ndim: int) -> AnyArray:
            return contents.weights(arrays[name], f"the list {name}", "iu", ndim)

        moves = tuple(counts(f"moves{s}", 4) for s in streets[:-1])
        won, met = (tuple(counts(f"{name}{s}", 3) for s in streets) for name in ("won", "met"))
        chances = cls(text, counts("start", 1), moves, won, met)
        sizes, kinds = chances.sizes(), [len(array) for array in won]
        if (
            chances.start.shape != sizes[:1]
            or not chances.start.any()
            or any(array.shape != (kinds[s], sizes[s], sizes[s]) for many in (won, met) for s, array in enumerate(many))
            or any(array.shape != (*kinds[s : s + 2], *sizes[s : s + 2]) for s, array in enumerate(moves))
            or any((mine > 2 * both).any() for mine, both in zip(won, met, strict=True))
        ):
            raise ValueError("its counts do not belong together")
        return chances


def count_chances(
    buckets: FeatureBuckets, samples: int | None = None, seed: int = 0, progress: Watch | None = None
) -> BucketChances:
    """Count over all deals, or over the hands of so many boards drawn by their odds.

    Over all deals of the whole deck it takes minutes.
    """
    if buckets.nested:
        raise UserError("chances are counted among buckets of a street: leave out nested, a model remembers by itself")
    if any(not many for many in buckets.partitions):
        raise UserError("chances are counted among buckets, and a street with * has none: give it a number of them")
    features, streets = buckets.features, buckets.game.streets
    start = np.bincount(buckets.table(0)[0][features.alive(features.sets(0))[0]], minlength=buckets.sizes[0][0]).astype(
        np.int64
    )
    if samples is not None:
        return _drawn(buckets, start, whole(samples, "samples", 1), check_seed(seed), progress)
    many = [range(len(street)) for street in buckets.partitions]
    moves = tuple(
        np.array([[transitions(buckets, s, kinds=(a, b)).counts for b in many[s + 1]] for a in many[s]])
        for s in range(streets - 1)
    )
    pairs = [[_pairs(buckets, s, kind, progress) for kind in many[s]] for s in range(streets)]
    won, met = (tuple(np.array([street[i] for street in kinds]) for kinds in pairs) for i in range(2))
    return BucketChances(buckets.text, start, moves, won, met)


def _drawn(buckets: FeatureBuckets, start: AnyArray, samples: int, seed: int, progress: Watch | None) -> BucketChances:
    """Moves of all hands, and meetings of all pairs of hands, on complete boards drawn at random, without tables."""
    features, last = buckets.features, buckets.game.streets - 1
    levels, sizes = buckets.tree.levels, [street[0] for street in buckets.sizes]
    kinds = [range(len(street)) for street in buckets.partitions]
    pairs = list(zip(kinds, kinds[1:], sizes, sizes[1:], strict=False))
    moves = [np.zeros((len(a), len(b), n, m), dtype=np.int64) for a, b, n, m in pairs]
    kept = [np.zeros((samples, len(kinds[s]), 2, n, n)) for s, n in enumerate(sizes)]  # won and met
    masks = combo_masks(2)[features.hands]
    rng = np.random.default_rng(seed)
    final = levels[last]
    for i, board in enumerate(rng.choice(len(final), size=samples, p=final.count / final.count.sum()).tolist()):
        path = [board]
        for street in range(last, 0, -1):
            path.insert(0, int(levels[street].parent[path[0]]))
        held = np.flatnonzero(features.alive(final, board, board + 1)[0])
        apart = (masks[held, None] & masks[held]) == 0
        values = features.values(final.cards[board : board + 1])[0, held].astype(np.int64)
        beats = (np.sign(values[:, None] - values) + 1.0) * apart  # twice what a hand wins
        rows = [
            [buckets.rows_on(s, path[s], kind)[held].astype(np.int64) for kind in kinds[s]] for s in range(last + 1)
        ]
        for street, size in enumerate(sizes):
            for kind in kinds[street]:
                belongs = (rows[street][kind][:, None] == np.arange(size)).astype(np.float64)
                kept[street][i, kind] = belongs.T @ beats @ belongs, belongs.T @ apart @ belongs
                for after in kinds[street + 1] if street < last else ():
                    cells = rows[street][kind] * sizes[street + 1] + rows[street + 1][after]
                    counts = np.bincount(cells, minlength=size * sizes[street + 1])
                    moves[street][kind, after] += counts.reshape(size, -1)
        if progress is not None and i % 100 == 99:
            progress(Progress(i + 1, samples, "boards drawn", unit="boards"))
    won, met, errors = [], [], []
    for many in kept:
        twice, pair = np.moveaxis(many.sum(axis=0), 1, 0)
        share = np.divide(twice, 2.0 * pair, out=np.full(pair.shape, 0.5), where=pair > 0)
        off = many[:, :, 0] / 2.0 - share * many[:, :, 1]
        errors.append(np.sqrt((off**2).sum(axis=0)) / np.maximum(pair, 1.0))
        won.append(np.rint(twice).astype(np.int64))
        met.append(np.rint(pair).astype(np.int64))
    return BucketChances(buckets.text, start, tuple(moves), tuple(won), tuple(met), tuple(errors))


def _pairs(buckets: FeatureBuckets, street: int, kind: int, progress: Watch | None) -> tuple[AnyArray, AnyArray]:
    """(twice the pots won, pairs met), [buckets, buckets], of one partition."""
    features, size = buckets.features, buckets.sizes[street][kind]
    boards, table = features.sets(street), buckets.table(street, kind)
    kept = np.zeros((len(boards), 2, size, size))
    for board in range(len(boards)):
        alive = features.alive(boards, board, board + 1)[0]
        belongs = (table[board][:, None] == np.arange(size)) & alive[:, None]
        beaten = features.beaten(street, board, board + 1, belongs.astype(np.float64))
        kept[board] = [belongs.T.astype(np.float64) @ sums[0] for sums in beaten]
        if progress is not None and board % 1000 == 999:
            progress(Progress(board + 1, len(boards), f"pairs on the {features.name(street)}", unit="boards"))
    counts = boards.count.astype(np.int64)
    twice, met = np.rint(np.tensordot(counts, kept * np.array([2.0, 1.0])[:, None, None], 1))
    return twice.astype(np.int64), met.astype(np.int64)
