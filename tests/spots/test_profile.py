"""Opponents by statistics: the nearest strategy against sums written out, and profiles as text."""

from __future__ import annotations

import json
from functools import cache
from math import log
from pathlib import Path

import numpy as np
import pytest

from headsup.cards.combos import holdem_combos
from headsup.cli import main
from headsup.common.errors import DataError, UserError
from headsup.games.betting.rules import Move
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.vector import ArrayStrategy
from headsup.spots.nearest import MIXED, Nearest, nearest_strategy
from headsup.spots.profile import OpponentProfile, measured, play_profile, shipped_profiles
from headsup.spots.solve import SpotSolution, solve_spot
from tests.solve import compiled
from tests.spots.test_solve import SMALL
from tests.spots.test_view import SPOT

pytestmark = compiled
TARGET = 0.3


@cache
def river() -> SpotSolution:
    return solve_spot(SMALL, None, iterations=60, store="float64")


@cache
def turn() -> SpotSolution:
    return solve_spot(SPOT, None, iterations=30, store="float64")


def features(node: int) -> np.ndarray:
    """Folding to river bets with the target frequency."""
    tree = river().game.betting
    first = int(tree.child[node])
    fold = tree.kind[first : first + int(tree.count[node])] == Move.FOLD
    return np.array([fold - TARGET * fold.any()], dtype=float)


@cache
def nearest() -> Nearest:
    return nearest_strategy(river().game, river().solution.strategy, 1, 1, features)


def by_hand(rows: np.ndarray, x: float) -> tuple[float, float]:
    """The divergence of ip's strategy less x times f, and f, one pair of hands and one node after another."""
    solution = river()
    game, policy = solution.game, solution.solution.strategy
    tree, old, new = game.betting, ArrayStrategy(game, policy), ArrayStrategy(game, (policy[0], rows))
    board, cards = game.board(0, 0), holdem_combos()
    assert isinstance(game.showdown, Sorted)
    hands = [[set(cards[h].tolist()) for h in game.showdown.hands[p]] for p in (0, 1)]
    asked = [n for n in range(tree.n_nodes) if tree.player[n] < 2]
    old_rows, new_rows = ({n: s.rows(n, board) for n in asked} for s in (old, new))
    cost = off = mass = 0.0
    for i, mine in enumerate(hands[0]):
        for j, theirs in enumerate(hands[1]):
            weight = game.weights[0][i] * game.weights[1][j]
            if mine & theirs:
                continue
            mass += weight
            stack = [(0, weight)]
            while stack:
                node, reach = stack.pop()
                if tree.player[node] > 1:
                    continue
                count, first = int(tree.count[node]), int(tree.child[node])
                for a in range(count):
                    if tree.player[node] == 0:
                        stack.append((first + a, reach * old_rows[node][a, i]))
                        continue
                    share, was = new_rows[node][a, j], (1 - MIXED) * old_rows[node][a, j] + MIXED / count
                    if share > 0.0:
                        f = features(node)[0, a]
                        cost += reach * share * (log(share / was) - x * f)
                        off += reach * share * f
                        stack.append((first + a, reach * share))
    return cost / mass, off / mass


def test_the_nearest_strategy_has_the_statistic_and_its_divergence() -> None:
    found = nearest()
    cost, off = by_hand(found.rows, 0.0)
    assert off == pytest.approx(0.0, abs=1e-6)
    assert cost == pytest.approx(found.divergence, abs=1e-6)
    assert found.divergence > 0.01


def test_no_strategy_with_the_statistic_is_nearer() -> None:
    """For every strategy, D - x f is at least D of the nearest: with f = 0 it is no nearer. Random ones are tried, and
    mixtures of the nearest with the reference.
    """
    found, policy = nearest(), river().solution.strategy[1]
    x = float(found.multipliers[0])
    for seed in range(4):
        noise = np.random.default_rng(seed).random(len(policy))
        for rows in (noise, found.rows * (1.0 + 0.1 * noise), found.rows + 0.2 * policy / policy.max()):
            assert by_hand(rows, x)[0] >= found.divergence - 1e-9


def test_on_the_turn_every_statistic_is_met() -> None:
    solution = turn()
    text = "aggression = 2.0\n[fold_to_bet]\nturn = 0.6\nriver = 0.5\n[bet]\nturn = 0.3"
    profile = OpponentProfile.parse(text)
    for player, seat in (("oop", 0), ("ip", 1)):
        answer = play_profile(solution, profile, player)
        again = measured(solution.game, answer.locked.solution.strategy, seat, profile.statistics)
        for statistic in profile.statistics:
            assert again[statistic.name] == pytest.approx(statistic.target, abs=1e-4)
        opponent = 1 - seat
        kept = answer.locked.solution.strategy[opponent]
        assert (kept == solution.solution.strategy[opponent]).all()
        assert answer.exploit.gains > 0.0
        worths = [adjustment.worth for adjustment in answer.adjustments]
        assert worths == sorted(worths, reverse=True)
        assert max(worths) <= answer.exploit.gains + 1e-9
        assert all("instead of" in adjustment.words() for adjustment in answer.adjustments)


def test_the_statistics_of_the_solution_itself_change_nothing() -> None:
    solution = turn()
    share = measured(
        solution.game, solution.solution.strategy, 1, OpponentProfile.parse("[bet]\nturn = 0.5").statistics
    )["bet.turn"]
    answer = play_profile(solution, OpponentProfile.parse(f"[bet]\nturn = {share}"), "ip")
    assert answer.divergence < 1e-4


@pytest.mark.parametrize("name", shipped_profiles())
def test_shipped_profiles_are_marked_as_illustrations(name: str) -> None:
    profile = OpponentProfile.read(name)
    assert profile.name == name
    assert profile.source.startswith("an illustration")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("bet = ", "not TOML"),
        ("vpip = 0.2", "no statistic after the flop"),
        ("[fold_to_bet]\nriver = 1.5", "fold_to_bet.river: write a number"),
        ("[bet]\npreflop = 0.5", "a street is"),
        ("luck = 1", "is no statistic"),
    ],
)
def test_mistakes_in_a_profile(text: str, part: str) -> None:
    with pytest.raises(UserError, match=part):
        OpponentProfile.parse(text)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, profile, reply = (str(tmp_path / name) for name in ("spot", "mine.toml", "reply"))
    river().save(file)
    Path(profile).write_text("vpip = 0.2\n[fold_to_bet]\nriver = 0.7\nturn = 0.5\n")
    assert main(["exploit", file, "--profile", profile, "--seat", "oop", "--save", reply, "--json"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)["replies"]
    assert (answer["player"], answer["profiled"]) == ("oop", "ip")
    assert answer["skipped"] == ["fold_to_bet.turn", "vpip"]
    assert answer["statistics"][0]["profile"] == pytest.approx(0.7, abs=1e-4)
    assert SpotSolution.load(reply).value_oop == pytest.approx(answer["earns"])
    assert main(["exploit", file, "--profile", "nit"]) == 0
    assert "an illustration" in capsys.readouterr().out
    assert main(["exploit", file, "--profile", "nobody"]) == 2
    assert "shipped profiles are" in capsys.readouterr().err
    Path(profile).write_text("x = 1")
    with pytest.raises(DataError, match="'x' is no statistic"):
        OpponentProfile.read(profile)
