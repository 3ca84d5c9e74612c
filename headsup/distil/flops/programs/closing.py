"""From a first formula to a proved one: local search, then questions to the branch and cut, until bound and best meet.

What is being solved, one hand or a family of hands, is known only as a `Standing`: it judges sets of weights and holds
the best and the bound. So a search that is interrupted anywhere has lost nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import ceil
from time import perf_counter

import numpy as np

from headsup.distil.flops.outcome import in_points
from headsup.distil.flops.problem import Floats
from headsup.distil.flops.programs.covers import Covers, OutOfTime
from headsup.distil.flops.programs.fits import Fit, Fitted
from headsup.distil.flops.programs.local import extended, searched, set_of
from headsup.distil.flops.programs.mip import POINTS
from headsup.errors import UserError
from headsup.highs import INFINITY
from headsup.progress import Paced, Watch
from headsup.stop import time_up

MODELS = ("MAXERR", "FEAT_MAXERR", "AVGERR", "FEAT_AVGERR")
CLOSE = 1e-6
"""Errors this near, a ten-thousandth of a percentage point, count as equal."""
SLACK = 1e-9
"""An error this little above the limit keeps to it."""


class Standing(ABC):
    """The best weights and the best bound so far for one of the four models."""

    def __init__(self, model: str, limit: float, watch: Watch | None) -> None:
        self.model, self.limit, self.watch = model, limit, watch
        self.begun, self.progress = perf_counter(), Paced(watch, at_once=True)
        self.weights: Floats | None = None
        self.value, self.bound, self.nodes = INFINITY, 0.0, 0
        self.how = "nothing was tried"

    @property
    def fewest(self) -> bool:
        """Whether features are counted and the error is limited."""
        return self.model.startswith("FEAT")

    @abstractmethod
    def error_of(self, weights: Floats) -> float:
        """The error of weights, one for each feature."""

    def offer(self, weights: Floats) -> bool:
        """Take weights if they are allowed and better; whether they were."""
        weights = np.where(np.abs(weights) > 1e-12, weights, 0.0)
        error, number = self.error_of(weights), int(np.count_nonzero(weights))
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
        scale, unit = (1.0, "features") if self.fewest else (POINTS, "points")
        best = f"{scale * self.value:.4g}" if np.isfinite(self.value) else "none yet"
        said = f"best {best}, proved {scale * max(self.bound, 0):.4g} {unit}"
        self.progress.tell(f"{perf_counter() - self.begun:.0f} s: {said}{', ' + text if text else ''}")


def check_model(model: str, limit: float, step: float | None) -> None:
    """Tell what cannot be asked for."""
    if model not in MODELS:
        raise UserError(f"'{model}' is not a model: choose {', '.join(MODELS)}")
    if model.startswith("FEAT"):
        if not 0 < limit < 1:
            raise UserError(f"an error of {limit:g} of the pot cannot be asked for: give more than 0 and less than 1")
    elif limit != int(limit) or limit < 1:
        raise UserError(f"{limit:g} features cannot be chosen: give a whole number from 1")
    if step is not None and not 0.001 <= step <= 0.5:
        raise UserError(f"weights in steps of {step:g} are not possible: give 0.001 to 0.5")


def with_all(best: Standing, fit: Fit, take: bool = True) -> None:
    """What all features together can do: the limit of every formula, and a first formula of `FEAT_*`."""
    everything = fit.fit(np.ones(fit.width, dtype=bool))
    if not best.fewest:
        best.prove(everything.bound)
    elif everything.bound > best.limit + SLACK:
        least = ceil(1e4 * POINTS * everything.error) / 1e4
        raise UserError(
            f"even all features together leave {in_points(least / POINTS)} of error: allow at least that much"
        )
    elif take:
        best.offer(everything.weights)


def search(best: Standing, fit: Fit, until: float) -> None:
    """Local search for the best set of at most n features, or for smaller and smaller sets that keep to the error."""
    given = None if best.weights is None else np.asarray(best.weights != 0)
    if not best.fewest:
        begin = given if given is not None and given.sum() <= best.limit else None
        best.offer(searched(fit, int(best.limit), until, begin, tell=best.hear).weights)
        return
    first = extended(fit, np.zeros(fit.width, dtype=bool), fit.width, until, best.limit)
    best.offer(first.weights)
    while not time_up(until) and best.value > max(best.bound, 1):
        number = int(min(best.value, fit.width + 1)) - 1
        found = searched(fit, number, until, patience=20, enough=best.limit, tell=best.hear)
        if not best.offer(found.weights):
            return


def close(best: Standing, fit: Fit, until: float) -> None:
    """Ask the branch and cut until bound and best meet, or time is up."""
    best.how = "branch and cut over the features that every good formula needs"
    covers = Covers(fit, lambda: best.tell(f"{covers.nodes} branches, {len(covers.weak)} cuts"))
    try:
        (_close_features if best.fewest else _close_error)(best, fit, covers, until)
    except OutOfTime:
        pass
    finally:
        best.nodes += covers.nodes


def _close_error(best: Standing, fit: Fit, covers: Covers, until: float) -> None:
    """Is half of the gap possible? and so on; a question that takes too long makes room for an easier one."""
    hard, share = INFINITY, 0.25
    while not best.proved:
        top = min(hard, best.value)
        if top - best.bound < 5e-4 and hard < best.value:
            top, hard, share = best.value, INFINITY, min(2 * share, 1.0)
        last = best.value - best.bound <= 0.002
        asked = best.value - CLOSE if last else (best.bound + top) / 2
        now = perf_counter()
        try:
            found = covers.good_set(int(best.limit), asked, until if last else now + share * (until - now))
        except OutOfTime:
            if time_up(until - 0.1):
                raise
            hard = asked
            continue
        if found is None:
            best.prove(asked)
            continue
        best.offer(found.weights)
        more = min(until, perf_counter() + 1.0)
        best.offer(searched(fit, int(best.limit), more, set_of(found), patience=3).weights)


def _close_features(best: Standing, fit: Fit, covers: Covers, until: float) -> None:
    """Is one feature enough? two? and so on, until the number is that of the best formula."""
    best.prove(1.0)
    while not best.proved:
        found = covers.good_set(int(best.bound), best.limit + SLACK / 2, until)
        if found is None:
            best.prove(best.bound + 1)
        elif not best.offer(found.weights):
            raise UserError("a fit lies within rounding of the error asked for: ask for a slightly other error")
