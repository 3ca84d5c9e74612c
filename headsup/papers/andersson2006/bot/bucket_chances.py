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
    """Count over all deals, or over so many boards a street drawn by their odds (for moves, 100 times as many deals).

    Over all deals of the whole deck it takes minutes.
    """
    if buckets.nested:
        raise UserError("chances are counted among buckets of a street: leave out nested, a model remembers by itself")
    if any(not many for many in buckets.partitions):
        raise UserError("chances are counted among buckets, and a street with * has none: give it a number of them")
    deals = None if samples is None else 100 * whole(samples, "samples", 1)
    check_seed(seed)
    features, streets = buckets.features, buckets.game.streets
    start = np.bincount(buckets.table(0)[0][features.alive(features.sets(0))[0]], minlength=buckets.sizes[0][0]).astype(
        np.int64
    )
    many = [range(len(street)) for street in buckets.partitions]
    moves = tuple(
        np.array([[transitions(buckets, s, deals, seed, (a, b)).counts for b in many[s + 1]] for a in many[s]])
        for s in range(streets - 1)
    )
    pairs = [[_pairs(buckets, s, kind, samples, seed, progress) for kind in many[s]] for s in range(streets)]
    won, met, errors = (tuple(np.array([street[i] for street in kinds]) for kinds in pairs) for i in range(3))
    return BucketChances(buckets.text, start, moves, won, met, errors if samples is not None else ())


def _pairs(
    buckets: FeatureBuckets, street: int, kind: int, samples: int | None, seed: int, progress: Watch | None
) -> tuple[AnyArray, AnyArray, Floats]:
    """(twice the pots won, pairs met, standard errors), [buckets, buckets], of one partition."""
    features, size = buckets.features, buckets.sizes[street][kind]
    boards, table = features.sets(street), buckets.table(street, kind)
    if samples is None or samples >= len(boards):
        chosen, times = np.arange(len(boards)), boards.count.astype(np.int64)
    else:
        rng = np.random.default_rng((seed, street, kind))
        drawn = rng.choice(len(boards), size=samples, p=boards.count / boards.count.sum())
        chosen, times = np.unique(drawn, return_counts=True)
    kept = np.zeros((len(chosen), 2, size, size))
    for i, board in enumerate(chosen.tolist()):
        alive = features.alive(boards, board, board + 1)[0]
        belongs = (table[board][:, None] == np.arange(size)) & alive[:, None]
        beaten = features.beaten(street, board, board + 1, belongs.astype(np.float64))
        kept[i] = [belongs.T.astype(np.float64) @ sums[0] for sums in beaten]
        if progress is not None and i % 1000 == 999:
            progress(Progress(i + 1, len(chosen), f"pairs on the {features.name(street)}", unit="boards"))
    twice, met = np.rint(np.tensordot(times, kept * np.array([2.0, 1.0])[:, None, None], 1))
    share = np.divide(twice, 2.0 * met, out=np.full((size, size), 0.5), where=met > 0)
    spread = np.sqrt(np.tensordot(times, (kept[:, 0] - share * kept[:, 1]) ** 2, 1)) / np.maximum(met, 1.0)
    return twice.astype(np.int64), met.astype(np.int64), np.asarray(spread)
