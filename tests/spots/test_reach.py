"""How often decisions are reached, and play off the path with trembles."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from headsup.cards.combos import holdem_combos
from headsup.cli import main
from headsup.common.errors import UserError
from headsup.games.holdem.spot import Spot
from headsup.games.holdem.vector import ArrayStrategy
from headsup.measure.exploit import measure
from headsup.spots.reach import rare_actions, without_trembles
from headsup.spots.solve import SpotSolution, solve_spot
from tests.solve import compiled
from tests.spots.test_view import SPOT, solved

RIVER = Spot("Td9d6hQc2s", "AA,T9s,KJs,87s", "QQ,AQs,J8s,55", 20, 200, bets="50%, a", raises="a")
pytestmark = compiled


@cache
def trembled() -> SpotSolution:
    return solve_spot(RIVER, None, iterations=300, tremble=0.001, store="float64")


def pairs(first: dict[int, float], second: dict[int, float]) -> float:
    """The weight of all pairs of hands that share no card."""
    cards = holdem_combos()
    apart = ((a, b) for a in first for b in second if not set(cards[a].tolist()) & set(cards[b].tolist()))
    return sum(first[a] * second[b] for a, b in apart)


@pytest.mark.parametrize("line", ["", "check", "bet 10, raise 30", "check, check, 2d", "check, check, 2d, bet 10"])
def test_reached_is_the_share_of_deals_pair_by_pair(line: str) -> None:
    view = solved().at(line)
    mine = dict(zip(view.combos.tolist(), view.reach.tolist(), strict=True))
    theirs = dict(zip(view.opponent.combos.tolist(), view.opponent.reach.tolist(), strict=True))
    ranges = SPOT.with_(board=view.board, turn="", flop="").ranges
    dealt = [{int(c): float(r.weights[c]) for c in np.flatnonzero(r.weights)} for r in ranges]
    assert view.reached == pytest.approx(pairs(mine, theirs) / pairs(*dealt))
    assert view.reached == pytest.approx(1.0) if not line else view.reached < 1.0


def test_rare_actions_lead_where_few_deals_come() -> None:
    view = solved().at("check")
    shares = dict(zip(view.actions, view.totals["frequencies"], strict=True))
    for threshold in (1e-6, 0.05, 0.5):
        rare = {action for action, share in shares.items() if view.reached * share < threshold}
        assert set(rare_actions(view, threshold)) == rare


def test_trembles_are_taken_out_and_the_exploitability_is_that_of_the_rest() -> None:
    solution = trembled()
    assert solution.solution.params["floor"] == 0.001
    game = RIVER.game()
    again = measure(game, ArrayStrategy(game, solution.solution.strategy))
    assert solution.exploitability_pot == pytest.approx(again.exploitability / RIVER.pot)
    assert solution.exploitability_pot < 0.005
    assert min(solution.at().frequencies.min(axis=1)) < 0.001  # some action is never meant


def test_the_nuts_never_fold_where_play_never_comes() -> None:
    """J8 is a straight; nothing beats KJ, and oop holds it at decisions that the equilibrium never reaches."""
    solution = trembled()
    for line in ("check, all-in 200", "bet 10, all-in 200"):
        view = solution.at(line)
        assert view.hand("KJs")["frequencies"]["fold"] < 0.01, line


def test_taking_trembles_out_by_hand() -> None:
    game = RIVER.game()
    meant = [np.random.default_rng(seat).random(int(at[-1])) for seat, at in enumerate(game.layout)]
    known = ArrayStrategy(game, (meant[0], meant[1]))

    class Trembling:
        def rows(self, decision: int, board: object) -> np.ndarray:
            rows = known.rows(decision, board)  # type: ignore[arg-type]
            return 0.02 + (1 - 0.02 * len(rows)) * rows

    played = ArrayStrategy.of(game, Trembling())
    back = ArrayStrategy(game, without_trembles(game, played.policy, 0.02))
    for node in np.flatnonzero(game.betting.player < 2):
        np.testing.assert_allclose(back.rows(node, game.board(0, 0)), known.rows(node, game.board(0, 0)), atol=1e-12)


@pytest.mark.parametrize("options", [{"tremble": 0.9}, {"tremble": 0.01, "locks": ["AA: check"]}])
def test_trembles_that_cannot_be(options: dict[str, object]) -> None:
    with pytest.raises(UserError):
        solve_spot(RIVER, 0.1, **options)  # type: ignore[arg-type]


def test_look_marks_rare_decisions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "spot")
    trembled().save(file)
    assert main(["look", file, "--line", "check, all-in 200", "--rare", "0.99"]) == 0
    assert "fewer than 0.99" in capsys.readouterr().out
    assert main(["look", file, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["reached"], answer["rare"]) == (pytest.approx(1.0), False)
    spot = tmp_path / "spot.txt"
    RIVER.write(spot)
    assert main(["spot", str(spot), "--tremble", "0.1%", "--iterations", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["params"]["floor"] == 0.001
