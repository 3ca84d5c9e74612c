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

from headsup.cards.boards import BoardTree
from headsup.cards.combos import colex
from headsup.cards.suits import SUIT_PERMUTATIONS
from headsup.errors import UserError
from headsup.games.showdown import Sorted
from headsup.games.vector import Place, VectorGame


@dataclass(frozen=True)
class Standing:
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
        self.stands = lru_cache(maxsize=4096)(self._stands)

    def _stands(self, board: tuple[int, ...]) -> Standing:
        """Where a real board stands; its cards in the order in which they came."""
        found = self.tree.find(board)
        place = self.game.board(len(found.numbers) - 1, found.numbers[-1])
        return Standing(place, SUIT_PERMUTATIONS[found.renaming])

    @cached_property
    def _numbers(self) -> tuple[dict[int, int], dict[int, int]]:
        first, second = ({int(c): i for i, c in enumerate(self.showdown.hands[seat])} for seat in (0, 1))
        return first, second

    def hand(self, seat: int, hole: tuple[int, ...], board: tuple[int, ...]) -> int | None:
        """The number of a player's hand on the stored board; None if the game does not deal it to them."""
        return self._numbers[seat].get(colex(sorted(self.stands(board).renamed(hole))))
