"""Sorted showdowns of several weightings of the opponent's hands at once, added up over the rivers of a turn."""

from __future__ import annotations

from typing import Any

import numpy as np

from headsup.common.backend import jit
from headsup.games.holdem.showdown_kernels import add_showdown

ONE = np.uint64(1)
WORDS = 117  # 64-bit words for the values 0..7462


@jit
def river_sums(values: Any, cards: Any, weights: Any, won: Any, met: Any) -> None:
    """Add to won and met, for each hand, the weight that it beats (half of what it ties) and meets, over all rivers.

    values: uint16[rivers, hands] what each hand is worth, 0 where it shares a card with the board. cards: uint8[hands,
    2]. weights, won, met: float64[hands, lanes].

    Hands of one value are linked in a list, and a bitmap tells which values there are. The last hand of a list comes
    first: sums of floats depend on the order, and shipped numbers on the sums.
    """
    n = len(cards)
    head = np.zeros(64 * WORDS, dtype=np.int16)
    following = np.zeros(n, dtype=np.int16)
    words = np.zeros(WORDS, dtype=np.uint64)
    order, strength = np.empty(n, dtype=np.uint16), np.empty(n, dtype=np.uint16)
    held = np.zeros((53, weights.shape[1]))
    for river in range(values.shape[0]):
        words[:] = np.uint64(0)
        for i in range(n):
            value = values[river, i]
            if value:
                word, bit = np.uint64(value) >> np.uint64(6), ONE << (np.uint64(value) & np.uint64(63))
                following[i] = head[value] if words[word] & bit else -1
                words[word] |= bit
                head[value] = i
        alive = 0
        for w in range(WORDS):
            word, value = words[w], 64 * w
            while word:
                i = head[value] if word & ONE else -1
                while i >= 0:
                    order[alive], strength[alive] = i, value
                    alive += 1
                    i = following[i]
                value += 1
                word >>= ONE
        add_showdown(order[:alive], strength[:alive], cards, weights, 1.0, held, won, met)
