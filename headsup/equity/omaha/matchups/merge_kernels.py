"""Kernels that lay the blocks of packets into rows of the table, and check that both halves of it agree.

A block has the matchups of rank hands a <= b: rows are the classes of a, columns those of b. With n(A, B) the hands of
class B that one hand of A can meet, and Q(A, B) the quarter-pots it wins from all of them, the other half is

    n(B, A) = n(A, B) |A| / |B|        Q(B, A) = (4 * boards * n(A, B) - Q(A, B)) |A| / |B|

without remainders. Outcomes are the same counts in reverse order, times |A| / |B|.
"""

from typing import Any, NamedTuple

import numpy as np

from headsup.common.backend import jit

_TILE = 64


class TableRows(NamedTuple):
    """Rows of the table: quarter-pots in hi-lo and in high only, hands met, and outcomes where they are kept."""

    hilo: Any
    high: Any
    count: Any
    five: Any
    three: Any


@jit
def lay(
    packet: Any, first_class: Any, sizes: Any, boards: int, outcomes: bool, row_from: int, row_to: int, rows: Any
) -> int:
    """Fill the rows row_from..row_to-1 with what the blocks know of them; how many cells do not divide evenly."""
    faults = 0
    for block in range(packet.hands.shape[0]):
        a, b = np.int64(packet.hands[block, 0]), np.int64(packet.hands[block, 1])
        a0, a1, b0, b1 = first_class[a], first_class[a + 1], first_class[b], first_class[b + 1]
        straight, turned = a0 >= row_from and a1 <= row_to, a != b and b0 >= row_from and b1 <= row_to
        if not straight and not turned:
            continue
        cell = np.int64(packet.starts[block])
        for i in range(a0, a1):
            for j in range(b0, b1):
                if straight:
                    _put(packet, cell, outcomes, i - row_from, j, rows)
                if turned:
                    ratio = sizes[i], sizes[j]
                    faults += _put_turned(packet, cell, outcomes, boards, ratio, j - row_from, i, rows)
                cell += 1
    return faults


@jit(inner=True)
def _put(packet: Any, cell: int, outcomes: bool, i: int, j: int, rows: Any) -> None:
    sums = packet.sums
    rows.count[i, j] = np.int64(packet.number[cell])
    if outcomes:
        for k in range(5):
            rows.five[i, j, k] = sums[k, cell]
            rows.hilo[i, j] += np.uint32(np.int64(sums[k, cell]) * (4 - k))
        for k in range(3):
            rows.three[i, j, k] = sums[5 + k, cell]
            rows.high[i, j] += np.uint32(np.int64(sums[5 + k, cell]) * (4 - 2 * k))
    else:
        rows.hilo[i, j] = sums[0, cell]
        rows.high[i, j] = sums[1, cell]


@jit(inner=True)
def _put_turned(
    packet: Any, cell: int, outcomes: bool, boards: int, ratio: tuple[int, int], i: int, j: int, rows: Any
) -> int:
    sums, (size_a, size_b) = packet.sums, ratio
    met = np.int64(packet.number[cell])
    faults: Any = met * size_a % size_b
    rows.count[i, j] = met * size_a // size_b
    if outcomes:
        for k in range(5):
            whole: Any = np.int64(sums[k, cell]) * size_a
            faults += whole % size_b
            rows.five[i, j, 4 - k] = whole // size_b
            rows.hilo[i, j] += np.uint32(whole // size_b * k)
        for k in range(3):
            whole = np.int64(sums[5 + k, cell]) * size_a
            faults += whole % size_b
            rows.three[i, j, 2 - k] = whole // size_b
            rows.high[i, j] += np.uint32(whole // size_b * 2 * k)
    else:
        whole = (4 * boards * met - np.int64(sums[0, cell])) * size_a
        faults += whole % size_b
        rows.hilo[i, j] = whole // size_b
        whole = (4 * boards * met - np.int64(sums[1, cell])) * size_a
        faults += whole % size_b
        rows.high[i, j] = whole // size_b
    return 1 if faults else 0


@jit
def unfair(quarters: Any, number: Any, sizes: Any, boards: int, row_from: int, row_to: int) -> int:
    """Pairs of a row of row_from..row_to-1 and a row from it on whose equities do not add up to 1; tile by tile."""
    faults = 0
    for a0 in range(row_from, row_to, _TILE):
        for b0 in range(a0, number.shape[0], _TILE):
            for a in range(a0, min(a0 + _TILE, row_to)):
                for b in range(max(a, b0), min(b0 + _TILE, number.shape[0])):
                    met = np.int64(number[a, b]) * sizes[a]
                    back = np.int64(number[b, a]) * sizes[b]
                    won = np.int64(quarters[a, b]) * sizes[a] + np.int64(quarters[b, a]) * sizes[b]
                    if met != back or won != 4 * boards * met:
                        faults += 1
    return faults
