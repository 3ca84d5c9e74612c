"""A newcomer adds games of betting and boards, each in a few lines, and everything works on them."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from headsup.games import Betting, Mixture, Uniform, VectorGame, betting_tree, holdem_game, sequence_form
from headsup.games.holdem.boardlist import PlainBoards
from headsup.games.holdem.showdown import Dense
from headsup.games.walk.streaming import hand_values
from headsup.measure import measure
from headsup.solve import solve
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.records.settings import PRESETS
from headsup.solve.small.lp import sequence_lp
from tests.solve import compiled


def royal_holdem() -> VectorGame:
    """Hold'em with the twenty cards from ten to ace: a round before the flop and one after it."""
    rules = Betting(first=(0, 1), blinds=(1, 2), kind="limit", sizes=(2, 4), cap=(3, 2))
    return holdem_game("royal", betting_tree(rules), ranks=5, suits=4, streets=(0, 3), unit=2.0)


def closest(cards: int = 6) -> VectorGame:
    """A card each and one in the middle, after which there is a second round; whose card is nearer to it wins."""
    rules = Betting(first=(0, 0), stacks=(7, 7), antes=(1, 1))
    card = np.arange(cards)
    apart = (card[:, None] != card[None, :]).astype(float)
    free = (card[:, None] != card[None, :])[:, :, None] & (card[:, None] != card[None, :])[:, None, :]
    far = np.abs(card[:, None] - card[None, :])
    return VectorGame(
        name="closest",
        betting=betting_tree(rules, "100%; a"),
        boards=PlainBoards([[[(c,) for c in range(cards)]]]),
        showdown=Dense(
            [apart[None], apart * free / (cards - 2)],  # how often two cards are dealt, and a board with them
            np.sign(far[:, None, :] - far[:, :, None]),  # [board, mine, theirs]
        ),
        weights=(np.ones(cards), np.ones(cards)),
        chance=np.ones(2),  # it is in the matrices
    )


def test_they_are_short() -> None:
    assert len(inspect.getsource(royal_holdem).splitlines() + inspect.getsource(closest).splitlines()) < 50


@compiled
def test_royal_holdem_is_solved_and_measured() -> None:
    game = royal_holdem()
    assert repr(game) == "<royal: 6 + 30 decisions, 1 + 95 boards, 190 and 190 hands>"
    solver = VectorCfr(game, PRESETS["cfr+"], store="float64", threads=1)
    before = measure(game, Uniform(game))
    solver.step(25)
    after = measure(game, solver.strategy())
    assert after.exploitability == pytest.approx(solver.exploitability(), abs=1e-9)
    assert after.mbb < before.mbb / 20
    assert measure(game, Mixture(game, 1, 0, 0)).best[1] == pytest.approx(1.0)  # who always folds loses the blind


def test_a_game_of_one_s_own_cards_is_solved_and_measured() -> None:
    game = closest()
    form = sequence_form(game)
    value, plans = sequence_lp(form)
    exact = solve(form, "lp")
    assert exact.value == pytest.approx(value, abs=1e-9)
    assert max(form.best_values(plans)) <= abs(value) + 1e-9
    found = solve(form, "cfr+", iterations=200)
    assert found.exploitability < 0.01
    values = [float(game.weights[p] @ hand_values(game, Uniform(game), p)) for p in (0, 1)]
    best = [float(game.weights[p] @ hand_values(game, Uniform(game), p, best=True)) for p in (0, 1)]
    uniform = form.plans(form.uniform())
    assert values == pytest.approx([form.value(uniform), -form.value(uniform)], abs=1e-12)
    assert best == pytest.approx(form.best_values(uniform), abs=1e-12)
    assert -best[1] < value < best[0]
    assert measure(game, Uniform(game)).exploitability == pytest.approx(sum(best) / 2, abs=1e-12)
