"""From real cards to a game's own: which stored board and which hand stand for what lies on the table.

A `VectorGame` lists boards up to the names of the suits:

1. `BoardTree.find` gives the kept board of a real one, and the renaming of the suits that carries it there.
2. A hand is renamed with the board, and its number is looked up in the game's list of the player's hands.

So `Strategy.rows(decision, board)[:, hand]` is what the strategy does with the real hand on the real board. Hands that
the symmetries of a board exchange must be played alike there, as all walks over such games suppose.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from headsup.cards.boards import BoardTree
from headsup.cards.cards import mask_of
from headsup.cards.combos import HOLDEM_COUNT, colex, combo_masks
from headsup.cards.suits import SUIT_PERMUTATIONS, permuted_combos
from headsup.common.arrays import AnyArray
from headsup.common.errors import UserError
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.vector import Place, VectorGame


@dataclass(frozen=True)
class CanonicalBoard:
    """Where a real board stands in a game: the stored board, and the suit that each real suit has become."""

    place: Place
    suits: tuple[int, ...]

    def renamed(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        """Real cards in the stored board's suits."""
        return tuple((card & ~3) | self.suits[card & 3] for card in cards)


class RealCards:
    """The way from real boards and hands to those of a game of hold'em boards."""

    def __init__(self, game: VectorGame) -> None:
        if not isinstance(game.boards, BoardTree) or not isinstance(game.showdown, Sorted):
            raise UserError(f"{game} has no real cards to play with: take a game of hold'em boards")
        self.game, self.tree, self.showdown = game, game.boards, game.showdown
        self.canonical = lru_cache(maxsize=4096)(self._canonical)

    def _canonical(self, board: tuple[int, ...]) -> CanonicalBoard:
        """Where a real board stands; its cards in the order in which they came."""
        found = self.tree.find(board)
        place = self.game.board(len(found.numbers) - 1, found.numbers[-1])
        return CanonicalBoard(place, SUIT_PERMUTATIONS[found.renaming])

    @cached_property
    def _numbers(self) -> AnyArray:
        """[seats, 1326] the number of each hand in the game's list of a seat, or -1."""
        found = np.full((2, HOLDEM_COUNT), -1)
        for seat in (0, 1):
            found[seat, self.showdown.hands[seat]] = np.arange(self.showdown.sizes[seat])
        return found

    def hands(self, seat: int, board: tuple[int, ...]) -> AnyArray:
        """[1326] the number on the stored board of each real hand of a player; -1 if the game does not deal it."""
        return np.asarray(self._numbers[seat, permuted_combos(2, self.canonical(board).suits)])

    def hand(self, seat: int, hole: tuple[int, ...], board: tuple[int, ...]) -> int | None:
        """The same of one hand; None if the game does not deal it to them."""
        found = int(self._numbers[seat, colex(sorted(self.canonical(board).renamed(hole)))])
        return found if found >= 0 else None


def free_of(cards: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """[1326] which two-card hands share no card with these."""
    return np.asarray((combo_masks(2) & np.uint64(mask_of(cards))) == 0)
