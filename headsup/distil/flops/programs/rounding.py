"""Weights in steps that a person can remember: from the best weights to the best whole numbers of steps.

1. Round the best weights to steps.
2. Descend: change one weight by one or two steps, or two weights by one step each, while the error falls.
3. Exchange features: the place of one goes to another, with the best weight in steps for it, then descend again.

What is left to gain on the chosen features, and over all features, is for the integer program (`mip`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np

from headsup.distil.flops.problem import Floats, Ints, Problem
from headsup.distil.flops.programs.mip import steps_in_one
from headsup.stop import time_up


class Measure:
    """The error of estimates, row by row of the problem: the largest, or the average."""

    def __init__(self, of: Problem, largest: bool) -> None:
        self.of, self.largest = of, largest
        self.low, self.high = of.extremes()
        self.share = of.weight / of.total

    def error(self, estimate: Floats) -> float:
        """The error of an estimate for each row, a fraction of the pot."""
        if self.largest:
            return float(max((self.high - estimate).max(), (estimate - self.low).max()))
        return float(np.abs(estimate[self.of.row] - self.of.equity) @ self.share)

    def score(self, estimate: Floats) -> float:
        """The error, with a trace of the average where the largest error alone would not tell two moves apart."""
        if not self.largest:
            return self.error(estimate)
        centre = (self.low + self.high) / 2
        return self.error(estimate) + 1e-4 * float(np.abs(estimate - centre).mean())


class Rounded:
    """Formulas in steps for one problem."""

    def __init__(self, of: Problem, step: float, largest: bool) -> None:
        self.matrix = of.matrix.astype(np.float64)
        self.step, self.most = step, steps_in_one(step)
        self.measure = Measure(of, largest)

    def rounded(self, weights: Floats, until: float) -> Floats:
        """The weights in steps that a descent from these reaches; features keep or lose their place, none comes in."""
        steps = np.clip(np.rint(weights / self.step), -self.most, self.most).astype(np.int64)
        return np.asarray(self.step * self._descended(steps, np.flatnonzero(weights), until))

    def exchanged(self, weights: Floats, until: float) -> Floats:
        """Exchange features for others while the error falls."""
        steps = np.rint(weights / self.step).astype(np.int64)
        best = self._score(steps)
        improved = True
        while improved and not time_up(until):
            improved = False
            for out in np.flatnonzero(steps):
                for tried in self._with_another(steps, int(out), until):
                    score = self._score(tried)
                    if score < best - 1e-9:
                        steps, best, improved = tried, score, True
                        break
                if time_up(until):
                    break
        return np.asarray(self.step * steps)

    def _with_another(self, steps: Ints, out: int, until: float) -> Iterator[Ints]:
        """For the few features that do best in this one's place, what a descent makes of them."""
        base = steps.copy()
        base[out] = 0
        estimate = self.step * (self.matrix @ base)
        found = []
        for other in np.flatnonzero(base == 0):
            if other != out:
                found.append((*self._best_alone(estimate, int(other)), int(other)))
        for _, k, j in sorted(found)[:5]:
            tried = base.copy()
            tried[j] = k
            yield self._descended(tried, np.flatnonzero(tried), until)

    def _best_alone(self, estimate: Floats, j: int) -> tuple[float, int]:
        """The best steps for one feature, the others as they are: the error is convex in it, so thirds close in."""
        low, high = -self.most, self.most
        column = self.step * self.matrix[:, j]
        while high - low > 2:
            left, right = low + (high - low) // 3, high - (high - low) // 3
            if self.measure.score(estimate + left * column) <= self.measure.score(estimate + right * column):
                high = right
            else:
                low = left
        return min((self.measure.score(estimate + k * column), k) for k in range(low, high + 1))

    def _descended(self, steps: Ints, support: Ints, until: float) -> Ints:
        steps = steps.copy()
        estimate = self.step * (self.matrix @ steps)
        best = self.measure.score(estimate)
        moves = _moves([int(j) for j in support])
        improved = True
        while improved and not time_up(until):
            improved = False
            for move in moves:
                if any(abs(steps[j] + by) > self.most for j, by in move):
                    continue
                tried = estimate + sum(self.step * by * self.matrix[:, j] for j, by in move)
                score = self.measure.score(tried)
                if score < best - 1e-12:
                    for j, by in move:
                        steps[j] += by
                    estimate, best, improved = tried, score, True
        return steps

    def _score(self, steps: Ints) -> float:
        return self.measure.score(self.step * (self.matrix @ steps))


def _moves(support: list[int]) -> list[tuple[tuple[int, int], ...]]:
    """Changes of one weight by one or two steps, then of two weights by one step each."""
    one: list[tuple[tuple[int, int], ...]] = [((j, by),) for j in support for by in (1, -1, 2, -2)]
    two = [((a, x), (b, y)) for a, b in combinations(support, 2) for x, y in product((1, -1), repeat=2)]
    return one + two
