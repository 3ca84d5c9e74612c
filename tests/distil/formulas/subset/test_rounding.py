"""Weights in steps against all of them, and the integer programs against linear programs with a row for each flop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from headsup.common.highs import INFINITY, Program, optimise
from headsup.distil.formulas.problem import Problem, problem
from headsup.distil.formulas.solving import solve
from headsup.distil.formulas.subset.mip import POINTS, FlopProgram, pieces
from tests.equity import compiled

pytestmark = compiled


@pytest.fixture(scope="module")
def small() -> Problem:
    return problem("JcJd", "AA,KK,QQ,JJ,AKs", (3, 6, 9, 12, 18, 41, 42, 54, 57))


@pytest.fixture(scope="module")
def other() -> Problem:
    return problem("AcKc", "TT+,AQs+", (1, 4, 16, 43, 46, 48, 49, 54))


def plain(of: Problem, columns: Iterable[int], largest: bool) -> float:
    """The least error with these columns from a linear program with one error for every single flop."""
    chosen = list(columns)
    flops, bits = len(of.flop_row), of.matrix[of.flop_row][:, chosen].astype(float)
    add = Program()
    x = add.columns(len(chosen), -1, 1)
    e = add.columns(1 if largest else flops, 0, INFINITY, 1.0 if largest else 1.0 / flops)
    r, c = np.nonzero(bits)
    every = np.arange(flops)
    own = np.full(flops, e[0]) if largest else e
    add.rows(flops, of.flop_equity, INFINITY, (r, x[c], 1.0), (every, own, 1.0))
    add.rows(flops, -INFINITY, of.flop_equity, (r, x[c], 1.0), (every, own, -1.0))
    answer = optimise(add.lp(), 60.0)
    assert answer.optimal
    assert answer.values is not None
    return answer.bound


def some_flops(of: Problem, number: int) -> Problem:
    """The same problem on a few flops only, points counted afresh."""
    chosen = np.sort(np.random.default_rng(2).permutation(len(of.flop_row))[:number])
    rows, flop_row = np.unique(of.flop_row[chosen], return_inverse=True)
    equity = of.flop_equity[chosen]
    points, weight = np.unique(np.stack([flop_row, equity], axis=1), axis=0, return_counts=True)
    return replace(
        of,
        matrix=of.matrix[rows],
        row=points[:, 0].astype(np.int64),
        equity=points[:, 1],
        weight=weight.astype(np.int64),
        flops=of.flops[chosen],
        flop_row=flop_row,
        flop_equity=equity,
    )


def test_reduced_rows_say_the_same_as_every_flop(small: Problem) -> None:
    some = some_flops(small, 2000)
    for chosen in ((0, 3, 7), (0, 1, 2, 3, 4)):
        only = np.isin(np.arange(len(small.numbers)), chosen)
        for largest, model in ((True, "MAXERR"), (False, "AVGERR")):
            found = FlopProgram(some, model, len(chosen), only=only).solve(30.0)
            assert found.bound / POINTS == pytest.approx(plain(some, chosen, largest), abs=1e-7)


def test_columns_of_a_formula_cost_its_error(other: Problem) -> None:
    weights = np.random.default_rng(3).uniform(-1, 1, len(other.numbers))
    formula = dict(zip(other.numbers.tolist(), weights, strict=True))
    for model, error in (("AVGERR", other.average_error(formula)), ("MAXERR", other.max_error(formula))):
        built = FlopProgram(other, model, len(weights))
        lp = built.program.lp()
        assert lp.offset_ + lp.col_cost_ @ built.columns_of(weights) == pytest.approx(POINTS * error)
        np.testing.assert_array_equal(built.weights_of(built.columns_of(weights)), weights)
    cut = pieces(other)
    assert (cut.slope >= 0).all()
    assert (cut.length > 0).all()
    assert (cut.away >= 0).all()


def sets(of: Problem, n: int) -> Iterator[tuple[int, ...]]:
    return combinations(range(len(of.numbers)), n)


def brute_in_steps(of: Problem, n: int, step: float, largest: bool) -> float:
    """Every set of n features with every weight in steps."""
    most = int(1 / step + 1e-9)
    steps = step * np.array(list(product(range(-most, most + 1), repeat=n)))
    best = INFINITY
    for chosen in sets(of, n):
        estimate = of.matrix[:, chosen] @ steps.T
        off = np.abs(estimate[of.row] - of.equity[:, None])
        best = min(best, float((off.max(axis=0) if largest else of.weight @ off / of.total).min()))
    return best


@pytest.mark.parametrize("model", ["MAXERR", pytest.param("AVGERR", marks=pytest.mark.long)])
def test_weights_in_steps_are_the_best_there_are(model: str, other: Problem) -> None:
    found = solve(other, model, 2, step=0.25, seconds=60)
    truth = brute_in_steps(other, 2, 0.25, model == "MAXERR")
    assert found.value == pytest.approx(truth, abs=1e-9)
    assert found.proved
    assert found.bound <= truth + 1e-9
    for weight in found.weights.values():
        assert weight / 0.25 == pytest.approx(round(weight / 0.25), abs=1e-12)
    free = solve(other, model, 2, seconds=240)
    again = solve(other, model, 2, step=0.25, seconds=60, start=free.weights, floor=free.bound)
    assert again.value == pytest.approx(truth, abs=1e-9)
    fewest = solve(other, f"FEAT_{model}", truth + 1e-7, step=0.25, seconds=60)
    assert fewest.value == 2
    assert fewest.proved
