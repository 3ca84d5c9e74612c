"""Stored games: the vector solver's own iterations, whoever does them, in whatever order, and whatever dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headsup.cli import main
from headsup.common import distribute
from headsup.common.errors import DataError, UserError
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.walk import Walker
from headsup.measure import measure
from headsup.solve.holdem import stored, subgames
from headsup.solve.holdem.stored import cut_game, solve_stored, stored_run
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.records.settings import PRESETS

FLOP = "holdem-limit:ranks=3,suits=3,streets=2,raises=1"
MORE = "holdem-limit:ranks=3,suits=3,streets=2,raises=2"
TURN = "holdem-limit:ranks=3,suits=3,streets=3,raises=1"


def small(name: str) -> VectorGame:
    game = named_game(name)
    assert isinstance(game, VectorGame)
    return game


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder but those that hold no numbers, the time that a run took among them."""
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name not in ("lock", "marker", stored.TRUNK)]
    with np.load(folder / stored.TRUNK) as trunk:
        arrays = {name: trunk[name].tobytes() for name in trunk.files if name != "state.json"}
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths} | arrays


@pytest.mark.parametrize(
    ("name", "cut", "lines", "store"),
    [(FLOP, 1, 99, "float32"), (MORE, 1, 2, "float64"), (TURN, 2, 2, "float32")],
    ids=["flops", "some-lines", "turns"],
)
def test_in_floats_iterations_are_those_of_the_vector_solver(
    tmp_path: Path, name: str, cut: int, lines: int, store: str
) -> None:
    game, n = small(name), 3 - cut
    plain = VectorCfr(game, PRESETS["cfr+"], store=store, threads=1)
    plain.step(n)
    run = solve_stored(game, tmp_path, iterations=n, store=store, cut=cut, lines=lines, jobs=1, keep=True)
    assert run.strategy is not None
    for mine, its in zip(run.strategy.policy, plain.strategy().policy, strict=True):
        np.testing.assert_array_equal(mine, its)
    wanted = measure(game, plain.strategy())
    assert run.measurement.best == wanted.best
    assert run.measurement.values == wanted.values
    assert run.summary()["best_response_mbb"] == wanted.best_response_mbb


@pytest.mark.long
def test_a_large_policy_is_measured_in_its_own_precision_with_the_same_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Small ones are copied, which saves compiling walks of float32 in workspaces of float64."""
    game = small(FLOP)
    run = solve_stored(game, tmp_path / "copied", iterations=2, store="float32", jobs=1, keep=True)
    assert run.strategy is not None
    monkeypatch.setattr(Walker, "COPIED", 0)
    large = solve_stored(game, tmp_path / "large", iterations=2, store="float32", jobs=1)
    assert run.measurement == large.measurement == measure(game, run.strategy)


def test_in_fixed_point_the_same_up_to_rounding(tmp_path: Path) -> None:
    game = small(FLOP)
    plain = VectorCfr(game, PRESETS["cfr+"], threads=1)
    plain.step(12)
    run = solve_stored(game, tmp_path, iterations=12, steps=32767, jobs=1, keep=True)
    assert run.strategy is not None
    assert run.measurement == measure(game, run.strategy)  # by the one measure, to the last bit
    assert run.measurement.mbb == pytest.approx(measure(game, plain.strategy()).mbb, rel=0.05)
    assert run.measurement.value == pytest.approx(plain.values()[0], abs=1e-3)
    assert run.bytes_a_value < 2.2


def test_the_current_strategy_needs_no_average(tmp_path: Path) -> None:
    game = small(FLOP)
    plain = VectorCfr(game, PRESETS["cfr+"], store="float64", threads=1)
    plain.step(3)
    run = solve_stored(game, tmp_path, iterations=3, store="float64", strategy="current", jobs=1, keep=True)
    assert run.strategy is not None
    for mine, its in zip(run.strategy.policy, plain.stores.policy(average=False), strict=True):
        np.testing.assert_array_equal(mine, its)


def test_where_games_are_cut() -> None:
    """Small decks at the flop; the full one at the turn, ten of 63 lines to a subgame, without building any board."""
    small_cut, full = cut_game(small(FLOP), True, {}), cut_game(small("holdem-limit"), True, {})
    assert (small_cut.street, small_cut.lines) == (1, 1)
    assert (full.street, full.lines) == (2, 10)


class Backwards(distribute.Team):
    """Does packets from the last to the first, some of them twice, and may break off."""

    left = 10**9

    def do(self, packets: Sequence[distribute.Packet], done: Callable[[distribute.Packet], None] | None = None) -> None:
        for packet in [*packets[::-1], *packets[:1]]:
            Backwards.left -= 1
            if Backwards.left < 0:
                raise KeyboardInterrupt
            super().do([packet], done)


def test_order_and_interruptions_change_no_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, first, other = small(FLOP), tmp_path / "one", tmp_path / "other"
    solve_stored(game, first, iterations=3, jobs=1)
    monkeypatch.setattr(distribute, "Team", Backwards)
    visits = len(game.boards.levels[1]) + 1
    for left in (visits // 2, visits + 3, 2 * visits + 5):  # within a step of the first player, then of the second, ..
        monkeypatch.setattr(Backwards, "left", left)
        with pytest.raises(KeyboardInterrupt):
            solve_stored(game, other, iterations=3, jobs=1)
    monkeypatch.setattr(Backwards, "left", 10**9)
    with stored_run(game, other, jobs=1) as solver:
        assert 0 < solver.halves < 6
    run = solve_stored(game, other, iterations=3, jobs=1)
    assert run.iterations == 3
    assert contents(first) == contents(other)


def test_the_version_before_stays_until_a_step_is_done(tmp_path: Path) -> None:
    game = small(FLOP)
    solve_stored(game, tmp_path, iterations=1, jobs=1)
    with stored_run(game, tmp_path, jobs=1) as solver:
        seen = []

        def tell(step: Any) -> None:
            old = subgames.state_path(solver.folder, 0, solver.halves % 2, 1)
            seen.append(old.exists())

        solver.watch = tell
        solver.step(1)
        assert seen
        assert all(seen)
        assert not subgames.state_path(solver.folder, 0, 0, 1).exists()
        assert subgames.state_path(solver.folder, 0, 0, 2).exists()


def test_mistakes_are_told_in_one_sentence(tmp_path: Path) -> None:
    game = small(FLOP)
    solve_stored(game, tmp_path / "a", iterations=1, jobs=1)
    for error, words, how in (
        (UserError, "another steps", {"folder": tmp_path / "a", "steps": 255}),
        (UserError, "not by dcfr", {"folder": tmp_path / "b", "method": "dcfr"}),
        (UserError, "steps must be at most", {"folder": tmp_path / "b", "steps": 10**6}),
        (UserError, "leave out steps", {"folder": tmp_path / "b", "steps": 99, "store": "float32"}),
        (UserError, "leave out sums", {"folder": tmp_path / "b", "sums": 99, "store": "float32"}),
        (UserError, "another sums", {"folder": tmp_path / "a", "sums": 255}),
        (UserError, "must be at most 1", {"folder": tmp_path / "b", "cut": 2}),
        (UserError, "leave out alternating", {"folder": tmp_path / "b", "alternating": False}),
    ):
        with pytest.raises(error, match=words):
            solve_stored(game, iterations=1, jobs=1, **how)
    path = subgames.state_path((tmp_path / "a").resolve(), 3, 1, 1)
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(DataError, match="damaged"):
        solve_stored(game, tmp_path / "a", iterations=2, jobs=1)


def test_states_of_other_runs_subgames_and_versions_are_refused(tmp_path: Path) -> None:
    game = small(FLOP)
    mine, other = (tmp_path / name for name in ("mine", "other"))
    solve_stored(game, mine, iterations=2, jobs=1)
    solve_stored(game, other, iterations=2, jobs=1, averaging="quadratic")
    path, trunk = subgames.state_path(mine, 3, 1, 2), mine / stored.TRUNK
    own = path.read_bytes()
    solve_stored(game, tmp_path / "older", iterations=1, jobs=1)
    for foreign in (
        subgames.state_path(other, 3, 1, 2),
        subgames.state_path(mine, 4, 1, 2),
        subgames.state_path(tmp_path / "older", 3, 1, 1),
    ):
        path.write_bytes(foreign.read_bytes())
        with pytest.raises(DataError, match="not the state of this subgame in this run"):
            solve_stored(game, mine, iterations=3, jobs=1)
    path.write_bytes(own)
    trunk.write_bytes((other / stored.TRUNK).read_bytes())
    with pytest.raises(DataError, match="not the trunk of this run"):
        solve_stored(game, mine, iterations=3, jobs=1)


def test_a_visit_of_another_run_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both runs break off in their first step, the values of one are copied to the other."""
    game, right = small(FLOP), tmp_path / "right"
    solve_stored(game, right, iterations=1, jobs=1)
    folders = {stored.STEPS: tmp_path / "mine", 255: tmp_path / "other"}
    monkeypatch.setattr(distribute, "Team", Backwards)
    for steps, folder in folders.items():
        monkeypatch.setattr(Backwards, "left", 3)
        with pytest.raises(KeyboardInterrupt):
            solve_stored(game, folder, iterations=1, jobs=1, steps=steps)
    monkeypatch.undo()
    copied = 0
    for path in (tmp_path / "other/000").glob("*-learn-0-1.npy"):
        for name in (path.name, path.name.replace("-learn", "").replace(".npy", ".state")):
            (tmp_path / "mine/000" / name).write_bytes(path.with_name(name).read_bytes())
            copied += 1
    assert copied == 6
    solve_stored(game, tmp_path / "mine", iterations=1, jobs=1)
    assert contents(tmp_path / "mine") == contents(right)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["solve", FLOP, "--work", str(tmp_path / "f"), "--jobs", "1"]
    assert main([*words, "--iterations", "2", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert list(printed)[:7] == ["game", "method", "iterations", "seconds", "value", "exploitability", "epsilon"]
    assert main([*words, "--iterations", "3"]) == 0
    assert "3 in" in capsys.readouterr().out
    assert main([*words, "--save", "x"]) == 2
    assert "leave out --save" in capsys.readouterr().err
    assert main(["solve", "kuhn", "--work", str(tmp_path / "g")]) == 2
    assert main(["solve", "kuhn", "--jobs", "2"]) == 2
    assert "add --work DIR" in capsys.readouterr().err


@pytest.mark.long
def test_processes_and_a_killed_worker_change_no_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, first, two = small(FLOP), tmp_path / "one", tmp_path / "two"
    solve_stored(game, first, iterations=2, jobs=1)
    monkeypatch.setattr(stored, "FUNCTION", "tests.stored_work:dies_once")
    solve_stored(game, two, iterations=2, jobs=2)
    assert (two / "marker").exists()
    assert contents(first) == contents(two)


KILLED = """
import sys
from headsup.cli import main
from headsup.solve.holdem import stored
stored.FUNCTION = "tests.stored_work:dies_in_an_iteration"
sys.exit(main(sys.argv[1:]))
"""
ROOT = Path(__file__).parents[3]


@pytest.mark.long
def test_a_run_killed_in_the_middle_of_an_iteration_goes_on(tmp_path: Path) -> None:
    game, first, other = small(FLOP), tmp_path / "one", tmp_path / "other"
    solve_stored(game, first, iterations=6, jobs=1)
    words = ["solve", FLOP, "--work", str(other), "--jobs", "1", "--iterations", "6"]
    command = [sys.executable, "-c", KILLED, *words]
    assert subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False).returncode == -signal.SIGKILL
    assert [subgames.state_path(other, n, 0, 2).exists() for n in (4, 5)] == [True, False]
    solve_stored(game, other, iterations=6, jobs=1)
    assert contents(first) == contents(other)


@pytest.mark.ray
def test_ray_with_a_killed_worker_changes_no_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray", reason="the ray extra is not installed")
    game, first, two = small(FLOP), tmp_path / "one", tmp_path / "two"
    solve_stored(game, first, iterations=2, jobs=1)
    monkeypatch.setattr(stored, "FUNCTION", "tests.stored_work:dies_once")
    root = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": root}})
    try:
        solve_stored(game, two, iterations=2, engine="ray")
    finally:
        ray.shutdown()
    assert (two / "marker").exists()
    assert contents(first) == contents(two)
