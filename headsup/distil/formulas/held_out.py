"""The error of a formula on flops that its weights have not seen.

The flops are dealt at random into five parts. Each part in turn is held out, and the weights are fitted again on the
other four. The choice of the features has seen all flops.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from headsup.common.stop import until_stopped
from headsup.distil.formulas.formula import Formula
from headsup.distil.formulas.problem import Bools, Problem
from headsup.distil.formulas.solving import solve

FOLDS = 5
SECONDS = 1.0  # for the weights of one part; only rounded weights need a search at all


@dataclass(frozen=True)
class HeldOut:
    """Errors on the parts held out, as fractions of the pot."""

    folds: int
    average_error: float
    max_error: float

    def as_dict(self) -> dict[str, Any]:
        return {"folds": self.folds, "average_error": self.average_error, "max_error": self.max_error}


def held_out(formula: Formula) -> HeldOut:
    """Refit the weights without each fifth of the flops in turn, and measure them there."""
    of, numbers = formula.problem, sorted(formula.weights)
    folds = min(FOLDS, len(of.row))
    fold = np.random.default_rng(1).permutation(len(of.row)) % folds
    total = worst = 0.0
    for part in range(folds):
        seen, unseen = fold != part, fold == part
        if not seen.any():
            seen = unseen
        learnt = _weights(restricted(of, numbers, seen), formula.objective, formula.step) if numbers else {}
        errors = np.abs(of.cut_estimates(learnt)[of.row[unseen]] - of.equity[unseen])
        total += float(errors @ of.weight[unseen])
        worst = max(worst, float(errors.max()))
    return HeldOut(folds, total / of.total, worst)


def _weights(part: Problem, objective: str, step: float | None) -> Mapping[int, float]:
    if step is None:
        from headsup.distil.formulas.subset.fits import HandFit

        fit = HandFit(part, objective == "max")
        return fit.formula(fit.fit(frozenset(range(fit.width))).weights)
    model = "MAXERR" if objective == "max" else "AVGERR"
    with until_stopped() as stop:
        outcome = solve(part, model, len(part.numbers), step=step, seconds=SECONDS)
        if stop.asked():
            raise KeyboardInterrupt  # there are no weights to measure
    return outcome.weights


def restricted(of: Problem, numbers: Sequence[int], points: Bools) -> Problem:
    """The problem with these features and points only."""
    columns = np.unique(of.columns(numbers))
    columns = columns[columns >= 0]
    matrix, row = np.unique(of.matrix[:, columns][of.row[points]], axis=0, return_inverse=True)
    row = row.reshape(-1).astype(np.int64)
    order = np.lexsort((of.equity[points], row))
    return replace(
        of,
        numbers=of.numbers[columns],
        matrix=matrix,
        row=row[order],
        equity=of.equity[points][order],
        weight=of.weight[points][order],
        same={},
        never=(),
        flops=of.flops[:0],
        flop_row=of.flop_row[:0],
        flop_equity=of.flop_equity[:0],
    )
