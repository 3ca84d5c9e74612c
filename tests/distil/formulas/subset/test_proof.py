"""Branch and bound over made-up problems and a part of the features of a real one, against all sets of them."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.common.highs import INFINITY, Program, optimise, optimum
from headsup.distil.formulas.problem import problem
from headsup.distil.formulas.subset import node_kernels
from headsup.distil.formulas.subset.fits import HandFit
from headsup.distil.formulas.subset.mip import POINTS, FlopProgram
from headsup.distil.formulas.subset.proof import Cores, Proof, follow, packings_of
from headsup.distil.formulas.subset.spans import as_bits, as_bools, nothing
from tests.distil.formulas.subset.test_fits import ERRORS, made_up
from tests.equity import compiled

TWELVE = (3, 6, 9, 18, 21, 26, 39, 40, 41, 47, 48, 54)
LITTLE = 1e-7
"""Levels a little above and below an error: a hundred-thousandth of a percentage point."""


@cache
def fit_of(largest: bool) -> HandFit:
    of = problem("AsKs", "RS", TWELVE)
    assert len(of.numbers) == len(TWELVE), "all of them hold somewhere, and no two are the same"
    return HandFit(of, largest)


@cache
def least(largest: bool, n: int) -> tuple[float, tuple[int, ...]]:
    """The least error of n columns and these, by a fit of every set."""
    fit = fit_of(largest)
    return min((fit.error(frozenset(columns)), columns) for columns in combinations(range(fit.width), n))


@compiled
@ERRORS
def test_all_sets_are_what_highs_says(largest: bool) -> None:
    fit, (error, columns) = fit_of(largest), least(largest, 4)
    only = np.isin(np.arange(fit.width), columns)
    program = FlopProgram(fit.of, "MAXERR" if largest else "AVGERR", 4, only=only)
    assert program.solve(20.0).bound / POINTS == pytest.approx(error, abs=1e-8)


@compiled
@ERRORS
@pytest.mark.parametrize("n", [2, 4, 6])
def test_a_proof_answers_as_trying_all_sets_does(n: int, largest: bool) -> None:
    fit, (error, _) = fit_of(largest), least(largest, n)
    below = Proof(fit, error - LITTLE, n)
    assert below.run(np.inf) == ("none", frozenset())
    verdict, columns = Proof(fit, error + LITTLE, n).run(np.inf)
    assert verdict == "found"
    assert len(columns) <= n
    assert fit.error(columns) <= error + LITTLE
    # cores of a higher level hold at a lower one, and save work there
    again = Proof(fit, error - 2 * LITTLE, n, below.cores)
    assert again.run(np.inf) == ("none", frozenset())
    assert again.fits <= below.fits


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_a_proof_of_made_up_features(seed: int, largest: bool) -> None:
    fit = HandFit(made_up(seed, 7, 30), largest)
    for n in (1, 3):
        error = min(fit.error(frozenset(columns)) for columns in combinations(range(fit.width), n))
        assert Proof(fit, error - 1e-5, n).run(np.inf)[0] == "none"
        verdict, columns = Proof(fit, error + 1e-5, n).run(np.inf)
        assert verdict == "found"
        assert fit.error(columns) <= error + 1e-5


@compiled
@ERRORS
def test_cores_meet_every_set_that_reaches_their_level(largest: bool) -> None:
    fit, (error, _) = fit_of(largest), least(largest, 4)
    level = 1.05 * error
    proof = Proof(fit, level, 3)
    proof.run(np.inf)
    cores = [set(np.flatnonzero(core).tolist()) for core in proof.cores.sets[: proof.cores.count]]
    assert cores
    good = [set(four) for four in combinations(range(fit.width), 4) if fit.error(frozenset(four)) <= level]
    assert good
    assert all(core & four for core in cores for four in good)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_the_packing_is_the_largest(seed: int) -> None:
    """Against the linear program of the least fractional cover in HiGHS; each weight and each load as promised."""
    random = np.random.default_rng(seed)
    cores = random.random((int(random.integers(1, 25)), 10)) < random.uniform(0.15, 0.5)
    cores[np.arange(len(cores)), random.integers(0, 10, len(cores))] = True
    row, column = np.nonzero(cores)
    program = Program()
    y = program.columns(10, 0, 1, 1.0)
    program.rows(len(cores), 1, INFINITY, (row, y[column], 1.0))
    packing, loads, pays = packings_of(10).largest(as_bits(cores), np.arange(10))
    assert packing == pytest.approx(optimum(program, "").objective, abs=2e-4)
    assert packing <= optimum(program, "").objective + 1e-9
    assert loads.max() <= 1.0 + 1e-12
    assert (cores @ pays >= 1 - 1e-6).all()


@compiled
def test_the_cores_of_a_proof_are_a_certificate() -> None:
    """Queens against RUS need five features (table 3 of dalpasso-lancia-2015), and the cores say why.

    Each is checked by a fit from nothing of all features outside of it, and that no four features meet all of them by
    an integer program of HiGHS: neither knows of the search.
    """
    fit, level = HandFit(problem("QcQd", "RUS")), 0.025
    proof = Proof(fit, level, 4)
    assert proof.run(np.inf) == ("none", frozenset())
    cores = proof.cores.sets[: proof.cores.count]
    assert all(fit.fit(frozenset(np.flatnonzero(~core).tolist())).bound > level for core in cores)
    row, column = np.nonzero(cores)
    program = Program()
    y = program.columns(fit.width, 0, 1, 1.0, whole=True)
    program.rows(len(cores), 1, INFINITY, (row, y[column], 1.0))
    assert optimise(program.lp(), 60.0).bound > 4


def test_what_follows_from_cores() -> None:
    none = np.zeros(6, dtype=bool)
    empty, packings = nothing(np.eye(6, dtype=bool)), packings_of(6)

    def cores(*columns: tuple[int, ...]) -> np.ndarray:
        return as_bits(np.array([np.isin(np.arange(6), one) for one in columns]))

    assert follow(cores((0, 1), (2, 3), (4, 5)), empty, none, 2, packings) is None, (
        "three disjoint cores need three columns"
    )
    assert follow(cores((0, 1), (1, 2), (0, 2), (3, 4, 5)), empty, none, 2, packings) is None, (
        "a triangle needs one and a half"
    )
    assert follow(cores((0, 1)), empty, np.arange(6) < 2, 3, packings) is None, "nothing is left of the core"
    forced = follow(cores((0, 1), (2, 3, 4)), empty, np.arange(6) == 0, 3, packings)
    assert forced is not None
    assert forced[0].within.tolist() == (np.arange(6) == 1).tolist()
    met = follow(cores((0, 1), (1, 4)), empty.with_([1]), none, 1, packings)
    assert met is not None
    assert met[3] == -1
    shut = follow(cores((0, 1), (2, 3)), empty, none, 2, packings)
    assert shut is not None
    assert shut[1][4:].all(), "there is no place for a column that meets nothing"


def test_a_core_is_remembered_once() -> None:
    cores = Cores.none(5)
    core = np.array([True, False, True, False, False])
    assert cores.add(core, 0.02)
    assert not cores.add(core.copy(), 0.02)
    assert cores.count == 1
    assert not cores.above(0.01).add(core, 0.02)
    assert cores.above(0.03).add(core, 0.04)
    many, random = Cores.none(30), np.random.default_rng(1)
    assert all(many.add(random.random(30) < 0.5, 0.01) for _ in range(300)), "there is room for any number"
    assert len(np.unique(many.sets[: many.count], axis=0)) == many.count == 300


@compiled
def test_a_node_that_time_cuts_short_is_visited_again() -> None:
    error, _ = least(False, 4)
    proof = Proof(fit_of(False), error - 2 * LITTLE, 4)
    node = proof.stack.pop()
    proof.until = 0.0
    assert proof._visit(*node) is None
    assert len(proof.stack) == 1
    assert proof.left == 1.0
    assert proof.run(np.inf) == ("none", frozenset())
    assert proof.left == 0.0


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_the_cores_that_are_not_met(seed: int) -> None:
    """Over two words of bits: as sets of Python say, but for those that hold a smaller one."""
    random = np.random.default_rng(seed)
    sets = random.random((30, 70)) < random.uniform(0.02, 0.2)
    inside, kept = random.random(70) < 0.05, random.random(70) < 0.8
    room = np.empty((31, 2), dtype=np.uint64)
    found, smallest, disjoint = node_kernels.unmet(
        as_bits(sets), as_bits(inside), as_bits(kept), np.empty(30, dtype=np.int64), room
    )
    ours = [frozenset(np.flatnonzero(one).tolist()) for one in as_bools(room[:found], 70)]
    every = {frozenset(np.flatnonzero(one & kept).tolist()) for one in sets if not (one & inside).any()}
    assert set(ours) <= every
    assert len(set(ours)) == len(ours)
    assert [len(one) for one in ours] == sorted(len(one) for one in ours)
    if every:
        assert smallest == min(map(len, every))
        if smallest > 1:
            assert all(any(one >= other for other in ours) for one in every)
            assert 1 <= disjoint <= len(ours)
        else:
            assert set(ours) == {one for one in every if len(one) == smallest}
    else:
        assert found == 0
