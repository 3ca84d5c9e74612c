"""The average-error solver against linear programs in HiGHS and against all subsets."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.backend import JIT_DISABLED
from headsup.distil.flops.average.fit import Fitter
from headsup.distil.flops.average.solver import fewest_features, least_error
from headsup.distil.flops.problem import Problem
from headsup.errors import UserError
from headsup.progress import Paced

SECONDS = 12.0 if JIT_DISABLED else 3.0
"""The hunt for fewer features takes a third of its time whatever happens."""


def made_up(seed: int, width: int, flops: int = 60, heavy: float = 0.4) -> Problem:
    """A random problem with exact dependencies among its columns: the first three always add up to one."""
    random = np.random.default_rng(seed)
    three = np.eye(3, dtype=bool)[random.integers(0, 3, flops)]
    features = np.concatenate([three, random.random((flops, width - 3)) < heavy], axis=1)
    features[:, -1] = features[:, 3] & features[:, 4]
    features[0] = True
    true = random.normal(0.0, 0.3, width) * (random.random(width) < 0.6)
    equity = np.clip(0.4 + features @ true + random.normal(0.0, 0.05, flops), 0.0, 1.0).round(3)
    matrix, row = np.unique(features, axis=0, return_inverse=True)
    order = np.lexsort((equity, row.ravel()))
    return Problem(
        hand="AcAd",
        villain="made up",
        numbers=np.arange(1, width + 1),
        matrix=matrix,
        row=row.ravel()[order],
        equity=equity[order],
        weight=random.integers(1, 5, flops),
        same={},
        never=(),
        flops=np.zeros((flops, 3), dtype=np.uint8),
        flop_row=row.ravel(),
        flop_equity=equity,
        left_out=0,
    )


def linear_program(problem: Problem, columns: tuple[int, ...]) -> float:
    """The least average error with these columns as a linear program of HiGHS, a row for each point."""
    import highspy

    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    weights = [highs.addVariable(-1.0, 1.0) for _ in columns]
    errors = [highs.addVariable(0.0) for _ in problem.equity]
    for error, row, equity in zip(errors, problem.row, problem.equity, strict=True):
        estimate: Any = sum(w for w, j in zip(weights, columns, strict=True) if problem.matrix[row, j])
        highs.addConstr(error + estimate >= float(equity))
        highs.addConstr(error - estimate >= -float(equity))
    highs.minimize(sum(int(w) * e for w, e in zip(problem.weight, errors, strict=True)))
    return float(highs.getObjectiveValue()) / problem.total


@pytest.mark.parametrize("seed", range(6))
def test_a_fit_is_the_optimum_of_the_linear_program(seed: int) -> None:
    problem = made_up(seed, 8, 30)
    fitter = Fitter(problem)
    for columns in ((0,), (0, 1, 2), (3, 4, 7), (0, 1, 2, 3, 5), tuple(range(8))):
        error, bound, x = fitter.fit(columns)
        assert error == pytest.approx(linear_program(problem, columns), abs=1e-9)
        assert error - 1e-8 < bound <= error
        assert np.abs(x).max() <= 1.0 + 1e-12
        assert problem.average_error(fitter.weights(columns)) == pytest.approx(error, abs=1e-12)


def test_the_box_binds_where_it_must() -> None:
    """Two equities that only weights beyond 1 could meet."""
    problem = made_up(1, 6, 20)
    matrix = np.array([[True, False], [True, True]])
    tight = Problem(
        **{
            **vars(problem),
            "numbers": np.array([1, 2]),
            "matrix": matrix,
            "row": np.array([0, 1]),
            "equity": np.array([1.0, -0.5]),
            "weight": np.array([5, 5]),
        }
    )
    error, _, x = Fitter(tight).fit((0, 1))
    assert error == pytest.approx(linear_program(tight, (0, 1)), abs=1e-9) == pytest.approx(0.25)
    assert np.abs(x).max() <= 1.0


def all_subsets(problem: Problem, n: int) -> float:
    """The least error of n columns, by trying all of them."""
    fitter = Fitter(problem)
    return min(fitter.error(columns) for columns in combinations(range(fitter.width), n))


@pytest.mark.parametrize(("seed", "width", "n"), [(0, 8, 2), (1, 9, 3), (2, 10, 4), (3, 11, 3), (4, 9, 5), (5, 8, 8)])
def test_the_search_finds_and_proves_what_all_subsets_give(seed: int, width: int, n: int) -> None:
    problem = made_up(seed, width)
    found = least_error(problem, n, seconds=30.0)
    best = all_subsets(problem, n)
    assert found.proved
    assert found.value == pytest.approx(best, abs=1e-9)
    assert best - 1e-6 < found.bound <= best
    assert len(found.weights) <= n
    assert all(abs(weight) <= 1.0 for weight in found.weights.values())
    assert problem.average_error(found.weights) == pytest.approx(found.value, abs=1e-12)


@pytest.mark.long
@settings(max_examples=12, deadline=None)
@given(st.integers(10, 10**6), st.integers(6, 9), st.floats(0.15, 0.7))
def test_fewest_features_are_what_all_subsets_give(seed: int, width: int, heavy: float) -> None:
    problem = made_up(seed, width, 40, heavy)
    least = [1.0] + [all_subsets(problem, n) for n in range(1, width + 1)]
    limit = 0.5 * (least[2] + least[-1]) + 1e-7
    found = fewest_features(problem, limit, seconds=SECONDS)
    expected = next(n for n, error in enumerate(least) if error <= limit)
    assert (found.value, found.bound, found.proved) == (expected, expected, True)
    assert problem.average_error(found.weights) <= limit + 1e-9


def test_without_time_the_bound_still_holds() -> None:
    problem = made_up(7, 10)
    found = least_error(problem, 3, seconds=0.0)
    assert not found.proved
    assert found.bound <= all_subsets(problem, 3) <= found.value + 1e-12


def test_ctrl_c_returns_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = made_up(8, 12)

    def at_once(self: Paced, text: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Paced, "tell", at_once)
    found = least_error(problem, 4, seconds=30.0)
    assert not found.proved
    assert found.bound <= found.value == pytest.approx(problem.average_error(found.weights))


def test_mistakes_are_named() -> None:
    problem = made_up(9, 8)
    with pytest.raises(UserError, match="one or more"):
        least_error(problem, 0, seconds=1.0)
    with pytest.raises(UserError, match="out of reach"):
        fewest_features(problem, 1e-6, seconds=1.0)
