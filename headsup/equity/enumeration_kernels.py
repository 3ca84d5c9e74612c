"""Brute force, compiled: every pair of hands on every board."""

from typing import Any

from headsup.common.backend import jit


@jit
def compare(high_a: Any, high_b: Any, low_a: Any, low_b: Any, a: Any, b: Any, out: Any) -> None:
    """out[high outcome, low outcome, board] of all disjoint pairs; rank 0 is a hand that shares a card with the board.

    `a` and `b` are (masks, weights); ranks are [hand, board].
    """
    masks_a, weights_a = a
    masks_b, weights_b = b
    for i in range(masks_a.shape[0]):
        for j in range(masks_b.shape[0]):
            if masks_a[i] & masks_b[j]:
                continue
            weight = weights_a[i] * weights_b[j]
            for n in range(high_a.shape[1]):
                mine, theirs = high_a[i, n], high_b[j, n]
                if mine == 0 or theirs == 0:
                    continue
                row = 0 if mine > theirs else (1 if mine == theirs else 2)
                my_low, their_low = low_a[i, n], low_b[j, n]
                if my_low == their_low:
                    column = 0 if my_low == 0 else 2
                else:
                    column = 1 if my_low > their_low else 3
                out[row, column, n] += weight
