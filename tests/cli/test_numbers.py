"""A number is read in one way wherever it is typed: ASCII digits, and nothing that Python alone would take for one."""

from __future__ import annotations

import json
from math import inf, nan

import pytest

from headsup.cli import main
from headsup.common.checks import parse_float, parse_int
from headsup.common.display import json_line, print_line
from headsup.common.errors import UserError
from headsup.endgame.rules import exact
from headsup.games.betting.menu import parse_menu

ODD = ("1_0", "１０", "٣", "1٠", "१०")

TYPED = (
    "solve kuhn --iterations {}",
    "solve kuhn --seconds {}",
    "solve kuhn --target {}",
    "solve kuhn --seed {} --iterations 1",
    "solve kuhn --set averaging={} --iterations 1",
    "solve kuhn:ranks={} --iterations 1",
    "solve jamfold:stack={} --iterations 1",
    "solve numbers:n={} --iterations 1",
    "solve holdem-nolimit:ranks=3,suits=3,streets=2,menu={}%,a --iterations 1",
    "jamfold --stack {}",
    "jamfold --stack 10 --blinds 1/{}",
    "jamfold --stack 10 --ante {}",
    "endgame --chips {}",
    "endgame --stack {}",
    "rule AA --stack {}",
    "range {}%",
    "range AA@{}",
    "equity AA:0.{} KK",
    "equity AA KK --samples {} --method sample",
    "flop-formula AA --error {}",
    "play mix:0.{},0.5,0.4 caller --hands 2",
    "play caller caller --hands {}",
    "preflop --stack {}",
    "train jamfold --stack {}",
    "spot --board KsTh5s2d --oop AA --ip KK --pot {} --stack 100",
    "spot --board KsTh5s2d --oop AA --ip KK --pot 100 --stack {}",
    "spot --board KsTh5s2d --oop AA --ip KK --pot 100 --stack 100 --rake {}%",
    "spot --board KsTh5s2d --oop AA --ip KK --pot 100 --stack 100 --bets {}%",
)


@pytest.mark.parametrize("words", TYPED)
@pytest.mark.parametrize("number", ODD)
def test_digits_of_other_scripts_and_underscores_are_no_numbers(words: str, number: str, capsys) -> None:
    try:
        status = main([word.format(number) for word in words.split()])
    except SystemExit as ended:
        status = int(ended.code or 0)
    said = capsys.readouterr()
    assert status == 2, said
    assert said.out == ""
    assert said.err.count("\n") == 1, said.err


@pytest.mark.parametrize("text", ODD)
def test_no_reader_takes_them(text: str) -> None:
    for read in (parse_int, parse_float, lambda one: exact(one, "chips"), lambda one: parse_menu(f"{one}%")):
        with pytest.raises(ValueError, match=r"number|size|column"):
            read(text)
    with pytest.raises(UserError):
        parse_menu(f"100%, a cap {text}")


def test_usual_numbers_are_read() -> None:
    assert parse_int(" 10 ") == 10
    assert parse_float("1e3") == 1000.0
    assert exact("7.5", "chips") == 7.5


def test_json_has_neither_nan_nor_infinity() -> None:
    given = {"a": nan, "b": [inf, {"c": -inf}], "d": (1.5, None), "e": "inf"}
    assert json.loads(json_line(given)) == {"a": None, "b": [None, {"c": None}], "d": [1.5, None], "e": "inf"}


def test_lines_of_scripts_have_neither(capsys: pytest.CaptureFixture[str]) -> None:
    print_line(mbb=nan, seat=0)
    assert json.loads(capsys.readouterr().out) == {"mbb": None, "seat": 0}
