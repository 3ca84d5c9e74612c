"""`run_solver(solver)`: run an iterative solver to its limits and return the record.

Every figure in the record is measured on the strategy itself, not taken from the solver.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from headsup.abstraction.hands.named import NamedBuckets
from headsup.common.errors import DataError
from headsup.common.progress import Watch
from headsup.games.holdem.vector import ArrayStrategy, VectorGame
from headsup.games.trees.sequence import Profile, SequenceForm
from headsup.measure.exploit import of_plans
from headsup.measure.measurement import Measurement
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.records.loop import Abstract, FormSolver, Limits, Run, check_result
from headsup.solve.records.solution import MOST_SOURCE, Solution, plain

if TYPE_CHECKING:
    from headsup.solve.holdem.bucketed import BucketCfr
    from headsup.solve.holdem.bucketed_gpu import GpuBucketCfr

ANYWHERE = ("threads", "folder", "bits")
"""Options that change no number that is learnt: a checkpoint goes on with others."""


class Stopped(KeyboardInterrupt):
    """Ctrl-C ended a run; `solution` is the record of how far it came, measured."""

    def __init__(self, solution: Solution) -> None:
        super().__init__(f"stopped after {solution.iterations} iterations")
        self.solution = solution


class Unsaved(DataError):
    """A run came to its end, but its last checkpoint could not be written; `solution` is the record all the same."""

    def __init__(self, solution: Solution, error: DataError) -> None:
        super().__init__(str(error))
        self.solution = solution


def source_of(game: Any) -> str | None:
    """The text that a game was read from, if it has one that a record can hold."""
    text: str | None = getattr(game, "text", None)
    return text if text is not None and len(text) <= MOST_SOURCE else None


def run_solver(
    solver: FormSolver | VectorCfr | BucketCfr | GpuBucketCfr,
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
    keeps the regrets of a hold'em solver in the record.
    """
    game = solver.form if isinstance(solver, FormSolver) else solver.game
    content = game.checksum + (solver.content() if isinstance(solver, Abstract) else "")
    named = NamedBuckets.of(solver.game, solver.buckets) if _in_buckets(solver) else None
    if named is not None:
        options = {**options, "buckets": named.text or "tables"}
    params = {key: value for key, value in options.items() if key not in ANYWHERE}
    label = {"game": game.name, "method": method, "params": plain(params), "seed": seed, "content": content}
    run = Run(solver, label)
    if checkpoint and checkpoint.exists():
        run.resume(checkpoint)
    stopped = run.go(limits, checkpoint, progress)
    measured, strategy = _measured(solver)
    record = make_record(
        measured, game, method, options, strategy, run.seconds, solver.iterations, seed, run.history, source
    )
    record = replace(record, buckets=named)
    if isinstance(solver, VectorCfr) and solver.locks:
        within = solver.measure(locked=True).exploitability
        record = replace(record, locks=solver.locks, exploitability_locked=within)
    if isinstance(solver, VectorCfr) and regrets:
        record = replace(record, regrets=solver.regrets())
    if run.unsaved is not None:
        raise Unsaved(record, run.unsaved)
    if stopped:
        raise Stopped(record)
    return record


def _in_buckets(solver: Any) -> TypeGuard[BucketCfr | GpuBucketCfr]:
    return hasattr(solver, "buckets")


def _measured(solver: FormSolver | VectorCfr | BucketCfr | GpuBucketCfr) -> tuple[Measurement, Profile]:
    if isinstance(solver, FormSolver):
        profile = solver.profile()
        return of_plans(solver.form, solver.form.plans(profile)), profile
    strategy = solver.strategy()
    numbers = strategy.policy if isinstance(strategy, ArrayStrategy) else strategy.numbers  # where the CPU can read it
    return solver.measure(), (numbers[0].copy(), numbers[1].copy())


def make_record(
    measured: Measurement,
    form: SequenceForm | VectorGame,
    method: str,
    options: dict[str, Any],
    profile: Profile,
    seconds: float,
    iterations: int,
    seed: int,
    history: list[tuple[int, float, float]],
    source: str | None,
) -> Solution:
    """The record of a solved game, or what is wrong with its figures."""
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
        strategy=profile,
        history=tuple(history),
        seed=seed,
        content=form.checksum,
        source=source,
        form=form,
    )
