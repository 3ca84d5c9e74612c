"""What walks over a game of betting and boards ask of its boards, and plain lists of boards for small games.

`headsup.cards.boards.BoardTree` is a `BoardList` of hold'em boards up to suits; `PlainBoards` are of any cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from headsup.common.arrays import AnyArray, Floats


class Level(Protocol):
    """The boards of one street."""

    @property
    def cards(self) -> AnyArray:
        """[boards, cards] in the order in which they came."""

    @property
    def parent(self) -> AnyArray:
        """[boards] the board of the street before."""

    @property
    def child(self) -> AnyArray:
        """[boards + 1] where the children of each board begin in the next street."""

    def children(self, board: int) -> range:
        """The numbers of a board's children on the next street."""

    def renamings(self, board: int) -> AnyArray:
        """How hands are renamed onto a board, once for each board of its parent that it stands for."""

    def __len__(self) -> int: ...


class BoardList(Protocol):
    """What a game must know of its boards; `BoardTree` is this for hold'em, `PlainBoards` for any list of them."""

    @property
    def root(self) -> tuple[int, ...]:
        """The cards that lie there from the start."""

    @property
    def streets(self) -> Sequence[int]:
        """How many cards come before each street."""

    @property
    def levels(self) -> Sequence[Level]:
        """The boards of each street."""

    def sizes(self) -> list[int]:
        """How many boards each street has."""

    def totals(self) -> list[int]:
        """How many boards those stand for."""

    def identity(self) -> bytes:
        """What makes these boards differ from others, for checksums."""


@dataclass(frozen=True, eq=False)
class PlainLevel:
    """Boards of one street, each standing for itself."""

    cards: AnyArray
    parent: AnyArray
    child: AnyArray

    def __len__(self) -> int:
        return len(self.cards)

    def children(self, board: int) -> range:
        return range(int(self.child[board]), int(self.child[board + 1]))

    def renamings(self, board: int) -> AnyArray:
        """The board itself."""
        return np.zeros(1, dtype=np.uint8)


class PlainBoards:
    """Boards of any cards, listed street by street; `deals[s][b]` are the new cards that may follow board b."""

    root: tuple[int, ...] = ()

    def __init__(self, deals: Sequence[Sequence[Sequence[tuple[int, ...]]]]) -> None:
        boards: list[tuple[int, ...]] = [()]
        parent, self.streets = [0], [0]
        self.levels: list[PlainLevel] = []
        for after in deals:
            self._add(boards, parent, [len(following) for following in after])
            parent = [b for b, following in enumerate(after) for _ in following]
            boards = [(*boards[b], *new) for b, following in enumerate(after) for new in following]
            self.streets.append(len(boards[0]) - sum(self.streets))
        self._add(boards, parent, [0] * len(boards))

    def _add(self, boards: list[tuple[int, ...]], parent: list[int], counts: list[int]) -> None:
        cards = np.array(boards, dtype=np.int64).reshape(len(boards), len(boards[0]))
        self.levels.append(PlainLevel(cards, np.array(parent), np.cumsum([0, *counts])))

    def sizes(self) -> list[int]:
        return [len(level) for level in self.levels]

    def totals(self) -> list[int]:
        return self.sizes()

    def identity(self) -> bytes:
        return b"".join(level.cards.tobytes() + level.child.tobytes() for level in self.levels)


def board_counts(boards: BoardList, street: int) -> Floats:
    """[boards] how many real boards each board of a street stands for."""
    level = boards.levels[street]
    return np.asarray(getattr(level, "count", np.ones(len(level))), dtype=np.float64)
