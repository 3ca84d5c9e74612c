"""CFR and fictitious play on bucket models, with payoffs in two factors (`factored`).

The iterations are those of `headsup.solve.small.cfr` up to the order of sums. With `forgets` (chapter 7), a player
knows the bucket of the street and the betting alone; no theorem guarantees convergence. With `forced` (section 4.3),
every action of the first street has at least that probability.
"""

import numpy as np

from headsup.common.arrays import Floats, Ints, Longs
from headsup.common.errors import UserError
from headsup.games.trees.sequence import Profile, SequenceForm
from headsup.measure.measurement import Measurement, of_plans
from headsup.papers.andersson2006.bot.factored import factored_form
from headsup.papers.andersson2006.bot.model import BucketModel
from headsup.papers.andersson2006.bot.model_lp import ProgramSolution, check_forced, forced_sequences, path_weights
from headsup.solve.records.matching import in_proportion
from headsup.solve.records.settings import PRESETS
from headsup.solve.small import kernels
from headsup.solve.small.cfr import CfrSolver


class ModelCfr(CfrSolver):
    """A solver of the CFR family on a model."""

    def __init__(
        self,
        model: BucketModel,
        preset: str = "cfr+",
        forgets: bool = False,
        forced: float = 0.0,
        form: SequenceForm | None = None,
    ) -> None:
        if preset not in PRESETS:
            raise UserError(f"models are solved by {', '.join(PRESETS)}, not by '{preset}'")
        check_forced(model, forced)
        self.model, self.forced = model, forced
        self._same = tuple(_merged(model, seat) for seat in (0, 1)) if forgets else None
        super().__init__(factored_form(model) if form is None else form, PRESETS[preset])
        if forced:
            self._floor = tuple(self._floors(seat) for seat in (0, 1))
            for p, (floor, rest) in enumerate(self._floor):
                self._memory[p].sigma[:] = floor + rest * self._memory[p].sigma

    def step(self, n: int) -> None:
        for keep, shrink, weight in self.settings.schedule(self.iterations, n):
            for p in (0, 1):
                memory = self._memory[p]
                memory.util[:] = self.form.seats[p].utility(self._memory[1 - p].plan)
                kernels.accumulate(memory, weight)
                if self._same is None and not self.forced:
                    kernels.update(self._rows[p], memory, self._rule, keep, shrink)
                else:
                    self._update_changed(p, keep, shrink)
        self.iterations += n

    def _update_changed(self, p: int, keep: float, shrink: float) -> None:
        """The same with regrets shared between paths, or with forced actions."""
        memory, seat = self._memory[p], self.form.seats[p]
        before = memory.regret.copy()
        kernels.update(self._rows[p], memory, self._rule, 1.0, 1.0)  # what is played next is put right below
        gain = memory.regret - before
        if self.forced:
            floor, rest = self._floor[p]
            every = _by_set(seat.first, floor * memory.util)
            picked = (memory.util - gain - every) / rest
            gain[1:] = (memory.util - picked)[1:]
        if self._same is not None:
            gain = np.bincount(self._same[p], weights=gain, minlength=len(gain))[self._same[p]]
        new = before + gain
        memory.regret[:] = new * np.where(new > 0.0, keep, shrink)
        memory.sigma[:] = in_proportion(seat.first, np.maximum(memory.regret, 0.0))
        if self.forced:
            memory.sigma[:] = floor + rest * memory.sigma
        memory.plan[:] = seat.plan(memory.sigma)

    def _floors(self, seat: int) -> tuple[Floats, Floats]:
        """(floor, rest) [sequences]: the least probability of each, and what is left to choose with."""
        first = self.form.seats[seat].first
        floor = np.zeros(int(first[-1]))
        floor[forced_sequences(self.model, seat)[0]] = self.forced
        return floor, 1.0 - _by_set(first, floor)

    def profile(self) -> Profile:
        """The average; with forgetting, the average over all paths that a bucket may have come from."""
        if self._same is None or not self.iterations:
            return super().profile()
        behaviours = []
        for seat, same in enumerate(self._same):
            first = self.form.seats[seat].first
            dealt = np.concatenate(([1.0], np.repeat(path_weights(self.model, seat), np.diff(first))))
            mass = np.bincount(same, weights=dealt * self._memory[seat].cumulative, minlength=len(same))
            behaviours.append(in_proportion(first, np.asarray(mass[same], dtype=np.float64)))
        return behaviours[0], behaviours[1]


class ModelFictitious:
    """Fictitious play on a model: each player adds a best response to the opponent's average."""

    def __init__(self, model: BucketModel) -> None:
        self.form, self.iterations = factored_form(model), 0
        self._total: list[Floats] = [*self.form.plans(self.form.uniform())]

    def step(self, n: int) -> None:
        for _ in range(n):
            average = [cumulative / cumulative[0] for cumulative in self._total]
            for p, seat in enumerate(self.form.seats):
                self._total[p] += seat.plan(seat.best_response(average[1 - p])[1])
        self.iterations += n

    def profile(self) -> Profile:
        return self.form.behaviours((self._total[0], self._total[1]))

    def measure(self) -> Measurement:
        return of_plans(self.form, (self._total[0] / self._total[0][0], self._total[1] / self._total[1][0]))


def _by_set(first: Ints, numbers: Floats) -> Floats:
    """[sequences] the sum over each one's information set; 0 for the empty sequence."""
    return np.concatenate(([0.0], np.repeat(np.add.reduceat(numbers, first[:-1]), np.diff(first))))


def _merged(model: BucketModel, seat: int) -> Longs:
    """[sequences] the first sequence with the same line and last bucket."""
    merged = [np.zeros(1, dtype=np.int64)]
    for node in model.decisions[seat].tolist():
        street, count = int(model.tree.street[node]), int(model.tree.count[node])
        path = np.arange(model.paths(street)) % model.chances.sizes()[street]
        merged.append((model.places[seat][node] + path[:, None] * count + np.arange(count)).ravel())
    return np.concatenate(merged)


def solve_by_cfr(
    model: BucketModel,
    *,
    forced: float = 0.0,
    forgets: bool = False,
    target: float = 0.0,
    iterations: int = 1000,
) -> ProgramSolution:
    """Iterate CFR+ until the exploitability in the model is at most the target, in big blinds, looked at now and then.

    Where actions are forced it is not known how far it is, and all iterations are made.
    """
    solver = ModelCfr(model, "cfr+", forgets, forced)
    while solver.iterations < iterations:
        solver.step(min(max(50, solver.iterations // 4), iterations - solver.iterations))
        if not forced and solver.measure().exploitability <= target:
            break
    return ProgramSolution(solver.measure().value, solver.profile())
