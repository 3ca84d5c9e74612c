"""The four programs of dalpasso-lancia-2015, solved: `MAXERR`, `FEAT_MAXERR`, `AVGERR`, `FEAT_AVGERR`.

* **Largest error**: a local search for good sets (`local`), then branch and cut over what every good set must contain
  (`covers`): first whether an error halfway between bound and best is possible, and so on until the two meet. Big-M
  programs of this kind have relaxations that say next to nothing; the cuts close most of them within a minute.
* **Average error**: the integer program in HiGHS on the reduced rows (`mip`), from a local search. It checks the
  solver of our own (`average`), which is faster.
* **Weights in steps**: the bound and the first set come from the program without steps, then weights are rounded by
  descent (`rounding`), by the integer program on the chosen features, and by the integer program on all.

Every answer has a bound. Ctrl-C ends a program with the best formula and the best bound so far.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import ceil
from time import perf_counter

import numpy as np
import numpy.typing as npt

from headsup.distil.flops.covers import Covers, Fit, OutOfTime
from headsup.distil.flops.local import extended, searched, set_of
from headsup.distil.flops.mip import POINTS, FlopProgram
from headsup.distil.flops.outcome import Outcome
from headsup.distil.flops.problem import Problem
from headsup.distil.flops.rounding import Measure, Rounded
from headsup.distil.flops.worst import Fitted, WorstFit
from headsup.distil.highs import INFINITY, Floats, Running
from headsup.errors import UserError

Bools = npt.NDArray[np.bool_]
Watch = Callable[[str], None]
MODELS = ("MAXERR", "FEAT_MAXERR", "AVGERR", "FEAT_AVGERR")
CLOSE = 1e-6
"""Errors this near, a ten-thousandth of a percentage point, count as equal."""
SLACK = 1e-9
"""An error this little above the limit keeps to it."""


@dataclass
class Best:
    """The best formula and the best bound so far."""

    of: Problem
    model: str
    limit: float
    step: float | None
    watch: Watch | None
    begun: float = field(default_factory=perf_counter)
    weights: Floats | None = None
    value: float = INFINITY
    bound: float = 0.0
    nodes: int = 0
    how: str = "nothing was tried"
    told: float = 0.0

    def __post_init__(self) -> None:
        self.fewest = self.model.startswith("FEAT")
        self.measure = Measure(self.of, self.model.endswith("MAXERR"))

    def offer(self, weights: Floats) -> bool:
        """Take a formula if it is allowed and better; whether it was."""
        weights = np.where(np.abs(weights) > 1e-12, weights, 0.0)
        error = self.measure.error(self.of.matrix @ weights)
        number = int(np.count_nonzero(weights))
        if self.fewest:
            allowed, value = error <= self.limit + SLACK, float(number)
        else:
            allowed, value = number <= self.limit, error
        if not allowed or value >= self.value:
            return False
        self.weights, self.value = weights, value
        return True

    def hear(self, found: Fitted) -> None:
        """Take the formula of a search, and tell how things stand."""
        self.offer(found.weights)
        self.tell("searching")

    def prove(self, bound: float) -> None:
        """No formula has a lower value than this: a number of features is whole."""
        if np.isfinite(bound):
            self.bound = max(self.bound, float(ceil(bound - 1e-6)) if self.fewest else bound)

    @property
    def proved(self) -> bool:
        """Whether bound and value have met."""
        return self.value - self.bound <= (0.5 if self.fewest else 2 * CLOSE)

    def tell(self, text: str = "") -> None:
        """A progress line, at most one a second."""
        now = perf_counter()
        if self.watch is not None and now - self.told >= 1.0:
            self.told = now
            scale, unit = (1.0, "features") if self.fewest else (POINTS, "points")
            said = f"best {scale * self.value:.4g} {unit}, proved {scale * max(self.bound, 0):.4g}"
            self.watch(f"{now - self.begun:.0f} s: {said}{', ' + text if text else ''}")

    def outcome(self) -> Outcome:
        """What there is to hand back."""
        if self.weights is None:
            raise UserError(f"no formula within {POINTS * self.limit:g} points was found in time: give more seconds")
        at = np.flatnonzero(self.weights)
        weights = {int(self.of.numbers[j]): float(self.weights[j]) for j in at}
        bound = min(self.bound, self.value)
        seconds = perf_counter() - self.begun
        return Outcome(self.model, weights, self.value, bound, self.proved, self.nodes, seconds, self.how)


def solve_program(
    problem: Problem,
    model: str,
    limit: float,
    *,
    step: float | None = None,
    seconds: float = 60.0,
    start: Mapping[int, float] | None = None,
    floor: float = 0.0,
    watch: Watch | None = None,
) -> Outcome:
    """One of the four models, as far as time allows.

    `limit` is the most features for `*ERR`, the error allowed (a fraction of the pot) for `FEAT_*`. `step` makes all
    weights whole multiples of it. `start` is a formula to begin with, `floor` a bound that is already proved.
    """
    _check(problem, model, limit, step)
    best = Best(problem, model, limit, step, watch)
    until = best.begun + seconds
    best.prove(floor)
    best.offer(np.zeros(len(problem.numbers)))
    if start is not None:
        best.offer(_dense(problem, start))
    try:
        fit = fit_of(problem, model)
        _with_all(best, fit)
        if step is not None:
            _in_steps(best, fit, step, until)
        else:
            _free(best, fit, until)
    except KeyboardInterrupt:
        best.how += ", stopped by Ctrl-C"
    return best.outcome()


def _with_all(best: Best, fit: Fit) -> None:
    """What all features together can do: the limit of every formula, and a first formula of `FEAT_*`."""
    everything = fit.fit(np.ones(fit.width, dtype=bool))
    if not best.fewest:
        best.prove(everything.bound)
    elif everything.bound > best.limit + SLACK:
        least = ceil(1e4 * POINTS * everything.error) / 1e4
        raise UserError(f"even all features together leave {least:g} points of error: allow at least that much")
    elif best.step is None:
        best.offer(everything.weights)


def fit_of(problem: Problem, model: str) -> Fit:
    """The fits that a model asks for."""
    if model.endswith("MAXERR"):
        return WorstFit(problem)
    from headsup.distil.flops.averages import AverageFit  # here, because it brings Numba with it

    return AverageFit(problem)


def _check(problem: Problem, model: str, limit: float, step: float | None) -> None:
    if model not in MODELS:
        raise UserError(f"'{model}' is not a model: choose {', '.join(MODELS)}")
    if model.startswith("FEAT"):
        if not 0 < limit < 1:
            raise UserError(f"an error of {limit:g} of the pot cannot be asked for: give more than 0 and less than 1")
    elif limit != int(limit) or limit < 1:
        raise UserError(f"{limit:g} features cannot be chosen: give a whole number from 1")
    if step is not None and not 0.001 <= step <= 0.5:
        raise UserError(f"weights in steps of {step:g} are not possible: give 0.001 to 0.5")
    if len(problem.row) == 0:
        raise UserError("there is no flop to fit: choose a range with other cards")


def _dense(problem: Problem, weights: Mapping[int, float]) -> Floats:
    """A formula by feature numbers as one weight for each column; features that are dropped count as their twin."""
    column = {int(number): k for k, number in enumerate(problem.numbers)}
    dense = np.zeros(len(column))
    for number, weight in weights.items():
        kept = problem.same.get(number, number)
        if kept in column:
            dense[column[kept]] += weight
    return np.clip(dense, -1.0, 1.0)


def _free(best: Best, fit: Fit, until: float) -> None:
    """Any weights from -1 to 1."""
    best.how = "local search"
    spent = until - perf_counter()
    _search(best, fit, perf_counter() + min(0.15 * spent, 20.0))
    if isinstance(fit, WorstFit):
        best.how = "branch and cut over the features that every good formula needs"
        (_close_features if best.fewest else _close_error)(best, fit, until)
    elif not best.proved:
        best.how = "integer program on the reduced rows in HiGHS"
        _integer(best, FlopProgram(best.of, best.model, best.limit), fit, until)


def _search(best: Best, fit: Fit, until: float) -> None:
    """Local search for the best set of at most n features, or for smaller and smaller sets that keep to the error."""
    given = None if best.weights is None else np.asarray(best.weights != 0)
    if not best.fewest:
        begin = given if given is not None and given.sum() <= best.limit else None
        best.offer(searched(fit, int(best.limit), until, begin, tell=best.hear).weights)
        return
    first = extended(fit, np.zeros(fit.width, dtype=bool), fit.width, until, best.limit)
    best.offer(first.weights)
    while perf_counter() < until and best.value > max(best.bound, 1):
        found = searched(fit, int(best.value) - 1, until, patience=20, enough=best.limit, tell=best.hear)
        if not best.offer(found.weights):
            return


def _close_error(best: Best, fit: Fit, until: float) -> None:
    """Is half of the gap possible? and so on, until bound and best meet."""
    covers = Covers(fit, lambda: best.tell(f"{covers.nodes} branches, {len(covers.weak)} cuts"))
    try:
        while not best.proved:
            gap = best.value - best.bound
            asked = best.bound + gap / 2 if gap > 0.002 else best.value - CLOSE
            found = covers.good_set(int(best.limit), asked, until)
            best.nodes = covers.nodes
            if found is None:
                best.prove(asked)
                continue
            best.offer(found.weights)
            more = min(until, perf_counter() + 1.0)
            best.offer(searched(fit, int(best.limit), more, set_of(found), patience=3).weights)
    except OutOfTime:
        best.nodes = covers.nodes


def _close_features(best: Best, fit: Fit, until: float) -> None:
    """Is one feature enough? two? and so on, until the number is that of the best formula."""
    covers = Covers(fit, lambda: best.tell(f"{covers.nodes} branches, {len(covers.weak)} cuts"))
    best.prove(1.0)
    try:
        while not best.proved:
            found = covers.good_set(int(best.bound), best.limit + SLACK / 2, until)
            best.nodes = covers.nodes
            if found is None:
                best.prove(best.bound + 1)
            else:
                best.offer(found.weights)
    except OutOfTime:
        best.nodes = covers.nodes


def _integer(best: Best, program: FlopProgram, fit: Fit | None, until: float, whole: bool = True) -> None:
    """Give the program to HiGHS from the best formula; take its formula, and its bound if it is about all formulas."""
    scale = 1.0 if best.fewest else POINTS
    before = best.bound

    def look(now: Running) -> None:
        if whole and np.isfinite(now.bound):
            best.bound = max(before, now.bound / scale)
        best.tell(f"{best.nodes + now.nodes} branches in HiGHS")

    answer = program.solve(until - perf_counter(), best.weights, look)
    best.bound, best.nodes = before, best.nodes + answer.nodes
    if answer.values is not None:
        weights = program.weights_of(answer.values)
        best.offer(weights if fit is None else fit.fit(weights != 0).weights)
        best.offer(weights)
    if whole:
        best.prove(answer.bound / scale)
    if answer.interrupted:
        raise KeyboardInterrupt


def _in_steps(best: Best, fit: Fit, step: float, until: float) -> None:
    """Weights in steps: bound and sets without steps, descent, then the integer programs."""
    best.how = "local search in steps"
    now = perf_counter()
    relaxed = Best(best.of, best.model, best.limit, None, best.watch, bound=best.bound)
    rounder = Rounded(best.of, step, best.model.endswith("MAXERR"))
    sets: list[Bools] = []
    try:
        _free(relaxed, fit, now + 0.4 * (until - now))
    finally:
        best.prove(relaxed.bound)
        best.nodes = relaxed.nodes
        if relaxed.weights is not None:
            _round(best, rounder, relaxed.weights, until)
            sets.append(relaxed.weights != 0)
    if best.fewest:
        _lengthen(best, fit, rounder, int(min(relaxed.value, fit.width)), until)
        sets += [] if best.weights is None else [best.weights != 0]
    for on in sets:
        _integer(best, FlopProgram(best.of, best.model, best.limit, step=step, only=on), None, until, whole=False)
    if not best.proved and perf_counter() < until:
        best.how = "integer program in steps in HiGHS"
        _integer(best, FlopProgram(best.of, best.model, best.limit, step=step), None, until)


def _round(best: Best, rounder: Rounded, weights: Floats, until: float) -> None:
    steps = rounder.rounded(weights, until)
    best.offer(steps)
    until = perf_counter() + min(2.0, 0.05 * max(until - perf_counter(), 0.0))
    best.offer(rounder.exchanged(steps, until))


def _lengthen(best: Best, fit: Fit, rounder: Rounded, number: int, until: float) -> None:
    """Rounding costs error: take more features until the formula in steps keeps to the limit."""
    while best.weights is None and number <= fit.width and perf_counter() < until:
        begun = perf_counter()
        found = searched(fit, number, begun + 0.03 * (until - begun), patience=5, tell=best.hear)
        _round(best, rounder, found.weights, until)
        best.tell(f"rounding {number} features")
        number += 1
