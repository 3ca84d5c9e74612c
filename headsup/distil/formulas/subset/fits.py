"""What a set of features can do, exactly: the best weights in [-1, 1] for it, and a certificate that none do better.

**Two errors, one kind of fit.** The simplex (`kernels`) minimises a sum of rows with convex piecewise linear costs.

* The average error is one as it stands: the cost of a row of features is the sum of |estimate - equity| over its flops.
* The largest error is the least e with greatest - e <= estimate <= least + e on every row of features. So a row becomes
  two: estimate + e, which costs a lot below the greatest equity, and estimate + f, which costs a lot above the least,
  with f = -e held by a row e + f of its own; and e costs as much as all flops. All slopes are exact penalties, because
  the multipliers of a largest error add up to what e costs.

**Certificate.** The dual prices of a fit are a slope of the error in the weights, valid from every weights to every
other. No weight is above 1, so they give a level and a pull for each feature that prove for every set S of features

    error(S) >= level - sum of pull_j over j in S.

One fit hence says something about all sets. Those of a family of hands follow from its hands' (`family`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from headsup.distil.formulas.problem import Bools, Floats, Ints, Problem
from headsup.distil.formulas.subset import kernels
from headsup.distil.formulas.subset.spans import Span, nothing

Columns = frozenset[int]
"""A set of features, by the columns of the problem."""
REMEMBERED = 200_000
"""Sets whose errors are kept; they are cheap to compute again and take a lot of room."""
TRACE = 2e-10
"""Fractions of the pot by which equities are told apart."""
LARGEST = 8.0
"""Weights go so far where a set stands for its span (`spans`)."""
MOST_IN_VAIN = 2
"""When so many features in turn would each make a poor set good enough, it has grown enough: trying all costs more,
for the largest error and for families; the average error of one hand gains by it."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """What is known about the best weights of a set of features."""

    bound: float
    """No weights on these features have a smaller error."""
    error: float
    """The error of the weights below."""
    weights: Floats
    """A weight for each feature of the problem, zero outside of the set."""
    level: float
    pull: Floats
    """The certificate: error(S) >= level - pull[S].sum() for every set S."""


class Fit(Protocol):
    """Anything that fits weights to sets of features and certifies what it finds."""

    width: int
    scale: Floats
    """How much the pull of each feature counts where candidates are ranked."""

    @property
    def origin(self) -> Span:
        """The span of no feature."""

    def error(self, columns: Columns) -> float:
        """The least error with these features."""

    def fit(self, columns: Columns) -> Fitted:
        """The best weights on these features, with their certificate."""

    def reaching(self, on: Bools, level: float) -> Bools | None:
        """Features among these that reach an error of `level`; none if it is proved that all of them do not."""

    def grown(self, poor: Bools, early: Bools, level: float) -> tuple[Bools, float]:
        """A large set around one that `reaching` has just said none of, still poor, and a bound of its error above the
        level; features of `early` come in first."""


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
        padded = np.zeros((len(self.table), 128), dtype=np.uint8)
        padded[:, : self.table.shape[1]] = self.table
        self.bits = np.packbits(padded, axis=1, bitorder="little").view(np.uint64)
        self.known: dict[Columns, float] = {}
        self.certified: dict[Columns, Fitted] = {}
        self.fits = 0
        self.warm: _Warm | None = None

    @cached_property
    def origin(self) -> Span:
        """The span of no feature."""
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
        # many flops have one equity, and the simplex could go round in circles among them: a trace tells them apart, on
        # the side on which a bound of the error with it is a bound without
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
        """The columns of features by their numbers; features that never hold have none."""
        return frozenset(self.of.columns(numbers).tolist()) - {-1}

    def _fitted(self, columns: Columns) -> tuple[float, float, Floats, Ints, Floats]:
        """(cost, bound, slopes of the rows) of a fit, its columns, and their weights."""
        chosen = np.array(sorted(columns) + self.extra.tolist(), dtype=np.int64)
        self.fits += 1
        cost, bound, x, slopes = kernels.fit_columns(self.bits, chosen, *self.points, self.big)
        if len(self.known) >= REMEMBERED:
            self.known.clear()
        self.known[columns] = (cost + self.offset) / self.total
        return cost, bound, slopes, chosen, x

    def error(self, columns: Columns) -> float:
        """The least error with these features, remembered."""
        if columns not in self.known:
            self._fitted(columns)
        return self.known[columns]

    def fit(self, columns: Columns) -> Fitted:
        """The best weights on these features, with their certificate, remembered."""
        if columns not in self.certified:
            if len(self.certified) >= REMEMBERED // 10:
                self.certified.clear()
            self.certified[columns] = self._certified(columns)
        return self.certified[columns]

    def _certified(self, columns: Columns) -> Fitted:
        cost, bound, slopes, chosen, x = self._fitted(columns)
        dense = np.zeros(self.table.shape[1])
        dense[chosen] = x
        pull = slopes @ self.table
        level = cost + self.offset - float(pull @ dense) - float(np.abs(pull[self.width :]).sum())
        weights = np.clip(dense[: self.width], -1.0, 1.0)
        weights[np.abs(weights) <= 1e-12] = 0.0
        error = self.error_of(self.of.matrix @ weights)
        proved = min(max(0.0, (bound + self.offset) / self.total), error)
        return Fitted(proved, error, weights, level / self.total, np.abs(pull[: self.width]) / self.total)

    def error_of(self, estimate: Floats) -> float:
        """The error of an estimate for each row of the problem, a fraction of the pot."""
        if self.largest:
            return float(max((self.high - estimate).max(), (estimate - self.low).max()))
        return float(np.abs(estimate[self.of.row] - self.of.equity) @ self.share)

    def formula(self, weights: Floats) -> dict[int, float]:
        """Feature number -> weight, zeros left out."""
        return {int(self.of.numbers[j]): float(weights[j]) for j in np.flatnonzero(weights)}

    def bounded(self, on: Bools, level: float = -np.inf) -> tuple[float, Floats]:
        """(bound, pull of each feature that is out) from where the last such fit ended; it stops at `level`."""
        if self.warm is None:
            self.warm = _Warm(self)
        self.fits += 1
        allowed = np.append(on, np.ones(len(self.extra), dtype=np.bool_))
        _, bound, _ = kernels.fit_allowed(
            self.warm.rows, self.warm.state, allowed, level * self.total - self.offset, self.warm.pull
        )
        self.warm.bound = bound
        return (bound + self.offset) / self.total, self.warm.pull[: self.width] / self.total

    def reaching(self, on: Bools, level: float) -> Bools | None:
        """Features among these that reach an error of `level`; none if it is proved that all of them do not."""
        bound, _ = self.bounded(on, level)
        if bound > level:
            return None
        assert self.warm is not None
        used = np.empty(self.table.shape[1], dtype=np.bool_)
        kernels.support(self.warm.state, used)
        return used[: self.width]

    def grown(self, poor: Bools, early: Bools, level: float) -> tuple[Bools, float]:
        """A large set around one that `reaching` has just said none of, still poor, and a bound of its error."""
        assert self.warm is not None
        more = np.ones(len(self.extra), dtype=np.bool_)
        allowed = np.append(poor, more)
        for candidates in (early & ~poor, ~early & ~poor):
            self.warm.bound = kernels.grow(
                self.warm.rows,
                self.warm.state,
                allowed,
                np.append(candidates, ~more),
                level * self.total - self.offset,
                self.warm.bound,
                MOST_IN_VAIN if self.largest else self.width,
            )
        return allowed[: self.width], (self.warm.bound + self.offset) / self.total


class _Warm:
    """All columns in the simplex, allowed or not: a fit begins where the last one ended."""

    def __init__(self, of: HandFit) -> None:
        q = of.table.shape[1]
        self.rows: kernels.Rows = kernels.build_rows(of.bits, np.arange(q), *of.points, of.big)[0]
        # Weights up to 1 on one set can be larger ones on another with the same span.
        self.rows.levels[self.rows.first[-1 - q] :] *= LARGEST
        self.state = kernels.begin(self.rows, q)
        self.pull = np.empty(q)
        self.bound = -np.inf
