"""From packets to the table and back out through the reader; brute force on entries of it."""

from __future__ import annotations

import json
import shutil
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from headsup.common.errors import DataError, UserError
from headsup.equity.omaha.eval8 import hands_against
from headsup.equity.omaha.matchups import load
from headsup.equity.omaha.matchups.packets import Plan
from headsup.equity.omaha.matchups.store import array_specs, row_cuts
from headsup.equity.omaha.matchups.table import Build
from headsup.equity.omaha.matchups.verify import brute_entries, brute_entry, check_sums
from tests import naive
from tests.equity.omaha.matchups.conftest import PLAN, files


def test_every_sum_holds(finished):
    hilo, high = load("omaha8", finished), load("omaha", finished)
    sizes, boards = hilo.sizes, comb(12, 5)
    assert (hilo.boards, hilo.classes, sizes.sum()) == (boards, len(sizes), comb(20, 4))
    assert (hilo.number.sum(axis=1, dtype=int) == comb(16, 4)).all()
    met = hilo.number.astype(object) * sizes[:, None]
    assert (met == met.T).all()
    for table in (hilo, high):
        won = table.quarters.astype(object) * sizes[:, None]
        assert (won + won.T == 4 * boards * met).all()
        assert 2 * won.sum() == 4 * boards * met.sum()


def test_entries_agree_with_brute_force(finished):
    hilo, high = load("omaha8", finished), load("omaha", finished)
    for entry in brute_entries(PLAN, 60, seed=4):
        pair = hilo.pair(entry.row, entry.column)
        assert (pair.number, pair.quarters) == (entry.number, entry.quarters)
        assert high.pair(entry.row, entry.column).quarters == entry.quarters_high


def test_the_brute_force_agrees_with_plain_python():
    from headsup.cards.cards import cards_name

    row, column = next(
        (row, column) for row in range(100, 330) for column in range(row) if len(hands_against(row, column)[1]) == 1
    )
    hand, others = hands_against(row, column)
    texts = [cards_name(other) for other in others.tolist()]
    expected = naive.equity_grid("omaha8", [cards_name(hand)], texts, dead=cards_name(range(20, 52)))
    entry = brute_entry(row, column, 5)
    assert (entry.number, entry.grid.tolist()) == (1, [list(counts) for counts in expected])


def test_outcomes_are_consistent_with_quarters(finished, finished_outcomes):
    plain, rich = load("omaha8", finished), load("omaha8", finished_outcomes)
    assert (plain.quarters == rich.quarters).all()
    assert (plain.number == rich.number).all()
    assert rich.outcomes is not None
    counts = rich.outcomes.astype(np.int64)
    assert (counts @ [4, 3, 2, 1, 0] == rich.quarters).all()
    assert (counts.sum(axis=2) == rich.boards * rich.number.astype(np.int64)).all()
    turned = counts.transpose(1, 0, 2)[:, :, ::-1] * rich.sizes[None, :, None]
    assert (counts * rich.sizes[:, None, None] == turned).all()
    high = load("omaha", finished_outcomes)
    assert high.outcomes is not None
    assert (high.outcomes.astype(np.int64) @ [4, 2, 0] == high.quarters).all()
    assert (high.quarters == load("omaha", finished).quarters).all()
    pair = rich.pair(3, 200)
    assert pair.outcomes is not None
    assert sum(pair.outcomes.values()) == pair.number * pair.boards
    assert plain.pair(3, 200).outcomes is None
    for name, blocks in plain.manifest.blocks.items():
        assert rich.manifest.blocks[name] == blocks


def test_the_reader_gives_matrices(finished):
    table = load("omaha8", finished)
    equity, frequency, winnings = table.equity(), table.frequency(), table.winnings()
    blocks = list(table.row_blocks(100))
    assert [block.start for block in blocks] == [0, 100, 200, 300]
    assert (np.concatenate([table.equity(block) for block in blocks]) == equity).all()
    assert np.allclose(equity * frequency, winnings)
    meets = frequency > 0
    assert np.allclose((equity + equity.T)[meets], 1)
    assert (equity[~meets] == 0).all()
    row, column = np.argwhere(meets)[50].tolist()
    assert float(table.pair(row, column).equity) == pytest.approx(equity[row, column], abs=1e-15)
    assert table.pair(row, column).equity + table.pair(column, row).equity == Fraction(1)
    assert isinstance(table.quarters, np.memmap)
    assert table.equity(slice(0, 5), np.float32).dtype == np.float32
    table.verify_checksums()


def test_reader_mistakes(finished, tmp_path):
    table = load("omaha8", finished)
    with pytest.raises(UserError, match="330 is not a hand class of this table: they run from 0 to 329"):
        table.pair(0, 330)
    row = int(np.flatnonzero(np.diag(table.number) == 0)[0])
    with pytest.raises(UserError, match="never meet"):
        _ = table.pair(row, row).equity
    with pytest.raises(UserError, match="'holdem' has no table of matchups"):
        load("holdem", finished)
    with pytest.raises(
        UserError,
        match=r"no finished table of matchups in .* headsup tabulate omaha8 --work .*  \(about ten minutes .* 3.7 GB",
    ):
        load("omaha8", tmp_path)


def test_the_manifest_is_the_contract(finished):
    content = json.loads((finished / "manifest.json").read_text())
    assert (content["format"], content["version"], content["ranks"]) == ("headsup matchups", 1, 5)
    assert content["counts"]["deals"] == comb(20, 8)
    assert content["counts"]["matchups"] == comb(20, 4) * comb(16, 4)
    assert len(content["patterns"]) == 30
    for spec in array_specs(PLAN):
        assert (finished / spec.file).stat().st_size == spec.size
        assert content["arrays"][spec.name] == {"file": spec.file, "dtype": spec.dtype, "shape": list(spec.shape)}
        assert len(content["blocks"][spec.name]) == len(row_cuts(5)) - 1
    assert row_cuts(13)[-1] == 16_432
    assert len(row_cuts(13)) == 65


def test_sums_that_do_not_hold_are_found(table):
    for name, words in [("omaha8", "share more or less than the pot in omaha8"), ("number", "do not meet every other")]:
        spec = next(spec for spec in array_specs(PLAN) if spec.name == name)
        before = (table / spec.file).read_bytes()
        array = np.memmap(table / spec.file, dtype=spec.dtype, mode="r+", shape=spec.shape)
        row, column = np.argwhere(array > 0)[77]
        array[row, column] += 1
        array.flush()
        with pytest.raises(DataError, match=words):
            check_sums(table, PLAN, {}, lambda done, total: None)
        (table / spec.file).write_bytes(before)


def test_outcomes_can_be_added_later(table, finished_outcomes):
    """The table without outcomes stays as it is, and the new run must agree with it."""
    shutil.copytree(finished_outcomes / "packets", table / "packets", dirs_exist_ok=True)
    Build(table, Plan(5, outcomes=True)).run()
    assert files(table) == files(finished_outcomes)
    Build(table, PLAN).run()  # asks for less than there is
    assert load("omaha8", table).outcomes is not None


def test_another_deck_in_the_folder(table):
    with pytest.raises(UserError, match="has the table of a deck of 5 ranks, not 6: choose another folder"):
        Build(table, Plan(6)).run()


@pytest.mark.gpu
def test_a_gpu_builds_the_same_table(tmp_path, finished):
    from headsup.common.backend import gpu_present

    if not gpu_present():
        pytest.skip("no CUDA device, or the gpu extra is not installed")
    Build(tmp_path, PLAN).run(device="gpu")
    assert files(tmp_path) == files(finished)
