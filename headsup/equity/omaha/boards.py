"""Omaha strength split into a part that sees ranks only and a part that sees one suit only.

The high value of four hole cards on a board is the larger of the best of its six rank pairs with three of the board's
ranks, as if no flush existed (1,820 rank hands x 6,188 rank boards), and the best flush of a pair in the suit (78 rank
pairs x 2,288 sets T). The low sees ranks only. Rank boards and sets T are those of `rankboards`.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import rank_multiset_index, rank_multisets
from headsup.common.archives import cached_arrays
from headsup.equity.holdem.rankboards import pair_index, tables
from headsup.evaluate.classes import LOW_BITS
from headsup.evaluate.tables import flush_table, joined_values, low_table

VERSION = 1
FULL_HOUSE = 7141  # the lowest value that beats every flush short of a straight flush
STRAIGHT_FLUSH = 7453


class OmahaTables(NamedTuple):
    pair_high: npt.NDArray[np.uint16]
    """[91, 6188]: the best value of a rank pair with three ranks of a rank board, no flush."""
    flush: npt.NDArray[np.uint16]
    """[78, 2288]: the best flush of two ranks held in a suit with three ranks of T; 0 where they share a rank."""
    low: npt.NDArray[np.uint8]
    """[256, 256]: the low of a hand's low ranks and a board's low ranks, each a mask with the ace as bit 0."""
    board_low: npt.NDArray[np.uint8]  # [6188]: the mask of low ranks on a rank board
    suited: npt.NDArray[np.uint16]  # [2288]: the sets T of three, four and five ranks
    together: npt.NDArray[np.uint16]  # the rank board of each (T, U), those of one T side by side: 91, 13 or 1 of them
    rank_boards: npt.NDArray[np.uint8]  # [6188, 5]: the ranks of each rank board, lowest first


@cache
def omaha_tables() -> OmahaTables:
    """The arrays; those that take longest come from the cache folder, or are built in a fraction of a second."""
    base = tables()
    stored = cached_arrays(
        "omaha-boards",
        VERSION,
        lambda: {"pair_high": _pair_high(base.rank_boards), "flush": _flush(base.suited)},
    )
    return OmahaTables(
        pair_high=np.array(stored["pair_high"]),
        flush=np.array(stored["flush"]),
        low=low_table().reshape(256, 256),
        board_low=np.bitwise_or.reduce(LOW_BIT[base.rank_boards], axis=1),
        suited=base.suited,
        together=base.together,
        rank_boards=base.rank_boards,
    )


LOW_BIT = np.array(LOW_BITS, dtype=np.uint8)


def hand_low_mask(ranks: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """uint8[n]: the low masks of hands given as ranks [n, 4]."""
    return np.asarray(np.bitwise_or.reduce(LOW_BIT[ranks], axis=-1))


@cache
def rank_hands() -> npt.NDArray[np.uint8]:
    return rank_multisets(4)


@cache
def hand_high() -> npt.NDArray[np.uint16]:
    """uint16[1820, 6188]: the high value of each rank hand on each rank board, no flush."""
    by_pair, index = omaha_tables().pair_high, pair_index()
    hands = rank_hands()
    best = by_pair[index[hands[:, 0], hands[:, 1]]]
    for i, j in ((0, 2), (0, 3), (1, 2), (1, 3), (2, 3)):
        np.maximum(best, by_pair[index[hands[:, i], hands[:, j]]], out=best)
    return best


@cache
def hand_low() -> npt.NDArray[np.uint8]:
    """uint8[1820, 6188]: the low of each rank hand on each rank board, 0 for none."""
    known = omaha_tables()
    return np.ascontiguousarray(known.low[hand_low_mask(rank_hands())][:, known.board_low])


def _pair_high(boards: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
    """The best of ten triples for each rank pair; five equal ranks, which no deal has, count as nothing."""
    triples, pairs = rank_multisets(3), rank_multisets(2)
    by_triple = joined_values(pairs, triples)
    best = np.zeros((len(pairs), len(boards)), dtype=np.uint16)
    for three in combinations(range(5), 3):
        np.maximum(best, by_triple[:, rank_multiset_index(boards[:, three])], out=best)
    return best


def _flush(suited: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint16]:
    """For two ranks low < high (index low + high*(high-1)/2) and a set T: the best flush with exactly three of T."""
    by_mask = flush_table()
    pairs = np.array([(1 << low) | (1 << high) for high in range(13) for low in range(high)], dtype=np.uint16)
    sets = [[1 << rank for rank in range(13) if mask >> rank & 1] for mask in suited.tolist()]
    threes = [[sum(three) for three in combinations(bits, 3)] for bits in sets]
    held = np.array([(masks * 10)[:10] for masks in threes], dtype=np.uint16)  # one, four or ten, again until ten
    best = by_mask[pairs[:, None, None] | held].max(axis=2)
    return np.where(pairs[:, None] & suited == 0, best, 0).astype(np.uint16)
