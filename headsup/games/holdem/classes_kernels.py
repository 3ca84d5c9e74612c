"""Sums over the matchup table as it lies on disk: uint32 quarter-pots and uint8 hand counts, five bytes a pair.

When a strategy changes in a few classes, the change needs their columns; by symmetry a column is a row (w(A) n(A, B) =
w(B) n(B, A), and both players share the pot), so only the rows of the changed classes are read.
"""

from typing import Any

import numpy as np

from headsup.common.backend import jit, prange

STRIP = 1024


@jit(parallel=True)
def against_rows(quarters: Any, counts: Any, x: Any, won: Any, met: Any) -> None:
    """won[A] = sum_B quarters[A, B] x[B], met[A] = sum_B counts[A, B] x[B]."""
    n = x.shape[0]
    for a in prange(n):
        w0 = 0.0
        w1 = 0.0
        w2 = 0.0
        w3 = 0.0
        m0 = 0.0
        m1 = 0.0
        whole = n - n % 4
        # Four running sums each, so that the additions do not wait for one another.
        for b in range(0, whole, 4):
            w0 += np.float64(quarters[a, b]) * x[b]
            w1 += np.float64(quarters[a, b + 1]) * x[b + 1]
            w2 += np.float64(quarters[a, b + 2]) * x[b + 2]
            w3 += np.float64(quarters[a, b + 3]) * x[b + 3]
            m0 += np.float64(counts[a, b]) * x[b] + np.float64(counts[a, b + 1]) * x[b + 1]
            m1 += np.float64(counts[a, b + 2]) * x[b + 2] + np.float64(counts[a, b + 3]) * x[b + 3]
        for b in range(whole, n):
            w0 += np.float64(quarters[a, b]) * x[b]
            m0 += np.float64(counts[a, b]) * x[b]
        won[a] = (w0 + w1) + (w2 + w3)
        met[a] = m0 + m1


@jit(parallel=True)
def add_rows(quarters: Any, counts: Any, rows: Any, weights: Any, won: Any, met: Any) -> None:
    """won += sum_r weights[r] quarters[rows[r]], met += sum_r weights[r] counts[rows[r]]."""
    n = won.shape[0]
    for strip in prange((n + STRIP - 1) // STRIP):
        start = strip * STRIP
        stop = min(n, start + STRIP)
        for r in range(rows.shape[0]):
            row = rows[r]
            weight = weights[r]
            for a in range(start, stop):
                won[a] += weight * np.float64(quarters[row, a])
                met[a] += weight * np.float64(counts[row, a])
