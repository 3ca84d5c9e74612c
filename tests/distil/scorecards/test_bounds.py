"""The proof by swaps: never above the best points there are, and by hand where the answer is plain."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from headsup.distil.scorecards.bounds import packed, proved, swap_floor
from headsup.distil.scorecards.objective import best_gains, cells_of, scale, shares
from headsup.distil.scorecards.priced import losses
from headsup.distil.shipped import shipped_cards


def test_one_swap_by_hand() -> None:
    # two looks, x and y, each there or not; a hand is played if it has exactly one of them: no points do that
    columns = np.array([[0, 0], [1, 0], [0, 1], [1, 1]])
    gains = np.array([[-3.0], [2.0], [5.0], [-4.0]])
    found = packed(columns, gains)
    best = min(
        np.maximum(gains, 0).sum() - gains[columns @ np.array([x, y]) >= t].sum()
        for x, y, t in product(range(-3, 4), range(-3, 4), range(-7, 8))
    )
    assert best == pytest.approx(2.0)
    assert 0 < found <= best + 1e-12


def test_hands_that_points_can_tell_apart_cost_nothing() -> None:
    columns = np.array([[0, 0], [1, 0], [0, 1], [1, 1]])
    assert packed(columns, np.array([[-1.0], [-1.0], [1.0], [1.0]])) == 0.0


def test_order_that_changes_with_the_decision() -> None:
    """Two hands, two decisions that rank them differently: one mistake at least, the cheapest of four."""
    columns, gains = np.array([[1], [0]]), np.array([[3.0, -2.0], [-1.0, 4.0]])
    assert packed(columns, gains) == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(4))
def test_never_above_the_best_points(seed: int) -> None:
    chance = np.random.default_rng(seed)
    columns = np.array(list(product((0, 1), (0, 1), (0, 1))))
    gains = chance.normal(size=(8, 3))
    best = np.inf
    for points in product(range(-4, 5), repeat=3):
        scores = columns @ np.array(points)
        lost = [min(np.maximum(gain, 0).sum() - gain[scores >= t].sum() for t in range(-13, 14)) for gain in gains.T]
        best = min(best, sum(lost))
    assert packed(columns, gains) <= best + 1e-9


@pytest.mark.parametrize("lines", [("pair", "suited", "connected"), ("high", "low", "pair")])
def test_below_every_card_of_these_lines(lines: tuple[str, ...]) -> None:
    stacks = (3.0, 5.0, 9.0)
    bound = swap_floor("holdem", lines, stacks)
    cells = cells_of("holdem", lines, stacks)
    chance, best = np.random.default_rng(1), np.inf
    for _ in range(300):
        scores = cells.columns @ chance.integers(-6, 12, size=cells.columns.shape[1])
        lost = np.zeros((2, 3))
        for seat, at in product(range(2), range(3)):
            gain = cells.gains[seat][:, at]
            kept = max(gain[scores >= t].sum() for t in np.append(np.unique(scores), scores.max() + 1))
            lost[seat, at] = best_gains("holdem", stacks)[seat, at] - kept
        best = min(best, float((lost / scale("holdem", stacks)).sum(axis=0).mean()))
    assert 0 < bound <= best + 1e-9


@pytest.mark.parametrize("game", ["holdem", "omaha8"])
def test_no_shipped_card_is_below_what_is_proved(game: str) -> None:
    for one in shipped_cards(game):
        assert one.proved is not None
        assert one.proved <= one.share
        assert one.floor <= one.share


def test_a_shipped_bound_again() -> None:
    one = next(one for one in shipped_cards("holdem") if one.lines == 3 and one.card.row)
    again = proved("holdem", tuple(one.card.points), one.card.max_stack)
    assert one.proved == pytest.approx(again, abs=1e-3)
    stacks = (4.0, 5.0, 6.0)
    mean = float(shares("holdem", stacks, losses(one.card, stacks)).mean())
    assert swap_floor("holdem", tuple(one.card.points), stacks) <= mean
