"""The compiled loops of `headsup.abstraction.hands.features`. `values` are the values of hands on complete boards, 0
for a hand that shares a card with the board; `cards`, uint8[H, 2], are the cards of the hands.
"""

from typing import Any

import numpy as np

from headsup.common.backend import jit
from headsup.games.holdem.showdown_kernels import add_showdown

BLOCKED = 65535  # the strength of a hand that shares a card with the board
_ONE = np.uint64(1)
_HAND_BITS = np.uint64(11)  # 1,326 hands
_HAND = np.uint64((1 << 11) - 1)
_LOW_BITS = np.uint64(7)  # values have 13 bits, sorted by the low ones first
_LOW = np.uint64(127)


@jit(inner=True)
def _in_order(values: Any, keys: Any, spare: Any, count: Any) -> Any:
    """Write `value << 11 | hand` of the hands with a value, in ascending order, to `keys`; return their number.

    A radix sort in two rounds; keys and spare uint32[H], count int32[2, 128]. Indices are unsigned: signed ones cost a
    test each.
    """
    n = np.uint64(0)
    count[:] = 0
    for h in range(len(values)):
        if values[h]:
            value = np.uint64(values[h])
            keys[n] = np.uint32(value << _HAND_BITS | np.uint64(h))
            count[np.uint64(0), value & _LOW] += 1
            count[np.uint64(1), value >> _LOW_BITS] += 1
            n += _ONE
    low = high = 0
    for digit in range(128):
        size = count[0, digit]
        count[0, digit] = low
        low += size
        size = count[1, digit]
        count[1, digit] = high
        high += size
    for i in range(n):
        low_digit = np.uint64(keys[i]) >> _HAND_BITS & _LOW
        at = count[np.uint64(0), low_digit]
        spare[np.uint64(at)] = keys[i]
        count[np.uint64(0), low_digit] = at + 1
    for i in range(n):
        high_digit = np.uint64(spare[i]) >> _HAND_BITS >> _LOW_BITS
        at = count[np.uint64(1), high_digit]
        keys[np.uint64(at)] = spare[i]
        count[np.uint64(1), high_digit] = at + 1
    return n


@jit
def against_random(values: Any, cards: Any, out: Any) -> None:
    """On each board, twice the hands that each hand beats and once those that it ties with, or BLOCKED.

    values uint16[boards, H], cards uint8[H, 2], out uint16[boards, H]. Of the hands below, those with either of its
    cards are taken off; no other hand has both. Twice what is beaten plus what is tied is what is strictly below plus
    what is not above, less the hand itself, which was taken off twice.
    """
    size = len(cards)
    keys, spare, count = np.empty(size, np.uint32), np.empty(size, np.uint32), np.empty((2, 128), np.int32)
    held = np.empty(52, np.int32)
    for b in range(len(values)):
        row = out[b]
        row[:] = BLOCKED
        n = _in_order(values[b], keys, spare, count)
        held[:] = 0
        start = np.uint64(0)
        while start < n:  # as in `add_showdown`, with counts of hands in place of weights
            value = np.uint64(keys[start]) >> _HAND_BITS
            end = start
            while end < n and np.uint64(keys[end]) >> _HAND_BITS == value:
                h = np.uint64(keys[end]) & _HAND
                x, y = np.uint64(cards[h, 0]), np.uint64(cards[h, 1])
                row[h] = np.uint16(np.int32(start) - held[x] - held[y])
                end += _ONE
            i = start
            while i < end:
                h = np.uint64(keys[i]) & _HAND
                held[np.uint64(cards[h, 0])] += 1
                held[np.uint64(cards[h, 1])] += 1
                i += _ONE
            i = start
            while i < end:
                h = np.uint64(keys[i]) & _HAND
                x, y = np.uint64(cards[h, 0]), np.uint64(cards[h, 1])
                row[h] = np.uint16(np.int32(row[h]) + np.int32(end) - held[x] - held[y] + 1)
                i += _ONE
            start = end


@jit
def against_weights(values: Any, cards: Any, weights: Any, first: Any, copies: Any, won: Any, met: Any) -> None:
    """Strength against K lists of weighted hands, summed over the run-outs of each board.

    values uint16[run-outs, H], weights float64[H, K], first int64[boards + 1] where each board's run-outs begin, copies
    int32[run-outs] how often each counts; to won and met, float64[boards, H, K], the weight that each hand beats (a tie
    counts half) and that it meets is added.
    """
    size, lists = weights.shape
    keys, spare, count = np.empty(size, np.uint32), np.empty(size, np.uint32), np.empty((2, 128), np.int32)
    order, strength, held = np.empty(size, np.uint16), np.empty(size, np.uint16), np.empty((53, lists))
    for b in range(len(first) - 1):
        for c in range(first[b], first[b + 1]):
            n = np.int64(_in_order(values[c], keys, spare, count))
            for i in range(n):
                order[i] = np.uint64(keys[i]) & _HAND
                strength[i] = np.uint64(keys[i]) >> _HAND_BITS
            add_showdown(order[:n], strength[:n], cards, weights, float(copies[c]), held, won[b], met[b])


@jit
def sum_run_outs(table: Any, run_outs: Any, maps: Any, bin_of: Any, sums: Any, histogram: Any) -> None:
    """Add up the strengths of each hand over the run-outs of each board, their squares, and count them by bin.

    table uint16[.., H] as `against_random` writes it; run_outs `features.RunOutRows`, whose renamings map hands by
    maps, int16[24, H]. bin_of uint8[strengths], sums int64[boards, H, 2], histogram int32[boards, H, bins or 0].
    """
    row, renaming, first, copies = run_outs.row, run_outs.renaming, run_outs.first, run_outs.copies
    hands, bins = maps.shape[1], histogram.shape[2]
    for b in range(len(first) - 1):
        added, counted = sums[b], histogram[b]
        for c in range(first[b], first[b + 1]):
            strength, place, times = table[row[c]], maps[renaming[c]], np.int64(copies[c])
            for h in range(hands):
                s = np.int64(strength[np.uint64(place[h])])
                if s == BLOCKED:
                    continue
                weighted = times * s
                added[np.uint64(h), np.uint64(0)] += weighted
                added[np.uint64(h), _ONE] += weighted * s
                if bins:
                    counted[np.uint64(h), np.uint64(bin_of[np.uint64(s)])] += times


@jit
def sum_values(index: Any, table: Any, run_outs: Any, maps: Any, sums: Any) -> None:
    """Add up the values of each hand on the boards that follow each board: rows of a table, float64[.., P].

    On board c hand h has the row index[row[c], h] of the table, the hand being renamed as in `sum_run_outs`.
    sums float64[boards, H, P].
    """
    row, renaming, first, copies = run_outs.row, run_outs.renaming, run_outs.first, run_outs.copies
    hands, wide = maps.shape[1], table.shape[1]
    for b in range(len(first) - 1):
        for c in range(first[b], first[b + 1]):
            here, place, times = index[row[c]], maps[renaming[c]], float(copies[c])
            for h in range(hands):
                values, added = table[np.int64(here[np.uint64(place[h])])], sums[b, h]
                for p in range(wide):
                    added[p] += times * values[p]
