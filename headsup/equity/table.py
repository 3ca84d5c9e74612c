"""Every hold'em matchup before the flop: all pairs of the 1,326 combos, and of the 169 hand classes.

The two factor tables of `preflop` (a megabyte) are computed once and kept in the user's cache folder. From them every
pair of combos is one rank term plus four suit look-ups, and a pair of classes is the sum over all its pairs of
disjoint combos.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.backend import jit
from headsup.cache import cached_arrays, is_cached
from headsup.cards.classes import holdem_class_of_combo, parse_holdem_class
from headsup.cards.combos import combo_masks, holdem_combos
from headsup.equity.preflop import factors
from headsup.equity.rankboards import kind_index, pair_index
from headsup.equity.spot import Spot, exact_sum

BOARDS = comb(48, 5)
"""The boards that two disjoint hands leave: 1,712,304."""
VERSION = 1
_NAME = "holdem-factors"


@dataclass(frozen=True)
class HoldemTable:
    """Exact counts of class against class over all disjoint suit pairings and all boards: int64[169, 169] each."""

    wins: npt.NDArray[np.int64]
    ties: npt.NDArray[np.int64]
    deals: npt.NDArray[np.int64]

    @property
    def losses(self) -> npt.NDArray[np.int64]:
        """Deals that the row's class loses to the column's."""
        return self.deals - self.wins - self.ties

    def equities(self) -> npt.NDArray[np.float64]:
        """float64[169, 169]: the row's share of the pot against the column."""
        return (2 * self.wins + self.ties) / (2 * self.deals)

    def equity(self, a: str, b: str) -> Fraction:
        """The exact share of one class against another, by name: equity("AA", "KK")."""
        row, column = parse_holdem_class(a), parse_holdem_class(b)
        quotient = 2 * int(self.wins[row, column]) + int(self.ties[row, column])
        return Fraction(quotient, 2 * int(self.deals[row, column]))


@dataclass(frozen=True)
class ComboTable:
    """Exact counts of combo against combo over all 1,712,304 boards: int32[1326, 1326], 0 where they share a card."""

    wins: npt.NDArray[np.int32]
    ties: npt.NDArray[np.int32]


@jit
def _assemble(pairs: Any, kinds: Any, masks: Any, ranks: Any, suits: Any, wins: Any, ties: Any) -> None:
    for a in range(pairs.shape[0]):
        for b in range(pairs.shape[0]):
            if masks[a] & masks[b]:
                continue
            win = ranks[pairs[a], pairs[b], 0]
            tie = ranks[pairs[a], pairs[b], 1]
            for s in range(4):
                win += suits[kinds[a, s], kinds[b, s], 0]
                tie += suits[kinds[a, s], kinds[b, s], 1]
            wins[a, b] = win
            ties[a, b] = tie


@cache
def combo_table() -> ComboTable:
    """All pairs of combos; the factors come from the cache folder, or are computed in seconds and put there."""
    ranks, suits = cached_factors()
    cards = holdem_combos() >> 2
    pairs = pair_index()[cards[:, 0], cards[:, 1]].astype(np.int64)
    wins = np.zeros((1326, 1326), dtype=np.int32)
    ties = np.zeros((1326, 1326), dtype=np.int32)
    _assemble(pairs, kind_index().astype(np.int64), np.array(combo_masks(2)), ranks, suits, wins, ties)
    return ComboTable(wins, ties)


@cache
def holdem_table() -> HoldemTable:
    """All pairs of the 169 classes, in the order of `headsup.cards.classes`: AA, AKs, .. 22."""
    table, classes = combo_table(), holdem_class_of_combo()
    masks = combo_masks(2)
    free = (masks[:, None] & masks[None, :]) == 0
    return HoldemTable(
        wins=_by_class(table.wins, classes),
        ties=_by_class(table.ties, classes),
        deals=_by_class(free, classes) * BOARDS,
    )


def table_counts(spot: Spot) -> tuple[int, int, int]:
    """(win, tie, lose) of range against range before the flop, without dead cards: a weighted sum over the table."""
    table = combo_table()
    mine, theirs = spot.a.combos, spot.b.combos
    win, tie = (
        exact_sum(spot.a.weights * (counts[np.ix_(mine, theirs)].astype(np.int64) @ spot.b.weights))
        for counts in (table.wins, table.ties)
    )
    return win, tie, spot.deals - win - tie


def _by_class(counts: npt.NDArray[Any], classes: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Rows, then columns, added up by class."""
    order = np.argsort(classes, kind="stable")
    starts = np.searchsorted(classes[order], np.arange(169))
    rows = np.add.reduceat(counts[order].astype(np.int64), starts, axis=0)
    return np.asarray(np.add.reduceat(rows[:, order], starts, axis=1))


def table_cost() -> float:
    """Roughly how many seconds `combo_table` takes now: in memory, in the cache folder, or from nothing."""
    if combo_table.cache_info().currsize:
        return 0.5e-3
    return 0.1 if is_cached(_NAME, VERSION) else 6.0


def cached_factors() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """`preflop.factors`, from the cache folder where it is there and whole."""
    stored = cached_arrays(_NAME, VERSION, lambda: dict(zip(("ranks", "suits"), factors(), strict=True)))
    return stored["ranks"], stored["suits"]
