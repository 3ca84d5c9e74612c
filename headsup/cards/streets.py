"""A dense index for cards dealt in rounds, up to the names of the suits, without a list of the deals.

Cards come in rounds: (2, 3, 1, 1) is two hole cards, a flop, a turn and a river; (5,) a finished board; (8,) eight
cards at once. Within a round the order does not matter, between rounds it does. Two deals that differ by a renaming of
the suits share an index. The idea is that of Kevin Waugh, "A fast and optimal hand isomorphism algorithm" (2013); the
order of the indices is our own:

1. Look at one suit alone. Round by round it receives some ranks: its history. How many it receives in each round is its
   shape. The histories of one shape are numbered in mixed radix: a digit for each round, the colex index of the new
   ranks among those that this suit has not used yet.
2. A deal is four histories, and a renaming shuffles them, so only their multiset matters. Sort the four shapes, the
   greatest first: that is the deal's configuration. There are few of them (15 for a flop hand, 158 for a river hand),
   each has its own block of indices, and blocks follow one another.
3. Within a configuration, suits of equal shape form a group. A group of m suits whose shape has N histories is
   a multiset of m numbers below N: sorted x0 <= x1 <= .., it has the colex index sum of C(x_i + i, i + 1) below
   C(N + m - 1, m). The groups' indices combine in mixed radix to the place within the block.

Each step runs backwards as well: find the block, split the digits, take the greatest x that fits, read off the ranks.
The first suit of the configuration is then named spades, the second hearts, and so on, which gives the deal that stands
for its class. Equal histories within a group leave fewer than 24 different renamings: that gives the size of the class.

`index` and `unindex` here are plain Python for one deal; `index_array` and the other array forms run the kernels of
`street_kernels.py` on the same tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from itertools import groupby, product
from math import comb, factorial, prod
from operator import index as as_int
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import card_name
from headsup.common.checks import as_numbers, door, each, explained, quoted, whole
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from headsup.cards.street_kernels import StreetTables

Shape: TypeAlias = tuple[int, ...]
"""How many cards of one suit each round brings."""

PREFLOP, FLOP, TURN, RIVER = (2,), (2, 3), (2, 3, 1), (2, 3, 1, 1)
"""The rounds of a hold'em hand up to each street."""

MAX_SHAPES = 128
MAX_DEALS = 1 << 58  # so that no product in a kernel leaves 63 bits


class Group(NamedTuple):
    """Suits of equal shape within a configuration."""

    shape: Shape
    suits: int
    histories: int
    size: int


class Configuration(NamedTuple):
    """A block of indices: every deal whose suits have these shapes."""

    groups: tuple[Group, ...]
    offset: int
    size: int

    @property
    def shapes(self) -> tuple[Shape, ...]:
        return tuple(group.shape for group in self.groups for _ in range(group.suits))


class StreetIndexer:
    """Indices 0 .. size - 1 for deals in these rounds; make one with `street_indexer`, which keeps it."""

    @door(rounds=each(whole))
    def __init__(self, rounds: Sequence[int]) -> None:
        self.rounds = tuple(rounds)
        self.n_cards = sum(self.rounds)
        _check_rounds(self.rounds)
        self.configurations = _configurations(self.rounds)
        self.size = sum(one.size for one in self.configurations)
        self._by_shapes = {one.shapes: one for one in self.configurations}

    def __repr__(self) -> str:
        return f"street_indexer({self.rounds})"

    def index(self, cards: Iterable[int]) -> int:
        """The index of one deal, its cards in the order of the rounds."""
        try:
            given = [as_int(one) for one in cards]
        except TypeError:
            raise UserError(f"cards must be a list of numbers such as [51, 46], not {quoted(cards)}") from None
        histories = self._histories(given)
        shapes = [tuple(ranks.bit_count() for ranks in one) for one in histories]
        ordered = sorted(zip(shapes, map(_history_index, histories), strict=True), reverse=True)
        configuration = self._by_shapes[tuple(shape for shape, _ in ordered)]
        values = iter([value for _, value in ordered])
        place = 0
        for group in configuration.groups:
            members = sorted(next(values) for _ in range(group.suits))
            place = place * group.size + sum(comb(x + i, i + 1) for i, x in enumerate(members))
        return configuration.offset + place

    def unindex(self, index: int) -> tuple[int, ...]:
        """The deal that stands for a class: rounds in order, each with its cards ascending."""
        configuration, values = self._split(whole(index, "index"))
        rounds: list[list[int]] = [[] for _ in self.rounds]
        for suit, shape, value in zip((3, 2, 1, 0), configuration.shapes, values, strict=True):
            for cards, ranks in zip(rounds, _history(value, shape), strict=True):
                cards.extend(4 * rank + suit for rank in range(13) if ranks >> rank & 1)
        return tuple(one for cards in rounds for one in sorted(cards))

    def canonical(self, cards: Iterable[int]) -> tuple[int, ...]:
        """The deal that stands for the class of this one."""
        return self.unindex(self.index(cards))

    def class_size(self, index: int) -> int:
        """How many deals share this index (each round a set of cards): a divisor of 24."""
        configuration, values = self._split(whole(index, "index"))
        together = list(zip(configuration.shapes, values, strict=True))
        return factorial(4) // prod(factorial(together.count(one)) for one in set(together))

    @door(cards=as_numbers)
    def index_array(self, cards: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """`index` of each row of an integer array [n, cards]."""
        from headsup.cards.street_kernels import index_kernel

        rows = np.asarray(cards)
        if rows.ndim != 2 or rows.shape[1] != self.n_cards or rows.dtype.kind not in "iu":
            raise UserError(f"{self!r} wants an integer array with {self.n_cards} cards in each row, not {rows.shape}")
        if rows.dtype != np.uint8:
            rows = np.where((rows < 0) | (rows > 51), 255, rows).astype(np.uint8)
        indices = np.empty(len(rows), dtype=np.int64)
        writable = np.require(rows, requirements=("C", "W"))  # the kernel would be compiled anew for what is read-only
        bad = int(index_kernel(writable, self._tables, indices))
        if bad >= 0:
            self._histories(rows[bad].tolist())  # names the card at fault
        return indices

    def unindex_array(self, index: npt.ArrayLike) -> npt.NDArray[np.uint8]:
        """`unindex` of each index: uint8[n, cards]."""
        from headsup.cards.street_kernels import unindex_kernel

        numbers = self._numbers(index)
        cards = np.empty((len(numbers), self.n_cards), dtype=np.uint8)
        unindex_kernel(numbers, self._tables, cards)
        return cards

    def class_size_array(self, index: npt.ArrayLike) -> npt.NDArray[np.uint8]:
        """`class_size` of each index: uint8[n]."""
        from headsup.cards.street_kernels import class_size_kernel

        numbers = self._numbers(index)
        sizes = np.empty(len(numbers), dtype=np.uint8)
        class_size_kernel(numbers, self._tables, sizes)
        return sizes

    def _numbers(self, index: npt.ArrayLike) -> npt.NDArray[np.int64]:
        numbers = as_numbers(index, "index")
        if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
            raise UserError(f"{self!r} wants a one-dimensional array of integer indices")
        if numbers.size and (numbers.min() < 0 or numbers.max() >= self.size):
            raise UserError(f"the array holds a number that {self!r} does not know: indices end at {self.size - 1}")
        return np.ascontiguousarray(numbers, dtype=np.int64)

    def _histories(self, cards: list[int]) -> list[list[int]]:
        """For each suit, the set of ranks (13 bits) that each round brings."""
        if len(cards) != self.n_cards:
            raise UserError(f"{self!r} wants {self.n_cards} cards, not {len(cards)}")
        histories = [[0] * len(self.rounds) for _ in range(4)]
        round_of = [i for i, size in enumerate(self.rounds) for _ in range(size)]
        for i, one in enumerate(cards):
            if not 0 <= one < 52:
                raise UserError(f"{quoted(one)} is not a card: cards are the numbers 0 (2c) to 51 (As)")
            if one in cards[:i]:
                raise UserError(f"{card_name(one)} appears twice: each card is in the deck once")
            histories[one & 3][round_of[i]] |= 1 << (one >> 2)
        return histories

    def _split(self, index: int) -> tuple[Configuration, list[int]]:
        """The configuration of an index and the four history numbers, greatest first within a group."""
        if not 0 <= index < self.size:
            raise UserError(f"{quoted(index)} is not an index of {self!r}: they run from 0 to {self.size - 1}")
        configuration = next(one for one in reversed(self.configurations) if one.offset <= index)
        place = index - configuration.offset
        values: list[int] = []
        for group in reversed(configuration.groups):
            place, rest = divmod(place, group.size)
            values = _unrank_multiset(rest, group.suits, group.histories) + values
        return configuration, values

    @cached_property
    def _tables(self) -> StreetTables:
        from headsup.cards.street_kernels import StreetTables

        shapes = np.array([one.shapes for one in self.configurations], dtype=np.int64)
        groups = np.zeros((len(self.configurations), 4, 2), dtype=np.int64)
        places = np.zeros((len(self.configurations), 4, 2), dtype=np.int64)
        for i, one in enumerate(self.configurations):
            groups[i, : len(one.groups)] = [(group.suits, group.size) for group in one.groups]
            weights = [prod(group.size for group in one.groups[g + 1 :]) for g in range(len(one.groups))]
            # A suit without cards has one history, number 0, and adds nothing.
            places[i] = [
                (rank, weight) if group.size > 1 else (1, 0)
                for group, weight in zip(one.groups, weights, strict=True)
                for rank in range(group.suits, 0, -1)
            ]
        steps = [prod(size + 1 for size in self.rounds[i + 1 :]) for i in range(len(self.rounds))]
        radix = prod(size + 1 for size in self.rounds)
        lookup = np.full(radix**3, -1, dtype=np.int32)
        codes = shapes @ np.array(steps)
        lookup[(codes[:, 0] * radix + codes[:, 1]) * radix + codes[:, 2]] = np.arange(len(codes))
        return StreetTables(
            np.array(self.rounds, dtype=np.int64),
            np.array(steps, dtype=np.int64),
            radix,
            lookup,
            np.array([one.offset for one in self.configurations] + [self.size], dtype=np.int64),
            places,
            groups,
            shapes,
            *_rank_sets(),
            np.array([ranks.bit_count() for ranks in range(8192)], dtype=np.uint8),
            np.array([[comb(n, k) for k in range(14)] for n in range(14)], dtype=np.int64),
        )


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

    found, offset = [], 0
    for four in extend((), rounds):
        groups = tuple(_group(shape, len(list(same))) for shape, same in groupby(four))
        size = prod(group.size for group in groups)
        found.append(Configuration(groups, offset, size))
        offset += size
    return tuple(found)


def _group(shape: Shape, suits: int) -> Group:
    histories = prod(comb(13 - sum(shape[:i]), count) for i, count in enumerate(shape))
    return Group(shape, suits, histories, comb(histories + suits - 1, suits))


def _history_index(sets: Sequence[int]) -> int:
    """The number of a history among those of its shape."""
    number, used = 0, 0
    for ranks in sets:
        unused = [rank for rank in range(13) if not used >> rank & 1]
        new = [place for place, rank in enumerate(unused) if ranks >> rank & 1]
        number = number * comb(len(unused), len(new)) + sum(comb(place, i + 1) for i, place in enumerate(new))
        used |= ranks
    return number


def _history(number: int, shape: Shape) -> list[int]:
    """The history of this shape with this number."""
    digits = []
    for i in reversed(range(len(shape))):
        number, digit = divmod(number, comb(13 - sum(shape[:i]), shape[i]))
        digits.append(digit)
    sets, used = [], 0
    for digit, count in zip(reversed(digits), shape, strict=True):
        unused = [rank for rank in range(13) if not used >> rank & 1]
        ranks = 0
        for k in range(count, 0, -1):
            place = max(place for place in range(len(unused)) if comb(place, k) <= digit)
            digit -= comb(place, k)
            ranks |= 1 << unused[place]
        sets.append(ranks)
        used |= ranks
    return sets


def _unrank_multiset(number: int, size: int, below: int) -> list[int]:
    """The multiset of numbers below a bound that has this colex index, greatest first."""
    members = []
    for k in range(size, 0, -1):
        low, high = 0, below - 1
        while low < high:
            middle = (low + high + 1) // 2
            if comb(middle + k - 1, k) <= number:
                low = middle
            else:
                high = middle - 1
        members.append(low)
        number -= comb(low + k - 1, k)
    return members


@cache
def _rank_sets() -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint16], npt.NDArray[np.int64]]:
    """For 13-bit rank sets: the number among sets of its size, all sets by size and number, where each size starts."""
    # Colex order of sets of one size is the numeric order of their masks.
    ordered = sorted(range(8192), key=lambda ranks: (ranks.bit_count(), ranks))
    start = np.cumsum([0] + [comb(13, n) for n in range(14)])
    number = np.empty(8192, dtype=np.uint16)
    for place, ranks in enumerate(ordered):
        number[ranks] = place - start[ranks.bit_count()]
    return number, np.array(ordered, dtype=np.uint16), start.astype(np.int64)
