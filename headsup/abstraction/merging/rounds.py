"""Independent rounds: the rest of a hand, solved on its own with the ranges that the play before it implies.

The *head* is all betting before a street. For each line into the street and each board, the rest is a *part*: a game
with both players' hands weighted by how often their own actions bring them there. Head and parts together are a
strategy of the whole hand (`Joined`), which can be measured. This loses something even with an exact head and parts: a
part needs to be good only against the given range. A line that the head never takes has no ranges; take them from a
head whose actions are forced a little (`Forced`), as andersson-2006 does (section 4.3).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from headsup.cards.boards import BoardTree
from headsup.common.arrays import AnyArray, Floats, Longs
from headsup.common.checks import as_call, as_strategy, at_least, door, finite, of_kind, whole
from headsup.common.errors import UserError
from headsup.games.betting.cut import cut_tree, decisions_below, without_bets
from headsup.games.betting.rules import DEAL
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.vector import Place, Strategy, VectorGame, check_floor


class Forced:
    """A strategy whose actions each have a probability of at least `floor`; the rest follows the strategy."""

    @door(game=of_kind(VectorGame), strategy=as_strategy, floor=finite)
    def __init__(self, game: VectorGame, strategy: Strategy, floor: float = 0.01) -> None:
        self.strategy, self.floor = strategy, check_floor(game, floor)

    def rows(self, decision: int, board: Place) -> Floats:
        """Every action gets its floor first."""
        rows = np.asarray(self.strategy.rows(decision, board), dtype=np.float64)
        return np.asarray(self.floor + (1.0 - len(rows) * self.floor) * rows)


@door(game=of_kind(VectorGame), strategy=as_strategy, node=at_least(0), board=at_least(0))
def ranges_at(game: VectorGame, strategy: Strategy, node: int, board: int = 0) -> tuple[Floats, Floats]:
    """Both players' ranges at a node of the betting on a board: the weight of each hand times its own actions."""
    betting, street = game.betting, int(game.betting.street[node])
    boards = [game.board(street, board)]
    for s in range(street, 0, -1):
        boards.insert(0, game.board(s - 1, int(game.boards.levels[s].parent[boards[0].number])))
    weights = [np.zeros(size) for size in game.showdown.sizes]
    for seat in (0, 1):
        alive = game.showdown.alive(seat, street, board)
        weights[seat][alive] = game.weights[seat][alive]
    for above, choice in reversed(betting.choices_to(node)):
        seat = int(betting.player[above])
        if seat < DEAL:
            weights[seat] *= strategy.rows(above, boards[int(betting.street[above])])[choice]
    return weights[0], weights[1]


@dataclass(frozen=True, eq=False)
class Part:
    """The rest of a hand after a line into a street, as a game of its own."""

    game: VectorGame
    nodes: Longs  # the numbers of its nodes in the whole betting tree; the first is the deal where the line ends
    street: int  # the street of that deal in the whole game; the first street of the part
    first: list[int]  # for each street of the part, the number in the whole game of its first board


@door(game=of_kind(VectorGame), strategy=as_strategy, deal=at_least(0), board=at_least(0))
def part_after(game: VectorGame, strategy: Strategy, deal: int, board: int = 0) -> Part:
    """What comes after a line into a street, with the ranges that a strategy implies there.

    `deal` is the node where the line ends, as `game.betting.find` gives it, and `board` one of that node's street.
    """
    if game.private or game.betting.player[deal] != DEAL:
        raise UserError("a part begins at a deal of the betting, in a game without private moves of chance")
    part = part_with(game, ranges_at(game, strategy, deal, board), deal, board)
    if not part.game.showdown.mass(part.game.weights) > 0.0:
        raise UserError(
            f"nobody ever plays '{game.betting.line(deal)}' by this strategy, so there are no ranges after it: take "
            "them from one whose actions are forced a little (Forced, or floor)"
        )
    return part


def part_with(game: VectorGame, weights: tuple[Floats, Floats], deal: int, board: int = 0) -> Part:
    """What comes after a deal on a board, with these weights of both players' hands."""
    street = int(game.betting.street[deal])
    tree, nodes = cut_tree(game.betting, deal)
    boards, showdown, first = game.boards, game.showdown, [board]
    if street:
        if not isinstance(boards, BoardTree) or not isinstance(showdown, Sorted):
            raise UserError(f"{game} can be cut before its second street alone: later ones are for hold'em hands")
        boards = boards.below(street, board)
        showdown = Sorted(boards, showdown.hands)
    for s in range(street, game.streets - 1):
        first.append(int(game.boards.levels[s].child[first[-1]]))
    shown = game.board_name(game.board(street, board))
    name = f"{game.name} after {game.betting.line(deal)}" + (f" on {shown}" if shown else "")
    chance = np.asarray(game.chance[street:]) / game.chance[street]
    return Part(VectorGame(name, tree, boards, showdown, weights, chance, game.unit), nodes, street, first)


class Below:
    """A strategy of the whole hand in one of its parts."""

    def __init__(self, game: VectorGame, part: Part, strategy: Strategy) -> None:
        self.game, self.part, self.strategy = game, part, strategy

    def rows(self, decision: int, board: Place) -> Floats:
        """Those of the same decision and board in the whole hand."""
        part = self.part
        place = self.game.board(part.street + board.street, part.first[board.street] + board.number)
        return self.strategy.rows(int(part.nodes[decision]), place)


def parts_from(game: VectorGame, street: int, ranges: Strategy) -> Iterator[tuple[tuple[int, int], Part]]:
    """All parts from a street on, each with the deal and the board after which it comes."""
    for deal, board in cuts_before(game, street):
        yield (deal, board), part_after(game, ranges, deal, board)


def cuts_before(game: VectorGame, street: int) -> Iterator[tuple[int, int]]:
    """The deals and boards before the parts from a street on, where a player still acts."""
    if not 1 <= street < game.streets:
        raise UserError(f"a hand of {game.streets} streets is cut before street 1 to {game.streets - 1}, not {street}")
    betting, acted = game.betting, decisions_below(game.betting)
    deals = [n for n in range(int(betting.start[street - 1]), int(betting.start[street])) if betting.player[n] == DEAL]
    for board in range(game.boards.sizes()[street - 1]):
        yield from ((deal, board) for deal in deals if acted[deal])


class Joined:
    """One strategy of a whole hand: a head before a street, and from there on a strategy for each part."""

    def __init__(
        self, game: VectorGame, street: int, head: Strategy, parts: dict[tuple[int, int], tuple[Part, Strategy]]
    ) -> None:
        self.game, self.street, self.head, self.parts = game, street, head, parts
        betting = game.betting
        self._deal = np.full(betting.n_nodes, -1)  # the deal into the street above each node
        for node in range(int(betting.start[street]), betting.n_nodes):
            above = int(betting.parent[node])
            self._deal[node] = above if betting.street[above] < street else self._deal[above]
        self._number: dict[tuple[int, int], AnyArray] = {}
        for key, (part, _) in parts.items():
            self._number[key] = np.full(betting.n_nodes, -1)
            self._number[key][part.nodes] = np.arange(len(part.nodes))

    def rows(self, decision: int, board: Place) -> Floats:
        """The head's before the street, a part's from there on."""
        if board.street < self.street:
            return self.head.rows(decision, board)
        above = board.number
        for s in range(board.street, self.street - 1, -1):
            above = int(self.game.boards.levels[s].parent[above])
        key = int(self._deal[decision]), above
        if key not in self.parts:
            raise UserError(f"there is no part after '{self.game.betting.line(key[0])}' on board {key[1]}: solve it")
        part, strategy = self.parts[key]
        s = board.street - part.street
        place = Place(s, board.number - part.first[s], board.cards)
        return strategy.rows(int(self._number[key][decision]), place)


@door(game=of_kind(VectorGame), head=as_strategy, solve=as_call, street=whole, ranges=as_strategy)
def solve_parts(
    game: VectorGame,
    head: Strategy,
    solve: Callable[[VectorGame], Strategy],
    street: int = 1,
    ranges: Strategy | None = None,
) -> Joined:
    """Join a head with the solutions of all parts by `solve`; the ranges are those of `ranges`, or of the head.

    The head may be a strategy of another game that is the same before the street, such as one checked down from there.
    """
    source = head if ranges is None else ranges
    return Joined(game, street, head, {key: (part, solve(part.game)) for key, part in parts_from(game, street, source)})


@door(game=of_kind(VectorGame), street=whole)
def checked_down(game: VectorGame, street: int) -> VectorGame:
    """The game without any bet from a street on; before it, nodes are numbered as in the whole game."""
    tree, _ = cut_tree(game.betting, 0, without_bets(game.betting, street))
    return replace(game, name=f"{game.name} checked down from street {street}", betting=tree, text=None)
