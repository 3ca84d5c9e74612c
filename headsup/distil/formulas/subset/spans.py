"""Which features follow from which: columns that are weighted sums of others.

Of no ace, one ace and two aces or more always one holds, so of 55 to 72 different features only 38 to 57 are
independent. What a set *spans* is all columns that are weighted sums of its own; sets with the same span have the same
error, but for the limits of their weights. Sums are exact: columns are vectors over the whole numbers modulo a prime.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headsup.distil.formulas.problem import Bools, Ints
from headsup.distil.formulas.subset import node_kernels
from headsup.distil.formulas.subset.node_kernels import PRIME

Words = npt.NDArray[np.uint64]  # sets of columns as bits


@dataclass(frozen=True, eq=False)
class Span:
    """A span, and the columns as they look from it: what it spans is zero, and what it makes alike is alike."""

    within: Bools  # bool[width]: the columns that it spans
    rank: int  # how many independent columns it takes
    rest: Ints  # int64[.., width]: coordinates of the columns, up to what is spanned
    leader: Ints
    """int64[width]: the first of the columns that are each in the span of the other and this one; -1 within it."""

    def with_(self, columns: Iterable[int]) -> Span:
        return _span(self.rest.copy(), self.rank, np.fromiter(columns, dtype=np.int64))

    def spread(self, columns: Bools) -> Bools:
        """These columns, and those outside of the span that come with one of them."""
        heads = np.zeros(len(columns) + 1, dtype=np.bool_)
        heads[self.leader[columns]] = True
        heads[-1] = False
        return columns | heads[self.leader]


def nothing(table: Bools) -> Span:
    rest = np.unique(table, axis=0).astype(np.int64)
    kept = []
    while rest.any():
        column = int(np.flatnonzero(rest.any(axis=0))[0])
        row = int(np.flatnonzero(rest[:, column])[0])
        line = rest[row] * pow(int(rest[row, column]), -1, PRIME) % PRIME
        kept.append(line)
        rest = (rest - np.outer(rest[:, column], line)) % PRIME
        rest = rest[rest.any(axis=1)]
    return _span(np.array(kept, dtype=np.int64).reshape(-1, table.shape[1]), 0, np.empty(0, dtype=np.int64))


def _span(rest: Ints, rank: int, columns: Ints) -> Span:
    """The span with further columns, from the coordinates relative to that without them."""
    n, width = rest.shape
    within, leader = np.empty(width, dtype=np.bool_), np.empty(width, dtype=np.int64)
    taken = node_kernels.take(rest, columns, within, leader, np.empty((width, n), dtype=np.int64))
    return Span(within, rank + taken, rest[rest.any(axis=1)] if taken else rest, leader)


def as_bits(sets: Bools) -> Words:
    """Sets of columns, bool[.., width], as uint64[.., words]."""
    padded = np.zeros((*sets.shape[:-1], -(-sets.shape[-1] // 64) * 64), dtype=np.bool_)
    padded[..., : sets.shape[-1]] = sets
    return np.packbits(padded, axis=-1, bitorder="little").view(np.uint64)


def as_bools(bits: Words, width: int) -> Bools:
    """The inverse of `as_bits`."""
    return np.unpackbits(bits.view(np.uint8), axis=-1, count=width, bitorder="little").view(np.bool_)
