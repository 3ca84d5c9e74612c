"""Fits of the largest error on made-up rows: the simplex of our own against HiGHS, compiled or not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.distil.flops.problem import Problem
from headsup.distil.flops.programs.worst_fit import WorstFit, WorstProgram


def made_up(seed: int, features: int = 7) -> Problem:
    """Random rows of features with two random equities each."""
    random = np.random.default_rng(seed)
    matrix = np.unique(random.random((30, features)) < random.uniform(0.2, 0.8), axis=0)
    row = np.repeat(np.arange(len(matrix)), 2)
    equity = np.sort(random.random((len(matrix), 2)), axis=1).ravel()
    return Problem(
        hand="",
        villain="",
        numbers=np.arange(1, features + 1),
        matrix=matrix,
        row=row,
        equity=equity,
        weight=np.ones(len(row), dtype=np.int64),
        same={},
        never=(),
        flops=np.zeros((len(row), 3), dtype=np.uint8),
        flop_row=row,
        flop_equity=equity,
        left_out=0,
    )


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_our_simplex_fits_as_highs_does(seed: int) -> None:
    of, random = made_up(seed), np.random.default_rng(seed)
    ours, second = WorstFit(of), WorstProgram(of)
    for _ in range(8):
        on = random.random(ours.width) < random.random()
        one, two = ours.fit(on), second.fit(on)
        assert one.error == pytest.approx(two.error, abs=1e-8)
        assert one.bound == pytest.approx(one.error, abs=1e-8)
        assert np.abs(one.weights).max() <= 1
        assert not one.weights[~on].any()
    assert ours.lost == 0
