"""Showdowns: how much of the opponent's reach a hand meets on a board, and how much of it it beats.

One question, `lines(seat, street, board, reach, showdowns) -> (won, met)`: the weight of the opponent's hands that each
hand beats (a tie counts half) and meets. A fold pays by what was met, a showdown `lose * met + (win - lose) * won`.
`Dense` has matrices, for games of few hands; `Sorted` hold'em hands in order of strength with running sums,
`headsup.games.holdem.four.FourCardSorted` those of Omaha; `headsup.games.holdem.classes.Classes` hand classes with a
table of matchups.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np

from headsup.cards.boards import BoardTree
from headsup.cards.cards import cards_in, cards_name, mask_of
from headsup.cards.combos import combo_masks, combos, holdem_combos, row_masks
from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from headsup.games.holdem.layout import WalkHands


class Showdown(Protocol):
    """What a game of betting and boards must know of its hands."""

    sizes: tuple[int, int]  # how many hands each player may hold

    def lines(self, seat: int, street: int, board: int, reach: Floats, showdowns: int) -> tuple[Floats, Floats]:
        """(won, met), each [lines, hands of the seat], against rows of the opponent's reach, [lines, hands].

        Only the first `showdowns` rows of `won` are needed; a board before the last street has none.
        """

    def alive(self, seat: int, street: int, board: int) -> AnyArray:
        """The hands of a seat that the board leaves possible."""

    def renamed(self, seat: int, renaming: int) -> AnyArray:
        """The hand that each hand of a seat becomes when suits are renamed (an index in `SUIT_PERMUTATIONS`)."""

    def mass(self, weights: tuple[Floats, Floats]) -> float:
        """The weight of all pairs of hands that can be dealt together."""

    def names(self, seat: int) -> list[str]:
        """What the hands of a seat are called."""

    def identity(self) -> bytes:
        """What makes these hands differ from others, for checksums."""


class Dense:
    """Matrices: what each pair of hands counts on a board (chance included), and who wins there."""

    def __init__(self, weights: Sequence[Floats], signs: Floats, renamed: AnyArray | None = None) -> None:
        """`weights[s]` is [boards of street s, hands, hands]; `signs` is the same for the last street: 1, 0 or -1.

        Where cards still come after the last bet, a sign is the average over them.
        Boards up to suits need `renamed`, [renamings, hands]: what becomes of each hand.
        """
        self._renamed, self.up_to_suits = renamed, renamed is not None
        self.weights, self.signs = (
            [np.asarray(matrices, dtype=np.float64) for matrices in weights],
            np.asarray(signs, dtype=np.float64),
        )
        if any(matrices.ndim != 3 for matrices in self.weights) or self.signs.shape != self.weights[-1].shape:
            raise UserError("a dense showdown takes [boards, hands, hands] for each street, and signs for the last one")
        self.sizes: tuple[int, int] = self.weights[0].shape[1:]

    def alive(self, seat: int, street: int, board: int) -> AnyArray:
        return np.flatnonzero(self._weight(seat, street, board).any(axis=1))

    def lines(self, seat: int, street: int, board: int, reach: Floats, showdowns: int) -> tuple[Floats, Floats]:
        met = reach @ self._weight(seat, street, board).T
        won = np.zeros_like(met)
        if showdowns:
            won[:showdowns] = reach[:showdowns] @ (self._weight(seat, street, board) * self._share(seat, board)).T
        return won, met

    def renamed(self, seat: int, renaming: int) -> AnyArray:
        return np.arange(self.sizes[seat]) if self._renamed is None else np.asarray(self._renamed[renaming])

    def mass(self, weights: tuple[Floats, Floats]) -> float:
        return float(weights[0] @ self.weights[0][0] @ weights[1])

    def names(self, seat: int) -> list[str]:
        return [str(hand) for hand in range(self.sizes[seat])]

    def identity(self) -> bytes:
        return b"".join(array.tobytes() for array in (*self.weights, self.signs))

    def _weight(self, seat: int, street: int, board: int) -> Floats:
        weight: Floats = self.weights[street][board]
        return weight if seat == 0 else weight.T

    def _share(self, seat: int, board: int) -> Floats:
        """[own hands, opponent's hands] the part of a showdown that a hand wins."""
        sign: Floats = self.signs[board]
        return (1.0 + sign) / 2.0 if seat == 0 else (1.0 - sign.T) / 2.0


class CardShowdown(ABC):
    """Hands of cards in order of strength, with running sums: `Sorted` for two cards, `FourCardSorted` for four."""

    held = 2  # how many cards a hand has

    @property
    def game(self) -> str:
        """The game whose range text names the hands."""
        return "holdem"

    def __init__(self, boards: BoardTree, hands: tuple[AnyArray, AnyArray]) -> None:
        """`hands` are each player's combos, as colex indices; both lists must be closed under the tree's renamings."""
        self.boards = boards
        self.hands = (np.asarray(hands[0], dtype=np.int64), np.asarray(hands[1], dtype=np.int64))
        self.sizes = (len(self.hands[0]), len(self.hands[1]))
        self.compared = True  # whether hands are shown on the last street of these boards
        self._buffers: Any = None

    @cached_property
    def arrays(self) -> WalkHands:
        """Hands, boards, and the hands in order on every board, as the kernels want them."""
        most, levels = max(self.sizes), self.boards.levels
        start = np.cumsum([0, *map(len, levels)])
        order = np.zeros((2, int(start[-1]), most), dtype=self._number)
        strength, alive = np.zeros(order.shape, np.int16), np.zeros((2, int(start[-1])), dtype=np.int32)
        for s, boards in enumerate(levels):
            here = slice(start[s], start[s + 1])
            for seat, n in enumerate(self.sizes):
                if seat == 0 or not self.same_hands:
                    sorted_hands = self._in_order(boards.cards, seat, last=self.compared and s == len(levels) - 1)
                order[seat, here, :n], strength[seat, here, :n], alive[seat, here] = sorted_hands
        wide = np.repeat(np.array(self.sizes, dtype=np.int64)[:, None], start[-1], axis=1)
        alone = np.zeros((2, 0), np.int64), np.zeros((0, 0), self._number), np.zeros((0, 0))
        return self._walk_hands(order, strength, alive, wide, alone, self._four_cards(order, strength, alive))

    def _walk_hands(
        self,
        order: AnyArray,
        strength: AnyArray,
        alive: AnyArray,
        wide: AnyArray,
        links: tuple[AnyArray, AnyArray, AnyArray],
        four: Any,
    ) -> WalkHands:
        """With the boards; `links` are `link`, `above` and `times`, which are empty where each column has one hand."""
        from headsup.games.holdem.layout import WalkHands

        levels = self.boards.levels
        start = np.cumsum([0, *map(len, levels)])
        children = [boards.child[:-1].astype(np.int64) + start[s + 1] for s, boards in enumerate(levels)]
        first = np.cumsum([0, *np.concatenate([boards.copies for boards in levels])])
        before = np.cumsum(wide, axis=1) - wide
        before -= np.repeat(before[:, start[:-1]], np.diff(start), axis=1)
        return WalkHands(
            np.array(self.sizes, dtype=np.int64),
            *self._fixed,
            start,
            np.concatenate([*children, start[-1:]]),
            first,
            np.concatenate([boards.renaming for boards in levels]),
            order,
            strength,
            alive,
            wide,
            before,
            *links,
            np.zeros((0, 0, 5), np.uint8),
            four,
        )

    @property
    def order_bytes(self) -> int:
        """What a hand of a player takes on each board, in bytes."""
        return 4

    @property
    def sets(self) -> int:
        """How many sets of cards four-card hands are counted by (`layout.new_workspace`); 0 for two-card hands."""
        return 0

    def _four_cards(self, order: AnyArray, strength: AnyArray, alive: AnyArray) -> Any:
        """What four-card hands have beside their order on every board (`layout.FourCardOrders`)."""
        return None

    @property
    def _number(self) -> Any:
        """The type that numbers the hands."""
        return np.int16 if self.held == 2 else np.int32

    @cached_property
    def same_hands(self) -> bool:
        """Whether both players may hold the same hands."""
        return bool(np.array_equal(self.hands[0], self.hands[1]))

    @cached_property
    def _fixed(self) -> tuple[AnyArray, AnyArray, AnyArray]:
        """What does not depend on the boards: cards, the opponent's hand of the same cards, and renamings."""
        most = max(self.sizes)
        cards = np.zeros((2, most, self.held), dtype=np.uint8)
        same, maps = np.full((2, most), -1, dtype=np.int32), np.zeros((2, 24, most), dtype=self._number)
        for seat, n in enumerate(self.sizes):
            position = np.full(comb(52, self.held), -1, dtype=np.int32)
            position[self.hands[1 - seat]] = np.arange(self.sizes[1 - seat])
            cards[seat, :n], same[seat, :n] = combos(self.held)[self.hands[seat]], position[self.hands[seat]]
            maps[seat, :, :n] = self.boards.hand_map(self.hands[seat])
        return cards, same, maps

    def on(self, boards: BoardTree, compared: bool = True) -> Self:
        """The same hands on other boards of the same deck; `compared`: whether they are shown on its last street."""
        other = self._on(boards)
        other.compared = compared
        vars(other)["_fixed"] = self._fixed
        return other

    def _on(self, boards: BoardTree) -> Self:
        return type(self)(boards, self.hands)

    def _in_order(self, cards: AnyArray, seat: int, last: bool) -> tuple[AnyArray, AnyArray, AnyArray]:
        """On each board: the hands from the weakest to the strongest, blocked ones behind; strengths; how many live."""
        value = self._strengths(cards, seat, last)
        order = np.argsort(value, axis=1, kind="stable")
        dead = (value < 0).sum(axis=1)
        turn = (np.arange(order.shape[1]) + dead[:, None]) % order.shape[1]  # dead ones came first
        order = np.take_along_axis(order, turn, axis=1)
        return order.astype(self._number), np.take_along_axis(value, order, axis=1), order.shape[1] - dead

    @abstractmethod
    def _strengths(self, cards: AnyArray, seat: int, last: bool) -> AnyArray:
        """int16[boards, hands]: -1 for a blocked hand, its value on the last street, else 0."""

    @abstractmethod
    def mass(self, weights: tuple[Floats, Floats]) -> float:
        """The weight of all pairs of hands that can be dealt together."""

    def alive(self, seat: int, street: int, board: int) -> AnyArray:
        b = int(self.arrays.start[street]) + board
        return np.sort(self.arrays.order[seat, b, : self.arrays.alive[seat, b]])

    def names(self, seat: int) -> list[str]:
        return list(self._names[seat])

    @cached_property
    def _names(self) -> tuple[list[str], list[str]]:
        cards = [combos(self.held)[listed].tolist() for listed in self.hands]
        first, second = ([cards_name(hand[::-1]) for hand in hands] for hands in cards)
        return first, second

    def identity(self) -> bytes:
        return self.hands[0].tobytes() + self.hands[1].tobytes()

    def renamed(self, seat: int, renaming: int) -> AnyArray:
        return np.asarray(self.arrays.maps[seat, renaming, : self.sizes[seat]])

    def lines(self, seat: int, street: int, board: int, reach: Floats, showdowns: int) -> tuple[Floats, Floats]:
        """One walk over the hands in order, for all lines together."""
        from headsup.games.holdem.lanes import TILE
        from headsup.games.holdem.layout import new_showdown_buffers, tiled
        from headsup.games.holdem.showdown_kernels import against_lines

        given, hands = np.zeros((len(reach) + TILE, self.sizes[1 - seat])), self.sizes[seat]
        given[: len(reach)] = reach
        if self._buffers is None:
            self._buffers = new_showdown_buffers(0, self.sizes, sets=self.sets)
        beaten, met = np.zeros((2, tiled(len(reach)), tiled(hands)))
        buffers = self._buffers._replace(beaten=beaten, met=met)
        rows, b = np.arange(len(reach), dtype=np.int32), int(self.arrays.start[street]) + board
        against_lines(given, rows, showdowns, self.arrays, b, seat, buffers)
        return beaten[: len(reach), :hands], met[: len(reach), :hands]


class Sorted(CardShowdown):
    """Hold'em: two-card hands, compared with five board cards (or as many as the last street has)."""

    def _strengths(self, cards: AnyArray, seat: int, last: bool) -> AnyArray:
        """int16[boards, hands]: -1 for a blocked hand, its value on the last street, else 0."""
        from headsup.evaluate import rank_on_boards

        n, masks = len(cards), row_masks(cards)
        out = np.zeros((n, self.sizes[seat]), dtype=np.int16)
        for at in range(0, n if last else 0, 4096):  # in blocks, to save memory on the whole deck's boards
            out[at : at + 4096] = rank_on_boards(cards[at : at + 4096], self.hands[seat])
        out[(masks[:, None] & combo_masks(2)[self.hands[seat]]) != 0] = -1
        return out

    def leads(self, street: int, board: int) -> tuple[AnyArray, int]:
        """What hands will be when all cards have come: int16[hands, hands], and of how many boards.

        On how many of them the first player's hand beats the second's, less on how many it loses to it; 0 where the
        two share a card.
        """
        here = self.boards.levels[street].cards[board].tolist()
        left = cards_in(self.boards.deck_mask & ~mask_of(here) & ~mask_of(self.boards.dead))
        more = (self.boards.levels[-1].cards.shape[1] if self.compared else 5) - len(here)
        cards = np.array([(*here, *rest) for rest in combinations(left, more)], dtype=np.int64)
        out, few = np.zeros(self.sizes, np.int16), np.zeros(self.sizes, np.int8)
        first, second = (self._strengths(cards, seat, last=True) for seat in (0, 1))
        most = np.iinfo(np.int16).max
        low = np.where(first < 0, -2, first), np.where(second < 0, -2, second)  # blocked hands: they never win
        high = np.where(first < 0, most, first), np.where(second < 0, most, second)  # nor are they beaten
        better = np.empty(self.sizes, dtype=bool)
        for n in range(len(cards)):
            few += np.greater(low[0][n, :, None], high[1][n], out=better).view(np.int8)
            few -= np.less(high[0][n, :, None], low[1][n], out=better).view(np.int8)
            if n % 100 == 99 or n == len(cards) - 1:  # before an int8 is full
                out += few
                few[:] = 0
        mine, theirs = (combo_masks(2)[hands] for hands in self.hands)
        out[(mine[:, None] & theirs) != 0] = 0
        return out, comb(len(left) - 4, more)

    def mass(self, weights: tuple[Floats, Floats]) -> float:
        """All pairs, less those that share a card, plus those that share two, which were taken off twice."""
        held = [np.zeros(52), np.zeros(52)]
        for seat in (0, 1):
            np.add.at(held[seat], holdem_combos()[self.hands[seat]], np.asarray(weights[seat])[:, None])
        equal = np.zeros(1326)
        equal[self.hands[0]] = weights[0]
        return float(np.sum(weights[0]) * np.sum(weights[1]) - held[0] @ held[1] + equal[self.hands[1]] @ weights[1])
