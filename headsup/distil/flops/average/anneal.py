"""Better sets of features by annealing: exchanges that may also make it worse, ever less as time goes on.

Features come in groups that only work together (no king, one king, two kings), so exchanges often have to pass through
worse sets before they pay. One round starts at the best set known and cools down once, from exchanges that cost up to a
point of error to those that cost next to nothing. Half of the exchanges are blind, half take the best of the features
that the error pulls at hardest. Like the hunt, it proves nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from time import perf_counter

import numpy as np

from headsup.distil.flops.average.fit import Fitter
from headsup.distil.flops.average.hunt import Hunt
from headsup.distil.flops.problem import Problem
from headsup.progress import Paced, Watch
from headsup.stop import time_up

HOT, COLD = 0.008, 0.00015
"""Fractions of the pot: a step that costs so much more is taken once in e times, at the start and at the end."""
NARROW = 6
"""How many of the features pulled hardest a step looks at."""
ROUND = 12.0
"""Seconds of a cooling, if there is time for several."""
REMEMBERED = 50_000
"""Sets whose errors are kept; they are cheap to compute again and take a lot of room."""


class Anneal:
    """Annealing for one problem, from a formula."""

    def __init__(self, of: Problem, start: Mapping[int, float], watch: Watch | None) -> None:
        self.fitter = Fitter(of)
        self.hunt = Hunt(self.fitter)
        self.random = np.random.default_rng(1)
        self.progress = Paced(watch)
        columns = self.fitter.columns_of(start)
        self.hunt.note(columns, self.fitter.error(columns))

    def least(self, n: int, until: float) -> None:
        """Look for n features with a smaller error."""
        self._fill(n)
        rounds = max(1, round((until - perf_counter()) / ROUND))
        for done in range(rounds):
            now = perf_counter()
            self._cool(n, now + (until - now) / (rounds - done), 0.0)

    def fewest(self, error: float, until: float) -> None:
        """Look for fewer features with at most this error."""
        while not time_up(until):
            now = perf_counter()
            size = self.hunt.reach(error)
            if size is None or size <= 1:
                return
            columns = self.hunt.best[size][1]
            for j in sorted(columns):
                self.hunt.note(columns - {j}, self.fitter.error(columns - {j}))
            self._cool(size - 1, min(until, now + ROUND), error)

    def weights(self, size: int) -> dict[int, float]:
        """The best formula of at most so many features."""
        _, columns = min(found for known, found in self.hunt.best.items() if known <= size)
        return self.fitter.weights(columns)

    def _fill(self, n: int) -> None:
        """A set of exactly n features to begin with."""
        columns = max((found[1] for size, found in self.hunt.best.items() if size <= n), key=len)
        while len(columns) < min(n, self.fitter.width):
            columns, _ = self.hunt.add(columns)

    def _cool(self, n: int, until: float, enough: float) -> None:
        """One round, ended early if the error is reached."""
        fitter, random = self.fitter, self.random
        error, columns = self.hunt.best[min(n, fitter.width)]
        begun = perf_counter()
        while not time_up(until) and self.hunt.best[len(columns)][0] > enough:
            now = perf_counter()
            heat = HOT * (COLD / HOT) ** ((now - begun) / (until - begun))
            others = [j for j in range(fitter.width) if j not in columns]
            if not others:
                return
            rest = columns - {int(random.choice(sorted(columns)))}
            if random.random() < 0.5:
                found = rest | {int(random.choice(others))}
                value = fitter.error(found)
                self.hunt.note(found, value)
            else:
                found, value = self.hunt.add(rest, NARROW)
            if value < error or random.random() < exp((error - value) / heat):
                columns, error = found, value
            self._tidy(n)

    def _tidy(self, n: int) -> None:
        if len(self.fitter.known) > REMEMBERED:
            self.fitter.known.clear()
        self.progress.tell(f"{n} features: {100 * self.hunt.best[n][0]:.3f} % so far")
