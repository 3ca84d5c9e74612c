"""Good sets of features, fast: greedy paths, exchanges, fresh starts and kicks.

1. The path: from no feature on, add the one that helps most, then exchange single features while that helps.
2. Exchange: let each feature go in turn and fit others in its place, all of them or only those at which the error
   pulls hardest (by the dual prices of the fit); the best replaces the one that went.
3. Fresh starts: exchange from random sets, or from four random features and what is best added to them. Kicks:
   exchange from the best set with four features replaced at random.

Everything found is remembered by its size, so one hunt serves all numbers of features. It proves nothing; `anneal`
goes on from here where a program is hard.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from headsup.distil.flops.average import fit_kernels
from headsup.distil.flops.average.fit import Fitter
from headsup.stop import time_up

BETTER = 1e-10
"""A smaller gain is rounding."""
NARROW = 20
"""So many candidates, those pulled hardest, are fitted where speed counts more than care."""


class Hunt:
    """The best sets of columns known for one problem, by size."""

    def __init__(self, fitter: Fitter, wide: int = 80, pause: Callable[[str], None] | None = None) -> None:
        self.fitter, self.wide, self.pause = fitter, wide, pause
        self.best: dict[int, tuple[float, frozenset[int]]] = {}
        problem = fitter.problem
        holds = np.bincount(problem.row, problem.weight, len(problem.matrix)) @ problem.matrix
        self.scale = 1.0 / np.sqrt(holds)
        self.random = np.random.default_rng(2015)

    def note(self, columns: frozenset[int], error: float) -> bool:
        """Remember a set if it is the best of its size, and whether it is."""
        known = self.best.get(len(columns))
        if known is not None and error >= known[0] - BETTER:
            return False
        self.best[len(columns)] = (error, columns)
        return True

    def reach(self, error: float) -> int | None:
        """The least known size whose error is no more than this."""
        sizes = [n for n, (found, _) in self.best.items() if found <= error]
        return min(sizes) if sizes else None

    def add(self, columns: frozenset[int], wide: int | None = None) -> tuple[frozenset[int], float]:
        """The best set with one column more, among the columns pulled hardest."""
        fitter = self.fitter
        base = np.array(sorted(columns), dtype=np.int64)
        pull = np.empty(fitter.width)
        fit_kernels.fit_and_pull(fitter.bits, base, *fitter.points, fitter.big, pull)
        score = np.abs(pull) * self.scale
        score[base] = -1.0
        ranked = np.argsort(-score, kind="stable")[: wide or self.wide]
        ranked = ranked[score[ranked] > 1e-9]
        if len(ranked) == 0:
            ranked = np.array([j for j in range(fitter.width) if j not in columns][:1], dtype=np.int64)
        if len(ranked) == 0:
            return columns, fitter.error(columns)
        costs = np.empty(len(ranked))
        fit_kernels.scan(fitter.bits, base, ranked, *fitter.points, fitter.big, costs)
        fitter.fits += len(ranked) + 1
        k = int(np.argmin(costs))
        found = columns | {int(ranked[k])}
        error = float(costs[k]) / fitter.total
        self.note(found, error)
        return found, error

    def exchange(
        self, columns: frozenset[int], error: float, until: float, wide: int | None = None
    ) -> tuple[frozenset[int], float]:
        """Exchange single columns until none helps."""
        waiting = sorted(columns)
        while waiting and not time_up(until):
            column = waiting.pop(0)
            found, value = self.add(columns - {column}, wide)
            if value < error - BETTER:
                columns, error = found, value
                waiting = sorted(columns, key=lambda j: (j not in waiting, j))
            if self.pause is not None:
                self.pause(f"{len(columns)} features: {100 * error:.3f} %")
        return columns, error

    def path(self, most: int, until: float, error: float = 0.0) -> None:
        """Good sets of one column, two, ... up to `most`, or until the error is reached."""
        columns: frozenset[int] = frozenset()
        for size in range(1, min(most, self.fitter.width) + 1):
            columns, value = self.add(columns, self.fitter.width if size < 4 else None)
            value, columns = self.best[size]
            if not time_up(until):
                columns, value = self.exchange(columns, value, until)
            if value <= error:
                break

    def grow(self, columns: frozenset[int], most: int, until: float, error: float = 0.0) -> None:
        """From given columns: add what helps most, up to `most` or until the error is reached, then exchange."""
        value = self.fitter.error(columns)
        self.note(columns, value)
        while len(columns) < min(most, self.fitter.width) and value > error:
            columns, value = self.add(columns)
        if len(columns) <= most:
            self.exchange(columns, value, until)

    def shrink(self, size: int, until: float) -> None:
        """From the best set of a size to a good one with a column less."""
        columns = self.best[size][1]
        for j in sorted(columns):
            self.note(columns - {j}, self.fitter.error(columns - {j}))
        error, columns = self.best[size - 1]
        self.exchange(columns, error, until)

    def stir(self, size: int, until: float, rounds: int) -> None:
        """Fresh starts and kicks in turn, for one size; what comes near the best is exchanged with all others."""
        for turn in range(rounds):
            if time_up(until):
                break
            columns, error = (self._seeded, self._kicked, self._random)[turn % 3](size)
            columns, error = self.exchange(columns, error, until, NARROW)
            if error < 1.1 * self.best[size][0]:
                self.exchange(columns, error, until)

    def _random(self, size: int, kept: frozenset[int] = frozenset()) -> tuple[frozenset[int], float]:
        """Any columns beside those kept."""
        others = [j for j in range(self.fitter.width) if j not in kept]
        columns = kept | frozenset(self.random.choice(others, size - len(kept), replace=False).tolist())
        return columns, self.fitter.error(columns)

    def _kicked(self, size: int) -> tuple[frozenset[int], float]:
        """The best set with up to four columns replaced by any others."""
        best = sorted(self.best[size][1])
        return self._random(size, frozenset(self.random.choice(best, max(0, size - 4), replace=False).tolist()))

    def _seeded(self, size: int) -> tuple[frozenset[int], float]:
        """Up to four columns at random, the others added greedily."""
        columns, error = self._random(min(4, size))
        while len(columns) < size:
            columns, error = self.add(columns, NARROW)
        return columns, error

    def weights_of(self, size: int) -> dict[int, float]:
        """Feature number -> weight for the best set of a size."""
        return self.fitter.weights(self.best[size][1])
