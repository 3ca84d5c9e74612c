"""Showdowns of four-card hands: Omaha, high or Hi-Lo, with two cards from the hand and three from the board.

The kernels count the opponent's weight by every set of at most three cards (`showdown_kernels`). Hands outside a range
are not listed, so narrow ranges are cheap.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Self

import numpy as np

from headsup.cards.boards import BoardTree
from headsup.cards.cards import cards_in, mask_of
from headsup.cards.combos import colex_ascending, combo_masks, omaha_combos, row_masks, weight_apart
from headsup.cards.suits import SUIT_PERMUTATIONS, orbits, permuted_combos
from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import UserError
from headsup.games.holdem.showdown import CardShowdown

if TYPE_CHECKING:
    from headsup.games.holdem.layout import FourAlike, FourCardOrders

SLOTS = 16
"""Numbers stored for the subsets of at most three cards of a hand; there are 15 (`lanes.SETS`)."""


class FourCardSorted(CardShowdown):
    """Omaha: four-card hands, compared on boards of five cards."""

    held = 4

    def __init__(self, boards: BoardTree, hands: tuple[AnyArray, AnyArray], low: bool = False) -> None:
        """`hands` as for hold'em; `low`: whether an eight-or-better low wins half of the pot."""
        super().__init__(boards, hands)
        self.low = low

    @property
    def game(self) -> str:
        return "omaha8" if self.low else "omaha"

    def _on(self, boards: BoardTree) -> Self:
        return type(self)(boards, self.hands, self.low)

    @cached_property
    def _free(self) -> tuple[int, ...]:
        """The cards that players may hold."""
        return cards_in(self.boards.deck_mask & ~mask_of(self.boards.root) & ~mask_of(self.boards.dead))

    @property
    def order_bytes(self) -> int:
        return 18 if self.low else 6

    @property
    def sets(self) -> int:
        return sum(comb(len(self._free), size) for size in range(4))

    def _strengths(self, cards: AnyArray, seat: int, last: bool) -> AnyArray:
        out = np.zeros((len(cards), self.sizes[seat]), dtype=np.int16)
        for b in range(len(cards) if last else 0):
            out[b] = self._values(cards[b], seat)[0]
        out[(row_masks(cards)[:, None] & combo_masks(4)[self.hands[seat]]) != 0] = -1
        return out

    def _values(self, board: AnyArray, seat: int) -> tuple[AnyArray, AnyArray]:
        """The high and the low of each hand on five cards; a low is 0 where there is none, and more if it is better."""
        from headsup.evaluate import omaha_on_board

        if len(board) != 5:
            raise UserError(f"Omaha hands are compared on five board cards, not {len(board)}: deal the rest")
        high, low = omaha_on_board(omaha_combos()[self.hands[seat]], board, check=False)
        return high.astype(np.int16), low.astype(np.int16)

    def _four_cards(self, order: AnyArray, strength: AnyArray, alive: AnyArray) -> FourCardOrders:
        from headsup.games.holdem.layout import FourCardOrders

        shape, group = (1, 2, max(self.sizes)), np.zeros(order.shape[1], dtype=np.int64)
        return FourCardOrders(
            group,
            np.zeros(1, dtype=bool),
            self._subsets()[None],
            self._fixed[1][None],
            np.ones(shape),
            np.ones((1, self.sets)),
            *self._lows([self], group, order, strength, alive),
        )

    def _lows(
        self, lists: Sequence[FourCardSorted], group: AnyArray, order: AnyArray, strength: AnyArray, alive: AnyArray
    ) -> tuple[AnyArray, AnyArray, AnyArray, AnyArray]:
        """`split` and what follows it in `FourCardOrders`; `lists` has the hands of each group of boards."""
        boards, most = order.shape[1:]
        split = np.zeros(boards, dtype=bool)
        if self.low and self.compared:
            shown = self.boards.levels[-1].cards
            split[boards - len(shown) :] = [_splits(cards) for cards in shown]
        kept = boards if split.any() else 0
        orders, strengths = np.zeros((2, 2, kept, most), np.int32), np.zeros((2, 2, kept, most), np.int16)
        number = np.zeros((2, 2, kept), dtype=np.int32)
        for b in np.flatnonzero(split):
            cards = self.boards.levels[-1].cards[b - (boards - len(self.boards.levels[-1].cards))]
            for seat in (0, 1):
                n, listed = int(alive[seat, b]), lists[group[b]]
                mine, high, low = order[seat, b, :n], strength[seat, b, :n], listed._values(cards, seat)[1]
                lows = np.sort(mine)
                lows = lows[np.argsort(low[lows], kind="stable")]
                rest = low[mine] == 0
                for i, (hands, values) in enumerate(((lows, low[lows]), (mine[rest], high[rest]))):
                    number[i, seat, b] = len(hands)
                    orders[i, seat, b, : len(hands)], strengths[i, seat, b, : len(hands)] = hands, values
        return split, orders, strengths, number

    def _subsets(self) -> AnyArray:
        """uint16[2, hands, SLOTS]: the subsets of at most three cards of each hand, by number."""
        place, sizes = np.zeros(52, dtype=np.int64), self.sizes
        place[list(self._free)] = np.arange(len(self._free))  # a hand with another card is on no board
        out = np.zeros((2, max(sizes), SLOTS), dtype=np.uint16)
        for seat in (0, 1):
            cards = np.sort(place[omaha_combos()[self.hands[seat]]], axis=1)
            column, first = 0, 0
            for size in range(4):
                for chosen in combinations(range(4), size):
                    out[seat, : sizes[seat], column] = first + colex_ascending(cards[:, chosen])
                    column += 1
                first += comb(len(self._free), size)
        return out

    @cached_property
    def _groups(self) -> tuple[list[list[int]], AnyArray]:
        """The groups of renamings that leave boards alone, and which of them each board has."""
        bits, group = np.unique(np.concatenate([level.group for level in self.boards.levels]), return_inverse=True)
        return [[i for i in range(len(SUIT_PERMUTATIONS)) if int(some) >> i & 1] for some in bits], group.astype(
            np.int64
        )

    @cached_property
    def _pairs(self) -> tuple[AnyArray, AnyArray]:
        """The pairs of groups of a board and of the one above it, [2, pairs], and which of them each board has."""
        group, levels = self._groups[1], self.boards.levels
        start = np.cumsum([0, *map(len, levels)])
        parent = np.concatenate([boards.parent + start[max(0, s - 1)] for s, boards in enumerate(levels)])
        pairs, pair = np.unique(np.stack([group, group[parent]]), axis=1, return_inverse=True)
        return pairs, pair.reshape(-1).astype(np.int64)

    @property
    def tables(self) -> tuple[int, int]:
        """How many groups of boards there are, and how many pairs of those of a board and of the one above."""
        return len(self._groups[0]), self._pairs[0].shape[1]

    @cached_property
    def _hand_kinds(self) -> list[list[tuple[AnyArray, AnyArray]]]:
        """For each group and player: the first of the hands that each hand is like, and how many they are."""
        maps = self._fixed[2]
        return [[orbits(maps[seat][group, : self.sizes[seat]]) for seat in (0, 1)] for group in self._groups[0]]

    @cached_property
    def _set_kinds(self) -> list[tuple[AnyArray, AnyArray]]:
        """For each group: the row that each set of at most three cards has, and how many sets a row stands for."""
        cards, out = np.array(self._free), []
        place = np.zeros(52, dtype=np.int64)
        place[cards] = np.arange(len(cards))
        every = [np.array(list(combinations(range(len(cards)), size)), dtype=np.int64) for size in range(4)]
        for group in self._groups[0]:
            rows, numbers, before = [], [], 0
            for sets in every:
                images = np.zeros((len(group), len(sets)), dtype=np.int64)
                at = colex_ascending(sets)
                for nth, renaming in enumerate(group):
                    image = place[permuted_combos(1, SUIT_PERMUTATIONS[renaming])[cards]]
                    images[nth, at] = colex_ascending(np.sort(image[sets], axis=1))
                first, number = orbits(images)
                stands, row = np.unique(first, return_inverse=True)
                rows.append(before + row)
                numbers.append(number[stands])
                before += len(stands)
            out.append((np.concatenate(rows).astype(np.uint16), np.concatenate(numbers)))
        return out

    @property
    def set_kinds(self) -> int:
        """`sets` where hands that are alike share a column: sets that are alike share a row."""
        return max(len(number) for _, number in self._set_kinds)

    @property
    def widths(self) -> tuple[int, int]:
        """The most columns of each player that a board has where hands that are alike share one."""
        first, second = self._wide.max(axis=1).tolist()
        return first, second

    def columns(self, seat: int) -> list[int]:
        """How many columns of a player the boards of each street have together where hands that are alike share one."""
        starts = np.cumsum([0, *map(len, self.boards.levels)])
        return [int(n) for n in np.add.reduceat(self._wide[seat], starts[:-1])]

    @cached_property
    def _wide(self) -> AnyArray:
        """[2, boards] how many columns of each player a board has."""
        each = [[len(np.unique(first)) for first, _ in both] for both in self._hand_kinds]
        return np.array(each, dtype=np.int64)[self._groups[1]].T

    def alike(self, rows: AnyArray) -> FourAlike:
        """Columns that hands which are alike share; `rows` are those of the betting, [2, streets]."""
        from headsup.games.holdem.layout import FourAlike, FourCardOrders

        groups, group = self._groups
        stands = [[np.unique(first) for first, _ in both] for both in self._hand_kinds]
        lists = [type(self)(self.boards, (self.hands[0][a], self.hands[1][b]), self.low) for a, b in stands]
        shape, names = (len(groups), 2, max(self.widths)), (len(groups), 2, max(self.sizes))
        sets, same, size = np.zeros((*shape, SLOTS), np.uint16), np.full(shape, -1, np.int32), np.ones(shape)
        part, stand, column = (
            np.ones((len(groups), self.set_kinds)),
            np.zeros(shape, np.int32),
            np.zeros(names, np.int32),
        )
        for nth, listed in enumerate(lists):
            row, number = self._set_kinds[nth]
            part[nth, : len(number)] = 1.0 / number
            sets[nth, :, : max(listed.sizes)] = row[listed._subsets()]
            same[nth, :, : max(listed.sizes)] = listed._fixed[1]
            for seat, n in enumerate(listed.sizes):
                first, many = self._hand_kinds[nth][seat]
                stand[nth, seat, :n], size[nth, seat, :n] = stands[nth][seat], many[stands[nth][seat]]
                column[nth, seat, : self.sizes[seat]] = np.searchsorted(stands[nth][seat], first)
        order, strength, alive = self._orders(lists, group, shape[2])
        shares = np.array([len(renamings) > 1 for renamings in groups])
        lows = self._lows(lists, group, order, strength, alive)
        four = FourCardOrders(group, shares, sets, same, size, part, *lows)
        links = self._links(stand, size, column)
        hands = self._walk_hands(order, strength, alive, np.ascontiguousarray(self._wide), links, four)
        return FourAlike(hands, column, rows, self.sizes, stand, self._pairs[0])

    def _orders(
        self, lists: Sequence[FourCardSorted], group: AnyArray, most: int
    ) -> tuple[AnyArray, AnyArray, AnyArray]:
        """The columns of each board from the weakest to the strongest, strengths, and how many live."""
        levels = self.boards.levels
        start = np.cumsum([0, *map(len, levels)])
        order, alive = np.zeros((2, int(start[-1]), most), np.int32), np.zeros((2, int(start[-1])), np.int32)
        strength = np.zeros(order.shape, np.int16)
        for s, boards in enumerate(levels):
            for nth, listed in enumerate(lists):
                here = np.flatnonzero(group[start[s] : start[s + 1]] == nth)
                for seat, n in enumerate(listed.sizes):
                    if seat == 0 or not self.same_hands:
                        in_order = listed._in_order(boards.cards[here], seat, self.compared and s == len(levels) - 1)
                    at = here + start[s]
                    order[seat, at, :n], strength[seat, at, :n], alive[seat, at] = in_order
        return order, strength, alive

    def _links(self, stand: AnyArray, size: AnyArray, column: AnyArray) -> tuple[AnyArray, AnyArray, AnyArray]:
        """`link`, `above` and `times` of `WalkHands`: two rows for each pair of groups of a board and the one above."""
        groups, (pairs, pair) = self._groups[0], self._pairs
        above, times = (np.zeros((2 * pairs.shape[1], stand.shape[2]), kind) for kind in (np.int32, np.float64))
        for row in range(len(above)):
            (here, there), seat = pairs[:, row // 2], row % 2
            above[row] = column[there, seat, stand[here, seat]]
            times[row] = size[here, seat] / size[there, seat, above[row]] * len(groups[there]) / len(groups[here])
        return 2 * pair + np.arange(2)[:, None], above, times

    def mass(self, weights: tuple[Floats, Floats]) -> float:
        mine, theirs = (omaha_combos()[hands] for hands in self.hands)
        return float(weights[0] @ weight_apart(mine, theirs, np.asarray(weights[1], dtype=np.float64)))

    def identity(self) -> bytes:
        return (b"hi-lo" if self.low else b"high") + super().identity()

    def won_below(self, seat: int, street: int, board: int, reach: Floats) -> Floats:
        """[hands] the pots that each hand wins from an opponent reach, on average over the cards to come."""
        last = len(self.boards.streets) - 1
        left = len(self._free) - sum(self.boards.streets[: street + 1]) - 2 * self.held
        ways = 1
        for new in self.boards.streets[street + 1 :]:
            ways, left = ways * comb(left, new), left - new
        return np.asarray(self._won(seat, street, last, board, reach[None])[0] / ways)

    def _won(self, seat: int, street: int, last: int, board: int, reach: Floats) -> Floats:
        """[lines, hands] the sum over all boards below one, each renamed onto the one that stands for it."""
        if street == last:
            return self.lines(seat, street, board, reach, len(reach))[0]
        out, below = np.zeros((len(reach), self.sizes[seat])), self.boards.levels[street + 1]
        for child in self.boards.levels[street].children(board):
            renamings = below.renamings(child).tolist()
            given = np.zeros((len(renamings), *reach.shape))
            for line, renaming in enumerate(renamings):
                given[line][:, self.renamed(1 - seat, renaming)] = reach
            won = self._won(seat, street + 1, last, child, given.reshape(-1, reach.shape[1]))
            for renaming, part in zip(renamings, won.reshape(len(renamings), *out.shape), strict=True):
                out += part[:, self.renamed(seat, renaming)]
        return out


def _splits(board: AnyArray) -> bool:
    """Whether a board has three ranks from ace to eight, so that a low is possible."""
    ranks = {int(card) >> 2 for card in board}
    return len(ranks & {0, 1, 2, 3, 4, 5, 6, 12}) >= 3
