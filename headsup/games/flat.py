"""The plain game behind a small game of betting and boards: every hand, every card and every action, one state each.

It is what the walks must agree with on reduced decks, and it opens linear programs and all other solvers of flat games
to them. Suits are not merged, and hands are compared two at a time: nothing here is shared with the fast way.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

import numpy as np

from headsup.cards.cards import cards_name
from headsup.cards.combos import holdem_combos
from headsup.errors import UserError
from headsup.games.betting import DEAL, FOLD, SHOWDOWN
from headsup.games.game import CHANCE, TERMINAL, Game, State
from headsup.games.showdown import Sorted
from headsup.games.vector import VectorGame, hand_names

MOST_STATES = 50_000_000
"""More than this a flat tree should not have: its states are visited one by one."""


class FlatHoldem(Game):
    """A hold'em `VectorGame` as a `Game`: states are (), (hand,) and (hand, hand, node, board)."""

    def __init__(self, game: VectorGame) -> None:
        if not isinstance(game.showdown, Sorted):
            raise UserError(f"{game} is not a game of hold'em hands: take its own flat form")
        if game.betting.total is None:
            raise UserError(f"{game} takes rake, so it is not zero-sum, and a linear program cannot solve it: use CFR")
        pairs = int(game.showdown.sizes[0]) * int(game.showdown.sizes[1])
        nodes = np.diff(game.betting.start).tolist()  # Python's integers: the product overflows those of the tree
        states = pairs * sum(n * int(boards) for n, boards in zip(nodes, game.boards.totals(), strict=True))
        if states > MOST_STATES:
            raise UserError(
                f"{game} has about {float(states):.2g} states, too many for a flat tree: solve it as it is, by one of "
                "the CFR family, or take a smaller deck"
            )
        self.vector, self.name, self.unit = game, game.name, game.unit
        self.half = game.betting.total / 2.0  # what each player gets of a pot that neither has paid for
        boards = self.boards = game.showdown.boards
        self._hands = [[tuple(int(c) for c in holdem_combos()[h]) for h in game.showdown.hands[p]] for p in (0, 1)]
        self._names = [hand_names(game.showdown, p) for p in (0, 1)]
        self._deck = [c for c in range(52) if boards.deck_mask >> c & 1 and c not in (*boards.root, *boards.dead)]
        self._value = cache(self._rank)

    def __str__(self) -> str:
        return self.name

    def root(self) -> State:
        """Before the deal."""
        return ()

    def player(self, state: State) -> int:
        """Chance deals hands and boards."""
        if len(state) < 2:
            return CHANCE
        kind = int(self.vector.betting.player[state[2]])
        return CHANCE if kind == DEAL else TERMINAL if kind in (FOLD, SHOWDOWN) else kind

    def actions(self, state: State) -> Sequence[str]:
        """Hands, cards or bets."""
        if len(state) < 2:
            return [self._names[len(state)][h] for h, _ in self._dealt(state)]
        betting, node = self.vector.betting, state[2]
        if betting.player[node] == DEAL:
            return [cards_name(new) for new in self._boards(state)]
        first = int(betting.child[node])
        return [betting.action_name(first + i) for i in range(int(betting.count[node]))]

    def next(self, state: State, index: int) -> State:
        """Deal or act."""
        if len(state) < 2:
            hand = self._dealt(state)[index][0]
            return (hand,) if not state else (state[0], hand, 0, ())
        betting, (h0, h1, node, board) = self.vector.betting, state
        child = int(betting.child[node])
        if betting.player[node] == DEAL:
            return (h0, h1, child, (*board, self._boards(state)[index]))
        return (h0, h1, child + index, board)

    def chance(self, state: State) -> Sequence[float]:
        """By weight for hands, evenly for boards."""
        if len(state) < 2:
            weights = [weight for _, weight in self._dealt(state)]
            return [weight / sum(weights) for weight in weights]
        n = len(self._boards(state))
        return [1.0 / n] * n

    def infoset(self, state: State) -> str:
        """The mover's hand, the board and the betting."""
        betting, (h0, h1, node, board) = self.vector.betting, state
        seat = int(betting.player[node])
        shown = "/".join(cards_name(new) for new in board)
        return f"{self._names[seat][(h0, h1)[seat]]}|{shown}|{betting.line(node)}"

    def payoff(self, state: State) -> float:
        """What player 0 wins, a pot at the root counted as paid in halves."""
        betting, (h0, h1, node, board) = self.vector.betting, state
        win, lose = float(betting.win[node, 0]), float(betting.lose[node, 0])
        if betting.player[node] == FOLD:
            return (lose if betting.player[betting.parent[node]] == 0 else win) - self.half
        cards = (*self.boards.root, *(c for new in board for c in new))
        mine, theirs = self._value((*self._hands[0][h0], *cards)), self._value((*self._hands[1][h1], *cards))
        return (win if mine > theirs else lose if mine < theirs else (win + lose) / 2.0) - self.half

    def _dealt(self, state: State) -> list[tuple[int, float]]:
        """The hands that can be dealt next, with what they weigh given what is dealt."""
        game = self.vector
        if state:
            held = set(self._hands[0][state[0]])
            pairs = enumerate(zip(self._hands[1], game.weights[1], strict=True))
            return [(h, float(w)) for h, (hand, w) in pairs if not held & set(hand)]
        first = []
        for h, weight in enumerate(game.weights[0]):
            others = sum(w for _, w in self._dealt((h,)))
            if others > 0.0:
                first.append((h, float(weight) * others))
        return first

    def _boards(self, state: State) -> list[tuple[int, ...]]:
        h0, h1, node, board = state
        gone = {*self._hands[0][h0], *self._hands[1][h1], *(c for new in board for c in new)}
        street = int(self.vector.betting.street[node])
        return list(combinations([c for c in self._deck if c not in gone], self.boards.streets[street + 1]))

    @staticmethod
    def _rank(cards: tuple[int, ...]) -> int:
        from headsup.evaluate import rank_hands

        return int(rank_hands([cards])[0])
