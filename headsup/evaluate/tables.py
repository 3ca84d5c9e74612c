"""The evaluator's lookup tables: built here in about a second, cached on disk, checked when they are read.

1. Flushes aside, a hand is a multiset of ranks. Six and seven cards are worth their best five; one to four the least
   that any completion could be worth.
2. Each rank has a key of 26 bits such that no two multisets of one to seven ranks have the same sum modulo 2^26.
3. The 76,154 sums are packed by row displacement: the value is `values[row_starts[low half] + high half]`.
4. `card_keys` adds four counters in the high bits, one a suit, that start at three: the fifth card of a suit sets the
   top bit. `flush` answers by the 13-bit mask of the suit's ranks.
5. Omaha takes two ranks from the hand and three from the board: `omaha[triple, pair]`. `low` answers the low for the
   low ranks of hand and board (ace = bit 0 .. eight = 7).
"""

from __future__ import annotations

import functools
import itertools
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import rank_multiset_index, rank_multisets
from headsup.common.archives import cached_arrays
from headsup.evaluate.classes import CLASSES, FLUSH, STRAIGHT_FLUSH, classes, lows

VERSION = 2
RANK_KEYS = (
    31755156, 34347768, 50678433, 63784538, 2338916, 9674388, 55226815,
    63662786, 16725451, 20926655, 55546180, 17246443, 33436658,
)  # fmt: skip
Values = npt.NDArray[np.uint16]
Ranks = npt.NDArray[np.int64]


class Tables(NamedTuple):
    """Every lookup table of the evaluators, in the order in which kernels take them."""

    card_keys: npt.NDArray[np.uint64]  # [52]: rank key + one in the counter of the suit
    row_starts: npt.NDArray[np.uint32]  # [8192]
    values: Values  # packed: the value of a multiset of ranks
    flush: Values  # [8192]: best straight flush or flush of a mask of five or more ranks, 0 for fewer
    omaha: Values  # [455, 91]: value of three board ranks and two hand ranks, 0 for five of a rank
    pair_index: npt.NDArray[np.uint8]  # [256]: 16 * a + b -> 0..90, either order
    triple_index: Values  # [4096]: 256 * a + 16 * b + c -> 0..454, any order
    low: npt.NDArray[np.uint8]  # [65536]: 256 * hand mask + board mask -> 0..56


def flush_table() -> Values:
    """The value of the best flush or straight flush in each 13-bit mask of ranks."""
    table = np.zeros(8192, dtype=np.uint16)
    for value, hand in enumerate(classes(), start=1):
        if hand.category in (FLUSH, STRAIGHT_FLUSH):
            table[sum(1 << rank for rank in hand.ranks)] = value
    _inherit(table, 13)
    return table


def _inherit(table: npt.NDArray[Any], ranks: int) -> None:
    """What a mask of ranks is worth, it is worth with more ranks too: the largest over all parts of the first index."""
    for bit in (1 << rank for rank in range(ranks)):
        more = np.flatnonzero(np.arange(1 << ranks) & bit)
        table[more] = np.maximum(table[more], table[more ^ bit])


@functools.cache
def unsuited_tables() -> list[Values]:
    """The value of every multiset of n ranks without flushes, for n = 0..7, each in the order of `rank_multisets`."""
    tables: list[Values] = [np.zeros(0, dtype=np.uint16)] * 8
    plain = {
        value: hand.ranks
        for value, hand in enumerate(classes(), start=1)
        if hand.category not in (FLUSH, STRAIGHT_FLUSH)
    }
    tables[5] = np.zeros(comb(17, 5), dtype=np.uint16)
    tables[5][rank_multiset_index(list(plain.values()))] = list(plain)
    for n in (6, 7):
        rows = rank_multisets(n)
        tables[n] = np.where(possible(rows), with_one_more(tables[n - 1], n), 0).astype(np.uint16)
    for n in (4, 3, 2, 1):
        rows = rank_multisets(n)
        longer = [np.sort(np.insert(rows, 0, rank, axis=1), axis=1) for rank in range(13)]
        worth = np.array([tables[n + 1][rank_multiset_index(rows)] for rows in longer])
        tables[n] = np.where(worth > 0, worth, CLASSES + 1).min(axis=0).astype(np.uint16)
    return tables


def joined_values(first: npt.NDArray[np.uint8], second: npt.NDArray[np.uint8]) -> Values:
    """[first, second]: the value of each multiset of ranks joined with each other one, flushes aside."""
    both = np.concatenate([np.repeat(first, len(second), axis=0), np.tile(second, (len(first), 1))], axis=1)
    return np.asarray(unsuited_tables()[both.shape[1]][rank_multiset_index(both)].reshape(len(first), len(second)))


def with_one_more(worth: Values, n: int) -> Values:
    """What every multiset of n ranks is worth by its best n - 1, given what those are worth."""
    rows = rank_multisets(n)
    return np.asarray(np.max([worth[rank_multiset_index(np.delete(rows, i, axis=1))] for i in range(n)], axis=0))


def possible(rows: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Which multisets have no more than four of a rank."""
    if rows.shape[1] < 5:
        return np.ones(len(rows), dtype=np.bool_)
    return np.asarray(~(rows[:, 4:] == rows[:, :-4]).any(axis=1))


def split(sums: Ranks) -> tuple[Ranks, Ranks]:
    """The row and the column of each sum of rank keys."""
    from headsup.evaluate.kernels import COLUMN_BITS, ROW_BITS

    return sums & ((1 << ROW_BITS) - 1), sums >> ROW_BITS & ((1 << COLUMN_BITS) - 1)


def pack(sums: Ranks, values: Values) -> tuple[npt.NDArray[np.uint32], Values]:
    """Row displacement: where each row of sums starts, and the packed values.

    Big integers are bit sets: a row whose columns are c1, c2, .. fits wherever (used >> c1) | (used >> c2) | .. has a
    zero. The fullest rows are placed first, each as low as it goes.
    """
    from headsup.evaluate.kernels import COLUMN_BITS, ROW_BITS

    rows, columns = split(sums)
    held: list[list[int]] = [[] for _ in range(1 << ROW_BITS)]
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        held[row].append(column)
    starts = np.zeros(1 << ROW_BITS, dtype=np.uint32)
    used = 0
    for row in sorted(range(1 << ROW_BITS), key=lambda row: (-len(held[row]), row)):
        taken = 0
        for column in held[row]:
            taken |= used >> column
        start = (~taken & (taken + 1)).bit_length() - 1
        starts[row] = start
        used |= sum(1 << column for column in held[row]) << start
    slots = starts[rows].astype(np.int64) + columns
    packed = np.zeros(int(starts.max()) + (1 << COLUMN_BITS), dtype=np.uint16)
    packed[slots] = values
    return starts, packed


def low_table() -> npt.NDArray[np.uint8]:
    """The best low of two ranks of one mask and three of another, all five different; 56 is 5-4-3-2-A, 0 is none."""
    value = {mask: place for place, mask in enumerate(lows(), start=1)}
    table = np.zeros((256, 256), dtype=np.uint8)
    twos = [mask for mask in range(256) if mask.bit_count() == 2]
    threes = [mask for mask in range(256) if mask.bit_count() == 3]
    for two, three in itertools.product(twos, threes):
        if not two & three:
            table[two, three] = value[two | three]
    _inherit(table, 8)
    _inherit(table.T, 8)
    return table.reshape(-1)


def card_keys() -> npt.NDArray[np.uint64]:
    from headsup.evaluate.kernels import SUIT_SHIFT

    return np.array([RANK_KEYS[c >> 2] + (1 << (SUIT_SHIFT + 4 * (c & 3))) for c in range(52)], dtype=np.uint64)


def build() -> Tables:
    unsuited = unsuited_tables()
    rows = [rank_multisets(n) for n in range(1, 8)]
    keys = np.array(RANK_KEYS, dtype=np.int64)
    sums = np.concatenate([keys[row[possible(row)]].sum(axis=1) for row in rows])
    values = np.concatenate([unsuited[n][possible(row)] for n, row in enumerate(rows, start=1)])
    row_starts, packed = pack(sums, values)

    pairs, triples = rank_multisets(2), rank_multisets(3)
    omaha = joined_values(triples, pairs)
    pair_index, triple_index = np.zeros(256, dtype=np.uint8), np.zeros(4096, dtype=np.uint16)
    for i, pair in enumerate(pairs.tolist()):
        for a, b in itertools.permutations(pair):
            pair_index[16 * a + b] = i
    for i, triple in enumerate(triples.tolist()):
        for a, b, c in itertools.permutations(triple):
            triple_index[256 * a + 16 * b + c] = i
    return Tables(card_keys(), row_starts, packed, flush_table(), omaha, pair_index, triple_index, low_table())


@functools.cache
def load() -> Tables:
    """The tables: from the cache folder if they are there and whole, else built and cached."""
    return Tables(**cached_arrays("evaluate", VERSION, lambda: build()._asdict()))
