"""Features and buckets on a GPU are those of the CPU."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.abstraction.hands.features import Features
from headsup.abstraction.hands.spec import build_buckets
from headsup.cards import BoardTree
from headsup.common.backend import gpu_present
from headsup.common.errors import UserError
from headsup.games import game
from headsup.games.holdem.vector import VectorGame

pytestmark = pytest.mark.gpu
needs_device = pytest.mark.skipif(not gpu_present(), reason="no CUDA device, or the gpu extra is not installed")


def small() -> VectorGame:
    played = game("holdem-limit:ranks=4,raises=2")
    assert isinstance(played, VectorGame)
    return played


@needs_device
def test_the_same_counts() -> None:
    from headsup.abstraction.hands.gpu import GpuFeatures

    tree = BoardTree(ranks=4)
    ours, theirs = Features(tree), GpuFeatures(tree)
    weights = np.random.default_rng(1).integers(0, 3, (len(ours.hands), 11)).astype(float)
    for street in range(4):
        for own, other in zip(ours.sums(street, 9), theirs.sums(street, 9), strict=True):
            assert (own == other).all()
        assert (ours.now(street) == theirs.now(street)).all()
        n = min(3, len(ours.sets(street)))
        np.testing.assert_allclose(ours.against(street, 0, n, weights), theirs.against(street, 0, n, weights))


@needs_device
def test_strengths_of_the_whole_deck() -> None:
    from headsup.abstraction.hands.gpu import GpuFeatures

    ours, theirs = Features(BoardTree()), GpuFeatures(BoardTree())
    some = ours.sets(3).cards[::997]
    assert (ours.strengths_on(some) == theirs.strengths_on(some)).all()


@needs_device
@pytest.mark.parametrize(
    "spec",
    ["*", "*-5-5-5:ehs", "3-4-4-4:ehs2,nested", "*-300-6-6:emd,river=ochs,samples=900,bins=8,clusters=3,restarts=2"],
)
def test_the_same_rows(spec: str) -> None:
    from headsup.abstraction.hands.gpu import DeviceBuckets

    ours = build_buckets(small(), spec)
    theirs = DeviceBuckets(build_buckets(small(), spec, device="gpu"))
    assert theirs.sizes == ours.sizes
    for street in range(4):
        boards = len(ours.tree.levels[street])
        low, high = min(2, boards - 1), min(boards, 1000)
        for seat in (0, 1):
            buckets = theirs.rows(seat, street, low, high).get()
            wanted = ours.rows(seat, street, low, high)
            assert buckets.dtype == wanted.dtype
            assert (buckets == wanted).all()


@pytest.mark.skipif(gpu_present(), reason="there is a device")
def test_no_device_is_told() -> None:
    with pytest.raises(UserError, match="device 'gpu'"):
        build_buckets(small(), "*-5-5-5:ehs", device="gpu")
    with pytest.raises(UserError, match="choose one of cpu, gpu"):
        build_buckets(small(), "*-5-5-5:ehs", device="x")
