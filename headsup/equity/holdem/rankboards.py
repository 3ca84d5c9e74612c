"""Hold'em strength split into a part that sees ranks only and a part that sees one suit only.

The value of two hole cards on a board is the larger of the value of the seven *ranks* as if no flush existed (91 rank
pairs x 6,188 rank boards) and the value of the flush (8,192 sets of ranks held in the suit), because five cards of one
suit exclude a full house and quads. A rank board is a multiset of five ranks in colex order, and so are rank pairs.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import rank_multisets
from headsup.cards.combos import holdem_combos
from headsup.common.archives import cached_arrays
from headsup.evaluate.tables import flush_table, joined_values

VERSION = 1
N_PAIRS = 91
N_KINDS = 338  # ways in which a hand can meet a suit: 78 with both cards in it, 169 with one, 91 with none


CHOOSE = np.array([[comb(n, k) for k in range(6)] for n in range(5)], dtype=np.int64)
"""C(n, k): ways to put k of the n cards left of a rank on a board."""


class HoldemTables(NamedTuple):
    by_pair: npt.NDArray[np.uint16]
    """[91, 6188]: the value of a rank pair on a rank board, no flush; 0 where no deal has these ranks."""
    by_board: npt.NDArray[np.uint16]  # [6188, 91]: the same, transposed
    flush: npt.NDArray[np.uint16]  # [8192]: the value of the best flush in a set of ranks, or 0
    steps: npt.NDArray[np.uint16]  # [5, 13]: C(r + i, i + 1), what the i-th lowest rank adds to a rank board's index
    rank_boards: npt.NDArray[np.uint8]  # [6188, 5]: the ranks of each rank board, lowest first
    suited: npt.NDArray[np.uint16]  # [2288]: the sets T of three, four and five ranks, in that order
    together: npt.NDArray[np.uint16]  # the rank board of each (T, U), those of one T side by side: 91, 13 or 1 of them


@cache
def tables() -> HoldemTables:
    """The arrays: from the cache folder if they are there and whole, else built and cached."""
    stored = cached_arrays("rank-boards", VERSION, lambda: build()._asdict())
    # copies, since the kernels are compiled for writable arrays
    return HoldemTables(**{name: np.array(array) for name, array in stored.items()})


def build() -> HoldemTables:
    """All arrays from nothing: 49,205 rank evaluations and some counting."""
    boards = rank_multisets(5)
    by_pair = joined_values(rank_multisets(2), boards)
    suited, together = [], []
    for k in (3, 4, 5):
        sets, rest = np.array(list(combinations(range(13), k))), rank_multisets(5 - k)
        suited.append((1 << sets).sum(axis=1))
        both = [np.repeat(sets, len(rest), axis=0), np.tile(rest, (len(sets), 1))]
        together.append(np.sort(np.concatenate(both, axis=1), axis=1))
    steps = np.array([[comb(rank + i, i + 1) for rank in range(13)] for i in range(5)], dtype=np.uint16)
    return HoldemTables(
        by_pair=by_pair,
        by_board=np.ascontiguousarray(by_pair.T),
        flush=flush_table(),
        steps=steps,
        rank_boards=boards,
        suited=np.concatenate(suited).astype(np.uint16),
        together=steps[np.arange(5), np.concatenate(together)].sum(axis=1).astype(np.uint16),
    )


@cache
def pair_index() -> npt.NDArray[np.uint8]:
    """uint8[13, 13]: the index of a pair of ranks, in either order."""
    rank = np.arange(13)
    low, high = np.minimum.outer(rank, rank), np.maximum.outer(rank, rank)
    return np.asarray(low + high * (high + 1) // 2, dtype=np.uint8)


@cache
def kind_index() -> npt.NDArray[np.int16]:
    """int16[1326, 4]: for each combo and suit, its kind 0..337: which of its ranks are in the suit."""
    cards = holdem_combos().astype(np.int64)
    rank, suit = cards >> 2, cards & 3
    kinds = np.empty((len(cards), 4), dtype=np.int16)
    for s in range(4):
        first, second = suit[:, 0] == s, suit[:, 1] == s
        single = 78 + 13 * np.where(first, rank[:, 0], rank[:, 1]) + np.where(first, rank[:, 1], rank[:, 0])
        both = rank[:, 0] + rank[:, 1] * (rank[:, 1] - 1) // 2
        none = 247 + pair_index()[rank[:, 0], rank[:, 1]].astype(np.int64)
        kinds[:, s] = np.select([first & second, first | second], [both, single], none)
    return kinds


def kind_ranks() -> npt.NDArray[np.int64]:
    """int64[338, 3]: of each kind, the mask of its ranks in the suit and its two ranks, those in the suit first."""
    both = [((1 << low) | (1 << high), low, high) for high in range(13) for low in range(high)]
    single = [(1 << inside, inside, outside) for inside in range(13) for outside in range(13)]
    none = [(0, low, high) for high in range(13) for low in range(high + 1)]
    return np.array(both + single + none, dtype=np.int64)
