"""Whole numbers in few bits, compiled: runs of equal numbers, in Rice codes with parameters for each row.

A row is the numbers of one action, hand by hand in order of strength. A row of zeros is one bit, 0. Any other begins
with a 1 and two parameters of four bits; then come its runs, each as its number and how often that is repeated. A Rice
code of x with parameter k is x >> k in unary (so many ones, then a zero) and the k lower bits of x. Where that would
take LONG ones or more, it is LONG ones and the WIDE bits of x. A board ends with a full byte.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from headsup.common.backend import jit

LONG = 14
WIDE = 15
GOLDEN = 0x9E3779B9  # the golden section of 2**32: its multiples modulo 2**32 are evenly spread


class Rounding(NamedTuple):
    """How numbers are rounded; `key`, `turn` and the board's first row set the chances of rounding up."""

    steps: int
    key: int
    turn: int
    row: int


@jit(inline=True, bare=True)
def _parameter(total: Any, count: Any) -> Any:
    """The best Rice parameter for numbers with this mean, from 0.7 of it."""
    k, mean = np.int64(0), np.int64(total) * 7 // (np.int64(count) * 10)
    while mean > 0:
        k, mean = k + 1, mean >> 1
    return k


@jit(inline=True, bare=True)
def _code(x: Any, k: Any) -> Any:
    """The bits of a number, and their count."""
    rest = x >> k
    if rest < LONG:
        return ((np.int64(1) << rest) - 1) | ((x & ((np.int64(1) << k) - 1)) << (rest + 1)), rest + 1 + k
    return ((np.int64(1) << LONG) - 1) | (x << LONG), np.int64(LONG + WIDE)


@jit(bare=True)
def pack(part: Any, order: Any, first: Any, count: Any, rounding: Any, exponents: Any, whole: Any, out: Any) -> int:
    """Write the numbers of a board, [rows, hands], in the order of its hands; return the number of bytes.

    `first` and `count` are the rows of each decision; the exponents of their scales go to `exponents`. `whole` is a
    buffer for the numbers of a row; `out` has eight bytes a number and two a row.
    """
    steps, key, turn, row = rounding
    n, held, bits, at = order.shape[0], np.int64(0), np.int64(0), 0
    kind, mask = part.dtype.type, 0xFFFFFFFF
    for d in range(first.shape[0]):
        most = kind(0.0)
        for r in range(first[d], first[d] + count[d]):
            for j in range(n):
                most = max(most, part[r, order[j]])
        # one step is kept free for rounding up; a power of 2 fits exactly
        part_of, exponent = math.frexp(np.float64(most) / (steps - 1))
        exponent -= 1 if part_of == 0.5 else 0
        exponents[d], factor = exponent, math.ldexp(1.0, -exponent)
        for r in range(first[d], first[d] + count[d]):
            seed = (np.int64(row + r) * 0x9E3779B1 + np.int64(key) * 0x85EBCA77) & mask
            seed = (((seed ^ (seed >> 15)) * 0x2C1B3C6D) + np.int64(turn) * GOLDEN) & mask
            # The sum is double: in single precision a chance just below 1 rounds even a whole number up.
            chance = np.float64(seed >> 8) * 2.0**-24
            before, runs, total = np.int64(-1), 0, np.int64(0)
            for j in range(n):
                number = np.int64(part[r, order[j]] * factor + chance)
                whole[j] = number
                runs += 1 if number != before else 0
                total += number if number != before else 0
                before = number
            if total == 0:
                held += 1
            else:
                k, kr = _parameter(total, runs), _parameter(n - runs, runs)
                bits, held = bits | ((1 | (k << 1) | (kr << 5)) << held), held + 9
                j = 0
                while j < n:
                    number, length = np.int64(whole[j]), np.int64(-1)
                    while j < n and whole[j] == number:
                        j, length = j + 1, length + 1
                    while held >= 8:
                        out[at] = bits & 255
                        bits, held, at = bits >> 8, held - 8, at + 1
                    code, size = _code(number, k)
                    bits, held = bits | (code << held), held + size
                    while held >= 8:
                        out[at] = bits & 255
                        bits, held, at = bits >> 8, held - 8, at + 1
                    code, size = _code(length, kr)
                    bits, held = bits | (code << held), held + size
            while held >= 8:
                out[at] = bits & 255
                bits, held, at = bits >> 8, held - 8, at + 1
    if held > 0:
        out[at] = bits & 255
        at += 1
    return at


@jit(bare=True)
def unpack(content: Any, at: int, part: Any, order: Any, first: Any, count: Any, exponents: Any) -> int:
    """Read what `pack` wrote, starting at byte `at`; return the byte after it, or -1 if the bytes are damaged.

    After the last byte there must be eight more, of any content.
    """
    n, held, bits, end = order.shape[0], np.int64(0), np.int64(0), content.shape[0] - 8
    kind, unit = part.dtype.type, np.int64(1)
    for d in range(first.shape[0]):
        scale = kind(math.ldexp(1.0, int(exponents[d])))
        for r in range(first[d], first[d] + count[d]):
            if at > end + 4:
                return -1
            while held < 9:
                bits, held, at = bits | (np.int64(content[at]) << held), held + 8, at + 1
            if bits & 1 == 0:
                bits, held = bits >> 1, held - 1
                for j in range(n):
                    part[r, order[j]] = kind(0.0)
                continue
            k, kr = (bits >> 1) & 15, (bits >> 5) & 15
            bits, held = bits >> 9, held - 9
            j = 0
            while j < n:
                value, length = kind(0.0), np.int64(0)
                for which in range(2):
                    if at > end + 4:
                        return -1
                    while held < 32:
                        bits, held, at = bits | (np.int64(content[at]) << held), held + 8, at + 1
                    low, rest = kr if which else k, np.int64(0)
                    while rest < LONG and bits & 1:
                        bits, rest = bits >> 1, rest + 1
                    if rest < LONG:
                        x = (rest << low) | ((bits >> 1) & ((unit << low) - 1))
                        bits, held = bits >> (low + 1), held - rest - 1 - low
                    else:
                        x = bits & ((unit << WIDE) - 1)
                        bits, held = bits >> WIDE, held - LONG - WIDE
                    if which:
                        length = x
                    else:
                        value = kind(x) * scale
                if j + length >= n:
                    length = np.int64(n - j - 1)
                for i in range(j, j + length + 1):
                    part[r, order[i]] = value
                j += int(length) + 1
    return int(at - held // 8)
