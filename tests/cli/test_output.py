"""What verbs print: names of seats, units, no rounding noise, no word twice, one sentence where that is enough."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console

from headsup.cli import main
from headsup.cli.console import make_table, print_table
from headsup.common.display import number
from headsup.measure.measurement import Measurement


def test_a_log_of_three_players_is_one_sentence(tmp_path: Path, capsys) -> None:
    log = tmp_path / "three.log"
    hands = [f"STATE:{i}:ffr:AsKs|QdQh|2c2d:0|5|-5:A|B|C" for i in range(1000)]
    log.write_text("\n".join(["# name/game/hands/seed m holdem.limit.3p.game 1000 1", *hands, "SCORE:1|2|-3:A|B|C"]))
    assert main(["replay", str(log)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "3 players" in said.err


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("kuhn", ("the first player", "the second player")),
        ("jamfold:stack=4", ("the small blind", "the big blind")),
        ("holdem-limit:ranks=2,suits=4,streets=2", ("the small blind", "the big blind")),
    ],
)
def test_seats_have_names_and_figures_a_unit(game: str, names: tuple[str, str], tmp_path: Path, capsys) -> None:
    path = str(tmp_path / "a.sol")
    assert main(["solve", game, "--iterations", "2", "--save", path]) == 0
    solved = capsys.readouterr().out
    assert main(["measure", path]) == 0
    measured = capsys.readouterr().out
    for out in (solved, measured):
        assert f"for {names[0]}" in out
        assert "mbb/g" in out
        assert "player 0" not in out
    assert f"best response of {names[1]}" in measured


def test_rounding_noise_is_printed_as_0(tmp_path: Path, capsys) -> None:
    found = Measurement("g", (-1.23e-32, 1.23e-32), (1e-17, -1.5e-16))
    assert (found.value, found.exploitability, found.epsilon, found.mbb) == (0.0, 0.0, 0.0, 0.0)
    assert found.gains == (0.0, 0.0)
    assert Measurement("g", (0.5, -0.5), (0.5, -0.5 - 1e-9)).exploitability == 0.0
    assert Measurement("g", (0.5, -0.5), (0.5 + 1e-9, -0.5)).exploitability > 0.0
    assert main(["solve", "rps", "--method", "lp", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["exploitability"] == 0.0
    assert [number(-6.9e-17), number(-1.23e-32, sign=True), number(0.125, sign=True)] == ["0", "+0", "+0.125"]


def test_rounds_keep_the_whole_name_of_the_game(capsys) -> None:
    game = "holdem-nolimit:stack=2,ranks=3,suits=3,streets=2,menu=50%,a"
    assert main(["solve", game, "--rounds", "flop", "--iterations", "1"]) == 0
    assert f"{game}\n" in capsys.readouterr().out


def test_a_narrow_table_says_the_name_of_a_row_once() -> None:
    console = Console(width=40, record=True)
    table = make_table("line", "action", "A", "B", "reach A", "reach B", "moved", words=2)
    table.add_row("check, bet 50 (ip)", "call", "10.0%", "20.0%", "100.0%", "100.0%", "1.00%")
    table.add_row("", "fold", "90.0%", "80.0%", "", "", "")
    print_table(console, table)
    lines = [line.strip() for line in console.export_text().splitlines()]
    assert sum(line.startswith("line") for line in lines) == 1
