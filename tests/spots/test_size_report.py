"""One size for each texture: averages over flops, and prices against `simplify_sizes`' certificate by hand."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headsup.cli import main
from headsup.common.errors import UserError
from headsup.games.holdem.spot import Spot
from headsup.spots.report import flop_list
from headsup.spots.size_menu import restricted_game, size_groups
from headsup.spots.size_report import SizeReport, make_size_report
from headsup.spots.sizes import size_prices
from tests.solve import compiled
from tests.spots.test_report import FLOPS, SPOT, file_of
from tests.spots.test_sizes import BOUND, RIVER, dense_value, value

FEW = SPOT.with_(flop="50%, a; none")


@compiled
@pytest.mark.parametrize("count", [1, 2])
def test_prices_hold_the_exact_cost_of_each_choice(count: int) -> None:
    groups, game = size_groups(RIVER), RIVER.game()
    prices = size_prices(RIVER, "ip", count, target=0.0005, threads=1)
    (number,) = (i for i, group in enumerate(groups) if group.seat == 1 and group.number == 0)
    assert [tuple(text.split(", ")) for text in prices] == list(combinations(groups[number].sizes, count))
    every = [tuple(range(len(group.sizes))) for group in groups]
    chosen = combinations(range(len(groups[number].sizes)), count)
    for some, (low, high) in zip(chosen, prices.values(), strict=True):
        kept = tuple(some if j == number else sizes for j, sizes in enumerate(every))
        cost = (value(restricted_game(game, groups, kept)[0]) - dense_value(RIVER)) / RIVER.pot
        assert low - BOUND <= cost <= high + BOUND


def test_averages_by_texture_written_out() -> None:
    spot = Spot("Ts9s8s", "AA,KQs,98s", "QQ,JTs,AKo:0.5", 10, 10, flop="a", menu="turn none | river none")
    flops = flop_list(spot.oop, spot.ip, "", "all")
    random = np.random.default_rng(4)
    prices = [{"a": (x, x + 0.1), "50%": (0.2, 0.5)} for x in random.random(len(flops.names)).tolist()]
    rows = SizeReport(spot, "ip", flops, prices).textures()
    suits = [row for row in rows if row["group"] == "suits"]
    assert sum(row["share"] for row in suits) == pytest.approx(1.0)
    for end in ("low", "high"):
        total = sum(row["share"] * row["costs"]["a"][end] for row in suits)
        assert rows[0]["costs"]["a"][end] == pytest.approx(total)
    for row in rows:
        assert row["cost_pot"]["high"] == min(cost["high"] for cost in row["costs"].values())
        assert row["cost_pot"] == row["costs"][row["size"]]


def stopped_at_once(*parts: Any, **how: Any) -> None:
    raise KeyboardInterrupt


@compiled
@pytest.mark.usefixtures("packets_here")
def test_a_report_resumes_and_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, work = file_of({name: FLOPS[name] for name in ("Ts9s8s", "8d8c3h")}, tmp_path), tmp_path / "work"
    first = make_size_report(FEW, work, file, player="oop", target=0.01, jobs=1)
    assert first.sizes == ["50%", "a"]
    stamps = {path: path.stat().st_mtime_ns for path in (work / "solved").iterdir()}
    assert make_size_report(FEW, work, file, player="oop", target=0.01, jobs=1).prices == first.prices
    assert {path: path.stat().st_mtime_ns for path in (work / "solved").iterdir()} == stamps
    spot = ["--oop", FEW.oop, "--ip", FEW.ip, "--pot", "10", "--stack", "10", "--flop", FEW.flop, "--menu", FEW.menu]
    line = ["sizes", *spot, "--flops", file, "--work", str(work), "--seat", "oop", "--target", "1%", "--jobs", "1"]
    assert main([*line, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["textures"][0]["texture"] == "all flops"
    assert answer["textures"][0]["cost_pot"]["low"] <= answer["textures"][0]["cost_pot"]["high"]
    assert main(line) == 0
    assert "oop bets" in capsys.readouterr().out
    next(path for path in sorted(stamps) if path.suffix == ".json").unlink()
    with monkeypatch.context() as patch:
        patch.setattr("headsup.common.distribute.run", stopped_at_once)
        assert main([*line, "--json"]) == 130
        answer, said = capsys.readouterr()
        assert json.loads(answer)["stopped"] is True
        assert "stopped after 1 of 2 flops; run the same command to resume" in said
    assert main(["sizes", *spot, "--flops", file]) == 2
    assert "add --work FOLDER" in capsys.readouterr().err
    assert main([*line, "--count", "2"]) == 2
    with pytest.raises(UserError, match="no choice of bet sizes"):
        size_prices(SPOT, "oop")
