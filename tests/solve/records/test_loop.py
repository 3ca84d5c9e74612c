"""The loop around solvers: checkpoints by the clock, the same bits after a break, Ctrl-C, the game's own content."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from headsup.cli import main
from headsup.common.archives import load_record, save_record
from headsup.common.errors import DataError, UserError
from headsup.common.progress import Progress
from headsup.games import flatten, game, sequence_form
from headsup.games.trees.efg import parse_efg
from headsup.measure import measure
from headsup.solve import Solution, solve, start
from headsup.solve.records.loop import Limits, SolverRun, next_measure
from tests.waiting import PATIENCE


class Clock:
    """Seconds that pass only when a solver steps."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Idle:
    """A solver that does nothing, and takes its time."""

    measured_late = False
    measured_each = 10

    def __init__(self, clock: Clock, seconds: float) -> None:
        self.clock, self.seconds, self.iterations = clock, seconds, 0

    def step(self, n: int) -> None:
        self.iterations += n
        self.clock.now += n * self.seconds

    def exploitability(self) -> float:
        return 1.0

    def arrays(self) -> dict[str, np.ndarray]:
        return {}


def timed_run(clock: Clock, seconds: float, method: str = "cfr") -> SolverRun:
    """A run on Kuhn poker whose every iteration takes so long by the clock."""
    solver = start(game("kuhn"), method)
    step = solver.step

    def slow(n: int) -> None:
        step(n)
        clock.now += n * seconds

    solver.step = slow  # type: ignore[method-assign]
    return SolverRun(solver, {"game": "kuhn", "method": method, "content": solver.form.checksum}, clock=clock)


@pytest.mark.parametrize("seconds", [0.0003, 0.02, 0.9])
def test_a_minute_between_checkpoints_means_a_minute(seconds: float, tmp_path: Path, monkeypatch) -> None:
    """Ten hours, in which measuring points come to lie nearly an hour apart."""
    clock, saved = Clock(), [0.0]
    monkeypatch.setattr("headsup.solve.records.loop.save_record", lambda *_, **__: saved.append(clock.now))
    idle = Idle(clock, seconds)
    run = SolverRun(idle, {}, clock=clock)  # type: ignore[arg-type]
    run.go(Limits(seconds=36_000), tmp_path / "run")
    assert max(np.diff(saved)) <= 60.0
    assert len(saved) < clock.now / 50
    assert saved[1] < 10.0  # the first comes early
    assert max(np.diff([s for _, s, _ in run.history])) > 50 * 60


def test_writing_and_a_busy_machine_make_no_checkpoint_late(tmp_path: Path, monkeypatch) -> None:
    """A file that takes eight seconds to write, and a machine that comes to be fifty times slower in mid-run."""
    clock, saved = Clock(), [0.0]

    def write(*_: object, squeeze: bool) -> None:
        assert not squeeze  # it would take the minute for a gigabyte
        clock.now += 8.0
        saved.append(clock.now)

    class Busy(Idle):
        def step(self, n: int) -> None:
            super().step(n)
            self.seconds = 0.05 if clock.now > 10_000.0 else self.seconds

    monkeypatch.setattr("headsup.solve.records.loop.save_record", write)
    SolverRun(Busy(clock, 0.001), {}, clock=clock).go(Limits(seconds=15_000), tmp_path / "run")  # type: ignore[arg-type]
    gaps = np.diff(saved)[1:]
    late = np.flatnonzero(gaps > 60.0)
    assert len(late) <= 1  # the step that was under way when the machine got slow
    assert saved[-1] > 15_000.0


@pytest.mark.parametrize("method", ["cfr+", "pcfr+", "external", "fictitious"])
def test_going_on_between_measuring_points_changes_nothing(method: str, tmp_path: Path) -> None:
    """A checkpoint may be written at any iteration; the target is looked at only where an unbroken run looks at it."""
    path = tmp_path / "run"
    target = {"cfr+": 1e-4, "pcfr+": 1e-5, "external": 0.03, "fictitious": 0.02}[method]
    straight = timed_run(Clock(), 0.01, method)
    straight.go(Limits(target=target))
    for broken_at in (57, 101, 1003):
        first = timed_run(Clock(), 0.01, method)
        first.solver.step(broken_at)
        assert next_measure(broken_at - 1) != broken_at
        first.save(path)
        second = timed_run(Clock(), 0.01, method)
        second.resume(path)
        second.go(Limits(target=target))
        if broken_at < straight.solver.iterations:
            assert second.solver.iterations == straight.solver.iterations
            for a, b in zip(straight.solver.profile(), second.solver.profile(), strict=True):
                assert np.array_equal(a, b)


def test_a_step_that_was_broken_off_is_not_saved(tmp_path: Path) -> None:
    """Half a step's regrets with a whole step's count would go on wrongly."""
    run = timed_run(Clock(), 1.0)
    path = tmp_path / "run"
    run.go(Limits(iterations=10), path)
    before = path.read_bytes()

    def broken(n: int) -> None:
        raise KeyboardInterrupt

    run.solver.step = broken  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        run.go(Limits(iterations=20), path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [
        {"regret0": np.zeros(1)},
        {"regret0": np.zeros(13, dtype=np.float32)},
        {"iterations": -3},
        {"iterations": "many"},
        {"seconds": float("inf") * 0},
        {"history": [[1, 2]]},
    ],
)
def test_a_checkpoint_that_does_not_fit_is_taken_whole_or_not_at_all(change: dict[str, object], tmp_path: Path) -> None:
    run, path = timed_run(Clock(), 1.0), tmp_path / "run"
    run.solver.step(5)
    arrays = {name: array.copy() for name, array in run.solver.arrays().items()}
    meta = {**run.label, "iterations": 5, "seconds": 1.0, "history": []}
    for name, value in change.items():
        if isinstance(value, np.ndarray):
            arrays[name] = value
        else:
            meta[name] = "nan" if value != value else value
    save_record(path, "headsup-checkpoint", meta, arrays)
    fresh = timed_run(Clock(), 1.0)
    before = [array.copy() for array in fresh.solver.arrays().values()]
    with pytest.raises(DataError, match=r"does not fit this game .*start again without it"):
        fresh.resume(path)
    assert all(np.array_equal(a, b) for a, b in zip(before, fresh.solver.arrays().values(), strict=True))


def test_a_checkpoint_that_cannot_be_written_ends_nothing(tmp_path: Path, monkeypatch, capsys) -> None:
    """A full disk in the middle of a run is tried again a minute later; at its end the figures are not lost."""
    clock, path, fails = Clock(), tmp_path / "run", [3]

    def full(*given: object, **options: bool) -> None:
        fails[0] -= 1
        if fails[0] >= 0:
            raise DataError("there is no room left")
        save_record(*given, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("headsup.solve.records.loop.save_record", full)
    run = timed_run(clock, 1.0)
    run.go(Limits(iterations=500), path)
    assert run.unsaved is None
    assert path.exists()
    fails[0] = 10**9
    words = ["solve", "kuhn", "--iterations", "20", "--checkpoint", str(path) + "2", "--save", str(tmp_path / "x.sol")]
    assert main([*words, "--json"]) == 2
    output = capsys.readouterr()
    assert json.loads(output.out)["iterations"] == Solution.load(tmp_path / "x.sol").iterations == 20
    assert output.err == "headsup solve: there is no room left\n"


def test_a_checkpoint_of_another_merge_is_refused(tmp_path: Path) -> None:
    """Both functions are called the same, and merge as many information sets."""
    keys = [lambda seat, hand, text, low=low: (text, hand in low) for low in ("JQ", "QK")]
    given = {"form": "vector", "checkpoint": tmp_path / "run"}
    solve(game("kuhn"), "cfr", iterations=5, merge=keys[0], **given)
    assert solve(game("kuhn"), "cfr", iterations=9, merge=keys[0], **given).iterations == 9
    with pytest.raises(UserError, match="name another file"):
        solve(game("kuhn"), "cfr", iterations=12, merge=keys[1], **given)


@pytest.mark.parametrize(
    ("limits", "left"),
    [
        ((None, 300, None), 20.0),
        ((None, None, 15.0), 5.0),
        ((None, 300, 15.0), 5.0),
        ((0.01, None, None), 10.0 * (10.0 - 1.0)),  # it fell as 1 / iterations: ten times as many
        ((0.5, None, None), 0.0),
        ((1e-300, None, None), 1e9),
    ],
)
def test_time_left(limits: tuple[float | None, int | None, float | None], left: float | None) -> None:
    target, iterations, seconds = limits
    curve = [(0, 0.0, 9.0), (25, 2.5, 0.4), (50, 5.0, 0.2), (100, 10.0, 0.1)]
    assert Limits(iterations, target, seconds).time_left(curve) == (None if left is None else pytest.approx(left))
    assert Limits(iterations, target, seconds).time_left(curve[:1]) is None


# --- Ctrl-C ---------------------------------------------------------------------------------------------------------

CHILD = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from headsup.solve.records import loop
measure = loop.SolverRun.measure
def told(self):
    print("now", file=sys.stderr, flush=True)
    return measure(self)
loop.SolverRun.measure = told
import headsup.cli
sys.exit(headsup.cli.main(sys.argv[1:]))
"""


@pytest.mark.parametrize("extra", [[], ["--checkpoint", "run"]])
def test_ctrl_c_saves_what_there_is(extra: list[str], tmp_path: Path, capsys) -> None:
    words = ["solve", "leduc", "--iterations", "1000000000", "--save", "x.sol", "--json", *extra]
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[3]), *sys.path])}
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=env,
    ) as run:
        assert run.stderr is not None
        assert run.stderr.readline() == "now\n"
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == 130, err
    printed = json.loads(out)
    where = "x.sol and run" if extra else "x.sol"
    assert (
        err.splitlines()[-1] == f"headsup solve: stopped after {printed['iterations']:,} iterations, saved in {where}"
    )
    assert {path.name for path in tmp_path.iterdir()} == set(where.split(" and "))
    saved = Solution.load(tmp_path / "x.sol")
    assert saved.exploitability == printed["exploitability"] == measure(game("leduc"), saved).exploitability
    if extra:
        on = solve(game("leduc"), iterations=saved.iterations + 10, checkpoint=tmp_path / "run")
        straight = solve(game("leduc"), iterations=saved.iterations + 10)
        assert np.array_equal(on.strategy[0], straight.strategy[0])


def test_ctrl_c_from_python_has_the_solution() -> None:
    def press(step: Progress) -> None:
        if step.done == 30:
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        solution = solve(game("kuhn"), "cfr", iterations=10**9, progress=press)
    finally:
        signal.signal(signal.SIGINT, before)
    assert solution.stopped
    with pytest.raises(KeyboardInterrupt):
        solution.finished()
    straight = solve(game("kuhn"), "cfr", iterations=solution.iterations)
    assert solution.exploitability == straight.exploitability


# --- the game's own content -----------------------------------------------------------------------------------------

TOSS = """EFG 2 R "toss" { "a" "b" }
c "" 1 "" { "heads" 1/2 "tails" 1/2 } 0
p "" 1 1 "heads" { "bet" "pass" } 0
p "" 2 1 "bet" { "call" "fold" } 0
t "" 1 "" { 2 -2 }
t "" 2 "" { 1 -1 }
t "" 3 "" { -1 1 }
p "" 1 2 "tails" { "bet" "pass" } 0
p "" 2 1 "bet" { "call" "fold" } 0
t "" 4 "" { -2 2 }
t "" 2 "" { 1 -1 }
t "" 3 "" { -1 1 }
"""
EDITED = TOSS.replace("{ 2 -2 }", "{ 5 -5 }")


def test_a_checkpoint_of_an_edited_game_is_refused(tmp_path: Path) -> None:
    path, run = tmp_path / "toss.efg", tmp_path / "run"
    path.write_text(TOSS)
    solve(game(str(path)), iterations=100, checkpoint=run)
    path.write_text(TOSS.replace("\n", "\n\n"))  # the same game
    assert solve(game(str(path)), iterations=200, checkpoint=run).iterations == 200
    path.write_text(EDITED)
    with pytest.raises(UserError, match=r"is of another game that was called .*toss\.efg too, .*: name another file"):
        solve(game(str(path)), iterations=300, checkpoint=run)


def test_a_checkpoint_that_does_not_tell_its_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    solve("kuhn", iterations=10, checkpoint=path)
    meta, arrays = load_record(path, "headsup-checkpoint")
    save_record(path, "headsup-checkpoint", {name: value for name, value in meta.items() if name != "content"}, arrays)
    with pytest.raises(UserError, match="is too old to tell: name another file"):
        solve("kuhn", iterations=20, checkpoint=path)


def test_a_solution_is_measured_in_the_game_it_holds(tmp_path: Path, monkeypatch, capsys) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    monkeypatch.chdir(here)
    (here / "toss.efg").write_text(TOSS)
    assert main(["solve", "toss.efg", "--iterations", "500", "--save", "toss.sol", "--json"]) == 0
    solved = json.loads(capsys.readouterr().out)
    monkeypatch.chdir(there)  # no such game here
    assert main(["measure", "../here/toss.sol", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["exploitability"] == solved["exploitability"]
    monkeypatch.chdir(here)
    (here / "toss.efg").write_text(EDITED)
    assert main(["measure", "toss.sol", "--json"]) == 2
    output = capsys.readouterr().err
    assert "toss.efg is another game than the one that was solved: solve it again, or add --game toss.efg" in output
    assert output.count("\n") == 1
    assert main(["measure", "toss.sol", "--game", "toss.efg", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["exploitability"] > solved["exploitability"]
    monkeypatch.setattr("headsup.solve.records.loop.MOST_SOURCE", 10)  # a text that is too long is not kept
    assert main(["solve", "toss.efg", "--iterations", "5", "--save", "short.sol", "--json"]) == 0
    assert main(["measure", "short.sol", "--json"]) == 0
    (here / "toss.efg").write_text(TOSS)
    assert main(["measure", "short.sol", "--json"]) == 2
    (here / "toss.efg").write_text(EDITED)
    with pytest.raises(UserError, match=r"the solution is of another game that was called toss\.efg too"):
        measure(game("toss.efg"), Solution.load("toss.sol"))


@pytest.mark.parametrize("name", ["andersson", "kuhn", "leduc", "rps", "small_holdem:rounds=1", "spades"])
def test_one_game_has_one_checksum(name: str) -> None:
    """Whichever way it is built."""
    chosen = game(name)
    checksum = sequence_form(chosen).checksum
    assert flatten(chosen).sequence_form().checksum == checksum


def test_payoffs_chances_and_order_are_in_the_checksum() -> None:
    texts = [
        TOSS,
        EDITED,
        TOSS.replace('"heads" 1/2 "tails" 1/2', '"heads" 1/3 "tails" 2/3'),
        TOSS.replace("{ 2 -2 }", "{ 2.000001 -2.000001 }"),
        TOSS.replace("{ -2 2 }", "{ 2 -2 }"),
    ]
    assert len({sequence_form(parse_efg(text)).checksum for text in texts}) == len(texts)
    assert (
        sequence_form(parse_efg(TOSS.replace("{ 2 -2 }", "{ 4/2 -2.0 }"))).checksum
        == sequence_form(parse_efg(TOSS)).checksum
    )


def test_a_checkpoint_goes_on_with_other_threads_and_another_folder(tmp_path: Path) -> None:
    """They change no number; the store does, and is refused."""
    name, path = "holdem-limit:ranks=4,suits=2,streets=2", tmp_path / "run"
    straight = solve(name, iterations=6, threads=1, store="float64")
    solve(name, iterations=3, threads=1, store="float64", checkpoint=path)
    resumed = solve(name, iterations=6, threads=2, store="float64", folder=tmp_path / "stores", checkpoint=path)
    for a, b in zip(straight.strategy, resumed.strategy, strict=True):
        assert np.array_equal(a, b)
    with pytest.raises(UserError, match="params"):
        solve(name, iterations=6, store="float32", checkpoint=path)


def test_where_measuring_takes_long_it_is_rare() -> None:
    points = {}
    for each in (10, 5, 2):
        points[each] = [0]
        while points[each][-1] < 40:
            points[each].append(next_measure(points[each][-1], each))
    assert points[10][:21] == list(range(21))
    assert points[5][1:] == [8, 9, 10, 12, 14, 16, 19, 22, 26, 31, 37, 44]
    assert points[2][1:] == [8, 12, 18, 27, 40]
