"""k-means: the same bits for the same seed, never worse for more starts, and the distances it says it has."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.abstraction.hands.kmeans import _starts, finder, kmeans, nearest
from headsup.common.errors import UserError


def cloud(seed: int, n: int = 300, d: int = 5) -> npt.NDArray[np.float32]:
    return np.random.default_rng(seed).random((n, d), dtype=np.float32)


@pytest.mark.parametrize("city", [False, True])
def test_the_same_seed_gives_the_same_bits(city: bool) -> None:
    weights = np.random.default_rng(1).integers(1, 9, 300).astype(float)
    first, two = (kmeans(cloud(2), 12, weights=weights, city=city, seed=5, restarts=2) for _ in range(2))
    assert first.centres.tobytes() == two.centres.tobytes()
    assert first.cost == two.cost
    assert kmeans(cloud(2), 12, weights=weights, city=city, seed=6).centres.tobytes() != first.centres.tobytes()


@settings(max_examples=10)
@given(st.integers(0, 1000), st.booleans())
def test_costs(seed: int, city: bool) -> None:
    points = cloud(seed, 120, 3)
    few, many = (kmeans(points, 6, city=city, seed=seed, restarts=n) for n in (1, 4))
    assert many.cost <= few.cost
    bucket, distance = nearest(points, many.centres, city)
    apart = np.abs(points[:, None] - many.centres)
    slow = apart.sum(axis=2) if city else (apart**2).sum(axis=2)
    np.testing.assert_allclose(distance, slow.min(axis=1), rtol=1e-5)
    np.testing.assert_allclose(slow[np.arange(120), bucket], slow.min(axis=1), rtol=1e-5)
    assert many.cost == pytest.approx(slow.min(axis=1).sum(), rel=1e-5)
    middle = np.median(points, axis=0) if city else points.mean(axis=0)
    whole = np.abs(points - middle).sum() if city else ((points - middle) ** 2).sum()
    assert many.explained == pytest.approx(1 - many.cost / whole, abs=1e-4)


@pytest.mark.parametrize("city", [False, True])
@pytest.mark.parametrize("k", [1, 64, 150])
def test_of_equally_near_centres_the_first_is_taken(city: bool, k: int) -> None:
    """Small whole numbers, so that sums are exact and many are equal."""
    rng = np.random.default_rng(k)
    points, centres = (rng.integers(0, 6, (n, 3)).astype(np.float32) for n in (400, k))
    apart = np.abs(points[:, None] - centres)
    slow = apart.sum(axis=2) if city else (apart**2).sum(axis=2)
    bucket, distance = nearest(points, centres, city)
    np.testing.assert_array_equal(bucket, slow.argmin(axis=1))
    np.testing.assert_array_equal(distance, slow.min(axis=1))


def test_clear_clusters_are_found() -> None:
    rng = np.random.default_rng(3)
    middles = np.array([[0, 0], [10, 0], [0, 10], [10, 10]], dtype=float)
    points = np.concatenate([middle + rng.normal(0, 0.1, (50, 2)) for middle in middles])
    for city in (False, True):
        clusters = kmeans(points, 4, city=city, restarts=5)
        assert sorted(np.rint(clusters.centres).tolist()) == sorted(middles.tolist())
        assert clusters.explained > 0.95
    assert len(kmeans(np.repeat(middles, 5, axis=0), 9).centres) == 4  # no more than there are different points


def test_weights_are_copies() -> None:
    points = cloud(9, 40, 2)
    times = np.random.default_rng(4).integers(1, 4, 40)
    for city in (False, True):
        weighted = kmeans(points, 5, weights=times.astype(float), city=city, seed=2)
        two = kmeans(np.repeat(points, times, axis=0), 5, city=city, seed=2)
        np.testing.assert_allclose(weighted.cost, two.cost, rtol=1e-6)


@given(st.lists(st.integers(0, 5), min_size=6, max_size=6), st.lists(st.integers(0, 5), min_size=6, max_size=6))
def test_sums_of_differences_move_earth(first: list[int], two: list[int]) -> None:
    """Greedily, from left to right, is how earth is moved on a line at the least cost."""
    if sum(first) != sum(two):
        return
    piles, cost = [a - b for a, b in zip(first, two, strict=True)], 0
    for i in range(5):
        cost += abs(piles[i])
        piles[i + 1] += piles[i]
    assert np.abs(np.cumsum(first) - np.cumsum(two)).sum() == cost


def test_mistakes() -> None:
    with pytest.raises(UserError, match="at least one point"):
        kmeans(cloud(1), 0)


@pytest.mark.parametrize("city", [False, True])
def test_starts_in_batches_are_different_points_and_as_good(city: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    points = cloud(11, 2000, 4)
    alone = kmeans(points, 450, city=city, seed=3)
    monkeypatch.setattr("headsup.abstraction.hands.kmeans.ALONE", 64)
    starts = _starts(points, np.ones(2000), 450, finder(points, city), np.random.default_rng(3))
    assert len(np.unique(starts, axis=0)) == 450
    assert kmeans(points, 450, city=city, seed=3).cost == pytest.approx(alone.cost, rel=0.02)
