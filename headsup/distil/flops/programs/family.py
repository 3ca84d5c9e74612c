"""One choice of features for a whole family of hands: the same questions for each, with weights of its own.

The error of a set of features is the mean over the hands of the average error (`AVGERR`), or the largest error of all
hands (`MAXERR`). Each hand is fitted by itself, and its certificate (`worst_fit`, `average_fit`) is one for the family:
the mean of the hands' certificates, or that of the hand with the largest error. So search, covers and bounds are those
for one hand. Features are known by their numbers, for hands differ in which of them never hold or are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from headsup.distil.flops.average.solver import least_error
from headsup.distil.flops.outcome import Outcome, in_points
from headsup.distil.flops.problem import Bools, Floats, Ints, Problem
from headsup.distil.flops.programs.closing import SLACK, Standing, check_model, close, search, with_all
from headsup.distil.flops.programs.fits import Fitted
from headsup.distil.flops.programs.local import first_formula
from headsup.distil.flops.programs.mip import POINTS, FlopProgram
from headsup.distil.flops.programs.rounding import Rounded
from headsup.distil.flops.programs.solver import Best, fit_of
from headsup.errors import UserError
from headsup.progress import Watch
from headsup.stop import asked, until_stopped


@dataclass(frozen=True, eq=False)
class FamilyOutcome:
    """Features for a family, and each hand's formula with them."""

    features: tuple[int, ...]
    """The numbers of the features chosen for all hands."""
    hands: tuple[Outcome, ...]
    """Each hand's weights on these features; its value is its own error (or number), its bound that of its own fit."""
    value: float
    """The family's error as a fraction of the pot, or the number of features."""
    bound: float
    """Proved: no choice of features has a lower value."""
    proved: bool
    nodes: int
    seconds: float
    how: str


class FamilyFit:
    """Fits of one set of features to every hand of a family."""

    def __init__(self, problems: Sequence[Problem], model: str) -> None:
        self.largest = model.endswith("MAXERR")
        self.fits = [fit_of(one, model) for one in problems]
        every = [set(one.numbers.tolist()) | set(one.same) for one in problems]
        self.numbers: Ints = np.array(sorted(set().union(*every)), dtype=np.int64)
        self.width = len(self.numbers)
        self.columns = [one.columns(self.numbers.tolist()) for one in problems]
        self.hardest = 0

    def on_of(self, hand: int, on: Bools) -> Bools:
        """The columns of one hand's problem that these features are."""
        columns = self.columns[hand][on]
        own = np.zeros(self.fits[hand].width, dtype=bool)
        own[columns[columns >= 0]] = True
        return own

    def first(self, one: Problem, n: int) -> Floats:
        """Which n features a first formula of one of the hands uses, as weights of one."""
        used = one.numbers[first_formula(one, n) != 0]
        return np.isin(self.numbers, used).astype(np.float64)

    def fit(self, on: Bools, enough: float | None = None) -> Fitted:
        """Fit every hand; the weights handed back only say which features are used."""
        if self.largest:
            return self._worst(on, enough)
        found = [fit.fit(self.on_of(h, on)) for h, fit in enumerate(self.fits)]
        pulls = [self._spread(h, one.pull) for h, one in enumerate(found)]
        return Fitted(
            float(np.mean([one.bound for one in found])),
            float(np.mean([one.error for one in found])),
            on.astype(np.float64),
            float(np.mean([one.level for one in found])),
            np.mean(pulls, axis=0),
        )

    def _worst(self, on: Bools, enough: float | None) -> Fitted:
        """The hand that was hardest last time goes first: one hand above what was asked settles the question."""
        order = [self.hardest, *(h for h in range(len(self.fits)) if h != self.hardest)]
        found = {}
        for h in order:
            found[h] = self.fits[h].fit(self.on_of(h, on), enough)
            if enough is not None and found[h].bound > enough:
                break
        top = max(found, key=lambda h: found[h].bound)
        self.hardest = top
        error = max(one.error for one in found.values())
        used, pull = on.astype(np.float64), self._spread(top, found[top].pull)
        return Fitted(found[top].bound, error, used, found[top].level, pull)

    def _spread(self, hand: int, pull: Floats) -> Floats:
        columns = self.columns[hand]
        return np.asarray(np.where(columns >= 0, pull[columns], 0.0))


class FamilyBest(Standing):
    """The best features and the best bound so far for a family."""

    def __init__(self, fit: FamilyFit, model: str, limit: float, watch: Watch | None) -> None:
        super().__init__(model, limit, watch)
        self.fit = fit

    def error_of(self, weights: Floats) -> float:
        """The family's error with the features that have a weight."""
        return self.fit.fit(weights != 0).error


def family_program(
    problems: Sequence[Problem],
    model: str,
    limit: float,
    *,
    step: float | None = None,
    seconds: float = 60.0,
    watch: Watch | None = None,
) -> FamilyOutcome:
    """Features chosen once for several hands, as far as time allows; models and limits as in `solve_program`."""
    if not problems:
        raise UserError("a family has at least one hand: give some")
    check_model(model, limit, step)
    fit = FamilyFit(problems, model)
    best = FamilyBest(fit, model, limit, watch)
    until = best.begun + seconds
    with until_stopped() as stop:
        with stop.ending():
            with_all(best, fit)
            if not best.fewest:
                best.offer(fit.first(problems[0], int(limit)))
            best.how = "local search"
            search(best, fit, best.begun + 0.3 * seconds)
            if model == "AVGERR" and len(problems) > 1 and not (best.proved or stop.asked()):
                _prove_by_hands(best, problems, best.begun + 0.7 * seconds)
            if not (best.proved or stop.asked()):
                close(best, fit, until)
        if stop.asked():
            best.how += ", stopped by Ctrl-C"
        if best.weights is None:
            raise UserError(f"no features within {in_points(limit)} were found in time: give more seconds")
        on = best.weights != 0
        formulas = [_formula(one, fit, h, on, best, step) for h, one in enumerate(problems)]
        if step is not None:
            return _stepped(problems, fit, best, on, formulas, step)
        return _outcome(best, fit, on, formulas, best.value)


def _prove_by_hands(best: FamilyBest, problems: Sequence[Problem], until: float) -> None:
    """No family is better than its hands each with features of its own: the mean of their bounds is a bound."""
    bounds = []
    for at, one in enumerate(problems):
        best.tell(f"bound of hand {at + 1} of {len(problems)} by itself")
        given = max((until - perf_counter()) / (len(problems) - at), 0.2)
        alone = least_error(one, min(int(best.limit), len(one.numbers)), seconds=given)
        if asked():
            return
        bounds.append(alone.bound)
    best.prove(float(np.mean(bounds)))


def _formula(problem: Problem, fit: FamilyFit, hand: int, on: Bools, best: Standing, step: float | None) -> Outcome:
    """The formula of one hand on the chosen features: the best weights, or the best in steps."""
    error_model = best.model.removeprefix("FEAT_")
    begun = perf_counter()
    own = fit.on_of(hand, on)
    found = fit.fits[hand].fit(own)
    one = Best(problem, error_model, float(max(own.sum(), 1)))
    one.offer(np.zeros(len(own)))
    one.offer(found.weights)
    one.prove(found.bound)
    one.how = "best weights on the family's features"
    if step is not None:
        one = Best(problem, error_model, one.limit)
        one.offer(Rounded(problem, step, fit.largest).rounded(found.weights, begun + 5.0))
        program = FlopProgram(problem, error_model, one.limit, step=step, only=own)
        answer = program.solve(20.0, one.weights)
        if answer.values is not None:
            one.offer(program.weights_of(answer.values))
        one.prove(max(found.bound, answer.bound / POINTS))
        one.how = "best weights in steps on the family's features"
    return one.outcome()


def _outcome(best: Standing, fit: FamilyFit, on: Bools, formulas: list[Outcome], value: float) -> FamilyOutcome:
    proved = best.proved and value - best.value <= SLACK
    features = tuple(int(number) for number in fit.numbers[on])
    seconds = perf_counter() - best.begun
    bound = min(best.bound, value)
    return FamilyOutcome(features, tuple(formulas), value, bound, proved, best.nodes, seconds, best.how)


def _stepped(
    problems: Sequence[Problem], fit: FamilyFit, best: FamilyBest, on: Bools, formulas: list[Outcome], step: float
) -> FamilyOutcome:
    """Steps cost error: if the family no longer keeps to a limit, it takes the feature that helps most, and again."""
    together = max if fit.largest else np.mean
    while True:
        error = float(together([one.value for one in formulas]))
        if not best.fewest or error <= best.limit + SLACK:
            return _outcome(best, fit, on, formulas, float(on.sum()) if best.fewest else error)
        if on.all():
            raise UserError("weights in these steps cannot keep to the error: allow more, or take smaller steps")
        best.tell(f"{int(on.sum())} features in steps leave {POINTS * error:.4g} points")
        errors = {int(j): fit.fit(on | (np.arange(fit.width) == j)).error for j in np.flatnonzero(~on)}
        on = on.copy()
        on[min(errors, key=lambda j: errors[j])] = True
        formulas = [_formula(one, fit, h, on, best, step) for h, one in enumerate(problems)]
