"""The best weights in [-1, 1] of a set of features, with a certificate that none are better.

The simplex (`kernels`) minimises a sum of rows with convex piecewise linear costs. The average error is one as it
stands. For the largest error e, a row of features becomes two, estimate + e and estimate + f, that cost a lot below the
greatest and above the least equity, with f = -e held by a row of its own: exact penalties.

The dual prices of a fit give a level and a pull for each feature that prove for every set S of features

    error(S) >= level - sum of pull_j over j in S.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from headsup.distil.formulas.problem import Bools, Floats, Ints, Problem
from headsup.distil.formulas.subset.simplex import Simplex
from headsup.distil.formulas.subset.spans import Span, as_bits, nothing

Columns = frozenset[int]  # a set of features, by the columns of the problem
REMEMBERED = 200_000  # sets whose errors are kept; they are cheap to recompute and take much memory
TRACE = 2e-10  # fractions of the pot that separate equal equities
LARGEST = 8.0  # the largest weights where a set stands for its span (`spans`)
MOST_IN_VAIN = 2
"""A poor set stops growing after so many features in turn that would each make it good enough: trying all costs more,
except for the average error of one hand."""


@dataclass(frozen=True, eq=False)
class FittedWeights:
    """The best weights of a set of features, with their certificate."""

    bound: float  # no weights on these features have a smaller error
    error: float  # the error of the weights below
    weights: Floats  # a weight for each feature of the problem, zero outside of the set
    level: float
    pull: Floats  # the certificate: error(S) >= level - pull[S].sum() for every set S


class Fit(Protocol):
    """Anything that fits weights to sets of features and certifies what it finds."""

    width: int
    scale: Floats  # how much the pull of each feature counts where candidates are ranked

    @property
    def origin(self) -> Span:
        """The span of no feature."""

    def error(self, columns: Columns) -> float:
        """The least error with these features."""

    def fit(self, columns: Columns) -> FittedWeights:
        """The best weights on these features, with their certificate."""

    def reaching(self, on: Bools, level: float) -> Bools | None:
        """Features among these that reach an error of `level`; None if it is proved that all of them do not."""

    def grown(self, poor: Bools, early: Bools, level: float) -> tuple[Bools, float]:
        """A large poor set around one that `reaching` has just refused, and a bound of its error above the level;
        features of `early` come in first."""


class HandFit:
    """Fits over sets of features of one problem, for its average error or its largest."""

    def __init__(self, of: Problem, largest: bool = False) -> None:
        self.of, self.largest, self.width = of, largest, len(of.numbers)
        self.total = float(of.total)
        self.big = self.total + 1.0
        self.share = of.weight / of.total
        self.low, self.high = of.extremes()
        self._write_largest() if largest else self._write_average()
        self.extra = np.arange(self.width, self.table.shape[1])
        self.bits = as_bits(self.table > 0)
        self.own = np.empty((self.table.shape[1], 7))
        self.own[:] = -1.0, 0.0, 1.0, self.big, 0.0, self.big, -self.big
        self.cold = self._workspace()
        self.known: dict[Columns, float] = {}
        self.certified: dict[Columns, FittedWeights] = {}
        self.fits = 0

    @cached_property
    def origin(self) -> Span:
        return nothing(self.of.matrix)

    def _write_average(self) -> None:
        of = self.of
        order = np.argsort(of.equity, kind="stable")
        weight = of.weight[order].astype(np.float64)
        self.table = of.matrix.astype(np.float64)
        slope = -np.bincount(of.row, of.weight, len(of.matrix)).astype(np.float64)
        self.points = of.row[order].copy(), of.equity[order].copy(), 2.0 * weight, slope
        self.offset = 0.0
        self.scale = 1.0 / np.sqrt(-slope @ self.table)

    def _write_largest(self) -> None:
        rows, dear = len(self.of.matrix), self.big
        bits = self.of.matrix.astype(np.float64)
        self.table = np.zeros((2 * rows + 2, self.width + 2))
        self.table[:rows, : self.width] = self.table[rows:-2, : self.width] = bits
        self.table[:rows, -2] = self.table[rows:-2, -1] = self.table[-2, -2] = 1.0
        self.table[-1, -2:] = 1.0
        at = np.append(np.arange(2 * rows), 2 * rows + 1)
        # many flops have one equity, and the simplex could cycle among them: a trace separates them, on the side on
        # which a bound of the error with it is a bound without
        trace = TRACE * np.random.default_rng(1).uniform(0.5, 1.0, 2 * rows)
        high, low = self.high - trace[:rows], self.low + trace[rows:]
        level = np.concatenate([high, low, [0.0]])
        jump = np.append(np.full(2 * rows, dear), 2.0 * dear)
        slope = np.concatenate([np.full(rows, -dear), np.zeros(rows), [self.total, -dear]])
        order = np.argsort(level, kind="stable")
        self.points = at[order], level[order], jump[order], slope
        # the simplex counts the costs of rows from elsewhere
        self.offset = 0.5 * dear * float((high - low).sum())
        self.scale = np.ones(self.width)

    def columns_of(self, numbers: Iterable[int]) -> Columns:
        """The columns of features by number, without those that never hold."""
        return frozenset(self.of.columns(numbers).tolist()) - {-1}

    def _fitted(self, columns: Columns) -> tuple[float, Ints]:
        """The proved bound of a fit, and its columns; the rest is in `cold`."""
        chosen = np.array(sorted(columns) + self.extra.tolist(), dtype=np.int64)
        self.fits += 1
        self.cold.begin(self.bits, chosen, self.points, self.own[: len(chosen)])
        bound = self.cold.fit()
        if len(self.known) >= REMEMBERED:
            self.known.clear()
        self.known[columns] = (self.cold.cost + self.offset) / self.total
        return bound, chosen

    def error(self, columns: Columns) -> float:
        if columns not in self.known:
            self._fitted(columns)
        return self.known[columns]

    def fit(self, columns: Columns) -> FittedWeights:
        if columns not in self.certified:
            if len(self.certified) >= REMEMBERED // 10:
                self.certified.clear()
            self.certified[columns] = self._certified(columns)
        return self.certified[columns]

    def _certified(self, columns: Columns) -> FittedWeights:
        bound, chosen = self._fitted(columns)
        dense = np.zeros(self.table.shape[1])
        dense[chosen] = self.cold.weights
        pull = self.cold.slopes(self.points) @ self.table
        level = self.cold.cost + self.offset - float(pull @ dense) - float(np.abs(pull[self.width :]).sum())
        weights = np.clip(dense[: self.width], -1.0, 1.0)
        weights[np.abs(weights) <= 1e-12] = 0.0
        error = self.error_of(self.of.matrix @ weights)
        proved = min(max(0.0, (bound + self.offset) / self.total), error)
        return FittedWeights(proved, error, weights, level / self.total, np.abs(pull[: self.width]) / self.total)

    def error_of(self, estimate: Floats) -> float:
        if self.largest:
            return float(max((self.high - estimate).max(), (estimate - self.low).max()))
        return float(np.abs(estimate[self.of.row] - self.of.equity) @ self.share)

    def formula(self, weights: Floats) -> dict[int, float]:
        """Feature number -> weight, without zeros."""
        return {int(self.of.numbers[j]): float(weights[j]) for j in np.flatnonzero(weights)}

    @cached_property
    def warm(self) -> Simplex:
        """All columns in the simplex, allowed or not: a fit starts where the last one ended."""
        simplex, own = self._workspace(), self.own.copy()
        # Weights up to 1 on one set can be larger ones on another with the same span.
        own[:, :3] *= LARGEST
        simplex.begin(self.bits, np.arange(len(own)), self.points, own)
        return simplex

    def _workspace(self) -> Simplex:
        rows, columns = self.table.shape
        return Simplex(rows, columns, len(self.points[0]), self.bits.shape[1])

    def _warm(self, on: Bools, level: float) -> float:
        self.fits += 1
        allowed = np.append(on, np.ones(len(self.extra), dtype=np.bool_))
        return (self.warm.descend(allowed, level * self.total - self.offset) + self.offset) / self.total

    def bounded(self, on: Bools) -> tuple[float, Floats]:
        """(bound, pull of each feature that is out), starting from the last such fit."""
        bound = self._warm(on, -np.inf)
        return bound, self.warm.trial.pull[: self.width] / self.total

    def reaching(self, on: Bools, level: float) -> Bools | None:
        if self._warm(on, level) > level:
            return None
        return self.warm.used()[: self.width]

    def grown(self, poor: Bools, early: Bools, level: float) -> tuple[Bools, float]:
        allowed = np.append(poor, np.ones(len(self.extra), dtype=np.bool_))
        turn = np.zeros(len(allowed), dtype=np.int8)
        turn[: self.width] = np.where(poor, 0, 1 + early)
        enough, vain = level * self.total - self.offset, MOST_IN_VAIN if self.largest else self.width
        bound = self.warm.descend(allowed, enough, turn, vain)
        return allowed[: self.width], (bound + self.offset) / self.total
