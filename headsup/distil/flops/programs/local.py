"""Good sets of features, found quickly: add the best, exchange while it helps, shake and do it again.

A fit's certificate (`fits`) saves most of the work: if S without k has a certificate, adding j gives at best
level - pull[S without k] - pull_j, and features for which that is no better than the best set so far need no fit.

This search serves every error and whole families, because it knows a fit only by its answer. `average.hunt` and
`average.anneal` are for the average error of one hand, where kernels fit many sets in one call.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from headsup.distil.flops.average.fit import Fitter
from headsup.distil.flops.average.hunt import Hunt
from headsup.distil.flops.problem import Bools, Floats, Problem
from headsup.distil.flops.programs.fits import EXACT, Fit, Fitted
from headsup.stop import time_up


def first_formula(of: Problem, n: int) -> Floats:
    """A formula of at most n features, quickly: each the one that then lowers the average error most.

    It is what there is if a search has no time at all. The largest error is no guide from nothing: it lies on flops
    that a single feature leaves as they are.
    """
    hunt = Hunt(Fitter(of))
    hunt.path(n, 0.0)
    size = min(n, hunt.fitter.width)
    return of.dense(hunt.weights_of(size))


def set_of(found: Fitted) -> Bools:
    """The features that a fit uses."""
    return np.asarray(found.weights != 0)


def extended(fit: Fit, on: Bools, n: int, until: float, enough: float = 0.0) -> Fitted:
    """Add the feature that helps most until there are n, or none helps, or the error is small enough, or time is up."""
    on, found = on.copy(), fit.fit(on)
    while on.sum() < n and found.error > enough and not time_up(until):
        base, best, at = found, found, -1
        for j in np.argsort(-np.where(on, -1.0, base.pull), kind="stable"):
            if on[j] or base.bound - base.pull[j] >= best.error - EXACT or time_up(until):
                break
            on[j] = True
            tried = fit.fit(on, best.error - EXACT)
            if tried.error <= best.error - EXACT:
                best, at = fit.fit(on), int(j)
            on[j] = False
        if at < 0:
            break
        on[at], found = True, best
    return found


def exchanged(fit: Fit, on: Bools, until: float) -> Fitted:
    """Put another feature in the place of one while that lowers the error, or until time is up."""
    on, best = on.copy(), fit.fit(on)
    settled = 0
    order = [int(j) for j in np.flatnonzero(on)]
    while order and settled < len(order) and not time_up(until):
        out = order.pop(0)
        on[out], into = False, out
        base = fit.fit(on)
        for j in np.argsort(-base.pull, kind="stable"):
            if base.bound - base.pull[j] >= best.error - EXACT or time_up(until):
                break
            if on[j] or j == out:
                continue
            on[j] = True
            if fit.fit(on, best.error - EXACT).error <= best.error - EXACT:
                best, into = fit.fit(on), int(j)
            on[j] = False
        on[into] = True
        order.append(into)
        settled = settled + 1 if into == out else 0
    return best


def searched(
    fit: Fit,
    n: int,
    until: float,
    begin: Bools | None = None,
    *,
    patience: int = 200,
    enough: float = 0.0,
    tell: Callable[[Fitted], None] | None = None,
) -> Fitted:
    """The best of many local optima with at most n features: some leave at random, others come in.

    `patience` is how many rounds may pass in vain; an error of `enough` or less ends the search as well. `tell`
    hears of the best set after every round.
    """
    random = np.random.default_rng(1)
    empty = np.zeros(fit.width, dtype=bool)
    best = exchanged(fit, set_of(extended(fit, empty, n, until)), until)
    if begin is not None and begin.any():
        other = exchanged(fit, set_of(extended(fit, begin, n, until)), until)
        best = min(best, other, key=lambda found: found.error)
    vain = 0
    while vain < patience and best.error > enough and not time_up(until):
        if tell is not None:
            tell(best)
        on = set_of(best)
        leave = random.permutation(np.flatnonzero(on))[: max(1, int(random.integers(1, 2 + n // 3)))]
        come = random.permutation(np.flatnonzero(~on))[: len(leave)]
        on[leave] = False
        on[come[: random.integers(0, len(leave) + 1)]] = True
        tried = exchanged(fit, set_of(extended(fit, on, n, until)), until)
        vain += 1
        if tried.error < best.error - EXACT:
            best, vain = tried, 0
    return best
