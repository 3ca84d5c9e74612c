"""What is seen in hold'em and Omaha hands: ranks, suits, pairs and low cards of every hand class, counted once."""

from __future__ import annotations

from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import RANKS
from headsup.cards.classes import holdem_class_reps, omaha_class_reps


class TwoCards(NamedTuple):
    """The two cards of each class."""

    high: npt.NDArray[np.int64]
    low: npt.NDArray[np.int64]  # the higher and the lower rank, 2 to 14, which is the ace
    pair: npt.NDArray[np.bool_]
    suited: npt.NDArray[np.bool_]
    gap: npt.NDArray[np.int64]  # ranks missing between the two; none between those of a pair


@cache
def holdem_cards() -> TwoCards:
    reps = holdem_class_reps()
    ranks = (reps >> 2).astype(np.int64)
    low, high = ranks.min(axis=1) + 2, ranks.max(axis=1) + 2
    pair = low == high
    return TwoCards(high, low, pair, (reps[:, 0] & 3) == (reps[:, 1] & 3), np.where(pair, 0, high - low - 1))


LOW = "A2345678"  # the ranks that can be part of a low, the ace first


class FourCards:
    """The four cards of each class, counted by rank and by suit."""

    def __init__(self, reps: npt.NDArray[np.uint8]) -> None:
        self.ranks = (reps >> 2).astype(np.int64)
        self.suits = (reps & 3).astype(np.int64)
        rows = np.arange(len(reps))
        self.of_rank = np.zeros((len(reps), 13), dtype=np.int64)
        self.of_suit = np.zeros((len(reps), 4), dtype=np.int64)
        self.top = np.full((len(reps), 4), -1)  # the highest rank of each suit; -1 where there is none
        for rank, suit in zip(self.ranks.T, self.suits.T, strict=True):  # the cards of a class ascend
            self.of_rank[rows, rank] += 1
            self.of_suit[rows, suit] += 1
            self.top[rows, suit] = rank
        self.pattern = -np.sort(-self.of_suit, axis=1)
        self.low_ranks = self.kinds(LOW)
        self.pairs = (self.of_rank == 2).sum(axis=1)

    @cached_property
    def held(self) -> npt.NDArray[np.int8]:
        """int8[classes, 13, 4]: whether a card is there, by rank and suit."""
        held = np.zeros((len(self.ranks), 13, 4), dtype=np.int8)
        held[np.arange(len(held))[:, None], self.ranks, self.suits] = 1
        return held

    def count(self, rank: str) -> npt.NDArray[np.int64]:
        return np.asarray(self.of_rank[:, RANKS.index(rank)])

    def kinds(self, ranks: str) -> npt.NDArray[np.int64]:
        """How many different ranks of these."""
        return np.asarray((self.of_rank[:, [RANKS.index(rank) for rank in ranks]] > 0).sum(axis=1))

    def suited(self, first: str, second: str) -> npt.NDArray[np.bool_]:
        """Whether two ranks are there in one suit."""
        both = self.held[:, RANKS.index(first)] & self.held[:, RANKS.index(second)]
        return np.asarray(both.any(axis=1))

    def suited_under(self, rank: str) -> npt.NDArray[np.bool_]:
        """Whether a card of this rank is the highest of two or more of its suit."""
        return np.asarray(((self.top == RANKS.index(rank)) & (self.of_suit >= 2)).any(axis=1))

    def suited_as(self, letters: str) -> npt.NDArray[np.bool_]:
        """Whether the suits have this pattern: `AABB` is double-suited, `AAAB` three of one suit."""
        wanted = sorted((letters.count(letter) for letter in "ABCD"), reverse=True)
        return np.asarray((self.pattern == wanted).all(axis=1))

    @property
    def spread(self) -> npt.NDArray[np.int64]:
        """From the highest to the lowest card, both counted, the ace high."""
        return np.asarray(self.ranks.max(axis=1) - self.ranks.min(axis=1) + 1)


@cache
def omaha_cards() -> FourCards:
    return FourCards(omaha_class_reps())
