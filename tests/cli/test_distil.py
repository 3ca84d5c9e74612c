"""`headsup distil` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from headsup.cli import main
from headsup.common.errors import UserError


def test_frontier(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["distil", "--game", "omaha8", "--json"]) == 0
    cards = json.loads(capsys.readouterr().out)["cards"]
    for row in (True, False):
        lengths = [one["lines"] for one in cards if one["card"]["row"] == row]
        assert lengths == sorted(set(lengths))
    assert main(["distil"]) == 0
    shown = capsys.readouterr().out
    assert "loss to a best response" in shown
    assert all(len(line) < 80 for line in shown.splitlines())


def test_one_card_and_its_drawing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "card.svg"
    assert main(["distil", "--game", "holdem", "--rules", "4", "--card", str(out)]) == 0
    assert "Small blind: jam at" in capsys.readouterr().out
    assert out.read_text().startswith("<svg")


def test_a_card_says_its_data_and_its_stacks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["distil", "--game", "omaha8", "--rules", "4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "equilibria that ship" in found["data"]
    assert found["stacks"] == [1, 11.25]


def test_a_new_search(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["distil", "--rules", "2", "--max-stack", "4", "--seconds", "1", "--json"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert found["lines"] == 2
    assert found["card"]["max_stack"] == 4
    assert found["worst_price"]["sb"] >= found["worst_loss"]["sb"] - 1e-2
    assert "rival's price" in err


def test_proof(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["distil", "--rules", "2", "--prove", "1", "--json"]) == 0
    program = json.loads(capsys.readouterr().out)["program"]
    for where in ("anywhere", "near"):
        assert 0 <= program[where]["proved"] <= program[where]["found"] + 1e-6
    assert main(["distil", "--rules", "1", "--prove", "1"]) == 0
    assert "Integer programs for these lines" in capsys.readouterr().out


@pytest.mark.long
def test_all_cards_into_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "rules.json"
    arguments = ["distil", "--all", "--seconds", "0.3", "--most-lines", "1", "--save", str(out)]
    assert main(arguments) == 0
    assert "2 holdem cards" in capsys.readouterr().out
    first = [one["value"] for one in json.loads(out.read_text())["cards"]]
    assert main(arguments) == 0
    again = [one["value"] for one in json.loads(out.read_text())["cards"]]
    assert len(again) == 2
    assert all(later <= earlier for later, earlier in zip(again, first, strict=True))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--game", "omaha"], "choose holdem or omaha8"),
        (["--rules", "0"], "1 to 10 lines"),
        (["--rules", "10"], "--rules 10 --threshold row --seconds 60"),
        (["--seconds", "5"], "add for example  --rules 4"),
        (["--all"], "add for example  --save rules.json"),
        (["--all", "--rules", "3", "--save", "x.json"], "leave out --rules"),
        (["--rules", "3", "--save", "x.json"], "are for --all"),
        (["--all", "--most-lines", "99", "--save", "x.json"], "1 to 10 lines"),
        (["--rules", "2", "--seconds", "-1"], "not a time"),
        (["--rules", "2", "--max-stack", "99"], "2 to 15 big blinds"),
        (["--rules", "2", "--seconds", "1", "--device", "gpu"], "hold'em has no need of it"),
        (["--rules", "2", "--seconds", "1", "--table", "x"], "hold'em has no need of it"),
        (["--all", "--save", "x.json", "--device", "gpu"], "hold'em has no need of it"),
        (["--game", "omaha8", "--device", "gpu"], "is for a search"),
        (["--game", "omaha8", "--rules", "4", "--table", "x"], "is for a search"),
        (["--game", "omaha8", "--rules", "4", "--seconds", "1", "--table", "nowhere"], "headsup tabulate"),
        (["--rules", "2", "--card", "/nowhere/at/all.svg"], "cannot be written"),
        (["--rules", "2", "--seconds", "60", "--card", "/nowhere/at/all.svg"], "cannot be written"),
        (["--all", "--save", "/nowhere/at/all.json"], "cannot be written"),
        (["--game", "omaha8", "--rules", "99"], "an omaha8 card has 1 to"),
    ],
)
def test_mistakes_are_one_sentence(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["distil", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


def test_a_device_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["distil", "--game", "omaha8", "--rules", "4", "--seconds", "1", "--device", "tpu"])
    assert stop.value.code == 2
    assert "invalid choice: 'tpu'" in capsys.readouterr().err


def test_the_device_reaches_the_table(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A GPU that is asked for and is not there is said, and not replaced by a search without prices."""
    asked = {}

    def no_device(game: str, *, device: str, folder: Path | None) -> None:
        asked.update(game=game, device=device, folder=folder)
        raise UserError("no CUDA device answers")

    monkeypatch.setattr("headsup.games.holdem.classes.class_table", no_device)
    assert main(["distil", "--game", "omaha8", "--rules", "2", "--seconds", "1", "--device", "gpu"]) == 2
    assert "no CUDA device answers" in capsys.readouterr().err
    assert asked == {"game": "omaha8", "device": "gpu", "folder": None}
