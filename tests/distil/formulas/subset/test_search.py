"""The search: never worse than where it starts, and its sets are what they say."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.distil.formulas.problem import problem
from headsup.distil.formulas.subset.fits import HandFit
from headsup.distil.formulas.subset.search import Search
from tests.equity import compiled
from tests.waiting import count_looks

pytestmark = compiled
POOR = (1, 4, 16)
"""A poor choice: the aces, the kings and the suits of the flop say little about our own hand."""


@pytest.fixture(scope="module")
def fit() -> HandFit:
    return HandFit(problem("AsKs", "RUS"))


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    count_looks(monkeypatch, "common.stop", "distil.formulas.subset.search")


def test_annealing_gets_out_of_a_poor_choice(fit: HandFit) -> None:
    search = Search(fit)
    before = search.note(fit.columns_of(POOR))
    search.anneal(3, 1.5)
    error, columns = search.at_most(3)
    assert len(columns) == 3
    assert error < 0.8 * before
    assert fit.of.average_error(fit.formula(fit.fit(columns).weights)) == pytest.approx(error, abs=1e-9)


def test_fewer_features_within_an_error(fit: HandFit) -> None:
    """Three are proved to be the fewest for 6 %."""
    search = Search(fit)
    search.note(frozenset(range(fit.width)))
    search.path(5, 0.0, 0.06)
    search.anneal_fewer(0.06, 1.0)
    search.trim(0.06, 2.0, 2)
    size = search.reach(0.06)
    assert size is not None
    assert 3 <= size <= 5
    assert all(len(columns) == n for n, (_, columns) in search.best.items())


def test_no_feature_that_helps_is_passed_over(fit: HandFit) -> None:
    """Certificates leave fits out, never the best one."""
    columns = fit.columns_of((40, 47))
    found, error = Search(fit).add(columns)
    every = [fit.error(columns | {j}) for j in range(fit.width) if j not in columns]
    assert error == fit.error(found) == pytest.approx(np.min(every), abs=1e-12)
