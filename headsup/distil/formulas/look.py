"""Everything the flop features ask about, counted once for one hand and many flops.

Ranks run from 0 (deuce) to 12 (ace) and suits from 0 to 3. A straight is one of ten runs of five ranks, the ace being
both ends: five different ranks of a run are a straight and four a draw.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from headsup.evaluate.categories import rank_bits, straight_outs
from headsup.evaluate.texture import span

Bools = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int8]

ACE = 12
JACK = 9
TEN = 8
SIX = 4
SEVEN = 5


class Look:
    """One hand with each of n flops; everything has one number, or yes or no, for each of them."""

    def __init__(self, hand: Sequence[int], flops: npt.NDArray[np.uint8]) -> None:
        cards, ours = np.asarray(flops, dtype=np.int8), np.array([hand], dtype=np.int8)
        self.high, self.low = sorted((int(card) >> 2 for card in hand), reverse=True)
        self.bits = rank_bits(ours), rank_bits(cards)
        self.flop_ranks, self.flop_suits = _counts(cards >> 2, 13), _counts(cards & 3, 4)
        self.both_ranks = self.flop_ranks + _counts(ours >> 2, 13)
        self.both_suits = self.flop_suits + _counts(ours & 3, 4)
        self._look_at_flop(cards >> 2, cards & 3)
        self._look_at_ranks()
        self._look_at_suits()
        self._look_at_straights()

    def _look_at_flop(self, ranks: Counts, suits: Counts) -> None:
        self.ranks: Counts = np.sort(ranks, axis=1)
        """int8[n, 3]: the ranks of the flop, lowest first."""
        self.kinds, self.colours = _total(self.flop_ranks > 0), _total(self.flop_suits > 0)
        """How many different ranks and suits the flop has."""
        self.span = span(self.ranks)
        """From the lowest to the highest rank of the flop in steps, the ace low where that is closer."""
        self.paint, self.broadway = _total(self.ranks >= JACK), _total(self.ranks >= TEN)
        """Cards of the flop from jack to ace, and from ten to ace."""
        shared = np.take_along_axis(self.flop_suits, suits.astype(np.intp), axis=1) >= 2
        self.ace_in_pair_of_suits = ((ranks == ACE) & shared).any(axis=1)
        """An ace has the suit of another flop card."""

    def _look_at_ranks(self) -> None:
        most, pairs = self.both_ranks.max(axis=1), _total(self.both_ranks == 2)
        ours = np.maximum(self.both_ranks[:, self.high], self.both_ranks[:, self.low])
        self.one_pair, self.two_pair = (most == 2) & (pairs == 1), (most == 2) & (pairs == 2)
        self.trips = (most == 3) & (pairs == 0)
        """One pair, two pair, three of a kind among hand and flop, and nothing more."""
        self.full_house_or_better = (most == 4) | ((most == 3) & (pairs == 1))
        self.we_matter, self.our_trips = ours >= 2, self.trips & (ours >= 3)
        """One of our cards is in a pair, three or four of a kind; in three of a kind and nothing more."""
        top = self.ranks[:, 2]
        self.over_flop, self.over_us = (self.high > top) * 1 + (self.low > top), _total(self.ranks > self.high)
        """Our cards above the highest card of the flop, and cards of the flop above our higher card."""

    def _look_at_suits(self) -> None:
        most = self.both_suits.max(axis=1)
        self.flush, self.flush_draw, self.three_of_suit = most == 5, most == 4, most == 3
        self.hold_flop_pair_suit = ((self.flop_suits == 2) & (self.both_suits > 2)).any(axis=1)
        """We hold a card of a suit that the flop has exactly twice."""

    def _look_at_straights(self) -> None:
        held = np.concatenate([self.both_ranks[:, ACE:], self.both_ranks], axis=1) > 0
        runs = np.stack([_total(held[:, run : run + 5]) for run in range(10)], axis=1)
        self.straight = (runs == 5).any(axis=1)
        self.outs = straight_outs(*self.bits)
        """How many ranks would make a straight of hand and flop by the turn; 0 where the straight is made."""
        bottom = np.full(len(held), -1)  # of four consecutive ranks that can be filled at both ends
        for rank in range(9):  # 2345 .. TJQK; with an ace at either end only one side is open
            bottom[held[:, rank + 1 : rank + 5].all(axis=1) & ~self.straight] = rank
        self.open_ended = bottom >= 0
        self.open_ended_bottom = self.open_ended & self.hits(bottom)
        """An open-ended draw; one whose lowest rank is in our hand."""
        held[:, 0] = False
        ways = _total(np.stack([_total(held[:, run : run + 5]) for run in range(10)], axis=1) == 3)
        self.backdoor_ways = np.where(self.straight | (self.outs > 0), 0, ways)
        """Straights with three ranks in hand and flop, an ace being high; 0 where there is one or a draw to one."""

    def hits(self, rank: npt.NDArray[np.integer]) -> Bools:
        return np.asarray((rank == self.high) | (rank == self.low))


def _counts(values: Counts, size: int) -> Counts:
    return np.stack([_total(values == value) for value in range(size)], axis=1)


def _total(seen: Bools) -> Counts:
    return np.asarray(seen.sum(axis=1, dtype=np.int8))
