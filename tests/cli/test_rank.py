"""`headsup rank`: JSON, readable output, and one sentence for each mistake."""

import json

import pytest

from headsup.cli import main


def ask(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["rank", *words])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_readable(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = ask(capsys, "9s9h", "--board", "9d7c7s2h")
    assert (code, err) == (0, "")
    lines = {line.split(maxsplit=1)[0]: line.split(maxsplit=1)[1].strip() for line in out.splitlines()}
    assert lines == {
        "hand": "full house, nines over sevens",
        "cards": "9s 9h 9d 7c 7s",
        "category": "full house",
        "value": "7,230 of 7,462",
    }


def test_readable_low(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = ask(capsys, "As2dKhKc", "--board", "8s6h4cQdQs", "--game", "omaha8")
    assert "8-6-4-2-A low" in out
    assert "8s 6h 4c 2d As" in out
    _, out, _ = ask(capsys, "As2dKhKc", "--board", "8s6hTcQdQs", "--game", "omaha8")
    assert "no low" in out


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ask(capsys, "As2dKhKc", "--board", "8s 6h 4c Qd Qs", "--game", "omaha8", "--json")
    assert code == 0
    assert json.loads(out) == {
        "game": "omaha8",
        "cards": ["As", "2d", "Kh", "Kc"],
        "board": ["8s", "6h", "4c", "Qd", "Qs"],
        "value": 4859,
        "category": "two pair",
        "name": "two pair, kings and queens with 8",
        "used": ["Kh", "Kc", "Qd", "Qs", "8s"],
        "low": {"value": 29, "name": "8-6-4-2-A low", "used": ["8s", "6h", "4c", "2d", "As"]},
    }


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["AsAs"], "'AsAs' has As twice: each card is in the deck once"),
        (["AsKs", "--board", "KsQd2c"], "Ks is there twice: each card is in the deck once"),
        (["Axe"], "'Axe' is not a list of cards: each card is a rank and a suit, for example AsKh"),
        (["2c3c4c5c6c7c8c9c"], "hold'em ranks one to seven cards, hand and board together, not 8"),
        (["AsKs", "--game", "stud"], "'stud' is not a game: choose one of holdem, omaha, omaha8"),
        (["AsKs", "--game", "omaha", "--board", "2c3c4c"], "an Omaha hand has four cards, not 2"),
        (["AsKsQsJs", "--game", "omaha8"], "Omaha needs a board of three to five cards to rank a hand, not 0"),
    ],
)
def test_mistakes(capsys: pytest.CaptureFixture[str], words: list[str], sentence: str) -> None:
    assert ask(capsys, *words) == (2, "", f"headsup rank: {sentence}\n")
