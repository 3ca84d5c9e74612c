"""What learning on a device does in arrays, with NumPy in place of the device."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from headsup.games.walk.gpu_learn import LISTS, GpuBucketLearner


def a_learner(hands: int, width: int) -> Any:
    """One that can list hands, and no more: that needs no device."""
    learner = GpuBucketLearner.__new__(GpuBucketLearner)
    learner._cp, learner.hands = np, hands  # type: ignore[assignment]
    learner.streets = [SimpleNamespace(width=width)]  # type: ignore[list-item]
    return learner


@pytest.mark.parametrize(("width", "lists"), [(2, 6), (LISTS // 2, 2), (LISTS - 1, 1), (3 * LISTS, 1)])
def test_the_lists_of_a_bucket_hold_its_hands_once_each(width: int, lists: int) -> None:
    """Few buckets have several lists each, which lie one after another; hands that a board blocks are in none."""
    boards, hands = 6, 40
    rng = np.random.default_rng(4)
    buckets = rng.integers(0, width, (9, hands))
    number, alive = rng.choice(9, boards), rng.integers(20, hands, boards)
    order = np.stack([rng.permutation(hands) for _ in range(boards)])
    level = SimpleNamespace(boards=boards, buckets=buckets, number=number)
    learner = a_learner(hands, width)
    member, first = learner._members(0, level, SimpleNamespace(order=order, alive=alive))
    assert len(first) == width * lists + 1
    for bucket in range(width):
        found = member[first[bucket * lists] : first[(bucket + 1) * lists]]
        expected = [
            b * hands + place
            for b in range(boards)
            for place in range(alive[b])
            if buckets[number[b], order[b, place]] == bucket
        ]
        assert sorted(found.tolist()) == expected
