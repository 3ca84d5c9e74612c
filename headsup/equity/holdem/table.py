"""Every hold'em matchup before the flop: all pairs of the 1,326 combos, and of the 169 hand classes (see `preflop`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import cards_name, parse_cards
from headsup.cards.classes import (
    HOLDEM_CLASSES,
    holdem_class_name,
    holdem_class_of_combo,
    holdem_class_reps,
    holdem_class_sizes,
    parse_holdem_class,
)
from headsup.cards.combos import colex_array, combo_masks, holdem_combos, holdem_index
from headsup.common.errors import UserError
from headsup.equity.holdem.preflop import pair_counts
from headsup.equity.question import Question, exact_sum

BOARDS = comb(48, 5)  # the boards that two disjoint hands leave: 1,712,304


@dataclass(frozen=True, repr=False)
class PairTable(ABC):
    """Exact counts of each row's deals against each column, and views of them."""

    wins: npt.NDArray[Any]
    ties: npt.NDArray[Any]
    deals: npt.NDArray[Any]  # 0 where the two never meet

    @property
    @abstractmethod
    def labels(self) -> tuple[str, ...]:
        """The name of each row and column."""

    @abstractmethod
    def index(self, text: str) -> int:
        """The row and column that a text names."""

    @property
    def losses(self) -> npt.NDArray[Any]:
        return np.asarray(self.deals - self.wins - self.ties)

    def equities(self) -> npt.NDArray[np.float64]:
        """The row's share of the pot against the column, float64; nan where the two never meet."""
        with np.errstate(invalid="ignore"):
            return np.asarray((2.0 * self.wins + self.ties) / (2.0 * self.deals))

    def equity(self, a: str, b: str) -> Fraction:
        """The exact share of one hand against another, by name: ("AA", "KK"), or of combos ("AsAh", "KdKc")."""
        row, column = self.index(a), self.index(b)
        deals = int(self.deals[row, column])
        if not deals:
            raise UserError(f"'{a}' and '{b}' never meet: they share a card")
        return Fraction(2 * int(self.wins[row, column]) + int(self.ties[row, column]), 2 * deals)

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """One row a pair that can meet, as columns of equal length, ready for a data frame."""
        names, deals = np.array(self.labels), self.deals
        row, column = np.nonzero(deals)
        columns: dict[str, npt.NDArray[Any]] = {"hand": names[row], "against": names[column]}
        for name, counts in (("wins", self.wins), ("ties", self.ties), ("losses", self.losses), ("deals", deals)):
            columns[name] = counts[row, column]
        return columns | {"equity": self.equities()[row, column]}

    def __repr__(self) -> str:
        names = self.labels
        size = f"{len(names):,} x {len(names):,}"
        return f"<{type(self).__name__}: {size} hands, {names[0]} to {names[-1]}; wins, ties and losses exactly>"


@dataclass(frozen=True, repr=False)
class HoldemTable(PairTable):
    """Exact counts of class against class over all disjoint suit pairings and all boards: int64[169, 169] each."""

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(map(holdem_class_name, range(HOLDEM_CLASSES)))

    def index(self, text: str) -> int:
        """The class that a text names: AKs, 77, or two cards."""
        return parse_holdem_class(text)


@dataclass(frozen=True, repr=False)
class ComboTable(PairTable):
    """Exact counts of combo against combo over all 1,712,304 boards: int32[1326, 1326], 0 where they share a card."""

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(cards_name(reversed(cards)) for cards in holdem_combos().tolist())

    def index(self, text: str) -> int:
        """The combo that a text names, two cards in either order."""
        cards = parse_cards(text)
        if len(cards) != 2:
            raise UserError(f"'{text}' is not one hold'em hand: write two cards, for example AsKh")
        return int(holdem_index()[cards])


def _disjoint() -> npt.NDArray[np.bool_]:
    """bool[1326, 1326]: whether two combos share no card."""
    masks = combo_masks(2)
    return np.asarray((masks[:, None] & masks[None, :]) == 0)


@cache
def combo_table() -> ComboTable:
    every, free = np.arange(1326, dtype=np.int32), _disjoint()
    wins, ties = (np.where(free, counts, 0).astype(np.int32) for counts in pair_counts(every, every))
    return ComboTable(wins, ties, deals=np.where(free, np.int32(BOARDS), np.int32(0)))


@cache
def holdem_table() -> HoldemTable:
    """All pairs of the 169 classes, AA, AKs, .. 22; one combo of the row's class is counted for all, by symmetry."""
    reps = colex_array(holdem_class_reps()).astype(np.int32)
    masks, classes = combo_masks(2), holdem_class_of_combo()
    order = np.argsort(classes, kind="stable").astype(np.int32)
    free = (masks[reps, None] & masks[None, order]) == 0
    starts, sizes = np.searchsorted(classes[order], np.arange(HOLDEM_CLASSES)), holdem_class_sizes()[:, None]
    tables = (np.where(free, counts, 0) for counts in (*pair_counts(reps, order), np.int64(BOARDS)))
    return HoldemTable(*(np.add.reduceat(counts, starts, axis=1) * sizes for counts in tables))


def table_counts(question: Question) -> tuple[int, int, int]:
    """(win, tie, lose) of range against range before the flop, without dead cards: a weighted sum over the table."""
    table = combo_table()
    mine, theirs = question.a.combos, question.b.combos
    win, tie = (
        exact_sum(question.a.weights * (counts[np.ix_(mine, theirs)].astype(np.int64) @ question.b.weights))
        for counts in (table.wins, table.ties)
    )
    return win, tie, question.deals - win - tie


def table_cost() -> float:
    """Roughly how many seconds `combo_table` takes now: in memory, or from what ships."""
    return 0.5e-3 if combo_table.cache_info().currsize else 0.2
