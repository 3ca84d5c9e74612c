"""Arrays without numbers for blocked hands on the last street, which has most of a hold'em game.

The usual layout has a column for each hand on every board. A board of the last street blocks many of them: of the 190
hands of 20 cards it leaves 105. Where both players may hold every hand, all boards leave equally many. A row of the
last street then has a column for each hand that is left, weakest first; other streets keep the usual layout.
"""

from math import comb
from typing import Any

from headsup.common.arrays import AnyArray
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.vector import VectorGame


def left_hands(game: VectorGame) -> int:
    """How many pairs of cards a board of the last street leaves."""
    boards: Any = game.showdown.boards  # type: ignore[attr-defined]
    return comb(boards.ranks * boards.suits - len(boards.root) - len(boards.dead) - sum(boards.streets), 2)


def has_live_columns(game: VectorGame) -> bool:
    """Whether blocked hands can be left out: both players may hold every hand."""
    if not isinstance(game.showdown, Sorted):
        return False
    return game.showdown.sizes == (len(game.showdown.boards.hands()),) * 2


def live_layout(game: VectorGame) -> tuple[AnyArray, AnyArray]:
    """As `VectorGame.layout`: for each player, where the streets of an array begin, and its size."""
    first, second = (at.copy() for at in game.layout)
    for at, hands in zip((first, second), game.showdown.sizes, strict=True):
        at[-1] = at[-2] + (at[-1] - at[-2]) // hands * left_hands(game)
    return first, second
