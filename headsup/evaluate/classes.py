"""The 7,462 classes of five-card hands, in order, and the eight-or-better lows.

A class is its category and its five ranks with the deciding ones first, so classes compare as the hands do; a class's
value is its place among all, counted from one. One to four cards have a class too, for what they have made so far.
"""

from __future__ import annotations

import functools
import itertools
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)
CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
CLASSES = 7462
LOWS = 56
LOW_BITS = (2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 1)
"""The bit of each rank, deuce first, in a mask of low ranks: ace 1, deuce 2, .. eight 128, higher ranks none."""

_SHAPES = {(2, 1): PAIR, (2, 2): TWO_PAIR, (3, 1): TRIPS, (3, 2): FULL_HOUSE, (4, 1): QUADS}


class HandClass(NamedTuple):
    """A category and the ranks (0 = deuce .. 12 = ace) that decide within it, the most important first."""

    category: int
    ranks: tuple[int, ...]


def hand_class(ranks: Iterable[int], flush: bool = False) -> HandClass:
    """The class of one to five ranks; `flush`: five cards are of one suit."""
    held = list(ranks)
    order = tuple(sorted(held, key=lambda rank: (held.count(rank), rank), reverse=True))
    most = held.count(order[0])
    if most > 1:
        second = held.count(order[most]) if len(order) > most else 1
        return HandClass(_SHAPES[most, second], order)
    wheel = order == (12, 3, 2, 1, 0)
    if len(order) == 5 and (wheel or order[0] - order[4] == 4):
        return HandClass(STRAIGHT_FLUSH if flush else STRAIGHT, (3, 2, 1, 0, 12) if wheel else order)
    return HandClass(FLUSH if flush else HIGH_CARD, order)


@functools.cache
def classes() -> tuple[HandClass, ...]:
    """All classes of five cards, weakest first: value v is `classes()[v - 1]`."""
    down = range(12, -1, -1)
    every = [hand_class(five, flush) for five in itertools.combinations(down, 5) for flush in (False, True)]
    for (most, second), category in _SHAPES.items():
        # ranks that are there most often come first; of the others there is one of each, or one pair
        first, each = (2, 1) if most == second else (1, second)
        for deciding in itertools.combinations(down, first):
            start, others = sorted(deciding * most, reverse=True), (rank for rank in down if rank not in deciding)
            for rest in itertools.combinations(others, (5 - first * most) // each):
                every.append(HandClass(category, (*start, *rest * each)))
    return tuple(sorted(every))


def class_value(hand: HandClass) -> int:
    """The value 1..7462 of a class of five cards."""
    return bisect_left(classes(), hand) + 1


def least_value(ranks: tuple[int, ...]) -> int:
    """What one to four ranks are worth already: the value of the weakest five-card hand that they can become."""
    completions = (ranks + more for more in itertools.combinations_with_replacement(range(13), 5 - len(ranks)))
    return min(class_value(hand_class(five)) for five in completions if max(Counter(five).values()) < 5)


@functools.cache
def lows() -> tuple[int, ...]:
    """The masks of the 56 lows (ace = bit 0 .. eight = bit 7), worst first: low v is `lows()[v - 1]`.

    Lows compare by their highest card first and the smaller is better, which is the order of the masks as numbers.
    """
    return tuple(sorted((mask for mask in range(256) if mask.bit_count() == 5), reverse=True))
