"""One choice of features for a whole family of hands: the same features for each, with weights of its own.

Each hand is fitted by itself. The certificate (`fits`) of the family is the mean of the hands' certificates, or that of
the hand with the largest error, so search, proof and bounds are those for one hand. Features go by their numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from headsup.common.errors import UserError
from headsup.common.progress import Watch
from headsup.common.stop import asked, until_stopped
from headsup.distil.formulas.outcome import Outcome
from headsup.distil.formulas.problem import Bools, Floats, Ints, Problem
from headsup.distil.formulas.subset.choice import SLACK, SubsetProgram, check_model, choose
from headsup.distil.formulas.subset.fits import MOST_IN_VAIN, Columns, FittedWeights, HandFit
from headsup.distil.formulas.subset.mip import POINTS
from headsup.distil.formulas.subset.rounding import Rounded, Stepped
from headsup.distil.formulas.subset.spans import nothing

STARTS = 60  # fresh starts and kicks of the search
FOUND, ALONE = 0.3, 0.7  # the ends of the search and of the bounds of single hands, as fractions of the time


@dataclass(frozen=True, eq=False)
class FamilyOutcome(Outcome):
    """The outcome for a family: the features, and each hand's formula with them."""

    features: tuple[int, ...]  # the numbers of the features chosen for all hands
    hands: tuple[Outcome, ...]
    """Each hand's weights on these features; its value is its own error (or number), its bound that of its own fit."""


class FamilyFit:
    """Fits of one set of features to every hand of a family."""

    def __init__(self, problems: Sequence[Problem], model: str) -> None:
        self.largest = model.endswith("MAXERR")
        self.fits = [HandFit(problem, self.largest) for problem in problems]
        every = [set(problem.numbers.tolist()) | set(problem.same) for problem in problems]
        self.numbers: Ints = np.array(sorted(set().union(*every)), dtype=np.int64)
        self.width = len(self.numbers)
        self.scale = np.ones(self.width)
        self.columns = [problem.columns(self.numbers.tolist()) for problem in problems]
        tables = [problem.matrix[:, at] & (at >= 0) for problem, at in zip(problems, self.columns, strict=True)]
        self.origin = nothing(np.concatenate(tables))
        self.known: dict[Columns, float] = {}
        self.hardest = 0

    def together(self, values: Sequence[float]) -> float:
        """The family's error from those of its hands."""
        return max(values) if self.largest else float(np.mean(values))

    def _own(self, hand: int, on: Bools) -> Bools:
        columns = self.columns[hand][on]
        own = np.zeros(self.fits[hand].width, dtype=bool)
        own[columns[columns >= 0]] = True
        return own

    def own(self, hand: int, columns: Columns) -> Columns:
        """The columns of one hand's problem that these features are."""
        return frozenset(self.columns[hand][sorted(columns)].tolist()) - {-1}

    def _spread(self, hand: int, values: Floats | Bools, never: float = 0.0) -> Floats:
        """A hand's values for the family's features; `never` for those that never hold for it."""
        columns = self.columns[hand]
        return np.where(columns >= 0, values[columns], never)

    def error(self, columns: Columns) -> float:
        if columns not in self.known:
            self.known[columns] = self.together([fit.error(self.own(h, columns)) for h, fit in enumerate(self.fits)])
        return self.known[columns]

    def fit(self, columns: Columns) -> FittedWeights:
        """Fit every hand; the returned weights only mark the features in use."""
        fitted = [fit.fit(self.own(h, columns)) for h, fit in enumerate(self.fits)]
        pulls = [self._spread(h, part.pull) for h, part in enumerate(fitted)]
        bound, error = (self.together([part.bound for part in fitted]), self.together([part.error for part in fitted]))
        used = np.isin(np.arange(self.width), sorted(columns)).astype(np.float64)
        if self.largest:
            top = int(np.argmax([part.bound for part in fitted]))
            return FittedWeights(bound, error, used, fitted[top].level, pulls[top])
        return FittedWeights(
            bound, error, used, float(np.mean([part.level for part in fitted])), np.mean(pulls, axis=0)
        )

    def _bounded(self, on: Bools) -> tuple[float, Floats]:
        """The means of the hands' bounds and pulls."""
        bounded = [fit.bounded(self._own(h, on)) for h, fit in enumerate(self.fits)]
        pulls = [self._spread(h, pull) for h, (_, pull) in enumerate(bounded)]
        return float(np.mean([bound for bound, _ in bounded])), np.mean(pulls, axis=0)

    def reaching(self, on: Bools, level: float) -> Bools | None:
        """These features if they reach an error of `level`; None if it is proved that they do not.

        For the largest error one hand above the level is enough; the hardest of the last time goes first.
        """
        if not self.largest:
            return None if self._bounded(on)[0] > level else on
        for h in sorted(range(len(self.fits)), key=lambda h: h != self.hardest):
            if self.fits[h].reaching(self._own(h, on), level) is None:
                self.hardest = h
                return None
        return on

    def grown(self, poor: Bools, early: Bools, level: float) -> tuple[Bools, float]:
        if self.largest:
            h = self.hardest
            own, bound = self.fits[h].grown(self._own(h, poor), self._own(h, early), level)
            return self._spread(h, own, 1.0) > 0, bound
        poor, refused = poor.copy(), np.zeros(self.width, dtype=bool)
        bound, pull = self._bounded(poor)
        while True:
            # what the certificate can spare may be added all at once
            rest = np.flatnonzero(~poor & ~refused)
            rest = rest[np.lexsort((pull[rest], ~early[rest]))]
            taken = int(np.searchsorted(np.cumsum(pull[rest]), 0.98 * (bound - level)))
            poor[rest[:taken]] = True
            for at in rest[taken : taken + MOST_IN_VAIN]:
                poor[at] = True
                bound, pull = self._bounded(poor)
                if bound > level:
                    break
                poor[at], refused[at] = False, True
            else:
                return poor, self._bounded(poor)[0]


def family_program(
    problems: Sequence[Problem],
    model: str,
    limit: float,
    *,
    step: float | None = None,
    seconds: float = 60.0,
    watch: Watch | None = None,
) -> FamilyOutcome:
    """Features chosen once for several hands, in the given time; models and limits as in `choose`."""
    if not problems:
        raise UserError("a family has at least one hand: give some")
    check_model(model, limit, step)
    fit = FamilyFit(problems, model)
    choice = SubsetProgram(fit, model, limit, seconds, watch)
    with until_stopped() as stop:
        with stop.ending():
            choice.begin()
            choice.find(choice.began + FOUND * seconds, STARTS)
            if model == "AVGERR" and len(problems) > 1 and not (choice.proved or stop.asked()):
                _prove_by_hands(choice, problems, choice.began + ALONE * seconds)
            choice.prove(choice.until)
        how = choice.how + ", stopped by Ctrl-C" * stop.asked()
        columns, value = choice.columns, choice.value
        formulas = [_formula(fit, h, columns, model, step) for h in range(len(problems))]
        while step is not None:
            # steps cost error: a family that no longer keeps to a limit takes the feature that helps most, and again
            error = fit.together([formula.value for formula in formulas])
            value = float(len(columns)) if choice.fewest else error
            if not choice.fewest or error <= choice.limit:
                break
            if len(columns) == fit.width:
                raise UserError("weights in these steps cannot keep to the error: allow more, or take smaller steps")
            choice.progress.tell(f"{len(columns)} features in steps leave {POINTS * error:.4g} points")
            columns, _ = choice.search.add(columns)
            formulas = [_formula(fit, h, columns, model, step) for h in range(len(problems))]
    proved, seconds = choice.proved and value - choice.value <= SLACK, perf_counter() - choice.began
    features, bound = tuple(int(fit.numbers[j]) for j in sorted(columns)), min(choice.bound, value)
    return FamilyOutcome(model, {}, value, bound, proved, choice.nodes, seconds, how, features, tuple(formulas))


def _prove_by_hands(choice: SubsetProgram, problems: Sequence[Problem], until: float) -> None:
    """No family is better than its hands each with features of its own: the mean of their bounds is a bound."""
    bounds = []
    for at, problem in enumerate(problems):
        choice.progress.tell(f"bound of hand {at + 1} of {len(problems)} by itself")
        given = max((until - perf_counter()) / (len(problems) - at), 0.2)
        bounds.append(choose(problem, "AVGERR", choice.size, seconds=given).bound)
        if asked():
            return
    choice.bound = max(choice.bound, float(np.mean(bounds)))


def _formula(fit: FamilyFit, hand: int, columns: Columns, model: str, step: float | None) -> Outcome:
    """The formula of one hand on the chosen features: the best weights, or the best in steps."""
    model, own, hand_fit = model.removeprefix("FEAT_"), fit.own(hand, columns), fit.fits[hand]
    begun, fitted = perf_counter(), hand_fit.fit(own)
    if step is None:
        how = "best weights on the family's features"
        seconds = perf_counter() - begun
        return Outcome(model, hand_fit.formula(fitted.weights), fitted.error, fitted.bound, True, 0, seconds, how)
    best = Stepped(hand_fit.of, model, float(max(len(own), 1)), step)
    best.prove(fitted.bound)
    best.offer(Rounded(hand_fit, step).rounded(fitted.weights, begun + 5.0))
    best.integer(begun + 25.0, np.isin(np.arange(hand_fit.width), sorted(own)))
    best.how = "best weights in steps on the family's features"
    return best.outcome()
