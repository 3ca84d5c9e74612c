"""Hands that fit a list of card descriptions, found for all hands at once.

A `Slot` describes one card: the set of cards it may be, and perhaps a rank variable and a suit variable. A hand fits a
list of slots if its cards can be assigned to the slots, one card a slot (cards may be left over), so that

1. each card is in its slot's set;
2. slots with the same variable hold the same rank (or suit), slots with different variables hold different ones;
3. a variable stands for none of the ranks (or suits) written out in the same list.

To match, try every assignment of slots to the places of a hand (at most 24); each is an *and* of precomputed arrays
over all hands. For four cards these are the 1,820 rank multisets if no slot mentions suits, the 16,432 classes up to
suits if suits appear as variables only, and all 270,725 hands otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from itertools import combinations, permutations
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
