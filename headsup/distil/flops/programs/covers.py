"""Is there a set of at most n features whose error is at most E? Branch and cut over what every such set must contain.

The error of a set of features can only fall when features are added. So if T is too weak (error(T) > E), every set that
is good enough contains a feature outside of T: a *cover cut*, sum of y_j over j not in T >= 1. The larger T, the
stronger the cut, and T is grown until the features that pull least would make it good enough. A fit's certificate is a
cut as well: from level - sum of pull_j y_j <= E follows sum of min(1, pull_j / (level - E)) y_j >= 1.

1. The relaxation is min sum y over all cuts so far, 0 <= y <= 1. If its value is above n, the branch is done.
2. Take the features with the largest y, as few as leave less than one unit of y outside. If they are too weak, they
   grow to a cover cut that y breaks; back to 1.
3. If there are at most n of them, or the n largest are good enough, this is the set. Otherwise branch on a feature.

Cuts hold for every branch and every smaller E, so a series of questions shares them.

`average.proof` is the same idea for the average error of one hand, with kernels in the place of HiGHS and without cuts
from certificates. This one takes any fit that has certificates, families too.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from headsup.distil.flops.problem import Bools, Floats
from headsup.distil.flops.programs.fits import Fit, Fitted
from headsup.errors import UserError
from headsup.highs import INFINITY, Program, insist, warm_solver
from headsup.stop import time_up

ROUND = 1e-6
"""A relaxation this little above n is rounding."""
MOST_IN_VAIN = 2
"""When so many features in turn would each make a weak set good enough, it has grown enough: trying all costs more."""


class OutOfTime(Exception):
    """The question is left open."""


class Covers:
    """Cuts for one problem, and the branch and cut that makes and uses them."""

    def __init__(self, fit: Fit, tick: Callable[[], None] | None = None) -> None:
        self.fit, self.tick = fit, tick
        self.nodes = 0
        self.weak: list[tuple[Bools, float]] = []
        """Sets with a lower bound of their error, each too weak for the questions so far."""
        self.certificates: list[tuple[float, Floats]] = []
        self.random = np.random.default_rng(1)

    def good_set(self, n: int, error: float, until: float) -> Fitted | None:
        """A set of at most n features with at most this error, or none if there is none; `OutOfTime` if unknown."""
        self._begin(error)
        lower, upper = np.zeros(self.fit.width), np.ones(self.fit.width)
        waiting = [(lower, upper)]
        while waiting:
            lower, upper = waiting.pop()
            self.nodes += 1
            y = self._tightened(lower, upper, n, until)
            if y is None:
                continue
            if isinstance(y, Fitted):
                return y
            at = self._branching(y, lower, upper)
            without, with_ = upper.copy(), lower.copy()
            without[at], with_[at] = 0.0, 1.0
            waiting += [(lower, without), (with_, upper)]
        return None

    def _begin(self, error: float) -> None:
        self.limit = error
        program = Program()
        program.columns(self.fit.width, 0, 1, 1.0)
        self.solver = warm_solver(program)
        self.lower, self.upper = np.zeros(self.fit.width), np.ones(self.fit.width)
        for weak, least in self.weak:
            if least > error:
                self._cut((~weak).astype(np.float64))
        for level, pull in self.certificates:
            if level > error + ROUND:
                self._cut(np.minimum(pull / (level - error), 1.0))

    def _cut(self, values: Floats) -> None:
        index = np.flatnonzero(values > 1e-7)
        # a value too tiny for the solver is left out, and taken off the right side so that the cut stays true
        least = 1.0 - float(values[values <= 1e-7].sum())
        insist(self.solver.addRow(least, INFINITY, len(index), index.astype(np.int32), values[index]), "add a cut")

    def _tightened(self, lower: Floats, upper: Floats, n: int, until: float) -> Floats | Fitted | None:
        """Cut until the branch is empty (none), a set is found, or y has to be branched on."""
        while True:
            if self.tick is not None:
                self.tick()
            if time_up(until):
                raise OutOfTime
            y = self._relaxed(lower, upper)
            if y is None or y.sum() > n + ROUND:
                return None
            order = np.argsort(-y, kind="stable")
            outside = y.sum() - np.cumsum(y[order])
            few = np.zeros(len(y), dtype=bool)
            few[order[: int(np.argmax(outside < 0.9)) + 1]] = True
            found = self.fit.fit(few, self.limit)
            if found.error > self.limit:
                if found.bound <= self.limit:
                    raise UserError("a fit lies within rounding of the error asked for: ask for a slightly other error")
                self._learn(few, found, y)
                continue
            if few.sum() <= n:
                return found
            few[:] = False
            few[order[:n]] = True
            found = self.fit.fit(few, self.limit)
            return found if found.error <= self.limit else y

    def _relaxed(self, lower: Floats, upper: Floats) -> Floats | None:
        """The y of least sum within these bounds, or none if the cuts leave none."""
        import highspy

        changed = np.flatnonzero((lower != self.lower) | (upper != self.upper))
        if len(changed):
            bounds = lower[changed], upper[changed]
            insist(self.solver.changeColsBounds(len(changed), changed.astype(np.int32), *bounds), "branch")
            self.lower, self.upper = lower, upper
        insist(self.solver.run(), "solve the relaxation")
        status = self.solver.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            return None
        if status != highspy.HighsModelStatus.kOptimal:
            said = self.solver.modelStatusToString(status)
            raise UserError(f"HiGHS stopped with '{said}' in a relaxation: ask for a slightly other error")
        return np.asarray(np.clip(self.solver.getSolution().col_value, 0.0, 1.0), dtype=np.float64)

    def _learn(self, weak: Bools, found: Fitted, y: Floats) -> None:
        """Make cuts of a set that is too weak."""
        if found.level > self.limit + ROUND:
            scaled = np.minimum(found.pull / (found.level - self.limit), 1.0)
            if scaled @ y < 0.99:
                self.certificates.append((found.level, found.pull))
                self._cut(scaled)
        weak, least = self._grown(weak, found)
        self.weak.append((weak, least))
        self._cut((~weak).astype(np.float64))

    def _grown(self, weak: Bools, found: Fitted) -> tuple[Bools, float]:
        """A large set around this one that is still too weak, and how weak it is."""
        weak, useful = weak.copy(), np.zeros(len(weak), dtype=bool)
        while True:
            # what the certificate can spare may be added all at once
            rest = np.flatnonzero(~weak & ~useful)
            rest = rest[np.lexsort((self.random.random(len(rest)), found.pull[rest]))]
            spare = found.level - found.pull[weak].sum() - self.limit
            taken = int(np.searchsorted(np.cumsum(found.pull[rest]), 0.98 * spare))
            weak[rest[:taken]] = True
            for at in rest[taken : taken + MOST_IN_VAIN]:
                weak[at] = True
                found = self.fit.fit(weak, self.limit)
                if found.bound > self.limit:
                    break
                weak[at], useful[at] = False, True
            else:
                return weak, self.fit.fit(weak).bound

    def _branching(self, y: Floats, lower: Floats, upper: Floats) -> int:
        """The free feature whose y is least settled; if all are whole, the largest."""
        free = lower < upper
        unsettled = np.where(free, np.minimum(y, 1 - y), -1.0)
        return int(np.argmax(unsettled if unsettled.max() > ROUND else np.where(free, y, -1.0)))
