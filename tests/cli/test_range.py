"""`headsup range`: the answer for people, for programs, and for mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from headsup.cards.ranges.formats import NAMES
from headsup.cli import main
from headsup.cli.range import FORMATS


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["range", *arguments]) == 0
    return capsys.readouterr().out


def test_readable_holdem(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "22+,A2s+,KTo+,T9s:0.5")
    assert "162 combos" not in text
    assert "166 combos of weight 164, 12.3680% of all 1,326 hands" in text
    assert "Every pair, every suited ace, offsuit king with a ten or better." in text
    chart = [line.split() for line in text.splitlines() if line.count(" ") > 20 and len(line.split()) == 14]
    assert [row[0] for row in chart] == list("AKQJT98765432")
    chart = [row[1:] for row in chart]
    assert chart[0] == ["AA", "AKs", "AQs", "AJs", "ATs", "A9s", "A8s", "A7s", "A6s", "A5s", "A4s", "A3s", "A2s"]
    assert chart[4][:5] == ["·", "KTo", "·", "·", "TT"]
    assert chart[4][5] == "50%"
    assert "\x1b" not in text, "no colour when it is not a terminal"


def test_readable_omaha(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "AA", "--game", "omaha")
    assert "6,961 combos, 2.5712% of all 270,725 hands" in text
    rows = {line[:15].strip(): line[15:].split() for line in text.splitlines()}
    assert rows["double-suited"] == ["864", "12.41%", "13.48%"]
    assert rows["two pairs"] == ["432", "6.21%", "1.04%"]
    assert rows["four of a rank"] == ["1", "0.01%", "0.00%"]


def test_colour_when_forced(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    text = output(capsys, "QQ+")
    assert "\x1b[37;48;2" in text
    assert "72o" in text, "hands that are not in the range have a faint name"
    assert "·" not in text
    monkeypatch.setenv("NO_COLOR", "1")
    assert "48;2" not in output(capsys, "QQ+")


def test_json_holdem(capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(output(capsys, "AKs,AsKh,QQ:0.25", "--json"))
    assert answer["game"] == "holdem"
    assert answer["text"] == "AKs,AsKh,QQ:0.25"
    assert answer["combos"] == 11
    assert answer["weighted_combos"] == 6.5
    assert answer["share"] == 6.5 / 1326
    assert answer["classes"] == {"AKs": 1.0, "AKo": round(1 / 12, 6), "QQ": 0.25}
    assert answer["breakdown"] == {"kinds": {"pairs": 6, "suited": 4, "offsuit": 1}}
    assert answer["meaning"] == "Suited ace-king, AsKh. A pair of queens 25% of the time."


def test_json_omaha(capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(output(capsys, "xxyy", "--game", "omaha8", "--json"))
    assert (answer["game"], answer["text"], answer["combos"]) == ("omaha8", "$ds", 36504)
    assert answer["share"] == 36504 / 270725
    assert answer["breakdown"]["suits"]["double-suited"] == 36504
    assert sum(answer["breakdown"]["ranks"].values()) == 36504


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("random", "Every hand."),
        ("none", "No hand at all."),
        ("88-66,AsKs", "Pairs from sixes to eights, AsKs."),
        ("A2", "Ace-deuce."),
        ("K2s+,K8o-K6o", "Every suited king with a lower card, offsuit king with a six to an eight."),
        ("As", "51 single combos."),
    ],
)
def test_meaning(text: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(output(capsys, text, "--json"))["meaning"] == words


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("22+,A1s",), "range text, column 6: '1' is not a rank"),
        (("AA:0.5", "--game", "omaha"), "write a weight as @50"),
        (("AA", "--game", "stud"), "'stud' is not a game"),
        (("AA,55:2",), "column 7: weights after ':' are 0 to 1, or @percent"),
        (("55:25 AA",), "column 4: weights after ':' are 0 to 1, or @percent"),
    ],
)
def test_mistakes_are_one_sentence(arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["range", *arguments]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_ranks_after_a_colon_need_brackets_or_a_letter(capsys: pytest.CaptureFixture[str]) -> None:
    for text, combos in (("22+:(77)", 6), ("22+:77-55", 18), ("22+:77+", 48), ("22+:0.5", 78), ("random:15%", 200)):
        assert json.loads(output(capsys, text, "--json"))["combos"] == combos


def test_a_terminal_also_gets_a_caret(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["range", "22+,A1s"]) == 2
    assert capsys.readouterr().err.splitlines()[:2] == ["22+,A1s", "     ^"]


def test_ranges_of_other_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert output(capsys, "QQ+,AKs:0.5", "--write", "gto+") == "AA,KK,QQ,[50]AKs[/50]\n"
    weights = output(capsys, "QQ+,AKs:0.5", "--write", "pio")
    file = tmp_path / "range.txt"
    file.write_text(weights)
    for given in ((weights,), (str(file),), (str(file), "--read", "pio")):
        assert output(capsys, *given, "--write", "headsup") == "QQ+,AKs:0.5\n"
    file.write_text("set_range_oop AA\nset_range_ip KK\n")
    assert output(capsys, str(file), "--part", "ip", "--write", "list") == "KK\n"
    assert json.loads(output(capsys, "[25]72o[/25]", "--json"))["weighted_combos"] == 3
    script = "set_pot 20\nset_effective_stack 50\nset_board Td,9d,6h\nset_range_oop AA\nset_range_ip KK\n"
    file.write_text(f"{script}set_bet_sizes oop,flop,bet,50\n")
    assert "menu: + bet 10\n" in output(capsys, str(file), "--write", "spot")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("AA", "--read", "x"), "no format 'x': choose from headsup"),
        (("AA", "--write", "x"), "no format 'x'"),
        (("AA", "--write", "list", "--json"), "--write has no effect with --json"),
        (("AA**", "--game", "omaha", "--read", "pio"), "hold'em"),
        (("AA**", "--game", "omaha", "--write", "pio"), "hold'em"),
        (("AA", "--write", "spot"), "a spot needs a script"),
    ],
)
def test_mistakes_about_formats(arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["range", *arguments]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_the_formats_of_the_help_are_those_there_are() -> None:
    assert FORMATS == NAMES
