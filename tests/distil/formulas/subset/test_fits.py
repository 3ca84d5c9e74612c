"""Fits of both errors against linear programs in HiGHS, from nothing and from another set; their certificates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from headsup.distil.formulas.problem import Problem
from headsup.distil.formulas.subset.fits import HandFit

ERRORS = pytest.mark.parametrize("largest", [False, True], ids=["average", "largest"])


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


def linear_program(problem: Problem, columns: tuple[int, ...], largest: bool) -> float:
    """The least error with these columns as a linear program of HiGHS, two rows for each point."""
    import highspy

    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    weights = [highs.addVariable(-1.0, 1.0) for _ in columns]
    errors = [highs.addVariable(0.0) for _ in range(1 if largest else len(problem.equity))]
    for k, (row, equity) in enumerate(zip(problem.row, problem.equity, strict=True)):
        estimate: Any = sum(w for w, j in zip(weights, columns, strict=True) if problem.matrix[row, j])
        highs.addConstr(errors[0 if largest else k] + estimate >= float(equity))
        highs.addConstr(errors[0 if largest else k] - estimate >= -float(equity))
    if largest:
        highs.minimize(errors[0])
        return float(highs.getObjectiveValue())
    highs.minimize(sum(int(w) * e for w, e in zip(problem.weight, errors, strict=True)))
    return float(highs.getObjectiveValue()) / problem.total


@ERRORS
@pytest.mark.parametrize("seed", range(4))
def test_a_fit_is_the_optimum_of_the_linear_program(seed: int, largest: bool) -> None:
    of = made_up(seed, 8, 30)
    fit = HandFit(of, largest)
    for columns in ((), (0,), (0, 1, 2), (3, 4, 7), (0, 1, 2, 3, 5), tuple(range(8))):
        found = fit.fit(frozenset(columns))
        best = linear_program(of, columns, largest) if columns else found.error
        assert found.error == pytest.approx(best, abs=1e-9)
        assert fit.error(frozenset(columns)) == pytest.approx(found.error, abs=1e-9)
        assert found.error - 1e-8 < found.bound <= found.error
        assert np.abs(found.weights).max() <= 1.0
        assert not np.delete(found.weights, columns).any()
        measured = (of.max_error if largest else of.average_error)(fit.formula(found.weights))
        assert measured == pytest.approx(found.error, abs=1e-12)


@ERRORS
def test_a_fit_may_begin_where_another_ended(largest: bool) -> None:
    random = np.random.default_rng(4)
    fit = HandFit(made_up(3, 12, 80), largest)
    on = random.random(fit.width) < 0.5
    for _ in range(40):
        on = on ^ (random.random(fit.width) < 0.2)
        error = fit.error(frozenset(np.flatnonzero(on).tolist()))
        bound, pull = fit.bounded(on)
        assert error - 1e-8 < bound <= error + 1e-12
        assert (pull[on] < 1e-9).all()
        for level in (error - 1e-4, error + 1e-4):
            reaching = fit.reaching(on, level)
            assert (reaching is None) == (error > level)
            if reaching is not None:
                assert not (reaching & ~on).any()
                assert fit.error(frozenset(np.flatnonzero(reaching).tolist())) <= level + 1e-8


@ERRORS
def test_a_poor_set_grows_and_stays_poor(largest: bool) -> None:
    fit = HandFit(made_up(5, 12, 80), largest)
    everything = fit.error(frozenset(range(fit.width)))
    few = np.arange(fit.width) < 2
    level = 0.5 * (everything + fit.error(frozenset((0, 1))))
    assert fit.reaching(few, level) is None
    grown, bound = fit.grown(few, np.arange(fit.width) < 6, level)
    assert grown[few].all()
    assert not grown.all()
    assert level < bound <= fit.error(frozenset(np.flatnonzero(grown).tolist())) + 1e-12
    if not largest:
        for j in np.flatnonzero(~grown).tolist():
            assert fit.error(frozenset([*np.flatnonzero(grown).tolist(), j])) <= level + 1e-8, "none can be added"


@ERRORS
def test_certificates_hold_for_every_set(largest: bool) -> None:
    fit, random = HandFit(made_up(6, 9), largest), np.random.default_rng(5)
    seen = [frozenset(np.flatnonzero(random.random(fit.width) < 0.5).tolist()) for _ in range(12)]
    for one in (fit.fit(columns) for columns in seen):
        for columns in seen:
            assert fit.error(columns) >= one.level - one.pull[list(columns)].sum() - 1e-8
    for columns in seen:
        one = fit.fit(columns)
        assert one.level - one.pull[list(columns)].sum() == pytest.approx(one.error, abs=1e-7)


def test_the_box_binds_where_it_must() -> None:
    """Two equities that only weights beyond 1 could meet."""
    matrix = np.array([[True, False], [True, True]])
    parts = {"numbers": np.array([1, 2]), "matrix": matrix, "row": np.array([0, 1])}
    points = {"equity": np.array([1.0, -0.5]), "weight": np.array([5, 5])}
    tight = Problem(**{**vars(made_up(1, 6, 20)), **parts, **points})
    for largest in (False, True):
        found = HandFit(tight, largest).fit(frozenset((0, 1)))
        assert found.error == pytest.approx(linear_program(tight, (0, 1), largest), abs=1e-9) == pytest.approx(0.25)
        assert np.abs(found.weights).max() <= 1.0
