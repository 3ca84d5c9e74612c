"""Fictitious play: each player keeps adding a best response to the opponent's average so far.

Brown's process of 1951, in realisation plans: a pure best response is a plan, plans can be averaged, and the averages
converge to an equilibrium in every two-player zero-sum game (Robinson 1951, cited by andersson-2006 for games too big
for linear programs). It needs no regrets and no parameters, and it is slow.
"""

from __future__ import annotations

import numpy as np

from headsup.common.arrays import AnyArray
from headsup.games.trees.sequence import Profile, SequenceForm
from headsup.solve.records.loop import FormSolver
from headsup.solve.small import kernels
from headsup.solve.small.cfr import rows_of


class FictitiousPlay(FormSolver):
    """A run of fictitious play; it starts from the uniform strategies, which count as one round."""

    def __init__(self, form: SequenceForm) -> None:
        self.form, self.iterations = form, 0
        self._rows = (rows_of(form.seats[0]), rows_of(form.seats[1]))
        self._cumulative = form.plans(form.uniform())
        sizes = [seat.n_sequences for seat in form.seats]
        self._response = (np.zeros(sizes[0]), np.zeros(sizes[1]))
        self._util = (np.zeros(sizes[0]), np.zeros(sizes[1]))
        self.step(0)  # compiles, so that the first rounds are not charged for it

    def step(self, n: int) -> None:
        """n more rounds."""
        kernels.play_best(self._rows, self._cumulative, self._response, self._util, n)
        self.iterations += n

    def plans(self) -> Profile:
        """The average plans."""
        return self._cumulative[0] / self._cumulative[0][0], self._cumulative[1] / self._cumulative[1][0]

    def profile(self) -> Profile:
        """The average as behaviour strategies."""
        return self.form.behaviours(self.plans())

    def arrays(self) -> dict[str, AnyArray]:
        """Everything needed to resume."""
        return {"total0": self._cumulative[0], "total1": self._cumulative[1]}
