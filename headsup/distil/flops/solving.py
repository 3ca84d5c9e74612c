"""Which solver gets a program, and how its time is shared out.

The average error is for our own solver (`average.solver`): a first share of the time, in which easy programs are done;
if it is not enough, a better formula by annealing (`average.anneal`) and by shaking what that found (`programs.local`:
on some pairs the one is better, on some the other), and the rest of the time for the proof. The largest error is for
`programs.solver`. Weights in steps are rounded there too, from the free weights and with their
bound: no weights in steps are better than the best free ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from headsup.distil.flops.outcome import Outcome
from headsup.distil.flops.problem import Problem
from headsup.progress import Watch
from headsup.stop import Stop, until_stopped

if TYPE_CHECKING:
    from headsup.distil.flops.average.anneal import Anneal

EARLY = 0.05
"""The share of the time in which easy programs are expected to be solved."""
ANNEALED = 0.1
"""The share that goes to annealing, if the program is not easy."""
SHAKEN = 0.1
"""The share that then goes to the local search with certificates."""
UNROUNDED = 0.4
"""The share of the time that goes to the program without steps, where weights are to be rounded."""


def solve(
    of: Problem,
    model: str,
    limit: float,
    *,
    step: float | None = None,
    seconds: float = 60.0,
    start: Mapping[int, float] | None = None,
    watch: Watch | None = None,
) -> Outcome:
    """One of the four programs, by the solver that is best at it; Ctrl-C ends it with what there is."""
    if model.endswith("MAXERR"):
        from headsup.distil.flops.programs.solver import solve_program

        return solve_program(of, model, limit, step=step, seconds=seconds, start=start, watch=watch)
    with until_stopped() as stop:
        # the longer it may take, the longer the hunt before a proof is tried: what is easy is over in a small share
        free = _average(of, model, limit, EARLY * seconds, start, watch)
        if not (free.proved or stop.asked()):
            free = _thorough(of, free, limit, (UNROUNDED if step is not None else 1.0) * seconds, watch, stop)
        return free if step is None else _in_steps(of, free, limit, step, seconds, watch, stop)


def _thorough(of: Problem, early: Outcome, limit: float, seconds: float, watch: Watch | None, stop: Stop) -> Outcome:
    """Go on from an early answer: a better formula by annealing, then proofs until time is up."""
    from headsup.distil.flops.average.anneal import Anneal

    begun = perf_counter()
    search = Anneal(of, early.weights, watch)
    with stop.ending():
        if early.model == "AVGERR":
            search.least(int(limit), begun + ANNEALED * seconds)
        else:
            search.fewest(limit, begun + ANNEALED * seconds)
        _shake(of, search, early, limit, begun + (ANNEALED + SHAKEN) * seconds)
    size = int(limit) if early.model == "AVGERR" else search.hunt.reach(limit) or len(early.weights)
    weights = search.weights(size)
    spent = early.seconds + perf_counter() - begun
    if stop.asked():
        value = of.average_error(weights) if early.model == "AVGERR" else float(len(weights))
        return replace(early, weights=weights, value=value, bound=min(early.bound, value), seconds=spent)
    last = _average(of, early.model, limit, max(seconds - spent, 0.0), weights, watch)
    bound = min(max(last.bound, early.bound), last.value)
    return replace(last, bound=bound, nodes=last.nodes + early.nodes, seconds=spent + last.seconds)


def _shake(of: Problem, search: Anneal, early: Outcome, limit: float, until: float) -> None:
    """Tell the annealing's hunt what the local search finds from its best set, or from one feature fewer."""
    import numpy as np

    from headsup.distil.flops.programs.average_fit import AverageFit
    from headsup.distil.flops.programs.local import searched

    if early.model == "AVGERR":
        most, enough = int(limit), 0.0
    else:
        most, enough = (search.hunt.reach(limit) or len(early.weights)) - 1, limit
    if most < 1:
        return
    begin = np.zeros(len(of.numbers), dtype=bool)
    known = search.hunt.best.get(most)
    if known is not None:
        begin[sorted(known[1])] = True
    found = searched(AverageFit(of), most, until, begin, enough=enough)
    search.hunt.note(frozenset(np.flatnonzero(found.weights).tolist()), found.error)


def _average(
    of: Problem, model: str, limit: float, seconds: float, start: Mapping[int, float] | None, watch: Watch | None
) -> Outcome:
    from headsup.distil.flops.average.solver import fewest_features, least_error

    if model == "AVGERR":
        return least_error(of, int(limit), seconds=seconds, start=start, watch=watch)
    return fewest_features(of, limit, seconds=seconds, start=start, watch=watch)


def _in_steps(
    of: Problem, free: Outcome, limit: float, step: float, seconds: float, watch: Watch | None, stop: Stop
) -> Outcome:
    """Round: weights in steps are never better than free ones, so their bound holds, and their features are a start."""
    from headsup.distil.flops.programs.solver import solve_program

    rest = min(1.0, seconds) if stop.asked() else max(seconds - free.seconds, 1.0)
    found = solve_program(
        of, free.model, limit, step=step, seconds=rest, start=free.weights, floor=free.bound, watch=watch
    )
    return replace(found, seconds=found.seconds + free.seconds)
