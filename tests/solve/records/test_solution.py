"""Records that come back as they went, runs that go on where they stopped, and curves that can be looked at."""

from __future__ import annotations

import json
import math
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from headsup.common.archives import save_record
from headsup.common.errors import DataError, UserError
from headsup.common.plot import line_chart, loglog_text
from headsup.common.progress import Progress
from headsup.games import Game, flatten, game, sequence_form
from headsup.games.catalogue.small import RockPaperScissors
from headsup.measure import measure
from headsup.solve import Solution, solve


def same(a: Solution, b: Solution) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(a.strategy, b.strategy, strict=True))


def test_saved_and_loaded_without_loss(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.solution"
    first = solve(game("kuhn"), "dcfr", iterations=30, positive=math.inf, seed=4)
    first.save(path)
    back = Solution.load(path)
    assert same(first, back)
    assert back.summary() == first.summary()
    assert back.history == first.history
    assert back.params == {"positive": math.inf}
    assert list(tmp_path.iterdir()) == [path]
    with zipfile.ZipFile(path) as archive:  # the documented layout
        assert set(archive.namelist()) == {"solution.json", "strategy0.npy", "strategy1.npy"}
        meta = json.loads(archive.read("solution.json"))
    assert meta["format"] == "headsup-solution"
    assert {"game", "method", "params", "iterations", "seconds", "value", "exploitability", "epsilon"} <= set(meta)


@pytest.mark.parametrize("method", ["cfr", "pcfr+", "external", "outcome", "fictitious", "fsi"])
def test_resumed_runs_are_uninterrupted_runs(method: str, tmp_path: Path) -> None:
    path = tmp_path / "checkpoint"
    options = {"hands": 50} if method == "fsi" else {}
    straight = solve(game("leduc:merged=true"), method, iterations=60, seed=9, **options)
    for iterations in (7, 31, 60):
        resumed = solve(game("leduc:merged=true"), method, iterations=iterations, seed=9, checkpoint=path, **options)
    assert same(straight, resumed)
    curve = [(t, x) for t, _, x in straight.history]
    assert set(curve) <= {(t, x) for t, _, x in resumed.history}
    assert resumed.iterations == 60


def test_an_interrupted_run_keeps_its_work(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint"

    def interrupt(step: Progress) -> None:
        if step.done >= 40:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(game("kuhn"), "cfr", iterations=100, checkpoint=path, progress=interrupt)
    resumed = solve(game("kuhn"), "cfr", iterations=100, checkpoint=path)
    assert same(resumed, solve(game("kuhn"), "cfr", iterations=100))
    assert any(40 <= t < 50 for t, _, _ in resumed.history)


def test_a_checkpoint_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint"
    solve(game("kuhn"), "cfr", iterations=5, checkpoint=path)
    for name, method, options in (("leduc", "cfr", {}), ("kuhn", "cfr+", {}), ("kuhn", "cfr", {"averaging": "linear"})):
        with pytest.raises(UserError, match="name another file"):
            solve(game(name), method, iterations=9, checkpoint=path, **options)
    with pytest.raises(DataError, match="not a headsup-solution file"):
        Solution.load(path)


def test_damaged_files_get_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with pytest.raises(DataError, match="no file"):
        Solution.load(path)
    path.write_bytes(b"nothing")
    with pytest.raises(DataError, match="damaged"):
        Solution.load(path)
    solve(game("kuhn"), "cfr", iterations=3).save(path)
    data = path.read_bytes()
    for cut in (len(data) // 3, len(data) - 30):
        path.write_bytes(data[:cut])
        with pytest.raises(DataError):
            Solution.load(path)
    save_record(path, "headsup-solution", {"game": "kuhn"}, {})
    with pytest.raises(DataError, match="lacks a part"):
        Solution.load(path)
    with pytest.raises(DataError, match="cannot be written"):
        solve(game("kuhn"), "cfr", iterations=3).save(tmp_path / "no" / "folder")


def test_other_versions_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    monkeypatch.setattr("headsup.common.archives.FORMAT_VERSION", 99)
    save_record(path, "headsup-solution", {}, {})
    monkeypatch.undo()
    with pytest.raises(DataError, match="format version 99"):
        Solution.load(path)


def test_stops() -> None:
    assert solve(game("kuhn"), "cfr+", target=1e-3).exploitability <= 1e-3
    assert solve(game("kuhn"), "cfr+").iterations == 1000
    assert solve(game("leduc"), "cfr", seconds=0.05).seconds >= 0.05
    assert solve(game("kuhn"), "cfr", iterations=0).exploitability == pytest.approx(11 / 24)
    seen: list[float] = []
    solve(game("kuhn"), "cfr", iterations=25, progress=lambda step: seen.append(step.done))
    assert seen == [*range(21), 22, 24, 25]


def test_plots() -> None:
    curve = [(t, x) for t, _, x in solve(game("kuhn"), "cfr+", iterations=100).history]
    root = ElementTree.fromstring(
        line_chart({"cfr+ & <co>": curve}, title="Kuhn", x="iterations", y="", log_x=True, log_y=True)
    )
    lines = [node for node in root.iter() if node.tag.endswith("polyline")]
    assert len(lines) == 1
    assert len(lines[0].attrib["points"].split()) == len(curve) - 1  # iteration 0 has no place on a logarithmic axis
    text = loglog_text({"cfr+": curve}, "iterations", "exploitability")
    assert text.count("o") > 20
    assert "1e-3" in text
    assert max(map(len, text.splitlines())) < 100
    assert loglog_text({"none": []}, "x", "y")
    ElementTree.fromstring(line_chart({"flat": [(1.0, 1.0)]}, title="", x="x", y="y", log_x=True, log_y=True))


def test_strategies_come_out_by_name(tmp_path: Path) -> None:
    first = solve("leduc:merged=true", iterations=20)
    table = first.table()
    form = sequence_form("leduc:merged=true")
    for seat in (0, 1):
        assert table[seat] == form.seats[seat].table(first.strategy[seat])
    assert measure("leduc:merged=true", table) == measure("leduc:merged=true", first)
    first.save(tmp_path / "s")
    back = Solution.load(tmp_path / "s")
    assert back.table() == table
    columns = back.columns()
    assert list(columns) == ["player", "infoset", "action", "share"]
    assert {len(column) for column in columns.values()} == {sum(map(len, first.strategy)) - 2}
    for player, name, action, share in zip(*columns.values(), strict=True):
        assert table[player][name][action] == share


class Coin(Game):
    """A game that no catalogue has: player 0 picks heads or tails, and is paid for heads."""

    name = "coin"

    def root(self) -> str:
        return ""

    def player(self, state: str) -> int:
        return -2 if state else 0

    def actions(self, state: str) -> list[str]:
        return [] if state else ["heads", "tails"]

    def next(self, state: str, index: int) -> str:
        return "ht"[index]

    def chance(self, state: str) -> list[float]:
        return []

    def infoset(self, state: str) -> str:
        return "pick"

    def payoff(self, state: str) -> float:
        return 1.0 if state == "h" else 0.0


@pytest.mark.parametrize("given", [Coin(), flatten(Coin()), sequence_form(Coin())], ids=["game", "tree", "form"])
def test_a_game_of_ones_own_has_a_table_too(given: object) -> None:
    solution = solve(given, "lp")  # type: ignore[arg-type]
    assert solution.table() == ({"pick": {"heads": 1.0, "tails": 0.0}}, {})


def test_a_solution_of_another_game_has_no_table() -> None:
    first = solve("kuhn", iterations=2)
    other = Solution("leduc", "cfr+", {}, 2, 0.0, 0.0, 0.0, 0.0, first.strategy)
    with pytest.raises(DataError, match="not one of the game that is called leduc now"):
        other.table()


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        ({"iterations": 10.5}, "iterations must be a whole number, not 10.5"),
        ({"iterations": 10.0}, "iterations must be a whole number"),
        ({"iterations": True}, "iterations must be a whole number"),
        ({"iterations": "10"}, "iterations must be a whole number"),
        ({"iterations": -1}, "iterations must be at least 0"),
        ({"target": float("nan")}, "target exploitability must be a finite number"),
        ({"target": "x"}, "target exploitability must be a finite number"),
        ({"target": 0}, "target exploitability must be above 0"),
        ({"seconds": float("nan")}, "seconds must be a finite number"),
        ({"seconds": float("inf")}, "seconds must be a finite number"),
        ({"seconds": True}, "seconds must be a finite number"),
        ({"seed": -1}, "-1 is not a seed"),
        ({"seed": 2**64}, "is not a seed"),
        ({"seed": 1.5}, "1.5 is not a seed"),
        ({"method": "fsi", "rate": float("nan")}, "rate of fsi must be a number, not nan"),
        ({"method": "fsi", "rate": 10**400}, "rate of fsi must be a number"),
        ({"method": "fsi", "hands": 10.5}, "hands of fsi must be a whole number"),
        ({"method": "dcfr", "positive": float("nan")}, "positive of dcfr must be a number"),
    ],
)
def test_limits_that_are_none(limits: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says):
        solve(game("kuhn"), **limits)


def test_numbers_of_numpy_are_numbers() -> None:
    plain = solve(game("kuhn"), "external", iterations=5, seed=3)
    assert plain.seed == 3
    other = solve(game("kuhn"), "external", iterations=np.int64(5), seed=np.uint8(3))
    assert other.value == plain.value


@pytest.mark.parametrize("payoff", [1e100, 1e101, 1e308])
@pytest.mark.parametrize("method", ["cfr", "cfr+", "dcfr", "pcfr+", "lp", "external", "outcome", "fsi", "fictitious"])
def test_no_method_answers_with_nan(method: str, payoff: float) -> None:
    class Huge(RockPaperScissors):
        def payoff(self, state: Any) -> float:
            return payoff * super().payoff(state)

    limits = {} if method == "lp" else {"iterations": 20}
    if payoff > 1e100 or method in (
        "fsi",
        "lp",
    ):  # one takes the exponential of payoffs, the other likes them below 1e15
        with pytest.raises(
            UserError, match=r"at most 1e100 in size|beyond what numbers can hold|its numbers too large"
        ):
            solve(Huge(), method, **limits)
        return
    solution = solve(Huge(), method, **limits)
    assert np.isfinite([solution.value, solution.exploitability, solution.epsilon]).all()
