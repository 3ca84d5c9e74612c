"""Branch and bound over a part of the features of real problems, against all sets of them."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from headsup.distil.flops.average.fit import Fitter
from headsup.distil.flops.average.proof import Cores, Proof
from headsup.distil.flops.average.solver import fewest_features, least_error
from headsup.distil.flops.problem import Problem, problem
from headsup.distil.flops.programs.mip import POINTS, FlopProgram
from tests.equity import compiled

pytestmark = compiled
TWELVE = (3, 6, 9, 18, 21, 26, 39, 40, 41, 47, 48, 54)
FOURTEEN = (*TWELVE, 23, 43)
LITTLE = 1e-7
"""Levels a little above and below an error: a hundred-thousandth of a percentage point."""


@cache
def pool(numbers: tuple[int, ...]) -> Problem:
    of = problem("AsKs", "RS", numbers)
    assert len(of.numbers) == len(numbers), "all of them hold somewhere, and no two are the same"
    return of


@cache
def least(numbers: tuple[int, ...], n: int) -> tuple[float, tuple[int, ...]]:
    """The least error of n columns and their numbers, by a fit of every set."""
    fitter = Fitter(pool(numbers))
    return min((fitter.error(columns), columns) for columns in combinations(range(fitter.width), n))


def test_four_of_twelve_features() -> None:
    of = pool(TWELVE)
    error, columns = least(TWELVE, 4)
    only = np.isin(np.arange(len(of.numbers)), columns)
    assert FlopProgram(of, "AVGERR", 4, only=only).solve(20.0).bound / POINTS == pytest.approx(error, abs=1e-8)
    found = least_error(of, 4, seconds=10.0)
    assert found.proved
    assert found.value == pytest.approx(error, abs=1e-9)
    assert error - LITTLE < found.bound <= error + 1e-12


@pytest.mark.parametrize("n", [2, 4, 6])
def test_a_proof_answers_as_trying_all_sets_does(n: int) -> None:
    fitter = Fitter(pool(TWELVE))
    error, _ = least(TWELVE, n)
    below = Proof(fitter, error - LITTLE, n)
    assert below.run(np.inf) == ("none", frozenset())
    above = Proof(fitter, error + LITTLE, n)
    verdict, columns = above.run(np.inf)
    assert verdict == "found"
    assert len(columns) <= n
    assert fitter.error(columns) <= error + LITTLE
    # cores of a higher level hold at a lower one, and save work there
    again = Proof(fitter, error - 2 * LITTLE, n, below.cores)
    assert again.run(np.inf) == ("none", frozenset())
    assert again.fits <= below.fits


def test_cores_meet_every_set_that_reaches_their_level() -> None:
    fitter = Fitter(pool(TWELVE))
    error, _ = least(TWELVE, 4)
    level = 1.05 * error
    proof = Proof(fitter, level, 3, Cores.none())
    proof.run(np.inf)
    cores = [
        frozenset(np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little")).tolist())
        for words in proof.cores.sets[: proof.cores.count]
    ]
    assert cores
    good = [set(four) for four in combinations(range(fitter.width), 4) if fitter.error(four) <= level]
    assert good
    assert all(core & four for core in cores for four in good)


@pytest.mark.parametrize("n", [3, 5])
def test_fewest_of_fourteen_features(n: int) -> None:
    """Just within the least error of n features n are enough; just below it, they are not."""
    of = pool(FOURTEEN)
    errors = [least(FOURTEEN, size)[0] for size in range(1, n + 2)]
    assert errors == sorted(errors, reverse=True)
    for limit, expected in ((errors[n - 1] + LITTLE, n), (errors[n - 1] - LITTLE, n + 1)):
        found = fewest_features(of, limit, seconds=5.0)  # a third of it goes to the hunt in any case
        assert (found.value, found.bound, found.proved) == (expected, expected, True)
        assert len(found.weights) == expected
        assert of.average_error(found.weights) <= limit + 1e-12


def test_a_core_is_remembered_once() -> None:
    cores = Cores.none()
    core = np.array([5, 0], dtype=np.uint64)
    assert cores.add(core, 0.02)
    assert not cores.add(core.copy(), 0.02)
    assert cores.count == 1
    assert not cores.above(0.01).add(core, 0.02)
    assert cores.above(0.03).add(core, 0.04)


def test_a_node_that_time_cuts_short_is_visited_again() -> None:
    error, _ = least(TWELVE, 4)
    proof = Proof(Fitter(pool(TWELVE)), error - 2 * LITTLE, 4)
    node = proof.stack.pop()
    proof.until = 0.0
    assert proof._visit(*node) is None
    assert len(proof.stack) == 1
    assert proof.run(np.inf) == ("none", frozenset())
