"""Eight-card deals (two Omaha hands) up to the names of the suits, and their thirty suit patterns.

Eight cards are a multiset of four rank sets, one per suit. A pattern is the sizes of the sets and which of them are
equal, written as blocks: `2=2 2 2` is two equal pairs of ranks and two others, all different. The codes are those of
ho-2015 table 3.3; the 32,819,436 classes are the indices of `street_indexer((8,))`.
"""

from collections import Counter
from functools import cache
from itertools import permutations
from math import comb, factorial, perm, prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.combos import frozen
from headsup.cards.streets import StreetIndexer, street_indexer
from headsup.common.checks import as_integers, as_numbers, door
from headsup.common.errors import UserError

DEAL_CLASSES = 32_819_436

_BLOCKS = {
    "C_A8B0C0D0": "8",
    "C_A7B1C0D0": "7 1",
    "C_A6B2C0D0": "6 2",
    "C_A6B1C1D0m0": "6 1=1",
    "C_A6B1C1D0m1": "6 1 1",
    "C_A5B3C0D0": "5 3",
    "C_A5B2C1D0": "5 2 1",
    "C_A5B1C1D1m1": "5 1=1 1",
    "C_A5B1C1D1m2": "5 1=1=1",
    "C_A5B1C1D1m0": "5 1 1 1",
    "C_A4B4C0D0m1": "4=4",
    "C_A4B4C0D0m0": "4 4",
    "C_A4B3C1D0": "4 3 1",
    "C_A4B2C2D0m1": "4 2=2",
    "C_A4B2C2D0m0": "4 2 2",
    "C_A4B2C1D1m0": "4 2 1 1",
    "C_A4B2C1D1m1": "4 2 1=1",
    "C_A3B3C2D0m1": "3=3 2",
    "C_A3B3C2D0m0": "3 3 2",
    "C_A3B3C1D1mb": "3=3 1=1",
    "C_A3B3C1D1m3": "3=3 1 1",
    "C_A3B3C1D1m1": "3 3 1=1",
    "C_A3B3C1D1m0": "3 3 1 1",
    "C_A3B2C2D1m1": "3 2=2 1",
    "C_A3B2C2D1m0": "3 2 2 1",
    "C_A2B2C2D2m4": "2=2=2=2",
    "C_A2B2C2D2m3": "2=2=2 2",
    "C_A2B2C2D2m2p": "2=2 2=2",
    "C_A2B2C2D2m1": "2=2 2 2",
    "C_A2B2C2D2m0": "2 2 2 2",
}


class DealPattern(NamedTuple):
    """One of the thirty suit patterns of eight cards."""

    code: str
    blocks: tuple[tuple[int, int], ...]
    """(ranks in the set, suits that hold this very set), sizes descending, empty suits left out."""

    @property
    def classes(self) -> int:
        """How many classes of deals have this pattern in the full deck."""
        return self.classes_in(13)

    def classes_in(self, ranks: int) -> int:
        """How many classes of deals have this pattern in a deck of so many ranks."""
        ways = 1
        for size in {size for size, _ in self.blocks}:
            multiplicities = [suits for held, suits in self.blocks if held == size]
            swaps = prod(map(factorial, Counter(multiplicities).values()))
            ways *= perm(comb(ranks, size), len(multiplicities)) // swaps
        return ways

    @property
    def duplicates(self) -> int:
        """How many deals each class holds."""
        empty = 4 - sum(suits for _, suits in self.blocks)
        return factorial(4) // (factorial(empty) * prod(factorial(suits) for _, suits in self.blocks))

    @property
    def total(self) -> int:
        """How many of the 752,538,150 deals have this pattern."""
        return self.classes * self.duplicates


def _read_blocks(text: str) -> tuple[tuple[int, int], ...]:
    return tuple((int(block[0]), len(block.split("="))) for block in text.split())


DEAL_PATTERNS: tuple[DealPattern, ...] = tuple(DealPattern(code, _read_blocks(text)) for code, text in _BLOCKS.items())
"""The thirty patterns in the order of the table; a pattern's number is its place here."""


def deal_indexer() -> StreetIndexer:
    return street_indexer((8,))


@door(cards=as_integers)
def suit_sets(cards: npt.ArrayLike) -> npt.NDArray[np.uint16]:
    """uint16[n, 4]: the 13-bit rank set of each suit (clubs first) in each row of cards."""
    rows = np.asarray(cards)
    if rows.ndim != 2:
        raise UserError(f"cards must be an array with the cards of a deal in each row, not one of shape {rows.shape}")
    _check_cards(rows)
    sets = np.zeros((len(rows), 4), dtype=np.uint16)
    for column in rows.T:
        bits = np.uint16(1) << (column >> 2).astype(np.uint16)
        for suit in range(4):
            sets[:, suit] |= np.where(column & 3 == suit, bits, np.uint16(0))
    return sets


@door(cards=as_numbers)
def deal_patterns(cards: npt.ArrayLike) -> npt.NDArray[np.uint8]:
    """The pattern number of each row of eight different cards: uint8[n]."""
    rows = np.asarray(cards)
    if rows.ndim != 2 or rows.shape[1] != 8 or rows.dtype.kind not in "iu":
        raise UserError(f"deal_patterns wants an integer array with eight cards in each row, not {rows.shape}")
    return deal_patterns_of_sets(suit_sets(rows))


def _check_cards(rows: npt.NDArray[Any]) -> None:
    if rows.size and (rows.min() < 0 or rows.max() > 51):
        raise UserError("the array holds a number that is not a card: cards are the numbers 0 (2c) to 51 (As)")


@door(sets=as_integers)
def deal_patterns_of_sets(sets: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint8]:
    """The pattern number of each row of four suit rank sets with eight ranks in all: uint8[n]."""
    if (
        sets.ndim != 2
        or sets.shape[1] != 4
        or (sets.dtype != np.uint16 and sets.size and not 0 <= sets.min() <= sets.max() < 8192)
    ):
        raise UserError("sets must be rows of four rank sets of 13 bits, one for each suit, as suit_sets returns them")
    keys = sets.astype(np.uint16, copy=False) | np.bitwise_count(sets).astype(np.uint32) << np.uint32(16)
    keys.sort(axis=1)
    sizes = keys >> np.uint32(16)
    if (sizes.sum(axis=1) != 8).any():
        raise UserError("a row does not have eight different cards: a deal is eight cards, each once")
    shape = sizes[:, 3] * 512 + sizes[:, 2] * 64 + sizes[:, 1] * 8
    for place in range(3):
        shape += (keys[:, place] == keys[:, place + 1]).astype(np.uint32) << np.uint32(place)
    numbers: npt.NDArray[np.uint8] = _pattern_table()[shape]
    return numbers


@door(cards=as_numbers)
def deal_pattern(cards: npt.ArrayLike) -> DealPattern:
    return DEAL_PATTERNS[int(deal_patterns(np.asarray(cards)[None, :])[0])]


@cache
def _pattern_table() -> npt.NDArray[np.uint8]:
    """The pattern number by 512, 64 and 8 times the greatest sizes plus a bit for each pair of equal neighbours."""
    table = np.full(8 * 512 + 8, 255, dtype=np.uint8)
    for number, pattern in enumerate(DEAL_PATTERNS):
        for order in permutations(pattern.blocks):
            if [size for size, _ in order] != sorted((size for size, _ in order), reverse=True):
                continue
            suits = [(size, block) for block, (size, count) in enumerate(order) for _ in range(count)]
            suits += [(0, len(order))] * (4 - len(suits))
            shape = suits[0][0] * 512 + suits[1][0] * 64 + suits[2][0] * 8
            equal = sum(1 << place for place in range(3) if suits[3 - place] == suits[2 - place])
            table[shape + equal] = number
    return frozen(table)
