"""`solve(game, method)`: every solver behind one function and one record.

| method | kind |
|---|---|
| `lp` | sequence-form linear program, exact; `algorithm` simplex, interior or first-order; `tremble` |
| `normal` | normal-form linear program, exact, for very small games |
| `cfr`, `cfr+`, `linear`, `dcfr`, `pcfr+`, `dcfr-holdem` | regret minimisation; see `headsup.solve.small.cfr` |
| ... with `form="vector"` | the same five on public trees; see `headsup.solve.small.public` |
| ... on games of betting and boards | the same five, with a store; see `headsup.solve.holdem.vector` |
| ... with `buckets=` | the same, and `external`, with regrets that hands share; see `headsup.solve.holdem.bucketed` |
| `external`, `outcome` | Monte Carlo CFR by sampling; see `headsup.solve.small.sampling` |
| `fictitious` | fictitious play |
| `fsi` | fixed-strategy iteration as the ectomynx report describes it |
"""

import time
from pathlib import Path
from typing import Any

from headsup.common.checks import as_call, as_path, as_text, check_seed, door, quoted
from headsup.common.errors import UserError
from headsup.common.files import writable
from headsup.common.progress import Watch
from headsup.games.catalogue.forms import Playable, playable, sequence_form
from headsup.games.holdem.vector import VectorGame
from headsup.games.trees.sequence import Profile, SequenceForm
from headsup.measure.measurement import of_plans
from headsup.solve.holdem.bucketed import start_bucketed
from headsup.solve.holdem.vector import start_vector
from headsup.solve.records.loop import Limits, Solver, make_record, run_solver, source_of
from headsup.solve.records.settings import METHODS, PRESETS, PROGRAMS, SAMPLERS, checked, settings
from headsup.solve.records.solution import Solution, vector_game
from headsup.solve.small.cfr import CfrSolver, FictitiousPlay
from headsup.solve.small.lp import normal_lp, sequence_lp


@door(method=as_text, checkpoint=as_path, progress=as_call)
def solve(
    game: Playable,
    method: str = "cfr+",
    *,
    iterations: int | None = None,
    target: float | None = None,
    seconds: float | None = None,
    seed: int = 0,
    checkpoint: str | Path | None = None,
    progress: Watch | None = None,
    **options: Any,
) -> Solution:
    """Solve a game and return the record: both strategies, the value, and how far they are from an equilibrium.

    Iterative methods stop at `target` (exploitability), after `iterations`, or after `seconds`, whichever comes
    first; without any of them, after 1000 iterations. With `checkpoint` a run resumes from that file if it exists.
    Other keywords are options of the method. Every figure in the record is measured on the strategy itself. Ctrl-C ends
    a run early: the record so far is returned, and `stopped` is true. If the last checkpoint could not be written,
    `unsaved` is the error.
    """
    if method not in METHODS:
        raise UserError(f"there is no method '{method}': choose from {', '.join(METHODS)}")
    stop, seed = Limits(iterations, target, seconds), check_seed(seed)
    game = playable(game)
    if method in PROGRAMS:
        import highspy  # noqa: F401 - loading it is not solving, so it comes before the clock starts

        began = time.perf_counter()
        form = sequence_form(game)
        _no_limits(method, iterations, target, seconds, checkpoint)
        profile = form.behaviours(_program(form, method, options))
        took = time.perf_counter() - began
        measured = of_plans(form, form.plans(profile))
        return make_record(measured, form, method, options, took, seed, source_of(game), strategy=profile)
    path = writable(checkpoint) if checkpoint else None
    solver = start(game, method, seed, **options)
    return run_solver(
        solver, method, options, stop, seed=seed, checkpoint=path, progress=progress, source=source_of(game)
    )


@door(method=as_text)
def start(game: Playable, method: str, seed: int = 0, **options: Any) -> Solver:
    """A solver before its first step, to `step` by hand."""
    if method not in METHODS or method in PROGRAMS:
        steppers = ", ".join(name for name in METHODS if name not in PROGRAMS)
        raise UserError(f"'{method}' is not a method that takes steps: choose from {steppers}")
    game = playable(game)
    form_of = options.pop("form", None)
    if form_of is not None and as_text(form_of, "form") not in ("vector", "flat"):
        raise UserError(f"form must be 'vector' or 'flat' (or left out), not {quoted(form_of)}")
    if "buckets" in options:
        return start_bucketed(vector_game(game), method, seed, options)
    if isinstance(game, VectorGame) and form_of != "flat" and method in PRESETS:
        return start_vector(game, method, options)
    if form_of == "vector":
        from headsup.solve.small.public import start_public

        return start_public(game, method, options)
    if method in SAMPLERS:
        from headsup.solve.small.sampling import start_sampling

        return start_sampling(game, method, seed, options)
    form = sequence_form(game)
    if method == "fictitious":
        checked(method, options, {})
        return FictitiousPlay(form)
    return CfrSolver(form, settings(method, options))


def _program(form: SequenceForm, method: str, options: dict[str, Any]) -> Profile:
    defaults = {"algorithm": "simplex", "tremble": 0.0} if method == "lp" else {"algorithm": "simplex"}
    return (sequence_lp if method == "lp" else normal_lp)(form, **checked(method, options, defaults))[1]


def _no_limits(method: str, *limits: object) -> None:
    if any(limit is not None for limit in limits):
        raise UserError(f"{method} solves a game in one go: leave out iterations, target, seconds and checkpoint")
