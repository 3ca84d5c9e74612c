"""The one loop around every iterative solver: iterate, measure now and then, stop at the target, checkpoint.

A solver is anything with `step(n)`, `iterations`, `plans()`, `profile()`, `arrays()` and `restore()`. It is measured
at iterations that grow by a tenth (0, 1, 2, ..., 10, 11, 13, 15, ...), so that a curve has points everywhere on a
logarithmic axis and measuring costs little. The measuring points depend on the iteration alone: a run that was
stopped and resumed takes the same steps, and ends with the same numbers, as one that was not. Time spent measuring is
not counted as solving.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from headsup.checks import positive, whole
from headsup.errors import DataError, UserError
from headsup.games.arrays import AnyArray
from headsup.games.sequence import Profile, SequenceForm
from headsup.solve.solution import load_record, save_record


class Solver(Protocol):
    """A run in progress."""

    iterations: int

    def step(self, n: int) -> None:
        """Iterate n times."""

    def plans(self) -> Profile:
        """The realisation plans found so far."""

    def profile(self) -> Profile:
        """The behaviour strategies found so far."""

    def arrays(self) -> dict[str, AnyArray]:
        """Everything that must be kept to go on later."""

    def restore(self, iterations: int, arrays: dict[str, AnyArray]) -> None:
        """Take back what `arrays` gave."""


Progress = Callable[[int, float, float], None]  # iteration, seconds, exploitability


def check_result(label: Mapping[str, Any], *figures: float) -> None:
    """A result that is not a number is no result."""
    if not np.isfinite(figures).all():
        params = "".join(f" {key}={value}" for key, value in label["params"].items())
        raise UserError(
            f"{label['method']}{params} on {label['game']} went beyond what numbers can hold: take options nearer to "
            "their defaults, smaller payoffs or another method"
        )


def next_measure(iteration: int) -> int:
    """The next measuring point after an iteration."""
    point = 0
    while point <= iteration:
        point += max(1, point // 10)
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
            self.iterations = whole(self.iterations, "iterations", least=0)
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


@dataclass
class Run:
    """A solver on its way, with its curve so far."""

    form: SequenceForm
    solver: Solver
    label: dict[str, Any]  # game, method, params, seed: what a checkpoint must agree with
    history: list[tuple[int, float, float]] = field(default_factory=list)
    seconds: float = 0.0

    def go(self, stop: Limits, checkpoint: Path | None = None, progress: Progress | None = None) -> None:
        """Iterate until a limit is met; the checkpoint is written at least once a minute and at the end."""
        saved = time.perf_counter()
        try:
            while not stop.reached(*self.measure(progress)):
                if checkpoint and time.perf_counter() - saved > 60.0:
                    self.save(checkpoint)
                    saved = time.perf_counter()
                self._advance(stop)
        finally:  # also when someone presses Ctrl-C: a step is either done or not begun
            if checkpoint:
                self.save(checkpoint)

    def measure(self, progress: Progress | None = None) -> tuple[int, float, float]:
        """The exploitability now, added to the curve."""
        if self.history and self.history[-1][0] == self.solver.iterations:
            return self.history[-1]
        exploitability = sum(self.form.best_values(self.solver.plans())) / 2.0
        check_result(self.label, exploitability)
        self.history.append((self.solver.iterations, self.seconds, exploitability))
        if progress:
            progress(*self.history[-1])
        return self.history[-1]

    def _advance(self, stop: Limits) -> None:
        at = self.solver.iterations
        to = next_measure(at)
        if stop.iterations is not None:
            to = min(to, stop.iterations)
        piece = 1  # grows until a step takes about half a second, so that one can stop in between
        while self.solver.iterations < to and not (stop.seconds is not None and self.seconds >= stop.seconds):
            began = time.perf_counter()
            self.solver.step(min(piece, to - self.solver.iterations))
            took = time.perf_counter() - began
            self.seconds += took
            piece = piece * 4 if took < 0.1 else piece

    def save(self, path: Path) -> None:
        """Write everything to a checkpoint file, unless numbers were lost on the way: nothing goes on from those."""
        if not all(np.isfinite(array).all() for array in self.solver.arrays().values()):
            return
        meta = {
            **self.label,
            "iterations": self.solver.iterations,
            "seconds": self.seconds,
            "history": [list(point) for point in self.history],
        }
        save_record(path, "headsup-checkpoint", meta, self.solver.arrays())

    def resume(self, path: Path) -> None:
        """Go on from a checkpoint file, which must be of the same game, method, parameters and seed."""
        meta, arrays = load_record(path, "headsup-checkpoint")
        for key, value in self.label.items():
            if meta.get(key) != value:
                raise UserError(f"the checkpoint '{path}' has {key} {meta.get(key)}, not {value}: name another file")
        try:
            self.solver.restore(int(meta["iterations"]), arrays)
        except (KeyError, ValueError) as error:
            raise DataError(
                f"the checkpoint '{path}' does not fit this game ({error}): start again without it"
            ) from None
        self.seconds = float(meta["seconds"])
        self.history = [(int(t), float(s), float(x)) for t, s, x in meta["history"]]
