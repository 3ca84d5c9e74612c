"""Whole numbers in few bits, compiled: a Rice code whose parameter is that of each row (`headsup.solve.squeeze`).

A row is the numbers of one action, hand by hand. It begins with two bits, EMPTY (nothing but zeros), DENSE (no zero) or
SPARSE, and where it is not empty with four bits for the parameter k. In a sparse row each number has one bit that says
whether it is 0. Of a number v above 0, (v - 1) >> k is written as so many ones and a zero, then the k lower bits of
v - 1; where that would take more than LONG ones, LONG ones stand for all 15 bits of v. Bits fill bytes from the lowest
on, and a board ends with a full byte.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from headsup.backend import jit

EMPTY, DENSE, SPARSE = 0, 1, 2
LONG = 14
"""Ones that lead to a number written in full; with its flag and its lower bits a number then has at most 31 bits."""


@jit(bare=True)
def pack(
    part: Any, order: Any, first: Any, count: Any, steps: int, key: int, row: int, exponents: Any, whole: Any, out: Any
) -> int:
    """Write the numbers of a board, [rows, hands], in the order of its hands; how many bytes that took.

    `first` and `count` are the rows of each decision, `exponents` gets those of their scales. `key` and `row` (that of
    the board's first row) set the chances of rounding up. `whole` is room for the numbers of a row; `out` has room for
    four bytes a number and one a row.
    """
    n, held, bits, at = order.shape[0], 0, np.int64(0), 0
    kind, mask = part.dtype.type, 0xFFFFFFFF
    for d in range(first.shape[0]):
        most = kind(0.0)
        for r in range(first[d], first[d] + count[d]):
            for j in range(n):
                most = max(most, part[r, order[j]])
        # the greatest gets at most one step less, for it may be rounded up; what is a power of 2 fits as it is
        part_of, exponent = math.frexp(most / kind(steps - 1))
        exponent -= 1 if part_of == 0.5 else 0
        exponents[d], factor = exponent, kind(math.ldexp(1.0, -exponent))
        for r in range(first[d], first[d] + count[d]):
            seed = (np.int64(row + r) * 0x9E3779B1 + np.int64(key) * 0x85EBCA77) & mask
            chance = kind((((seed ^ (seed >> 15)) * 0x2C1B3C6D) & mask) >> 8) * kind(2.0**-24)
            zeros, total = 0, np.int64(0)
            for j in range(n):
                number = np.int64(part[r, order[j]] * factor + chance)
                whole[j] = number
                zeros += 1 if number == 0 else 0
                total += number
            some = n - zeros
            if some == 0:
                bits, held = bits | (np.int64(EMPTY) << held), held + 2
            else:
                k, mean = 0, (total - some) * 7 // (some * 10)  # a Rice code is best near 0.7 of the mean
                while mean > 0:
                    k, mean = k + 1, mean >> 1
                bits, held = bits | (np.int64((SPARSE if zeros else DENSE) + 4 * k) << held), held + 6
                flag = 1 if zeros else 0
                for j in range(n):
                    while held >= 8:
                        out[at] = bits & 255
                        bits, held, at = bits >> 8, held - 8, at + 1
                    number = np.int64(whole[j])
                    if number == 0:
                        held += flag
                        continue
                    rest = (number - 1) >> k
                    if rest < LONG:
                        code = ((np.int64(1) << rest) - 1) | (((number - 1) & ((np.int64(1) << k) - 1)) << (rest + 1))
                        length = np.int64(rest + 1 + k)
                    else:
                        code, length = ((np.int64(1) << LONG) - 1) | (number << LONG), np.int64(LONG + 15)
                    bits |= ((code << flag) | flag) << held
                    held += length + flag
            while held >= 8:
                out[at] = bits & 255
                bits, held, at = bits >> 8, held - 8, at + 1
    if held > 0:
        out[at] = bits & 255
        at += 1
    return at


@jit(bare=True)
def unpack(content: Any, at: int, part: Any, order: Any, first: Any, count: Any, exponents: Any) -> int:
    """Read back what `pack` wrote, from a byte on; the byte after it, or -1 where the bytes end too early.

    After the last byte there must be eight more, whatever they are.
    """
    n, held, bits, end = order.shape[0], 0, np.int64(0), content.shape[0] - 8
    kind, one = part.dtype.type, np.int64(1)
    for d in range(first.shape[0]):
        scale = kind(math.ldexp(1.0, int(exponents[d])))
        for r in range(first[d], first[d] + count[d]):
            while held < 8:
                bits, held, at = bits | (np.int64(content[at]) << held), held + 8, at + 1
            if bits & 3 == EMPTY:
                bits, held = bits >> 2, held - 2
                for j in range(n):
                    part[r, order[j]] = kind(0.0)
                continue
            flag, k = (1 if bits & 3 == SPARSE else 0), (bits >> 2) & 15
            bits, held = bits >> 6, held - 6
            for j in range(n):
                while held < 32:
                    bits, held, at = bits | (np.int64(content[at]) << held), held + 8, at + 1
                if flag and bits & 1 == 0:
                    bits, held = bits >> 1, held - 1
                    part[r, order[j]] = kind(0.0)
                    continue
                bits >>= flag
                rest = np.int64(0)
                while rest < LONG and bits & 1:
                    bits, rest = bits >> 1, rest + 1
                if rest < LONG:
                    number = ((rest << k) | ((bits >> 1) & ((one << k) - 1))) + 1
                    bits, held = bits >> (k + 1), held - flag - rest - 1 - k
                else:
                    number = bits & 0x7FFF
                    bits, held = bits >> 15, held - flag - LONG - 15
                part[r, order[j]] = kind(number) * scale
            if at > end + 4:
                return -1
    return at - held // 8
