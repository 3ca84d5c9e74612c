"""The four programs of dalpasso-lancia-2015 as mixed integer programs on the reduced rows of a problem.

Columns: the weight x_j of each feature (or a whole number u_j with x_j = step u_j), a switch y_j in {0, 1} with -y_j <=
x_j <= y_j, and columns for the error, in percentage points. `MAXERR` and `AVGERR` minimise the error with sum y <= N;
`FEAT_*` minimise sum y with the error held to a limit.

* **Largest error.** One column e; a row of features needs greatest - e <= estimate <= least + e.
* **Average error.** The cost of a row is convex and piecewise linear in its estimate = median + s_1 + s_2 + ... - r_1 -
  r_2 - ...: one column for each piece, as long as the piece, with its slope as cost.
"""

from dataclasses import dataclass
from math import floor

import numpy as np

from headsup.common.highs import INFINITY, MipResult, Program, optimise
from headsup.common.progress import Watch
from headsup.distil.formulas.problem import Bools, Floats, Ints, Problem

POINTS = 100.0  # percentage points in a pot


def steps_in_one(step: float) -> int:
    """The number of steps in a weight of 1, the largest allowed."""
    return floor(1 / step + 1e-9)


@dataclass(frozen=True, eq=False)
class Pieces:
    """The cost of each row around its median: where it is least, and the pieces to both sides."""

    median: Floats  # the estimate that is cheapest for each row
    least: float  # the average error, in points, if every row had its median: no formula does better
    row: Ints
    side: Floats  # 1 for a piece above the median, -1 for one below
    length: Floats
    slope: Floats  # points of average error for each unit of the estimate
    away: Floats  # how far from the median the piece begins


def pieces(of: Problem) -> Pieces:
    rows = len(of.matrix)
    weight = of.weight * (POINTS / of.total)
    whole = np.bincount(of.row, weight, rows)
    before = np.cumsum(weight) - weight
    start = np.searchsorted(of.row, np.arange(rows))
    below = before - before[start][of.row]
    is_median = (below < whole[of.row] / 2 + 1e-12) & (below + weight >= whole[of.row] / 2 - 1e-12)
    medians = np.flatnonzero(is_median)
    at = medians[np.searchsorted(of.row[medians], np.arange(rows))]
    median = of.equity[at]
    least = float((np.abs(of.equity - median[of.row]) * weight).sum())
    last = np.append(start[1:], len(of.row)) - 1
    index = np.arange(len(of.row))
    rising = 2 * (below + weight) - whole[of.row]
    up, down = index >= at[of.row], index <= at[of.row]
    end = np.where(index == last[of.row], INFINITY, np.append(of.equity[1:], 0.0))
    begin = np.where(index == start[of.row], -INFINITY, np.append(0.0, of.equity[:-1]))
    return Pieces(
        median,
        least,
        np.concatenate([of.row[up], of.row[down]]),
        np.repeat([1.0, -1.0], [up.sum(), down.sum()]),
        np.concatenate([(end - of.equity)[up], (of.equity - begin)[down]]),
        np.maximum(np.concatenate([rising[up], (whole[of.row] - 2 * below)[down]]), 0.0),
        np.concatenate([(of.equity - median[of.row])[up], (median[of.row] - of.equity)[down]]),
    )


class FlopProgram:
    """One of the four models for HiGHS, with conversions from formulas to columns and back."""

    def __init__(
        self, of: Problem, model: str, limit: float, *, step: float | None = None, only: Bools | None = None
    ) -> None:
        self.of, self.model, self.limit, self.step = of, model, limit, step
        self.fewest = model.startswith("FEAT")
        self.program = Program()
        free = np.ones(len(of.numbers), dtype=bool) if only is None else only
        self._add_weights(free)
        (self._add_largest if model.endswith("MAXERR") else self._add_average)()

    def _add_weights(self, free: Bools) -> None:
        p, add = len(free), self.program
        most = 1 if self.step is None else steps_in_one(self.step)
        self.scale = 1.0 if self.step is None else self.step
        self.x = add.columns(p, -most * free, most * free, whole=self.step is not None)
        self.y = add.columns(p, 0, free, 1.0 if self.fewest else 0.0, whole=True)
        every = np.arange(p)
        add.rows(p, -INFINITY, 0, (every, self.x, 1.0), (every, self.y, -float(most)))
        add.rows(p, 0, INFINITY, (every, self.x, 1.0), (every, self.y, float(most)))
        if not self.fewest:
            add.rows(1, 0, self.limit, (0, self.y, 1.0))

    def _add_largest(self) -> None:
        low, high = self.of.extremes()
        add, rows = self.program, len(low)
        most = POINTS * self.limit if self.fewest else INFINITY
        self.error = add.columns(1, 0, most, 0.0 if self.fewest else 1.0)
        r, c = np.nonzero(self.of.matrix)
        every, value = np.arange(rows), POINTS * self.scale
        add.rows(rows, POINTS * high, INFINITY, (r, self.x[c], value), (every, self.error[0], 1.0))
        add.rows(rows, -INFINITY, POINTS * low, (r, self.x[c], value), (every, self.error[0], -1.0))

    def _add_average(self) -> None:
        self.pieces = cut = pieces(self.of)
        add, rows, n = self.program, len(self.of.matrix), len(cut.row)
        self.error = add.columns(n, 0, cut.length, 0.0 if self.fewest else cut.slope)
        r, c = np.nonzero(self.of.matrix)
        add.rows(rows, cut.median, cut.median, (r, self.x[c], self.scale), (cut.row, self.error, -cut.side))
        if self.fewest:
            add.rows(1, 0, POINTS * self.limit - cut.least, (0, self.error, cut.slope))
        else:
            add.offset = cut.least

    def columns_of(self, weights: Floats) -> Floats:
        """The columns of a formula (a weight for each feature of the problem)."""
        estimate = self.of.matrix @ weights
        if self.model.endswith("MAXERR"):
            low, high = self.of.extremes()
            error = np.array([POINTS * max((high - estimate).max(), (estimate - low).max())])
        else:
            cut = self.pieces
            off = cut.side * (estimate - cut.median)[cut.row]
            error = np.clip(off - cut.away, 0.0, cut.length)
        whole = weights if self.step is None else np.rint(weights / self.step)
        return np.concatenate([whole, weights != 0, error])

    def weights_of(self, columns: Floats) -> Floats:
        """The formula of columns, zero where the switch is off."""
        x = columns[self.x]
        weights = x if self.step is None else self.step * np.rint(x)
        return np.where(columns[self.y] > 0.5, np.clip(weights, -1.0, 1.0), 0.0)

    def solve(self, seconds: float, start: Floats | None = None, watch: Watch | None = None) -> MipResult:
        """Solve with HiGHS; bounds are in points of error, or features."""
        values = None if start is None else self.columns_of(start)
        gap = 1 - 1e-6 if self.fewest else POINTS * 1e-6
        return optimise(self.program.lp(), seconds, start=values, watch=watch, gap=gap)
