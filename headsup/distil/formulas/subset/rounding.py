"""Weights in steps that a person can remember: from the best weights to the best multiples of a step.

Round, descend by one or two weights at a time, exchange features, and take more features if steps cost too much of an
error limit; then the integer program (`mip`) for the remaining gain and a proof. The free weights give a first bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import ceil
from time import perf_counter

import numpy as np

from headsup.common.errors import UserError
from headsup.common.highs import INFINITY
from headsup.common.progress import Paced, Progress, Watch
from headsup.common.stop import asked, time_up, until_stopped
from headsup.distil.formulas.outcome import Outcome, in_points
from headsup.distil.formulas.problem import Bools, Floats, Ints, Problem
from headsup.distil.formulas.subset.choice import SLACK
from headsup.distil.formulas.subset.fits import HandFit
from headsup.distil.formulas.subset.mip import POINTS, FlopProgram, steps_in_one
from headsup.distil.formulas.subset.search import Search

CLOSE = 2e-6  # errors this near count as equal: the tolerance of HiGHS


class Stepped:
    """The best weights in steps and the best bound so far for one of the four models."""

    def __init__(self, of: Problem, model: str, limit: float, step: float, watch: Watch | None = None) -> None:
        self.of, self.model, self.limit, self.step = of, model, limit, step
        self.fit = HandFit(of, model.endswith("MAXERR"))
        self.begun, self.progress = perf_counter(), Paced(watch, at_once=True)
        self.weights: Floats | None = None
        self.value, self.bound, self.nodes = INFINITY, 0.0, 0
        self.fewest = model.startswith("FEAT")
        self.how = "local search in steps"
        self.offer(np.zeros(len(of.numbers)))

    def offer(self, weights: Floats) -> None:
        """Take weights if they are allowed and better."""
        error, number = self.fit.error_of(self.of.matrix @ weights), int(np.count_nonzero(weights))
        allowed = error <= self.limit + SLACK if self.fewest else number <= self.limit
        value = float(number) if self.fewest else error
        if allowed and value < self.value:
            self.weights, self.value = weights, value

    def prove(self, bound: float) -> None:
        """Raise the bound; a number of features is whole."""
        if np.isfinite(bound):
            self.bound = max(self.bound, float(ceil(bound - 1e-6)) if self.fewest else bound)

    @property
    def proved(self) -> bool:
        return self.value - self.bound <= (0.5 if self.fewest else CLOSE)

    def tell(self, text: str) -> None:
        """Report progress, at most once a second."""
        scale, unit = (1.0, "features") if self.fewest else (POINTS, "points")
        best = f"{scale * self.value:.4g}" if np.isfinite(self.value) else "none yet"
        self.progress.tell(
            f"{perf_counter() - self.begun:.0f} s: best {best}, proved {scale * self.bound:.4g} {unit}, {text}"
        )

    def outcome(self) -> Outcome:
        if self.weights is None:
            # free weights are known to keep to the error before steps are tried
            raise UserError(
                f"no formula in steps of {in_points(self.step)} within {in_points(self.limit)} was found in time: "
                "take smaller steps, or give more seconds"
            )
        weights, bound = self.fit.formula(self.weights), min(self.bound, self.value)
        seconds = perf_counter() - self.begun
        return Outcome(self.model, weights, self.value, bound, self.proved, self.nodes, seconds, self.how)

    def integer(self, until: float, only: Bools | None = None) -> None:
        """Solve with HiGHS from the best formula; its bound counts if it covers all features."""
        scale, before = 1.0 if self.fewest else POINTS, self.bound
        program = FlopProgram(self.of, self.model, self.limit, step=self.step, only=only)

        def look(now: Progress) -> None:
            if only is None and now.bound is not None and np.isfinite(now.bound):
                self.bound = max(before, now.bound / scale)
            self.tell(f"{self.nodes + int(now.done)} branches in HiGHS")

        answer = program.solve(until - perf_counter(), self.weights, look)
        self.bound, self.nodes = before, self.nodes + answer.nodes
        if answer.values is not None:
            self.offer(program.weights_of(answer.values))
        if only is None:
            self.prove(answer.bound / scale)
        if answer.interrupted and not asked():
            raise KeyboardInterrupt


def in_steps(
    of: Problem, free: Outcome, limit: float, step: float, seconds: float, watch: Watch | None = None
) -> Outcome:
    """The best weights in steps for the program whose outcome without steps is `free`, in the given time."""
    best = Stepped(of, free.model, limit, step, watch)
    until = best.begun + seconds
    best.prove(free.bound)
    best.nodes = free.nodes
    weights = np.clip(of.dense(free.weights), -1.0, 1.0)
    with until_stopped() as stop:
        with stop.ending():
            rounder = Rounded(best.fit, step)
            _round(best, rounder, weights, until)
            if best.fewest:
                _lengthen(best, rounder, weights, until)
            sets = [weights != 0] if best.weights is None else [weights != 0, best.weights != 0]
            for on in sets if not asked() else ():
                best.integer(until, on)
            if not (best.proved or time_up(until)):
                best.how = "integer program in steps in HiGHS"
                best.integer(until)
        if stop.asked():
            best.how += ", stopped by Ctrl-C"
    return best.outcome()


def _round(best: Stepped, rounder: Rounded, weights: Floats, until: float) -> None:
    steps = rounder.rounded(weights, until)
    best.offer(steps)
    until = perf_counter() + min(2.0, 0.05 * max(until - perf_counter(), 0.0))
    best.offer(rounder.exchanged(steps, until))


def _lengthen(best: Stepped, rounder: Rounded, weights: Floats, until: float) -> None:
    """Rounding costs error: take more features until the formula in steps is within the limit."""
    search, columns = Search(best.fit), frozenset(np.flatnonzero(weights).tolist())
    while best.weights is None and len(columns) < best.fit.width and not time_up(until):
        begun = perf_counter()
        columns, _ = search.exchange(search.add(columns)[0], begun + 0.03 * (until - begun))
        _round(best, rounder, best.fit.fit(columns).weights, until)
        best.tell(f"rounding {len(columns)} features")


class Rounded:
    def __init__(self, fit: HandFit, step: float) -> None:
        self.fit, self.matrix = fit, fit.of.matrix.astype(np.float64)
        self.step, self.most = step, steps_in_one(step)

    def rounded(self, weights: Floats, until: float) -> Floats:
        """The weights in steps that a descent from these reaches; no new feature comes in."""
        steps = np.clip(np.rint(weights / self.step), -self.most, self.most).astype(np.int64)
        return np.asarray(self.step * self._descended(steps, np.flatnonzero(weights), until))

    def exchanged(self, weights: Floats, until: float) -> Floats:
        steps = np.rint(weights / self.step).astype(np.int64)
        best = self._score(self._estimate(steps))
        improved = True
        while improved and not time_up(until):
            improved = False
            for out in np.flatnonzero(steps):
                for tried in self._with_another(steps, int(out), until):
                    score = self._score(self._estimate(tried))
                    if score < best - 1e-9:
                        steps, best, improved = tried, score, True
                        break
                if time_up(until):
                    break
        return np.asarray(self.step * steps)

    def _with_another(self, steps: Ints, out: int, until: float) -> Iterator[Ints]:
        """For the few features that do best in this one's place, the result of a descent."""
        base = steps.copy()
        base[out] = 0
        estimate = self._estimate(base)
        options = []
        for other in np.flatnonzero(base == 0):
            if other != out:
                options.append((*self._best_alone(estimate, int(other)), int(other)))
        for _, k, j in sorted(options)[:5]:
            tried = base.copy()
            tried[j] = k
            yield self._descended(tried, np.flatnonzero(tried), until)

    def _best_alone(self, estimate: Floats, j: int) -> tuple[float, int]:
        """The best steps for one feature, the others fixed: a ternary search, since the error is convex in it."""
        low, high = -self.most, self.most
        column = self.step * self.matrix[:, j]
        while high - low > 2:
            left, right = low + (high - low) // 3, high - (high - low) // 3
            if self._score(estimate + left * column) <= self._score(estimate + right * column):
                high = right
            else:
                low = left
        return min((self._score(estimate + k * column), k) for k in range(low, high + 1))

    def _descended(self, steps: Ints, support: Ints, until: float) -> Ints:
        steps = steps.copy()
        estimate = self._estimate(steps)
        best = self._score(estimate)
        moves = _moves([int(j) for j in support])
        improved = True
        while improved and not time_up(until):
            improved = False
            for move in moves:
                if any(abs(steps[j] + by) > self.most for j, by in move):
                    continue
                tried = estimate + sum(self.step * by * self.matrix[:, j] for j, by in move)
                score = self._score(tried)
                if score < best - 1e-12:
                    for j, by in move:
                        steps[j] += by
                    estimate, best, improved = tried, score, True
        return steps

    def _estimate(self, steps: Ints) -> Floats:
        return np.asarray(self.step * (self.matrix @ steps))

    def _score(self, estimate: Floats) -> float:
        """The error, with a trace of the average to break ties of the largest error."""
        error = self.fit.error_of(estimate)
        if self.fit.largest:
            error += 1e-4 * float(np.abs(estimate - (self.fit.low + self.fit.high) / 2).mean())
        return error


def _moves(support: list[int]) -> list[tuple[tuple[int, int], ...]]:
    """Changes of one weight by one or two steps, then of two weights by one step each."""
    single: list[tuple[tuple[int, int], ...]] = [((j, by),) for j in support for by in (1, -1, 2, -2)]
    two = [((a, x), (b, y)) for a, b in combinations(support, 2) for x, y in product((1, -1), repeat=2)]
    return single + two
