"""Slow, obvious hold'em: one deal, one card and one action at a time, and every sum written out.

Nothing here imports headsup: the betting comes as the plain columns of its tree, the rest as cards and weights.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations
from math import comb
from typing import Any

from tests.naive import best_key

Hand = tuple[int, ...]
Board = tuple[Hand, ...]  # the new cards of each street after the root
Play = Callable[[int, Hand, Board], Sequence[float]]
"""How often the mover takes each action: at a node of the betting, with a hand, on a board."""

DEAL, FOLD, SHOWDOWN = 2, 3, 4


@cache
def strength(cards: Hand) -> tuple:
    """A key that sorts hands of as many cards: the best five, or sets of equal ranks where there are fewer."""
    if len(cards) >= 5:
        return best_key(cards)
    groups = sorted(((count, rank) for rank, count in Counter(c // 4 for c in cards).items()), reverse=True)
    return tuple(count for count, _ in groups), tuple(rank for _, rank in groups)


@dataclass(frozen=True)
class Spot:
    """What is played: columns of a betting tree, cards, and both ranges."""

    player: Sequence[int]
    child: Sequence[int]
    count: Sequence[int]
    parent: Sequence[int]
    street: Sequence[int]
    win: Sequence[Sequence[float]]
    lose: Sequence[Sequence[float]]
    root: Hand
    free: Hand  # what is left of the deck
    streets: Sequence[int]  # new cards before each street
    hands: tuple[Sequence[Hand], Sequence[Hand]]
    weights: tuple[Sequence[float], Sequence[float]]

    @cached_property
    def mass(self) -> float:
        """The weight of all deals."""
        pairs = [list(zip(self.hands[p], self.weights[p], strict=True)) for p in (0, 1)]
        return sum(v * w for mine, v in pairs[0] for theirs, w in pairs[1] if not set(mine) & set(theirs))

    def hand_value(self, play: Play, seat: int, hand: Hand, best: bool | Container[int]) -> float:
        """What a hand earns against all that the other may hold, times how likely those are; its own weight is not in.

        `best` takes the best action at each of the seat's decisions (or at these) instead of what the play says.
        """

        def value(node: int, board: Board, others: list[tuple[Hand, float]]) -> float:
            who = self.player[node]
            if not others:
                return 0.0
            if who == FOLD:
                paid = self.lose if self.player[self.parent[node]] == seat else self.win
                return sum(weight * paid[node][seat] for _, weight in others)
            if who == SHOWDOWN:
                return sum(weight * self.showdown(node, board, seat, hand, other) for other, weight in others)
            if who == DEAL:
                gone = {*hand, *sum(board, ())}
                new = self.streets[self.street[node] + 1]
                ways = comb(len(self.free) - len(gone) - 2, new)
                total = 0.0
                for cards in combinations([c for c in self.free if c not in gone], new):
                    left = [(other, weight / ways) for other, weight in others if not set(other) & set(cards)]
                    total += value(self.child[node], (*board, cards), left)
                return total
            below = range(self.child[node], self.child[node] + self.count[node])
            if who != seat:
                shares = {other: play(node, other, board) for other, _ in others}
                parts = [[(other, w * shares[other][a]) for other, w in others] for a in range(len(below))]
                return sum(
                    value(to, board, [one for one in part if one[1] > 0.0])
                    for to, part in zip(below, parts, strict=True)
                )
            found = [value(to, board, others) for to in below]
            if best if isinstance(best, bool) else node in best:
                return max(found)
            return sum(share * one for share, one in zip(play(node, hand, board), found, strict=True))

        dealt = zip(self.hands[1 - seat], self.weights[1 - seat], strict=True)
        others = [(other, weight) for other, weight in dealt if not set(other) & set(hand)]
        return value(0, (), others) / self.mass

    def showdown(self, node: int, board: Board, seat: int, hand: Hand, other: Hand) -> float:
        """What a seat gets when both show."""
        cards = (*self.root, *sum(board, ()))
        mine, theirs = strength(tuple(sorted((*hand, *cards)))), strength(tuple(sorted((*other, *cards))))
        win, lose = self.win[node][seat], self.lose[node][seat]
        return win if mine > theirs else lose if mine < theirs else (win + lose) / 2.0


def spot(betting: Any, boards: Any, hands: Any, weights: Any) -> Spot:
    """Plain data out of a betting tree, the boards' deck, and the cards and weights of both players' hands."""
    columns = ("player", "child", "count", "parent", "street", "win", "lose")
    deck = [c for c in range(52) if boards.deck_mask >> c & 1]
    free = tuple(c for c in deck if c not in boards.root and c not in boards.dead)
    return Spot(
        *(getattr(betting, name).tolist() for name in columns),
        tuple(boards.root),
        free,
        tuple(boards.streets),
        tuple([tuple(int(c) for c in hand) for hand in one] for one in hands),
        tuple([float(w) for w in one] for one in weights),
    )
