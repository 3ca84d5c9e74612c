"""A piece of a game: one board right below the root and all boards under it, as a game of its own.

Boards keep their order, their copies and their renamings, so what a walk finds on the piece is what it would find there
in the whole game. Only the piece's boards are sorted for showdowns.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from headsup.cards.boards import Boards, BoardTree
from headsup.errors import UserError
from headsup.games.arrays import Floats
from headsup.games.sampled import SampledTree
from headsup.games.showdown import Sorted
from headsup.games.vector import Place, Strategy, VectorGame


@dataclass(frozen=True)
class BoardPacket:
    """A piece, and where its boards begin in the whole game."""

    game: VectorGame
    first: tuple[int, ...]  # by street

    def strategy(self, whole: Strategy) -> Strategy:
        """A strategy of the whole game on these boards."""
        return _Part(whole, self.first)


class _Part:
    def __init__(self, whole: Strategy, first: tuple[int, ...]) -> None:
        self.whole, self.first = whole, first
        if hasattr(whole, "whole_street"):
            self.whole_street = lambda seat, board: whole.whole_street(seat, self._place(board))

    def rows(self, decision: int, board: Place) -> Floats:
        """Those of the same board in the whole game."""
        return self.whole.rows(decision, self._place(board))

    def _place(self, board: Place) -> Place:
        return board._replace(number=board.number + self.first[board.street])


def board_packet(game: VectorGame, board: int) -> BoardPacket:
    """The piece of one board of the second street."""
    if not isinstance(game.boards, BoardTree) or not isinstance(game.showdown, Sorted):
        raise UserError(f"{game} is not cut into packets of boards: only hold'em is")
    levels, first, low, high = [game.boards.levels[0]], [0], 0, 1
    levels[0] = replace(levels[0], child=np.array([0, 1], dtype=np.int32))
    for s in range(1, game.streets):
        above = game.boards.levels[s - 1]
        low, high = (board, board + 1) if s == 1 else (int(above.child[low]), int(above.child[high]))
        levels.append(_slice(game.boards.levels[s], low, high, first[-1]))
        first.append(low)
    tree = SampledTree(game.boards, levels)
    cut = replace(game, boards=tree, showdown=game.showdown.on(tree))
    vars(cut).update(mass=game.mass, rounds=game.rounds)  # hands and betting are the same
    return BoardPacket(cut, tuple(first))


def _slice(level: Boards, low: int, high: int, first_above: int) -> Boards:
    begin = int(level.first[low])
    return Boards(
        cards=level.cards[low:high],
        parent=level.parent[low:high] - np.int32(first_above),
        child=level.child[low : high + 1] - level.child[low],
        copies=level.copies[low:high],
        count=level.count[low:high],
        first=level.first[low : high + 1] - begin,
        renaming=level.renaming[begin : int(level.first[high])],
        group=level.group[low:high],
    )
