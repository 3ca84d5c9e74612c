"""The best reply wins from its victim at a table what the walk says that it wins."""

from __future__ import annotations

import json

import numpy as np
import pytest

from headsup.cli import main as run_main
from headsup.common.errors import UserError
from headsup.games import game as named_game
from headsup.games.holdem.simple import simple
from headsup.games.holdem.vector import VectorGame
from headsup.measure.exploit import best_response, measure
from headsup.play.statistics.duel import deal_out, duel
from tests.bucket_makers import small

GAME = "holdem-limit:ranks=4,suits=3,streets=2,raises=2"
LEVEL = 0.999


@pytest.mark.parametrize("seat", [0, 1])
def test_a_match_of_the_best_response_agrees_with_its_value(seat: int) -> None:
    game = small(GAME)
    victim = simple(game, "mix:.1,.5,.4")
    found, exact = duel(game, victim, seat, 1500, seed=3, level=LEVEL), measure(game, victim)
    assert found.exact_mbb == pytest.approx(1000.0 * exact.best[seat] / game.unit)
    assert found.agrees
    own = 1000.0 * exact.values[seat] / game.unit  # what the victim's strategy wins there: the match tells them apart
    assert not found.match_mbb.low <= own <= found.match_mbb.high


def test_a_best_response_as_a_strategy() -> None:
    """Measured as what it is, it earns what it was found for, and has no better answer to the same victim."""
    game = small(GAME)
    for seat in (0, 1):
        value, profile = best_response(game, simple(game, "uniform"), seat)
        again = measure(game, profile)
        assert again.values[seat] == pytest.approx(value, abs=1e-12)
        assert again.best[seat] == pytest.approx(value, abs=1e-12)


def test_hands_that_are_dealt() -> None:
    game = small(GAME)
    folded = deal_out(game, simple(game, "always-fold"), 5)
    np.testing.assert_array_equal(folded, np.full(5, -1.0))  # the dealer folds the small blind
    called = deal_out(game, simple(game, "always-call"), 300)
    assert set(np.unique(called)) == {-2.0, 0.0, 2.0}
    again = deal_out(game, simple(game, "always-call"), 300)
    np.testing.assert_array_equal(called, again)


def test_games_that_are_not_dealt() -> None:
    leduc = named_game("leduc").vector()  # type: ignore[union-attr]
    with pytest.raises(UserError, match="hold'em from the first card on"):
        deal_out(leduc, None, 1)  # type: ignore[arg-type]
    whole = named_game("holdem-limit:streets=3")
    assert isinstance(whole, VectorGame)
    with pytest.raises(UserError, match="too many to hold"):
        best_response(whole, simple(whole, "uniform"), 0)


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["measure", "always-fold", "--game", GAME, "--check", "50"]
    assert run_main([*words, "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)["match"]
    assert (first["mean_mbb"], second["mean_mbb"]) == (1000.0, 500.0)  # no chance is left: the interval is a point
    assert run_main([*words[:-1], "0"]) == 2
    assert "--check" in capsys.readouterr().err


@pytest.mark.long
def test_two_streets_with_all_cards() -> None:
    game = named_game("holdem-limit:streets=2")
    assert isinstance(game, VectorGame)
    assert duel(game, simple(game, "uniform"), 0, 5000, seed=1, level=LEVEL).agrees
