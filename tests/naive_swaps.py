"""Swaps on hand vectors, hand by hand and pair by pair: what `headsup.discards.exact.spots` says, as slowly as can
be."""

from __future__ import annotations

from functools import cache

import numpy as np

from headsup.evaluate import rank_hands
from headsup.games.betting.rules import DEAL, FOLD, JOINED, Move
from headsup.games.holdem.vector import Strategy, VectorGame

Vector = dict[tuple[int, ...], float]


@cache
def strength(cards: tuple[int, ...]) -> int:
    return int(rank_hands([cards])[0])


class Naive:
    """Values of a seat's hands in a game with all boards stored, when both follow a strategy or the seat does best."""

    def __init__(self, game: VectorGame, strategy: Strategy, seat: int, best: bool = False) -> None:
        self.game, self.strategy, self.seat, self.best = game, strategy, seat, best
        self.hands = [tuple(map(int, two)) for two in game.showdown.arrays.cards[0]]  # type: ignore[attr-defined]
        self.apart = {h: [one for one in self.hands if not set(h) & set(one)] for h in self.hands}
        self.cards = sorted({card for hand in self.hands for card in hand})

    def values(self) -> list[float]:
        start = dict(zip(self.hands, self.game.weights[1 - self.seat], strict=True))
        found = self.at(0, 0, 0, start)
        return [found[hand] for hand in self.hands]

    def at(self, node: int, street: int, board: int, theirs: Vector) -> Vector:
        tree, seat = self.game.betting, self.seat
        player, children = int(tree.player[node]), list(range(tree.child[node], tree.child[node] + tree.count[node]))
        if player == DEAL:
            found = dict.fromkeys(self.hands, 0.0)
            for below in self.game.boards.levels[street].children(board):
                cards = set(self.game.board(street + 1, below).cards)
                left = {hand: 0.0 if cards & set(hand) else w for hand, w in theirs.items()}
                for hand, value in self.at(children[0], street + 1, below, left).items():
                    found[hand] += 0.0 if cards & set(hand) else value
            return found
        if player > DEAL:
            return self.end(node, street, board, theirs)
        below = [c for c in children if tree.player[c] != JOINED]
        rows = self.strategy.rows(node, self.game.board(street, board))
        shares = [dict(zip(self.hands, row, strict=True)) for row in rows]
        if player == seat:
            options = [self.at(c, street, board, theirs) for c in below]
            if tree.kind[children[0]] == Move.KEEP:
                options = [options[0], *(self.swapped(options[1], theirs, keep, board, street) for keep in (1, 0))]
            return {h: self.choice([o[h] for o in options], [s[h] for s in shares]) for h in self.hands}
        found = dict.fromkeys(self.hands, 0.0)
        for i, child in enumerate(below):
            come = {h: theirs[h] * shares[i][h] for h in self.hands}
            before = come
            if tree.kind[child] == Move.LOW:
                before = {h: theirs[h] * (shares[1][h] + shares[2][h]) for h in self.hands}
                come = dict.fromkeys(self.hands, 0.0)
                for h in self.hands:
                    for kept in (1, 0):
                        for new in self.drawn(h, kept, street, board):
                            come[new] += theirs[h] * shares[2 - kept][h]
            for h, value in self.at(child, street, board, come).items():
                whole = self.met(h, come)
                found[h] += value * self.met(h, before) / whole if whole else 0.0
        return found

    def choice(self, values: list[float], shares: list[float]) -> float:
        return max(values) if self.best else sum(v * s for v, s in zip(values, shares, strict=True))

    def drawn(self, hand: tuple[int, ...], kept: int, street: int, board: int) -> list[tuple[int, ...]]:
        out = {*hand, *self.game.board(street, board).cards}
        return [tuple(sorted((hand[kept], card))) for card in self.cards if card not in out]

    def swapped(self, value: Vector, theirs: Vector, kept: int, board: int, street: int) -> Vector:
        found = {}
        for hand in self.hands:
            new = self.drawn(hand, kept, street, board)
            whole = sum(self.met(one, theirs) for one in new)
            found[hand] = sum(value[one] for one in new) * self.met(hand, theirs) / whole if whole else 0.0
        return found

    def met(self, hand: tuple[int, ...], theirs: Vector) -> float:
        return sum(theirs[other] for other in self.apart[hand])

    def end(self, node: int, street: int, board: int, theirs: Vector) -> Vector:
        game, tree, seat = self.game, self.game.betting, self.seat
        cards, win, lose = game.board(street, board).cards, tree.win[node, seat], tree.lose[node, seat]
        value = {}
        for hand in self.hands:
            total = 0.0
            for other in self.apart[hand] if not set(hand) & set(cards) else ():
                if weight := theirs[other]:
                    if tree.player[node] == FOLD:
                        share = float(tree.player[tree.parent[node]] != seat)
                    else:
                        mine, yours = strength((*hand, *cards)), strength((*other, *cards))
                        share = (mine > yours) + 0.5 * (mine == yours)
                    total += weight * (lose + (win - lose) * share)
            value[hand] = total * float(game.chance[street]) / game.mass
        return value


def drawn_play(game: VectorGame, seed: int) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    """Random strategies in arrays; every third number is 0."""
    rng = np.random.default_rng(seed)
    first, second = (rng.random(int(at[-1])) * (rng.random(int(at[-1])) > 0.33) for at in game.layout)
    return first, second
