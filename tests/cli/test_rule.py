"""`headsup rule` as a player types it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from headsup.cli import main
from headsup.distil.shipped import shipped_cards
from headsup.jamfold.hands import parse_class


def printed(words: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["rule", *words.split()]) == 0
    return capsys.readouterr().out


def test_oracle_and_sage_advise(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(printed("oracle AsTh9d9c --stack 8 --seat bb --json", capsys))
    assert (found["score"], found["threshold"], found["action"], found["margin"]) == (76, 80, "fold", -5)
    assert found["equilibrium"]["frequency"] == found["equilibrium"]["cost_of_action"] == 0
    assert "always, at any stack" in printed("oracle AsAh9d9c --stack 10 --explain", capsys)
    shown = printed("sage K7o --stack 8 --seat bb --explain", capsys)
    assert "+26  Cards: twice the value of the higher card" in shown
    assert "Call: that makes 33 points, and with 8 big blinds a call needs 30, so it has 3 to spare." in shown
    assert "made for 2 to 8 big blinds" in printed("sage K7o --stack 12", capsys)
    assert "Jam: 81 points, and with 8 big blinds a jam needs 81 (more than 80)." in printed(
        "oracle AsTh9d9c --stack 8", capsys
    )


@pytest.mark.parametrize(
    ("words", "game", "lines", "row"),
    [
        ("AsTh9d9c", "omaha8", 4, True),
        ("AsTh9d9c --rules 7", "omaha8", 7, True),
        ("AsTh9d9c --game omaha8 --threshold sum", "omaha8", 4, False),
        ("K7o", "holdem", 4, True),
        ("Kd7h --game holdem --rules 3", "holdem", 3, True),
    ],
)
def test_a_card_advises(words: str, game: str, lines: int, row: bool, capsys: pytest.CaptureFixture[str]) -> None:
    card = next(one.card for one in shipped_cards(game) if (one.lines, one.card.row) == (lines, row))
    hand = parse_class(game, words.split()[0])
    for seat, play in (("sb", "jam"), ("bb", "call")):
        for stack in (3.0, 6.5, 10.0):
            found = json.loads(printed(f"card {words} --stack {stack} --seat {seat} --json", capsys))
            assert found["game"] == game
            assert found["score"] == sum(line["points"] for line in found["lines"]) == card.scores[hand]
            assert found["threshold"] == card.threshold(seat, stack)
            assert found["action"] == (play if card.plays(seat, stack)[hand] else "fold")
            assert (found["margin"] >= 0) == (found["action"] == play)


def test_a_card_explains(capsys: pytest.CaptureFixture[str]) -> None:
    shown = printed("card K7o --stack 8 --explain", capsys)
    assert shown.startswith(
        "The hold'em card of 4 lines (headsup distil --game holdem --rules 4): K7o, small blind, 8 big blinds"
    )
    assert "What speaks for the hand:" in shown
    assert "The equilibrium jams it too; folding would lose 0.634 bb." in shown


def test_prices_of_rules(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = json.loads(printed("oracle --price --json", capsys))
    worst = found["worst"]["sb"]["best_response"]
    assert worst["chips_200_400"] == pytest.approx(0.4 * worst["mbb"])
    assert {one["stack"] for one in found["prices"]} == set(np.arange(4, 91) / 8)
    shown = printed(f"oracle --price --plot {tmp_path / 'price.svg'}", capsys)
    assert "the thesis: 21.75 (8.70) and 22.40 (8.96)" in shown
    assert "the thesis: 15.00 (6.00) and 17.18 (6.87)" in shown
    assert "dashed: the most by the thesis" in (tmp_path / "price.svg").read_text()


@pytest.mark.parametrize("game", ["holdem", "omaha8"])
def test_prices_of_cards(game: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    one = next(one for one in shipped_cards(game) if (one.lines, one.card.row) == (4, True))
    assert one.worst_price is not None
    found = json.loads(printed(f"card --game {game} --price --json", capsys))
    for seat, worst in zip(("sb", "bb"), one.worst_price, strict=True):
        assert found["worst"][seat]["best_response"]["mbb"] == pytest.approx(worst, abs=1e-3)
    shown = printed(f"card --game {game} --price --plot {tmp_path / 'card.svg'}", capsys)
    title = {"holdem": "the hold'em card of 4 lines", "omaha8": "the Omaha hi-lo card of 4 lines"}[game]
    assert f"Losses of {title}" in shown
    drawn = (tmp_path / "card.svg").read_text()
    assert drawn.startswith("<svg")
    assert f"What {title} costs" in drawn


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("crystal-ball AA --stack 3", "not a rule: choose one of card, oracle, sage, hutchison"),
        ("oracle", "needs a hand and a stack"),
        ("card", "headsup rule card K7o --stack 8"),
        ("card --game omaha8 --stack 4", "headsup rule card KsQh7d6d --stack 8"),
        ("oracle AsKs --stack 3", "write 4"),
        ("card AsKs --game omaha8 --stack 3", "write 4"),
        ("card AsKsAh", "needs a hand and a stack"),
        ("card AsKsXhQd --stack 3", "'Xh' is not a card"),
        ("card AsAsKdQd --stack 3", "twice"),
        ("card K7o --game stud --stack 3", "choose holdem or omaha8"),
        ("card K7o --rules 9 --stack 3", "choose one of"),
        ("card K7o --rules 0 --stack 3", "a holdem card has 1 to"),
        ("sage AKs --stack lots", "not a number"),
        ("sage AKs --stack -2", "not possible"),
        ("card AKs --stack 0", "not possible"),
        ("sage AKs --stack nan", "not possible"),
        ("sage AKs --stack 5 --plot chart.svg", "add --price"),
        ("oracle --price --plot chart.png", "charts are SVG"),
        ("sage AKs --stack 5 --rules 4", "not for sage: leave it out"),
        (
            "oracle --price --plot /nowhere/at/all.svg",
            "all.svg cannot be written (No such file or directory): give another",
        ),
    ],
)
def test_mistakes_get_one_sentence(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", *words.split()]) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert err.count("\n") == 1
    assert not out
