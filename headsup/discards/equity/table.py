"""The shipped equities with swaps: counts of every hand class against a random hand, both following the rule."""

from dataclasses import dataclass
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import HOLDEM_CLASSES, holdem_class, holdem_class_name, holdem_class_of_combo
from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import DataError
from headsup.common.files import parsed, read_shipped
from headsup.equity.question import Question, Side
from headsup.equity.results import Z95, Interval

DATA = Path(__file__).parent / "data" / "swap_equities.txt"
Counts = npt.NDArray[np.int64]
BEFORE = 0.97  # of the difference of two equities against a random hand


@dataclass(frozen=True, eq=False)
class SwapTable:
    """Counts of random deals of each hand class against a random hand."""

    counts: Counts  # [169, 3] deals that the class wins, ties and loses, in the order of the chart
    seed: int

    @property
    def deals(self) -> int:
        return int(self.counts[0].sum())

    @property
    def equities(self) -> npt.NDArray[np.float64]:
        return np.asarray((self.counts[:, 0] + self.counts[:, 1] / 2) / self.deals)

    @property
    def margins(self) -> npt.NDArray[np.float64]:
        """[169] half the width of the 95 % confidence intervals."""
        squares = (self.counts[:, 0] + self.counts[:, 1] / 4) / self.deals
        return np.asarray(Z95 * np.sqrt((squares - self.equities**2) / self.deals))

    def of_side(self, side: Side) -> tuple[Counts, Interval]:
        """A range's counts against a random hand, and the confidence interval of its equity."""
        weights = np.zeros(HOLDEM_CLASSES, dtype=np.int64)
        np.add.at(weights, holdem_class_of_combo()[side.combos], side.weights)
        weights //= np.gcd.reduce(weights)
        shares = weights / weights.sum()
        mean, margin = float(shares @ self.equities), sqrt(float((shares**2) @ self.margins**2))
        return weights @ self.counts, Interval(mean - margin, mean + margin)


@cache
def swap_table() -> SwapTable:
    text = read_shipped(DATA).decode()
    return parsed(DATA, lambda: parse_table(text), "a table of equities")


def parse_table(text: str) -> SwapTable:
    _, head, *lines = text.splitlines()
    rows = [line.split() for line in lines]
    counts = np.array([row[1:] for row in rows], dtype=np.int64)
    names = [holdem_class_name(i) for i in range(HOLDEM_CLASSES)]
    if [row[0] for row in rows] != names or counts.shape != (169, 3) or len(set(counts.sum(axis=1).tolist())) != 1:
        raise DataError("the table of equities with swaps is not whole: reinstall headsup")
    return SwapTable(counts, int(head.split()[1]))


def table_text(table: SwapTable, rule: str = "the report's rule") -> str:
    """A table as text, for `parse_table`; its head names the `rule`."""
    head = f"# Random deals with swaps by {rule}, hand class against a random hand: wins, ties, losses"
    rows = [f"{holdem_class_name(i)} {w} {t} {lost}" for i, (w, t, lost) in enumerate(table.counts.tolist())]
    return "\n".join([head, f"seed {table.seed}", *rows]) + "\n"


def random_side(question: Question) -> int | None:
    """The side (0 or 1) that holds every hand with equal weight, without known cards; 1 if both do, else None."""
    if question.board or question.dead:
        return None
    for number, side in ((1, question.b), (0, question.a)):
        if len(side.combos) == 1326 and (side.weights == side.weights[0]).all():
            return number
    return None


def equity_before(holes: tuple[tuple[int, ...], tuple[int, ...]]) -> float:
    """The equity of seat 0 before the flop; the equities of both seats add up to 1."""
    return float(_before(holes[0], holdem_class(list(holes[1]))))


def equities_before(hole: tuple[int, ...]) -> Floats:
    """[1326] the same of a hand against every other."""
    return np.asarray(_before(hole, holdem_class_of_combo()))


@cache
def combo_equities() -> Floats:
    """[1326] the equity of each hand against a random one."""
    return np.asarray(swap_table().equities[holdem_class_of_combo()])


def _before(hole: tuple[int, ...], others: int | AnyArray) -> Any:
    """A hand's equity before the flop against hands of other classes."""
    known = swap_table().equities
    return 0.5 + BEFORE * (known[holdem_class(list(hole))] - known[others])
