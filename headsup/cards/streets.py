"""A dense index for cards dealt in rounds, up to the names of the suits, without a list of the deals.

Rounds (2, 3, 1, 1) are two hole cards, a flop, a turn and a river; order matters between rounds, not within one. The
idea is Kevin Waugh's, "A fast and optimal hand isomorphism algorithm" (2013); the order of the indices is our own:

1. A suit's history is the ranks it receives in each round, its shape their numbers. The histories of a shape are
   numbered in mixed radix, one digit a round: the colex index of the new ranks among those still unused.
2. A deal is a multiset of four histories. The four shapes, greatest first, are its configuration; each configuration
   has a block of indices.
3. Within it, m suits of the same shape with N histories form a group: sorted x0 <= x1 <= .., it has the colex index sum
   of C(x_i + i, i + 1). The indices of the groups combine in mixed radix.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby, pairwise, product
from math import comb, prod
from operator import index as as_int
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import card_name
from headsup.common.checks import as_numbers, door, each, explained, quoted, whole
from headsup.common.errors import UserError

Shape: TypeAlias = tuple[int, ...]  # how many cards of one suit each round brings
Longs: TypeAlias = npt.NDArray[np.int64]

PREFLOP, FLOP, TURN, RIVER = (2,), (2, 3), (2, 3, 1), (2, 3, 1, 1)  # the rounds of a hold'em hand up to each street

MAX_SHAPES = 128
MAX_DEALS = 1 << 58  # so that no product leaves 63 bits
_NUMBER_BITS = 40  # the low part of a suit's sort key holds its history number, the rest its shape
_BLOCK = 1 << 12  # deals whose intermediate arrays fit a core's cache
_CHOOSE = np.array([[comb(n, k) for k in range(14)] for n in range(14)], dtype=np.int64)


class SuitGroup(NamedTuple):
    """Suits of equal shape within a configuration."""

    shape: Shape
    suits: int
    histories: int
    size: int


class Configuration(NamedTuple):
    """A block of indices: every deal whose suits have these shapes."""

    groups: tuple[SuitGroup, ...]
    offset: int
    size: int

    @property
    def shapes(self) -> tuple[Shape, ...]:
        return tuple(group.shape for group in self.groups for _ in range(group.suits))


class StreetIndexer:
    """Indices 0 .. size - 1 for deals in these rounds; `street_indexer` returns a cached one."""

    @door(rounds=each(whole))
    def __init__(self, rounds: Sequence[int]) -> None:
        self.rounds = tuple(rounds)
        self.n_cards = sum(self.rounds)
        _check_rounds(self.rounds)
        self.configurations = _configurations(self.rounds)
        self.size = sum(configuration.size for configuration in self.configurations)
        keys = np.array(
            [[self._code(shape) for shape in configuration.shapes[:3]] for configuration in self.configurations]
        )
        self._keys = keys @ np.array([1 << 16, 1 << 8, 1])  # descending

    def __repr__(self) -> str:
        return f"street_indexer({self.rounds})"

    def index(self, cards: Iterable[int]) -> int:
        """The index of one deal, its cards in the order of the rounds."""
        try:
            deal = [as_int(card) for card in cards]
        except TypeError:
            raise UserError(f"cards must be a list of numbers such as [51, 46], not {quoted(cards)}") from None
        self._check_deal(deal)
        return int(self.index_array([deal])[0])

    def unindex(self, index: int) -> tuple[int, ...]:
        """The deal that represents a class: rounds in order, each with its cards ascending."""
        return tuple(self.unindex_array([self._check_index(index)])[0].tolist())

    def canonical(self, cards: Iterable[int]) -> tuple[int, ...]:
        """The deal that represents the class of this one."""
        return self.unindex(self.index(cards))

    def class_size(self, index: int) -> int:
        """How many deals share this index (each round a set of cards): a divisor of 24."""
        return int(self.class_size_array([self._check_index(index)])[0])

    @door(cards=as_numbers)
    def index_array(self, cards: npt.ArrayLike) -> Longs:
        """`index` of each row of an integer array [n, cards]."""
        rows = np.asarray(cards)
        if rows.ndim != 2 or rows.shape[1] != self.n_cards or rows.dtype.kind not in "iu":
            raise UserError(f"{self!r} wants an integer array with {self.n_cards} cards in each row, not {rows.shape}")
        columns = np.where((rows < 0) | (rows > 51), 52, rows).astype(np.int64).T
        seen = np.bitwise_or.reduce(1 << columns, axis=0)
        for bad in np.flatnonzero((np.bitwise_count(seen) < self.n_cards) | (seen >> 52 > 0))[:1]:
            self._check_deal(rows[bad].tolist())
        parts = [self._suit_keys(columns[:, start : start + _BLOCK]) for start in range(0, len(rows), _BLOCK)]
        keys = np.sort(np.concatenate([np.zeros((4, 0), dtype=np.int64), *parts], axis=1), axis=0)[::-1]
        codes, numbers = keys >> _NUMBER_BITS, keys & ((1 << _NUMBER_BITS) - 1)
        key = codes[0] << 16 | codes[1] << 8 | codes[2]
        block = len(self._keys) - 1 - np.searchsorted(self._keys[::-1], key)
        indices = np.empty(len(rows), dtype=np.int64)
        for configuration, at in self._by_block(block):
            place, suit = np.zeros(len(at), dtype=np.int64), 0
            for group in configuration.groups:
                place *= group.size
                for k in range(group.suits, 0, -1):
                    place += _multichoose(numbers[suit, at], k) if group.size > 1 else 0
                    suit += 1
            indices[at] = configuration.offset + place
        return indices

    def unindex_array(self, index: npt.ArrayLike) -> npt.NDArray[np.uint8]:
        """`unindex` of each index: uint8[n, cards]."""
        numbers = self._check_numbers(index)
        cards = np.empty((len(numbers), self.n_cards), dtype=np.uint8)
        sets = _rank_sets()
        starts = np.cumsum([0, *self.rounds])
        for at, configuration, values in self._histories(numbers):
            filled = starts.copy()
            for suit, shape, value in zip((3, 2, 1, 0), configuration.shapes, values, strict=True):
                used = np.zeros(len(at), dtype=np.int64)
                for r, digit in enumerate(_digits(value, shape)):
                    earlier, squeezed = used.copy(), sets.of_size[shape[r]][digit]
                    for _ in range(shape[r]):
                        rank = sets.unused[earlier, np.bitwise_count((squeezed & -squeezed) - 1)]
                        squeezed &= squeezed - 1
                        used |= 1 << rank
                        cards[at, filled[r]] = 4 * rank + suit
                        filled[r] += 1
        for start, end in pairwise(starts.tolist()):
            cards[:, start:end].sort(axis=1)
        return cards

    def class_size_array(self, index: npt.ArrayLike) -> npt.NDArray[np.uint8]:
        """`class_size` of each index: uint8[n]."""
        numbers = self._check_numbers(index)
        sizes = np.empty(len(numbers), dtype=np.uint8)
        for at, configuration, values in self._histories(numbers):
            size, run = np.full(len(at), 24), np.ones(len(at), dtype=np.int64)
            for p in range(1, 4):  # divide by the factorial of each run of equal histories
                same = configuration.shapes[p] == configuration.shapes[p - 1]
                run = np.where(same & (values[p] == values[p - 1]), run + 1, 1)
                size //= run
            sizes[at] = size
        return sizes

    def _suit_keys(self, columns: Longs) -> Longs:
        """int64[4, n]: the sort key of each suit, the code of its shape above its history number.

        The rank sets of the four suits lie 16 bits apart in one int: `used` in earlier rounds, `now` in this one, and
        `fresh`, those of this one counted among the ranks still unused.
        """
        code, number = np.zeros((2, 4, columns.shape[1]), dtype=np.int64)
        lanes, used, start = 16 * np.arange(4)[:, None], np.zeros(columns.shape[1], dtype=np.int64), 0
        for size in self.rounds:
            now, fresh = np.zeros((2, columns.shape[1]), dtype=np.int64)
            for card in columns[start : start + size]:
                rank, lane = card >> 2, (card & 3) << 4
                now |= 1 << lane + rank
                below = used >> lane & (1 << rank) - 1
                fresh |= 1 << lane + rank - np.bitwise_count(below)
            left, new = 13 - np.bitwise_count(used >> lanes & 8191), fresh >> lanes & 8191
            count = np.bitwise_count(new)
            number = number * _CHOOSE[left, count] + _rank_sets().number[new]
            code = code * (size + 1) + count
            used |= now
            start += size
        return code << _NUMBER_BITS | number

    def _code(self, shape: Shape) -> int:
        code = 0
        for size, count in zip(self.rounds, shape, strict=True):
            code = code * (size + 1) + count
        return code

    def _by_block(self, block: npt.NDArray[np.intp]) -> Iterator[tuple[Configuration, npt.NDArray[np.intp]]]:
        """The configurations that occur, each with the places where it does."""
        order = np.argsort(block, kind="stable")
        present, starts = np.unique(block[order], return_index=True)
        for number, at in zip(present.tolist(), np.split(order, starts[1:]), strict=False):
            yield self.configurations[number], at

    def _histories(self, numbers: Longs) -> Iterator[tuple[npt.NDArray[np.intp], Configuration, list[Longs]]]:
        """By configuration: where it occurs, and the four history numbers there, greatest first within a group."""
        offsets = np.array([configuration.offset for configuration in self.configurations])
        for configuration, at in self._by_block(np.searchsorted(offsets, numbers, side="right") - 1):
            place = numbers[at] - configuration.offset
            values: list[Longs] = []
            for group in reversed(configuration.groups):
                place, rest = np.divmod(place, group.size)
                members = []
                for k in range(group.suits, 0, -1):
                    members.append(_greatest(rest, k))
                    rest = rest - _multichoose(members[-1], k)
                values = members + values
            yield at, configuration, values

    def _check_index(self, index: int) -> int:
        if not 0 <= whole(index, "index") < self.size:
            raise UserError(f"{quoted(index)} is not an index of {self!r}: they run from 0 to {self.size - 1}")
        return int(index)

    def _check_numbers(self, index: npt.ArrayLike) -> Longs:
        numbers = as_numbers(index, "index")
        if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
            raise UserError(f"{self!r} wants a one-dimensional array of integer indices")
        if numbers.size and (numbers.min() < 0 or numbers.max() >= self.size):
            raise UserError(f"the array holds a number that {self!r} does not know: indices end at {self.size - 1}")
        return np.asarray(numbers, dtype=np.int64)

    def _check_deal(self, cards: list[int]) -> None:
        if len(cards) != self.n_cards:
            raise UserError(f"{self!r} wants {self.n_cards} cards, not {len(cards)}")
        for i, card in enumerate(cards):
            if not 0 <= card < 52:
                raise UserError(f"{quoted(card)} is not a card: cards are the numbers 0 (2c) to 51 (As)")
            if card in cards[:i]:
                raise UserError(f"{card_name(card)} appears twice: each card is in the deck once")


@explained(rounds=each(whole))
@cache
def street_indexer(rounds: tuple[int, ...]) -> StreetIndexer:
    """The indexer for cards dealt in these rounds, for example (2, 3, 1, 1), (5,) or (8,)."""
    return StreetIndexer(rounds)


def _check_rounds(rounds: tuple[int, ...]) -> None:
    if not rounds or min(rounds) < 1 or sum(rounds) > 13:
        raise UserError(
            f"{quoted(rounds)} are not rounds of cards: give one or more positive numbers that sum to at most 13"
        )
    deals = prod(comb(52 - sum(rounds[:i]), size) for i, size in enumerate(rounds))
    if prod(size + 1 for size in rounds) > MAX_SHAPES or deals > MAX_DEALS:
        raise UserError(f"the rounds {rounds} have too many deals to index: use fewer rounds or fewer cards")


def _configurations(rounds: tuple[int, ...]) -> tuple[Configuration, ...]:
    """Every way to share out the rounds among four suits, shapes sorted greatest first."""
    shapes = sorted(product(*(range(size + 1) for size in rounds)), reverse=True)

    def extend(chosen: tuple[Shape, ...], left: Shape) -> Iterable[tuple[Shape, ...]]:
        if len(chosen) == 3:
            if left <= chosen[-1]:
                yield (*chosen, left)
            return
        for shape in shapes:
            if (not chosen or shape <= chosen[-1]) and all(a <= b for a, b in zip(shape, left, strict=True)):
                yield from extend((*chosen, shape), tuple(b - a for a, b in zip(shape, left, strict=True)))

    configurations, offset = [], 0
    for four in extend((), rounds):
        groups = tuple(_group(shape, len(list(same))) for shape, same in groupby(four))
        size = prod(group.size for group in groups)
        configurations.append(Configuration(groups, offset, size))
        offset += size
    return tuple(configurations)


def _group(shape: Shape, suits: int) -> SuitGroup:
    histories = prod(comb(13 - sum(shape[:i]), count) for i, count in enumerate(shape))
    return SuitGroup(shape, suits, histories, comb(histories + suits - 1, suits))


def _digits(number: Longs, shape: Shape) -> list[Longs]:
    """The colex index of the new ranks in each round, from a history number."""
    digits = []
    for i in reversed(range(len(shape))):
        number, digit = np.divmod(number, comb(13 - sum(shape[:i]), shape[i]))
        digits.append(digit)
    return digits[::-1]


def _multichoose(x: Longs, k: int) -> Longs:
    """C(x + k - 1, k) for k = 1..4."""
    product = x
    for i in range(1, k):
        product = product * (x + i) // (i + 1)
    return product


def _greatest(number: Longs, k: int) -> Longs:
    """The greatest x with C(x + k - 1, k) <= number: an estimate from the k-th root, then corrected."""
    if k == 1:
        return number
    x = ((prod(range(1, k + 1)) * number.astype(np.float64)) ** (1 / k)).astype(np.int64)
    while (high := _multichoose(x, k) > number).any():
        x = x - high
    while (low := _multichoose(x + 1, k) <= number).any():
        x = x + low
    return x


class RankSets(NamedTuple):
    """What is known of the 8,192 sets of ranks, 13 bits each."""

    number: Longs  # the colex index of a set among those of its size
    of_size: list[Longs]  # the sets of each size, in colex order, which is the order of their masks
    unused: Longs  # [8192, 13]: the ranks that are not in a set, lowest first


@cache
def _rank_sets() -> RankSets:
    masks = np.arange(8192)
    of_size = [masks[np.bitwise_count(masks) == size] for size in range(14)]
    number = np.empty(8192, dtype=np.int64)
    for sets in of_size:
        number[sets] = np.arange(len(sets))
    return RankSets(number, of_size, np.argsort(masks[:, None] >> np.arange(13) & 1, axis=1, kind="stable"))
