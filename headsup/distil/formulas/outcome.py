"""The outcome of a solver: a formula, its value and its bound."""

from dataclasses import dataclass


def in_points(fraction: float) -> str:
    """A fraction of the pot in words: `1 point`, `2.5 points`."""
    return f"{100 * fraction:g} point{'s' * (f'{100 * fraction:g}' != '1')}"


@dataclass(frozen=True, eq=False)
class Outcome:
    """The best formula found for one of the four models, with the bound that no formula can beat."""

    model: str
    """`AVGERR` or `MAXERR` (least error with so many features), `FEAT_AVGERR` or `FEAT_MAXERR` (fewest features)."""
    weights: dict[int, float]  # number of the feature in the paper -> weight, from -1 to 1
    value: float  # the error as a fraction of the pot, or the number of features
    bound: float  # proved: no formula of the model has a lower value
    proved: bool  # the value is the bound, up to rounding of floats
    nodes: int
    seconds: float
    how: str  # one clause on how the answer was found
