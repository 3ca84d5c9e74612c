"""Good sets of features, fast: greedy paths, exchanges, fresh starts, kicks and annealing. It proves nothing.

An exchange drops each feature in turn and fits others in its place; a certificate (`fits`) saves fits, since no feature
can lower the error by more than its pull. Features come in groups that only work together (no king, one king, two
kings), so annealing lets exchanges pass through worse sets. The best sets are kept by size, so one search serves all
numbers of features.
"""

from collections.abc import Callable
from math import exp
from time import perf_counter

import numpy as np

from headsup.common.stop import time_up
from headsup.distil.formulas.subset.fits import Columns, Fit

BETTER = 1e-10  # a smaller gain is rounding
NARROW, NARROWEST = 20, 6
"""So many candidates, those pulled hardest, are fitted where speed counts more than care; and in annealing."""
FRESH = 4  # features that a fresh start begins with
HOT, COLD = 0.008, 0.00015
"""Fractions of the pot: a step that costs so much more is taken once in e times, at the start and at the end."""
ROUND = 12.0  # seconds of a cooling, if there is time for several


class Search:
    """The best known sets of columns of one fit, by size."""

    def __init__(self, fit: Fit, pause: Callable[[str], None] | None = None) -> None:
        self.fit, self.pause = fit, pause
        self.best: dict[int, tuple[float, Columns]] = {}
        self.random = np.random.default_rng(2015)

    def note(self, columns: Columns) -> float:
        """Remember a set if it is the best of its size; returns its error."""
        error = self.fit.error(columns)
        known = self.best.get(len(columns))
        if known is None or error < known[0] - BETTER:
            self.best[len(columns)] = (error, columns)
        return error

    def reach(self, error: float) -> int | None:
        """The least known size whose error is at most this."""
        return min((n for n, (least, _) in self.best.items() if least <= error), default=None)

    def at_most(self, n: int) -> tuple[float, Columns]:
        return min(known for size, known in self.best.items() if size <= n)

    def add(self, columns: Columns, wide: int | None = None, least: float = np.inf) -> tuple[Columns, float]:
        """The best set with one column more, among the columns pulled hardest.

        Where no column can bring the error below `least`, by the certificate of the set, some column is added.
        """
        base = self.fit.fit(columns)
        score = base.pull * self.fit.scale
        score[list(columns)] = -1.0
        ranked = np.argsort(-score, kind="stable")[: self.fit.width - len(columns)][:wide].tolist()
        if not ranked:
            return columns, base.error
        grown, best = columns | {ranked[0]}, np.inf
        for j in ranked:
            if base.bound - base.pull[j] < min(best, least) or best == np.inf:
                tried = columns | {j}
                error = self.note(tried)
                if error < best:
                    grown, best = tried, error
        return grown, best

    def exchange(self, columns: Columns, until: float, wide: int | None = None) -> tuple[Columns, float]:
        error = self.note(columns)
        waiting = sorted(columns)
        while waiting and not time_up(until):
            changed, value = self.add(columns - {waiting.pop(0)}, wide, error - BETTER)
            if value < error - BETTER:
                columns, error = changed, value
                waiting = sorted(columns, key=lambda j: (j not in waiting, j))
            if self.pause is not None:
                self.pause(f"{len(columns)} features: {100 * error:.3f} %")
        return columns, error

    def path(self, most: int, until: float, error: float = 0.0) -> None:
        """Good sets of one column, two, ... up to `most`, or until the error is reached."""
        columns: Columns = frozenset()
        for size in range(1, min(most, self.fit.width) + 1):
            self.add(columns)
            value, columns = self.best[size]
            if not time_up(until):
                columns, value = self.exchange(columns, until)
            if value <= error:
                break

    def grow(self, columns: Columns, most: int, until: float, error: float = 0.0) -> None:
        """From given columns: add what helps most, up to `most` or until the error is reached, then exchange."""
        value = self.note(columns)
        while len(columns) < min(most, self.fit.width) and value > error:
            columns, value = self.add(columns)
        if len(columns) <= most:
            self.exchange(columns, until)

    def drop(self, size: int) -> None:
        """The best set of a size with each of its columns left out in turn."""
        columns = self.best[size][1]
        for j in sorted(columns):
            self.note(columns - {j})

    def trim(self, error: float, until: float, rounds: int) -> None:
        """Fewer features at the same error: drop one, exchange, stir, until nothing helps."""
        size = self.reach(error)
        while size is not None and size > 1 and not time_up(until):
            self.drop(size)
            self.exchange(self.best[size - 1][1], until)
            self.stir(size - 1, until, rounds, error)
            before, size = size, self.reach(error)
            if size == before:
                return

    def stir(self, size: int, until: float, rounds: int, enough: float = 0.0) -> None:
        """Fresh starts and kicks in turn, for one size; results near the best are exchanged with all others."""
        for turn in range(rounds):
            if self.best[size][0] <= enough or time_up(until):
                break
            if turn % 3 == 0:
                columns = self._filled(frozenset(), min(FRESH, size))
            else:
                leave = int(self.random.integers(1, 2 + size // 3))
                kept = self.random.choice(sorted(self.best[size][1]), size - leave, replace=False)
                columns = self._filled(frozenset(kept.tolist()), size - int(self.random.integers(0, leave + 1)))
            while len(columns) < size:
                columns, _ = self.add(columns, NARROW)
            columns, error = self.exchange(columns, until, NARROW)
            if error < 1.1 * self.best[size][0]:
                self.exchange(columns, until)

    def _filled(self, kept: Columns, size: int) -> Columns:
        others = [j for j in range(self.fit.width) if j not in kept]
        return kept | frozenset(self.random.choice(others, size - len(kept), replace=False).tolist())

    def anneal(self, n: int, until: float) -> None:
        """Look for n features with a smaller error, by annealing from the best known set."""
        columns = max((known for size, (_, known) in self.best.items() if size <= n), key=len)
        while len(columns) < min(n, self.fit.width):
            columns, _ = self.add(columns)
        rounds = max(1, round((until - perf_counter()) / ROUND))
        for done in range(rounds):
            now = perf_counter()
            self._cool(len(columns), now + (until - now) / (rounds - done), 0.0)

    def anneal_fewer(self, error: float, until: float) -> None:
        """Look for fewer features with at most this error, by annealing from the smallest known set."""
        while not time_up(until):
            size = self.reach(error)
            if size is None or size <= 1:
                return
            self.drop(size)
            self._cool(size - 1, min(until, perf_counter() + ROUND), error)

    def _cool(self, n: int, until: float, enough: float) -> None:
        """One round, ended early if the error is reached."""
        random = self.random
        error, columns = self.best[n]
        begun = perf_counter()
        while not time_up(until) and self.best[n][0] > enough:
            heat = HOT * (COLD / HOT) ** ((perf_counter() - begun) / (until - begun))
            rest = columns - {int(random.choice(sorted(columns)))}
            if len(columns) == self.fit.width:
                return
            if random.random() < 0.5:
                filled = self._filled(rest, n)
                value = self.note(filled)
            else:
                filled, value = self.add(rest, NARROWEST)
            if value < error or random.random() < exp((error - value) / heat):
                columns, error = filled, value
            if self.pause is not None:
                self.pause(f"{n} features: {100 * self.best[n][0]:.3f} % so far")
