"""A hand in two rounds: one record of the whole, priced in the whole game."""

from __future__ import annotations

from pathlib import Path

import pytest

from headsup.common.errors import UserError
from headsup.games import game
from headsup.games.holdem.vector import VectorGame
from headsup.measure import measure
from headsup.solve import Solution, solve
from headsup.solve.rounds import solve_rounds
from tests.solve import compiled

GAME = "holdem-nolimit:stack=4,ranks=4,suits=2,streets=2,menu=100%, a"


@compiled
def test_the_price_of_independence(tmp_path: Path) -> None:
    """It costs something even with the head of an equilibrium, and more with one that was solved without the rest."""
    whole = solve(GAME, iterations=200, threads=1)
    alone = solve_rounds(GAME, model=2, iterations=200, threads=1)
    less = solve_rounds(GAME, iterations=200, threads=1)
    assert whole.exploitability < 0.001 < alone.exploitability < less.exploitability
    assert measure(GAME, less).exploitability == pytest.approx(less.exploitability)
    less.save(tmp_path / "rounds")
    loaded = Solution.load(tmp_path / "rounds")
    assert (loaded.method, loaded.params["model"], loaded.params["method"]) == ("rounds", 1, "cfr+")
    assert measure(GAME, loaded).exploitability == pytest.approx(less.exploitability)


@compiled
def test_ranges_from_a_second_solution() -> None:
    small = game("leduc_nolimit:stack=3,raises=1,merged=true").vector()  # type: ignore[union-attr]
    assert isinstance(small, VectorGame)
    solution = solve_rounds(small, floor=0.02, twice=True, iterations=20, method="dcfr")
    assert solution.params["twice"]
    assert 0.0 < solution.exploitability < 0.5


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("kuhn", {}, "not cut into rounds"),
        (GAME, {"street": 2}, "cut before street 1 to 1, not 2"),
        (GAME, {"model": 3}, "needs bets on 1 to 2 streets"),
        (GAME, {"method": "lp"}, "rounds are solved by"),
        (GAME, {"floor": 0.9}, "forced by less than"),
        (GAME, {"twice": 2}, "twice is true or false"),
    ],
)
def test_refusals(name: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        solve_rounds(name, iterations=1, **options)  # type: ignore[arg-type]
