"""What the programs of one hand and range imply for each other. The least error of n features falls with n, so

- a formula is feasible for every program that allows as many features, or as much error, as it has;
- a bound for n features holds for fewer features too;
- if no n features reach an error, that error is a bound for n features; and if the bound for n features is above an
  error, it takes more than n to reach it.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from headsup.distil.formulas.results import CLOSED, Result, Task

ROUNDING = 1e-9


def share(results: Iterable[Result]) -> list[Result]:
    """The same results, each improved by the others of its pair."""
    pairs: dict[tuple[str, str, int], list[Result]] = defaultdict(list)
    for result in results:
        pairs[result.task.hand, result.task.villain, result.task.places].append(result)
    return [_informed(result, pair) for pair in pairs.values() for result in pair]


def best_formula(task: Task, pair: Sequence[Result]) -> Result | None:
    """The result with the best formula for a program of the same pair, if any formula is feasible."""
    if task.model == "AVGERR":
        fit = [result for result in pair if len(result.weights) <= task.limit]
        return min(fit, key=lambda result: result.average_error, default=None)
    fit = [result for result in pair if result.average_error <= task.limit + ROUNDING]
    return min(fit, key=lambda result: (len(result.weights), result.average_error), default=None)


def implied(task: Task, pair: Sequence[Result]) -> Result | None:
    """The best formula and bound that results of one pair have for a program of it, itself among them or not."""
    own = next((result for result in pair if result.task == task), None)
    if own is not None:
        return _informed(own, pair)
    best = best_formula(task, pair)
    if best is None:
        return None
    value = best.average_error if task.model == "AVGERR" else float(len(best.weights))
    how = "follows from programs of the same hand and range"
    return _informed(replace(best, task=task, value=value, bound=0.0, proved=False, nodes=0, how=how), pair)


def _informed(result: Result, pair: Sequence[Result]) -> Result:
    task, best = result.task, best_formula(result.task, pair)
    assert best is not None
    errors = task.model == "AVGERR"
    better = replace(
        result,
        value=best.average_error if errors else float(len(best.weights)),
        average_error=best.average_error,
        max_error=best.max_error,
        weights=best.weights,
    )
    if better.value > result.value - ROUNDING:
        better = result
    if errors:
        bound = max(_least_error(int(task.limit), pair), result.bound)
    else:
        # so many features are too few, as far as is known
        poor = [n for n in range(int(better.value)) if _least_error(n, pair) > task.limit + ROUNDING]
        bound = max(result.bound, float(max(poor, default=-1) + 1))
    bound = min(bound, better.value)
    return replace(better, bound=bound, proved=result.proved or better.value - bound <= CLOSED)


def _least_error(n: int, pair: Sequence[Result]) -> float:
    """A lower bound for the error of n features."""
    of_errors = [result.bound for result in pair if result.task.model == "AVGERR" and result.task.limit >= n]
    of_numbers = [result.task.limit for result in pair if result.task.model == "FEAT_AVGERR" and result.bound > n]
    return max([*of_errors, *of_numbers], default=0.0)
