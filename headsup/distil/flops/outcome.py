"""What a solver says: a line now and then, and in the end a formula, its value, and what is proved about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

Watch = Callable[[str], None]
"""Who wants to know how a solver is doing."""


def in_points(fraction: float) -> str:
    """A fraction of the pot in words: `1 point`, `2.5 points`."""
    return f"{100 * fraction:g} point{'s' * (f'{100 * fraction:g}' != '1')}"


@dataclass(frozen=True, eq=False)
class Outcome:
    """The best formula found for one of the four models, with the bound that no formula can beat."""

    model: str
    """`AVGERR` or `MAXERR` (least error with so many features), `FEAT_AVGERR` or `FEAT_MAXERR` (fewest features)."""
    weights: dict[int, float]
    """Number of the feature in the paper -> weight, from -1 to 1."""
    value: float
    """The error as a fraction of the pot, or the number of features."""
    bound: float
    """Proved: no formula of the model has a lower value."""
    proved: bool
    """The value is the bound, up to rounding of floats."""
    nodes: int
    seconds: float
    how: str
    """One clause on how the answer was found."""

    @property
    def gap(self) -> float:
        """How far below the value the true optimum could lie."""
        return max(0.0, self.value - self.bound)


class Progress:
    """Lines on how a solver is doing, passed on at most once a second."""

    def __init__(self, watch: Watch | None, *, at_once: bool = False) -> None:
        self.watch = watch
        self.told = 0.0 if at_once else perf_counter()

    def tell(self, text: str) -> None:
        """Pass a line on, if it is time for one."""
        now = perf_counter()
        if self.watch is not None and now - self.told >= 1.0:
            self.told = now
            self.watch(text)
