"""Options that several verbs have: what they read, and what they say to a mistake."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from headsup import equity, solve
from headsup.cli import USERS, build_parser, main
from headsup.cli.options import percentage, pot_fraction
from headsup.common.errors import UserError
from headsup.games.holdem.spot import Spot
from headsup.preflop.solve import solve_preflop
from headsup.spots.solve import solve_spot


def test_numbers() -> None:
    assert [percentage(text) for text in ("2.5", "2.5%", " 5 % ")] == [0.025, 0.025, 0.05]
    assert [pot_fraction(text) for text in ("0.5%", "0.005", "5e-3", " 50 % ")] == [0.005, 0.005, 0.005, 0.5]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["flop-formula", "AKs", "RML", "--error", "two"],
            "--error: 'two' is not a number of points: write for example",
        ),
        (["spot", "--target", "0"], "--target: '0' is not a fraction of the pot: write 0.5% or 0.005"),
        (["spot", "--target", "50"], "--target: '50' is not a fraction of the pot"),
        (["report", "--work", "x", "--target", "1.5"], "--target: '1.5' is not a fraction of the pot"),
        (["spot", "--device", "x"], "--device: invalid choice: 'x'"),
    ],
)
def test_mistakes_are_one_line(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(("verb", "methods"), [("solve", solve.METHODS), ("equity", equity.METHODS)])
def test_help_names_every_method(verb: str, methods: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([verb, "--help"])
    said = capsys.readouterr().out
    assert all(method in said for method in methods)


def test_help_keeps_paragraphs_apart_and_names_whole(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = "always-fold, always-call, always-raise, uniform"
    for columns in range(60, 121):
        monkeypatch.setenv("COLUMNS", str(columns))
        with pytest.raises(SystemExit):
            main(["measure", "--help"])
        shown = capsys.readouterr().out
        assert names in " ".join(shown.split())
        assert "\n\nSTRATEGY may also be MODULE:NAME" in shown


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser and those of its verbs, sides and papers."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from parsers(below)


OPTIONS = [
    pytest.param(parser, action, id=f"{parser.prog} {action.option_strings[-1]}")
    for parser in parsers(build_parser())
    for action in parser._actions
    if action.option_strings and action.nargs in (None, "?")
]


@pytest.mark.parametrize(("parser", "action"), OPTIONS)
def test_two_dashes_after_an_equals_sign_are_a_value(
    parser: argparse.ArgumentParser,
    action: argparse.Action,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = []
    for other in parser._actions:
        monkeypatch.setattr(other, "required", False)
        if not other.option_strings and other.nargs != "?":
            words.append(next(iter(other.choices), "1") if other.choices else "1")
    words.append(f"{action.option_strings[-1]}=--")
    if action.choices or action.type not in (None, Path):  # it takes numbers, or one of a few words
        with pytest.raises(SystemExit):
            parser.parse_args(words)
        err = capsys.readouterr().err
        assert "'--'" in err
        assert err.count("\n") == 1
    else:
        assert getattr(parser.parse_args(words), action.dest) in ("--", ["--"], Path("--"))


@pytest.mark.parametrize(
    "line",
    [
        "equity AA KK --board=--",
        "equity AA KK --method=--",
        "jamfold --stack 10 --opponent-stack=--",
        "jamfold --stack 10 --hand=--",
        "measure always-call --game=--",
        "preflop --stack=--",
        "range AA --game=--",
        "rule card K7o --stack=--",
        "serve --port 0 --host=--",
        "solve kuhn --buckets=--",
        "spot --board Ks7d2c --oop AA --ip KK --pot 10 --stack=--",
        "train flops --hand=--",
    ],
)
def test_two_dashes_are_no_answer(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a solved hand before the flop, a solved spot, a solution of kuhn, one by bucket, and a log."""
    folder = tmp_path_factory.mktemp("files")
    solve_preflop(5, target=None, iterations=1).save(folder / "preflop")
    solve_spot(Spot("Td9d6hQc2s", oop="AA", ip="QQ", pot=10, stack=30, bets="100%"), 0.01).save(folder / "spot")
    solve.solve("kuhn", iterations=1).save(folder / "kuhn")
    solve.solve("holdem-limit:ranks=4,streets=2", iterations=1, buckets="*-3:ehs").save(folder / "buckets")
    assert main(["play", "caller", "folder", "--hands", "2", "--log", str(folder / "log")]) == 0
    return folder


NO_EFFECT = [
    ("preflop preflop --stack 1", "--stack"),
    ("preflop preflop --bets a", "--bets"),
    ("preflop preflop --raises a", "--raises"),
    ("preflop preflop --no-limp", "--no-limp"),
    ("preflop preflop --small-blind 0.5", "--small-blind"),
    ("preflop preflop --ante -3", "--ante"),
    ("preflop preflop --target nan", "--target"),
    ("preflop preflop --iterations 3", "--iterations"),
    ("preflop preflop --seconds 3", "--seconds"),
    ("preflop preflop --method dcfr", "--method"),
    ("games --efg x.efg", "--efg"),
    ("rule sage --price --stack 8", "--stack"),
    ("rule sage --price --seat sb", "--seat"),
    ("rule sage --price --explain", "--explain"),
    ("rule sage K7o --price", "HAND"),
    ("rule card K7o --price --game holdem", "HAND"),
    ("rule sage K7o --stack 8 --plot x.svg", "--plot"),
    ("rule sage K7o --stack 8 --explain --json", "--explain"),
    ("rule sage K7o --stack 8 --game holdem", "--game"),
    ("buckets *-3:ehs --game holdem-limit:ranks=4,streets=2 --seed 0", "--seed"),
    ("buckets *-3:ehs --game holdem-limit:ranks=4,streets=2 --samples 9", "--samples"),
    ("look spot --list --json", "--list"),
    ("look spot --by category --json", "--by"),
    ("compare spot spot --most 3 --json", "--most"),
    ("distil --threshold row", "--threshold"),
    ("distil --all --save x.json --seconds 1 --threshold sum", "--threshold"),
    ("distil --rules 4 --device cpu", "--device"),
    ("reproduce ho-2015 --device cpu", "--device"),
    ("jamfold --stack 10 --verify AA KK --seat sb", "--seat"),
    ("play me caller --jobs 1", "--jobs"),
    ("play me caller --session 10", "--session"),
    ("play caller folder --to-the-end --session 10", "--session"),
    ("play uniform uniform --game leduc --seconds 3", "--seconds"),
    ("play caller folder --address auto", "--address"),
    ("measure kuhn --address auto", "--address"),
    ("measure kuhn --device cpu", "--device"),
    ("measure kuhn --value", "--value"),
    ("measure kuhn --strategies --json", "--strategies"),
    ("measure kuhn --translation nearest", "--translation"),
    ("measure buckets --jobs 1 --strategies", "--strategies"),
    ("measure always-call --strategies", "--strategies"),
    ("solve kuhn --seed 0", "--seed"),
    ("solve kuhn --method lp --seed 3", "--seed"),
    ("solve kuhn --strategies --json", "--strategies"),
    ("solve kuhn --plot --json", "--plot"),
    ("solve kuhn --engine local", "--engine"),
    ("solve kuhn --bits 8", "--bits"),
    ("solve holdem-limit:ranks=4,streets=2 --buckets * --bits 8", "--bits"),
    ("solve holdem-limit:ranks=4,streets=2 --work x --seed 3", "--seed"),
    ("solve holdem-limit:ranks=4,streets=2 --rounds flop --method external --seed 3", "--seed"),
    ("spot --board Td9d6hQc2s --oop AA --ip QQ --pot 10 --stack 30 --game holdem --swaps together", "--game"),
    ("acpc dealer caller folder --port 18791", "--port"),
    ("acpc dealer caller folder --host 127.0.0.1", "--host"),
    ("acpc dealer caller folder --wait 3", "--wait"),
    ("acpc dealer caller folder --answer 3", "--answer"),
    ("acpc dealer caller folder --per-hand 3", "--per-hand"),
    ("acpc dealer caller folder --average 3", "--average"),
    ("pokerbots engine caller folder --seconds 3", "--seconds"),
    ("replay log --stack 20", "--stack"),
    ("review log --game holdem-nolimit", "--game"),
    ("train jamfold --hand AKs", "--hand"),
    ("train jamfold --rules 4", "--rules"),
    ("train flops --game holdem", "--game"),
    ("train flops --within 0.01", "--within"),
    ("train card --stack 10", "--stack"),
    ("train card --player me", "--player"),
    ("train spot spot --seat sb", "--seat"),
    ("train hands log --range RS", "--range"),
    ("games kuhn:", "kuhn"),
    ("games kuhn:ranks=4,", "kuhn"),
    ("games kuhn:ranks=4,ranks=5", "ranks of kuhn is given twice"),
    ("games preflop:stack=5,stack=6,menu=a", "stack of preflop is given twice"),
]


@pytest.mark.parametrize(("line", "named"), NO_EFFECT, ids=[line for line, _ in NO_EFFECT])
def test_an_option_that_has_no_effect_is_refused(
    line: str, named: str, files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(files)
    capsys.readouterr()
    there = set(files.iterdir())
    assert main(line.split()) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert named in err
    assert ": " in err.partition(": ")[2]  # the mistake, and after a colon the fix
    assert set(files.iterdir()) == there


@pytest.mark.parametrize(
    "line",
    [
        "preflop preflop --line all-in --hand AA --json",
        "rule card KsQh7d6d --price --json",
        "rule oracle --price",
        "look spot --list --hand AA",
        "measure kuhn --strategies",
        "measure buckets --jobs 1",
        "solve kuhn --method external --iterations 3 --seed 3",
        "equity AA QQ --game holdem-discard --swap best --board Ks7d2c3h --samples 100 --seed 1",
        "games holdem-nolimit:stack=3,ranks=4,streets=2,menu=50%,a",
    ],
)
def test_an_option_that_has_an_effect_is_not(line: str, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    assert main(line.split()) == 0


@pytest.mark.parametrize("given", [{"samples": -1}, {"samples": 0}, {"samples": 1.5}, {"seed": -1}])
@pytest.mark.parametrize("game", ["holdem", "holdem-discard"])
def test_numbers_of_sampling_are_checked_where_nothing_is_sampled(given: dict[str, Any], game: str) -> None:
    with pytest.raises(UserError):
        equity.equity("AA", "random", game=game, **given)


RENAMED = {
    "solve kuhn": {"--out": "--save", "--table": "--strategies", "--stored": "--work"},
    "measure kuhn": {"--folder": "--work", "--table": "--strategies"},
    "flops AA QQ": {"--out": "--csv"},
    "tabulate omaha8": {"--out": "--work"},
    "report spot": {"--out": "--work"},
    "distil": {"--out": "--save", "--card": "--plot"},
    "train card": {"--lines": "--rules"},
    "pokerbots engine caller random": {"--time": "--seconds"},
    "reproduce dalpasso-lancia-2015": {"--workers": "--jobs"},
    "sweep --game holdem": {"--out": "--save"},
    "play caller random": {"--out": "--work"},
    "league caller random": {"--out": "--work"},
    "flop-formula AA ATC": {"--svg": "--plot"},
}


@pytest.mark.parametrize(("words", "old"), [(words, old) for words, names in RENAMED.items() for old in names])
def test_earlier_names_of_options_are_understood_and_not_shown(
    words: str, old: str, capsys: pytest.CaptureFixture[str]
) -> None:
    verb, new = words.split()[0], RENAMED[words][old]
    parser = build_parser(verb)
    also = ["1"] if old != "--table" else []
    needed = ["--work", "y"] if verb == "report" and new != "--work" else []
    found = [vars(parser.parse_args([*words.split(), *needed, name, *also])) for name in (old, new)]
    assert found[0] == found[1]
    with pytest.raises(SystemExit):
        main([*words.split(), "--help"])
    shown = capsys.readouterr().out
    assert re.search(rf"{new}\b", shown)
    assert not re.search(rf"{old}\b", shown)


def test_the_help_groups_verbs_by_user_with_an_example_each(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    for user, (example, *_) in USERS.items():
        assert f"For {user} (example: {example})" in shown
        build_parser().parse_args(example.split()[1:])
