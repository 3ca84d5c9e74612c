"""Features for a family of hands against brute force; bounds; steps."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.distil.formulas.problem import Problem, problem
from headsup.distil.formulas.solving import solve
from headsup.distil.formulas.subset.family import FamilyFit, family_program
from headsup.distil.formulas.subset.mip import POINTS, FlopProgram

POOL = (3, 6, 9, 17, 18, 47, 54, 58)


@pytest.fixture(scope="module")
def pairs() -> list[Problem]:
    """Two pairs: for aces some features never hold or always do, so the columns of the two problems differ."""
    return [problem(hand, "AA,KK,QQ,JJ,AKs", POOL) for hand in ("AcAd", "JcJd")]


def shared_error(problems: list[Problem], features: tuple[int, ...], model: str) -> float:
    """Each hand fitted by itself by HiGHS with exactly these features to choose from."""
    errors = []
    for one in problems:
        only = np.isin(one.numbers, [one.same.get(feature, feature) for feature in features])
        errors.append(FlopProgram(one, model, len(features), only=only).solve(10.0).bound / POINTS)
    return max(errors) if model == "MAXERR" else float(np.mean(errors))


def test_families_differ_in_columns(pairs: list[Problem]) -> None:
    assert pairs[0].numbers.tolist() != pairs[1].numbers.tolist() or pairs[0].same != pairs[1].same


@pytest.mark.parametrize("model", ["MAXERR", "AVGERR"])
def test_a_family_gets_the_best_features(model: str, pairs: list[Problem]) -> None:
    fit = FamilyFit(pairs, model)
    truth = np.inf
    for chosen in combinations(range(fit.width), 2):
        truth = min(truth, fit.error(frozenset(chosen)))
    found = family_program(pairs, model, 2, seconds=60)
    assert found.proved
    assert len(found.features) == 2
    assert found.value == pytest.approx(truth, abs=2e-6)
    assert found.value == pytest.approx(shared_error(pairs, found.features, model), abs=2e-6)
    assert found.bound <= found.value
    for one, outcome in zip(pairs, found.hands, strict=True):
        assert {one.same.get(f, f) for f in outcome.weights} <= {one.same.get(f, f) for f in found.features}
        measured = one.max_error if model == "MAXERR" else one.average_error
        assert measured(outcome.weights) == pytest.approx(outcome.value, abs=1e-9)
    fewest = family_program(pairs, f"FEAT_{model}", truth + 1e-5, seconds=60)
    assert fewest.value == len(fewest.features) == 2
    assert fewest.proved


@pytest.mark.parametrize("model", ["MAXERR", "AVGERR"])
def test_certificates_of_a_family_hold_for_every_set(model: str, pairs: list[Problem]) -> None:
    fit, random = FamilyFit(pairs, model), np.random.default_rng(6)
    seen = [frozenset(np.flatnonzero(random.random(fit.width) < 0.5).tolist()) for _ in range(10)]
    for one in (fit.fit(columns) for columns in seen):
        for columns in seen:
            assert fit.error(columns) >= one.level - one.pull[list(columns)].sum() - 1e-8


@pytest.mark.parametrize("model", ["MAXERR", "AVGERR"])
def test_a_poor_set_of_a_family_grows_and_stays_poor(model: str, pairs: list[Problem]) -> None:
    fit = FamilyFit(pairs, model)
    level = 0.5 * (fit.error(frozenset((0,))) + fit.error(frozenset(range(fit.width))))
    few = np.arange(fit.width) < 1
    assert fit.reaching(~few | few, level) is not None
    assert fit.reaching(few, level) is None
    grown, bound = fit.grown(few, few, level)
    assert grown[0]
    assert level < bound <= fit.error(frozenset(np.flatnonzero(grown).tolist())) + 1e-12


def test_a_family_of_one_is_the_hand(pairs: list[Problem]) -> None:
    alone = family_program(pairs[1:], "MAXERR", 3, seconds=60)
    assert alone.value == pytest.approx(solve(pairs[1], "MAXERR", 3, seconds=60).value, abs=2e-6)


@pytest.mark.parametrize("model", ["MAXERR", pytest.param("AVGERR", marks=pytest.mark.long)])
def test_a_family_in_steps(model: str, pairs: list[Problem]) -> None:
    free = family_program(pairs, model, 3, seconds=60)
    stepped = family_program(pairs, model, 3, step=0.05, seconds=60)
    assert free.bound <= stepped.value + 1e-9
    assert stepped.value < free.value + 0.05
    for outcome in stepped.hands:
        assert all(abs(w / 0.05 - round(w / 0.05)) < 1e-9 for w in outcome.weights.values())
    fewest = family_program(pairs, f"FEAT_{model}", stepped.value + 1e-6, step=0.05, seconds=60)
    assert fewest.value == len(fewest.features)
    errors = [outcome.value for outcome in fewest.hands]
    assert (max(errors) if model == "MAXERR" else np.mean(errors)) <= stepped.value + 2e-6


def test_an_empty_family_is_refused() -> None:
    with pytest.raises(UserError, match="at least one hand"):
        family_program([], "AVGERR", 3)
