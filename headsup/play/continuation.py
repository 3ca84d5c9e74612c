"""What each action is worth to one hand if both players go on by a strategy: exact sums over the other's hands.

The hand and the board are real cards, and so is the other's reach: how often each of the 1,326 hands has come here.
From a decision on,

    a fold, a showdown        what the hand gets, hand by hand of the other, weighted by the reach
    my decision               the mean over my actions, by the strategy's row of my hand
    the other's decision      the sum over its actions, the reach multiplied by its rows
    a card                    the mean over the cards that may come

divided by the whole reach. It needs the strategy's rows on every board that it passes. One board is a moment's work, so
values are worked out where betting ends without another card that somebody could act on: on the river, and wherever a
call is all-in (`is_quick`).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np

from headsup.cards.combos import colex, holdem_combos
from headsup.games.arrays import Floats
from headsup.games.betting import DEAL, FOLD
from headsup.games.bettingtree import BettingTree
from headsup.play.real import free_of
from headsup.play.rest import Source

Cards = tuple[int, ...]
DECK = 52
HELD = 4
"""Cards that both players hold: none of them can come."""


def is_quick(tree: BettingTree, node: int) -> bool:
    """Whether the actions of a decision can be valued on the board that lies there."""
    if tree.player[node] == DEAL:
        return _end(tree, node) is not None
    return tree.player[node] > DEAL or all(is_quick(tree, child) for child in _children(tree, node))


def action_values(source: Source, node: int, hole: Cards, board: Cards, reach: Floats) -> list[float] | None:
    """Chips from here on of each action at a decision of the one who holds these cards; a fold is worth 0.

    None if no hand of the other comes here.
    """
    tree = source.tree
    met = np.where(free_of((*hole, *board)), reach, 0.0)
    total = float(met.sum())
    if total <= 0.0:
        return None
    walk = _Walk(source, int(tree.player[node]), hole)
    paid = float(tree.paid[node, walk.seat])
    return [walk.value(child, board, met) / total + paid for child in _children(tree, node)]


class _Walk:
    """The sums of the module's text, for one hand."""

    def __init__(self, source: Source, seat: int, hole: Cards) -> None:
        self.source, self.tree, self.seat, self.hole = source, source.tree, seat, hole
        self.number = colex(sorted(hole))

    def value(self, node: int, board: Cards, reach: Floats) -> float:
        """What comes of a node, summed over the other's hands by their reach."""
        tree, player = self.tree, int(self.tree.player[node])
        if player == FOLD:
            ended = tree.lose if tree.player[tree.parent[node]] == self.seat else tree.win
            return float(ended[node, self.seat]) * float(reach.sum())
        if player < DEAL:
            rows = self.source.rows(node, board)
            children = _children(tree, node)
            if player == self.seat:
                shares = rows[:, self.number]
                return sum(float(x) * self.value(child, board, reach) for x, child in zip(shares, children, strict=True) if x)  # noqa: E501  # fmt: skip
            return sum(self.value(child, board, reach * row) for row, child in zip(rows, children, strict=True))
        end = _end(tree, node)
        if end is not None:
            lose, win = float(tree.lose[end, self.seat]), float(tree.win[end, self.seat])
            return float(reach @ (lose + (win - lose) * shares_against(self.hole, board)))
        below, total = int(tree.child[node]), 0.0
        known = {*self.hole, *board}
        for card in range(DECK):
            if card not in known:
                total += self.value(below, (*board, card), np.where(free_of((card,)), reach, 0.0))
        return total / (DECK - HELD - len(board))


def _children(tree: BettingTree, node: int) -> range:
    first = int(tree.child[node])
    return range(first, first + int(tree.count[node]))


def _end(tree: BettingTree, node: int) -> int | None:
    """The showdown to which a node leads without anybody acting any more, if it does."""
    while tree.player[node] == DEAL:
        node = int(tree.child[node])
    return node if tree.player[node] > DEAL else None


@lru_cache(maxsize=512)
def shares_against(hole: Cards, board: Cards) -> Floats:
    """[1326] what part of the pot a hand gets against each other hand if only cards come; 0 where they share one."""
    free = free_of((*hole, *board))
    if not board:
        from headsup.equity.table import BOARDS, combo_table

        table, mine = combo_table(), colex(sorted(hole))
        return np.where(free, (table.wins[mine] + 0.5 * table.ties[mine]) / BOARDS, 0.0)
    left = [card for card in range(DECK) if card not in {*hole, *board}]
    points, count = np.zeros(len(free)), np.zeros(len(free))
    for rest in combinations(left, 5 - len(board)):
        there = free & free_of(rest)
        points[there] += _won(hole, (*board, *rest), there)
        count += there
    return np.where(free, points / np.maximum(count, 1.0), 0.0)


def _won(hole: Cards, board: Cards, there: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Floats:
    """On a board of five, 1 for each hand that is beaten and a half for those that are as good."""
    from headsup.evaluate import rank_hands

    theirs = holdem_combos()[there]
    rows = np.empty((len(theirs) + 1, 7), dtype=np.uint8)
    rows[:-1, :2], rows[-1, :2], rows[:, 2:] = theirs, hole, board
    values = rank_hands(rows, check=False).astype(np.int64)
    return np.asarray(0.5 * (1.0 + np.sign(values[-1] - values[:-1])))
