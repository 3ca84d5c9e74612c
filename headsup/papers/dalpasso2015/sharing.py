"""What the programs of one hand and range say about each other.

The least error of n features falls with n, so

- a formula is a candidate for every program that allows as many features, or as much error, as it has;
- a bound for n features holds for fewer features too;
- if no n features reach an error, that error is a bound for n features; and if the bound for n features is above an
  error, it takes more than n to reach it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from headsup.distil.formulas.results import CLOSED, Result, Task

ROUNDING = 1e-9


def share(results: Iterable[Result]) -> list[Result]:
    """The same results, each with what the others of its pair know."""
    pairs: dict[tuple[str, str, int], list[Result]] = defaultdict(list)
    for one in results:
        pairs[one.task.hand, one.task.villain, one.task.places].append(one)
    return [_informed(one, pair) for pair in pairs.values() for one in pair]


def best_formula(task: Task, pair: Sequence[Result]) -> Result | None:
    """The result whose formula is the best answer to a program of the same pair, if any is one at all."""
    if task.model == "AVGERR":
        fit = [one for one in pair if len(one.weights) <= task.limit]
        return min(fit, key=lambda one: one.average_error, default=None)
    fit = [one for one in pair if one.average_error <= task.limit + ROUNDING]
    return min(fit, key=lambda one: (len(one.weights), one.average_error), default=None)


def _informed(one: Result, pair: Sequence[Result]) -> Result:
    task, best = one.task, best_formula(one.task, pair)
    assert best is not None
    errors = task.model == "AVGERR"
    better = replace(
        one,
        value=best.average_error if errors else float(len(best.weights)),
        average_error=best.average_error,
        max_error=best.max_error,
        weights=best.weights,
    )
    if better.value > one.value - ROUNDING:
        better = one
    if errors:
        bound = max(_least_error(int(task.limit), pair), one.bound)
    else:
        # so many features are too few, as far as is known
        poor = [n for n in range(int(better.value)) if _least_error(n, pair) > task.limit + ROUNDING]
        bound = max(one.bound, float(max(poor, default=-1) + 1))
    bound = min(bound, better.value)
    return replace(better, bound=bound, proved=one.proved or better.value - bound <= CLOSED)


def _least_error(n: int, pair: Sequence[Result]) -> float:
    """A bound for the error of n features."""
    of_errors = [one.bound for one in pair if one.task.model == "AVGERR" and one.task.limit >= n]
    of_numbers = [one.task.limit for one in pair if one.task.model == "FEAT_AVGERR" and one.bound > n]
    return max([*of_errors, *of_numbers], default=0.0)
