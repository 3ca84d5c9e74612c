"""A piece of a game: one board right below the root, or of any street, and all boards under it, as a game of its own.

Boards keep their order, copies and renamings, so a walk finds on the piece what it would find in the whole game.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from headsup.cards.boards import Boards, BoardTree
from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import UserError
from headsup.games.betting.cut import street_tree
from headsup.games.holdem.sampled import SampledTree
from headsup.games.holdem.showdown import CardShowdown
from headsup.games.holdem.vector import Place, Strategy, VectorGame


@dataclass(frozen=True)
class BoardPacket:
    """A piece, and where its boards begin in the whole game."""

    game: VectorGame
    first: tuple[int, ...]  # by street

    def strategy(self, whole: Strategy) -> Strategy:
        """A strategy of the whole game on these boards."""
        return _Part(whole, self.first)

    def policy(self, game: VectorGame, whole: tuple[AnyArray, AnyArray]) -> tuple[AnyArray, AnyArray]:
        """The arrays of a strategy of the whole game, those of these boards."""
        cut = [np.concatenate([whole[p][self._place(game, p, s)] for s in range(game.streets)]) for p in (0, 1)]
        return cut[0], cut[1]

    def _place(self, game: VectorGame, seat: int, street: int) -> slice:
        each = int(game.rounds.rows[seat, street]) * game.showdown.sizes[seat]
        low = int(game.layout[seat][street]) + self.first[street] * each
        return slice(low, low + len(self.game.boards.levels[street]) * each)


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
    return _packet(game, [board], [1])


def board_subset(game: VectorGame, boards: Sequence[int], times: Sequence[int]) -> VectorGame:
    """Some boards of the second street, each counted so many times, in place of all of them.

    What the ends of later streets pay is multiplied by how many boards there are for each one counted.
    """
    cut = _packet(game, boards, times).game
    factor = game.boards.totals()[1] / int(cut.boards.levels[1].copies.sum())  # type: ignore[attr-defined]
    chance = np.where(np.arange(game.streets) > 0, factor, 1.0) * game.chance
    subset = replace(cut, chance=chance)
    vars(subset).update(mass=game.mass)
    return subset


def _packet(game: VectorGame, boards: Sequence[int], times: Sequence[int]) -> BoardPacket:
    if not isinstance(game.boards, BoardTree) or not isinstance(game.showdown, CardShowdown):
        raise UserError(f"{game} is not cut into packets of boards: only hold'em is")
    levels = [replace(game.boards.levels[0], child=np.array([0, len(boards)], dtype=np.int32))]
    spans, first = [(board, board + 1) for board in boards], [0]
    for s in range(1, game.streets):
        if s > 1:
            child = game.boards.levels[s - 1].child
            spans = [(int(child[low]), int(child[high])) for low, high in spans]
        parts = [_slice(game.boards.levels[s], low, high) for low, high in spans]
        if s == 1:
            parts = [_repeated(part, n) for part, n in zip(parts, times, strict=True)]
        levels.append(_joined(parts, len(levels[-1])))
        first.append(spans[0][0])
    tree = SampledTree(game.boards, levels)
    cut = replace(game, boards=tree, showdown=game.showdown.on(tree))
    vars(cut).update(mass=game.mass, rounds=game.rounds)  # hands and betting are the same
    return BoardPacket(cut, tuple(first))


def _slice(level: Boards, low: int, high: int) -> Boards:
    """Some boards of a street; parents are counted from that of the first."""
    begin = int(level.first[low])
    return Boards(
        cards=level.cards[low:high],
        parent=level.parent[low:high] - level.parent[low],
        child=level.child[low : high + 1] - level.child[low],
        copies=level.copies[low:high],
        count=level.count[low:high],
        first=level.first[low : high + 1] - begin,
        renaming=level.renaming[begin : int(level.first[high])],
        group=level.group[low:high],
    )


def _repeated(board: Boards, times: int) -> Boards:
    """One board, counted so many times as often."""
    return replace(
        board,
        copies=board.copies * np.int32(times),
        count=board.count * times,
        first=board.first * times,
        renaming=np.tile(board.renaming, times),
    )


def _joined(parts: Sequence[Boards], above: int) -> Boards:
    """Boards of a street, part after part; those of the first street below the root all have the same parent."""
    if len(parts) == 1:
        return parts[0]
    parents = [int(part.parent[-1]) + 1 for part in parts] if above > 1 else [0] * len(parts)
    shifts = {
        "parent": parents,
        "child": [int(part.child[-1]) for part in parts],
        "first": [int(part.first[-1]) for part in parts],
    }
    arrays = {}
    for name in ("cards", "parent", "child", "copies", "count", "first", "renaming", "group"):
        rows = [getattr(part, name) for part in parts]
        if name in shifts:
            before = np.cumsum([0, *shifts[name][:-1]]).astype(rows[0].dtype)
            rows = [row + n for row, n in zip(rows, before, strict=True)]
        if name in ("child", "first"):
            rows = [row[:-1] for row in rows[:-1]] + rows[-1:]
        arrays[name] = np.concatenate(rows)
    return Boards(**arrays)


def board_piece(
    game: VectorGame, street: int, board: int, lines: range | None = None, streets: int | None = None
) -> VectorGame:
    """One board of any street with what is bet there and below, as a game that begins on that street.

    It is entered by some lines (all if left out), whose reach its walker must be given, and continues for so many
    streets (all that are left). The boards of other pieces are not built.
    """
    if not isinstance(game.boards, BoardTree) or not isinstance(game.showdown, CardShowdown):
        raise UserError(f"{game} is not cut into packets of boards: only hold'em is")
    last = game.streets if streets is None else street + streets
    lines = range(int(game.rounds.entries[street + 1] - game.rounds.entries[street])) if lines is None else lines
    tree = game.boards.below(street, board, streets)
    cut = replace(
        game,
        betting=street_tree(game.betting, street, lines, streets),
        boards=tree,
        showdown=game.showdown.on(tree, compared=last == game.streets),
        chance=game.chance[street:last],
    )
    vars(cut).update(mass=game.mass)
    return cut


def piece_on(game: VectorGame, piece: VectorGame, street: int, board: int) -> VectorGame:
    """A piece of a game on another board of its street: the betting is the same."""
    assert isinstance(game.boards, BoardTree)
    assert isinstance(game.showdown, CardShowdown)
    assert isinstance(piece.showdown, CardShowdown)
    tree = game.boards.below(street, board, piece.streets)
    moved = replace(piece, boards=tree, showdown=game.showdown.on(tree, compared=piece.showdown.compared))
    vars(moved).update(mass=piece.mass, rounds=piece.rounds)
    return moved
