"""The kernel of the search for few columns that meet every core: what follows from a partial choice.

Sets of columns are bits in two 64-bit words. A core is a set of which every solution holds at least one column.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from headsup.backend import jit

PRUNED, OPEN, FULL = 0, 1, 2
"""No solution here; undecided; undecided, and disjoint cores need every free place, so no other column can be taken."""


@jit
def _count(word: Any) -> int:
    """How many bits are set."""
    v = np.uint64(word)
    v = v - ((v >> np.uint64(1)) & np.uint64(0x5555555555555555))
    v = (v & np.uint64(0x3333333333333333)) + ((v >> np.uint64(2)) & np.uint64(0x3333333333333333))
    v = (v + (v >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((v * np.uint64(0x0101010101010101)) >> np.uint64(56))


@jit
def _rest_of_cores(cores: Any, count: int, taken: Any, barred: Any, rest: Any) -> int:
    """Cores not met yet, less the barred columns, to `rest`; a single column left is taken. How many, or -1 if one is empty.

    Returns -2 - n when something was taken, for then the others must be looked at again.
    """
    n = 0
    forced = False
    for k in range(count):
        if cores[k, 0] & taken[0] or cores[k, 1] & taken[1]:
            continue
        a = cores[k, 0] & ~barred[0]
        b = cores[k, 1] & ~barred[1]
        one = np.uint64(1)
        if a == 0 and b == 0:
            return -1
        if (a == 0 and b & (b - one) == 0) or (b == 0 and a & (a - one) == 0):
            taken[0] |= a
            taken[1] |= b
            forced = True
            continue
        rest[n, 0] = a
        rest[n, 1] = b
        n += 1
    return -2 - n if forced else n


@jit
def _pack(rest: Any, n: int, weights: Any, union: Any) -> int:
    """Greedily disjoint cores, those of least weight first: how many, their union to `union`."""
    order = np.argsort(weights[:n])
    union[:] = np.uint64(0)
    found = 0
    for k in order:
        if rest[k, 0] & union[0] == 0 and rest[k, 1] & union[1] == 0:
            union[0] |= rest[k, 0]
            union[1] |= rest[k, 1]
            found += 1
    return found


@jit
def _weigh(rest: Any, n: int, width: int, weights: Any, scores: Any) -> None:
    """weights[k] = in how many cores the columns of core k lie; scores[j] = cores of column j, small ones count more."""
    lies = np.zeros(width)
    scores[:] = 0.0
    for k in range(n):
        share = 1.0 / (_count(rest[k, 0]) + _count(rest[k, 1])) ** 2
        for j in range(width):
            if (rest[k, j >> 6] >> np.uint64(j & 63)) & np.uint64(1):
                lies[j] += 1.0
                scores[j] += share
    for k in range(n):
        total = 0.0
        for j in range(width):
            if (rest[k, j >> 6] >> np.uint64(j & 63)) & np.uint64(1):
                total += lies[j]
        weights[k] = total


@jit
def propagate(cores: Any, count: int, taken: Any, barred: Any, most: int, width: int, union: Any) -> Any:
    """What the cores say where the columns `taken` are in and `barred` are out: (verdict, free places, packed, branch).

    Both sets grow by what must be in or out. `union` becomes the columns of disjoint cores, `packed` how many these
    are; `branch` is the column to decide next, one of a smallest core, or -1 when all cores are met.
    """
    rest = np.empty((count, 2), dtype=np.uint64)
    weights = np.empty(count)
    scores = np.empty(width)
    other = np.empty(2, dtype=np.uint64)
    every = np.zeros(2, dtype=np.uint64)
    for j in range(width):
        every[j >> 6] |= np.uint64(1) << np.uint64(j & 63)
    full = False
    while True:
        n = _rest_of_cores(cores, count, taken, barred, rest)
        free = most - _count(taken[0]) - _count(taken[1])
        if n == -1 or free < 0 or (n > 0 and free == 0):
            return PRUNED, free, 0, -1
        if n < -1:
            continue
        union[:] = np.uint64(0)
        if n == 0:
            return OPEN, free, 0, -1
        for k in range(n):
            weights[k] = _count(rest[k, 0]) + _count(rest[k, 1])
        packed = _pack(rest, n, weights, union)
        smallest = np.argmin(weights[:n])
        if packed <= free:
            _weigh(rest, n, width, weights, scores)
            again = _pack(rest, n, weights, other)
            if again > packed:
                packed = again
                union[:] = other
        if packed > free:
            return PRUNED, free, packed, -1
        outside = False
        if packed == free:
            full = True
            for w in range(2):
                out = every[w] & ~(taken[w] | barred[w] | union[w])
                if out:
                    barred[w] |= out
                    outside = True
        if outside:
            continue
        branch = -1
        for j in range(width):
            if (rest[smallest, j >> 6] >> np.uint64(j & 63)) & np.uint64(1):
                if branch < 0 or scores[j] > scores[branch]:
                    branch = j
        return (FULL if full else OPEN), free, packed, branch
