"""Before the flop, pots checked down: jam or fold is the smallest case; the linear program; views that add up."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from headsup.cards.classes import parse_holdem_class
from headsup.cli import main
from headsup.common.errors import DataError
from headsup.games.betting.stakes import Stakes
from headsup.games.catalogue.names import game
from headsup.jamfold.answer import answer
from headsup.measure import measure
from headsup.preflop.solve import PreflopSolution, solve_preflop
from headsup.preflop.view import in_blinds, in_chips
from headsup.solve import solve
from tests.solve import compiled

pytestmark = compiled


@cache
def solved() -> PreflopSolution:
    return solve_preflop(12, "2x, a; a", target=0.5)


@pytest.mark.parametrize("stack", [3, 10, 20])
def test_jam_or_fold_is_the_smallest_case(stack: int) -> None:
    """`headsup jamfold` has exact answers: the value agrees as far as what this one is off allows."""
    found = solve_preflop(stack, "a", limp=False, target=0.02)
    known = answer("holdem", Stakes.of(stack))
    assert found.value_sb == pytest.approx(known.value_sb, abs=2 * found.exploitability_mbb / 1000 + 1e-9)
    assert found.at("").actions == ("fold", f"all-in {stack}")
    assert found.at("all-in").actions == ("fold", "call")


@pytest.mark.long
@pytest.mark.parametrize(("menu", "limp"), [("a", True), ("2x, a; a", False)])
def test_the_linear_program_has_the_same_value(menu: str, limp: bool) -> None:
    exact = solve_preflop(8, menu, limp=limp, method="lp")
    assert exact.exploitability_mbb == pytest.approx(0.0, abs=1e-6)
    found = solve_preflop(8, menu, limp=limp, target=0.05)
    assert found.value_sb == pytest.approx(exact.value_sb, abs=2 * found.exploitability_mbb / 1000)


@pytest.mark.long
def test_the_linear_program_is_viewed_saved_and_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "lp.sol")
    assert main(["preflop", "--stack", "5", "--bets", "a", "--method", "lp", "--save", path, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    exact, close = PreflopSolution.load(path), solve_preflop(5, "a", target=0.1)
    found = measure(exact.game, exact.strategy)
    assert found.mbb == pytest.approx(0.0, abs=1e-6)
    assert found.value_mbb == pytest.approx(1000 * shown["value_sb"], abs=1e-6)
    assert found.value_mbb == pytest.approx(1000 * close.value_sb, abs=2 * 0.1)
    assert exact.at("").as_dict()["frequencies"] == shown["frequencies"]
    assert exact.at("call").actions == close.at("call").actions
    assert main(["measure", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["exploitability"] == pytest.approx(0.0, abs=1e-6)


def test_more_to_choose_from_is_worth_more_to_who_chooses() -> None:
    """Limps are the small blind's to take or leave, and so is a size of the first raise."""
    none = solve_preflop(10, "a", limp=False, target=0.1)
    limps = solve_preflop(10, "a", target=0.1)
    assert limps.value_sb > none.value_sb + 0.01


def test_views_add_up() -> None:
    found = solved()
    view = found.at("")
    assert view.player == "sb"
    assert view.actions == ("fold", "call", "raise 2", "all-in 12")
    assert view.weights.sum() == pytest.approx(1.0)
    assert float(view.weights @ (view.frequencies * view.ev).sum(axis=0)) == pytest.approx(found.value_sb)
    assert view.ev[0] == pytest.approx(np.full(169, -0.5))
    after = found.at("raise 2")
    assert after.player == "bb"
    assert after.ev[0] == pytest.approx(np.full(169, -1.0))
    assert found.at("call").actions == ("check", "raise 2", "all-in 12")
    assert sum(after.totals.values()) == pytest.approx(1.0)
    both = found.at("all-in")
    called = float(both.weights @ both.frequencies[1])
    assert 0.1 < called < 0.9
    # What the small blind's jam is worth: the big blind folds or both hands are shown for 12 blinds each.
    aces = parse_holdem_class("AA")
    assert view.ev[3, aces] > view.ev[3].mean()
    assert view.hand("AA")["ev"]["all-in 12"] == view.ev[3, aces]


def test_a_check_down_is_a_share_of_two_blinds() -> None:
    """After a limp a check ends it: what the big blind wins is its equity against the limping hands, of two blinds."""
    found = solved()
    view, limp = found.at("call"), found.at("")
    table = found.game.showdown
    won, met = table.lines(1, 0, 0, (limp.reach * limp.frequencies[1])[None], 1)
    assert view.ev[0] == pytest.approx(2.0 * won[0] / met[0] - 1.0)


def test_saved_loaded_and_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "a.sol")
    words = ("preflop", "--stack", "6bb", "--bets", "2x, a", "--raises", "a", "--ante", "0.1")
    assert main([*words, "--no-limp", "--target", "5", "--save", path, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["exploitability_mbb"] <= 5
    assert "checked down" in told["note"]
    assert [action["name"] for action in told["actions"]] == ["fold", "raise 2", "all-in 5.9"]
    again = PreflopSolution.load(path)
    assert again.value_sb == told["value_sb"]
    assert main(["measure", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["exploitability"] == pytest.approx(told["exploitability_mbb"])
    assert main(["preflop", path, "--line", "raise 2", "--hand", "A9s"]) == 0
    out = capsys.readouterr().out
    assert "checked down" in out
    assert "all-in 5.9" in out
    assert main(["preflop", path]) == 0
    assert "suited above the diagonal" in capsys.readouterr().out
    solve("kuhn", iterations=1).save(path)
    with pytest.raises(DataError, match="a solution of kuhn: solve one with"):
        PreflopSolution.load(path)


def test_amounts_in_big_blinds() -> None:
    assert in_blinds("raise 2500") == "raise 2.5"
    assert in_chips("raise 2.5bb, all-in 15") == "raise 2500, all-in 15000"
    assert in_chips("call, check") == "call, check"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "--stack is missing"),
        (("--stack", "x"), "--stack 'x' is not a stack: write big blinds, as 15 or 15bb"),
        (("--stack", "0.5", "--checked-down"), "stack: 0.5 big blinds make no sense: from 1 to 1000"),
        (("--stack", "9", "--small-blind", "2"), "small_blind: 2 is more than the big blind"),
        (("--stack", "9", "--ante", "-1"), "ante: -1 big blinds make no sense"),
        (("--stack", "9", "--bets", "huge"), "'huge'"),
        (("--stack", "2", "--ante", "2"), "nobody has a decision to make"),
        (("--stack", "3", "--checked-down", "--line", "raise 9"), "'raise 9' is not possible here"),
        (("--stack", "3", "--checked-down", "--line", "fold"), "after 'fold' the hand is over"),
        (("--stack", "3", "--checked-down", "--hand", "XX"), "XX"),
    ],
)
def test_mistakes_are_one_sentence(words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preflop", *words]) == 2
    said = capsys.readouterr()
    assert sentence in said.err.splitlines()[-1]
    assert "Traceback" not in said.err


def test_the_game_has_a_name() -> None:
    assert str(game("preflop:stack=9.0,menu=2x, a; a")) == "preflop:stack=9.0,menu=2x, a; a"
    assert str(game("preflop", limp=False)) == "preflop:limp=False"
