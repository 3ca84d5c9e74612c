"""Best replies to who looks at no cards, by strengths: as the walk finds them, and as published."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from headsup.abstraction.hands.blind import BlindLines, BlindStrategy, closed_form, refusal
from headsup.cli import main as run_main
from headsup.common.errors import UserError
from headsup.games import game as named
from headsup.games.holdem.simple import ALWAYS, simple
from headsup.games.holdem.vector import VectorGame
from headsup.measure import measure
from headsup.measure.streamed import streamed
from tests.bucket_makers import small

GAMES = [
    "holdem-limit:ranks=4,suits=2,streets=3,raises=2",
    "holdem-limit:ranks=4,suits=3,streets=2",
    "holdem-nolimit:ranks=4,suits=2,stack=6,streets=3",
]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("text", [*ALWAYS, "uniform", "mix:0.1,0.6,0.3"])
def test_as_the_walk_finds_them(name: str, text: str) -> None:
    game = small(name)
    measured, walked = measure(game, BlindStrategy(game, text)), streamed(game, text)
    assert measured.best == pytest.approx(walked.best, abs=1e-12)
    assert measured.values == pytest.approx(walked.values, abs=1e-12)
    assert measured.boards == walked.boards


def test_lines_that_go_on_alike_are_one() -> None:
    """Who enters the flop, turn or river of limit hold'em has paid an even number of chips, up to 8, 16 and 32."""
    game = named("holdem-limit")
    assert isinstance(game, VectorGame)
    lines = BlindLines.of(game, simple(game, "uniform"), 0)
    assert [len(entries) for entries in lines.entries] == [1, 4, 8, 16]
    assert len(game.betting.entries[3]) == 567


@pytest.mark.usefixtures("packets_here")
def test_the_verb_takes_this_way_unless_told_how(capsys: pytest.CaptureFixture[str], tmp_path: object) -> None:
    words = ["measure", "mix:.2,.5,.3", "--game", GAMES[0], "--json"]
    assert run_main(words) == 0
    at_once = json.loads(capsys.readouterr().out)
    assert run_main([*words, "--work", str(tmp_path), "--jobs", "1"]) == 0
    by_flop = json.loads(capsys.readouterr().out)
    for key in ("exploitability_mbb", "reply_sb_mbb", "reply_bb_mbb", "value_mbb", "boards"):
        assert at_once[key] == pytest.approx(by_flop[key], abs=1e-9)


def test_what_it_is_not_for(monkeypatch: pytest.MonkeyPatch) -> None:
    game = small(GAMES[0])
    uneven = replace(game, weights=(2.0 * game.weights[0], game.weights[1]))
    with pytest.raises(UserError, match=r"has ranges.*flop by flop"):
        closed_form(uneven, simple(uneven, "uniform"))
    monkeypatch.setattr("headsup.abstraction.hands.blind.MOST", 1000)
    assert refusal(game, simple(game, "uniform")) == "has too many lines"


@pytest.mark.long
@pytest.mark.parametrize(("text", "published"), [("always-call", 1163.48), ("always-raise", 3697.69), ("mix:0,.5,.5", 2406.55)])  # noqa: E501  # fmt: skip
def test_published_prices(text: str, published: float) -> None:
    """As quoted from Johanson, Waugh, Bowling and Zinkevich, 'Accelerating best response calculation' (2011)."""
    game = named("holdem-limit")
    assert isinstance(game, VectorGame)
    assert measure(game, BlindStrategy(game, text)).mbb == pytest.approx(published, abs=0.005)
