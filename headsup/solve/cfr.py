"""Counterfactual regret minimisation: one solver, and its well-known variants as named settings.

CFR keeps for every information set how much better each action would have been (its regret), plays in proportion to
the positive regrets, and returns the average of what it played, which converges to an equilibrium at a rate of one
over the square root of the iterations (bowling-2015, equations 2 to 8). The variants differ in five settings:

| preset | regrets kept | averaging | prediction | from |
|---|---|---|---|---|
| cfr    | all                                   | uniform   | no  | Zinkevich and others 2007 |
| cfr+   | negative ones set to 0                | linear    | no  | Tammelin 2014; bowling-2015 |
| linear | iteration t counts t                  | linear    | no  | Brown and Sandholm 2019 |
| dcfr   | positive t^1.5, negative halved       | quadratic | no  | Brown and Sandholm 2019 |
| pcfr+  | negative ones set to 0                | quadratic | yes | Farina, Kroer and Sandholm 2021 |
| dcfr-holdem | positive t^1.2, negative t^0.5   | cubic     | no  | ours: the fewest iterations on hold'em spots |

All presets alternate: player 1 answers player 0's new strategy at once. `strategy="current"` returns the last
strategy instead of the average, as bowling-2015 did; it is measured as it is, and no theorem promises that it
converges.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from headsup.errors import UserError
from headsup.games.arrays import AnyArray, Floats
from headsup.games.sequence import PARALLEL_ENTRIES, Profile, Seat, SequenceForm
from headsup.solve.loop import FormSolver
from headsup.solve.options import checked

if TYPE_CHECKING:
    from headsup.solve import kernels  # it brings the compiler, and settings are read without

AVERAGING = {"uniform": 0.0, "linear": 1.0, "quadratic": 2.0}


@dataclass(frozen=True)
class Settings:
    """What makes one variant of CFR differ from another."""

    alternating: bool = True
    predictive: bool = False  # expect the next regrets to be the last ones again
    positive: float = math.inf  # exponent of the discount on positive regrets; inf keeps them
    negative: float = math.inf  # the same for negative ones; -inf sets them to 0
    averaging: str | float = "uniform"
    strategy: str = "average"

    def __post_init__(self) -> None:
        if self.strategy not in ("average", "current"):
            raise UserError(f"strategy must be 'average' or 'current', not '{self.strategy}'")
        if isinstance(self.averaging, str) and self.averaging not in AVERAGING:
            raise UserError(f"averaging must be {', '.join(AVERAGING)} or an exponent, not '{self.averaging}'")
        if not isinstance(self.averaging, str) and not 0.0 <= self.averaging <= 10.0:
            raise UserError(f"averaging as an exponent must be from 0 to 10, not {self.averaging}")

    def rule(self) -> kernels.Rule:
        """The switches of the update."""
        from headsup.solve import kernels

        return kernels.Rule(bool(self.alternating), bool(self.predictive))

    def schedule(self, after: int, n: int) -> Floats:
        """For the next n iterations: how much of positive and of negative regrets is kept, and the weight in the
        average.

        After iteration t positive regrets are multiplied with t^a / (t^a + 1), negative ones with t^b / (t^b + 1).
        """
        t = np.arange(after + 1, after + n + 1, dtype=np.float64)
        power = AVERAGING[self.averaging] if isinstance(self.averaging, str) else float(self.averaging)
        return np.stack([_kept(t, self.positive), _kept(t, self.negative), t**power], axis=1)


def _kept(t: Floats, exponent: float) -> Floats:
    if math.isinf(exponent):
        return np.full_like(t, 1.0 if exponent > 0 else 0.0)
    return t**exponent / (t**exponent + 1.0)


PRESETS = {
    "cfr": Settings(),
    "cfr+": Settings(negative=-math.inf, averaging="linear"),
    "linear": Settings(positive=1.0, negative=1.0, averaging="linear"),
    "dcfr": Settings(positive=1.5, negative=0.0, averaging="quadratic"),
    "pcfr+": Settings(negative=-math.inf, averaging="quadratic", predictive=True),
    "dcfr-holdem": Settings(positive=1.2, negative=0.5, averaging=3.0),  # `python -m benchmarks variants`
}


def settings(preset: str, options: dict[str, Any], also: Sequence[str] = ()) -> Settings:
    """A preset with some settings changed; `also` are options that a caller has read, for the list of all."""
    defaults = {**vars(PRESETS[preset]), "averaging": (PRESETS[preset].averaging, 0.0, "uniform")}
    return Settings(**checked(preset, options, defaults, also))


def rows_of(seat: Seat) -> kernels.Rows:
    """A seat as the kernels want it: unsigned indices, which cost no check for negative ones."""
    from headsup.solve import kernels

    owner = np.concatenate(([0], np.repeat(np.arange(seat.n_infosets), np.diff(seat.first))))
    up = np.zeros(len(owner), dtype=np.int64)
    up[1:] = seat.parent[owner[1:]]
    arrays = (seat.first, seat.parent, owner, up, seat.start, seat.other)
    first, parent, owners, ups, start, other = (a.astype(np.uint32) for a in arrays)
    return kernels.Rows(first, parent, owners, ups, start, other, seat.payoff)


class CfrSolver(FormSolver):
    """A run of CFR on a sequence form: `step(n)` iterates, `plans()` and `profile()` say what it has found."""

    def __init__(self, form: SequenceForm, settings: Settings) -> None:
        from headsup.solve import kernels

        self.form, self.settings, self.iterations = form, settings, 0
        self._rule = settings.rule()
        self._rows = (rows_of(form.seats[0]), rows_of(form.seats[1]))
        self._memory = (self._fresh(form.seats[0]), self._fresh(form.seats[1]))
        big = len(form.seats[0].payoff) > PARALLEL_ENTRIES
        self._iterate = kernels.iterate_parallel if big else kernels.iterate
        self.step(0)  # compiles, so that the first iterations are not charged for it

    @staticmethod
    def _fresh(seat: Seat) -> kernels.Memory:
        from headsup.solve import kernels

        sigma = seat.uniform()
        zeros = [np.zeros(seat.n_sequences) for _ in range(3)]
        scratch = [np.zeros(seat.n_infosets) for _ in range(2)]
        return kernels.Memory(zeros[0], sigma, seat.plan(sigma), zeros[1], zeros[2], *scratch)

    def step(self, n: int) -> None:
        """Run n more iterations for both players."""
        self._iterate(self._rows, self._memory, self._rule, self.settings.schedule(self.iterations, n))
        self.iterations += n

    def plans(self) -> Profile:
        """The realisation plans found so far: the average, or the current ones if the settings say so."""
        if self.settings.strategy == "current" or not self.iterations:
            return self._memory[0].plan, self._memory[1].plan
        return self._memory[0].total / self._memory[0].total[0], self._memory[1].total / self._memory[1].total[0]

    def profile(self) -> Profile:
        """The behaviour strategies found so far."""
        if self.settings.strategy == "current" or not self.iterations:
            return self._memory[0].sigma.copy(), self._memory[1].sigma.copy()
        return self.form.behaviours(self.plans())

    def arrays(self) -> dict[str, AnyArray]:
        """Everything needed to go on later exactly as if never stopped."""
        names = ("regret", "sigma", "plan", "total")
        return {f"{name}{p}": getattr(self._memory[p], name) for p in (0, 1) for name in names}

    def restore(self, iterations: int, arrays: dict[str, AnyArray]) -> None:
        """Take back what `arrays` gave; more than that, as older checkpoints have, does no harm."""
        for key, array in self.arrays().items():
            array[:] = arrays[key]
        self.iterations = iterations
