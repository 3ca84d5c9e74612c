"""The value of strategies on hand vectors in real hold'em with discards, where no card comes twice, at any size.

With one round of swaps, before the first betting, the joint weight of two hands after it is a sum over the discarded
cards x and a,

    J({y, c}, {b, d}) = sum of T0[x, y] T1[a, b] over x != a, neither of them y, c, b, d or on the board,

for each choice of the kept cards y and b; T[x, y] is the weight of {x, y} times its probability to throw x. J is a
matrix for each river and each of four histories (who swapped), and each terminal node pays its part of J.
"""

import numpy as np

from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import UserError
from headsup.games.betting.rules import DEAL, FOLD
from headsup.games.holdem.boardlist import board_counts
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.vector import Strategy, VectorGame

Line = tuple[int, Floats, Floats]
"""A node of the betting, and how often each hand of both players goes there once the swaps are made."""
Two = tuple[AnyArray, AnyArray]


def real_value(game: VectorGame, strategy: Strategy) -> float:
    """The value for player 0 of a strategy where discarded cards never come again."""
    check_once(game)
    assert isinstance(game.showdown, Sorted)
    return _Real(game, game.showdown, strategy).value()


def check_once(game: VectorGame) -> None:
    """Raise an error unless cards are changed once, at the start."""
    if game.betting.rules.swaps != (0,) or game.streets > 2:
        raise UserError("real cards are counted where both may change a card once, before the first of two streets")
    if game.draws()[-1] < 2:
        raise UserError("after two swaps the deck has no card left for the board: add ranks or suits")


class Dealt:
    """The hands of a game, of which no two with a card in common are dealt."""

    def __init__(self, game: VectorGame, showdown: Sorted, strategy: Strategy) -> None:
        self.game, self.strategy, self.showdown = game, strategy, showdown
        self.cards: AnyArray = showdown.arrays.cards[0].astype(np.int64)
        self.left = (1 + int(np.sqrt(1 + 8 * len(self.cards)))) // 2  # cards that are not on the first board
        clash = (self.cards[:, None, :, None] == self.cards[None, :, None, :]).any(axis=(2, 3))
        self.apart = (~clash).astype(np.float64)

    def _share(self, street: int, board: int) -> Floats:
        """[hands, hands] the fraction of a showdown that the first hand wins."""
        arrays, b = self.showdown.arrays, int(self.showdown.arrays.start[street]) + board
        strength = np.zeros(len(self.cards))
        strength[arrays.order[0, b, : arrays.alive[0, b]]] = arrays.strength[0, b, : arrays.alive[0, b]]
        return np.asarray(0.5 + 0.5 * np.sign(strength[:, None] - strength[None, :]))


class _Real(Dealt):
    def value(self) -> float:
        tree, game, place = self.game.betting, self.game, self.game.board(0, 0)
        total = 0.0
        first = self.strategy.rows(0, place)
        for i, node in enumerate((int(tree.child[0]), int(tree.child[0]) + 1)):
            second = self.strategy.rows(node, place)
            for j in (0, 1):
                sides = game.weights[0] * first, game.weights[1] * second
                total += self._past(int(tree.child[node]) + j, sides, (i, j))
        return total / game.mass

    def _past(self, node: int, sides: tuple[Floats, Floats], swapped: tuple[int, int]) -> float:
        """The value after a node that follows both decisions; `sides` are [keep, low, high] by hand, with weights."""
        game, ones, draws = self.game, np.ones(len(self.cards)), self.left - 4
        ways = 1.0  # how many draws there are
        for k in range(sum(swapped)):
            ways *= draws - k
        ends, deals = self._lines(0, 0, [(node, ones, ones)])
        total = self._paid(ends, 0, 0, self._joint(sides, swapped, -1)) / ways
        counts: AnyArray = board_counts(game.boards, 1) if deals else np.zeros(0)
        for b in range(len(counts)):
            card = game.board(1, b).cards[-1]
            free = (self.cards != card).all(axis=1).astype(np.float64)
            below = [(int(game.betting.child[n]), s0 * free, s1 * free) for n, s0, s1 in deals]
            paid = self._paid(self._lines(1, b, below)[0], 1, b, self._joint(sides, swapped, card))
            total += float(counts[b]) * paid / (ways * (draws - sum(swapped)))
        return total

    def _lines(self, street: int, board: int, todo: list[Line]) -> tuple[list[Line], list[Line]]:
        """The terminal nodes and the deals of a street below some nodes."""
        tree, place = self.game.betting, self.game.board(street, board)
        ends: list[Line] = []
        deals: list[Line] = []
        while todo:
            here, mine, theirs = todo.pop()
            player = int(tree.player[here])
            if player >= DEAL:
                (deals if player == DEAL else ends).append((here, mine, theirs))
                continue
            for a, row in enumerate(self.strategy.rows(here, place)):
                sides = (mine * row, theirs) if player == 0 else (mine, theirs * row)
                todo.append((int(tree.child[here]) + a, *sides))
        return ends, deals

    def _paid(self, ends: list[Line], street: int, board: int, joint: Floats) -> float:
        """What player 0 wins at the terminal nodes of a street."""
        if not ends:
            return 0.0
        tree, nodes = self.game.betting, np.array([line[0] for line in ends])
        mine, theirs = (np.stack([line[p] for line in ends]) for p in (1, 2))
        met = ((mine @ joint) * theirs).sum(axis=1)
        win, lose, shown = tree.win[nodes, 0], tree.lose[nodes, 0], tree.player[nodes] != FOLD
        folded = np.where(tree.player[tree.parent[nodes]] == 0, lose, win)
        paid = np.where(shown, lose, folded) * met
        if shown.any():
            won = ((mine @ (joint * self._share(street, board))) * theirs).sum(axis=1)
            paid[shown] += ((win - lose) * won)[shown]
        return float(paid.sum())

    def _joint(self, sides: tuple[Floats, Floats], swapped: tuple[int, int], river: int) -> Floats:
        """[hands, hands] the weight of both players' hands after the swaps, with all discarded cards distinct."""
        low, high = self.cards.T
        if not any(swapped):
            return np.asarray(sides[0][0][:, None] * sides[1][0][None, :] * self.apart)
        thrown = []
        for p in (0, 1):
            weight = np.zeros((52, 52))
            weight[low, high], weight[high, low] = sides[p][1], sides[p][2]  # the first goes, the second stays
            if river >= 0:
                weight[river] = 0.0
            thrown.append(weight)
        total = np.zeros_like(self.apart)
        orders = ((low, high), (high, low))  # the card that stays, and the new one
        for y, c in orders if swapped[0] else orders[:1]:
            for b, d in orders if swapped[1] else orders[:1]:
                total += self._kept(thrown, (y[:, None], c[:, None]), (b[None, :], d[None, :]), sides, swapped)
        return np.asarray(total * self.apart)

    def _kept(
        self, thrown: list[Floats], mine: Two, theirs: Two, sides: tuple[Floats, Floats], swapped: tuple[int, int]
    ) -> Floats:
        """The sum over x and a, for these kept and these new cards."""
        (y, c), (b, d) = mine, theirs
        ours, others = thrown
        first = ours.sum(axis=0)[y] - ours[c, y] - ours[b, y] - ours[d, y] if swapped[0] else sides[0][0][:, None]
        second = (
            others.sum(axis=0)[b] - others[d, b] - others[y, b] - others[c, b] if swapped[1] else sides[1][0][None, :]
        )
        if not all(swapped):
            return np.asarray(first * second)
        same = (ours.T @ others)[y, b] - ours[c, y] * others[c, b] - ours[d, y] * others[d, b]
        return np.asarray(first * second - same)
