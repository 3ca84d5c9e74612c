"""What is seen in Omaha hands: ranks, suits, pairs and low cards of every hand class, counted once."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import RANKS
from headsup.cards.classes import omaha_class_reps

LOW = "A2345678"
"""The ranks that can be part of a low, the ace first."""


class FourCards:
    """The four cards of each class, counted by rank and by suit."""

    def __init__(self, reps: npt.NDArray[np.uint8]) -> None:
        self.ranks = (reps >> 2).astype(np.int64)
        self.suits = (reps & 3).astype(np.int64)
        rows = np.arange(len(reps))[:, None]
        self.held = np.zeros((len(reps), 13, 4), dtype=np.int8)
        self.held[rows, self.ranks, self.suits] = 1
        self.of_rank = self.held.sum(axis=2, dtype=np.int8).astype(np.int64)
        self.of_suit = self.held.sum(axis=1, dtype=np.int8).astype(np.int64)
        self.pattern = -np.sort(-self.of_suit, axis=1)
        self.low_ranks = self.kinds(LOW)
        self.pairs = (self.of_rank == 2).sum(axis=1)

    def count(self, rank: str) -> npt.NDArray[np.int64]:
        """How many cards of a rank."""
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
        place = RANKS.index(rank)
        higher = self.held[:, place + 1 :].any(axis=1)
        return np.asarray(((self.held[:, place] == 1) & ~higher & (self.of_suit >= 2)).any(axis=1))

    def suited_as(self, letters: str) -> npt.NDArray[np.bool_]:
        """Whether the suits are shared out as these letters say: `AABB` is double-suited, `AAAB` three of one suit."""
        wanted = sorted((letters.count(letter) for letter in "ABCD"), reverse=True)
        return np.asarray((self.pattern == wanted).all(axis=1))

    @property
    def spread(self) -> npt.NDArray[np.int64]:
        """From the highest to the lowest card, both counted, the ace high."""
        return np.asarray(self.ranks.max(axis=1) - self.ranks.min(axis=1) + 1)


@cache
def omaha_cards() -> FourCards:
    """The cards of the 16,432 classes."""
    return FourCards(omaha_class_reps())
