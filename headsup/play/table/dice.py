"""Numbers that a seed repeats, hand by hand, in Python as in NumPy: splitmix64, counted from a key.

Every hand of a match has keys of its own, one for the deck and one for each player, made of the match's seed, the
hand's number and the purpose. So hand 7,000 is dealt the same whether one process or eight play the match, whether it
is played alone or after 6,999 others, and by the compiled loops (`deal_many`) as by the plain one (`Dice`).

The n-th number of a key is mix(key + n * GOLDEN): a number below `n` takes its upper 53 bits, so that it is uniform up
to one part in 2^47 of a deck's chances.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
DECK, FIRST, SECOND, MATCH = 1, 2, 3, 4
"""What numbers are for: the cards, the choices of the players, and what a match draws by lot."""


def mixed(x: int) -> int:
    """Splitmix64's finisher: every bit of the result hangs on every bit of x."""
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
    """The key of a hand's numbers for one purpose."""
    return mixed((_hand_key(seed, hand) + purpose) & MASK)


class Dice:
    """Numbers of one key, one after the other."""

    __slots__ = ("_at",)

    def __init__(self, seed: int, hand: int = 0, purpose: int = MATCH) -> None:
        self._at = hand_key(seed, hand, purpose)

    @classmethod
    def standing(cls, state: int) -> Dice:
        """Dice that go on where others stood."""
        found = cls.__new__(cls)
        found._at = state & MASK
        return found

    @property
    def state(self) -> int:
        """Where they stand, 64 bits."""
        return self._at

    def random(self) -> float:
        """At least 0 and below 1."""
        self._at = (self._at + GOLDEN) & MASK
        return (mixed(self._at) >> 11) * 2.0**-53

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        self._at = (self._at + GOLDEN) & MASK
        return ((mixed(self._at) >> 11) * n) >> 53

    def pick(self, shares: Sequence[float]) -> int:
        """An index, each as often as its share says; shares need not add up to one."""
        left = self.random() * sum(shares)
        last = 0
        for i, share in enumerate(shares):
            if share > 0.0:
                last = i
                left -= share
                if left < 0.0:
                    return i
        return last

    def deal(self, cards: int, deck: Sequence[int] = range(52)) -> list[int]:
        """So many different cards of a deck."""
        pack = list(deck)
        size = len(pack)
        for i in range(cards):
            j = i + self.below(size - i)
            pack[i], pack[j] = pack[j], pack[i]
        return pack[:cards]


def deal_many(seed: int, first: int, count: int, cards: int) -> npt.NDArray[np.uint8]:
    """The cards that `Dice(seed, hand, DECK).deal(cards)` deals, for `count` hands from `first` on: uint8[count,
    cards].
    """
    at = _keys(seed, np.arange(first, first + count), np.uint64(DECK))
    pack = np.tile(np.arange(52, dtype=np.uint8), (count, 1))
    rows = np.arange(count)
    for i in range(cards):
        at = at + np.uint64(GOLDEN)
        # the product of 53 bits and a number below 64 fits 59 bits
        j = i + (((_mixed_array(at) >> np.uint64(11)) * np.uint64(52 - i)) >> np.uint64(53)).astype(np.int64)
        held = pack[:, i].copy()
        pack[:, i] = pack[rows, j]
        pack[rows, j] = held
    return pack[:, :cards]


def first_numbers(seed: int, hands: npt.NDArray[Any], purpose: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """What `Dice(seed, hand, purpose).random()` says first, for many hands."""
    found = _mixed_array(_keys(seed, hands, purpose) + np.uint64(GOLDEN)) >> np.uint64(11)
    return found.astype(np.float64) * 2.0**-53


def _keys(seed: int, hands: npt.NDArray[Any], purpose: Any) -> npt.NDArray[Any]:
    """`hand_key`, of many hands."""
    at = _mixed_array(hands.astype(np.uint64) + np.uint64(_seed_key(seed)))
    return _mixed_array(at + np.asarray(purpose, dtype=np.uint64))


def _mixed_array(x: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """`mixed`, of many at once."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(x ^ (x >> np.uint64(31)))
