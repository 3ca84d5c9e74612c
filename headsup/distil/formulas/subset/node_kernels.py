"""What a node of a proof asks most often, compiled: spans with further columns, and the cores that are not met yet.

Sets of columns are bits here, uint64[.., words]: column j is bit j % 64 of word j // 64.
"""

from typing import Any

import numpy as np

from headsup.common.backend import jit

PRIME = 2_147_483_629  # the largest below 2**31 but one: products of two remainders fit into 63 bits
FEW = 64  # cores are left out that hold one of so many smaller ones: to meet that is to meet them


@jit(inner=True, bare=True)
def _inverse(number: int) -> int:
    """The inverse modulo the prime, by Euclid's algorithm."""
    a, b = number, PRIME
    x, y = 1, 0
    while b:
        times = a // b
        a, b = b, a - times * b
        x, y = y, x - times * y
    return x % PRIME


@jit(bare=True)
def take(rest: Any, columns: Any, within: Any, leader: Any, alike: Any) -> int:
    """Take columns into the span: `rest` int64[rows, width] is what is left beside them; how many rows that needs.

    Those rows are zero afterwards. within[j] = whether nothing is left of column j; leader[j] = the first column alike,
    up to a factor, else -1. `alike` is workspace for `rest`, columns first.
    """
    n, width = rest.shape
    taken = 0
    for column in columns:
        pivot = 0
        while pivot < n and rest[pivot, column] == 0:
            pivot += 1
        if pivot == n:
            continue
        taken += 1
        inverse = _inverse(rest[pivot, column])
        for j in range(width):
            rest[pivot, j] = rest[pivot, j] * inverse % PRIME
        for i in range(n):
            factor = rest[i, column]
            if i != pivot and factor != 0:
                for j in range(width):
                    if rest[pivot, j] != 0:
                        rest[i, j] = (rest[i, j] - factor * rest[pivot, j]) % PRIME
        for j in range(width):
            rest[pivot, j] = 0
    for j in range(width):
        first = 0
        while first < n and rest[first, j] == 0:
            first += 1
        within[j] = first == n
        leader[j] = -1
        if first == n:
            continue
        inverse = _inverse(rest[first, j])
        for i in range(n):
            alike[j, i] = rest[i, j] * inverse % PRIME
        leader[j] = j
        for k in range(j):
            if leader[k] == k:
                same = True
                for i in range(n):
                    if alike[k, i] != alike[j, i]:
                        same = False
                        break
                if same:
                    leader[j] = k
                    break
    return taken


@jit(inner=True, bare=True)
def _count(word: Any) -> Any:
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    word = word + (word >> np.uint64(32))
    word = word + (word >> np.uint64(16))
    word = word + (word >> np.uint64(8))
    return np.int64(word & np.uint64(0x7F))


@jit(bare=True)
def unmet(cores: Any, inside: Any, kept: Any, sizes: Any, rest: Any) -> Any:
    """The cores that no column of `inside` meets, cut to the columns `kept`, the smallest first.

    They are written to `rest` uint64[.., words], without copies and without some that hold smaller ones, as many as
    leave its last row free. Returns (their number, the size of the smallest, a bound of the disjoint ones). If the
    smallest has a single column or none, only those of its size are written. `sizes` is workspace, one int64 a core.
    """
    n, words = cores.shape
    most = len(rest) - 1
    smallest = 64 * words + 1
    for k in range(n):
        size = 0
        for w in range(words):
            if cores[k, w] & inside[w]:
                size = -1
                break
            size += _count(cores[k, w] & kept[w])
        sizes[k] = size
        if 0 <= size < smallest:
            smallest = size
    count = 0
    size = smallest
    last = smallest if smallest <= 1 else 64 * words
    while size <= last and count < most:
        following = 64 * words + 1
        for k in range(n):
            if sizes[k] < size or count == most:
                continue
            if sizes[k] > size:
                following = min(following, sizes[k])
                continue
            for w in range(words):
                rest[count, w] = cores[k, w] & kept[w]
            new = True
            for other in range(count):
                # the smallest and the last ones: copies come close together, and a few that slip through do no harm
                if other >= FEW and other < count - FEW:
                    continue
                holds = True
                for w in range(words):
                    if rest[other, w] & ~rest[count, w]:
                        holds = False
                        break
                if holds:
                    new = False
                    break
            if new:
                count += 1
        size = following
    for w in range(words):
        rest[count, w] = 0  # the columns of disjoint cores so far
    disjoint = 0
    for k in range(count):
        free = True
        for w in range(words):
            if rest[count, w] & rest[k, w]:
                free = False
        if free:
            disjoint += 1
            for w in range(words):
                rest[count, w] |= rest[k, w]
    return count, smallest, disjoint
