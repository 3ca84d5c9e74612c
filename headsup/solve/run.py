"""`run_solver(solver)`: run an iterative solver to its limits and return the record.

Every figure in the record is measured on the strategy itself, not taken from the solver.
"""

from pathlib import Path
from typing import Any

from headsup.common.progress import Watch
from headsup.games.holdem.vector import VectorGame
from headsup.games.trees.sequence import SequenceForm
from headsup.measure.measurement import Measurement
from headsup.solve.records.loop import Limits, Solver, SolverRun, check_result
from headsup.solve.records.solution import MOST_SOURCE, Solution, plain

ANYWHERE = ("threads", "folder", "bits")  # options that change no result: a checkpoint may be resumed with other values


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
        seed=seed,
        content=form.checksum,
        source=source,
        form=form,
        **more,
    )
