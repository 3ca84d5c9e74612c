"""Least-absolute-error fits over chosen features: what a set of features can do, exactly.

`Fitter` holds a problem in the shape the kernels want. A set of features is a tuple of columns of the problem's
matrix. Its error is that of the best weights in [-1, 1]; rows that look alike on the chosen columns are merged first,
so a fit of ten features has about a hundred rows.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from headsup.distil.flops.average import fit_kernels
from headsup.distil.flops.problem import Floats, Problem


class Fitter:
    """Fits over sets of columns of one problem, remembered by set."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.width = problem.matrix.shape[1]
        words = (self.width + 63) // 64
        packed = np.zeros((len(problem.matrix), 64 * words), dtype=np.uint8)
        packed[:, : self.width] = problem.matrix
        self.bits = np.packbits(packed, axis=1, bitorder="little").view(np.uint64)
        order = np.argsort(problem.equity, kind="stable")
        self.points = (
            np.ascontiguousarray(problem.row[order]),
            np.ascontiguousarray(problem.equity[order]),
            problem.weight[order].astype(np.float64),
        )
        self.total = float(problem.weight.sum())
        self.big = self.total + 1.0
        self.known: dict[frozenset[int], float] = {}
        self.fits = 0

    def columns_of(self, numbers: Iterable[int]) -> frozenset[int]:
        """The columns of features by their numbers; features that never hold have none."""
        return frozenset(self.problem.columns(numbers).tolist()) - {-1}

    def rows(self) -> fit_kernels.Rows:
        """All columns as the kernels want them; which of them a fit may use is said there."""
        chosen = np.arange(self.width, dtype=np.int64)
        rows: fit_kernels.Rows = fit_kernels.build_rows(self.bits, chosen, *self.points, self.big)[0]
        return rows

    def error(self, columns: Iterable[int]) -> float:
        """The least average error with these columns."""
        key = frozenset(columns)
        if key not in self.known:
            self.known[key] = self.fit(key)[0]
        return self.known[key]

    def fit(self, columns: Iterable[int]) -> tuple[float, float, Floats]:
        """(least average error, proved lower bound of it, weights in the order of the columns, ascending)."""
        chosen = np.array(sorted(columns), dtype=np.int64)
        self.fits += 1
        cost, bound, x = fit_kernels.fit_columns(self.bits, chosen, *self.points, self.big)
        return cost / self.total, bound / self.total, x

    def weights(self, columns: Iterable[int]) -> dict[int, float]:
        """Feature number -> weight of the best fit with these columns, held to [-1, 1]; zeros are left out."""
        chosen = sorted(columns)
        _, _, x = self.fit(chosen)
        held = np.clip(x, -1.0, 1.0)
        return {int(self.problem.numbers[j]): float(w) for j, w in zip(chosen, held, strict=True) if abs(w) > 1e-12}
