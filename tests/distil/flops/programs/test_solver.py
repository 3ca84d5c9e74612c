"""The four models against brute force on small pools of real problems, in steps too; bounds, time, Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from headsup.distil.flops.problem import Problem, problem
from headsup.distil.flops.programs.closing import close
from headsup.distil.flops.programs.mip import POINTS, FlopProgram, pieces
from headsup.distil.flops.programs.solver import Best, solve_program
from headsup.distil.flops.programs.worst_fit import WorstFit, WorstProgram
from headsup.errors import UserError
from headsup.highs import INFINITY, Program, optimise
from headsup.progress import Progress

STRONG = "AA,KK,QQ,JJ,AKs"
POOL = (3, 6, 9, 12, 18, 41, 42, 54, 57)
"""Features of JJ against strong hands that do something, with an intercept among their sums."""


@pytest.fixture(scope="module")
def small() -> Problem:
    return problem("JcJd", STRONG, POOL)


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


def sets(of: Problem, n: int) -> Iterator[tuple[int, ...]]:
    return combinations(range(len(of.numbers)), n)


def by_sets(of: Problem, largest: bool) -> dict[int, float]:
    """Number of features -> least error, by a fit of every set: HiGHS on the reduced rows, one set at a time."""
    model = "MAXERR" if largest else "AVGERR"
    best = {}
    for n in range(1, 4):
        errors = []
        for chosen in sets(of, n):
            only = np.zeros(len(of.numbers), dtype=bool)
            only[list(chosen)] = True
            lp = FlopProgram(of, model, n, only=only).program.lp()
            lp.integrality_ = []
            errors.append(optimise(lp, 60.0).bound / POINTS)
        best[n] = min(errors)
    return best


@pytest.mark.parametrize("model", ["MAXERR", "AVGERR"])
@pytest.mark.parametrize("name", ["small", "other"])
def test_least_error_is_that_of_the_best_set(model: str, name: str, request: pytest.FixtureRequest) -> None:
    of = request.getfixturevalue(name)
    truth = by_sets(of, model == "MAXERR")
    for n, error in truth.items():
        found = solve_program(of, model, n, seconds=240)
        assert found.proved
        assert len(found.weights) <= n
        assert found.value == pytest.approx(error, abs=2e-6)
        assert found.bound <= found.value
        measured = of.max_error if model == "MAXERR" else of.average_error
        assert measured(found.weights) == pytest.approx(found.value, abs=1e-12)
        assert all(-1 <= weight <= 1 for weight in found.weights.values())


@pytest.mark.parametrize("model", ["MAXERR", "AVGERR"])
def test_fewest_features_are_the_inverse(model: str, small: Problem) -> None:
    """FEAT(E) <= N if and only if ERR(N) <= E."""
    errors = {n: solve_program(small, model, n, seconds=240).value for n in (1, 2, 3, 4)}
    for n in (2, 3, 4):
        just = solve_program(small, f"FEAT_{model}", errors[n] + 1e-5, seconds=240)
        assert just.proved
        assert just.value == len(just.weights) == n
        if errors[n - 1] > errors[n] + 1e-3:
            between = solve_program(small, f"FEAT_{model}", errors[n - 1] - 1e-4, seconds=240)
            assert between.proved
            assert between.value == n
        below = solve_program(small, f"FEAT_{model}", errors[n] - 1e-4, seconds=240) if n < 4 else None
        assert below is None or below.value == n + 1


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
    found = solve_program(other, model, 2, step=0.25, seconds=60)
    truth = brute_in_steps(other, 2, 0.25, model == "MAXERR")
    assert found.value == pytest.approx(truth, abs=1e-9)
    assert found.proved
    assert found.bound <= truth + 1e-9
    for weight in found.weights.values():
        assert weight / 0.25 == pytest.approx(round(weight / 0.25), abs=1e-12)
    free = solve_program(other, model, 2, seconds=240)
    again = solve_program(other, model, 2, step=0.25, seconds=60, start=free.weights, floor=free.bound)
    assert again.value == pytest.approx(truth, abs=1e-9)
    fewest = solve_program(other, f"FEAT_{model}", truth + 1e-7, step=0.25, seconds=60)
    assert fewest.value == 2
    assert fewest.proved


def test_our_simplex_fits_as_highs_does() -> None:
    of = problem("AcKc", "TT+,AQs+")
    ours, second, random = WorstFit(of), WorstProgram(of), np.random.default_rng(4)
    on = random.random(ours.width) < 0.5
    for turn in range(60):
        on = random.random(ours.width) < random.random() if turn % 20 == 0 else on ^ (random.random(ours.width) < 0.03)
        one, two = ours.fit(on), second.fit(on)
        assert one.error == pytest.approx(two.error, abs=1e-8)
        assert one.bound == pytest.approx(one.error, abs=1e-8)
        asked = one.error + random.choice([-1e-3, 1e-3])
        assert (ours.fit(on, asked).bound > asked) == (one.error > asked)
    assert ours.lost == 0


def test_certificates_hold_for_every_set(small: Problem) -> None:
    fit, random = WorstFit(small), np.random.default_rng(5)
    seen = [random.random(fit.width) < 0.5 for _ in range(12)]
    found = [fit.fit(on) for on in seen]
    for one in found:
        assert one.bound == pytest.approx(one.error, abs=1e-8)
        for on, fitted in zip(seen, found, strict=True):
            assert fitted.error >= one.level - one.pull[on].sum() - 1e-9


def test_a_start_is_used_and_a_floor_is_kept(small: Problem) -> None:
    good = solve_program(small, "MAXERR", 3, seconds=240)
    again = solve_program(small, "MAXERR", 3, seconds=0.0, start=good.weights, floor=good.bound)
    assert again.value == pytest.approx(good.value)
    assert again.proved


@pytest.mark.parametrize("model", ["MAXERR", "AVGERR"])
def test_little_time_gives_a_formula_and_a_bound(model: str) -> None:
    of = problem("AcKc", STRONG)
    begun = time.perf_counter()
    found = solve_program(of, model, 8, seconds=1.0)
    assert not found.proved
    assert 0 < found.bound < found.value < 0.3
    assert time.perf_counter() - begun < 30


def test_progress_is_told(small: Problem) -> None:
    told: list[Progress] = []
    best = Best(small, "MAXERR", 3, told.append)
    best.offer(np.zeros(len(small.numbers)))
    close(best, WorstFit(small), time.perf_counter() + 30)
    assert told
    assert "best" in told[0].text
    assert "proved" in told[0].text


@pytest.mark.parametrize(
    ("model", "limit", "step", "word"),
    [
        ("LEAST", 3, None, "not a model"),
        ("MAXERR", 2.5, None, "whole number"),
        ("AVGERR", 0, None, "whole number"),
        ("FEAT_AVGERR", 1.5, None, "less than 1"),
        ("FEAT_MAXERR", 0.01, None, "even all features"),
        ("AVGERR", 3, 0.9, "0.001 to 0.5"),
    ],
)
def test_what_cannot_be_asked(model: str, limit: float, step: float | None, word: str, small: Problem) -> None:
    with pytest.raises(UserError, match=word):
        solve_program(small, model, limit, step=step, seconds=1)


INTERRUPTED = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from headsup.distil.flops.problem import problem
from headsup.distil.flops.programs.solver import solve_program
of = problem("AcKc", "AA,KK,QQ,JJ,AKs")
told = lambda step: print("now", step.text, flush=True)
found = solve_program(of, sys.argv[1], 9, step=float(sys.argv[2]) or None, seconds=20, watch=told)
print("end", found.proved, found.bound < found.value < 0.4, found.how, flush=True)
"""


@pytest.mark.parametrize(
    ("model", "step", "word"), [("MAXERR", 0, "proved"), pytest.param("AVGERR", 0, "HiGHS", marks=pytest.mark.long)]
)
def test_ctrl_c_keeps_the_best(model: str, step: float, word: str) -> None:
    command = [sys.executable, "-c", INTERRUPTED, model, str(step)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        for line in run.stdout:
            if line.startswith("now") and word in line:
                break
        run.send_signal(signal.SIGINT)
        rest, errors = run.communicate(timeout=60)
    last = rest.strip().splitlines()[-1]
    assert run.returncode == 0
    assert errors == ""
    assert last.startswith("end False True")
    assert "Ctrl-C" in last
