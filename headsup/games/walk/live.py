"""Arrays without numbers for blocked hands on the last street, which has most of a hold'em game.

The usual layout has a column for each hand on every board. A board of the last street blocks many of them: of the 190
hands of 20 cards it leaves 105. Where both players may hold every hand, all boards leave equally many. A row of the
last street then has a column for each hand that is left, weakest first; other streets keep the usual layout.
"""

from math import comb
from typing import Any

import numpy as np

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


def with_blocked(game: VectorGame, array: AnyArray, seat: int) -> AnyArray:
    """An array in the usual layout; blocked hands have 0."""
    at, order = int(game.layout[seat][-2]), _order(game, seat)
    rows, hands = int(game.rounds.rows[seat, -1]), game.showdown.sizes[seat]
    out = np.zeros((len(order), rows, hands), array.dtype)
    live = array[at:].reshape(len(order), rows, -1)
    np.put_along_axis(out, np.broadcast_to(order[:, None], live.shape), live, axis=2)
    return np.concatenate([array[:at], out.ravel()])


def without_blocked(game: VectorGame, array: AnyArray, seat: int) -> AnyArray:
    """An array of the usual layout, without the blocked hands of the last street."""
    at, order = int(game.layout[seat][-2]), _order(game, seat)
    rows, hands = int(game.rounds.rows[seat, -1]), game.showdown.sizes[seat]
    every = array[at:].reshape(len(order), rows, hands)
    live = np.take_along_axis(every, np.broadcast_to(order[:, None], (len(order), rows, order.shape[1])), axis=2)
    return np.concatenate([array[:at], live.ravel()])


def _order(game: VectorGame, seat: int) -> AnyArray:
    """[boards, hands that are left] of the last street, weakest first."""
    hands = game.showdown.arrays  # type: ignore[attr-defined]
    return np.asarray(hands.order[seat, int(hands.start[-2]) :, : left_hands(game)], dtype=np.int64)
