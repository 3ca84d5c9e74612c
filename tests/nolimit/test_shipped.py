"""Blueprints of no-limit hold'em: those that ship, and how they are made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headsup.abstraction import build_buckets
from headsup.abstraction.hands.named import load_buckets
from headsup.common.errors import UserError
from headsup.games import game
from headsup.games.holdem.bucketed import BucketStrategy, bucket_layout
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.gpu_shapes import shapes
from headsup.measure import measure
from headsup.nolimit.make import main, make, older_buckets
from headsup.nolimit.shipped import (
    BUCKETS,
    DEEP_BUCKETS,
    DEEP_STACKS,
    blueprint_path,
    chart_stacks,
    deep_game,
    first_street_of,
    flop_stack,
    load_blueprint,
    nearest_stack,
    nolimit_game,
    shipped_blueprint,
    shipped_nolimit,
)
from headsup.preflop.shipped import shipped_preflop
from headsup.preflop.view import node_after
from headsup.solve import PRESETS, Solution
from headsup.solve.holdem.bucket_solver import first_street
from headsup.solve.holdem.trunk import TrunkCfr

TRUNK = "holdem-nolimit:stack=5,ranks=4,suits=3,streets=3,menu=a; a | preflop 2x, a; a"
SMALL = "holdem-nolimit:stack=4,ranks=4,suits=2,streets=2,menu=100%, a; a"


def test_a_record_that_was_not_measured_claims_no_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "made.headsup"
    main(
        [
            "4",
            "--game",
            SMALL,
            "--buckets",
            "*-3:ehs",
            "--sample",
            "5",
            "--seconds",
            "0",
            "--unmeasured",
            "--out",
            str(out),
        ]
    )
    assert [json.loads(line)["step"] for line in capsys.readouterr().out.splitlines()] == ["plan", "ready", "learnt"]
    summary = Solution.load(out).summary()
    assert {summary[key] for key in ("exploitability_mbb", "value_mbb", "best_response_mbb", "exact")} == {None}


@pytest.mark.parametrize(("stack", "price"), [(15, 186.9340), (20, 244.1519)])
def test_those_that_ship_are_whole(stack: int, price: float) -> None:
    """Measured once over all boards, on a GPU; here only that the record says so."""
    found, played = shipped_nolimit(stack), nolimit_game(stack)
    assert found.content == played.checksum
    assert 1000 * found.exploitability / played.unit == pytest.approx(price, abs=1e-4)
    summary = found.summary()
    assert (summary["value"], summary["value_mbb"]) == (None, None)  # not measured
    assert summary["exploitability_mbb"] == pytest.approx(price, abs=1e-4)
    assert sum(summary["best_response_mbb"].values()) / 2 == pytest.approx(price, abs=1e-4)
    assert (found.params["reply_sb_mbb"] + found.params["reply_bb_mbb"]) / 2 == pytest.approx(price, abs=1e-4)
    assert summary["exact"] is True
    strategy = found.in_game(played)
    assert isinstance(strategy, BucketStrategy)
    rows = strategy.rows(0, played.board(0, 0))
    np.testing.assert_allclose(rows.sum(axis=0), 1.0)
    hands = played.showdown.names(0)
    assert rows[0, hands.index("AsAh")] < 0.01 < 0.9 < rows[0, hands.index("3d2c")]  # who folds what


def test_one_is_made_and_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "made-{}.headsup"
    main(["4", "--game", SMALL, "--buckets", "*-3:ehs", "--sample", "5", "--seconds", "0", "--out", str(out)])
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["step"] for one in steps] == ["plan", "ready", "learnt", "measured"]
    found, played = Solution.load(tmp_path / "made-4.headsup"), game(SMALL)
    assert isinstance(played, VectorGame)
    strategy = found.in_game(played)
    assert isinstance(strategy, BucketStrategy)
    assert steps[0]["numbers"] == [len(numbers) for numbers in strategy.numbers]
    assert sum(map(len, found.strategy)) < sum(steps[0]["numbers"])  # the last actions are left out
    assert measure(played, strategy).mbb == pytest.approx(steps[-1]["mbb"])


def test_looks_along_the_way_and_among_more_bets(capsys: pytest.CaptureFixture[str]) -> None:
    cards, menus = SMALL.replace(",menu=100%, a; a", ""), ["--menu", "a", "100%, a; a", "--among", "50%, 100%, a; a"]
    main(["4", "--game", cards, *menus, "--buckets", "*-3:ehs", "--sample", "5", "--looks", "4", "2"])
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    one = ["plan", "ready", "learnt", "measured", "learnt", "measured", "among"]
    assert [step["step"] for step in steps] == one * 2
    assert [step["iterations"] for step in steps if step["step"] == "learnt"] == [2, 4] * 2
    assert {step["game"] for step in steps if step["step"] == "among"} == {f"{cards},menu=50%, 100%, a; a"}
    for k in (0, len(one)):  # who may bet more wins at least as much
        assert steps[k + 6]["mbb"] > steps[k + 5]["mbb"] - 1e-9
    with pytest.raises(UserError, match="one file holds one blueprint"):
        main(["4", "--game", cards, *menus, "--out", "x"])


def test_below_a_fixed_first_street_the_rest_learns(tmp_path: Path) -> None:
    """On a small deck: what was fixed is saved in 8 bits, and the exploitability falls with the iterations."""
    played = game(TRUNK)
    assert isinstance(played, VectorGame)
    trunk = TrunkCfr(played, PRESETS["dcfr-holdem"], store="float64", threads=1)
    trunk.step(25)
    buckets = build_buckets(played, "*-2-30:board,turn=ehs")
    fixed = []
    for seat in (0, 1):
        numbers = np.zeros((len(trunk.average(seat)), buckets.sizes[0][0]))
        numbers[:, buckets.rows(seat, 0, 0, 1)[0]] = trunk.average(seat)
        fixed.append(numbers.ravel())
    steps: list[dict[str, Any]] = []
    out = tmp_path / "below.headsup"
    record = make(
        played, buckets, seconds=60.0, sample=8, looks=(1, 40), fixed=(fixed[0], fixed[1]), shared=True, out=out,
        tell=lambda **step: steps.append(step),
    )  # fmt: skip
    first, last = (step["mbb"] for step in steps if step["step"] == "measured")
    assert last < first / 3
    assert measure(played, Solution.load(out).in_game(played)).mbb == pytest.approx(last)
    strategy = record.in_game(played)
    assert isinstance(strategy, BucketStrategy)
    for rounded, given in zip(strategy.numbers, fixed, strict=True):
        np.testing.assert_allclose(rounded[: len(given)] / 255, given, atol=1 / 255)
    assert record.buckets is not None
    assert not record.buckets.parts  # they ship once


def test_the_first_street_of_another_blueprint_is_kept(tmp_path: Path) -> None:
    first, second = (str(tmp_path / name) for name in ("first.headsup", "second.headsup"))
    how = ["4", "--game", SMALL, "--buckets", "*-3:ehs", "--sample", "5", "--looks", "9"]
    main([*how, "--out", first])
    main([*how, "--seed", "2", "--before", first, "--out", second])
    played = game(SMALL)
    assert isinstance(played, VectorGame)
    before, after = (Solution.load(Path(path)).in_game(played) for path in (first, second))
    assert isinstance(before, BucketStrategy)
    assert isinstance(after, BucketStrategy)
    for known, kept, layout in zip(before.numbers, after.numbers, before.layouts, strict=True):
        n = first_street(layout)
        np.testing.assert_array_equal(kept[:n], known[:n])
        assert (kept[n:] != known[n:]).any()
    with pytest.raises(UserError, match="is of another game"):
        main(["4", "--game", SMALL.replace("stack=4", "stack=5"), *how[3:], "--before", first])


def test_chart_by_bucket() -> None:
    """The numbers by bucket say what the chart's own view says, hand class by hand class."""
    chart = shipped_preflop(10)
    played = chart.setting.game
    buckets, numbers = older_buckets(played), []
    for seat, first in enumerate(first_street_of(chart, buckets)):
        assert first is not None
        numbers.append(np.concatenate([first, np.zeros(bucket_layout(played, buckets, seat).size - len(first))]))
    strategy, hands = BucketStrategy(played, buckets, (numbers[0], numbers[1])), played.showdown.names(0)
    for line in ("", "call", "raise 2", "all-in"):
        rows = strategy.rows(node_after(chart.setting.betting, line), played.board(0, 0))
        for name, combo in (("AA", "AsAh"), ("72o", "7d2c"), ("T9s", "Ts9s")):
            expected = list(chart.at(line).hand(name)["frequencies"].values())
            np.testing.assert_allclose(rows[:, hands.index(combo)], expected, atol=1e-9)
    with pytest.raises(UserError, match="keep them apart"):
        first_street_of(chart, build_buckets(played, "5-*-*-*:width"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["7", "--preflop"], "no equilibrium before the flop"),
        (["10", "--preflop", "--menu", "a"], "leave out --menu"),
        (["100", "--deep", "--game", "leduc"], "leave out --preflop and --game"),
        (["20", "--deep"], "30, 50, 100, 200"),
    ],
)
def test_mistakes_before_a_blueprint_is_made(words: list[str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        main(words)


@pytest.mark.parametrize("stack", DEEP_STACKS)
def test_deep_blueprints_fit(stack: int, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of at most 12 MB at 0.7 bytes a number, and 30 GB of a GPU; every street can be learned there."""
    main([str(stack), "--deep", "--sample", "64", "--plan"])
    plan = json.loads(capsys.readouterr().out)
    assert sum(plan["numbers"]) < 12e6 / 0.7
    assert plan["device_bytes"] < 30e9
    played = deep_game(stack)
    assert played.betting.rules.blinds == (50, 100)
    assert played.betting.rules.stacks == (100 * stack, 100 * stack)
    assert all(shape.is_coded for shape in shapes(played, 3))


@pytest.mark.parametrize("path", [BUCKETS, DEEP_BUCKETS])
def test_shipped_buckets_are_of_all_cards_and_keep_hand_classes_apart(path: Path) -> None:
    played = shipped_preflop(10).setting.game
    buckets = load_buckets(path, played)
    assert buckets.sizes[0] == (169,)
    assert all(sizes[0] >= 500 for sizes in buckets.sizes[1:])
    assert np.unique(buckets.rows(0, 0, 0, 1)).size == 169


@pytest.mark.parametrize(("stack", "mbb"), [(10, 72.2867), (12, 111.1628)])
def test_blueprints_below_equilibria_were_measured(stack: int, mbb: float) -> None:
    """Measured once over all boards, on a GPU; here only that the record says so."""
    record, played = Solution.load(blueprint_path(stack)), shipped_preflop(stack).setting.game
    assert record.content == played.checksum
    assert 1000 * record.exploitability / played.unit == pytest.approx(mbb, abs=1e-4)
    assert (record.params["reply_sb_mbb"] + record.params["reply_bb_mbb"]) / 2 == pytest.approx(mbb, abs=1e-4)


def test_blueprint_for_10_big_blinds_was_measured_with_the_shipped_equilibrium() -> None:
    record = Solution.load(blueprint_path(10))
    for seat, first in enumerate(first_street_of(shipped_preflop(10), shipped_blueprint(10).buckets)):
        assert first is not None
        np.testing.assert_allclose(record.strategy[seat][: len(first)] / 255, first, atol=1 / 255)


@pytest.mark.parametrize(("stack", "below"), chart_stacks().items())
def test_up_to_12_big_blinds_the_shipped_equilibria_play_before_the_flop(stack: int, below: int) -> None:
    chart, strategy = shipped_preflop(stack), shipped_blueprint(stack)
    assert (chart.stack, nearest_stack(stack), flop_stack(stack)) == (stack, stack, below)
    measured = load_blueprint(blueprint_path(below), below)
    assert strategy.game.checksum == measured.game.checksum
    for seat, first in enumerate(first_street_of(chart, strategy.buckets)):
        assert first is not None
        np.testing.assert_allclose(strategy.numbers[seat][: len(first)] / 255, first, atol=0.5 / 255 + 1e-9)
        np.testing.assert_array_equal(strategy.numbers[seat][len(first) :], measured.numbers[seat][len(first) :])


@pytest.mark.parametrize("stack", DEEP_STACKS)
def test_deep_blueprints_fit_the_game_and_the_package(stack: int) -> None:
    strategy = shipped_blueprint(stack)
    assert strategy.game.checksum == deep_game(stack).checksum
    assert blueprint_path(stack).stat().st_size <= 12_000_000
    rows, hands = strategy.rows(0, strategy.game.board(0, 0)), strategy.game.showdown.names(0)
    np.testing.assert_allclose(rows.sum(axis=0), 1.0)
    assert rows[0, hands.index("AsAh")] < 0.01 < 0.5 < rows[0, hands.index("3d2c")]  # who folds what


@pytest.mark.parametrize(("stack", "mbb"), [(30, 278.3134), (50, 400.5082), (100, 559.8550), (200, 749.6970)])
def test_deep_blueprints_were_measured(stack: int, mbb: float) -> None:
    """Measured once over all boards, on a GPU; here only that the record says so."""
    record, played = Solution.load(blueprint_path(stack)), deep_game(stack)
    assert 1000 * record.exploitability / played.unit == pytest.approx(mbb, abs=1e-4)
    assert (record.params["reply_sb_mbb"] + record.params["reply_bb_mbb"]) / 2 == pytest.approx(mbb, abs=1e-4)
