"""Buckets on disk: what is loaded is what was saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from headsup.abstraction.hands.buckets import FeatureBuckets
from headsup.abstraction.hands.named import load_buckets, save_buckets
from headsup.common.backend import JIT_DISABLED
from headsup.common.errors import DataError, UserError
from headsup.games import game
from headsup.games.holdem.vector import VectorGame
from tests.abstraction.hands.test_buckets import SPECS, buckets, small

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="it sorts hundreds of thousands of hands")


@pytest.mark.parametrize("spec", SPECS)
def test_what_is_saved_is_loaded(spec: str, tmp_path: Path) -> None:
    made = buckets(spec)
    save_buckets(tmp_path / "one", small(), made)
    loaded = load_buckets(tmp_path / "one", small())
    assert loaded.sizes == made.sizes
    assert isinstance(loaded, FeatureBuckets)
    assert loaded.text == made.text
    assert all((a == b).all() for a, b in zip(loaded.kinds, made.kinds, strict=True))
    for street in range(4):
        n = len(made.tree.levels[street])
        low, high = n // 2, min(n, n // 2 + 50)
        for kind in range(len(made.sizes[street])):
            assert (loaded.rows(0, street, low, high, kind) == made.rows(0, street, low, high, kind)).all()
    save_buckets(tmp_path / "two", small(), loaded)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_files_that_are_something_else(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        load_buckets(tmp_path / "none", small())
    (tmp_path / "text").write_text("hello")
    with pytest.raises(DataError):
        load_buckets(tmp_path / "text", small())
    save_buckets(tmp_path / "one", small(), buckets("*"))
    other = game("holdem-limit:ranks=3")
    assert isinstance(other, VectorGame)
    with pytest.raises(UserError, match="boards or hands"):
        load_buckets(tmp_path / "one", other)
