"""Hands that fit a list of card descriptions, found for all hands at once.

A hand fits a list of `Slot`s if its cards can be assigned to them so that each card is in its slot's set, slots with
the same variable hold the same rank (or suit), slots with different variables different ones, and a variable stands for
nothing written out in the list. Every assignment (at most 24) is an *and* of arrays over rank multisets, classes up to
suits, or all hands, whichever is the least that the slots need.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from itertools import combinations, permutations
from math import comb
from operator import and_, or_
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import FULL_MASK
from headsup.cards.classes import card_classes, rank_multiset_index
from headsup.cards.combos import colex, combos
from headsup.cards.ranges.weights import lift

Mask = npt.NDArray[np.bool_]
ACE = 12
_ONE_SUIT = sum(1 << 4 * rank for rank in range(13))


def cards_of_ranks(ranks: Sequence[int]) -> int:
    """The mask of every card with one of these ranks."""
    return sum(15 << 4 * rank for rank in set(ranks))


def cards_of_suits(suits: Sequence[int]) -> int:
    """The mask of every card with one of these suits."""
    return sum(_ONE_SUIT << suit for suit in set(suits))


@dataclass(frozen=True)
class Slot:
    """One card of a pattern: what it may be. `rank` and `suit` are -1 unless that very rank or suit was written out."""

    cards: int = FULL_MASK
    rank: int = -1
    suit: int = -1
    rank_variable: str = ""
    suit_variable: str = ""

    def shifted(self, steps: int) -> Slot:
        """The slot with its written-out rank moved up by some steps."""
        rank = self.rank + steps
        suits = cards_of_ranks([rank]) if self.suit < 0 else 1 << 4 * rank + self.suit
        return replace(self, rank=rank, cards=suits)


class _Hands(NamedTuple):
    """A list of hands as columns: the card, rank and suit in each place."""

    cards: list[npt.NDArray[np.uint8]]
    same_rank: dict[tuple[int, int], Mask]
    same_suit: dict[tuple[int, int], Mask]


@cache
def _hands(n: int, level: str) -> _Hands:
    rows: npt.NDArray[np.uint8]
    if level == "combos":
        rows = combos(n)
    elif level == "classes":
        rows = card_classes(n).reps
    else:
        rows = card_classes(n).reps[card_classes(n).starts[:-1]] & np.uint8(0xFC)
    columns = [np.ascontiguousarray(column) for column in rows.T]
    pairs = list(combinations(range(n), 2))
    same_rank = {(i, j): columns[i] >> 2 == columns[j] >> 2 for i, j in pairs}
    same_suit = {(i, j): columns[i] & 3 == columns[j] & 3 for i, j in pairs}
    return _Hands(columns, same_rank, same_suit)


def match(slots: Sequence[Slot], n: int) -> Mask:
    """Which hands of n cards fit the slots: one bool a class, or one bool a combo if a slot writes a suit out."""
    slots = _without_literals(slots)
    single = _one_class(slots, n)
    if single is not None:
        return single
    whole_ranks = all(_is_whole_ranks(slot.cards) for slot in slots)
    level = "combos" if not whole_ranks else "classes" if any(slot.suit_variable for slot in slots) else "ranks"
    fits = _match_level(slots, n, level)
    if level == "ranks":
        return np.repeat(fits, np.diff(card_classes(n).starts))
    return fits


def exact_hand(slots: Sequence[Slot], n: int) -> int | None:
    """The colex index of the hand if the slots write out n different cards, else None."""
    cards = {4 * slot.rank + slot.suit for slot in slots if slot.rank >= 0 and slot.suit >= 0}
    return colex(cards) if len(slots) == len(cards) == n else None


def _one_class(slots: Sequence[Slot], n: int) -> Mask | None:
    """A shortcut for n written-out ranks: one class if each has a suit variable, one rank multiset if none has."""
    named = {bool(slot.suit_variable) for slot in slots}
    if len(slots) != n or len(named) != 1 or any(slot.rank < 0 or slot.suit >= 0 for slot in slots):
        return None
    classes = card_classes(n)
    fits = np.zeros(len(classes.sizes), dtype=np.bool_)
    if not named.pop():
        if not all(_is_whole_ranks(slot.cards) for slot in slots):
            return None
        multiset = int(rank_multiset_index([slot.rank for slot in slots]))
        fits[classes.starts[multiset] : classes.starts[multiset + 1]] = True
        return fits
    names = sorted({slot.suit_variable for slot in slots})
    cards = {4 * slot.rank + names.index(slot.suit_variable) for slot in slots}
    if len(cards) == n:
        fits[classes.of_combo[colex(cards)]] = True
    return fits


def _is_whole_ranks(cards: int) -> bool:
    return all(cards & _ONE_SUIT == cards >> suit & _ONE_SUIT for suit in range(1, 4))


def _without_literals(slots: Sequence[Slot]) -> tuple[Slot, ...]:
    """Take the ranks and suits that are written out away from the variables."""
    ranks = cards_of_ranks([slot.rank for slot in slots if slot.rank >= 0])
    suits = cards_of_suits([slot.suit for slot in slots if slot.suit >= 0])
    taken = []
    for slot in slots:
        cards = slot.cards & ~(ranks if slot.rank_variable else 0) & ~(suits if slot.suit_variable else 0)
        taken.append(replace(slot, cards=cards))
    return tuple(taken)


def _match_level(slots: tuple[Slot, ...], n: int, level: str) -> Mask:
    hands = _hands(n, level)
    fits: dict[int, list[Mask]] = {}
    for mask in {slot.cards for slot in slots} - {FULL_MASK}:
        table = np.array([mask >> card & 1 for card in range(52)], dtype=np.bool_)
        fits[mask] = [table[column] for column in hands.cards]
    matching = np.zeros(len(hands.cards[0]), dtype=np.bool_)
    for places in permutations(range(n), len(slots)):
        if _is_mirror(slots, places):
            continue
        tests = [fits[slot.cards][place] for slot, place in zip(slots, places, strict=True) if slot.cards != FULL_MASK]
        tests += _variable_tests(slots, places, hands)
        if not tests:
            return np.ones_like(matching)
        matching |= reduce(and_, tests)
    return matching


def _is_mirror(slots: tuple[Slot, ...], places: tuple[int, ...]) -> bool:
    """Whether swapping two equal slots gives an assignment that comes earlier, so this one adds nothing."""
    pairs = combinations(range(len(slots)), 2)
    return any(slots[i] == slots[j] and places[i] > places[j] for i, j in pairs)


def _variable_tests(slots: tuple[Slot, ...], places: tuple[int, ...], hands: _Hands) -> list[Mask]:
    tests = []
    for i, j in combinations(range(len(slots)), 2):
        pair = (min(places[i], places[j]), max(places[i], places[j]))
        first, second = slots[i], slots[j]
        if first.rank_variable and second.rank_variable:
            same = hands.same_rank[pair]
            tests.append(same if first.rank_variable == second.rank_variable else ~same)
        if first.suit_variable and second.suit_variable:
            same = hands.same_suit[pair]
            tests.append(same if first.suit_variable == second.suit_variable else ~same)
    return tests


def match_any(alternatives: Sequence[Sequence[Slot]], n: int) -> Mask:
    """Which hands fit at least one list of slots."""
    masks = [match(slots, n) for slots in alternatives]
    length = max(map(len, masks))
    return reduce(or_, (lift(mask, length, n) for mask in masks))


CARD_MACROS = {
    "$B": "AKQJ",  # big
    "$R": "AKQJT",  # Broadway
    "$F": "KQJ",  # face
    "$N": "KQJT9",  # no low card
    "$M": "T987",  # middle
    "$Z": "65432",  # small
    "$L": "A8765432",  # low for eight-or-better
    "$W": "A5432",  # wheel
}

_SUIT_COUNTS: dict[int, dict[str, tuple[int, ...]]] = {
    4: {"$ds": (2, 2), "$ss": (2, 1, 1), "$ts": (3, 1), "$ms": (4,), "$rb": (1, 1, 1, 1)},
    2: {"$s": (2,), "$o": (1, 1)},
}
_RANK_COUNTS: dict[int, dict[str, set[tuple[int, ...]]]] = {
    4: {
        "$np": {(1, 1, 1, 1)},
        "$op": {(2, 1, 1)},
        "$tp": {(2, 2)},
        "$nt": {(1, 1, 1, 1), (2, 1, 1), (2, 2)},
    },
    2: {"$np": {(1, 1)}, "$op": {(2,)}},
}


def hand_macro_names(n: int) -> list[str]:
    """The hand macros for n-card hands, gap macros as one entry."""
    return [*_SUIT_COUNTS[n], *_RANK_COUNTS[n], "$0g"]


@cache
def match_macro(name: str, n: int) -> Mask | None:
    """Which classes of n-card hands pass a hand macro; None if there is no such macro for these hands."""
    reps = card_classes(n).reps
    if name in _SUIT_COUNTS[n]:
        return _counts_are(reps & 3, {_SUIT_COUNTS[n][name]})
    ranks = reps >> 2
    if name in _RANK_COUNTS[n]:
        return _counts_are(ranks, _RANK_COUNTS[n][name])
    if len(name) == 3 and name[1] in "0123456789" and name[2] == "g":
        gaps = ranks[:, -1].astype(np.int64) - ranks[:, 0] - (n - 1)
        return np.asarray((ranks[:, 1:] > ranks[:, :-1]).all(axis=1) & (gaps == int(name[1])))
    return None


def _counts_are(values: npt.NDArray[np.integer], wanted: set[tuple[int, ...]]) -> Mask:
    """Whether each row has one of these shapes: how often its values occur, most frequent first."""
    # the number of equal pairs determines the shape of at most four values
    equal = np.zeros(len(values), dtype=np.int8)
    for a, b in combinations(values.T, 2):
        equal += a == b
    return np.isin(equal, [sum(comb(often, 2) for often in shape) for shape in wanted])
