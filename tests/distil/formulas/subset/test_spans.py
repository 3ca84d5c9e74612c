"""What columns span, against ranks by NumPy; and proofs over spans where weights meet their limits."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.distil.formulas.subset.fits import HandFit
from headsup.distil.formulas.subset.node_kernels import PRIME
from headsup.distil.formulas.subset.proof import Proof
from headsup.distil.formulas.subset.spans import nothing
from tests.distil.formulas.subset.test_fits import made_up


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.lists(st.integers(0, 8), max_size=5))
def test_a_span_is_what_raises_no_rank(seed: int, columns: list[int]) -> None:
    table = made_up(seed, 9, 25).matrix
    span = nothing(table).with_(columns)

    def rank(of: list[int]) -> int:
        return int(np.linalg.matrix_rank(table[:, of].astype(float))) if of else 0

    assert span.rank == rank(columns)
    assert span.within.tolist() == [rank([*columns, j]) == rank(columns) for j in range(9)]
    for j in range(9):
        alike = [k for k in range(9) if not span.within[k] and rank([*columns, j, k]) == rank([*columns, j])]
        assert span.leader[j] == (-1 if span.within[j] else alike[0])
        if not span.within[j]:
            assert np.flatnonzero(span.spread(np.arange(9) == j)).tolist() == sorted({j, *alike})
    again = nothing(table).with_(columns[::-1])
    assert (again.within == span.within).all()


def test_the_prime_is_one() -> None:
    assert PRIME < 2**31
    assert all(PRIME % d for d in range(2, int(PRIME**0.5) + 1))


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10_000))
def test_a_proof_where_weights_meet_their_limits(seed: int) -> None:
    """Equities of nearly one all over: two columns that add up to it would need weights beyond 1 elsewhere."""
    of = made_up(seed, 8, 25)
    of.equity[:] = np.sort(1.0 - 0.001 * np.arange(len(of.equity)) % 0.3)
    fit = HandFit(of)
    for n in (2, 3):
        error = min(fit.error(frozenset(columns)) for columns in combinations(range(8), n))
        assert Proof(fit, error - 1e-5, n).run(np.inf)[0] == "none"
        verdict, columns = Proof(fit, error + 1e-5, n).run(np.inf)
        assert verdict == "found"
        assert len(columns) <= n
        assert fit.error(columns) <= error + 1e-5
