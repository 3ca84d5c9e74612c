"""Buckets that bring their numbers along are not made again."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.abstraction.hands.named import NamedBuckets
from headsup.abstraction.hands.partitions import partition_arrays
from headsup.abstraction.hands.spec import build_buckets, restore_buckets
from headsup.common.errors import DataError
from tests.bucket_makers import small

GAME = "holdem-limit:ranks=4,suits=3,streets=3,raises=1"


@pytest.mark.parametrize("text", ["6-5-4:emd", "6-5-4:potential", "6-*-4:ehs2", "6-5-4:ochs,clusters=3", "5-4-3:width"])
def test_the_same_from_their_numbers(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = small(GAME)
    made = build_buckets(game, text)
    named = NamedBuckets.of(game, made)
    again = NamedBuckets.read(named.text, named.arrays(), named.checksum)
    monkeypatch.setattr("headsup.abstraction.hands.spec._partitions", None)  # nothing is made
    buckets = again.on(game)
    for street in range(game.streets):
        np.testing.assert_array_equal(buckets.rows(0, street, 0, 4), made.rows(0, street, 0, 4))


def test_missing_numbers_are_named() -> None:
    game = small(GAME)
    known = partition_arrays(build_buckets(game, "6-5-4:ehs").partitions)
    known = {name: array for name, array in known.items() if not name.startswith("part1")}
    with pytest.raises(DataError, match="street 1"):
        restore_buckets(game, "6-5-4:ehs", known)
