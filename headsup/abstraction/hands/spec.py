"""Abstractions as text: `169-200-200-200:ehs`, and from the text to buckets.

    SPEC     = COUNTS [":" METHOD] {"," OPTION}      or `*`, all suit classes
    COUNTS   = how many buckets each street has, with - between them; * keeps a street's suit classes apart
    METHOD   = ehs | ehs2 | width | edges | potential | emd | hist | ochs | board
    OPTION   = flop=METHOD (or another street) | nested | seed=7 | bins=30 | restarts=3 | samples=20000 | clusters=8
             | edges=0/40/60/80/100, with | between lists for lines of small and of larger pots

- ehs, ehs2: as many deals in every bucket, by the mean of the strength against a random hand or of its square;
- width: equities cut into pieces of equal width; edges: cut at the percentages given;
- potential: all but one bucket as ehs, the last for weak hands that may become very strong;
- emd, hist, ochs: k-means of histograms by the earth mover's distance or Euclid's, or of equities against clusters of
  the opponents' hands (all as in `headsup.abstraction.hands.partitions`);
- board: as emd, but on each board apart, which then has so many buckets of its own.

A street with at least as many buckets as suit classes keeps those: 169 before the flop. On the last street, where no
more cards come, emd and hist cut the strength itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import pairwise
from math import isfinite
from typing import Any

import numpy as np

from headsup.abstraction.hands.buckets import FeatureBuckets, holdem_of
from headsup.abstraction.hands.features import BINS, STREETS, Features
from headsup.abstraction.hands.partitions import (
    ByBoard,
    Centres,
    Edges,
    Partition,
    equal_edges,
    equity_edges,
    partitions_from,
    points_of,
    strength_and_potential,
)
from headsup.cards.boards import BoardTree
from headsup.common.arrays import AnyArray
from headsup.common.checks import (
    SEEDS,
    as_call,
    as_text,
    as_truth,
    between,
    check_device,
    door,
    finite,
    of_kind,
    parse_float,
    quoted,
)
from headsup.common.errors import DataError, UserError
from headsup.common.progress import Progress, Watch
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.holdem.vector import VectorGame

METHODS = ("ehs", "ehs2", "width", "edges", "potential", "emd", "hist", "ochs", "board")
MOST_COUNT = 1 << 20
NUMBERS = {
    "seed": (0, SEEDS - 1),
    "bins": (2, 255),
    "restarts": (1, 1000),
    "samples": (100, 1 << 30),
    "clusters": (1, 64),
}
"""Options that are numbers, with their bounds."""


@dataclass(frozen=True)
class Spec:
    counts: tuple[int | None, ...]  # buckets of each street; None keeps all suit classes
    method: str = "ehs"
    streets: tuple[tuple[str, str], ...] = ()  # streets with a method of their own
    nested: bool = False
    seed: int = 0
    bins: int = BINS
    restarts: int = 3
    samples: int = 20_000
    clusters: int = 8
    edges: tuple[tuple[float, ...], ...] = ()  # lists of percentages, from 0 to 100

    def __post_init__(self) -> None:
        for count in of_kind(tuple)(self.counts, "counts"):
            if count is not None:
                between(1, MOST_COUNT)(count, "a number of counts")
        for street in of_kind(tuple)(self.streets, "streets"):
            if not isinstance(street, tuple) or len(street) != 2 or street[0] not in STREETS.values():
                raise UserError(f"streets must be pairs such as ('flop', 'ehs'), and one is {quoted(street)}")
        for method in (self.method, *(method for _, method in self.streets)):
            _method(as_text(method, "method"))
        as_truth(self.nested, "nested")
        for name, (least, most) in NUMBERS.items():
            between(least, most)(getattr(self, name), name)
        for edges in of_kind(tuple)(self.edges, "edges"):
            for edge in of_kind(tuple)(edges, "edges"):
                finite(edge, "an edge")

    def __str__(self) -> str:
        given = {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}
        counts = "-".join("*" if count is None else str(count) for count in self.counts)
        parts = [counts if self.counts == (None,) and len(given) == 1 else f"{counts}:{self.method}"]
        parts += [f"{street}={method}" for street, method in self.streets]
        parts += ["nested"] if self.nested else []
        parts += [f"{name}={given[name]}" for name in NUMBERS if name in given]
        if self.edges:
            parts.append("edges=" + "|".join("/".join(f"{edge:g}" for edge in many) for many in self.edges))
        return ",".join(parts)


def parse_spec(text: str) -> Spec:
    """Read the text of an abstraction."""
    if not isinstance(text, str):
        raise UserError(f"an abstraction is text such as 169-200-200-200:ehs, not {type(text).__name__}")
    head, *options = [part.strip() for part in text.strip().split(",")]
    counts, colon, method = (part.strip() for part in head.partition(":"))
    spec = Spec(tuple(_count(part.strip()) for part in counts.split("-")))
    if colon:
        spec = replace(spec, method=_method(method))
    for option in options:
        spec = _with(spec, option)
    if "edges" in (spec.method, *dict(spec.streets).values()) and not spec.edges:
        raise UserError("the method edges wants to know them: write for example edges=0/40/60/80/100")
    return spec


def _count(word: str) -> int | None:
    if word == "*":
        return None
    is_number = word.isascii() and word.isdigit() and len(word) < 16
    if is_number and int(word) > MOST_COUNT:
        raise UserError(
            f"{int(word):,} buckets of a street take {8 * int(word):,} bytes for each action of the betting there: "
            f"take at most {MOST_COUNT:,}"
        )
    if not is_number or int(word) < 1:
        raise UserError(
            f"{quoted(word)} is not a number of buckets: write one for each street, such as 169-200-200-200:ehs"
        )
    return int(word)


def _method(word: str) -> str:
    if word not in METHODS:
        raise UserError(f"{quoted(word)} is not a way to make buckets: choose one of {', '.join(METHODS)}")
    return word


def _with(spec: Spec, option: str) -> Spec:
    name, equals, value = (part.strip() for part in option.partition("="))
    if name == "nested" and not equals:
        return replace(spec, nested=True)
    if name in NUMBERS and equals:
        least, most = NUMBERS[name]
        if not (value.isascii() and value.isdigit() and len(value) < 21 and least <= int(value) <= most):
            raise UserError(f"{name} is a whole number from {least} to {most}, not {quoted(value)}")
        given: dict[str, Any] = {name: int(value)}
        return replace(spec, **given)
    if name in STREETS.values() and equals:
        methods = dict(spec.streets) | {name: _method(value)}
        streets = tuple((street, methods[street]) for street in STREETS.values() if street in methods)
        return replace(spec, streets=streets)
    if name == "edges" and equals:
        return replace(spec, edges=tuple(_edges(many) for many in value.split("|")))
    known = ", ".join([*(f"{name}=.." for name in (*STREETS.values(), *NUMBERS, "edges")), "nested"])
    raise UserError(f"{quoted(option)} is not an option of an abstraction: there are {known}")


def _edges(text: str) -> tuple[float, ...]:
    try:
        edges = tuple(parse_float(part) for part in text.split("/"))
    except ValueError:
        edges = ()
    rising = all(a < b for a, b in pairwise(edges)) and all(map(isfinite, edges))
    if len(edges) < 2 or not rising or edges[0] != 0.0 or edges[-1] != 100.0:
        raise UserError(f"edges rise from 0 to 100, in percent, such as 0/40/60/80/100, and are not {quoted(text)}")
    return tuple(float(f"{edge:g}") for edge in edges)


@door(game=of_kind(VectorGame), spec=of_kind(str, Spec), progress=as_call)
def build_buckets(
    game: VectorGame,
    spec: Spec | str,
    progress: Watch | None = None,
    device: str = "cpu",
) -> FeatureBuckets:
    """The buckets of a game that a text describes; the features are counted on `device`."""
    check_device(device)
    spec = parse_spec(spec) if isinstance(spec, str) else spec
    tree, _ = holdem_of(game)
    counts = spec.counts * game.streets if spec.counts == (None,) else spec.counts
    if len(counts) != game.streets:
        raise UserError(f"{game} has {game.streets} streets, and '{spec}' has buckets for {len(counts)}: give as many")
    features = _features(tree, device)
    names = [features.name(street) for street in range(game.streets)]
    for name, _ in spec.streets:
        if name not in names:
            raise UserError(f"{game} has no {name}: it has {', '.join(names)}")
    partitions: list[list[Partition]] = []
    for street, count in enumerate(counts):
        method = dict(spec.streets).get(names[street], spec.method)
        boards = len(features.sets(street)) if method == "board" else 1
        if count is None or count * boards >= tree.kinds(street):
            partitions.append([])
            continue
        report = partial(_report, progress, f"{names[street]} by {method}")
        partitions.append(_partitions(features, street, count, method, spec, report))
    if spec.nested and any(not many for many in partitions[1:]):
        raise UserError("suit classes know all that came before: only the first street of nested buckets may keep them")
    kinds = [kinds_by_pot(game.betting, street, max(1, len(many))) for street, many in enumerate(partitions)]
    return FeatureBuckets(game, partitions, nested=spec.nested, kinds=kinds, features=features, text=str(spec))


def restore_buckets(game: VectorGame, text: str, parts: Mapping[str, AnyArray]) -> FeatureBuckets:
    """Buckets made before, from their text and numbers: k-means may round differently on another machine."""
    tree, _ = holdem_of(game)
    partitions = partitions_from(parts, game.streets)
    for street, count in enumerate(parse_spec(text).counts * (game.streets if text == "*" else 1)):
        if count is not None and count < tree.kinds(street) and not partitions[street]:
            raise DataError(f"the numbers of the buckets of street {street} are missing: make the buckets again")
    kinds = [kinds_by_pot(game.betting, street, max(1, len(many))) for street, many in enumerate(partitions)]
    nested = parse_spec(text).nested
    return FeatureBuckets(game, partitions, nested=nested, kinds=kinds, features=Features(tree), text=text)


def _features(tree: BoardTree, device: str) -> Features:
    if device == "cpu":
        return Features(tree)
    from headsup.abstraction.hands.gpu import GpuFeatures

    return GpuFeatures(tree)


def _report(progress: Watch | None, what: str, step: Progress) -> None:
    if progress is not None:
        progress(step._replace(what=what))


def kinds_by_pot(betting: BettingTree, street: int, count: int) -> AnyArray:
    """int64[lines into a street]: the partition of each line; the different pots, in order, are divided evenly."""
    pots = betting.paid[betting.entries[street]].sum(axis=1)
    different, place = np.unique(pots, return_inverse=True)
    return np.asarray(np.ravel(place) * count // len(different), dtype=np.int64)


def _partitions(
    features: Features, street: int, count: int, method: str, spec: Spec, progress: Watch
) -> list[Partition]:
    if method == "edges":
        for many in spec.edges:
            if len(many) - 1 != count:
                shown = "/".join(f"{edge:g}" for edge in many)
                raise UserError(f"edges={shown} make {len(many) - 1} buckets, and {features.name(street)} has {count}")
        return [equity_edges(features, street, tuple(edge / 100 for edge in many[1:-1])) for many in spec.edges]
    if method == "width":
        return [equity_edges(features, street, tuple(i / count for i in range(1, count)))]
    if method == "potential":
        return [strength_and_potential(features, street, count)]
    if method == "board":
        return [cluster_boards(features, street, count, spec, progress)]
    if method == "ochs" or (method in ("emd", "hist") and street != features.last):
        return [make_centres(features, street, count, method, spec, progress)]
    return [_equal(features, street, count, method == "ehs2", progress)]


def _equal(features: Features, street: int, count: int, squares: bool, progress: Watch) -> Edges:
    if not squares or street == features.last:  # with one run-out, squares have the order of strengths
        return equal_edges(features, street, count, False, features.totals(street))
    return equal_edges(features, street, count, True, features.sums(street, progress=progress).square)


def make_centres(features: Features, street: int, count: int, kind: str, spec: Spec, progress: Watch) -> Centres:
    """k-means on hands drawn at random, on boards drawn by the number of real boards they represent."""
    from headsup.abstraction.hands.kmeans import kmeans

    weights = opponent_clusters(features, spec) if kind == "ochs" else None
    points = drawn_points(features, street, kind, spec, weights)
    clusters = kmeans(
        points,
        count,
        city=kind == "emd",
        seed=spec.seed,
        restarts=spec.restarts,
        progress=progress,
        finder=features.finder,
    )
    centres = clusters.centres
    order = np.argsort(centres.mean(axis=1) if kind == "ochs" else _strength(centres, kind), kind="stable")
    return Centres(centres[order], kind, spec.bins, weights, clusters.explained)


def cluster_boards(features: Features, street: int, count: int, spec: Spec, progress: Watch) -> ByBoard:
    """k-means of the hands on every set of cards alone, by the earth mover's distance; weak buckets come first."""
    from headsup.abstraction.hands.kmeans import finder, kmeans, nearest

    boards, alone = features.sets(street), partial(finder, spread=False)  # threads take boards
    alive = features.alive(boards)
    out = np.zeros(alive.shape, dtype=np.min_scalar_type(count - 1))
    features.prepare(street)

    def work(block: slice) -> None:
        points = points_of(features, street, block.start, block.stop, "emd", spec.bins, None)
        for own, held, row in zip(points, alive[block], out[block], strict=True):
            how: dict[str, Any] = {"seed": spec.seed, "restarts": spec.restarts, "finder": alone}
            centres = kmeans(own[held], count, city=True, **how).centres
            order = np.argsort(_strength(centres, "emd"), kind="stable")
            row[held] = nearest(own[held], centres[order], True, spread=False)[0]

    features.blocks(work, len(boards), 16, progress)
    return ByBoard(out, count)


def _strength(centres: AnyArray, kind: str) -> AnyArray:
    """The order of the centres: their mean strength, up to a constant."""
    return -centres.sum(axis=1) if kind == "emd" else centres @ np.arange(centres.shape[1])


def drawn_points(features: Features, street: int, kind: str, spec: Spec, weights: AnyArray | None) -> AnyArray:
    """float32[samples, dimensions]: hands on boards, all deals equally likely.

    Whole boards are valued at once, so the same number of hands is drawn on each drawn board.
    """
    boards = features.sets(street)
    rng = np.random.default_rng((spec.seed, street, 1))
    alive = features.alive(boards)
    each = -(-spec.samples // min(len(boards), max(64, spec.samples // 64)))
    many = min(len(boards) * int(alive[0].sum()), spec.samples)
    chosen = np.sort(rng.choice(len(boards), size=-(-many // each), p=boards.count / boards.count.sum()))
    out = []
    if kind != "ochs":
        features.prepare(street)
    for board, times in zip(*np.unique(chosen, return_counts=True), strict=True):
        points = points_of(features, street, int(board), int(board) + 1, kind, spec.bins, weights)[0]
        out.append(points[rng.choice(np.flatnonzero(alive[board]), size=each * int(times))])
    return np.concatenate(out)


def opponent_clusters(features: Features, spec: Spec) -> AnyArray:
    """float64[H, clusters]: the hands of the first street, in clusters by the earth mover's distance of histograms."""
    from headsup.abstraction.hands.kmeans import kmeans, nearest

    points = points_of(features, 0, 0, 1, "emd", spec.bins, None, alone=True)[0]
    alive = features.alive(features.sets(0))[0]
    clusters = kmeans(points[alive], spec.clusters, city=True, seed=spec.seed, restarts=spec.restarts)
    bucket = nearest(points, clusters.centres, True)[0]
    return np.asarray((bucket[:, None] == np.arange(len(clusters.centres))) & alive[:, None], dtype=np.float64)
