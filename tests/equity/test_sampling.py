"""Sampling: repeatable, fair, and within its interval of the exact answer."""

import pytest

from headsup.common.errors import UserError
from headsup.equity import equity
from headsup.equity.results import as_grid, high_grid
from headsup.equity.sampling import interval_of
from tests.equity import compiled


@compiled
@pytest.mark.parametrize(
    ("a", "b", "board", "dead", "game"),
    [
        ("AdAc", "KhKs", "", "", "holdem"),
        ("AA,KK:0.5", "AsKs,QQ:0.1,22", "", "2c", "holdem"),
        ("AKs,QQ", "JJ-88,AJs", "Ks7d2c", "", "holdem"),
        ("AsQsAdJd", "5h4s3c2h", "", "", "omaha8"),
        ("AsQsAdJd,KKQQ@50", "A2KK,5432", "4h5dJc", "", "omaha8"),
        ("AsQsAdJd", "KhKsTd9d", "4h5dJc8c", "", "omaha"),
    ],
)
def test_sampling_finds_the_exact_answer(a: str, b: str, board: str, dead: str, game: str) -> None:
    exact = equity(a, b, board, dead, game)
    sampled = equity(a, b, board, dead, game, "sampling", samples=200_000, seed=11)
    assert exact.exact
    assert not sampled.exact
    assert sampled.deals == sampled.samples == 200_000
    assert sampled.interval is not None
    # Twice the 95 % margin: a fair sample fails this once in ten thousand, and the seed is fixed.
    assert abs(sampled.equity - exact.equity) < 2 * sampled.interval.margin
    for row, truth in zip(sampled.grid, exact.grid, strict=True):
        for count, whole in zip(row, truth, strict=True):
            assert count / sampled.deals == pytest.approx(whole / exact.deals, abs=0.006)


def test_seed_decides() -> None:
    def ask(seed: int):
        return equity("AKs", "QQ", "Ks7d2c9h", method="sampling", samples=3000, seed=seed).grid

    assert ask(5) == ask(5)
    assert ask(5) != ask(6)


def test_hands_that_leave_next_to_nothing() -> None:
    """Only one hand in ten thousand, by weight, can be held against AsAh; the drawing must not wait for it."""
    villain = "AsKs,AsQs,AhKh,AhQh,AsJs,AsTs,AhJh,AhTh,7c2d:0.0001"
    board = "3d4d5h9h"
    exact = equity("AsAh", villain, board, method="sweep")
    sampled = equity("AsAh", villain, board, method="sampling", samples=4000, seed=2)
    assert exact.deals == 44
    assert sampled.equity == pytest.approx(exact.equity, abs=0.05)


def test_boards_from_a_short_deck() -> None:
    dead = [card for card in range(52) if card not in (0, 1, 4, 5, 10, 15, 20, 25, 30, 35)]
    exact = equity((0, 1), (4, 5), dead=dead, method="enumeration")
    assert exact.deals == 6
    sampled = equity((0, 1), (4, 5), dead=dead, method="sampling", samples=600, seed=2)
    assert sampled.equity == pytest.approx(exact.equity, abs=0.1)


def test_interval() -> None:
    half = interval_of(high_grid(5000, 0, 5000))
    assert half.margin == pytest.approx(1.96 * 0.5 / 100, rel=1e-3)
    assert half.level == 0.95
    sure = interval_of(high_grid(1000, 0, 0))
    assert (sure.low, sure.high) == (0.997, 1.0)
    quarter = interval_of(as_grid([[0, 0, 0, 0], [0, 0, 0, 100], [0, 0, 0, 0]]))
    assert quarter.low < 0.25 < quarter.high


def test_no_samples() -> None:
    with pytest.raises(UserError, match="at least 1"):
        equity("AKs", "QQ", "Ks7d2c9h", method="sampling", samples=0)
