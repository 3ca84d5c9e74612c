"""Sets of cards as numbers: the colex index, its inverse, and the lists of all two- and four-card combos.

For cards c0 < c1 < .. the colex index is C(c0, 1) + C(c1, 2) + ... + C(c(n-1), n), from 0 to C(52, n) - 1. A hand's
number is its colex index everywhere in headsup. The arrays of cached functions are shared and read-only.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations, pairwise
from math import comb
from operator import index as as_int
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import card_name
from headsup.common.checks import as_numbers, door, explained, quoted, whole
from headsup.common.errors import UserError

T = TypeVar("T", bound=np.generic)
Weight = TypeVar("Weight", np.int64, np.float64)

MAX_CARDS = 8
HOLDEM_COUNT = comb(52, 2)
OMAHA_COUNT = comb(52, 4)


@cache
def binomials() -> npt.NDArray[np.int64]:
    """int64[53, 9]: C(c, k) for a card c (or 52) and k = 0..8 cards."""
    return frozen(np.array([[comb(c, k) for k in range(MAX_CARDS + 1)] for c in range(53)], dtype=np.int64))


def counted(combos: int) -> str:
    """A number of combos in words: '1 combo', '1,326 combos'."""
    return f"{combos:,} {'combo' if combos == 1 else 'combos'}"


def colex(cards: Iterable[int]) -> int:
    """The colex index of up to eight different cards, given in any order."""
    try:
        ordered = sorted(as_int(card) for card in cards)
    except TypeError:
        raise UserError(f"cards must be a list of numbers such as [51, 46], not {quoted(cards)}") from None
    _check_size(len(ordered))
    if ordered and not 0 <= ordered[0] <= ordered[-1] < 52:
        wrong = ordered[0] if ordered[0] < 0 else ordered[-1]
        raise UserError(f"{quoted(wrong)} is not a card: cards are the numbers 0 (2c) to 51 (As)")
    for low, high in pairwise(ordered):
        if low == high:
            raise UserError(f"{card_name(low)} appears twice: a set of cards has each card once")
    return sum(comb(card, i + 1) for i, card in enumerate(ordered))


@door(index=whole, n=whole)
def uncolex(index: int, n: int) -> tuple[int, ...]:
    """The n cards, lowest first, with this colex index."""
    _check_size(n)
    if not 0 <= index < comb(52, n):
        raise UserError(f"{quoted(index)} is not the index of {n} cards: indices run from 0 to {comb(52, n) - 1}")
    return tuple(uncolex_array(index, n).tolist())


@door(cards=as_numbers)
def colex_array(cards: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """`colex` of each row of an integer array [..., n]; rows may be in any order within."""
    rows = np.asarray(cards)
    if rows.ndim == 0 or rows.dtype.kind not in "iu":
        raise UserError("colex_array wants an integer array whose last axis holds the cards of one set")
    _check_size(rows.shape[-1])
    ordered = np.sort(rows, axis=-1).astype(np.intp)
    if ordered.size and (ordered.min() < 0 or ordered.max() > 51):
        raise UserError("the array holds a number that is not a card: cards are the numbers 0 (2c) to 51 (As)")
    if (ordered[..., 1:] == ordered[..., :-1]).any():
        raise UserError("a row of the array has the same card twice: a set of cards has each card once")
    return colex_ascending(ordered)


def colex_ascending(cards: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The colex index of each row of cards [..., n] that ascend; nothing is checked."""
    table = binomials()
    total = np.zeros(cards.shape[:-1], dtype=np.int64)
    for i in range(cards.shape[-1]):
        total += table[cards[..., i], i + 1]
    return total


@door(index=as_numbers, n=whole)
def uncolex_array(index: npt.ArrayLike, n: int) -> npt.NDArray[np.uint8]:
    """`uncolex` of each index: uint8[..., n], lowest card first."""
    _check_size(n)
    rest = np.array(index)
    if rest.size and rest.dtype.kind not in "iu":
        raise UserError("uncolex_array wants an array of integers")
    rest = rest.astype(np.int64)
    if rest.size and (rest.min() < 0 or rest.max() >= comb(52, n)):
        raise UserError(f"the array holds a number that is not the index of {n} cards: they end at {comb(52, n) - 1}")
    table = binomials()
    cards = np.empty((*rest.shape, n), dtype=np.uint8)
    for k in range(n, 0, -1):
        high = np.searchsorted(table[:52, k], rest, side="right") - 1
        cards[..., k - 1] = high
        rest = rest - table[high, k]
    return cards


@cache
def combos(n: int) -> npt.NDArray[np.uint8]:
    """uint8[C(52, n), n]: every set of n <= 5 cards in colex order, lowest card first within a row."""
    blocks = _blocks(n)
    rows = np.empty((comb(52, n), n), dtype=np.uint8)
    for high, start, size in blocks:
        rows[start : start + size, : n - 1] = combos(n - 1)[:size]
        rows[start : start + size, n - 1] = high
    return frozen(rows)


def _blocks(n: int) -> list[tuple[int, int, int]]:
    """The sets with highest card c are a block (c, start, size): the first C(c, n - 1) smaller sets, with c added."""
    if not 0 <= whole(n, "n") <= 5:
        raise UserError(f"combos lists sets of at most 5 cards, not n = {quoted(n)}: use uncolex_array for larger sets")
    return [(high, comb(high, n), comb(high, n - 1)) for high in range(n - 1, 52)] if n else []


def holdem_combos() -> npt.NDArray[np.uint8]:
    """uint8[1326, 2]: the two-card hands in colex order, lower card first."""
    return combos(2)


def omaha_combos() -> npt.NDArray[np.uint8]:
    """uint8[270725, 4]: the four-card hands in colex order, cards ascending."""
    return combos(4)


@explained(n=whole)
@cache
def combo_masks(n: int) -> npt.NDArray[np.uint64]:
    """uint64[C(52, n)]: the 52-bit mask of every set of n <= 5 cards, in colex order."""
    blocks = _blocks(n)
    masks = np.zeros(comb(52, n), dtype=np.uint64)
    for high, start, size in blocks:
        masks[start : start + size] = combo_masks(n - 1)[:size] | np.uint64(1 << high)
    return frozen(masks)


def row_masks(cards: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]:
    """uint64[m]: the 52-bit mask of the cards in each row of uint8[m, n]."""
    masks = np.zeros(len(cards), dtype=np.uint64)
    for column in cards.T:
        masks |= np.uint64(1) << column.astype(np.uint64)
    return masks


@cache
def holdem_index() -> npt.NDArray[np.int16]:
    """int16[52, 52]: the colex index of the hand with these two cards, in either order; -1 for a card with itself."""
    table = np.full((52, 52), -1, dtype=np.int16)
    low, high = holdem_combos().T
    table[low, high] = table[high, low] = np.arange(HOLDEM_COUNT)
    return frozen(table)


@explained(n=whole)
@cache
def combos_with_card(n: int) -> npt.NDArray[np.int32]:
    """int32[52, C(51, n-1)]: for each card, the indices of the combos that hold it, ascending (n = 1..5)."""
    if whole(n, "n") < 1:
        raise UserError(f"a combo of n = {quoted(n)} cards holds no card: ask for n from 1 to 5")
    masks = combo_masks(n)
    bits = np.uint64(1) << np.arange(52, dtype=np.uint64)
    return frozen(np.array([np.flatnonzero(masks & bit) for bit in bits], dtype=np.int32))


def weight_apart(
    hands: npt.NDArray[np.uint8], others: npt.NDArray[np.uint8], weights: npt.NDArray[Weight]
) -> npt.NDArray[Weight]:
    """For each hand, the weight of the others that share no card with it, by inclusion-exclusion; rows ascend."""
    size = hands.shape[1]
    total = np.full(len(hands), weights.sum(), dtype=weights.dtype)
    every = others is combos(size)
    for n in range(1, size + 1):
        held = np.zeros(comb(52, n), dtype=weights.dtype)
        for chosen in combinations(range(size), n):
            part = _part_of_combos(size, chosen) if every else colex_ascending(others[:, chosen])
            held += np.bincount(part, weights, len(held)).astype(weights.dtype)
        for chosen in combinations(range(size), n):
            total += (-1) ** n * held[colex_ascending(hands[:, chosen])]
    return total


@cache
def _part_of_combos(n: int, chosen: tuple[int, ...]) -> npt.NDArray[np.int32]:
    """int32[C(52, n)]: the colex index of some cards of every combo."""
    return colex_ascending(combos(n)[:, chosen]).astype(np.int32)


def frozen(array: npt.NDArray[T]) -> npt.NDArray[T]:
    """The same array, made read-only so that it can be shared."""
    array.setflags(write=False)
    return array


def _check_size(n: int) -> None:
    if not 0 <= n <= MAX_CARDS:
        raise UserError(f"a set of {n} cards has no index here: use at most {MAX_CARDS} cards")
