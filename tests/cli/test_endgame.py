"""`headsup endgame`: what it prints, and what it says to mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from headsup.cards.games import GAME_NAMES
from headsup.cli import main
from headsup.endgame.shipped import CHIPS, extras, grid, shipped

GAMES = tuple(GAME_NAMES)


@pytest.fixture(autouse=True)
def _no_table_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An Omaha matchup table on this machine must not change what these tests see."""
    from headsup.equity.omaha import matchups

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
    assert "averaged over the button: 40.0228 % to win the match" in text
    assert "less than 1e-9 apart (shipped)" in text
    assert "Q7o: call" in text
    table = shown(capsys, "--chips", "4", "--stack", "2", "--plot")
    assert "on the button" in table
    picture = tmp_path / "value.svg"
    shown(capsys, "--chips", "4", "--stack", "2", "--plot", str(picture))
    assert picture.read_text().startswith("<svg")
    assert (tmp_path / "value-share.svg").exists()
    assert answer(capsys, "--chips", "4", "--stack", "2", "--plot")["curve"]["value"][8] == 0.5


@pytest.mark.parametrize("game", GAMES)
def test_every_shipped_endgame_is_certified(game: str) -> None:
    records = shipped(game)
    assert {(one.rules.chips, one.rules.levels) for one in records} == {(one.chips, one.levels) for one in grid(game)}
    assert len(records) == len(CHIPS) + (game == "holdem")
    for one in records:
        n = one.rules.chips
        assert one.bounds.gap < 1e-9
        assert one.confirmed < 1e-14
        assert (one.rows["low"] <= one.rows["value"] + 1e-14).all()
        assert (one.rows["value"] <= one.rows["high"] + 1e-14).all()
        assert one.worth(n // 2)[0] == 0.5
        assert (one.worth(0, True)[0], one.worth(n, True)[0]) == (0, 1)
        for button in (None, True, False):
            assert (np.diff([one.worth(chips, button)[0] for chips in range(n + 1)]) > 0).all()
        for chips in range(1, n):
            assert -1e-9 <= one.loss(chips, against="match") <= one.loss(chips) + 1e-9


def test_the_share_of_chips_and_playing_for_chips_are_nearly_right() -> None:
    """The answer of docs/endgame.md, in points: at worst over sizes and splits, from the share and lost."""
    found = {}
    for game in GAMES:
        every = [(one, chips) for one in shipped(game) for chips in range(1, one.rules.chips)]
        apart = max(abs(one.worth(chips)[0] - chips / one.rules.chips) for one, chips in every)
        found[game] = round(100 * apart, 3), round(100 * max(one.loss(chips) for one, chips in every), 4)
    assert found == {"holdem": (0.056, 0.0135), "omaha": (0.015, 0.0058), "omaha8": (0.015, 0.0022)}


def test_a_large_endgame_of_omaha_lists_the_hands_that_matter_most(capsys: pytest.CaptureFixture[str]) -> None:
    """The example of ho-2015; above 50 big blinds a dozen hands are listed, and all are counted."""
    found = answer(capsys, "--game", "omaha8", "--chips", "90", "--stack", "30")
    assert found["source"] == "shipped"
    assert found["value"] == pytest.approx(0.333336, abs=1e-6)
    assert found["high"] - found["low"] < 1e-9
    listed = [sum(hand["seat"] == seat for hand in found["differences"]) for seat in ("sb", "bb")]
    assert all(count == min(12, found["differ"][seat]) for count, seat in zip(listed, ("sb", "bb"), strict=True))
    assert found["differ"]["sb"] > 12
    assert "--json has all" not in shown(capsys, "--game", "omaha8", "--chips", "90", "--stack", "30")


@pytest.mark.parametrize(
    ("game", "on_button", "off_button"), [("omaha", 0.402234, 0.397802), ("omaha8", 0.401941, 0.398045)]
)
def test_omaha_is_answered_without_a_table(
    game: str, on_button: float, off_button: float, capsys: pytest.CaptureFixture[str]
) -> None:
    """Figures of the run that made what ships."""
    found = answer(capsys, "--game", game, "--chips", "20", "--stack", "8")
    assert found["source"] == "shipped"
    assert found["on_button"] == pytest.approx(on_button, abs=1e-6)
    assert found["off_button"] == pytest.approx(off_button, abs=1e-6)
    assert found["value"] == pytest.approx((on_button + off_button) / 2, abs=1e-6)
    assert found["high"] - found["low"] < 1e-9
    # the button is an advantage here
    assert all(one["endgame"] > one["chips"] for one in found["differences"] if one["seat"] == "sb")
    text = shown(capsys, "--game", game, "--chips", "20", "--stack", "8")
    assert f"{100 * found['value']:.4f} % to win the match" in text
    assert "more often, 0 less often; 12 shown" in text


@pytest.mark.parametrize("game", GAMES)
def test_extra_figures_agree_with_what_ships(game: str) -> None:
    more = extras(game)
    (record,) = [one for one in shipped(game) if one.rules.big_blinds == more["chips"]]
    same = more["units"]["0.25"]
    np.testing.assert_allclose(same["value"], record.rows["value"][0], atol=1e-9)
    np.testing.assert_allclose(same["chip_big"], record.rows["chip_big"][0], atol=1e-9)
    for one in (*more["units"].values(), more["rising"]):
        assert one["gap"] < 1e-9
    if game == "holdem":
        assert more["raise"] < 1e-4 < 1e-2 < more["limp"]
    for one in more["free"].values():
        low, value, high = (np.array(one[name]) for name in ("low", "value", "high"))
        assert (low <= value + 1e-9).all()
        assert (value <= high + 1e-9).all()


def test_the_endgame_of_miltersen_and_sorensen(capsys: pytest.CaptureFixture[str]) -> None:
    """They prove 1.4 percentage points (2007, abstract), folding to limps; checking them leaves a third."""
    (record,) = [one for one in shipped("holdem") if one.rules.levels[0].small == 6]
    widths: dict[str, list[float]] = {"free": [], "limp": []}
    for plan, found in widths.items():
        for chips in range(1, 160):
            low, high = record.free(chips, True, plan)
            assert low <= record.worth(chips, True)[0] <= high
            found.append(high - low)
    assert round(100 * max(widths["free"]), 1) == 1.4
    assert 0.3 < 100 * max(widths["limp"]) < 0.5
    told = answer(capsys, "--chips", "8000", "--blinds", "300/600", "--unit", "50", "--stack", "4000")
    assert told["free_high"] - told["free_low"] == pytest.approx(max(widths["limp"]), abs=1e-9)
    assert 0.5 - told["jam_or_fold_low"] == pytest.approx(max(widths["free"]) / 2, abs=1e-9)


def test_to_check_limps_leaves_no_less_than_to_fold_to_them() -> None:
    """Of the plans that ship, in every state of both seats, to what rounding and learning leave."""
    checked = 0
    for one in shipped("holdem"):
        for seat in ("button", "big"):
            if f"limp_{seat}" in one.rows:
                assert (one.rows[f"limp_{seat}"] >= one.rows[f"free_{seat}"] - 1e-5).all()
                assert (one.rows[f"limp_{seat}"] <= 1).all()
                checked += 1
    assert checked == 12  # from ten big blinds in all on


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--chips", "20", "--stack", "20"], "must be between 0 and"),
        (["--chips", "20", "--stack", "8.1"], "whole number of units"),
        (["--chips", "20", "--stack", "x"], "not a number"),
        (["--chips", "20", "--stack", "8", "--blinds", "1,2"], "no level"),
        (["--chips", "20", "--stack", "8", "--blinds", f"1/2x{'9' * 5000},2/4"], "no level"),
        (["--chips", "20", "--stack", "8", "--payouts", "35/65"], "first prize must be the larger one"),
        (["--chips", "20", "--stack", "8", "--payouts", "65"], "both places"),
        (["--chips", "20", "--stack", "8", "--payouts", "65/35/10"], "both places"),
        (["--chips", "20", "--stack", "8", "--payouts", "65/"], "not a number"),
        (["--chips", "20", "--stack", "8", "--payouts=65/-35"], "none negative"),
        (["--chips", "1e999999999", "--stack", "8"], "fewer digits"),
        (["--chips", "20", "--stack", "8", "--unit", "1e-999999999"], "fewer digits"),
        (["--chips", "9" * 5000, "--stack", "8"], "fewer digits"),
        (["--chips", "20", "--stack", "8", "--game", "stud"], "stud"),
        (["--chips", "21", "--stack", "8", "--game", "omaha8"], "did not come with headsup"),
        (["--chips", "16", "--stack", "8", "--game", "omaha", "--free"], "for which they did: 8, 12, 20"),
        (["--chips", "20", "--stack", "8.25", "--game", "omaha", "--free"], "ship for stacks in whole small blinds"),
        (["--chips", "20", "--stack", "8", "--game", "omaha", "--solve"], "tabulate omaha8 --outcomes"),
        (["--chips", "20", "--stack", "8", "--game", "omaha", "--table", "nowhere"], "--outcomes --work nowhere"),
        (["--chips", "20", "--stack", "8", "--device", "gpu"], "hold'em has no need of it"),
        (["--chips", "6", "--stack", "2", "--blinds", "0.5/1x2,1/2", "--free"], "fixed blinds"),
        (["--chips", "4", "--stack", "2", "--plot", "/nowhere/at/all.svg"], "cannot be written"),
        (["--chips", "4", "--stack", "2", "--plot", "value.png"], "'value.png': charts are SVG"),
    ],
)
def test_mistakes_are_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["endgame", *arguments]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("game", ["omaha", "omaha8"])
@pytest.mark.parametrize("button", ["me", "opponent"])
def test_omaha_has_bounds_for_an_opponent_who_may_limp(
    game: str, button: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the figures of the docs, which have the button's bounds by its chips in half big blinds."""
    bounds = extras(game)["free"]["12"]
    words = ["endgame", "--game", game, "--chips", "12", "--stack", "3.5", "--free", "--button", button, "--json"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    low, high = bounds["low"][7], bounds["high"][7]
    if button == "opponent":
        low, high = 1 - bounds["high"][17], 1 - bounds["low"][17]
    assert (told["free_low"], told["free_high"]) == pytest.approx((low, high), abs=1e-12)
    assert told["free_low"] < told["value"] < told["free_high"]
    assert told["jam_or_fold_low"] == told["free_low"]
