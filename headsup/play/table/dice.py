"""Reproducible random numbers for each hand, in Python and in NumPy: SplitMix64, counted from a key.

Every hand has separate keys for the deck and for each player, made from the match's seed, the hand's number and the
purpose, so it is dealt the same in any process and order. Number n of a key is mix(key + n * GOLDEN).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.common.arrays import splitmix

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
DECK, FIRST, SECOND, MATCH = 1, 2, 3, 4  # purposes: cards, the choices of both players, other draws of a match


def mixed(x: int) -> int:
    """SplitMix64's finisher."""
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


@lru_cache(maxsize=64)
def _seed_key(seed: int) -> int:
    return mixed((seed + GOLDEN) & MASK)


@lru_cache(maxsize=64)
def _hand_key(seed: int, hand: int) -> int:
    return mixed((_seed_key(seed) + hand) & MASK)


def hand_key(seed: int, hand: int, purpose: int) -> int:
    return mixed((_hand_key(seed, hand) + purpose) & MASK)


class Dice:
    __slots__ = ("_at",)

    def __init__(self, seed: int, hand: int = 0, purpose: int = MATCH) -> None:
        self._at = hand_key(seed, hand, purpose)

    @classmethod
    def standing(cls, state: int) -> Dice:
        """Dice that continue from a saved state."""
        dice = cls.__new__(cls)
        dice._at = state & MASK
        return dice

    @property
    def state(self) -> int:
        return self._at

    def random(self) -> float:
        """Uniform on [0, 1)."""
        self._at = (self._at + GOLDEN) & MASK
        return (mixed(self._at) >> 11) * 2.0**-53

    def below(self, n: int) -> int:
        """Uniform on 0 .. n - 1."""
        self._at = (self._at + GOLDEN) & MASK
        return ((mixed(self._at) >> 11) * n) >> 53

    def pick(self, weights: Sequence[float]) -> int:
        """An index drawn in proportion to the weights."""
        left = self.random() * sum(weights)
        last = 0
        for i, weight in enumerate(weights):
            if weight > 0.0:
                last = i
                left -= weight
                if left < 0.0:
                    return i
        return last

    def deal(self, cards: int, deck: Sequence[int] = range(52)) -> list[int]:
        """Distinct cards of a deck."""
        pack = list(deck)
        size = len(pack)
        for i in range(cards):
            j = i + self.below(size - i)
            pack[i], pack[j] = pack[j], pack[i]
        return pack[:cards]


def deal_many(seed: int, first: int, count: int, cards: int) -> npt.NDArray[np.uint8]:
    """uint8[count, cards]: what `Dice(seed, hand, DECK).deal(cards)` deals, for `count` hands from `first` on."""
    at = _keys(seed, np.arange(first, first + count), np.uint64(DECK))
    pack = np.tile(np.arange(52, dtype=np.uint8), (count, 1))
    rows = np.arange(count)
    for i in range(cards):
        at = at + np.uint64(GOLDEN)
        # the product of 53 bits and a number below 64 fits 59 bits
        j = i + (((splitmix(at) >> np.uint64(11)) * np.uint64(52 - i)) >> np.uint64(53)).astype(np.int64)
        held = pack[:, i].copy()
        pack[:, i] = pack[rows, j]
        pack[rows, j] = held
    return pack[:, :cards]


def first_numbers(seed: int, hands: npt.NDArray[Any], purpose: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The first `Dice(seed, hand, purpose).random()` of many hands."""
    bits = splitmix(_keys(seed, hands, purpose) + np.uint64(GOLDEN)) >> np.uint64(11)
    return bits.astype(np.float64) * 2.0**-53


def _keys(seed: int, hands: npt.NDArray[Any], purpose: Any) -> npt.NDArray[Any]:
    """`hand_key` of many hands."""
    at = splitmix(hands.astype(np.uint64) + np.uint64(_seed_key(seed)))
    return splitmix(at + np.asarray(purpose, dtype=np.uint64))
