"""Hands that are alike on a board take one column, so that a walk need not go through each of them.

Two hands are alike where a renaming of suits that leaves the board, the ranges and the boards above it alone carries
one to the other. Before the flop 1,326 hands are 169 kinds. The columns of a board are its kinds from the weakest to
the strongest. With n hands of a kind, N on the board above, and a board that stands for c boards, what happens there
counts c n / N times in the value of the kind above. Of the n hands, n / m have one certain card of m that are alike,
and 2 n / m if both cards are of these. `folded` and `unfolded` translate arrays of the usual layout.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from headsup.cards.boards import BoardTree
from headsup.cards.suits import SUIT_PERMUTATIONS, permuted_combos
from headsup.common.arrays import AnyArray
from headsup.games.holdem.showdown import Sorted

if TYPE_CHECKING:
    from headsup.games.holdem.layout import WalkHands
    from headsup.games.holdem.vector import VectorGame


@dataclass(frozen=True)
class Alike:
    """The columns of a game's boards."""

    hands: WalkHands  # for the kernels
    column: AnyArray  # int16[boards, hands] the column that each hand has on a board, -1 where it is blocked
    rows: AnyArray  # int64[2, streets] how many rows the boards of a street have
    sizes: tuple[int, int]  # how many hands each player may hold

    @cached_property
    def layout(self) -> tuple[AnyArray, AnyArray]:
        """For each player, where the streets of an array begin, and its size; a board has [rows, columns]."""
        every = np.add.reduceat(self.hands.wide[0], self.hands.start[:-1])
        first, second = (np.cumsum([0, *(every * self.rows[p])]).astype(np.int64) for p in (0, 1))
        return first, second

    def folded(self, array: AnyArray, seat: int) -> AnyArray:
        """An array of the usual layout, with one column for each kind: that of the hand which stands for it."""
        out = np.zeros(int(self.layout[seat][-1]), array.dtype)
        for part, usual, b in self._parts(out, array, seat):
            part[:] = usual[:, self.hands.order[seat, b, : part.shape[1]]]
        return out

    def unfolded(self, array: AnyArray, seat: int) -> AnyArray:
        """An array in the usual layout again; blocked hands have 0."""
        hands, boards = self.sizes[seat], np.diff(self.hands.start)
        out = np.zeros(int((boards * self.rows[seat]).sum()) * hands, array.dtype)
        for part, usual, b in self._parts(array, out, seat):
            possible = self.column[b] >= 0
            usual[:, possible] = part[:, self.column[b, possible]]
        return out

    def _parts(self, array: AnyArray, usual: AnyArray, seat: int) -> Iterator[tuple[AnyArray, AnyArray, int]]:
        """Board by board [rows, columns], [rows, hands], and its number among all boards."""
        low, hands = 0, self.sizes[seat]
        for s in range(len(self.hands.start) - 1):
            rows, at = int(self.rows[seat, s]), int(self.layout[seat][s])
            for b in range(int(self.hands.start[s]), int(self.hands.start[s + 1])):
                begin, n = at + rows * int(self.hands.before[seat, b]), int(self.hands.wide[seat, b])
                part = array[begin : begin + rows * n].reshape(rows, n)
                yield part, usual[low : low + rows * hands].reshape(rows, hands), b
                low += rows * hands


def kinds(game: VectorGame) -> list[int] | None:
    """How many columns the boards of each street have together, counted without building them.

    None for a game whose hands cannot share any: both players must be able to hold every hand of the deck.
    """
    if not isinstance(game.showdown, Sorted) or not isinstance(game.boards, BoardTree) or game.private:
        return None
    every = len(game.boards.hands())
    return [game.boards.kinds(s) for s in range(game.streets)] if game.showdown.sizes == (every, every) else None


def alike(game: VectorGame) -> Alike:
    """The columns of a game in which hands that are alike share one (`kinds` returns whether they can)."""
    showdown = game.showdown
    hands = showdown.arrays  # type: ignore[attr-defined]
    n, boards = showdown.sizes[0], int(hands.start[-1])
    levels = game.boards.levels
    group = np.concatenate([level.group for level in levels])  # type: ignore[attr-defined]
    parent = np.concatenate([level.parent + int(hands.start[max(0, s - 1)]) for s, level in enumerate(levels)])
    copies = np.diff(hands.first)
    cards, maps = hands.cards[0, :n].astype(np.int64), hands.maps[0, :, :n].astype(np.int64)
    order, strength = np.zeros((boards, n), np.int16), np.zeros((boards, n), np.int16)
    facts, number = np.zeros((boards, n, 5), np.uint8), np.zeros((boards, n), np.int64)
    column, wide = np.full((boards, n), -1, np.int16), np.zeros(boards, np.int64)
    for renamings in np.unique(group):
        here = np.flatnonzero(group == renamings)
        chosen = [i for i in range(len(SUIT_PERMUTATIONS)) if int(renamings) >> i & 1]
        first, size = _kinds(maps[chosen])
        card, many = _kinds(np.stack([permuted_combos(1, SUIT_PERMUTATIONS[i]) for i in chosen]))
        a, b = card[cards[:, 0]], card[cards[:, 1]]
        both = a == b
        row = np.stack([1 + a, 1 + b, size, size * (1 + both) // many[a], np.where(both, 0, size // many[b])], axis=1)
        mine = hands.order[0, here, :n].astype(np.int64)
        kept = (first[mine] == mine) & (np.arange(n) < hands.alive[0, here, None])
        turn = np.argsort(~kept, axis=1, kind="stable")
        wide[here] = kept.sum(axis=1)
        sorted_ = np.take_along_axis(mine, turn, axis=1)
        order[here], strength[here] = sorted_, np.take_along_axis(hands.strength[0, here, :n], turn, axis=1)
        facts[here], number[here] = row[sorted_], size[sorted_]
        place = np.full((len(here), n), -1, np.int64)
        np.put_along_axis(place, sorted_, np.where(np.arange(n) < wide[here, None], np.arange(n), -1), axis=1)
        column[here] = place[:, first]
    above = np.maximum(np.take_along_axis(column[parent], order.astype(np.int64), axis=1), 0)
    times = copies[:, None] * number / np.take_along_axis(number[parent], above.astype(np.int64), axis=1)
    before = np.cumsum(wide) - wide
    before -= np.repeat(before[hands.start[:-1]], np.diff(hands.start))
    two = hands._replace(
        order=np.stack([order, order]),
        strength=np.stack([strength, strength]),
        alive=np.stack([wide, wide]).astype(np.int32),
        wide=np.stack([wide, wide]),
        before=np.stack([before, before]),
        above=above,
        times=times,
        facts=facts,
    )
    return Alike(two, column, game.rounds.rows, showdown.sizes)


def _kinds(maps: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Of what renamings carry things to, [renamings, n]: the first of those that each is like, and how many are."""
    first = maps.min(axis=0)
    return first, np.bincount(first, minlength=len(first))[first]
