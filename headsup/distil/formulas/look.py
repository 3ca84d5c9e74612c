"""Everything the flop features ask about, counted once for one hand and many flops.

Ranks run from 0 (deuce) to 12 (ace) and suits from 0 to 3. A straight is one of ten runs of five ranks, the ace being
both ends; `both_runs` says how many different ranks of each run are there, so five is a straight and four a draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

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
    """One hand with each of n flops: counts of ranks, suits and straights in the flop and in both together."""

    def __init__(self, hand: Sequence[int], flops: npt.NDArray[np.uint8]) -> None:
        cards = np.asarray(flops, dtype=np.int8)
        self.high, self.low = sorted((int(card) >> 2 for card in hand), reverse=True)
        ranks = cards >> 2
        suits = cards & 3
        self._hand_bits, self._flop_bits = rank_bits(np.array([hand])), rank_bits(cards)
        self.ranks: Counts = np.sort(ranks, axis=1)
        """int8[n, 3]: the ranks of the flop, lowest first."""
        self.flop_ranks = _counts(ranks, 13)
        self.flop_suits = _counts(suits, 4)
        shared = np.take_along_axis(self.flop_suits, suits.astype(np.intp), axis=1) >= 2
        self.ace_in_pair_of_suits: Bools = ((ranks == ACE) & shared).any(axis=1)
        """An ace has the suit of another flop card."""
        self.both_ranks = self.flop_ranks + _counts(np.array([[int(card) >> 2 for card in hand]], dtype=np.int8), 13)
        self.both_suits = self.flop_suits + _counts(np.array([[int(card) & 3 for card in hand]], dtype=np.int8), 4)

    @cached_property
    def kinds(self) -> Counts:
        """How many different ranks the flop has."""
        return _total(self.flop_ranks > 0)

    @cached_property
    def colours(self) -> Counts:
        """How many different suits the flop has."""
        return _total(self.flop_suits > 0)

    @cached_property
    def span(self) -> Counts:
        """From the lowest to the highest rank of the flop in steps, the ace low where that is closer."""
        return span(self.ranks).astype(np.int8)

    @cached_property
    def paint(self) -> Counts:
        """Cards of the flop from jack to ace."""
        return _total(self.ranks >= JACK)

    @cached_property
    def broadway(self) -> Counts:
        """Cards of the flop from ten to ace."""
        return _total(self.ranks >= TEN)

    @cached_property
    def hold_flop_pair_suit(self) -> Bools:
        """We hold a card of a suit that the flop has exactly twice."""
        return np.asarray(((self.flop_suits == 2) & (self.both_suits > 2)).any(axis=1))

    @cached_property
    def both_runs(self) -> Counts:
        """int8[n, 10]: how many different ranks of each straight hand and flop have together."""
        return _runs(self.both_ranks)

    @cached_property
    def outs(self) -> Counts:
        """How many ranks would make a straight of hand and flop by the turn; 0 where the straight is made."""
        return straight_outs(self._hand_bits, self._flop_bits).astype(np.int8)

    @cached_property
    def straight(self) -> Bools:
        """Hand and flop are a straight."""
        return np.asarray((self.both_runs == 5).any(axis=1))

    @cached_property
    def four_in_a_row(self) -> Counts:
        """The rank (0 deuce) at the bottom of four consecutive ranks that can be filled at both ends, or -1."""
        held = _with_low_ace(self.both_ranks)
        found = np.full(len(held), -1, dtype=np.int8)
        for bottom in range(1, 10):  # 2345 .. TJQK; with an ace at either end only one side is open
            found[held[:, bottom : bottom + 4].all(axis=1) & ~self.straight] = bottom - 1
        return found

    @cached_property
    def trips(self) -> Bools:
        """Three of a kind and nothing more among hand and flop."""
        return np.asarray((self._most == 3) & (self._pairs == 0))

    @cached_property
    def one_pair(self) -> Bools:
        """One pair and nothing more among hand and flop."""
        return np.asarray((self._most == 2) & (self._pairs == 1))

    @cached_property
    def two_pair(self) -> Bools:
        """Two pair and nothing more among hand and flop."""
        return np.asarray((self._most == 2) & (self._pairs == 2))

    @cached_property
    def full_house(self) -> Bools:
        """A full house of hand and flop."""
        return np.asarray((self._most == 3) & (self._pairs == 1))

    @cached_property
    def quads(self) -> Bools:
        """Four of a kind."""
        return np.asarray(self._most == 4)

    @cached_property
    def our_trips(self) -> Bools:
        """Three or more cards of one of our ranks."""
        return (self.both_ranks[:, self.high] >= 3) | (self.both_ranks[:, self.low] >= 3)

    @property
    def we_matter(self) -> Bools:
        """One of our cards is in a pair, three or four of a kind."""
        return (self.both_ranks[:, self.high] >= 2) | (self.both_ranks[:, self.low] >= 2)

    @cached_property
    def _most(self) -> Counts:
        return np.asarray(self.both_ranks.max(axis=1))

    @cached_property
    def _pairs(self) -> Counts:
        return _total(self.both_ranks == 2)

    def hits(self, rank: Counts) -> Bools:
        """One of our cards has this rank."""
        return np.asarray((rank == self.high) | (rank == self.low))

    @cached_property
    def backdoor_ways(self) -> Counts:
        """Straights with three ranks in hand and flop, an ace being high; 0 where there is one or a draw to one."""
        ways = _total(_runs(self.both_ranks, low_ace=False) == 3)
        return np.where(self.straight | (self.outs > 0), np.int8(0), ways)

    @cached_property
    def over_flop(self) -> Counts:
        """Our cards above the highest card of the flop."""
        top = self.ranks[:, 2]
        return (self.high > top).astype(np.int8) + (self.low > top).astype(np.int8)

    @cached_property
    def over_us(self) -> Counts:
        """Cards of the flop above our higher card."""
        return _total(self.ranks > self.high)


def _counts(values: Counts, size: int) -> Counts:
    return np.stack([_total(values == value) for value in range(size)], axis=1)


def _total(seen: Bools) -> Counts:
    return np.asarray(seen.sum(axis=1, dtype=np.int8))


def _with_low_ace(ranks: Counts) -> Bools:
    """bool[n, 14]: the ranks that are there, the ace before the deuce and after the king."""
    return np.concatenate([ranks[:, ACE:], ranks], axis=1) > 0


def _runs(ranks: Counts, low_ace: bool = True) -> Counts:
    held = _with_low_ace(ranks)
    held[:, 0] &= low_ace
    return np.stack([_total(held[:, run : run + 5]) for run in range(10)], axis=1)
