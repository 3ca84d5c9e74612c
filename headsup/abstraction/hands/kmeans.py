"""k-means with starts by k-means++ and restarts, for points with weights; the same seed gives the same bits.

Distances are Euclid's, with centres at means, or sums of differences, with centres at medians: for cumulative
histograms that is the earth mover's distance. Of equal centres a point takes the first; a centre without points moves
to the point that costs most. It ends when nothing changes, the cost falls by less than 1e-4, or after `MOST` rounds.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from headsup.common.arrays import AnyArray
from headsup.common.errors import UserError
from headsup.common.progress import Progress, Watch

MOST = 50
LEAST_GAIN = 1e-4
ALONE = 4096
_BLOCK = 1 << 15

Finder = Callable[[AnyArray], tuple[AnyArray, AnyArray]]
"""From centres to (uint32[n], float32[n]): the nearest one of each of n points, the first of equals, and its cost."""


class Clusters(NamedTuple):
    centres: AnyArray  # float32[k, d]
    cost: float  # the weighted sum of squared distances (or of distances) to the nearest centre
    explained: float  # the fraction by which the cost is below that of a single centre
    rounds: int


def nearest(points: AnyArray, centres: AnyArray, city: bool, spread: bool = True) -> tuple[AnyArray, AnyArray]:
    """(uint32[n], float32[n]): the nearest centre of each point and its cost; without `spread`, on one thread."""
    return finder(points, city, spread)(centres)


def finder(points: AnyArray, city: bool, spread: bool = True) -> Finder:
    """A function that finds the nearest centres of these points."""
    from headsup.abstraction.hands.kmeans_kernels import BLOCK, nearest_kernel
    from headsup.equity.blocks import map_blocks

    given = np.ascontiguousarray(points, dtype=np.float32)

    def find(centres: AnyArray) -> tuple[AnyArray, AnyArray]:
        bucket, distance = np.empty(len(given), dtype=np.uint32), np.empty(len(given), dtype=np.float32)
        totals = np.asarray(centres, np.float32).sum(axis=1, dtype=np.float64)
        order = np.argsort(totals, kind="stable")
        more = (0, -len(order) % BLOCK)  # centres that are infinitely far, to a whole number of blocks
        columns = np.ascontiguousarray(np.pad(centres[order], (more, (0, 0)), constant_values=np.inf).T, np.float32)
        totals = np.pad(totals[order], more, constant_values=np.inf)
        order = np.pad(order, more, constant_values=len(order))

        def work(block: slice) -> None:
            nearest_kernel(given[block], columns, totals, order, city, bucket[block], distance[block])

        for _ in map_blocks(work, len(given), _BLOCK if spread else max(1, len(given))):
            pass
        return bucket, distance

    return find


def kmeans(
    points: AnyArray,
    k: int,
    *,
    weights: AnyArray | None = None,
    city: bool = False,
    seed: int = 0,
    restarts: int = 1,
    progress: Watch | None = None,
    finder: Callable[[AnyArray, bool], Finder] = finder,
) -> Clusters:
    """At most k clusters of points [n, d]; `city` measures by sums of differences, `finder` may be another device's."""
    different, place = np.unique(np.ascontiguousarray(points, dtype=np.float32), axis=0, return_inverse=True)
    heavy = np.bincount(np.ravel(place), weights=weights, minlength=len(different)).astype(np.float64)
    if k < 1 or restarts < 1 or not len(different):
        raise UserError("k-means wants at least one point, one cluster and one start")
    if k >= len(different):
        return Clusters(different, 0.0, 1.0, 0)
    orders = np.argsort(different, axis=0, kind="stable").T if city else None
    find = finder(different, city)
    whole = _cost(find, heavy, _middle(different, heavy, np.zeros(len(different), np.uint32), 1, orders))
    best: Clusters | None = None
    for start in range(restarts):
        clusters = _lloyd(different, heavy, k, orders, find, np.random.default_rng((seed, start)), whole)
        if best is None or clusters.cost < best.cost:
            best = clusters
        if progress is not None:
            progress(Progress(start + 1, restarts))
    assert best is not None
    return best


def _lloyd(
    points: AnyArray,
    weights: AnyArray,
    k: int,
    orders: AnyArray | None,
    find: Finder,
    rng: np.random.Generator,
    whole: float,
) -> Clusters:
    """One start: `orders`, the points in order of each dimension, where distances are sums of differences."""
    centres = _starts(points, weights, k, find, rng)
    bucket, distance = find(centres)
    cost, rounds = float(distance.astype(np.float64) @ weights), 0
    for _ in range(MOST):
        moved = _middle(points, weights, bucket, k, orders)
        for empty in np.flatnonzero(np.bincount(bucket, minlength=k) == 0):
            farthest = int(np.argmax(distance * weights))
            moved[empty], distance[farthest] = points[farthest], 0.0
        again, distance = find(moved)
        now = float(distance.astype(np.float64) @ weights)
        if now > cost:  # rounding: the centres before are as good
            break
        gain, centres, cost, rounds = cost - now, moved, now, rounds + 1
        same = bool((again == bucket).all())
        bucket = again
        if same or gain < LEAST_GAIN * cost:
            break
    return Clusters(centres, cost, 1.0 - cost / whole if whole > 0.0 else 1.0, rounds)


def _starts(points: AnyArray, weights: AnyArray, k: int, find: Finder, rng: np.random.Generator) -> AnyArray:
    """Points drawn by k-means++, [k, d]: the first `ALONE` one by one, later ones in batches of 1 / 64 of those so far.

    A batch this small hardly changes the odds of its own draws, and tens of thousands of starts take seconds.
    """
    chosen = np.empty((k, points.shape[1]), dtype=np.float32)
    cost = np.full(len(points), np.inf)
    likely, i = weights, 0
    while i < k:
        running = np.cumsum(likely)
        batch = 1 if i < ALONE else min(i // 64, k - i)
        drawn = np.unique(np.searchsorted(running, rng.random(batch) * running[-1], side="right"))
        new = chosen[i : i + len(drawn)]
        new[:] = points[np.minimum(drawn, len(points) - 1)]
        cost = np.minimum(cost, find(new)[1].astype(np.float64))
        likely, i = cost * weights, i + len(new)
        if not likely.any():
            likely = weights
    return chosen


def _middle(points: AnyArray, weights: AnyArray, bucket: AnyArray, k: int, orders: AnyArray | None) -> AnyArray:
    """The cheapest place of each cluster: the mean, or the median in each dimension."""
    out = np.zeros((k, points.shape[1]), dtype=np.float32)
    if orders is None:
        whole = np.bincount(bucket, weights=weights, minlength=k)
        for j in range(points.shape[1]):
            out[:, j] = np.bincount(bucket, weights=weights * points[:, j], minlength=k) / np.maximum(whole, 1e-300)
        return out
    small = bucket.astype(np.min_scalar_type(k))  # two bytes are sorted in one pass
    for j, by_value in enumerate(orders):
        order = by_value[np.argsort(small[by_value], kind="stable")]
        sorted_bucket, running = bucket[order], np.cumsum(weights[order])
        first = np.searchsorted(sorted_bucket, np.arange(k + 1))
        before = np.concatenate(([0.0], running))[first]
        half = (before[:-1] + before[1:]) / 2
        # the first point at which half of its cluster's weight is reached
        at = np.clip(np.searchsorted(running, half), first[:-1], np.maximum(first[1:] - 1, first[:-1]))
        out[:, j] = points[order[np.minimum(at, len(points) - 1)], j]
    return out


def _cost(find: Finder, weights: AnyArray, centres: AnyArray) -> float:
    return float(find(centres)[1].astype(np.float64) @ weights)
