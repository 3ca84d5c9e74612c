"""With the real libraries, where they are installed: examples of the docs, exploitability beside OpenSpiel's own,
PettingZoo's test, RLCard's game beside its own code.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from headsup.measure import Measurement
from headsup.play.bridges.policies import LowerBound, measure_policy

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("library", "example", "prints"),
    [
        ("pyspiel", "openspiel_policy", "by headsup"),
        ("rlcard", "rlcard_agent", "leduc-holdem-rule-v1: 1133.333 mbb/g, exact"),
        ("pettingzoo", "pettingzoo_game", "Passed API test"),
    ],
)
def test_the_example_runs(library: str, example: str, prints: str) -> None:
    pytest.importorskip(library, reason=f"{library} is not installed")
    path = ROOT / "docs" / "examples" / f"{example}.py"
    assert len([line for line in path.read_text().split('"""')[2].splitlines() if line.strip()]) <= 30
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, env=env, timeout=280)
    assert done.returncode == 0, done.stderr
    assert prints in done.stdout


@pytest.mark.parametrize(("ours", "theirs"), [("kuhn", "kuhn_poker"), ("leduc", "leduc_poker")])
def test_openspiel_agrees_on_exploitability(ours: str, theirs: str) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    game = pyspiel.load_game(theirs)
    table = policy.TabularPolicy(game)
    for row, mask in zip(table.action_probability_array, table.legal_actions_mask, strict=True):
        row[:] = mask * [1.0, 2.0, 3.0][: len(mask)]
        row /= row.sum()
    result = measure_policy(table)
    assert isinstance(result, Measurement)
    assert result.exploitability == pytest.approx(exploitability.exploitability(game, table), abs=1e-9)
    assert result.game == ours


@pytest.mark.parametrize(
    ("name", "stack"), [("kuhn", 0), ("leduc", 0), ("spades", 0), ("holdem-limit", 0), ("holdem-nolimit", 20)]
)
def test_openspiel_plays_our_games(name: str, stack: int) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    import headsup.play.bridges.openspiel_games  # noqa: F401 - registers the game

    game = pyspiel.load_game("headsup", {"game": name, "stack": float(stack)})
    pyspiel.random_sim_test(game, num_sims=10, serialize=False, verbose=False)


def test_openspiel_and_headsup_agree_on_a_game_of_ours() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    from headsup.play.bridges.openspiel_games import openspiel_game

    game = openspiel_game("spades")
    uniform = policy.UniformRandomPolicy(game)
    result = measure_policy(uniform)
    assert isinstance(result, Measurement)
    assert result.exploitability == pytest.approx(exploitability.exploitability(game, uniform), abs=1e-9)


@pytest.mark.parametrize("name", ["kuhn", "leduc", "leduc_nolimit", "holdem-limit", "holdem-nolimit"])
def test_pettingzoo_accepts_the_environment(name: str) -> None:
    pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
    from pettingzoo.test import api_test, seed_test

    from headsup.play.bridges.pettingzoo_env import headsup_env

    api_test(headsup_env(name), num_cycles=500)
    seed_test(lambda: headsup_env(name), num_cycles=50)


def test_rlcards_leduc_is_played_as_rlcard_plays_it() -> None:
    """Random games of RLCard's environment end as the same cards and actions end here."""
    rlcard = pytest.importorskip("rlcard", reason="RLCard is not installed")
    from headsup.play.bridges.rlcard_agents import RLCardLeduc

    game, env = RLCardLeduc(), rlcard.make("leduc-holdem", config={"seed": 4})
    places = {card.get_index(): place for place, card in enumerate(game.deck)}
    compared = 0
    for _ in range(200):
        shown, _ = env.reset()
        if env.game.players[0].in_chips != env.game.small_blind:
            continue  # here player 0 has the small blind
        actions: list[str] = []
        hands = [places[seat.hand.get_index()] for seat in env.game.players]
        while not env.is_over():
            action = env.np_random.choice(list(shown["legal_actions"]))
            actions.append(env.actions[action])
            shown, _ = env.step(int(action))
        public = env.game.public_card
        cards = (*hands, *([] if public is None else [places[public.get_index()]]))
        assert game.payoff((cards, tuple(actions))) == pytest.approx(float(env.get_payoffs()[0]) * 2)
        compared += 1
    assert compared > 50


def test_an_rlcard_agent_at_the_table() -> None:
    pytest.importorskip("rlcard", reason="RLCard is not installed")

    class Uniform:
        def eval_step(self, shown: dict[str, Any]) -> tuple[int, dict[str, Any]]:
            names = shown["raw_legal_actions"]
            return next(iter(shown["legal_actions"])), {"probs": {name: 1 / len(names) for name in names}}

    for game, stack in (("holdem-limit", None), ("holdem-nolimit", 50)):
        result = measure_policy(Uniform(), game, stack=stack, hands=10)
        assert isinstance(result, LowerBound)
        assert result.hands == 10
