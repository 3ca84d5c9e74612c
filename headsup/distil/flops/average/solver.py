"""The least average error of N features, the fewest features for an error: found by `hunt`, proved by `proof`.

AVGERR(N). The hunt gives a value. All features together give a first bound. Then levels between bound and value are
asked "do N features reach this?"; every no is a better bound, every yes a better value. Each level closes a seventh
to a half of the gap, as time permits; cores carry over as far as their errors go. The last level lies a rounding error
below the value, and proves it. One or two features need none of this: all sets are tried.

FEAT_AVGERR(E). The hunt gives a number of features. Then 1, 2, 3, ... features are asked whether they reach E, with
the same cores, until one does or time is up; each no raises the bound by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from time import perf_counter

from headsup.distil.flops.average.fit import Fitter
from headsup.distil.flops.average.hunt import Hunt
from headsup.distil.flops.average.proof import Cores, Proof, compile_kernels
from headsup.distil.flops.outcome import Outcome
from headsup.distil.flops.problem import Problem
from headsup.errors import UserError
from headsup.progress import Paced, Watch
from headsup.stop import time_up, until_stopped

CLOSE = 5e-8
"""A level so little below the value (a fraction of the pot) proves it."""
SHARE = 0.3
"""How much of the time the hunt may take."""
STARTS = 200
"""Fresh starts and kicks of the hunt, if there is time for so many."""
FEW = 2
"""Of so many features all sets are tried: 2,628 at most."""


def least_error(
    problem: Problem,
    n: int,
    *,
    seconds: float,
    start: Mapping[int, float] | None = None,
    watch: Watch | None = None,
) -> Outcome:
    """AVGERR: at most n features with the least average error. `start` has features to begin with."""
    if n < 1:
        raise UserError(f"{n} features make no formula: ask for one or more")
    solver = _Solver(problem, seconds, start, watch)
    with until_stopped() as stop:
        with stop.ending():
            solver.least(min(n, solver.fitter.width))
        return solver.outcome_error(min(n, solver.fitter.width))


def fewest_features(
    problem: Problem,
    error: float,
    *,
    seconds: float,
    start: Mapping[int, float] | None = None,
    watch: Watch | None = None,
) -> Outcome:
    """FEAT_AVGERR: the fewest features with an average error of at most `error`, a fraction of the pot."""
    solver = _Solver(problem, seconds, start, watch)
    least = solver.fitter.error(range(solver.fitter.width))
    if least > error:
        raise UserError(
            f"an average error of {100 * error:g} % is out of reach: all features together leave {100 * least:.3f} %"
        )
    with until_stopped() as stop:
        with stop.ending():
            solver.fewest(error)
        return solver.outcome_features(error)


class _Solver:
    """One program on its way: what is found, what is proved, and the clock."""

    def __init__(
        self, problem: Problem, seconds: float, start: Mapping[int, float] | None, watch: Watch | None
    ) -> None:
        self.problem = problem
        self.fitter = Fitter(problem)
        compile_kernels(self.fitter)
        self.began = perf_counter()
        self.until = self.began + seconds
        self.seconds = seconds
        self.progress = Paced(watch)
        self.hunt = Hunt(self.fitter, pause=self.progress.tell)
        self.cores = Cores.none()
        self.bound = 0.0
        self.nodes = 0
        self.proved = False
        self.start = self.fitter.columns_of(start or ())

    def least(self, n: int) -> None:
        """Try all sets of a few features; of more, hunt, then raise the level."""
        if n <= FEW and self._all_tried(n):
            return
        hunt_until = self.began + SHARE * self.seconds
        if self.start:
            self.hunt.grow(self.start, n, hunt_until)
        self.hunt.path(n + 2, hunt_until)
        for size in range(min(n + 2, self.fitter.width), n, -1):
            if not time_up(hunt_until) and size in self.hunt.best:
                self.hunt.shrink(size, hunt_until)
        if n in self.hunt.best:
            self.hunt.stir(n, hunt_until, STARTS)
        _, self.bound, _ = self.fitter.fit(range(self.fitter.width))
        share = 0.8
        while not time_up(self.until):
            value = self._value(n)[0]
            gap = value - self.bound
            if gap <= CLOSE + 1e-12:
                self.proved = True
                return
            level = value - CLOSE if gap < 2e-5 else value - share * gap
            before = perf_counter()
            verdict = self._ask(level, n)
            if verdict == "time":
                return
            if verdict == "none":
                self.bound = max(self.bound, level)
                took, left = perf_counter() - before, self.until - perf_counter()
                share = 0.5 if left > 20.0 * took else 0.7 if left > 6.0 * took else 0.85

    def _all_tried(self, n: int) -> bool:
        """Fit every set of n columns; False if time ran out before."""
        least = float("inf")
        for columns in combinations(range(self.fitter.width), n):
            if time_up(self.until):
                return False
            self.progress.tell(f"{n} features: all sets are tried")
            error, bound, _ = self.fitter.fit(columns)
            self.hunt.note(frozenset(columns), error)
            least = min(least, bound)
        self.bound = least
        self.proved = self._value(n)[0] - least <= CLOSE
        return True

    def _value(self, n: int) -> tuple[float, frozenset[int]]:
        """The best set of at most n columns."""
        return min(found for size, found in self.hunt.best.items() if size <= n)

    def _ask(self, level: float, n: int) -> str:
        """Whether n features reach a level: none, found or time."""
        proof = Proof(self.fitter, level, n, self.cores)

        def pause() -> None:
            self.progress.tell(
                f"{n} features, {100 * level:.3f} %: {self.nodes + proof.nodes} nodes, {proof.cores.count} cores, "
                f"proved {100 * self.bound:.3f} %"
            )

        try:
            verdict, columns = proof.run(self.until, pause)
        finally:
            self.nodes += proof.nodes
            self.cores = proof.cores
        if columns:
            error = self.fitter.error(columns)
            self.hunt.note(columns, error)
            self.hunt.exchange(columns, error, min(self.until, perf_counter() + 0.05 * self.seconds))
        return verdict

    def fewest(self, error: float) -> None:
        """Hunt, then count up."""
        hunt_until = self.began + SHARE * self.seconds
        if self.start:
            self.hunt.grow(self.start, self.fitter.width, hunt_until, error)
        self.hunt.path(self.fitter.width, hunt_until, error)
        if self.hunt.reach(error) is None:
            everything = frozenset(range(self.fitter.width))
            self.hunt.note(everything, self.fitter.error(everything))
        self._trim(error, hunt_until)
        self.bound = 1.0
        while not time_up(self.until):
            value = self.hunt.reach(error)
            if value is None or self.bound >= value:
                self.proved = value is not None
                return
            verdict = self._ask(error, int(self.bound))
            if verdict == "time":
                return
            if verdict == "none":
                self.bound += 1.0

    def _trim(self, error: float, until: float) -> None:
        """Fewer features at the same error: let one go, exchange, stir."""
        while not time_up(until):
            size = self.hunt.reach(error)
            if size is None or size <= 1:
                return
            self.hunt.shrink(size, until)
            if self.hunt.reach(error) == size:
                self.hunt.stir(size - 1, until, 6)

    def outcome_error(self, n: int) -> Outcome:
        """What is known about AVGERR(n)."""
        if not any(size <= n for size in self.hunt.best):
            self.hunt.path(1, 0.0)
        _, columns = self._value(n)
        weights = self.fitter.weights(columns)
        value = self.problem.average_error(weights)
        bound = min(self.bound, value)
        return self._outcome("AVGERR", weights, value, bound)

    def outcome_features(self, error: float) -> Outcome:
        """What is known about FEAT_AVGERR(error)."""
        size = self.hunt.reach(error)
        if size is None:
            columns = frozenset(range(self.fitter.width))
            self.hunt.note(columns, self.fitter.error(columns))
            size = len(columns)
        return self._outcome("FEAT_AVGERR", self.hunt.weights_of(size), float(size), min(self.bound, float(size)))

    def _outcome(self, model: str, weights: dict[int, float], value: float, bound: float) -> Outcome:
        how = f"exchanges and cores, {self.fitter.fits} fits, {self.cores.count} cores"
        seconds = perf_counter() - self.began
        return Outcome(model, weights, value, bound, self.proved, self.nodes, seconds, how)
