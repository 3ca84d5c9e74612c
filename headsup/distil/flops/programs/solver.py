"""The four programs of dalpasso-lancia-2015, solved: `MAXERR`, `FEAT_MAXERR`, `AVGERR`, `FEAT_AVGERR`.

* **Largest error**: a local search for good sets (`local`), then branch and cut over what every good set must contain
  (`covers`): first whether an error halfway between bound and best is possible, and so on until the two meet. Big-M
  programs of this kind have relaxations that say next to nothing; the cuts close many of them within a minute.
* **Average error**: the integer program in HiGHS on the reduced rows (`mip`), from a local search. It checks the
  solver of our own (`headsup.distil.flops.average`), which is faster.
* **Weights in steps**: the bound and the first set come from the program without steps, then weights are rounded by
  descent (`rounding`), by the integer program on the chosen features, and by the integer program on all.

Every answer has a bound. Ctrl-C ends a program with the best formula and the best bound so far.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter

import numpy as np

from headsup.distil.flops.outcome import Outcome, in_points
from headsup.distil.flops.problem import Bools, Floats, Problem
from headsup.distil.flops.programs.average_fit import AverageFit
from headsup.distil.flops.programs.closing import Standing, check_model, close, search, with_all
from headsup.distil.flops.programs.fits import Fit
from headsup.distil.flops.programs.local import first_formula, searched
from headsup.distil.flops.programs.mip import POINTS, FlopProgram
from headsup.distil.flops.programs.rounding import Measure, Rounded
from headsup.distil.flops.programs.worst_fit import WorstFit
from headsup.errors import UserError
from headsup.highs import Running
from headsup.progress import Watch
from headsup.stop import asked, time_up, until_stopped


class Best(Standing):
    """The best formula and the best bound so far for one hand."""

    def __init__(self, of: Problem, model: str, limit: float, watch: Watch | None = None) -> None:
        super().__init__(model, limit, watch)
        self.of, self.measure = of, Measure(of, model.endswith("MAXERR"))

    def error_of(self, weights: Floats) -> float:
        """The error of a formula."""
        return self.measure.error(self.of.matrix @ weights)

    def outcome(self, step: float | None = None) -> Outcome:
        """What there is to hand back."""
        if self.weights is None:
            # free weights are known to keep to the error before steps are tried
            which, fix = ("", "") if step is None else (f" in steps of {in_points(step)}", "take smaller steps, or ")
            raise UserError(
                f"no formula{which} within {in_points(self.limit)} was found in time: {fix}give more seconds"
            )
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
    weights whole multiples of it. `start` is a formula to begin with, `floor` a bound that is already proved; with
    `step`, if both are given, they are taken for the answer without steps.
    """
    check_model(model, limit, step)
    best = Best(problem, model, limit, watch)
    until = best.begun + seconds
    best.prove(floor)
    given = None if start is None else np.clip(problem.dense(start), -1.0, 1.0)
    if step is not None or best.fewest:
        best.offer(np.zeros(len(problem.numbers)))
    if given is not None and step is None:
        best.offer(given)
    with until_stopped() as stop:
        with stop.ending():
            fit = fit_of(problem, model)
            with_all(best, fit, take=step is None)
            if step is not None:
                _in_steps(best, fit, step, until, given, solved=floor > 0)
            else:
                _free(best, fit, until)
        if stop.asked():
            best.how += ", stopped by Ctrl-C"
    return best.outcome(step)


def fit_of(problem: Problem, model: str) -> Fit:
    """The fits that a model asks for."""
    return WorstFit(problem) if model.endswith("MAXERR") else AverageFit(problem)


def _free(best: Best, fit: Fit, until: float) -> None:
    """Any weights from -1 to 1."""
    best.how = "local search"
    if not best.fewest and (best.weights is None or not best.weights.any()):
        first = first_formula(best.of, int(best.limit))
        best.offer(first)
        best.offer(fit.fit(first != 0).weights)
    begun = perf_counter()
    search(best, fit, begun + min(0.15 * (until - begun), 20.0))
    if best.proved or asked():
        return
    if best.model.endswith("MAXERR"):
        close(best, fit, until)
    else:
        best.how = "integer program on the reduced rows in HiGHS"
        _integer(best, FlopProgram(best.of, best.model, best.limit), fit, until)


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
        best.offer(weights)
        if fit is not None:
            best.offer(fit.fit(weights != 0).weights)
    if whole:
        best.prove(answer.bound / scale)
    if answer.interrupted and not asked():
        raise KeyboardInterrupt


def _in_steps(best: Best, fit: Fit, step: float, until: float, given: Floats | None, solved: bool) -> None:
    """Weights in steps: bound and sets without steps, descent, then the integer programs."""
    best.how = "local search in steps"
    now = perf_counter()
    relaxed = Best(best.of, best.model, best.limit, best.watch)
    relaxed.bound = best.bound
    if given is not None:
        relaxed.offer(fit.fit(given != 0).weights)
    rounder = Rounded(best.of, step, best.model.endswith("MAXERR"))
    sets: list[Bools] = []
    if best.fewest and relaxed.weights is None:
        with_all(relaxed, fit)
    try:
        if relaxed.weights is None or not solved:
            _free(relaxed, fit, now + 0.4 * (until - now))
    finally:
        best.prove(relaxed.bound)
        best.nodes = relaxed.nodes
        if relaxed.weights is not None:
            _round(best, rounder, relaxed.weights, until)
            sets.append(relaxed.weights != 0)
    if best.fewest:
        _lengthen(best, fit, rounder, int(min(relaxed.value, fit.width)), until)
    if best.weights is not None:
        sets.append(best.weights != 0)
    for on in sets if not asked() else ():
        _integer(best, FlopProgram(best.of, best.model, best.limit, step=step, only=on), None, until, whole=False)
    if not best.proved and not time_up(until):
        best.how = "integer program in steps in HiGHS"
        _integer(best, FlopProgram(best.of, best.model, best.limit, step=step), None, until)


def _round(best: Best, rounder: Rounded, weights: Floats, until: float) -> None:
    steps = rounder.rounded(weights, until)
    best.offer(steps)
    until = perf_counter() + min(2.0, 0.05 * max(until - perf_counter(), 0.0))
    best.offer(rounder.exchanged(steps, until))


def _lengthen(best: Best, fit: Fit, rounder: Rounded, number: int, until: float) -> None:
    """Rounding costs error: take more features until the formula in steps keeps to the limit."""
    while best.weights is None and number <= fit.width and not time_up(until):
        begun = perf_counter()
        found = searched(fit, number, begun + 0.03 * (until - begun), patience=5)
        _round(best, rounder, found.weights, until)
        best.tell(f"rounding {number} features")
        number += 1
