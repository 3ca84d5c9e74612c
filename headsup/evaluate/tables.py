"""The evaluator's lookup tables: built here in about a second, cached on disk, checked whenever they are read.

1. A five-card hand is one of 7,462 classes. Each class has a sort key (category, then the ranks that decide); sorting the
   keys gives the values 1..7462, greater is better.
2. Without flushes a hand is a multiset of ranks. Six and seven cards are worth their best five; one to four cards are worth
   the least that any completion could be worth, which is what the hand has already made.
3. Each rank has a key such that no two multisets of one to seven ranks have the same sum. The keys are the greedy ones: the
   smallest number each time that keeps all sums apart (OMPEval uses the same thirteen numbers).
4. The sums reach 18 million but only 76,154 occur, so they are packed by row displacement: a sum's high bits pick a row,
   each row slides to the first place where its sums fall on free slots, and `values[row_starts[sum >> 12] + (sum & 4095)]`
   is the value. The packed table has almost no gaps.
5. `card_keys` adds four counters in the high bits, one a suit; they start at three, so that the fifth card of a suit sets
   that counter's top bit, which is the flush test. `flush` answers by the 13-bit mask of the suit's ranks.
6. Omaha takes two ranks from the hand and three from the board: `omaha[triple, pair]`, both counted as multisets in colex
   order. `low` answers the eight-or-better low for the low ranks (ace = bit 0 .. eight = bit 7) of hand and board.
"""

from __future__ import annotations

import functools
import hashlib
import io
import itertools
import os
import tempfile
import zipfile
from collections import Counter
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

VERSION = 1
CLASSES = 7462
LOWS = 56
RANK_KEYS = (1, 5, 24, 112, 521, 2247, 9244, 30823, 103066, 250154, 667453, 1526359, 3453520)
ROW_BITS = 11
SUIT_SHIFT = 32
NO_CARDS = 0x3333 << SUIT_SHIFT  # the suit counters start at three
FLUSH_BITS = 0x8888 << SUIT_SHIFT
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

Values = npt.NDArray[np.uint16]
Ranks = npt.NDArray[np.int64]


class Tables(NamedTuple):
    """Every lookup table of the evaluators, in the order in which kernels take them."""

    card_keys: npt.NDArray[np.uint64]  # [52]: rank key + one in the counter of the suit
    row_starts: npt.NDArray[np.uint32]  # [rows of 4096 sums]
    values: Values  # packed: the value of a multiset of ranks
    flush: Values  # [8192]: best straight flush or flush of a mask of five or more ranks, 0 for fewer
    omaha: Values  # [455, 91]: value of three board ranks and two hand ranks, 0 for five of a rank
    pair_index: npt.NDArray[np.uint8]  # [256]: 16 * a + b -> 0..90, either order
    triple_index: Values  # [4096]: 256 * a + 16 * b + c -> 0..454, any order
    low: npt.NDArray[np.uint8]  # [65536]: 256 * hand mask + board mask -> 0..56


class Class5(NamedTuple):
    """One class of five-card hands: its category and its ranks, the deciding ones first."""

    category: int
    ranks: tuple[int, ...]


@functools.cache
def classes() -> tuple[Class5, ...]:
    """The 7,462 classes, weakest first: the class with value v is `classes()[v - 1]`."""
    found = []
    for ranks in itertools.combinations_with_replacement(range(13), 5):
        counts = Counter(ranks)
        if max(counts.values()) == 5:
            continue
        found.append(_class_of(counts, flush=False))
        if len(counts) == 5:
            found.append(_class_of(counts, flush=True))
    return tuple(sorted(found))


def _class_of(counts: Counter[int], flush: bool) -> Class5:
    order = tuple(sorted(counts.elements(), key=lambda rank: (counts[rank], rank), reverse=True))
    shape = sorted(counts.values(), reverse=True)
    if len(counts) == 5:
        wheel = order == (12, 3, 2, 1, 0)
        straight = wheel or order[0] - order[4] == 4
        category = (8 if straight else 5) if flush else (4 if straight else 0)
        return Class5(category, (3, 2, 1, 0, 12) if wheel else order)
    category = {(2, 1): 1, (2, 2): 2, (3, 1): 3, (3, 2): 6, (4, 1): 7}[shape[0], shape[1]]
    return Class5(category, order)


def multisets(n: int) -> Ranks:
    """All multisets of n ranks, ascending within a row, rows in colex order; five of a rank are included."""
    rows = np.array(list(itertools.combinations_with_replacement(range(13), n)), dtype=np.int64)
    return rows[np.lexsort(rows.T)]


def multiset_index(ranks: Ranks) -> Ranks:
    """The row of `multisets` that holds these ranks (ascending along the last axis)."""
    weights = np.array([[comb(rank + i, i + 1) for rank in range(13)] for i in range(ranks.shape[-1])])
    return np.asarray(weights[np.arange(ranks.shape[-1]), ranks].sum(axis=-1), dtype=np.int64)


def flush_table() -> Values:
    """The value of the best flush or straight flush in each 13-bit mask of ranks."""
    table = np.zeros(8192, dtype=np.uint16)
    for value, one in enumerate(classes(), start=1):
        if one.category in (5, 8):
            table[sum(1 << rank for rank in one.ranks)] = value
    for mask in range(8192):
        if mask.bit_count() > 5:
            table[mask] = max(table[mask & ~(1 << rank)] for rank in range(13) if mask >> rank & 1)
    return table


def unsuited_tables() -> list[Values]:
    """The value of every multiset of n ranks without flushes, for n = 0..7, each in the order of `multisets`."""
    tables: list[Values] = [np.zeros(0, dtype=np.uint16)] * 8
    five = np.zeros(comb(17, 5), dtype=np.uint16)
    for value, one in enumerate(classes(), start=1):
        if one.category not in (5, 8):
            five[multiset_index(np.array(sorted(one.ranks)))] = value
    tables[5] = five
    for n in (6, 7):
        rows = multisets(n)
        best = np.max([tables[n - 1][multiset_index(np.delete(rows, i, axis=1))] for i in range(n)], axis=0)
        tables[n] = np.where(_possible(rows), best, 0).astype(np.uint16)
    for n in (4, 3, 2, 1):
        rows = multisets(n)
        longer = [np.sort(np.insert(rows, 0, rank, axis=1), axis=1) for rank in range(13)]
        worth = np.array([tables[n + 1][multiset_index(one)] for one in longer])
        tables[n] = np.where(worth > 0, worth, CLASSES + 1).min(axis=0).astype(np.uint16)
    return tables


def _possible(rows: Ranks) -> npt.NDArray[np.bool_]:
    """Which multisets have no more than four of a rank."""
    if rows.shape[1] < 5:
        return np.ones(len(rows), dtype=np.bool_)
    return ~(rows[:, 4:] == rows[:, :-4]).any(axis=1)


def pack(sums: Ranks, values: Values) -> tuple[npt.NDArray[np.uint32], Values]:
    """Row displacement: where each row of 4096 sums starts, and the packed values.

    Big integers are bit sets: a row whose columns are c1, c2, .. fits wherever (used >> c1) | (used >> c2) | .. has a
    zero. The fullest rows are placed first, each as low as it goes.
    """
    width = 1 << ROW_BITS
    columns: list[list[int]] = [[] for _ in range((int(sums.max()) >> ROW_BITS) + 1)]
    for one in sums.tolist():
        columns[one >> ROW_BITS].append(one & (width - 1))
    starts = np.zeros(len(columns), dtype=np.uint32)
    used = 0
    for row in sorted(range(len(columns)), key=lambda row: (-len(columns[row]), row)):
        if not columns[row]:
            continue
        taken = 0
        for column in columns[row]:
            taken |= used >> column
        start = (~taken & (taken + 1)).bit_length() - 1
        starts[row] = start
        used |= sum(1 << column for column in columns[row]) << start
    slots = starts[sums >> ROW_BITS].astype(np.int64) + (sums & (width - 1))
    packed = np.zeros(int(slots.max()) + 1, dtype=np.uint16)
    packed[slots] = values
    return starts, packed


def low_table() -> npt.NDArray[np.uint8]:
    """The best low of two ranks of one mask and three of another, all five different; 56 is 5-4-3-2-A, 0 is none."""
    masks = [mask for mask in range(256) if mask.bit_count() == 5]
    value = {mask: LOWS - place for place, mask in enumerate(masks)}  # the smaller mask is the better low
    table = np.zeros((256, 256), dtype=np.uint8)
    twos = [mask for mask in range(256) if mask.bit_count() == 2]
    threes = [mask for mask in range(256) if mask.bit_count() == 3]
    every = np.arange(256)
    for two, three in itertools.product(twos, threes):
        if not two & three:
            cell = np.ix_((every & two) == two, (every & three) == three)
            table[cell] = np.maximum(table[cell], value[two | three])
    return table.reshape(-1)


def card_keys() -> npt.NDArray[np.uint64]:
    """The 64-bit key of each card."""
    return np.array([RANK_KEYS[c >> 2] + (1 << (SUIT_SHIFT + 4 * (c & 3))) for c in range(52)], dtype=np.uint64)


def build() -> Tables:
    """All tables from nothing."""
    unsuited = unsuited_tables()
    rows = [multisets(n) for n in range(1, 8)]
    keys = np.array(RANK_KEYS, dtype=np.int64)
    sums = np.concatenate([keys[row[_possible(row)]].sum(axis=1) for row in rows])
    values = np.concatenate([unsuited[n][_possible(row)] for n, row in enumerate(rows, start=1)])
    row_starts, packed = pack(sums, values)

    pairs, triples = multisets(2), multisets(3)
    both = np.concatenate([np.repeat(triples, len(pairs), axis=0), np.tile(pairs, (len(triples), 1))], axis=1)
    omaha = unsuited[5][multiset_index(np.sort(both, axis=1))].reshape(len(triples), len(pairs))
    pair_index, triple_index = np.zeros(256, dtype=np.uint8), np.zeros(4096, dtype=np.uint16)
    for i, pair in enumerate(pairs.tolist()):
        for a, b in itertools.permutations(pair):
            pair_index[16 * a + b] = i
    for i, triple in enumerate(triples.tolist()):
        for a, b, c in itertools.permutations(triple):
            triple_index[256 * a + 16 * b + c] = i
    return Tables(card_keys(), row_starts, packed, flush_table(), omaha, pair_index, triple_index, low_table())


def checksum(tables: Tables) -> str:
    """SHA-256 over every table's name, type, shape and bytes."""
    digest = hashlib.sha256(f"headsup evaluate {VERSION}".encode())
    for name, table in zip(Tables._fields, tables, strict=True):
        digest.update(f"{name} {table.dtype.str} {table.shape}".encode())
        digest.update(np.ascontiguousarray(table).tobytes())
    return digest.hexdigest()


def save(tables: Tables, path: Path) -> None:
    """Write the tables so that a reader sees the old file or the whole new one, never a part."""
    seal = np.frombuffer(checksum(tables).encode(), dtype=np.uint8)
    handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, allow_pickle=False, version=np.array(VERSION), seal=seal, **tables._asdict())
        os.replace(scratch, path)
    except BaseException:
        Path(scratch).unlink(missing_ok=True)
        raise


def read(path: Path) -> Tables | None:
    """The tables in a file, or None if it is missing, damaged or of another version."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            if int(stored["version"]) != VERSION:
                return None
            tables = Tables(*(stored[name] for name in Tables._fields))
            seal = stored["seal"].tobytes().decode()
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, NotImplementedError):
        return None
    return tables if seal == checksum(tables) else None


@functools.cache
def load() -> Tables:
    """The tables: from the cache folder if they are there and whole, else built and cached."""
    from headsup.backend import cache_dir

    path: Path | None
    try:
        path = cache_dir() / f"evaluate-v{VERSION}.npz"
    except OSError:  # no folder to write to: build in memory
        path = None
    tables = read(path) if path else None
    if tables is None:
        tables = build()
        if path:
            try:
                save(tables, path)
            except OSError:  # a full or read-only disk costs a second next time, nothing more
                pass
    for table in tables:
        table.setflags(write=False)
    return tables
