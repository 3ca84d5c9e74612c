"""`headsup endgame`: what it prints, and what it says to mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from headsup.cli import main
from headsup.solve.endgame_data import CHIPS, grid, shipped


@pytest.fixture(autouse=True)
def _no_table_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An Omaha matchup table on this machine must not change what these tests see."""
    from headsup.equity import matchups

    monkeypatch.setattr(matchups, "default_folder", lambda ranks=13: tmp_path / "no table")


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    assert main(["endgame", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["endgame", *arguments]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_the_fields_of_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "--chips", "20", "--stack", "8")
    assert (found["game"], found["chips"], found["stack"], found["unit"]) == ("holdem", 20, 8, 0.25)
    assert found["source"] == "shipped"
    assert found["value"] == pytest.approx((found["on_button"] + found["off_button"]) / 2, abs=1e-12)
    assert found["low"] <= found["value"] <= found["high"]
    assert found["high"] - found["low"] < 1e-9
    assert found["share"] == 0.4
    assert found["value"] == pytest.approx(0.400228, abs=1e-6)
    assert 0 <= found["chip_play_loss_to_endgame_play"] <= found["chip_play_loss"] < 1e-4
    assert found["chip_play_loss_bb"] == pytest.approx(20 * found["chip_play_loss"])
    assert found["free_low"] < found["value"] < found["free_high"]
    assert {one["seat"] for one in found["differences"]} == {"sb", "bb"}
    mine = answer(capsys, "--chips", "20", "--stack", "8", "--button", "me")
    assert mine["value"] == found["on_button"]
    assert all(one["seat"] == "sb" for one in mine["differences"])
    other = answer(capsys, "--chips", "20", "--stack", "12", "--button", "opponent")
    assert other["value"] == pytest.approx(1 - mine["value"], abs=1e-12)


def test_equal_stacks(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "--chips", "20", "--stack", "10")["value"] == 0.5


def test_solved_now_is_what_ships(capsys: pytest.CaptureFixture[str]) -> None:
    now = answer(capsys, "--chips", "6", "--stack", "2.5", "--solve")
    then = answer(capsys, "--chips", "6", "--stack", "2.5")
    scaled = answer(capsys, "--chips", "1200", "--stack", "500", "--blinds", "100/200")
    assert (now["source"], then["source"], scaled["source"]) == ("solved now", "shipped", "shipped")
    assert now["value"] == pytest.approx(then["value"], abs=1e-9)
    assert scaled["value"] == then["value"]
    assert scaled["chips"] == 1200


def test_rising_blinds_antes_and_payouts(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(
        capsys, "--chips", "6", "--stack", "2", "--blinds", "0.5/1x2,1/2", "--ante", "0.25", "--payouts", "65/35"
    )
    assert [level["hands"] for level in found["blinds"]] == [2, None]
    assert found["blinds"][0]["ante"] == 0.25
    assert found["high"] - found["low"] < 1e-8
    assert found["payout"] == pytest.approx(35 + 30 * found["value"])
    fixed = answer(capsys, "--chips", "6", "--stack", "2", "--ante", "0.25")
    assert fixed["value"] != found["value"]


def test_what_is_shown_to_people(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = shown(capsys, "--chips", "20", "--stack", "8")
    assert "averaged over the button: 40.0228 % to win it all" in text
    assert "less than 1e-9 apart (shipped)" in text
    assert "Q7o: call" in text
    table = shown(capsys, "--chips", "4", "--stack", "2", "--plot")
    assert "on the button" in table
    picture = tmp_path / "value.svg"
    shown(capsys, "--chips", "4", "--stack", "2", "--plot", str(picture))
    assert picture.read_text().startswith("<svg")
    assert (tmp_path / "value-share.svg").exists()
    assert answer(capsys, "--chips", "4", "--stack", "2", "--plot")["curve"]["value"][8] == 0.5


def test_every_shipped_hold_em_endgame_is_certified() -> None:
    records = shipped("holdem")
    assert {(one.rules.chips, one.rules.levels) for one in records} == {
        (one.chips, one.levels) for one in grid("holdem")
    }
    assert len(records) == len(CHIPS) + 1
    for one in records:
        assert one.bounds.gap < 1e-9
        assert one.confirmed < 1e-14
        assert one.worth(one.rules.chips // 2)[0] == 0.5


def test_the_endgame_of_miltersen_and_sorensen(capsys: pytest.CaptureFixture[str]) -> None:
    """They prove 1.4 percentage points (2007, abstract)."""
    (record,) = [one for one in shipped("holdem") if one.rules.levels[0].small == 6]
    widths = []
    for chips in range(1, 160):
        low, high = record.free(chips, True)
        assert low <= record.worth(chips, True)[0] <= high
        widths.append(high - low)
    assert round(100 * max(widths), 1) == 1.4
    found = answer(capsys, "--chips", "8000", "--blinds", "300/600", "--unit", "50", "--stack", "4000")
    assert found["free_high"] - found["free_low"] == pytest.approx(max(widths), abs=1e-9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--chips", "20", "--stack", "20"], "between 0 and the chips"),
        (["--chips", "20", "--stack", "8.1"], "whole number of units"),
        (["--chips", "20", "--stack", "x"], "not a number"),
        (["--chips", "20", "--stack", "8", "--blinds", "1,2"], "no level"),
        (["--chips", "20", "--stack", "8", "--payouts", "35/65"], "first place must pay more"),
        (["--chips", "20", "--stack", "8", "--payouts", "65"], "not a number"),
        (["--chips", "20", "--stack", "8", "--game", "stud"], "stud"),
        (["--chips", "21", "--stack", "8", "--game", "omaha8"], "did not come with headsup"),
        (["--chips", "20", "--stack", "8", "--device", "gpu"], "hold'em has no need of it"),
        (["--chips", "6", "--stack", "2", "--blinds", "0.5/1x2,1/2", "--free"], "fixed blinds"),
        (["--chips", "4", "--stack", "2", "--plot", "/nowhere/at/all.svg"], "cannot be written"),
    ],
)
def test_mistakes_are_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["endgame", *arguments]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
