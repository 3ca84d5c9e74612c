"""The compiled array forms of `headsup.cards.streets`; the algorithm is told there.

To index a row, every card adds its rank to the set of its suit and a step to the code of its suit's shape. At the end
of a round each suit multiplies its history number by the number of choices it had and adds the colex index of its
choice, found in a table by the set of ranks with the used ones squeezed out. A suit's code and history number then form
one word. Four words are sorted without a branch, which orders the shapes and, within a group, the histories at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.common.backend import jit

RANK_BITS = (1 << 13) - 1
NUMBER = (1 << 40) - 1  # the part of a suit's word that holds its history number


class StreetTables(NamedTuple):
    """What the kernels look up; R rounds, positions 0..3 are the suits of a configuration, greatest shape first."""

    rounds: npt.NDArray[np.int64]  # [R] cards in each round
    steps: npt.NDArray[np.int64]  # [R] what a card of the round adds to the code of its suit's shape
    radix: int  # how many codes there are
    lookup: npt.NDArray[np.int32]  # [radix ** 3] the configuration, from the codes at positions 0, 1, 2
    offsets: npt.NDArray[np.int64]  # [configurations + 1] first index of each
    places: npt.NDArray[np.int64]  # [configurations, 4, 2] rank within the group (the last is 1), weight of the group
    groups: npt.NDArray[np.int64]  # [configurations, 4, 2] suits in the group, indices of the group
    shapes: npt.NDArray[np.int64]  # [configurations, 4, R] cards by position and round
    set_number: npt.NDArray[np.uint16]  # [8192] colex index of a rank set among those of its size
    set_of: npt.NDArray[np.uint16]  # [8192] the rank sets by size and colex index
    set_start: npt.NDArray[np.int64]  # [15] where each size starts in set_of
    bits: npt.NDArray[np.uint8]  # [8192] how many ranks a set has
    choose: npt.NDArray[np.int64]  # [14, 14] binomials


@jit(inner=True)
def _multichoose(x, k):  # type: ignore[no-untyped-def]
    """C(x + k - 1, k) for k = 1..4."""
    if k <= 2:
        return x * (x + 1) >> 1 if k == 2 else x
    if k == 3:
        return x * (x + 1) * (x + 2) // 6
    return x * (x + 1) * (x + 2) * (x + 3) // 24


@jit(inner=True)
def _greatest(number, k):  # type: ignore[no-untyped-def]
    """The greatest x with C(x + k - 1, k) <= number: a guess from the k-th root, then mended."""
    if k == 1 or number == 0:
        return number
    if k == 2:
        x = np.int64(0.5 * (np.sqrt(8.0 * number + 1.0) - 1.0))
    elif k == 3:
        x = np.int64((6.0 * number) ** (1.0 / 3.0))
    else:
        x = np.int64((24.0 * number) ** 0.25)
    while _multichoose(x, k) > number:
        x -= 1
    while _multichoose(x + 1, k) <= number:
        x += 1
    return x


@jit(inline=True)
def _read_row(rows, i, rounds, steps, bits, choose, set_number, words):  # type: ignore[no-untyped-def]
    """Write one word for each suit of row i, its shape's code above its history number; False if it is not a deal.

    What is known of the four suits lies in one int, 16 bits apart: `codes` of their shapes, and rank sets, `used` in
    earlier rounds, `now` in this one, `fresh` in this one with the used ranks squeezed out.
    """
    codes = np.int64(0)
    used = np.int64(0)
    words[0] = words[1] = words[2] = words[3] = 0
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
                return False
            now |= bit
            codes += steps[r] << lane
            below = (used >> lane) & ((np.int64(1) << rank) - 1)
            fresh |= np.int64(1) << (lane + rank - np.int64(bits[np.uintp(below)]))
            at += 1
        if rounds[r] == 1:  # one suit alone changes, and the colex index of one rank is the rank
            card = np.int64(rows[i, at - 1])
            lane = (card & 3) << 4
            choices = 13 - np.int64(bits[np.uintp((used >> lane) & RANK_BITS)])
            new = np.int64(bits[np.uintp((fresh >> lane) - 1)])
            words[np.uintp(card & 3)] = words[np.uintp(card & 3)] * choices + new
        else:
            for suit in range(4):
                old = np.int64(bits[np.uintp((used >> (suit << 4)) & RANK_BITS)])
                new = (fresh >> (suit << 4)) & RANK_BITS
                choices = choose[np.uintp(13 - old), np.uintp(bits[np.uintp(new)])]
                words[suit] = words[suit] * choices + np.int64(set_number[np.uintp(new)])
        used |= now
    for suit in range(4):
        words[suit] |= ((codes >> (suit << 4)) & 0xFF) << 40
    return True


@jit
def index_kernel(rows, tables, indices):  # type: ignore[no-untyped-def]
    """Write the index of each row; the number of the first row that is not a deal, or -1."""
    rounds, steps, radix, lookup = tables.rounds, tables.steps, tables.radix, tables.lookup
    offsets, places, bits = tables.offsets, tables.places, tables.bits
    choose, set_number = tables.choose, tables.set_number
    words = np.zeros(4, dtype=np.int64)
    for i in range(len(rows)):
        if not _read_row(rows, i, rounds, steps, bits, choose, set_number, words):
            return i
        a, b, c, d = words[0], words[1], words[2], words[3]
        a, b, c, d = max(a, b), min(a, b), max(c, d), min(c, d)
        a, b, c, d = max(a, c), max(b, d), min(a, c), min(b, d)
        b, c = max(b, c), min(b, c)
        configuration = np.int64(lookup[np.uintp(((a >> 40) * radix + (b >> 40)) * radix + (c >> 40))])
        words[0], words[1], words[2], words[3] = a, b, c, d
        index = offsets[configuration]
        for p in range(4):
            rank, weight = places[configuration, p, 0], places[configuration, p, 1]
            index += weight * _multichoose(words[p] & NUMBER, rank)
        indices[i] = index
    return -1


@jit(inline=True)
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


@jit(inner=True)
def _spread(ranks, used):  # type: ignore[no-untyped-def]
    """Make room in a squeezed rank set for the ranks already used."""
    while used:
        below = (used & -used) - 1
        ranks = (ranks & below) | ((ranks & ~below) << 1)
        used &= used - 1
    return ranks


@jit(inline=True)
def _insert_cards(rows, i, start, at, ranks, suit, bits):  # type: ignore[no-untyped-def]
    """Add the cards of one suit to those of the round that starts at `start`, ascending; the place after the last."""
    while ranks:
        card = 4 * np.int64(bits[(ranks & -ranks) - 1]) + suit
        ranks &= ranks - 1
        hole = at
        while hole > start and rows[i, hole - 1] > card:
            rows[i, hole] = rows[i, hole - 1]
            hole -= 1
        rows[i, hole] = card
        at += 1
    return at


@jit(inline=True)
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
    choose, set_of, set_start, bits = tables.choose, tables.set_of, tables.set_start, tables.bits
    values = np.zeros(4, dtype=np.int64)
    digits = np.zeros((4, len(rounds)), dtype=np.int64)
    used = np.zeros(4, dtype=np.int64)
    for i in range(len(indices)):
        configuration = _split(indices[i], offsets, groups, values)
        for p in range(4):
            used[p] = 0
            _split_history(values[p], shapes, configuration, p, choose, digits)
        at = 0
        for r in range(len(rounds)):
            start = at
            for p in range(4):
                count = shapes[configuration, p, r]
                if count:
                    squeezed = np.int64(set_of[set_start[count] + digits[p, r]])
                    ranks = _spread(squeezed, used[p])
                    used[p] |= ranks
                    at = _insert_cards(rows, i, start, at, ranks, 3 - p, bits)


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
