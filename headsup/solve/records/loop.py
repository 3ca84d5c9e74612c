"""The one loop around every iterative solver: iterate, measure now and then, stop at the target, checkpoint.

A run is measured at iterations that grow by a tenth (0, 1, 2, ..., 10, 11, 13, 15, ...), so a resumed run ends with the
same numbers as an unbroken one. Measuring does not count as solving. The loop checks about twice a second for Ctrl-C
and for the checkpoint, which it writes at least once a minute. `run_solver` makes the record of a run; every figure in
it is measured on the strategy itself.
"""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from headsup.common import contents
from headsup.common.archives import load_record, save_record
from headsup.common.arrays import AnyArray
from headsup.common.checks import count, positive, whole
from headsup.common.errors import DataError, UserError
from headsup.common.files import parsed
from headsup.common.progress import Progress, Watch
from headsup.common.stop import Stop, until_stopped
from headsup.games.holdem.vector import VectorGame
from headsup.games.trees.sequence import Profile, SequenceForm
from headsup.measure.measurement import Measurement, of_plans
from headsup.solve.records.solution import MOST_SOURCE, Solution, plain

SAVE_EVERY = 55.0  # seconds between two checkpoints; a step in progress and the writing may take the rest of a minute
FIRST_SAVE = 5.0  # seconds until the first checkpoint
ANYWHERE = ("threads", "folder", "bits")  # options that change no result: a checkpoint may be resumed with other values


class Solver(ABC):
    """A run in progress: `step(n)` iterates, `measure()` prices it, `record()` is what a solution keeps."""

    iterations: int
    measured_late = False  # whether measuring takes minutes, so that it is left to the end
    measured_each = 10  # the part of the iterations so far, a tenth, after which it is measured again

    @property
    @abstractmethod
    def played(self) -> SequenceForm | VectorGame:
        """The game in which its strategies are measured."""

    @abstractmethod
    def step(self, n: int) -> None:
        """Iterate n times."""

    @abstractmethod
    def measure(self) -> Measurement:
        """The measurement of the strategies found so far."""

    @abstractmethod
    def record(self, regrets: bool = False) -> dict[str, Any]:
        """Fields of a `Solution` that only the solver knows: at least its `strategy`; the regrets on request."""

    @abstractmethod
    def arrays(self) -> dict[str, AnyArray]:
        """Everything needed to resume."""

    def restore(self, iterations: int, arrays: dict[str, AnyArray]) -> None:
        """Take back what `arrays` returned."""
        for key, array in self.arrays().items():
            array[:] = arrays[key]
        self.iterations = iterations

    def exploitability(self) -> float:
        """The exploitability of the strategies found so far."""
        return self.measure().exploitability

    def content(self) -> str:
        """A checksum that a checkpoint must agree with, beside that of the game."""
        return ""

    def params(self) -> dict[str, Any]:
        """Options as a record has them, where these differ from what the caller gave."""
        return {}


class FormSolver(Solver):
    """A solver on a sequence form, or on a game that is measured on one."""

    form: SequenceForm

    @property
    def played(self) -> SequenceForm:
        return self.form

    @abstractmethod
    def profile(self) -> Profile:
        """The behaviour strategies found so far."""

    def plans(self) -> Profile:
        return self.form.plans(self.profile())

    def measure(self) -> Measurement:
        return of_plans(self.form, self.form.plans(self.profile()))

    def record(self, regrets: bool = False) -> dict[str, Any]:
        return {"strategy": self.profile()}

    def exploitability(self) -> float:
        return of_plans(self.form, self.plans()).exploitability


def in_unit(watch: Watch | None, unit: float, template: str, target: float | None) -> Watch | None:
    """A watch that reports exploitabilities and the target in another unit; `template` formats one of them."""
    if watch is None:
        return None

    def report(step: Progress) -> None:
        error = (step.error or 0.0) / unit
        text = " -> ".join(template.format(figure) for figure in (error, target) if figure is not None)
        watch(step._replace(error=error, text=text))

    return report


def check_result(label: Mapping[str, Any], *figures: float) -> None:
    """Refuse figures that are not finite."""
    if not np.isfinite(figures).all():
        params = "".join(f" {key}={value}" for key, value in label["params"].items())
        raise UserError(
            f"{label['method']}{params} on {label['game']} went beyond what numbers can hold: take options nearer to "
            "their defaults, smaller payoffs or another method"
        )


def next_measure(iteration: int, each: int = 10) -> int:
    """The next measuring point after an iteration: nearly each at first, then every tenth part.

    Where measuring takes as long as iterating, `each` is less than 10: 8, 12, 18, 27, .. with 2.
    """
    point = 8 if each < 10 else 0
    while point <= iteration:
        point += max(1, point // each)
    return point


@dataclass
class Limits:
    """When to stop, whichever comes first; a target is an exploitability."""

    iterations: int | None = None
    target: float | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.iterations is None and self.target is None and self.seconds is None:
            self.iterations = 1000
        if self.iterations is not None:
            self.iterations = count(0)(whole(self.iterations, "iterations", least=0), "iterations")
        if self.target is not None:
            self.target = positive(self.target, "the target exploitability")
        if self.seconds is not None:
            self.seconds = positive(self.seconds, "seconds")

    def reached(self, iteration: int, seconds: float, exploitability: float) -> bool:
        """Whether one of the three limits is met."""
        return (
            (self.iterations is not None and iteration >= self.iterations)
            or (self.target is not None and exploitability <= self.target)
            or (self.seconds is not None and seconds >= self.seconds)
        )

    def time_left(self, curve: Sequence[tuple[int, float, float]]) -> float | None:
        """Seconds to the nearest limit, from a curve of (iteration, seconds, exploitability); None if unknown.

        The exploitability is assumed to keep falling as a power of the iterations, as it did since half as many.
        """
        at, spent, now = curve[-1]
        if at < 1 or spent <= 0.0:
            return None
        left = [] if self.seconds is None else [self.seconds - spent]
        if self.iterations is not None:
            left.append(spent * (self.iterations - at) / at)
        before = [(t, x) for t, _, x in curve if 0 < t <= at // 2 and x > 0.0]
        if self.target is not None and before and 0.0 < now < before[-1][1]:
            power = math.log(before[-1][1] / now) / math.log(at / before[-1][0])
            times = math.exp(min(50.0, math.log(max(1.0, now / self.target)) / power))
            left.append(spent * (times - 1.0))
        return min(1e9, max(0.0, min(left))) if left else None


@dataclass
class SolverRun:
    """A solver and its curve so far."""

    solver: Solver
    label: dict[str, Any]  # game, method, params, seed, content: what a checkpoint must agree with
    history: list[tuple[int, float, float]] = field(default_factory=list)
    seconds: float = 0.0
    clock: Callable[[], float] = time.perf_counter
    whole: bool = field(default=True, init=False)  # not in the middle of a step
    unsaved: DataError | None = field(default=None, init=False)  # why the last checkpoint could not be written

    first_save, save_every = FIRST_SAVE, SAVE_EVERY

    def go(self, stop: Limits, checkpoint: Path | None = None, progress: Watch | None = None) -> bool:
        """Iterate until a limit is met; the checkpoint is written early, at least once a minute, and at the end.

        Ctrl-C ends it after the current step; returns whether that happened. A checkpoint that cannot be written (a
        full disk) does not end the run: the next one is tried, and `unsaved` is the error of the last try.
        """
        self._saved = self.clock() - self.save_every + self.first_save
        try:
            with until_stopped() as ctrl_c:
                while not self._reached(stop, progress) and not ctrl_c.asked():
                    self._advance(stop, ctrl_c, checkpoint)
            return ctrl_c.asked()
        finally:  # also when a second Ctrl-C comes
            if checkpoint and self.whole:
                self._try_to_save(checkpoint)

    def _reached(self, stop: Limits, progress: Watch | None) -> bool:
        """Whether a limit is met; the exploitability is measured only where an unbroken run would measure it."""
        at = self.solver.iterations
        over = stop.reached(at, self.seconds, math.inf)
        late = stop.target is None and self.solver.measured_late
        if not over and (late or next_measure(at - 1, self.solver.measured_each) != at):
            return False
        known = len(self.history)
        at, spent, exploitability = self.measure()
        if progress is not None and len(self.history) > known:
            text = f"{exploitability:.3e}" + (f" -> {stop.target:.3e}" if stop.target else "")
            left = stop.time_left(self.history)
            progress(Progress(at, stop.iterations, "", text, spent, "iterations", left, exploitability))
        return stop.reached(at, spent, exploitability) or over

    def measure(self) -> tuple[int, float, float]:
        """The exploitability now, added to the curve."""
        if self.history and self.history[-1][0] == self.solver.iterations:
            return self.history[-1]
        exploitability = self.solver.exploitability()
        check_result(self.label, exploitability)
        self.history.append((self.solver.iterations, self.seconds, exploitability))
        return self.history[-1]

    def _advance(self, stop: Limits, ctrl_c: Stop, checkpoint: Path | None) -> None:
        """Iterate up to the next measuring point or limit, in pieces of about half a second."""
        at = self.solver.iterations
        to = next_measure(at, self.solver.measured_each)
        if stop.iterations is not None:
            to = min(to, stop.iterations)
        piece = 1  # grows until a step takes about half a second, so that Ctrl-C is noticed in between
        while self.solver.iterations < to and not (stop.seconds is not None and self.seconds >= stop.seconds):
            began = self.clock()
            self.whole = False
            self.solver.step(min(piece, to - self.solver.iterations))
            self.whole = True
            took = self.clock() - began
            self.seconds += took
            piece = piece * 4 if took < 0.1 else max(1, piece // 4) if took > 2.0 else piece  # machines get busy
            if checkpoint and self.clock() - self._saved > self.save_every:
                self._try_to_save(checkpoint)
            if ctrl_c.asked():
                break

    def _try_to_save(self, path: Path) -> None:
        self.unsaved, began = None, self.clock()
        try:
            self.save(path)
        except DataError as error:
            self.unsaved = error
        # Counted from the beginning, or a file that takes seconds to write would come as many seconds late each time;
        # where the writing takes half a minute, as much is left for solving.
        self._saved = max(began, self.clock() - self.save_every / 2)

    def save(self, path: Path) -> None:
        """Write everything to a checkpoint file, unless numbers overflowed: nothing resumes from those."""
        if not all(np.isfinite(array).all() for array in self.solver.arrays().values()):
            return
        meta = {
            **self.label,
            "iterations": self.solver.iterations,
            "seconds": self.seconds,
            "history": [list(point) for point in self.history],
        }
        # uncompressed: regrets hardly get smaller, and compressing a gigabyte of them would take a minute
        save_record(path, "headsup-checkpoint", meta, self.solver.arrays(), squeeze=False)

    def resume(self, path: Path) -> None:
        """Resume from a checkpoint file of the same game, method, parameters and seed."""
        meta, arrays = load_record(path, "headsup-checkpoint")
        for key, value in self.label.items():
            if meta.get(key) == value:
                continue
            if key == "content":
                raise UserError(
                    f"the checkpoint '{path}' is of another game that was called {self.label['game']} too, has "
                    "other hands locked, or is too old to tell: name another file"
                )
            raise UserError(f"the checkpoint '{path}' has {key} {meta.get(key)}, not {value}: name another file")
        try:
            parsed(path, lambda: self._take(meta, arrays))
        except DataError as error:
            raise DataError(
                f"the checkpoint '{path}' does not fit this game ({error.__cause__}): start again without it"
            ) from error

    def _take(self, meta: dict[str, Any], arrays: dict[str, AnyArray]) -> None:
        """Check all of a checkpoint before taking over any of it."""
        for name, array in self.solver.arrays().items():
            if arrays[name].shape != array.shape or arrays[name].dtype != array.dtype:
                raise ValueError(f"{name} has the shape {arrays[name].shape}, not {array.shape}")
            contents.array(arrays[name], name, array.dtype.kind, array.ndim)
        iterations = contents.count(meta["iterations"], "the number of iterations")
        seconds, history = contents.number(meta["seconds"], "the time", 0.0), list(contents.history(meta["history"]))
        self.solver.restore(iterations, arrays)
        self.seconds, self.history = seconds, history


def source_of(game: Any) -> str | None:
    """The text that a game was read from, if it has one that a record can hold."""
    text: str | None = getattr(game, "text", None)
    return text if text is not None and len(text) <= MOST_SOURCE else None


def run_solver(
    solver: Solver,
    method: str,
    options: dict[str, Any],
    limits: Limits,
    *,
    seed: int = 0,
    checkpoint: Path | None = None,
    progress: Watch | None = None,
    source: str | None = None,
    regrets: bool = False,
) -> Solution:
    """Run a solver until a limit is met; with a `checkpoint` that exists, resume from it first.

    `method`, `options` and `seed` label the record and the checkpoint. `source` is the text of the game, and `regrets`
    keeps the regrets of a hold'em solver in the record. Ctrl-C ends the run early: the record so far is `stopped`. If
    the last checkpoint could not be written, the record has the error as `unsaved`.
    """
    game, options = solver.played, options | solver.params()
    params = {key: value for key, value in options.items() if key not in ANYWHERE}
    content = game.checksum + solver.content()
    label = {"game": game.name, "method": method, "params": plain(params), "seed": seed, "content": content}
    run = SolverRun(solver, label)
    if checkpoint and checkpoint.exists():
        run.resume(checkpoint)
    stopped = run.go(limits, checkpoint, progress)
    return make_record(
        solver.measure(),
        game,
        method,
        options,
        run.seconds,
        seed,
        source,
        iterations=solver.iterations,
        history=tuple(run.history),
        stopped=stopped,
        unsaved=run.unsaved,
        **solver.record(regrets),
    )


def make_record(
    measured: Measurement,
    form: SequenceForm | VectorGame,
    method: str,
    options: dict[str, Any],
    seconds: float,
    seed: int,
    source: str | None,
    *,
    iterations: int = 0,
    **more: Any,
) -> Solution:
    """The record of a solved game; figures that are not finite are refused."""
    check_result({"game": form.name, "method": method, "params": plain(options)}, *measured.values, *measured.best)
    return Solution(
        game=form.name,
        method=method,
        params=dict(options),
        iterations=iterations,
        seconds=seconds,
        value=measured.value,
        exploitability=measured.exploitability,
        epsilon=measured.epsilon,
        best=measured.best,
        seed=seed,
        content=form.checksum,
        source=source,
        form=form,
        **more,
    )
