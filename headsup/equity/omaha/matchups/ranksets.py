"""One rank set at a time: the results of every deal whose eight ranks are R, by pairs of hand classes.

A rank set is a multiset of eight ranks with at most four of each: 120,055 in a full deck. Its results are blocks: for
each split of R into two rank hands a <= b, a matrix of [classes of a, classes of b]. The blocks of all rank sets tile
half of the matchup table.
"""

from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import card_classes, rank_multiset_index, rank_multisets
from headsup.cards.combos import binomials
from headsup.equity.holdem.board_kernels import board_weights
from headsup.equity.omaha.boards import STRAIGHT_FLUSH, hand_high, hand_low, omaha_tables
from headsup.equity.omaha.matchups import deal_kernels, kernels

KEPT = {
    False: ("quarters", "quarters_high"),
    True: ("scoop", "three_quarter", "half", "quarter", "lose", "win", "tie", "lose_high"),
}
"""What is added up for each pair of hand classes, without and with all outcomes."""


class Blocks(NamedTuple):
    hands: npt.NDArray[np.int64]  # [n, 2]: the rank hands a <= b of each block
    starts: npt.NDArray[np.int64]  # [n + 1]: where each block starts
    sums: npt.NDArray[np.int64]
    """[kept, cells]: what one hand of the row's class wins against all hands of the column's class, card removal in."""
    number: npt.NDArray[np.int64]  # [cells]: how many hands of the column's class one hand of the row's class can meet


@cache
def rank_sets(ranks: int = 13) -> npt.NDArray[np.uint8]:
    """uint8[n, 8]: the rank sets of a deck of the lowest `ranks` ranks, in colex order."""
    every = rank_multisets(8, ranks)
    return np.asarray(every[(every[:, 4:] != every[:, :4]).all(axis=1)])


@cache
def straight_flush_sets(ranks: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint16]]:
    """For each set S of ranks in a suit, as runs, the sets T of 3 or 4 ranks that make a straight flush with it."""
    known = omaha_tables()
    pair_masks = np.array([(1 << low) | (1 << high) for high in range(13) for low in range(high)])
    makes = known.flush >= STRAIGHT_FLUSH
    masks = np.arange(8192)
    lists = [np.zeros(0, dtype=np.uint16)] * 8192
    inside = (masks[:, None] & pair_masks) == pair_masks
    for mask in masks[inside.any(axis=1)].tolist():
        some = makes[inside[mask]].any(axis=0) & ((known.suited & mask) == 0)
        some &= known.suited < 1 << ranks
        some[1001:] = False  # five of the suit on the board: five different ranks, so no full house
        lists[mask] = np.flatnonzero(some).astype(np.uint16)
    starts = np.concatenate([[0], np.cumsum([len(sets) for sets in lists])]).astype(np.int64)
    return starts, np.concatenate(lists)


class Tabulator:
    """Scratch arrays and tables for working through rank sets on one core."""

    def __init__(self, ranks: int = 13, outcomes: bool = False) -> None:
        self.ranks, self.outcomes = ranks, outcomes
        self.deck = np.uint16((1 << ranks) - 1)
        groups = 4 if outcomes else 2
        self._groups, self._kinds = groups, groups * (3 if outcomes else 2)
        self._class_count = np.diff(card_classes(4).starts)
        self.census = np.zeros((9 * 9 * 9 * 8, 2), dtype=np.int64)
        known = omaha_tables()
        self._known, self._high, self._low = known, hand_high(), hand_low()
        self._splits = np.array([mask for mask in range(1, 256, 2) if mask.bit_count() == 4], dtype=np.int64)
        size = np.repeat([91, 13, 1], [comb(13, n) for n in (3, 4, 5)])
        starts = np.concatenate([[0], np.cumsum(size)[:-1]])
        self._lookups = kernels.Lookups(
            known.suited, known.together, starts, known.flush, *straight_flush_sets(ranks), rank_multisets(2),
            self.deck, self._splits,
        )  # fmt: skip
        classes = card_classes(4)
        self._classes = deal_kernels.HandClasses(classes.of_combo, binomials(), classes.starts, self._class_count)
        self._split_index = np.full(256, -1, dtype=np.int64)
        self._split_index[self._splits] = np.arange(len(self._splits))
        self._hand_masks = np.array([mask for mask in range(256) if mask.bit_count() == 4])
        self._hand_places = np.array([[i for i in range(8) if mask >> i & 1] for mask in self._hand_masks.tolist()])
        boards, splits = len(known.rank_boards), len(self._splits)
        self._weights = np.empty(boards, dtype=np.int64)
        self._dense = np.empty((self._kinds * splits, boards), dtype=np.float32)
        self._lanes = np.empty(boards * groups * splits, dtype=np.uint8)
        self._codes = np.empty((splits, boards), dtype=np.uint8)
        self._rows = np.empty((256, boards), dtype=np.float32)
        self._base = np.empty((splits, 2 * groups + 4), dtype=np.int64)
        self._change = np.empty((256, splits, 2 * groups), dtype=np.int64)
        self._by_places = np.empty((256, splits, 2 * groups), dtype=np.int64)

    @property
    def boards(self) -> int:
        return comb(4 * self.ranks - 8, 5)

    def counted(self) -> npt.NDArray[np.int64]:
        """A copy of `census`: classes and deals by suit pattern, of all rank sets so far."""
        return self.census.copy()

    def blocks(self, rank_set: npt.NDArray[np.uint8]) -> Blocks:
        """The results of every deal with these eight ascending ranks."""
        known, splits = self._known, self._splits
        ranks = rank_set.astype(np.int64)
        counts = np.bincount(ranks, minlength=13)
        left = np.where(np.arange(13) < self.ranks, 4 - counts, 0)
        board_weights(known.rank_boards, left, self._weights)
        assert int(self._weights.sum()) == self.boards
        hands = np.zeros(256, dtype=np.int64)
        hands[self._hand_masks] = rank_multiset_index(ranks[self._hand_places])
        parts, part_of, turned = self._parts(hands)
        n = len(parts)
        dense, width = self._dense[: self._kinds * n], self._groups * n
        lanes = self._lanes[: dense.shape[1] * width].reshape(-1, width)
        scores = kernels.RankScores(self._codes[:n], dense, lanes, self._base[:n])
        kernels.features(self._high, self._low, parts, self._weights, self.outcomes, scores)
        sets, places, others = self._suit_sets(ranks, counts)
        rows, change = self._rows[: len(sets)], self._change[: len(sets)]
        kernels.suit_weights(known.suited, known.together, sets, others, self.deck, self._lookups.pairs, rows)
        self._check_weights(sets, rows)
        rank_set_arrays = kernels.RankSet(ranks, part_of, turned, sets, places, others, rows @ dense.T)
        kernels.corrections(self._lookups, rank_set_arrays, scores, self.outcomes, change)
        sets_at = np.full(8192, -1, dtype=np.int64)
        sets_at[sets] = np.arange(len(sets))
        kernels.spread(ranks, splits, self._split_index, sets_at, change, self.outcomes, self._by_places)
        rank_deals = deal_kernels.RankDeals(
            ranks, splits, hands, part_of, turned, scores.base, self._by_places, self._block_starts(parts)
        )
        return self._deals(rank_deals, parts)

    def _parts(
        self, hands: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """The different ways to part the ranks into two rank hands a <= b, and where each split is among them."""
        first, second = hands[self._splits], hands[255 ^ self._splits]
        keys, part_of = np.unique(np.minimum(first, second) * 2048 + np.maximum(first, second), return_inverse=True)
        return np.stack([keys >> 11, keys & 2047], axis=1), part_of, first > second

    def _suit_sets(
        self, ranks: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The sets of two or more ranks that a suit can hold, their lowest positions, and what the other suits keep."""
        present, lowest = np.unique(ranks, return_index=True)
        choices = np.arange(1 << len(present))[:, None] >> np.arange(len(present)) & 1
        choices = choices[(choices.sum(axis=1) >= 2) & (choices[:, counts[present] == 4] == 1).all(axis=1)]
        held, places = choices @ (1 << present), choices @ (1 << lowest)
        others = 3 - counts + (held[:, None] >> np.arange(13) & 1)
        others[:, self.ranks :] = 0
        return held.astype(np.uint16), places, others

    def _check_weights(self, sets: npt.NDArray[np.uint16], rows: npt.NDArray[np.float32]) -> None:
        """The boards with three or more cards of the suit, counted another way."""
        expected = [
            sum(comb(self.ranks - k, n) * comb(3 * self.ranks - 8 + k, 5 - n) for n in (3, 4, 5))
            for k in range(min(9, self.ranks + 1))
        ]
        totals = rows.sum(axis=1, dtype=np.float64)
        assert (totals == np.array(expected)[np.bitwise_count(sets)]).all()

    def _block_starts(self, parts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        return np.concatenate([[0], np.cumsum(self._class_count[parts].prod(axis=1))])

    def _deals(self, rank_deals: deal_kernels.RankDeals, parts: npt.NDArray[np.int64]) -> Blocks:
        """Add up the deals into the blocks of pairs of hand classes."""
        starts = rank_deals.block_at
        sums = np.zeros((len(KEPT[self.outcomes]), starts[-1]), dtype=np.int64)
        number = np.zeros(starts[-1], dtype=np.int64)
        out = deal_kernels.DealSums(sums, number, self.census)
        deal_kernels.deals(self._classes, rank_deals, self.outcomes, out)
        sizes = self._row_sizes(parts)
        assert not (number % sizes).any()
        assert not (sums % sizes).any()
        return Blocks(parts, starts, sums // sizes, number // sizes)

    def _row_sizes(self, parts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The size of each cell's row class: dividing by it turns all pairs of hands into one hand of that class."""
        known, count = card_classes(4), self._class_count
        return np.concatenate(
            [np.repeat(known.sizes[known.starts[a] : known.starts[a + 1]], count[b]) for a, b in parts.tolist()]
        )
