"""Walks over hands that share columns, compared with those over all hands."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from headsup.common.arrays import AnyArray
from headsup.games.holdem.layout import Alike, FourAlike, Rule, Store
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.walk import Walker

RULES = [Rule(t / (t + 1.0), 0.5, t * t, predictive=False, whole=False, turn=int(t)) for t in (1.0, 2.0, 3.0)]
Pair = Callable[[AnyArray, AnyArray, int], tuple[AnyArray, AnyArray]]


def learnt(walker: Walker, start: list[AnyArray]) -> tuple[Store, Store]:
    """Stores that began with some regrets, after a few iterations."""
    none = np.zeros(0, np.float32)
    first, second = (
        Store(array.copy(), np.zeros_like(array), array[:0], none, none, walker.layout[p], walker.layout[p])
        for p, array in enumerate(start)
    )
    walker.iterate((first.regret, second.regret), (first, second), RULES)
    return first, second


def check_walks_over_all_hands(game: VectorGame, columns: Alike | FourAlike, compared: Pair) -> None:
    """Learning, values and best responses are those over all hands.

    `compared` gives the two arrays to compare of an array with shared columns and one with all hands, for a seat.
    """
    random = np.random.default_rng(1)
    # above 0: see tests/solve/holdem/test_vector.py
    start = [random.random(int(at[-1])) + 0.01 for at in columns.layout]
    every, shared = Walker(game), Walker(game, alike=columns)
    usual = learnt(every, [columns.unfolded(array, p) for p, array in enumerate(start)])
    together, threads = learnt(shared, start), learnt(Walker(game, threads=2, alike=columns), start)
    for p in (0, 1):
        for what in ("regret", "cumulative"):
            own = getattr(together[p], what)
            here, there = compared(own, getattr(usual[p], what), p)
            np.testing.assert_allclose(here, there, rtol=0, atol=1e-9 * np.abs(there).max())
            assert np.array_equal(columns.folded(columns.unfolded(own, p), p), own)
            assert np.array_equal(getattr(threads[p], what), own)
    policies = (usual[0].cumulative, usual[1].cumulative), (together[0].cumulative, together[1].cumulative)
    assert shared.best_values(policies[1]) == pytest.approx(every.best_values(policies[0]), abs=1e-9)
    assert shared.values(policies[1]) == pytest.approx(every.values(policies[0]), abs=1e-9)
    for seat in (0, 1):
        there, here = every.node_values(policies[0], seat), shared.node_values(policies[1], seat)
        np.testing.assert_allclose(here, there, rtol=0, atol=1e-9)
        earned, response = shared.best_response(policies[1], seat)
        assert earned == pytest.approx(every.best_response(policies[0], seat)[0], abs=1e-9)
        assert set(np.unique(response)) == {0.0, 1.0}
