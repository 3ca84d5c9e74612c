"""Sorted showdowns of several weightings of the opponent's hands at once, added up over the rivers of a turn."""

from __future__ import annotations

from typing import Any

import numpy as np

from headsup.common.backend import jit

ONE = np.uint64(1)
WORDS = 117  # 64-bit words for the values 0..7462


@jit
def river_sums(values: Any, cards: Any, weights: Any, won: Any, met: Any) -> None:
    """Add to won and met, for each hand, the weight that it beats (half of what it ties) and meets, over all rivers.

    values: uint16[rivers, hands] what each hand is worth, 0 where it shares a card with the board. cards: uint8[hands,
    2]. weights, won, met: float64[hands, lanes].

    Hands hang on the list of their value. Walking up, a hand beats what was passed less what shares a card with it,
    total - held[x] - held[y]; the hand itself, which ties with it, is taken off twice and added once.
    """
    n, lanes = weights.shape
    head = np.zeros(64 * WORDS, dtype=np.int16)
    following = np.zeros(n, dtype=np.int16)
    words = np.zeros(WORDS, dtype=np.uint64)
    held = np.zeros((53, lanes))
    for river in range(values.shape[0]):
        words[:] = np.uint64(0)
        held[:] = 0.0
        for i in range(n):
            value = values[river, i]
            if value:
                word, bit = np.uint64(value) >> np.uint64(6), ONE << (np.uint64(value) & np.uint64(63))
                following[i] = head[value] if words[word] & bit else -1
                words[word] |= bit
                head[value] = i
        for w in range(WORDS):
            word = words[w]
            place = 64 * w
            while word:
                if word & ONE:
                    i = head[place]
                    while i >= 0:
                        x, y = cards[i, 0], cards[i, 1]
                        for k in range(lanes):
                            won[i, k] += 0.5 * (held[52, k] - held[x, k] - held[y, k])
                        i = following[i]
                    i = head[place]
                    while i >= 0:
                        x, y = cards[i, 0], cards[i, 1]
                        for k in range(lanes):
                            held[52, k] += weights[i, k]
                            held[x, k] += weights[i, k]
                            held[y, k] += weights[i, k]
                        i = following[i]
                    i = head[place]
                    while i >= 0:
                        x, y = cards[i, 0], cards[i, 1]
                        for k in range(lanes):
                            won[i, k] += 0.5 * (held[52, k] - held[x, k] - held[y, k] + weights[i, k])
                        i = following[i]
                place += 1
                word >>= ONE
        for i in range(n):
            if values[river, i]:
                x, y = cards[i, 0], cards[i, 1]
                for k in range(lanes):
                    met[i, k] += held[52, k] - held[x, k] - held[y, k] + weights[i, k]
