"""A spot on many flops: which flops, how they weigh, averages written out, and work that is killed and gone on with."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import combinations
from math import comb
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from headsup.cli import main
from headsup.common import distribute
from headsup.common.errors import DataError, MissingExtra, UserError
from headsup.equity.api import equity
from headsup.games.holdem.spot import Spot
from headsup.spots import report as module
from headsup.spots.report import Report, flop_list, make_report
from headsup.spots.solve import solve_spot
from tests.distribute_work import Here
from tests.naive import DECK, split_cards
from tests.solve import compiled

FLOPS = {"Ts9s8s": 4.0, "Ah7d2c": 24.0, "8d8c3h": 12.0, "QsJh2h": 12.0}
SPOT = Spot("Ts9s8s", "AA,KQs,98s", "QQ,JTs,AKo:0.5", 10, 10, flop="a", menu="turn none | river none")


def file_of(flops: dict[str, float], folder: Path) -> str:
    path = folder / "flops.txt"
    path.write_text("# some\n" + "".join(f"{name} {weight}\n" for name, weight in flops.items()))
    return str(path)


@compiled
def test_all_flops_stand_for_every_flop() -> None:
    """Summed over flops, the pairs of hands left are those before the flop, each with the flops of 48 cards."""
    for oop, ip, dead in (("AA,KQs", "AKo:0.5,22", ""), ("AhKh,QQ", "JJ,AKs", ""), ("AA,KQ", "AK,22", "2c")):
        found = flop_list(oop, ip, dead)
        cards = [card for card in DECK if card not in split_cards(dead)]
        assert found.counts.sum() == comb(len(cards), 3)
        deals = equity(oop, ip, dead=dead)
        pairs = deals.deals / comb(len(cards) - 4, 5)
        scale = pairs / (found.counts @ found.masses / comb(len(cards) - 4, 3))
        assert scale == pytest.approx(round(scale))  # equity counts in whole numbers: AKo:0.5 makes all weights double
    assert len(flop_list("AA", "KK").names) == 1753  # on three aces and on three kings one of the pairs is gone
    assert len(flop_list("100%", "50%").names) == 1755
    assert len(flop_list("AhKh", "QQ").names) > 1755
    assert len(flop_list("AcAd", "AhAs").names) < len(flop_list("AcAd", "AhKs").names)


def test_a_subset_needs_ranges_without_suits() -> None:
    found = flop_list("100%", "15%", which=25)
    assert len(found.names) == 25
    assert found.counts.sum() == pytest.approx(22_100, abs=0.2)
    assert not found.all
    for texts in (("AhKh", "QQ", ""), ("AA", "QQ", "2c")):
        with pytest.raises(UserError, match="tell suits apart"):
            flop_list(*texts, which="25")
    with pytest.raises(UserError, match="there is no subset of 26 flops: choose one of 9, 25, 49, 95, 184, or all"):
        flop_list("AA", "KK", which=26)
    with pytest.raises(UserError, match="no two hands"):
        flop_list("AcAd", "AcAh")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no flop in it"),
        ("QsJh", "line 1: write three cards"),
        ("\nQsJh2x", "line 2: "),
        ("QsJh2h -1", "line 1: write three cards"),
        ("QsJh2h 1 2", "line 1: write three cards"),
        ("QsJh2h x", "line 1: "),
        ("QsJh2h\nJhQs2h", "line 2: JhQs2h is there twice"),
        ("QsJh5c", "line 1: QsJh5c has a dead card"),
    ],
)
def test_mistakes_in_a_file_of_flops(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "f.txt"
    path.write_text(text)
    with pytest.raises(DataError, match=said):
        flop_list("AA", "KK", "5c", str(path))


def fake(flops: dict[str, float], rows: list[dict[str, Any]]) -> Report:
    masses = np.arange(1.0, 1.0 + len(flops))
    return Report(SPOT, "", module.FlopList(tuple(flops), np.array(list(flops.values())), masses), rows)


def test_averages_written_out() -> None:
    rows = [
        {
            **{"player": "oop", "pot": 10, "actions": ["check", "bet 5"], "comes": comes, "exploitability_pot": 0.001},
            **{"equity_oop": 0.1 * i, "value_oop": 1.0 * i, "value_ip": 10.0 - i, "iterations": 3},
            **{"frequencies": [0.2 * i, 1 - 0.2 * i] if comes else [None, None]},
            **{"ev": 2.0 * i if comes else None, "equity": 0.05 * i if comes else None},
        }
        for i, comes in enumerate((0.5, 1.0, 0.0, 0.25))
    ]
    found = {row["texture"]: row for row in fake(FLOPS, rows).textures()}
    weights = [4.0, 48.0, 36.0, 48.0]
    every = found["all flops"]
    assert every["value_oop"] == pytest.approx(sum(w * i for i, w in enumerate(weights)) / sum(weights))
    there = [4.0 * 0.5, 48.0, 0.0, 48.0 * 0.25]
    assert every["frequency check"] == pytest.approx(sum(w * 0.2 * i for i, w in enumerate(there)) / sum(there))
    assert every["ev"] == pytest.approx(sum(w * 2.0 * i for i, w in enumerate(there)) / sum(there))
    assert found["paired"]["flops"] == 1
    assert np.isnan(found["paired"]["ev"])  # play never comes there
    assert found["rainbow"]["share"] == pytest.approx((48.0 + 36.0) / sum(weights))
    assert found["rainbow"]["value_oop"] == pytest.approx((48.0 + 2 * 36.0) / 84.0)
    assert "J high" not in found
    shown = fake(FLOPS, rows)
    assert shown.chart("frequency").count("<rect") > len(found)
    assert "paired" in shown.chart("value") or np.isnan(found["paired"]["frequency check"])


@compiled
@pytest.mark.usefixtures("packets_here")
def test_a_report_is_made_of_solved_spots(tmp_path: Path) -> None:
    flops = {name: FLOPS[name] for name in ("Ts9s8s", "8d8c3h")}
    seen: list[float] = []
    found = make_report(
        *(SPOT, tmp_path / "out", file_of(flops, tmp_path)),
        **{"line": "check", "target": 0.01, "jobs": 1, "progress": lambda step: seen.append(step.done)},
    )
    assert seen == [0, 1, 2]
    for row in found.rows:
        solved = solve_spot(SPOT.with_(board=row["flop"]), 0.01, threads=1)
        view = solved.at("check")
        assert row["value_oop"] == solved.value_oop
        assert row["comes"] == pytest.approx(solved.frequencies[0])
        assert row["frequencies"] == view.totals["frequencies"]
        assert row["player"] == "ip"
        assert solved.exploitability_pot <= 0.01
    table = list(csv.DictReader((tmp_path / "out" / "flops.csv").read_text().splitlines()))
    assert [row["flop"] for row in table] == ["Ts9s8s", "8d8c3h"]
    assert float(table[0]["value_oop"]) == pytest.approx(found.rows[0]["value_oop"], rel=1e-5)
    assert [row["suits"] for row in table] == ["monotone", "rainbow"]
    assert (tmp_path / "out" / "frequency.svg").read_text().startswith("<svg")
    told = json.loads((tmp_path / "out" / "report.json").read_text())
    assert told["exact"] is False
    assert "off by" in told["accuracy"][0]
    with pytest.raises(UserError, match="has a report with another target"):
        make_report(SPOT, tmp_path / "out", file_of(flops, tmp_path), line="check", target=0.02)
    with pytest.raises(UserError, match="has a report with another spot"):
        make_report(SPOT.with_(oop="AA"), tmp_path / "out", file_of(flops, tmp_path), line="check", target=0.01)


@compiled
@pytest.mark.long
def test_a_flop_of_another_report_is_solved_again(tmp_path: Path) -> None:
    flops = file_of({"8d8c3h": 1.0}, tmp_path)
    how: dict[str, Any] = {"iterations": 3, "target": None, "jobs": 1}
    right = make_report(SPOT, tmp_path / "out", flops, **how)
    make_report(SPOT.with_(pot=20), tmp_path / "other", flops, **how)
    (tmp_path / "out/solved/8d8c3h.json").write_bytes((tmp_path / "other/solved/8d8c3h.json").read_bytes())
    assert make_report(SPOT, tmp_path / "out", flops, **how).rows == right.rows


def words(flops: str, out: Path) -> list[str]:
    spot = ("--oop", SPOT.oop, "--ip", SPOT.ip, "--pot", "10", "--stack", "10", "--flop", "a", "--menu", SPOT.menu)
    return ["report", *spot, "--flops", flops, "--work", str(out), "--target", "1%", "--jobs", "1", "--json"]


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file() and p.name != "lock"}


@compiled
def test_killed_in_the_middle_and_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    flops = file_of(FLOPS, tmp_path)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    with monkeypatch.context() as patch:
        patch.setattr(distribute, "_Local", Here)
        assert main(words(flops, whole)) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["flops"] == len(FLOPS)
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    child = subprocess.Popen(
        [sys.executable, "-m", "headsup", *words(flops, broken)], env=env, stdout=subprocess.DEVNULL
    )
    try:
        while child.poll() is None and len(list(broken.glob("solved/*.json"))) < 1:
            time.sleep(0.005)
    finally:
        child.kill()
        child.wait()
    first = {path: path.stat().st_mtime_ns for path in broken.glob("solved/*.json")}
    assert first
    damaged = broken / "solved" / "QsJh2h.json"  # half a file, as a dying disk might leave it: solved again
    damaged.write_text("{")
    first.pop(damaged, None)
    assert main(words(flops, broken)) == 0
    assert all(path.stat().st_mtime_ns == at for path, at in first.items())
    assert files(broken) == files(whole)


@compiled
@pytest.mark.usefixtures("packets_here")
def test_ctrl_c_leaves_a_report_of_what_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    flops, out = file_of(FLOPS, tmp_path), tmp_path / "out"

    def after(number: int) -> Callable[[Any], None]:
        def watch(step: Any) -> None:
            if step.done == number:
                raise KeyboardInterrupt

        return watch

    with pytest.raises(KeyboardInterrupt):
        make_report(SPOT, out, flops, target=0.01, progress=after(0))
    some = make_report(SPOT, out, flops, target=0.01, progress=after(2))
    assert (some.stopped, some.done, len(some.columns()["flop"])) == (True, "2 of 4 flops", 2)
    assert some.flops.shares.sum() == pytest.approx(1.0)
    assert "over 2 flops" in some.accuracy()[0]
    assert "Stopped after 2 of 4 flops, in a random order." in some.accuracy()
    with monkeypatch.context() as patch:
        patch.setattr(distribute, "run", lambda *parts, **how: after(0)(SimpleNamespace(done=0)))
        assert main(words(flops, out)) == 130
    answer, said = capsys.readouterr()
    told = json.loads(answer)
    assert (told["flops"], told["stopped"], told["exact"]) == (2, True, False)
    assert "stopped after 2 of 4 flops; run the same command to resume" in said
    assert {path.name for path in out.iterdir()} == {"lock", "settings.json", "solved"}
    assert main(words(flops, out)) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["flops"], told["stopped"]) == (4, False)


def test_parquet_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"Parquet needs the 'parquet' extra: install it with"):
        module.parquet_module()


def test_parquet_files_have_the_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = SimpleNamespace(write_table=lambda table, file: file.write(json.dumps(table).encode()))
    monkeypatch.setitem(sys.modules, "pyarrow", SimpleNamespace(table=dict))  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", writer)  # type: ignore[arg-type]
    row = {"player": "oop", "pot": 10, "actions": ["check"], "comes": 1.0, "exploitability_pot": 0.0, "iterations": 1}
    row |= {"equity_oop": 0.5, "value_oop": 5.0, "value_ip": 5.0, "frequencies": [1.0], "ev": 5.0, "equity": 0.5}
    found = fake({"Ts9s8s": 4.0}, [row])
    flops, by_texture = (json.loads(path.read_text()) for path in found.write_parquet(tmp_path))
    assert flops == found.columns()
    assert by_texture["texture"][0] == "all flops"


@compiled
@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--address", "x"), "--address names a Ray cluster: add --engine ray"),
        (("--flops", "7"), "there is no subset of 7 flops"),
        (("--flops", "nofile"), "nofile cannot be read: there is no file of that name"),
        (("--jobs", "0"), "0 jobs cannot do any work: give 1 or more"),
        (("--device", "gpu", "--jobs", "2"), "one process at a time uses the GPU"),
        (("--method", "x"), "spots are solved by cfr, cfr+, linear, dcfr, pcfr+, dcfr-holdem, not by 'x'"),
        (("--line", "fold"), "'fold' is not possible here"),
        (("--line", "check, check"), "after 'check, check' nobody acts on the flop any more"),
        (("--line", "check, 7c"), "'7c' is not an action"),
    ],
)
def test_mistakes_are_one_sentence(
    more: tuple[str, ...], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flops = file_of({"Ts9s8s": 1.0}, tmp_path)
    assert main([*words(flops, tmp_path / "out"), *more]) == 2
    said = capsys.readouterr()
    assert sentence in said.err.splitlines()[-1]
    assert "Traceback" not in said.err


def test_a_report_needs_a_spot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--oop", "AA", "--work", str(tmp_path)]) == 2
    assert "a spot needs ip, pot, stack" in capsys.readouterr().err


@pytest.mark.parametrize(("size", "cards"), [(2, "AcAdAhKcKd2s"), (4, "AcAdAhKcKd2s7h8h9h")])
def test_masses_against_a_count(size: int, cards: str) -> None:
    from headsup.cards.cards import parse_cards
    from headsup.cards.combos import colex
    from headsup.equity.holdem.flop_subsets import flop_masses

    hands = list(combinations(split_cards(cards), size))
    ranges = np.zeros((2, comb(52, size)))
    for i, hand in enumerate(hands):
        ranges[:, colex(parse_cards("".join(hand)))] = i + 1, (i * 7) % 5
    for flop in ("AcQh2s", "3c4c5c", "KdKhKs"):
        wanted = sum(
            (i + 1) * ((j * 7) % 5)
            for i, a in enumerate(hands)
            for j, b in enumerate(hands)
            if len({*a, *b, *split_cards(flop)}) == 3 + 2 * size
        )
        found = flop_masses(np.array([parse_cards(flop)], dtype=np.uint8), (ranges[0], ranges[1]))
        assert found[0] == pytest.approx(wanted)


@compiled
@pytest.mark.usefixtures("packets_here")
def test_a_report_of_omaha(tmp_path: Path) -> None:
    spot = Spot("2c2d2h", "AAKK,A2QQ", "KKQQ,JJT9", 10, 10, bets="a", variant="omaha8")
    with pytest.raises(UserError, match="a report of omaha8 is of some flops: give a subset"):
        make_report(spot, tmp_path / "all")
    flops = {"Ts9s8s": 4.0, "8s5s3s": 4.0}  # of one suit, so that boards are few
    report = make_report(spot, tmp_path / "out", file_of(flops, tmp_path), line="check", target=0.1, jobs=1)
    assert {row["flop"] for row in report.rows} == set(flops)
    for row in report.rows[:1]:
        solved = solve_spot(spot.with_(board=row["flop"]), 0.1, threads=1)
        view, mass = solved.at("check"), solved.game.showdown.mass
        assert row["value_oop"] == solved.value_oop
        assert row["frequencies"] == pytest.approx(view.totals["frequencies"])
        checks = solved.strategy.rows(0, solved.game.board(0, 0))[0]
        wanted = mass((solved.game.weights[0] * checks, solved.game.weights[1])) / solved.game.mass
        assert row["comes"] == pytest.approx(wanted)
        assert report.flops.masses[report.flops.names.index(row["flop"])] == pytest.approx(solved.game.mass)
    assert "their error is not known" in report.accuracy()[0]
