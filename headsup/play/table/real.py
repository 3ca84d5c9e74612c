"""From real cards to a game's stored boards and hands: `Strategy.rows(decision, board)[:, hand]` for real ones."""

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
    """The stored board that represents a real one, and the suit that each real suit becomes."""

    place: Place
    suits: tuple[int, ...]

    def renamed(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        """Real cards in the stored board's suits."""
        return tuple((card & ~3) | self.suits[card & 3] for card in cards)


class RealCards:
    """Maps real boards and hands to those of a game of hold'em boards."""

    def __init__(self, game: VectorGame) -> None:
        if not isinstance(game.boards, BoardTree) or not isinstance(game.showdown, Sorted):
            raise UserError(f"{game} has no real cards to play with: take a game of hold'em boards")
        self.game, self.tree, self.showdown = game, game.boards, game.showdown
        self.canonical = lru_cache(maxsize=4096)(self._canonical)

    def _canonical(self, board: tuple[int, ...]) -> CanonicalBoard:
        """Cards are in the order in which they came."""
        stored = self.tree.find(board)
        place = self.game.board(len(stored.numbers) - 1, stored.numbers[-1])
        return CanonicalBoard(place, SUIT_PERMUTATIONS[stored.renaming])

    @cached_property
    def _numbers(self) -> AnyArray:
        """[seats, 1326] the number of each hand in a seat's list, or -1."""
        numbers = np.full((2, HOLDEM_COUNT), -1)
        for seat in (0, 1):
            numbers[seat, self.showdown.hands[seat]] = np.arange(self.showdown.sizes[seat])
        return numbers

    def hands(self, seat: int, board: tuple[int, ...]) -> AnyArray:
        """[1326] the number on the stored board of each real hand; -1 if the game does not deal it."""
        return np.asarray(self._numbers[seat, permuted_combos(2, self.canonical(board).suits)])

    def hand(self, seat: int, hole: tuple[int, ...], board: tuple[int, ...]) -> int | None:
        """The number of one hand; None if the game does not deal it."""
        number = int(self._numbers[seat, colex(sorted(self.canonical(board).renamed(hole)))])
        return number if number >= 0 else None


def free_of(cards: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """[1326] which two-card hands contain none of these cards."""
    return np.asarray((combo_masks(2) & np.uint64(mask_of(cards))) == 0)
