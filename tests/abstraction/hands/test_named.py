"""Buckets and strategies by bucket in files: read back as they were, and packed small."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from headsup.abstraction.hands.named import NamedBuckets, load_buckets, read_buckets, save_buckets
from headsup.common.errors import DataError, UserError
from headsup.games.holdem.bucketed import BucketStrategy, TableBuckets, no_buckets, packed
from headsup.measure import measure
from headsup.solve import Solution, solve
from tests.bucket_makers import HOLDEM, in_parts, small
from tests.solve import compiled


def ranks() -> TableBuckets:
    """Leduc's hands by rank, and by rank and whether they pair the board."""
    of = small("leduc")
    rank, boards = np.arange(6) // 2, of.boards.levels[1].cards[:, 0] // 2
    return TableBuckets(of, [rank[None].astype(np.uint8), (2 * rank + (rank == boards[:, None])).astype(np.uint8)])


def test_a_file_of_buckets_gives_them_back(tmp_path: Path) -> None:
    of = small(HOLDEM)
    kinds = [np.zeros(1, np.int64), np.arange(int(np.diff(of.rounds.entries)[1])) % 2]
    first = in_parts(of, (4, 5)).tables
    buckets = TableBuckets(of, [first[0], (first[1][0], first[1][0] // 2)], kinds)
    save_buckets(tmp_path / "some.buckets", of, buckets)
    again = read_buckets(str(tmp_path / "some.buckets"), of)
    assert again.sizes == buckets.sizes
    assert all((a == b).all() for a, b in zip(again.kinds, buckets.kinds, strict=True))
    for kind in (0, 1):
        assert (again.rows(0, 1, 3, 9, kind) == buckets.rows(0, 1, 3, 9, kind)).all()
    with pytest.raises(UserError, match="has buckets of holdem-limit"):
        load_buckets(tmp_path / "some.buckets", small("leduc"))
    (tmp_path / "other.buckets").write_bytes((tmp_path / "some.buckets").read_bytes()[:-9] + b"000000000")
    with pytest.raises(DataError, match="damaged"):
        load_buckets(tmp_path / "other.buckets", of)
    with pytest.raises(UserError, match="not a number of buckets"):
        read_buckets("nonsense", of)
    with pytest.raises(UserError, match="no file of buckets"):
        read_buckets("nonsense.buckets", of)


def test_a_solution_in_buckets_is_saved_packed_and_measured(tmp_path: Path) -> None:
    solution = solve("leduc", "cfr+", iterations=20, buckets=ranks(), store="float64")
    assert solution.exploitability == pytest.approx(measure(small("leduc"), solution).exploitability, abs=1e-12)
    for bits, bar in ((4, 5e-2), (8, 2e-3), (16, 1e-5)):
        small_one = solution.packed(bits)
        assert small_one.strategy[0].dtype == np.dtype(f"uint{max(8, bits)}")
        small_one.save(tmp_path / "file")
        again = Solution.load(tmp_path / "file")
        assert again.exploitability == small_one.exploitability == pytest.approx(solution.exploitability, abs=bar)
        assert measure("leduc", again).exploitability == pytest.approx(small_one.exploitability, abs=1e-12)
        assert all((a == b).all() for a, b in zip(again.strategy, small_one.strategy, strict=True))
    assert solution.table()[0].keys() == again.table()[0].keys()


def test_packed_shares_are_the_nearest() -> None:
    of = small("leduc")
    random = np.random.default_rng(1)
    sizes = [layout.size for layout in BucketStrategy(of, no_buckets(of), _zeros(of)).layouts]
    strategy = BucketStrategy(of, no_buckets(of), (random.random(sizes[0]), random.random(sizes[1])))
    for bits in (4, 8, 16):
        rounded, place = packed(strategy, bits), of.board(1, 2)
        node = int(np.flatnonzero(of.rounds.player == 1)[-1])
        gap = np.abs(rounded.rows(node, place) - strategy.rows(node, place)).max()
        assert 0.0 < gap < 1.5 / 2**bits
    with pytest.raises(UserError, match="8 or 16"):
        packed(strategy, 5)


def _zeros(of):  # type: ignore[no-untyped-def]
    from headsup.games.holdem.bucketed import bucket_layout

    return tuple(np.zeros(bucket_layout(of, no_buckets(of), p).size) for p in (0, 1))


def test_buckets_with_a_text_are_kept_by_it() -> None:
    of = small("leduc")
    named = NamedBuckets.of(of, no_buckets(of))
    assert named.text == "none"
    assert not named.arrays()
    assert (named.on(of).rows(0, 1, 0, 6) == no_buckets(of).tables[1][0]).all()


@compiled
def test_buckets_by_their_text_are_made_again(tmp_path: Path) -> None:
    solution = solve(HOLDEM, "cfr+", iterations=3, buckets="3-4:ehs", store="float64", threads=1)
    assert solution.params["buckets"] == "3-4:ehs"
    solution.packed(16).save(tmp_path / "file")
    again = Solution.load(tmp_path / "file")
    assert again.buckets is not None
    assert again.buckets.text == "3-4:ehs"
    assert {name[:4] for name in again.buckets.arrays()} == {"part"}  # the cuts, and no tables
    assert measure(HOLDEM, again).exploitability == pytest.approx(again.exploitability, abs=1e-12)
    other = replace(again, buckets=NamedBuckets("3-4:ehs", checksum="another"))
    with pytest.raises(DataError, match="come out differently"):
        measure(HOLDEM, other)


def test_a_run_in_buckets_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    how = {"buckets": ranks(), "store": "float64", "sample": 2, "seed": 5}
    whole = solve("leduc", "cfr+", iterations=6, **how)
    solve("leduc", "cfr+", iterations=4, checkpoint=tmp_path / "run", **how)
    rest = solve("leduc", "cfr+", iterations=6, checkpoint=tmp_path / "run", **how)
    assert all((a == b).all() for a, b in zip(whole.strategy, rest.strategy, strict=True))
    with pytest.raises(UserError, match="another game"):
        solve("leduc", "cfr+", iterations=7, checkpoint=tmp_path / "run", **{**how, "buckets": _coarse()})


def _coarse() -> TableBuckets:
    of = small("leduc")
    return TableBuckets(of, [np.zeros((1, 6), np.uint8), ranks().tables[1][0]])
