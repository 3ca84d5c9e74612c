"""The compiled array forms of `headsup.cards.streets`; the algorithm is told there.

To index a row, each card adds its weight to a key that names the configuration and the order of the suits, and its rank
to the set of its suit. At the end of a round every suit that received cards multiplies its history number by the number
of choices it had and adds the colex index of the choice, found in a table by the set of ranks with the used ones
squeezed out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.backend import jit


class StreetTables(NamedTuple):
    """What the kernels look up."""

    rounds: npt.NDArray[np.int64]  # [R] cards in each round
    weights: npt.NDArray[np.int64]  # [R, 4] what a card adds to the key, by round and suit
    lookup: npt.NDArray[np.int32]  # [key] 24 * configuration + order of suits
    orders: npt.NDArray[np.int64]  # [24, 4] the suit at each position of the configuration
    offsets: npt.NDArray[np.int64]  # [configurations + 1] first index of each
    groups: npt.NDArray[np.int64]  # [configurations, 4, 2] suits in the group, indices of the group
    shapes: npt.NDArray[np.int64]  # [configurations, 4, R] cards by position and round
    set_number: npt.NDArray[np.uint16]  # [8192] colex index of a rank set among those of its size
    set_of: npt.NDArray[np.uint16]  # [8192] the rank sets by size and colex index
    set_start: npt.NDArray[np.int64]  # [15] where each size starts in set_of
    bits: npt.NDArray[np.uint8]  # [8192] how many ranks a set has
    choose: npt.NDArray[np.int64]  # [14, 14] binomials


@jit
def _multichoose(x: int, k: int) -> int:
    """C(x + k - 1, k) for k = 1..4."""
    if k == 1:
        return x
    if k == 2:
        return x * (x + 1) // 2
    if k == 3:
        return x * (x + 1) * (x + 2) // 6
    return x * (x + 1) * (x + 2) * (x + 3) // 24


@jit
def _greatest(number: int, k: int) -> int:
    """The greatest x with C(x + k - 1, k) <= number: a guess from the k-th root, then mended."""
    if k == 1:
        return number
    if k == 2:
        x = np.int64(np.sqrt(2.0 * number))
    elif k == 3:
        x = np.int64((6.0 * number) ** (1.0 / 3.0))
    else:
        x = np.int64((24.0 * number) ** 0.25)
    while _multichoose(x, k) > number:
        x -= 1
    while _multichoose(x + 1, k) <= number:
        x += 1
    return x


@jit
def _read_row(rows, i, rounds, weights, bits, choose, set_number, values):  # type: ignore[no-untyped-def]
    """The key of row i, with the history number of each suit in `values`; -1 if the row is not a deal.

    The rank sets of the four suits lie in one word, 16 bits apart: `used` those of earlier rounds, `fresh` those of this
    round with the used ranks squeezed out, `now` those of this round as they are.
    """
    key = np.int64(0)
    used = np.int64(0)
    values[0] = values[1] = values[2] = values[3] = 0
    at = 0
    for r in range(len(rounds)):
        fresh = np.int64(0)
        now = np.int64(0)
        for _ in range(rounds[r]):
            card = np.int64(rows[i, at])
            rank = card >> 2
            lane = (card & 3) << 4
            bit = np.int64(1) << (lane + rank)
            if card > 51 or (used | now) & bit:
                return np.int64(-1)
            now |= bit
            lower = (used >> lane) & ((np.int64(1) << rank) - 1)
            fresh |= np.int64(1) << (lane + rank - np.int64(bits[lower]))
            key += weights[r, card & 3]
            at += 1
        for suit in range(4):
            new = (fresh >> (suit << 4)) & 0x1FFF
            if new:
                old = (used >> (suit << 4)) & 0x1FFF
                choices = choose[13 - np.int64(bits[old]), np.int64(bits[new])]
                values[suit] = values[suit] * choices + np.int64(set_number[new])
        used |= now
    return key


@jit
def _group_index(values, orders, order, at, suits):  # type: ignore[no-untyped-def]
    """The colex index of the multiset of a group's history numbers."""
    a = values[orders[order, at]]
    if suits == 1:
        return a
    b = values[orders[order, at + 1]]
    a, b = min(a, b), max(a, b)
    if suits == 2:
        return a + _multichoose(b, 2)
    c = values[orders[order, at + 2]]
    b, c = min(b, c), max(b, c)
    a, b = min(a, b), max(a, b)
    if suits == 3:
        return a + _multichoose(b, 2) + _multichoose(c, 3)
    d = values[orders[order, at + 3]]
    c, d = min(c, d), max(c, d)
    b, c = min(b, c), max(b, c)
    a, b = min(a, b), max(a, b)
    return a + _multichoose(b, 2) + _multichoose(c, 3) + _multichoose(d, 4)


@jit
def index_kernel(rows, tables, indices):  # type: ignore[no-untyped-def]
    """Write the index of each row; the number of the first row that is not a deal, or -1."""
    rounds, weights, lookup, orders = tables.rounds, tables.weights, tables.lookup, tables.orders
    offsets, groups, bits = tables.offsets, tables.groups, tables.bits
    choose, set_number = tables.choose, tables.set_number
    values = np.zeros(4, dtype=np.int64)
    for i in range(len(rows)):
        key = _read_row(rows, i, rounds, weights, bits, choose, set_number, values)
        if key < 0:
            return i
        found = np.int64(lookup[key])
        configuration = found // 24
        order = found - 24 * configuration
        place = np.int64(0)
        at = 0
        for g in range(4):
            suits = groups[configuration, g, 0]
            size = groups[configuration, g, 1]
            if size > 1:
                place = place * size + _group_index(values, orders, order, at, suits)
            at += suits
            if at == 4:
                break
        indices[i] = offsets[configuration] + place
    return -1


@jit
def _split(index, offsets, groups, values):  # type: ignore[no-untyped-def]
    """The configuration of an index, with the history number of each position in `values`, descending in a group."""
    low = 0
    high = len(offsets) - 2
    while low < high:
        middle = (low + high + 1) // 2
        if offsets[middle] <= index:
            low = middle
        else:
            high = middle - 1
    place = index - offsets[low]
    end = 4
    for back in range(4):
        suits = groups[low, 3 - back, 0]
        size = groups[low, 3 - back, 1]
        if suits == 0:
            continue
        rest = place % size
        place //= size
        for k in range(suits, 0, -1):
            x = _greatest(rest, k)
            values[end - k] = x
            rest -= _multichoose(x, k)
        end -= suits
    return low


@jit
def _spread(ranks, used):  # type: ignore[no-untyped-def]
    """Make room in a squeezed rank set for the ranks already used."""
    rank = 0
    while used >> rank:
        if used >> rank & 1:
            below = (np.int64(1) << rank) - 1
            ranks = (ranks & below) | ((ranks & ~below) << 1)
        rank += 1
    return ranks


@jit
def _write_round(rows, i, start, end, sets):  # type: ignore[no-untyped-def]
    """Write the cards of one round, ascending, from the rank sets at the four positions (spades first)."""
    at = start
    rank = 0
    while at < end:
        for suit in range(4):
            if sets[3 - suit] >> rank & 1:
                rows[i, at] = 4 * rank + suit
                at += 1
        rank += 1


@jit
def _split_history(value, shapes, configuration, p, choose, digits):  # type: ignore[no-untyped-def]
    """The digit of each round in the history number at position p."""
    rounds = shapes.shape[2]
    left = np.int64(13)
    for r in range(rounds):
        left -= shapes[configuration, p, r]
    for r in range(rounds - 1, -1, -1):
        count = shapes[configuration, p, r]
        digits[p, r] = 0
        if count:
            left += count
            choices = choose[left, count]
            digits[p, r] = value % choices
            value //= choices


@jit
def unindex_kernel(indices, tables, rows):  # type: ignore[no-untyped-def]
    """Write the deal that stands for each index."""
    rounds, offsets, groups, shapes = tables.rounds, tables.offsets, tables.groups, tables.shapes
    choose, set_of, set_start = tables.choose, tables.set_of, tables.set_start
    values = np.zeros(4, dtype=np.int64)
    digits = np.zeros((4, len(rounds)), dtype=np.int64)
    sets = np.zeros(4, dtype=np.int64)
    used = np.zeros(4, dtype=np.int64)
    for i in range(len(indices)):
        configuration = _split(indices[i], offsets, groups, values)
        for p in range(4):
            used[p] = 0
            _split_history(values[p], shapes, configuration, p, choose, digits)
        at = 0
        for r in range(len(rounds)):
            for p in range(4):
                count = shapes[configuration, p, r]
                sets[p] = 0
                if count:
                    squeezed = np.int64(set_of[set_start[count] + digits[p, r]])
                    sets[p] = _spread(squeezed, used[p])
                    used[p] |= sets[p]
            _write_round(rows, i, at, at + rounds[r], sets)
            at += rounds[r]


@jit
def class_size_kernel(indices, tables, sizes):  # type: ignore[no-untyped-def]
    """Write how many deals share each index: 24 over the product of the factorials of equal histories."""
    offsets, groups = tables.offsets, tables.groups
    values = np.zeros(4, dtype=np.int64)
    for i in range(len(indices)):
        configuration = _split(indices[i], offsets, groups, values)
        size = 24
        at = 0
        for g in range(4):
            run = 1
            for p in range(at + 1, at + groups[configuration, g, 0]):
                run = run + 1 if values[p] == values[p - 1] else 1
                size //= run
            at += groups[configuration, g, 0]
        sizes[i] = size
