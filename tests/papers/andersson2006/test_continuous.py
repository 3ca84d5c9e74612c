"""Borel's and von Neumann's poker: closed forms, bounds on real numbers against a fine grid, and the solver."""

import numpy as np
import pytest

from headsup.papers.andersson2006.continuous import BETS, NAMES, CellStrategy, bounds, closed_form, solve_cells

GRID = 2000


def on_a_grid(name: str, bet: float, strategy: CellStrategy) -> tuple[float, float]:
    """The same bounds with numbers on a fine grid, payoff by payoff."""
    numbers = (np.arange(GRID) + 0.5) / GRID
    cell = (numbers * len(strategy.bets)).astype(int)
    bets, calls = strategy.bets[cell], strategy.calls[cell]
    wins = np.sign(numbers[:, None] - numbers[None, :])  # player 0's number by player 1's
    without = wins if name == "neumann" else -np.ones_like(wins)
    betting = (1.0 - calls + calls * (1 + bet) * wins).mean(axis=1)
    most = np.maximum(betting, without.mean(axis=1)).mean()
    kept = ((1 - bets)[:, None] * without).mean(axis=0)
    call, fold = (bets[:, None] * (1 + bet) * wins).mean(axis=0), bets.mean()
    return float((kept + np.minimum(call, fold)).mean()), float(most)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("bet", [0.5, 3.0])
def test_bounds_agree_with_a_fine_grid(name: str, bet: float) -> None:
    rng = np.random.default_rng(1)
    strategy = CellStrategy(rng.random(7), rng.random(7))
    assert bounds(name, bet, strategy) == pytest.approx(on_a_grid(name, bet, strategy), abs=2e-3)


def test_the_closed_form_is_an_equilibrium() -> None:
    """Bets of 2 have thresholds on whole cells: quarters for Borel, ninths for von Neumann."""
    borel = CellStrategy(np.array([0.0, 1, 1, 1]), np.array([0.0, 0, 1, 1]))
    assert bounds("borel", 2.0, borel) == pytest.approx((-0.25, -0.25))
    neumann = CellStrategy(np.repeat([1.0, 0.0, 1.0], (1, 6, 2)), np.repeat([0.0, 1.0], (5, 4)))
    assert bounds("neumann", 2.0, neumann) == pytest.approx((1 / 9, 1 / 9))
    for name, strategy in (("borel", borel), ("neumann", neumann)):
        exact = closed_form(name, 2.0)
        assert exact.value == pytest.approx(bounds(name, 2.0, strategy)[0])
        assert (exact.bets, exact.calls) == pytest.approx((strategy.bets.mean(), strategy.calls.mean()))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("bet", BETS)
def test_the_solver_encloses_the_closed_form(name: str, bet: float) -> None:
    strategy, value = solve_cells(name, bet, 60)
    low, high = bounds(name, bet, strategy)
    exact = closed_form(name, bet)
    assert low - 1e-9 <= exact.value <= high + 1e-9
    assert low - 1e-9 <= value <= high + 1e-9
    assert high - low < 1e-3
    assert strategy.calls.mean() == pytest.approx(exact.calls, abs=0.02)
    assert strategy.bets.mean() == pytest.approx(exact.bets, abs=0.03)
