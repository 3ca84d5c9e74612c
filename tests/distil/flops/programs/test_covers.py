"""The branch and cut against all sets of made-up features, compiled or not."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.distil.flops.programs.covers import Covers
from headsup.distil.flops.programs.worst_fit import WorstFit
from tests.distil.flops.programs.test_worst_fit import made_up


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000))
def test_covers_answer_as_trying_all_sets_does(seed: int) -> None:
    fit = WorstFit(made_up(seed))
    sets = [(np.arange(1 << fit.width) >> j) & 1 == 1 for j in range(fit.width)]
    errors = {tuple(on): fit.fit(np.array(on)).error for on in zip(*sets, strict=True)}
    covers = Covers(fit)
    for n in (1, 2, 4):
        least = min(error for on, error in errors.items() if sum(on) <= n)
        assert covers.good_set(n, least - 1e-5, np.inf) is None
        found = covers.good_set(n, least + 1e-5, np.inf)
        assert found is not None
        assert np.count_nonzero(found.weights) <= n
        assert found.error <= least + 1e-5
