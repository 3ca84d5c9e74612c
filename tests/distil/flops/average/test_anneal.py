"""Annealing: never worse than where it starts, and its formulas are what they say."""

from __future__ import annotations

from functools import cache
from time import perf_counter

import pytest

from headsup.distil.flops.average.anneal import Anneal
from headsup.distil.flops.average.fit import Fitter
from headsup.distil.flops.problem import Problem, problem
from tests.equity import compiled

pytestmark = compiled
START = {1: 0.1, 4: 0.1, 16: 0.1}
"""A poor choice: the aces, the kings and the suits of the flop say little about our own hand."""


@cache
def against() -> Problem:
    return problem("AsKs", "RUS")


def test_it_gets_out_of_a_poor_choice() -> None:
    of = against()
    fitter = Fitter(of)
    before = fitter.error(j for j, number in enumerate(of.numbers.tolist()) if number in START)
    search = Anneal(of, START, None)
    search.least(3, perf_counter() + 2.0)
    weights = search.weights(3)
    assert len(weights) <= 3
    assert of.average_error(weights) < 0.8 * before
    assert of.average_error(weights) == pytest.approx(search.hunt.best[3][0], abs=1e-9)


def test_fewer_features_within_an_error() -> None:
    of = against()
    everything = dict.fromkeys(of.numbers.tolist(), 0.1)
    search = Anneal(of, everything, None)
    search.fewest(0.06, perf_counter() + 2.0)
    size = search.hunt.reach(0.06)
    assert size is not None
    assert 3 <= size < len(everything), "three is proved to be the fewest"
    assert of.average_error(search.weights(size)) <= 0.06 + 1e-9
