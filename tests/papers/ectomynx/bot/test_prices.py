"""Prices of faults and parts: means and intervals over pairs of runs."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.discards.strategy import walk_kernels as kernels
from headsup.papers.ectomynx.bot import prices
from headsup.papers.ectomynx.bot.prices import price


def test_a_price_has_the_interval_of_its_deals_and_that_of_its_runs() -> None:
    runs = [np.array([0.0, 2.0, 0.0, 2.0]), np.array([1.0, 3.0, 1.0, 3.0])]
    found = price("fault", runs)
    assert found["means"] == [1.0, 2.0]
    assert found["mean"] == 1.5
    assert found["half"] == pytest.approx(1.959964 / np.sqrt(8))  # 8 results with a deviation of 1
    assert found["between"] == pytest.approx(12.7062 * 0.5, rel=1e-4)  # Student's t with one degree of freedom
    assert price("fault", runs[:1])["between"] == 0.0


def test_a_part_is_removed_from_the_first_of_two_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in reports who plays: its strategy by threshold, and what it lacks."""
    monkeypatch.setattr(prices, "load", lambda path, clean: clean)
    monkeypatch.setattr(
        prices, "compare", lambda first, second, deals, modes=(0, 0): np.full(deals, 100 * first + modes[0] - second)
    )
    *_, costs = prices.parts(3)
    means = {cost["name"]: cost["mean"] for cost in costs}
    ours = 100 * prices.CLEAN - prices.CLEAN
    assert means["swaps unseen"] == pytest.approx(ours + kernels.UNSEEN)
    assert means["swaps by the rule"] == pytest.approx(ours + kernels.BY_RULE)
    assert means["cleaned at 0.3 in place of 0.05"] == pytest.approx(30 - prices.CLEAN)
    assert len(means) == len(costs) == 7
