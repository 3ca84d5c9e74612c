"""The largest error of a set of features: the best weights for it, and a certificate that no weights do better.

With weights x in [-1, 1] and estimates B x the largest error is the least e with greatest - e <= (B x)_i <= least + e
on every row i. This is a linear program of few columns and many rows. `WorstFit` solves it by a simplex of our own
(`worst_kernels`), which goes from one set of features to the next in a few exchanges. `WorstProgram` is the same in
HiGHS, some times slower, for the fit that the other should lose to rounding, and to check it: it starts with two rows,
and those that its answer breaks most are added until none is broken.

**Certificate.** Multipliers l_i with sum |l_i| <= 1 (positive on the greatest, negative on the least equity of a row)
prove for every set S of features

    error(S) >= level - sum of pull_j over j in S,    level = sum l_i equity_i,    pull_j = |sum l_i B_ij|,

because no weight is above 1. A fit hence says something about all sets, not only its own, and so does one that is
stopped early. The bound is computed from the multipliers, not taken from the solver.
"""

from __future__ import annotations

import numpy as np

from headsup.distil.flops.problem import Bools, Floats, Ints, Problem
from headsup.distil.flops.programs import worst_kernels
from headsup.distil.flops.programs.fits import EXACT, Fitted
from headsup.highs import INFINITY, Program, insist, warm_solver

AT_ONCE = 6
"""Rows added at a time on each side."""


class WorstFit:
    """Fits of the largest error over sets of features of one problem."""

    def __init__(self, of: Problem) -> None:
        self.of, self.width = of, len(of.numbers)
        low, high = of.extremes()
        r, c = np.nonzero(of.matrix)
        starts = np.searchsorted(r, np.arange(len(low) + 1)).astype(np.int64)
        self.rows = worst_kernels.Rows(starts, c.astype(np.int64), low, high)
        m = self.width + 1
        right = worst_kernels.TRACE * (1 + np.random.default_rng(1).random(m))
        right[-1] = 1.0
        self.state = worst_kernels.State(
            basis=np.zeros(m, dtype=np.int64),
            inverse=np.zeros((m, m)),
            value=np.zeros(m),
            right=right,
            price=np.zeros(m),
            step=np.zeros(m),
            scratch=np.zeros((m, 2 * m)),
            age=np.zeros(1, dtype=np.int64),
            near=np.zeros(worst_kernels.NEAR, dtype=np.int64),
            count=np.zeros(1, dtype=np.int64),
            broken=np.zeros(len(low)),
        )
        worst_kernels.begin(self.rows, self.state, self.width)
        self.second: WorstProgram | None = None
        self.lost = 0
        """Fits that were left to HiGHS."""

    def fit(self, on: Bools, enough: float | None = None) -> Fitted:
        """The best weights on these features; with `enough`, only until the error is known to be above or not above."""
        weights, pull = np.empty(self.width), np.empty(self.width)
        asked = np.nan if enough is None else enough
        ended, bound, error, level = worst_kernels.fit(
            self.rows, self.state, on.astype(np.float64), asked, weights, pull
        )
        settled = enough is not None and (bound > enough or error <= enough)
        if settled or (ended == worst_kernels.OPTIMAL and error - bound <= EXACT):
            return Fitted(bound, error, weights, level, pull)
        worst_kernels.begin(self.rows, self.state, self.width)
        self.second = WorstProgram(self.of) if self.second is None else self.second
        self.lost += 1
        return self.second.fit(on, enough)


class WorstProgram:
    """The same fits by HiGHS."""

    def __init__(self, of: Problem) -> None:
        self.matrix = of.matrix.astype(np.float64)
        self.low, self.high = of.extremes()
        self.width = len(of.numbers)
        program = Program()
        program.columns(self.width, 0, 0)
        program.columns(1, 0, INFINITY, 1.0)
        self.solver = warm_solver(program)
        self.on = np.zeros(self.width, dtype=bool)
        self.row = np.empty(0, dtype=np.int64)
        self.sign = np.empty(0)
        self._add(np.array([np.argmax(self.high), np.argmin(self.low)]), np.array([1.0, -1.0]))

    def fit(self, on: Bools, enough: float | None = None) -> Fitted:
        """The best weights on these features; with `enough`, only until the error is known to be above or not above."""
        changed = np.flatnonzero(on != self.on)
        if len(changed):
            most = on[changed].astype(np.float64)
            insist(
                self.solver.changeColsBounds(len(changed), changed.astype(np.int32), -most, most), "change the features"
            )
            self.on = on.copy()
        while True:
            insist(self.solver.run(), "fit weights")
            weights = np.where(on, np.clip(np.array(self.solver.getSolution().col_value)[:-1], -1.0, 1.0), 0.0)
            estimate = self.matrix @ weights
            above, below = self.high - estimate, estimate - self.low
            error = float(max(above.max(), below.max()))
            found = self._certified(on, weights, error)
            if enough is not None and (found.bound > enough or found.error <= enough):
                return found
            if not self._add_broken(above, below, found.bound):
                return found

    def _certified(self, on: Bools, weights: Floats, error: float) -> Fitted:
        dual = np.maximum(np.array(self.solver.getSolution().row_dual), 0.0)
        signed = dual / max(1.0, float(dual.sum())) * self.sign
        level = float(signed @ np.where(self.sign > 0, self.high[self.row], self.low[self.row]))
        pull = np.abs(signed @ self.matrix[self.row])
        return Fitted(max(0.0, level - float(pull[on].sum())), error, weights, level, pull)

    def _add_broken(self, above: Floats, below: Floats, error: float) -> bool:
        """Add the rows that are broken most; whether there were any."""
        rows: list[Ints] = []
        for off in (above, below):
            most = np.argsort(-off)[:AT_ONCE]
            rows.append(most[off[most] > error + EXACT])
        chosen = np.concatenate(rows)
        sign = np.repeat([1.0, -1.0], [len(part) for part in rows])
        fresh = ~np.isin(chosen * 2 + (sign > 0), self.row * 2 + (self.sign > 0))
        if not fresh.any():
            return False
        self._add(chosen[fresh], sign[fresh])
        return True

    def _add(self, rows: Ints, sign: Floats) -> None:
        """sign (B x) + e >= sign equity, on these rows."""
        n = len(rows)
        r, c = np.nonzero(self.matrix[rows])
        least = sign * np.where(sign > 0, self.high[rows], self.low[rows])
        at = np.concatenate([r, np.arange(n)])
        order = np.argsort(at, kind="stable")
        index = np.concatenate([c, np.full(n, self.width)])[order].astype(np.int32)
        value = np.concatenate([sign[r], np.ones(n)])[order]
        starts = np.searchsorted(at[order], np.arange(n)).astype(np.int32)
        insist(
            self.solver.addRows(n, least, np.full(n, INFINITY), len(value), starts, index, value), "add rows to the fit"
        )
        self.row, self.sign = np.concatenate([self.row, rows]), np.concatenate([self.sign, sign])
