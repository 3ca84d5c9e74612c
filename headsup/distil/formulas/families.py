"""Formulas for a family of hands that look at the same features: one list to learn, a row of weights for each hand.

The error of a family is the mean of its hands' average errors, or the largest of their largest errors.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from headsup.common.errors import UserError
from headsup.common.progress import Watch
from headsup.distil.formulas.features import FEATURES
from headsup.distil.formulas.formula import Formula, check_limits, measured, one_hand, program_of
from headsup.distil.formulas.problem import Problem, problem
from headsup.distil.formulas.subset.family import FamilyOutcome, family_program


@dataclass(frozen=True, eq=False)
class Family:
    """Formulas of several hands against one range on the same features."""

    formulas: tuple[Formula, ...]
    outcome: FamilyOutcome

    @property
    def features(self) -> tuple[int, ...]:
        """The numbers of the chosen features; a feature may have no weight for some of the hands."""
        return self.outcome.features

    def as_dict(self) -> dict[str, Any]:
        """For JSON; errors and weights as fractions of the pot."""
        first = self.formulas[0]
        return {
            "hands": [formula.hand for formula in self.formulas],
            "range": first.villain,
            "objective": first.objective,
            "features": [{"id": f"F{number}", "text": FEATURES[number - 1].text} for number in self.features],
            "average_error": sum(formula.average_error for formula in self.formulas) / len(self.formulas),
            "max_error": max(formula.max_error for formula in self.formulas),
            "bound": self.outcome.bound,
            "bound_of": first.bound_of,
            "proved": self.outcome.proved,
            "seconds": round(self.outcome.seconds, 3),
            "nodes": self.outcome.nodes,
            "how": self.outcome.how,
            "step": first.step,
            "formulas": [formula.as_dict() for formula in self.formulas],
        }


def family_formulas(
    hands: Sequence[str],
    villain: str,
    *,
    features: int | None = None,
    error: float | None = None,
    objective: str = "average",
    step: float | None = None,
    seconds: float = 60.0,
    watch: Watch | None = None,
) -> Family:
    """The best features for all these hands together; everything else as in `flop_formula`."""
    check_limits(features, error, objective, step, seconds)
    names = [one_hand(hand, villain) for hand in hands]
    if len(set(names)) < len(names):
        raise UserError(f"'{','.join(hands)}' names a hand twice: give each hand once")
    problems = [problem(name, villain) for name in names]
    model, limit = program_of(features, error, objective)
    outcome = family_program(problems, model, limit, step=step, seconds=seconds, watch=watch)
    formulas = []
    for hand, of, own in zip(hands, problems, outcome.hands, strict=True):
        shared = replace(own, model=model, bound=outcome.bound, proved=outcome.proved, seconds=outcome.seconds)
        shared = replace(shared, weights=_renamed(of, own.weights, outcome.features))
        formulas.append(measured(hand, of, shared, step))
    return Family(tuple(formulas), outcome)


def _renamed(of: Problem, weights: Mapping[int, float], features: Sequence[int]) -> dict[int, float]:
    """A hand's weights under the family's numbers: features that hold on the same flops share one number."""
    names: dict[int, int] = {}
    for number in features:
        names.setdefault(of.same.get(number, number), number)
    return {names[number]: weight for number, weight in weights.items()}
