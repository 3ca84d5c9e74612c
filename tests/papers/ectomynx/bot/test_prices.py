"""Prices of faults and parts: means and intervals over pairs of runs."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.papers.ectomynx.bot.prices import price


def test_a_price_has_the_interval_of_its_deals_and_that_of_its_runs() -> None:
    runs = [np.array([0.0, 2.0, 0.0, 2.0]), np.array([1.0, 3.0, 1.0, 3.0])]
    found = price("fault", runs)
    assert found["means"] == [1.0, 2.0]
    assert found["mean"] == 1.5
    assert found["half"] == pytest.approx(1.959964 / np.sqrt(8))  # 8 results with a deviation of 1
    assert found["between"] == pytest.approx(12.7062 * 0.5, rel=1e-4)  # Student's t with one degree of freedom
    assert price("fault", runs[:1])["between"] == 0.0
