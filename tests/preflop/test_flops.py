"""Before the flop with play after it: jam or fold is the smallest case; charts add up, and are read back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headsup.cards.classes import holdem_class_sizes
from headsup.cli import main
from headsup.common.display import duration
from headsup.common.errors import DataError, UserError
from headsup.equity.holdem.flop_subsets import FlopSubset
from headsup.games.betting.stakes import CHIPS, Stakes
from headsup.jamfold.answer import answer
from headsup.preflop import all_flops, flops, make, pairs
from headsup.preflop.chart import PreflopChart, Setting
from headsup.preflop.flops import SolvePlan, solve_flops
from headsup.preflop.shipped import shipped_preflop
from headsup.preflop.view import node_after
from headsup.solve.holdem.store import MemoryPlan
from headsup.solve.records.loop import Limits
from tests.solve import compiled

pytestmark = compiled


@pytest.fixture(scope="module")
def jams() -> PreflopChart:
    return solve_flops(Setting(10.0, "a", limp=False), target=0.01, threads=1)


@pytest.fixture(scope="module")
def chart() -> PreflopChart:
    """Five big blinds, two flops, few iterations: far from an equilibrium, but a strategy like any other."""
    few = FlopSubset(np.array([[0, 1, 2], [48, 49, 50]], dtype=np.uint8), np.array([10.0, 14.0]), 0.0, 0.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flops, "flop_subset", lambda size: few)
        return solve_flops(
            Setting(5.0, "2x, a; a", "a; a", "a; a", "a; a"), target=None, iterations=3, store="float64", threads=2
        )


def test_a_menu_of_jams_is_jam_or_fold(jams: PreflopChart) -> None:
    known = answer("holdem", Stakes.of(10))
    assert jams.value_sb == pytest.approx(known.value_sb, abs=1e-4)
    assert jams.exploitability_mbb < 0.01
    assert jams.at("").actions == ("fold", "all-in 10")
    assert jams.at("").hand("A5s")["ev"]["all-in 10"] == pytest.approx(known.ev_jam[known_class("A5s")], abs=2e-3)


def test_a_menu_of_jams_is_exact_without_a_target(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("preflop", "--stack", "10", "--bets", "a", "--no-limp")
    for more, note in (("--solve", "nobody can bet on the flop"), ("--checked-down", "checked down")):
        assert main([*words, more, "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["value_sb_bb"] == pytest.approx(answer("holdem", Stakes.of(10)).value_sb, abs=1e-4)
        assert told["exact"] is True
        assert note in told["note"]
    assert main([*words, "--solve", "--hand", "AA"]) == 0
    assert "exact over all flops" in capsys.readouterr().out
    assert main([*words, "--solve", "--flops", "7"]) == 2
    assert "there is no subset of 7 flops" in capsys.readouterr().err


def known_class(name: str) -> int:
    from headsup.cards.classes import parse_holdem_class

    return parse_holdem_class(name)


def test_values_of_the_first_decision_add_up_to_the_value_of_the_game(jams: PreflopChart) -> None:
    view = jams.at("")
    assert np.allclose(view.frequencies.sum(axis=0), 1.0)
    mean = (view.frequencies * view.ev).sum(axis=0) @ holdem_class_sizes() / 1326
    assert mean == pytest.approx(jams.value_sb, abs=1e-5)
    assert np.allclose(view.ev[0], -0.5)


@pytest.mark.parametrize("name", ["jams", pytest.param("chart", marks=pytest.mark.long)])
def test_the_best_actions_of_both_seats_add_up_to_the_exploitability(name: str, request: pytest.FixtureRequest) -> None:
    """Values are followed by best play, so the best first action of every hand is a best response."""
    chart: PreflopChart = request.getfixturevalue(name)
    first = chart.at("")
    small = first.weights @ first.ev.max(axis=0)
    folds = first.totals["fold"]
    big = folds * 0.5  # the small blind folds before the big blind acts
    for action, often in first.totals.items():
        if action != "fold":
            answer = chart.at(action)
            big += often * (answer.weights @ answer.ev.max(axis=0))
    assert 500.0 * (small + big) == pytest.approx(chart.exploitability_mbb, abs=0.01)


@pytest.mark.long
def test_values_are_those_of_best_play_after_the_action(chart: PreflopChart) -> None:
    """So both seats together earn more than nothing, and what is put in is all that an action can lose."""
    betting = chart.setting.betting
    earned = []
    for seat, line in ((0, ""), (1, "call")):
        view = chart.at(line)
        assert np.allclose(view.frequencies.sum(axis=0), 1.0)
        earned.append((view.frequencies * view.ev).sum(axis=0) @ view.weights)
        for action in range(len(view.actions)):
            child = int(betting.child[node_after(betting, line)]) + action
            assert view.ev[action].min() >= -betting.paid[child, seat] / CHIPS - 1e-6
    assert earned[0] > chart.value_sb + 1e-3
    assert chart.at("").ev[0] == pytest.approx(-0.5)


@pytest.mark.long
def test_ranges_where_a_line_sees_the_flop(chart: PreflopChart) -> None:
    assert chart.at("").actions == ("fold", "call", "raise 2", "all-in 5")
    assert all(text for text in chart.ranges("call, check"))
    with pytest.raises(UserError, match="no flop comes"):
        chart.ranges("call")
    with pytest.raises(UserError, match="the flop comes"):
        chart.at("call, check")


def test_ranges_of_a_jam_that_is_called(jams: PreflopChart) -> None:
    assert all("AA" in text or "22+" in text for text in jams.ranges("all-in, call"))
    with pytest.raises(UserError, match="no flop comes"):
        jams.ranges("fold")


def test_charts_are_saved_and_read(jams: PreflopChart, tmp_path: Path) -> None:
    path = tmp_path / "chart.headsup"
    jams.save(path)
    again = PreflopChart.load(path)
    assert repr(again) == repr(jams)
    assert again.summary() == jams.summary()
    replace(jams, stopped=True).save(path)
    interrupted = PreflopChart.load(path)
    assert interrupted.summary()["stopped"] is True
    assert interrupted.note == f"{jams.note}, stopped early"
    assert interrupted.about == jams.about
    other = PreflopChart({**jams.about, "menu": "2x, a"}, jams.probabilities, jams.ev)
    other.save(path)
    with pytest.raises(DataError, match="is not a preflop chart"):
        PreflopChart.load(path)


def test_a_subset_that_does_not_ship_is_refused() -> None:
    with pytest.raises(UserError, match="no subset of 24 flops"):
        solve_flops(Setting(5.0), flops=24)


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        ({"target": -1.0}, "the target"),
        ({"iterations": -1}, "iterations"),
        ({"seconds": 0.0}, "seconds"),
        ({"threads": 0}, "threads"),
        ({"device": "tpu"}, "'tpu' is not a device"),
    ],
)
def test_mistakes_are_named_before_boards_are_listed(
    limits: dict[str, Any], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flops, "subset_game", None)
    with pytest.raises(UserError, match=sentence):
        solve_flops(Setting(5.0), **limits)


def test_too_little_memory_is_named_before_the_subset_is_corrected(monkeypatch: pytest.MonkeyPatch) -> None:
    few = FlopSubset(np.array([[0, 1, 2]], dtype=np.uint8), np.array([4.0]), 0.0, 0.0)
    announced: list[SolvePlan] = []
    monkeypatch.setattr(flops, "flop_subset", lambda size: few)
    monkeypatch.setattr(flops, "subset_error", None)
    monkeypatch.setattr("headsup.solve.holdem.store.free_memory", lambda: 1000)
    with pytest.raises(UserError, match=r"1 kB are free: take fewer flops \(--flops 9\), or"):
        solve_flops(Setting(5.0), threads=1, announce=announced.append)
    assert not announced


def test_time_is_announced_with_memory_before_a_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flops, "cores", lambda: 2)  # more threads do not help
    once = 3.5
    memory = MemoryPlan(values=10**9, stores=2 * 10**9, work=0, boards=0)
    by_target = SolvePlan.of(memory, Limits(target=5.0 * CHIPS / 1000.0), "cpu", 2)
    assert (by_target.each, by_target.iterations) == (pytest.approx(3.5), 138)
    assert str(by_target).endswith("and about 8.1 minutes: 138 iterations of 3.5 s")
    assert SolvePlan.of(memory, Limits(iterations=9, target=1.0), "cpu", 1).seconds == pytest.approx(63.0)
    assert str(SolvePlan.of(memory, Limits(iterations=1), "cpu", 64)).endswith(f": 1 iteration of {duration(once)}")
    assert SolvePlan.of(memory, Limits(seconds=70.0), "cpu", 1).iterations == 10
    assert SolvePlan.of(memory, Limits(iterations=0), "gpu", 1).iterations == 1
    assert str(SolvePlan.of(replace(memory, values=10), Limits(target=1.0), "cpu", 1)).endswith("less than a second")
    assert [duration(time) for time in (0.5, 90.0, 5400.0, 9000.0)] == ["0.5 s", "90 s", "90 minutes", "2.5 hours"]


def test_sums_of_flops_from_two_folders_are_those_of_all_flops(
    jams: PreflopChart, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng, job = np.random.default_rng(3), all_flops._job(jams, 1, "int16")
    lines = int(all_flops.whole_game(jams.setting).rounds.deals[1])
    value = rng.normal(size=(1755, 2, lines, 169)).astype(np.float32)
    results = [all_flops.FlopResult(own + 0.01, own) for own in value.astype(np.float64)]
    path, sums = tmp_path / "chart", tmp_path / "sums"
    jams.save(path)
    parts = range(700), [5, *range(700, 1755)]  # one flop was solved twice
    for number, part in enumerate(parts):
        work = tmp_path / str(number)
        work.mkdir()
        for flop in part:
            all_flops._path(work, flop).write_bytes(all_flops._content(job, results[flop]))
        words = [str(path), "--work", str(work), "--iterations", "1", "--seconds", "0", "--sums", str(sums)]
        all_flops.main([*words, "--shard", "1/2"])
        assert sums.exists() == bool(number)
        all_flops.main(words)
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines()[1::2])
    exact = all_flops.exploitability(jams, range(1755), results)
    assert (first["flops"], first["summed_flops"], second["summed_flops"]) == (700, 700, 1755)
    assert exact.exact
    total = all_flops.FlopSums.read(str(sums), job, lines).total
    np.testing.assert_allclose(total.value, value.sum(axis=0, dtype=np.float64), atol=1e-9)
    np.testing.assert_allclose(total.best, total.value + 17.55, atol=1e-3)
    assert second["low"] == second["high"] == pytest.approx(exact.high, rel=1e-6)
    assert second["value_sb_bb"] == pytest.approx(exact.value_sb_bb, rel=1e-6)
    with pytest.raises(SystemExit):
        all_flops.main([str(path), "--work", str(tmp_path), "--iterations", "2", "--sums", str(sums)])
    assert "has no flops of this chart that were solved like this" in capsys.readouterr().err


@pytest.mark.long
def test_flops_are_solved_one_by_one_and_resumed(
    chart: PreflopChart, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, work = str(tmp_path / "chart"), tmp_path / "work"
    chart.save(path)
    words = [path, "--work", str(work), "--iterations", "1"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(all_flops, "order", lambda flops: [1754, 0])
        all_flops.main(words)
        first = json.loads(capsys.readouterr().out)
        patch.setattr(all_flops, "solve_flop", None)  # both are there
        all_flops.main(words)
        again = json.loads(capsys.readouterr().out)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(all_flops, "order", lambda flops: [1754, 0])
        shared = tmp_path / "shared"
        all_flops.main([path, "--work", str(shared), "--iterations", "1", "--jobs", "2"])
        assert json.loads(capsys.readouterr().out)["high"] == first["high"]
        assert [file.read_bytes() for file in sorted(shared.glob("*.flop"))] == [
            file.read_bytes() for file in sorted(work.glob("*.flop"))
        ]
    assert first["flops"] == again["flops"] == 2
    assert (first["low"], first["high"]) == (again["low"], again["high"])
    assert first["high"] > 0.0
    assert first["low"] <= first["high"] + 1e-9


@pytest.mark.parametrize(
    ("words", "said"), [(["--jobs", "0"], "0 jobs cannot do any work"), (["--flops", "0"], "leaves no flop to solve")]
)
def test_work_that_nobody_could_do_is_refused(
    words: list[str], said: str, jams: PreflopChart, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    jams.save(tmp_path / "chart")
    with pytest.raises(SystemExit):
        all_flops.main([str(tmp_path / "chart"), "--work", str(tmp_path), *words])
    assert said in capsys.readouterr().err


def test_a_flop_is_the_same_in_a_worker_that_has_no_file_of_the_chart(jams: PreflopChart) -> None:
    setting, *tables = json.loads(all_flops._text(jams))
    again = all_flops._chart(all_flops._text(jams))
    assert again.setting == jams.setting == type(jams.setting)(**setting)
    assert len(tables) == 2
    assert all_flops._job(again, 3, "int16") == all_flops._job(jams, 3, "int16")


def test_solved_flops_belong_to_a_strategy_and_not_to_its_figures(jams: PreflopChart, tmp_path: Path) -> None:
    flop = all_flops.FlopResult(np.zeros((2, 1, 169)), np.zeros((2, 1, 169)))
    all_flops._path(tmp_path, 7).write_bytes(all_flops._content(all_flops._job(jams, 100, "int16"), flop))
    figures = all_flops.Exploitability(1.0, 2.0, 0.1, 1)
    measured = all_flops.measured_chart(replace(jams, stopped=True), [7], [flop], figures)
    assert measured.stopped
    assert measured.exploitability_text == "1.5 mbb/g, estimated from 1 of 1,755 flops: 1.0 to 2.0"
    measured.save(tmp_path / "measured")
    same = PreflopChart.load(tmp_path / "measured")
    assert list(all_flops.solved_flops(same, tmp_path, 100, "int16", [7, 8])) == [7]
    others = [
        replace(jams, probabilities=(jams.probabilities[0][::-1], jams.probabilities[1])),
        replace(jams, about={**jams.about, "flop": "a; a"}),
    ]
    for other in others:
        assert not all_flops.solved_flops(other, tmp_path, 100, "int16", [7])
    assert not all_flops.solved_flops(jams, tmp_path, 101, "int16", [7])
    assert not all_flops.solved_flops(jams, tmp_path, 100, "float32", [7])


@pytest.mark.long
def test_a_menu_of_jams_is_made_without_averages_and_measured(
    jams: PreflopChart, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out, work = str(tmp_path / "chart-10"), str(tmp_path / "measured"), str(tmp_path / "work")
    make.main(["10", "--menu", "a", "--no-limp", "--iterations", "200", "--out", path.replace("10", "{}")])
    bare = PreflopChart.load(path)
    assert "not measured" in bare.exploitability_text
    assert np.isnan(bare.exploitability_mbb)
    assert np.allclose(bare.at("").ev, jams.at("").ev, atol=5e-3)
    assert bare.summary()["exploitability_mbb"] is None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(all_flops, "order", lambda flops: [1754, 0])
        all_flops.main([path, "--work", work, "--iterations", "1", "--save", out])
    chart, lines = PreflopChart.load(out), capsys.readouterr().out.splitlines()
    assert chart.measured == json.loads(lines[-1])["flops"] == 2
    assert chart.value_sb == pytest.approx(jams.value_sb, abs=1e-4)
    assert chart.exploitability_mbb < 0.1
    assert np.allclose(chart.at("").ev, bare.at("").ev, atol=1e-5)
    with pytest.raises(SystemExit):
        make.main(["10", "--out", path])


@pytest.mark.long
def test_a_best_response_earns_more_than_the_strategy_on_every_line(chart: PreflopChart) -> None:
    result = all_flops.solve_flop(chart, all_flops.flop_game(chart.setting, 0), 2, store="float64", threads=1)
    assert (result.best >= result.value - 1e-12).all()
    assert (result.best > result.value + 1e-9).any()


def test_an_estimate_from_some_flops_includes_the_exact_value() -> None:
    """Whatever hands earn on the flops: here random amounts."""
    rng, chart = np.random.default_rng(4), shipped_preflop(5)
    copies = all_flops.whole_game(chart.setting).boards.levels[1].copies  # type: ignore[attr-defined]
    lines = int(all_flops.flop_game(chart.setting, 0).rounds.deals[1])
    amounts = [0.02 * times * rng.standard_normal((2, lines, 169)) for times in copies]
    results = [all_flops.FlopResult(drawn + 0.005 * times, drawn) for drawn, times in zip(amounts, copies, strict=True)]
    exact = all_flops.exploitability(chart, range(len(copies)), results)
    assert exact.exact
    for number in (40, 400):
        some = rng.permutation(len(copies))[:number].tolist()
        part = all_flops.exploitability(chart, some, [results[flop] for flop in some])
        assert not part.exact
        assert part.low < exact.high < part.high


def test_pairs_of_classes_on_a_flop(tmp_path: Path) -> None:
    known = {card: place for place, card in enumerate("23456789TJQKA")}
    flop = np.array([4 * known["A"] + 3, 4 * known["K"] + 2, 4 * known["7"] + 1], dtype=np.uint8)
    met, beaten = pairs.class_pairs(flop)
    aces, kings = known_class("AA"), known_class("KK")
    assert met[aces, kings] == pytest.approx(3 / 6 * 3)  # three of the six pairs of aces are left, and three of kings
    assert 0.9 < beaten[aces, kings] / met[aces, kings] < 1.0
    assert np.allclose(
        beaten + (beaten * holdem_class_sizes()[:, None]).T / holdem_class_sizes()[:, None], met, atol=1e-4
    )
    with pytest.raises(DataError, match="cannot be read"):
        pairs.read_pairs(tmp_path / "none.npy")
    np.save(tmp_path / "few.npy", np.zeros(3, dtype=np.float32))
    with pytest.raises(DataError, match="make it with this module"):
        pairs.read_pairs(tmp_path / "few.npy")
