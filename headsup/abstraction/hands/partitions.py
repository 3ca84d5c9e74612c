"""Partitions: which bucket a hand on a board is in, by its features. Each is a few numbers: edges, or centres.

A partition works on many sets of cards at once by the table of all strengths, or on one alone; both start from the same
integers, so they agree. In `ByBoard` each board has buckets of its own, from a table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from headsup.abstraction.hands.features import Features, RunOutSums
from headsup.common import contents
from headsup.common.arrays import AnyArray, Floats

_ROWS = 4096
HOPE_BINS = 20  # of strength, by which hands with potential are told apart
STRONG = 0.85  # a hand that beats this fraction of random hands on the last street is very strong


class Partition(Protocol):
    """A way to sort the hands of a street into buckets."""

    @property
    def size(self) -> int:
        """How many buckets there are."""

    def of(self, features: Features, street: int, low: int, high: int, alone: bool = False) -> AnyArray:
        """uint32[high - low, H]: the buckets of hands on sets of a street; `alone`, without the table of strengths."""

    def arrays(self) -> dict[str, AnyArray]:
        """The numbers that make it."""


def sums(features: Features, street: int, low: int, high: int, alone: bool, bins: int = 0) -> RunOutSums:
    """The sums of some sets, by the table or each on its own."""
    if not alone:
        return features.sums_of(street, low, high, bins)
    every = [features.sums_on(street, board, bins) for board in range(low, high)]
    return RunOutSums(*(np.concatenate(arrays) for arrays in zip(*every, strict=True)))


@dataclass(frozen=True, eq=False)
class Edges:
    """Bucket i has the sums from edges[i - 1] on and below edges[i]."""

    edges: AnyArray  # int64, ascending
    squares: bool = False  # of squares of strengths, not of strengths

    @property
    def size(self) -> int:
        return len(self.edges) + 1

    def of(self, features: Features, street: int, low: int, high: int, alone: bool = False) -> AnyArray:
        """Where the sum falls."""
        if not alone and not self.squares:
            wanted = features.totals(street)[low:high]
        else:
            run_outs = sums(features, street, low, high, alone)
            wanted = run_outs.square if self.squares else run_outs.total
        if wanted.dtype.itemsize <= 2:
            return self._by_small[wanted]
        return np.searchsorted(self.edges, wanted, side="right").astype(np.uint32)

    @cached_property
    def _by_small(self) -> AnyArray:
        """uint32[65536]: the bucket of every sum that small."""
        return np.searchsorted(self.edges, np.arange(1 << 16), side="right").astype(np.uint32)

    def arrays(self) -> dict[str, AnyArray]:
        return {"edges": self.edges, "squares": np.array(self.squares)}


def equal_edges(features: Features, street: int, count: int, squares: bool, values: AnyArray) -> Edges:
    """Cuts that give every bucket the same number of deals, as nearly as possible: equal sums stay together.

    `values` are the sums of all sets of the street. A sum goes where the middle of its deals falls.
    """
    boards = features.sets(street)
    different, weight = weighted_values(values, features.alive(boards), boards.count)
    return Edges(_cuts(different, weight, count), squares)


def _cuts(different: AnyArray, weight: AnyArray, count: int) -> AnyArray:
    before = np.cumsum(weight) - weight
    bucket = np.minimum(count * (2 * before + weight) // (2 * max(1, int(weight.sum()))), count - 1)
    # the first sum that belongs to bucket i or a later one; one beyond all where there is none
    place = np.searchsorted(bucket, np.arange(1, count))
    return np.append(different, different[-1] + 1)[place]


def weighted_values(values: AnyArray, alive: AnyArray, count: AnyArray) -> tuple[AnyArray, AnyArray]:
    """The different values of living hands, ascending, and how many deals have each: a board counts `count` times."""
    most = int(values.max(initial=0))
    if most < 1 << 24:
        deals = np.zeros(most + 1, dtype=np.int64)
        for at in range(0, len(values), _ROWS):  # so that the river's 1.8e8 numbers need no copies
            held, here = values[at : at + _ROWS], alive[at : at + _ROWS]
            weights = np.broadcast_to(count[at : at + _ROWS, None], held.shape)[here]
            deals += np.bincount(held[here], weights=weights, minlength=most + 1).astype(np.int64)
        different = np.flatnonzero(deals)
        return different, deals[different]
    weights = np.broadcast_to(count[:, None], values.shape)[alive]
    different, place = np.unique(values[alive], return_inverse=True)
    return different, np.bincount(place, weights=weights).astype(np.int64)


def equity_edges(features: Features, street: int, equities: tuple[float, ...]) -> Edges:
    """Cuts at given equities, strictly between 0 and 1: a hand at a cut is above it."""
    most = features.scale * features.run_outs(street)
    return Edges(np.array([-int(-(equity * most) // 1) for equity in equities], dtype=np.int64))


@dataclass(frozen=True, eq=False)
class StrengthAndPotential:
    """Buckets of strength, and a last one for weak hands that become very strong on at least `least` run-outs."""

    edges: AnyArray  # int64, as those of `Edges`
    least: int
    bins: int = 20

    @property
    def size(self) -> int:
        return len(self.edges) + 2

    def of(self, features: Features, street: int, low: int, high: int, alone: bool = False) -> AnyArray:
        """The last bucket first, then where the sum falls."""
        run_outs = sums(features, street, low, high, alone, self.bins)
        bucket = np.searchsorted(self.edges, run_outs.total, side="right").astype(np.uint32)
        hopes = _hopes(features, street, low, high, run_outs)
        bucket[hopes >= self.least] = len(self.edges) + 1
        return bucket

    def arrays(self) -> dict[str, AnyArray]:
        return {"edges": self.edges, "least": np.array(self.least)}


def _hopes(features: Features, street: int, low: int, high: int, run_outs: RunOutSums) -> AnyArray:
    """int64[sets, H]: on how many run-outs a hand becomes very strong; -1 for one that is not weak now."""
    bins = run_outs.histogram.shape[2]
    strong = run_outs.histogram[..., int(np.ceil(STRONG * bins - 1e-9)) :].sum(axis=2).astype(np.int64)
    if features.sets(street).cards.shape[1] >= 3:
        weak = 2 * features.now(street, low, high) < features.scale_now(street)
    else:
        weak = 2 * run_outs.total < features.scale * features.run_outs(street)
    return np.where(weak, strong, -1)


def strength_and_potential(features: Features, street: int, count: int, drawn: AnyArray | None = None) -> Partition:
    """The last bucket gets at most one deal in `count`, those with the most hope; on the last street there is none.

    With `drawn`, sets of the street drawn by their odds, the hands of these stand for all.
    """
    boards = features.sets(street)
    every = features.alive(boards)
    if drawn is None:
        alive, deals = every, boards.count
        run_outs = features.sums(street, HOPE_BINS)
    else:
        alive, deals = every[drawn], np.ones(len(drawn), dtype=np.int64)
        parts = [features.sums_on(street, board, HOPE_BINS) for board in drawn.tolist()]
        run_outs = RunOutSums(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
    if street == features.last or count < 2:
        return Edges(_cuts(*weighted_values(run_outs.total, alive, deals), count))
    if drawn is None:
        hopes = _hopes(features, street, 0, len(boards), run_outs)
    else:
        hopes = np.concatenate([_hopes(features, street, b, b + 1, part) for b, part in zip(drawn, parts, strict=True)])
    hopes = np.where(alive, hopes, -1)
    different, weight = weighted_values(hopes + 1, alive, deals)
    above = np.cumsum(weight[::-1])[::-1]  # deals with as much hope or more
    fits = (count * above <= weight.sum()) & (different > 1)
    least = int(different[np.argmax(fits)]) - 1 if fits.any() else int(features.run_outs(street)) + 1
    rest = alive & (hopes < least)
    different, weight = weighted_values(run_outs.total, rest, deals)
    return StrengthAndPotential(_cuts(different, weight, count - 1), least, HOPE_BINS)


@dataclass(frozen=True, eq=False)
class Centres:
    """The nearest of some points, the first of several that are as near."""

    centres: AnyArray  # float32[k, dimensions]
    kind: str  # emd: cumulative histograms, sums of differences; hist: histograms, Euclid's; ochs: equities, Euclid's
    bins: int = 0
    weights: AnyArray | None = None  # float64[H, K]: the clusters of opponents' hands, for ochs
    explained: float = 0.0
    """By what fraction the buckets reduce the cost of a single centre, on the hands they were made from."""

    @property
    def size(self) -> int:
        return len(self.centres)

    def of(self, features: Features, street: int, low: int, high: int, alone: bool = False) -> AnyArray:
        """Of the hands that the board's group maps onto each other, only one is compared with the centres."""
        boards = features.sets(street)
        alive = features.alive(boards, low, high)
        out = np.zeros(alive.shape, dtype=np.uint32)
        points = self.points(features, street, low, high, alone)
        firsts = np.stack([features.firsts(group) for group in boards.group[low:high].tolist()])
        stands = alive & (firsts == np.arange(alive.shape[1]))
        out[stands] = features.nearest(points[stands], self.centres, self.kind == "emd")
        return np.take_along_axis(out, firsts.astype(np.intp), axis=1) * alive

    def points(self, features: Features, street: int, low: int, high: int, alone: bool = False) -> Floats:
        """float32[sets, H, dimensions]: the points of the hands."""
        return points_of(features, street, low, high, self.kind, self.bins, self.weights, alone)

    def arrays(self) -> dict[str, AnyArray]:
        more = {} if self.weights is None else {"weights": self.weights}
        kind = np.frombuffer(self.kind.encode(), dtype=np.uint8)
        about = {"kind": kind, "bins": np.array(self.bins), "explained": np.array(self.explained)}
        return {"centres": self.centres, **about, **more}


@dataclass(frozen=True, eq=False)
class ByBoard:
    """`each` buckets for every set of cards, by a table: those of set i are numbered from i * each on."""

    table: AnyArray  # unsigned[sets, H], below `each`
    each: int

    @property
    def size(self) -> int:
        return len(self.table) * self.each

    def of(self, features: Features, street: int, low: int, high: int, alone: bool = False) -> AnyArray:
        """By the table."""
        first = np.arange(low, high, dtype=np.uint32)[:, None] * np.uint32(self.each)
        return np.asarray(first + self.table[low:high], dtype=np.uint32)

    def arrays(self) -> dict[str, AnyArray]:
        """The table, and how many buckets a set has."""
        return {"table": self.table, "each": np.array(self.each)}


def points_of(
    features: Features,
    street: int,
    low: int,
    high: int,
    kind: str,
    bins: int,
    weights: AnyArray | None,
    alone: bool = False,
) -> AnyArray:
    """float32[sets, H, dimensions]: hands as points; a distance of 1 is that of sure loss and sure win."""
    if kind == "ochs":
        assert weights is not None
        return features.against(street, low, high, weights).astype(np.float32)
    frequencies = sums(features, street, low, high, alone, bins).histogram / np.float32(features.run_outs(street))
    if kind == "emd":
        frequencies = np.cumsum(frequencies, axis=2)[..., :-1] / np.float32(max(1, bins - 1))
    return np.asarray(frequencies, dtype=np.float32)


def partition_arrays(partitions: Sequence[Sequence[Partition]]) -> dict[str, AnyArray]:
    """The numbers of all partitions of all streets, by name; some kilobytes."""
    return {
        f"part{street}_{kind}_{name}": np.asarray(array)
        for street, many in enumerate(partitions)
        for kind, partition in enumerate(many)
        for name, array in partition.arrays().items()
    }


def partitions_from(arrays: Mapping[str, AnyArray], streets: int) -> list[list[Partition]]:
    """The partitions of so many streets, from what `partition_arrays` returned."""
    kept: dict[tuple[int, int], dict[str, AnyArray]] = {}
    for name, array in arrays.items():
        if name.startswith("part"):
            street, kind, what = name.removeprefix("part").split("_", 2)
            kept.setdefault((int(street), int(kind)), {})[what] = array
    partitions: list[list[Partition]] = [[] for _ in range(streets)]
    for street_kind in sorted(kept):
        partitions[street_kind[0]].append(_partition(kept[street_kind]))
    return partitions


def _partition(arrays: Mapping[str, AnyArray]) -> Partition:
    if "centres" in arrays:
        weights, kind = arrays.get("weights"), bytes(arrays["kind"]).decode()
        if kind not in ("emd", "hist", "ochs") or (weights is None) != (kind != "ochs"):
            raise ValueError("its centres are of a kind that is not there")
        return Centres(
            contents.array(arrays["centres"], "the list of centres", "f", 2),
            kind,
            int(contents.array(arrays["bins"], "the number of bins", "iu", 0)),
            None if weights is None else contents.weights(weights, "the list of clusters", "f", 2),
            float(contents.array(arrays["explained"], "what the centres explain", "f", 0)),
        )
    if "table" in arrays:
        each = int(contents.array(arrays["each"], "the number of buckets of a board", "iu", 0))
        table = contents.array(arrays["table"], "the table of buckets", "u", 2)
        if int(table.max(initial=0)) >= each:
            raise ValueError(f"a bucket of a board is below {each}")
        return ByBoard(table, each)
    edges = contents.array(arrays["edges"], "the list of edges", "iu")
    if (edges[1:] < edges[:-1]).any():
        raise ValueError("the list of edges does not ascend")
    if "least" in arrays:
        return StrengthAndPotential(edges, int(contents.array(arrays["least"], "the least number", "iu", 0)))
    return Edges(edges, bool(contents.array(arrays["squares"], "the kind of the edges", "b", 0)))
