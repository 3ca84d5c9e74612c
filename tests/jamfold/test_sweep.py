"""Omaha end to end on a deck of five ranks: table, sweep, file, answers."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from headsup.cli import main
from headsup.common.backend import JIT_DISABLED, gpu_present
from headsup.common.errors import DataError, UserError
from headsup.common.progress import Progress
from headsup.equity.omaha.matchups import load
from headsup.equity.omaha.matchups.packets import Plan
from headsup.equity.omaha.matchups.seal import NOTE, check_bytes
from headsup.equity.omaha.matchups.table import Build
from headsup.games.betting.stakes import Stakes
from headsup.games.holdem import classes
from headsup.games.holdem.classes import Classes, class_table
from headsup.jamfold import solve as jamfold_solve
from headsup.jamfold.answer import solved
from headsup.jamfold.cfr import cfr
from headsup.jamfold.shipped import read, write
from headsup.jamfold.solve import solve
from headsup.jamfold.sweep import sweep
from headsup.jamfold.vector import jamfold_game
from tests.small_table import packets_of

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="a table takes hours without compiled kernels")
RANKS = 5
STACKS = [0.5, 1.0, 2.0, 4.0, 7.5, 7.625, 20.0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    place, plan = tmp_path_factory.mktemp("table"), Plan(RANKS)
    shutil.copytree(packets_of(plan, tmp_path_factory), place / "packets")
    Build(place, plan).run()
    return place


@pytest.fixture(params=["omaha", "omaha8"])
def table(request, folder: Path) -> Classes:
    return class_table(request.param, folder=folder, ranks=RANKS)


def test_the_sweep_is_certified_and_survives_the_file(table: Classes, tmp_path: Path) -> None:
    seen: list[Progress] = []
    found = sweep(table, tmp_path / "work", STACKS, watch=seen.append)
    assert [float(step.text.split()[0]) for step in seen] == STACKS
    assert [(step.done, step.total) for step in seen] == [(at + 1, len(STACKS)) for at in range(len(STACKS))]
    write(tmp_path / "sweep.npz", found)
    back = read(tmp_path / "sweep.npz")
    for at, stack in enumerate(STACKS):
        game = jamfold_game(table, Stakes.of(stack))
        proof = game.certify(back.jam[at], back.call[at])
        assert proof.exploitability_mbb <= 1e-3
        assert proof.value_sb == pytest.approx(back.value_sb[at], abs=1e-12)
        assert np.abs(proof.ev_jam - back.ev_jam[at]).max() <= 0.0005 + 1e-12
    assert back.jam_frequency[0] == 1


def test_a_stopped_sweep_resumes(table: Classes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = sweep(table, tmp_path / "whole", STACKS)

    def stop(step: Progress) -> None:
        if step.done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep(table, tmp_path / "work", STACKS, watch=stop)
    files = sorted((tmp_path / "work").iterdir())
    assert len(files) == 3
    files[1].write_bytes(files[1].read_bytes()[:200])  # and one was cut short
    solved_now = []
    monkeypatch.setattr(jamfold_solve, "solve", lambda game, **more: solved_now.append(game) or solve(game, **more))
    again = sweep(table, tmp_path / "work", STACKS)
    assert [game.payoffs.stack for game in solved_now] == [1.0, 4.0, 7.5, 7.625, 20.0]
    assert np.array_equal(again.jam, whole.jam)
    assert np.array_equal(again.call, whole.call)


def test_integers_on_disk_cfr_plus_and_the_exact_method_agree(
    folder: Path, table: Classes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(classes, "DENSE_CLASSES", 0)
    integer = class_table(table.game, folder=folder, ranks=RANKS)
    assert not integer.dense
    stakes = Stakes.of({"omaha": 12.0, "omaha8": 3.0}[table.game])
    dense_game, game = (jamfold_game(one, stakes) for one in (table, integer))
    exact, slow = solve(game), cfr(game, target=1e-3)
    value = dense_game.certify(exact.jam, exact.call).value_sb
    assert game.certify(exact.jam, exact.call).value_sb == pytest.approx(value, abs=1e-12)
    proof = dense_game.certify(slow.jam, slow.call)
    assert proof.exploitability_mbb <= 1e-3
    assert proof.sure_sb - 1e-12 <= value <= proof.most_sb + 1e-12


def test_a_target_that_is_not_reached_is_not_written(
    table: Classes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jamfold_solve, "solve", lambda game, **more: cfr(game, iterations=2))
    with pytest.raises(UserError, match="above the target"):
        sweep(table, tmp_path, [6.0])
    assert list(tmp_path.iterdir()) == []


def test_rows_of_other_stacks_and_tables_are_solved_again(table: Classes, tmp_path: Path) -> None:
    work, other = tmp_path / "work", tmp_path / "other"
    right = sweep(table, work, [4.0, 7.5])
    sweep(classes.without_card_removal(table), other, [4.0], target=0.1)
    four, seven = sorted(work.iterdir())
    seven.write_bytes(four.read_bytes())
    four.write_bytes((other / four.name).read_bytes())
    assert sweep(table, work, [4.0, 7.5]).value_sb == pytest.approx(right.value_sb, abs=1e-9)


def test_any_stakes_are_solved_on_request(table: Classes) -> None:
    stakes = Stakes(3100, 2800, 150, 300, 30)
    found = solved(table, stakes.payoffs)
    assert found.source == "solved"
    assert found.exploitability_mbb <= 1e-3
    assert found.payoffs == pytest.approx((2800 / 300, 0.6, 1.1, 0))


def test_a_missing_table_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="headsup tabulate"):
        class_table("omaha8", folder=tmp_path)
    with pytest.raises(UserError, match="not a device"):
        class_table("omaha8", folder=tmp_path, device="abacus")


def test_a_smaller_deck_is_another_game(folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(UserError, match="a deck of 5 ranks, not 13"):
        class_table("omaha8", folder=folder)
    table, out = ["--table", str(folder)], tmp_path / "out.npz"
    for words in (
        ["jamfold", "--game", "omaha8", "--stack", "10.1"],
        ["jamfold", "--game", "omaha8", "--stack", "10"],
        ["jamfold", "--game", "omaha", "--stack", "10", "--solve", "--hand", "2s2h3s3h"],
        ["sweep", "--game", "omaha8", "--work", str(tmp_path / "work"), "--save", str(out)],
        ["reproduce", "ho-2015", "--without-card-removal"],
    ):
        assert main([*words, *table]) == 2
        err = capsys.readouterr().err
        assert "a deck of 5 ranks" in err
        assert err.count("\n") == 1
    assert not out.exists()


def test_a_damaged_table_is_never_summed(folder: Path, tmp_path: Path) -> None:
    place = Path(shutil.copytree(folder, tmp_path / "table", ignore=shutil.ignore_patterns("packets", NOTE)))
    matchups = load("omaha8", place)
    assert [check_bytes(matchups) for _ in range(3)] == [True, False, False]
    path = place / "omaha8.u32"
    content = bytearray(path.read_bytes())
    content[1000] ^= 1
    path.write_bytes(content)
    for _ in range(2):  # and a finding of damage is not forgotten
        with pytest.raises(DataError, match="damaged blocks"):
            class_table("omaha8", folder=place, ranks=RANKS)
    content[1000] ^= 1
    path.write_bytes(content)
    assert class_table("omaha8", folder=place, ranks=RANKS).classes == matchups.classes
    assert not check_bytes(matchups)


@pytest.mark.parametrize("note", ["{", "[]", "null"])
def test_a_note_that_says_nothing_is_written_again(folder: Path, tmp_path: Path, note: str) -> None:
    place = Path(shutil.copytree(folder, tmp_path / "table", ignore=shutil.ignore_patterns("packets", NOTE)))
    (place / NOTE).write_text(note)
    assert [check_bytes(load("omaha", place)) for _ in range(2)] == [True, False]


def test_where_no_note_can_be_written_every_run_checks(folder: Path, tmp_path: Path) -> None:
    place = Path(shutil.copytree(folder, tmp_path / "table", ignore=shutil.ignore_patterns("packets", NOTE)))
    (place / NOTE).mkdir()
    assert [check_bytes(load("omaha8", place)) for _ in range(2)] == [True, True]


@pytest.mark.parametrize("target", [float("nan"), float("inf"), 0.0, -1.0])
def test_a_target_that_checks_nothing_is_refused(table: Classes, tmp_path: Path, target: float) -> None:
    with pytest.raises(UserError, match="finite number above zero"):
        sweep(table, tmp_path / "work", [6.0], target=target)
    assert not (tmp_path / "work").exists()


@pytest.mark.gpu
@pytest.mark.skipif(not gpu_present(), reason="no CUDA device answers")
def test_the_gpu_gives_the_same_equilibria(folder: Path, table: Classes) -> None:
    device = class_table(table.game, device="gpu", folder=folder, ranks=RANKS)
    for stack in (3.0, 12.0):
        here, there = (jamfold_game(one, Stakes.of(stack)) for one in (table, device))
        mine, theirs = solve(here), solve(there)
        assert np.allclose(mine.jam, theirs.jam, atol=1e-6)
        assert np.allclose(mine.call, theirs.call, atol=1e-6)
        slow = cfr(there, target=1e-3)
        assert here.certify(slow.jam, slow.call).exploitability_mbb <= 1e-3
        proof, other = here.certify(mine.jam, mine.call), there.certify(mine.jam, mine.call)
        assert proof.value_sb == pytest.approx(other.value_sb, abs=1e-12)
