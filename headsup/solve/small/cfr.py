"""Counterfactual regret minimisation: one solver, and its well-known variants as named settings; and fictitious play.

| preset | regrets kept | averaging | prediction | from |
|---|---|---|---|---|
| cfr    | all                                   | uniform   | no  | Zinkevich and others 2007 |
| cfr+   | negative ones set to 0                | linear    | no  | Tammelin 2014; bowling-2015 |
| linear | iteration t counts t                  | linear    | no  | Brown and Sandholm 2019 |
| dcfr   | positive t^1.5, negative halved       | quadratic | no  | Brown and Sandholm 2019 |
| pcfr+  | negative ones set to 0                | quadratic | yes | Farina, Kroer and Sandholm 2021 |
| dcfr-holdem | positive t^1.2, negative t^0.5   | cubic     | no  | ours: the fewest iterations on hold'em spots |

All presets alternate: player 1 answers player 0's new strategy at once. `strategy="current"` returns the last strategy
instead of the average, as bowling-2015 did; no theorem promises that it converges.
"""

from typing import TYPE_CHECKING

import numpy as np

from headsup.common.arrays import AnyArray
from headsup.games.trees.sequence import PARALLEL_ENTRIES, Profile, Seat, SequenceForm
from headsup.solve.records.loop import FormSolver
from headsup.solve.records.settings import Settings
from headsup.solve.small import kernels

if TYPE_CHECKING:
    from headsup.solve.small import kernels


def rows_of(seat: Seat) -> kernels.Rows:
    """A seat for the kernels, with unsigned indices, which need no check for negative ones."""
    from headsup.solve.small import kernels

    owner = np.concatenate(([0], np.repeat(np.arange(seat.n_infosets), np.diff(seat.first))))
    up = np.zeros(len(owner), dtype=np.int64)
    up[1:] = seat.parent[owner[1:]]
    arrays = (seat.first, seat.parent, owner, up, seat.start, seat.other)
    first, parent, owners, ups, start, other = (a.astype(np.uint32) for a in arrays)
    return kernels.Rows(first, parent, owners, ups, start, other, seat.payoff)


class CfrSolver(FormSolver):
    """A run of CFR on a sequence form: `step(n)` iterates, `plans()` and `profile()` return the result so far."""

    def __init__(self, form: SequenceForm, settings: Settings) -> None:
        from headsup.solve.small import kernels

        self.form, self.settings, self.iterations = form, settings, 0
        self._rule = settings.rule()
        self._rows = (rows_of(form.seats[0]), rows_of(form.seats[1]))
        self._memory = (self._fresh(form.seats[0]), self._fresh(form.seats[1]))
        big = len(form.seats[0].payoff) > PARALLEL_ENTRIES
        self._iterate = kernels.iterate_parallel if big else kernels.iterate
        self.step(0)  # compiles, so that the first iterations are not charged for it

    @staticmethod
    def _fresh(seat: Seat) -> kernels.Memory:
        from headsup.solve.small import kernels

        sigma = seat.uniform()
        zeros = [np.zeros(seat.n_sequences) for _ in range(3)]
        scratch = [np.zeros(seat.n_infosets) for _ in range(2)]
        return kernels.Memory(zeros[0], sigma, seat.plan(sigma), zeros[1], zeros[2], *scratch)

    def step(self, n: int) -> None:
        self._iterate(self._rows, self._memory, self._rule, self.settings.schedule(self.iterations, n))
        self.iterations += n

    def plans(self) -> Profile:
        """The realisation plans: the average, or the current ones, as the settings ask."""
        if self.settings.strategy == "current" or not self.iterations:
            return self._memory[0].plan, self._memory[1].plan
        first, second = self._memory[0].cumulative, self._memory[1].cumulative
        return first / first[0], second / second[0]

    def profile(self) -> Profile:
        if self.settings.strategy == "current" or not self.iterations:
            return self._memory[0].sigma.copy(), self._memory[1].sigma.copy()
        return self.form.behaviours(self.plans())

    def arrays(self) -> dict[str, AnyArray]:
        names = {"regret": "regret", "sigma": "sigma", "plan": "plan", "total": "cumulative"}  # as in files, and here
        return {f"{name}{p}": getattr(self._memory[p], here) for p in (0, 1) for name, here in names.items()}


class FictitiousPlay(FormSolver):
    """A run of fictitious play (Brown 1951), in realisation plans: each player keeps adding a best response to the
    opponent's average so far. It starts from the uniform strategies, which count as one round.
    """

    def __init__(self, form: SequenceForm) -> None:
        self.form, self.iterations = form, 0
        self._rows = (rows_of(form.seats[0]), rows_of(form.seats[1]))
        self._cumulative = form.plans(form.uniform())
        sizes = [seat.n_sequences for seat in form.seats]
        self._response = (np.zeros(sizes[0]), np.zeros(sizes[1]))
        self._util = (np.zeros(sizes[0]), np.zeros(sizes[1]))
        self.step(0)  # compiles, so that the first rounds are not charged for it

    def step(self, n: int) -> None:
        kernels.play_best(self._rows, self._cumulative, self._response, self._util, n)
        self.iterations += n

    def plans(self) -> Profile:
        return self._cumulative[0] / self._cumulative[0][0], self._cumulative[1] / self._cumulative[1][0]

    def profile(self) -> Profile:
        return self.form.behaviours(self.plans())

    def arrays(self) -> dict[str, AnyArray]:
        return {"total0": self._cumulative[0], "total1": self._cumulative[1]}
