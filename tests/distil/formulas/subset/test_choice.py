"""The four programs against all sets of features, for both errors; their bounds, starts and mistakes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.common.backend import JIT_DISABLED
from headsup.common.errors import UserError
from headsup.common.progress import Paced
from headsup.distil.formulas.problem import problem
from headsup.distil.formulas.solving import solve
from headsup.distil.formulas.subset.choice import SubsetProgram, choose
from headsup.distil.formulas.subset.fits import HandFit
from tests.distil.formulas.subset.test_fits import made_up
from tests.equity import compiled
from tests.waiting import PATIENCE, count_looks

MODELS = pytest.mark.parametrize("model", ["AVGERR", "MAXERR"])
SECONDS = 240.0 if JIT_DISABLED else 120.0
"""A twentieth of it is for easy programs."""


@cache
def all_subsets(seed: int, width: int, n: int, model: str) -> float:
    """The least error of n columns, by trying all of them."""
    fit = HandFit(made_up(seed, width), model == "MAXERR")
    return min(fit.error(frozenset(columns)) for columns in combinations(range(fit.width), n))


@MODELS
@pytest.mark.parametrize(("seed", "width", "n"), [(0, 8, 2), (1, 9, 3), (2, 10, 4), (4, 9, 5), (5, 8, 8)])
def test_the_least_error_is_that_of_the_best_set(seed: int, width: int, n: int, model: str) -> None:
    of = made_up(seed, width)
    found = choose(of, model, n, seconds=SECONDS)
    best = all_subsets(seed, width, n, model)
    assert found.proved
    assert found.value == pytest.approx(best, abs=1e-9)
    assert best - 1e-6 < found.bound <= found.value
    assert len(found.weights) <= n
    assert all(abs(weight) <= 1.0 for weight in found.weights.values())
    measured = of.max_error if model == "MAXERR" else of.average_error
    assert measured(found.weights) == pytest.approx(found.value, abs=1e-12)


@MODELS
def test_a_level_is_ruled_out_or_reached_first(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    best = all_subsets(2, 10, 4, model)
    monkeypatch.setattr("headsup.distil.formulas.subset.choice.LONG", 1.0)  # annealing takes all the time it is given
    for level in (0.5 * best, 0.99 * best, 1.01 * best):
        choice = choose(made_up(2, 10), model, 4, seconds=SECONDS, level=level)
        assert choice.proved
        assert choice.value == pytest.approx(best, abs=1e-9)
    monkeypatch.setattr(SubsetProgram, "prove", lambda program, until: None)
    monkeypatch.setattr(SubsetProgram, "improve", lambda program, seconds: None)
    level = 0.97 * best
    assert choose(made_up(2, 10), model, 4, seconds=SECONDS, level=level).bound == pytest.approx(level, abs=1e-12)


@MODELS
def test_fewest_features_are_the_inverse(model: str) -> None:
    """FEAT(E) <= N if and only if ERR(N) <= E: just within the error of n features n are enough, below it not."""
    of = made_up(3, 9)
    errors = {n: all_subsets(3, 9, n, model) for n in (2, 3, 4, 5)}
    for n in (2, 4):
        for limit, expected in ((errors[n] + 1e-6, n), (errors[n] - 1e-6, n + 1)):
            found = choose(of, f"FEAT_{model}", limit, seconds=SECONDS)
            assert (found.value, found.bound, found.proved) == (expected, expected, True)
            assert len(found.weights) == expected
            measured = of.max_error if model == "MAXERR" else of.average_error
            assert measured(found.weights) <= limit + 1e-8


@pytest.mark.long
@settings(max_examples=12, deadline=None)
@given(st.integers(10, 10**6), st.integers(6, 9), st.booleans())
def test_fewest_features_are_what_all_subsets_give(seed: int, width: int, largest: bool) -> None:
    model = "MAXERR" if largest else "AVGERR"
    least = [1.0] + [all_subsets(seed, width, n, model) for n in range(1, width + 1)]
    limit = min(0.5 * (least[2] + least[-1]) + 1e-7, 0.99)
    found = choose(made_up(seed, width), f"FEAT_{model}", limit, seconds=SECONDS)
    expected = next(n for n, error in enumerate(least) if error <= limit)
    assert (found.value, found.bound, found.proved) == (expected, expected, True)


@MODELS
def test_without_time_the_bound_still_holds(model: str) -> None:
    found = choose(made_up(7, 10), model, 3, seconds=0.0)
    assert len(found.weights) <= 3
    assert found.bound <= all_subsets(7, 10, 3, model) <= found.value + 1e-12


def test_a_start_is_used_and_a_floor_is_kept() -> None:
    of = made_up(2, 10)
    good = choose(of, "MAXERR", 4, seconds=SECONDS)
    again = choose(of, "MAXERR", 4, seconds=0.0, start=good.weights, floor=good.bound)
    assert again.value == pytest.approx(good.value)
    assert again.proved


@pytest.mark.parametrize("model", ["AVGERR", "FEAT_AVGERR"])
def test_a_bound_near_the_value_leaves_only_the_proof(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    of, error = made_up(2, 10), all_subsets(2, 10, 4, "AVGERR")
    good = choose(of, "AVGERR", 4, seconds=SECONDS)
    monkeypatch.setattr(SubsetProgram, "find", None)
    monkeypatch.setattr(SubsetProgram, "improve", None)
    limit, floor = (4, error - 0.001) if model == "AVGERR" else (error + 1e-6, 3.0)
    found = choose(of, model, limit, seconds=SECONDS, start=good.weights, floor=floor)
    assert found.proved
    assert found.value == pytest.approx(error if model == "AVGERR" else 4, abs=1e-7)


def test_ctrl_c_returns_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    of = made_up(8, 12)

    def at_once(self: Paced, text: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Paced, "tell", at_once)
    found = choose(of, "AVGERR", 4, seconds=SECONDS)
    assert not found.proved
    assert found.bound <= found.value == pytest.approx(of.average_error(found.weights))
    assert "Ctrl-C" in found.how


@compiled
@MODELS
def test_little_time_gives_a_formula_and_a_bound_and_tells_how_it_stands(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(Paced, "tell", lambda self, text: told.append(text))
    count_looks(monkeypatch, "common.stop", "distil.formulas.subset.search", "distil.formulas.subset.choice")
    found = solve(problem("AcKc", "AA,KK,QQ,JJ,AKs"), model, 8, seconds=0.1)
    assert not found.proved
    assert 0 < found.bound < found.value < 0.3
    assert any(text.startswith("8 features") for text in told)


@pytest.mark.parametrize(
    ("model", "limit", "step", "word"),
    [
        ("LEAST", 3, None, "not a model"),
        ("MAXERR", 2.5, None, "whole number"),
        ("AVGERR", 0, None, "whole number"),
        ("FEAT_AVGERR", 1.5, None, "less than 1"),
        ("FEAT_MAXERR", 0.001, None, "even all features"),
        ("FEAT_AVGERR", 1e-6, None, "even all features"),
        ("AVGERR", 3, 0.9, "0.001 to 0.5"),
    ],
)
def test_impossible_arguments_are_errors(model: str, limit: float, step: float | None, word: str) -> None:
    with pytest.raises(UserError, match=word):
        solve(made_up(9, 8), model, limit, step=step, seconds=1)


INTERRUPTED = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from headsup.distil.formulas.problem import problem
from headsup.distil.formulas.solving import solve
of = problem("AcKc", "AA,KK,QQ,JJ,AKs")
told = lambda step: print("now", step.text, flush=True)
found = solve(of, sys.argv[1], 9, step=float(sys.argv[2]) or None, seconds=600, watch=told)
print("end", found.proved, found.bound < found.value < 0.4, found.how, flush=True)
"""


@compiled
@pytest.mark.parametrize(
    ("model", "step", "word"),
    [("MAXERR", 0, "features"), pytest.param("AVGERR", 0.05, "HiGHS", marks=pytest.mark.long)],
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
        rest, errors = run.communicate(timeout=PATIENCE)
    last = rest.strip().splitlines()[-1]
    assert run.returncode == 0
    assert errors == ""
    assert last.startswith("end False True")
    assert "Ctrl-C" in last
