"""The plain game behind a small game of betting and boards: every hand, every card and every action, one state each.

It is what the walks must agree with on reduced decks; nothing here is shared with the fast way.
"""

from abc import abstractmethod
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from headsup.cards.cards import cards_name
from headsup.cards.combos import combos
from headsup.common.errors import UserError
from headsup.games.betting.rules import DEAL, FOLD, SHOWDOWN
from headsup.games.contract.game import CHANCE, TERMINAL, Game, State
from headsup.games.holdem.classes import Classes
from headsup.games.holdem.four import FourCardSorted
from headsup.games.holdem.showdown import CardShowdown, Dense
from headsup.games.holdem.vector import VectorGame

MOST_STATES = 50_000_000  # more than this a flat tree should not have: its states are visited one by one


class FlatGame(Game):
    """A `VectorGame` as a `Game`: states are (), (hand,) and (hand, hand, node, board)."""

    start: Any = ()  # the board of the root, as states name it

    def __init__(self, game: VectorGame) -> None:
        if game.betting.rules.swaps:
            raise UserError(f"{game} forgets the cards thrown away: its plain game is `headsup.discards.game.Discard`")
        if game.betting.total is None:
            raise UserError(f"{game} takes rake, so it is not zero-sum, and a linear program cannot solve it: use CFR")
        if game.moves:
            raise UserError(f"{game} has private moves of chance: write its plain game as a Game of its own")
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
        self._line, self._moves = cache(game.betting.line), cache(game.betting.actions)
        self._names, self._dealt = [game.showdown.names(p) for p in (0, 1)], cache(self._left)

    def __str__(self) -> str:
        return self.name

    @abstractmethod
    def board_name(self, board: Any) -> str:
        """The cards since the root as text, with a slash where a street begins."""

    @abstractmethod
    def pair(self, first: int, second: int) -> float:
        """How often two hands are dealt together, weights left aside."""

    @abstractmethod
    def deals(self, state: State) -> list[tuple[Any, float]]:
        """The boards that may follow at a deal, and how likely they are."""

    @abstractmethod
    def share(self, first: int, second: int, board: Any) -> float:
        """What part of a showdown player 0 wins."""

    def root(self) -> State:
        return ()

    def player(self, state: State) -> int:
        if len(state) < 2:
            return CHANCE
        kind = int(self.vector.betting.player[state[2]])
        return CHANCE if kind == DEAL else TERMINAL if kind in (FOLD, SHOWDOWN) else kind

    def actions(self, state: State) -> Sequence[str]:
        if len(state) < 2:
            return [self._names[len(state)][h] for h, _ in self._dealt(state)]
        betting, node = self.vector.betting, state[2]
        if betting.player[node] == DEAL:
            return [self.board_name(board).rpartition("/")[2] for board, _ in self.deals(state)]
        return self._moves(node)

    def next(self, state: State, index: int) -> State:
        if len(state) < 2:
            hand = self._dealt(state)[index][0]
            return (hand,) if not state else (state[0], hand, 0, self.start)
        betting, (h0, h1, node, board) = self.vector.betting, state
        child = int(betting.child[node])
        if betting.player[node] == DEAL:
            return (h0, h1, child, self.deals(state)[index][0])
        return (h0, h1, child + index, board)

    def chance(self, state: State) -> Sequence[float]:
        if len(state) < 2:
            weights = [weight for _, weight in self._dealt(state)]
            return [weight / sum(weights) for weight in weights]
        return [odds for _, odds in self.deals(state)]

    def infoset(self, state: State) -> str:
        betting, (h0, h1, node, board) = self.vector.betting, state
        seat = int(betting.player[node])
        return f"{self._names[seat][(h0, h1)[seat]]}|{self.board_name(board)}|{self._line(node)}"

    def payoff(self, state: State) -> float:
        """What player 0 wins, a pot at the root counted as paid in halves."""
        betting, (h0, h1, node, board) = self.vector.betting, state
        win, lose = float(betting.win[node, 0]), float(betting.lose[node, 0])
        if betting.player[node] == FOLD:
            return (lose if betting.player[betting.parent[node]] == 0 else win) - self.half
        return lose + (win - lose) * self.share(h0, h1, board) - self.half

    def _left(self, state: State) -> list[tuple[int, float]]:
        """The hands that can be dealt next, with what they weigh given what is dealt."""
        first, second = self.vector.weights
        if state:
            weighted = [(h, float(w) * self.pair(state[0], h)) for h, w in enumerate(second)]
        else:
            weighted = [(h, float(w) * sum(other for _, other in self._dealt((h,)))) for h, w in enumerate(first)]
        return [(h, weight) for h, weight in weighted if weight > 0.0]


class FlatHoldem(FlatGame):
    """Hold'em and Omaha: a board is the new cards of each street since the root."""

    def __init__(self, game: VectorGame) -> None:
        if not isinstance(game.showdown, CardShowdown):
            raise UserError(f"{game} is not a game of hold'em or Omaha hands: take its own flat form")
        super().__init__(game)
        boards = self.boards = game.showdown.boards
        cards, self._omaha = combos(game.showdown.held), isinstance(game.showdown, FourCardSorted)
        self._low = isinstance(game.showdown, FourCardSorted) and game.showdown.low
        self._hands = [[tuple(int(c) for c in cards[h]) for h in game.showdown.hands[p]] for p in (0, 1)]
        self._deck = [c for c in range(52) if boards.deck_mask >> c & 1 and c not in (*boards.root, *boards.dead)]
        self._value = cache(self._rank)

    def board_name(self, board: Any) -> str:
        return "/".join(cards_name(new) for new in board)

    def pair(self, first: int, second: int) -> float:
        return float(not set(self._hands[0][first]) & set(self._hands[1][second]))

    def deals(self, state: State) -> list[tuple[Any, float]]:
        h0, h1, node, board = state
        gone = {*self._hands[0][h0], *self._hands[1][h1], *(c for new in board for c in new)}
        left, street = [c for c in self._deck if c not in gone], int(self.vector.betting.street[node])
        new = list(combinations(left, self.boards.streets[street + 1]))
        return [((*board, cards), 1.0 / len(new)) for cards in new]

    def share(self, first: int, second: int, board: Any) -> float:
        cards = (*self.boards.root, *(c for new in board for c in new))
        mine, theirs = self._value(self._hands[0][first], cards), self._value(self._hands[1][second], cards)
        high, low = (1.0 if a > b else 0.0 if a < b else 0.5 for a, b in zip(mine, theirs, strict=True))
        return (high + low) / 2.0 if max(mine[1], theirs[1]) > 0 else high

    def _rank(self, hand: tuple[int, ...], board: tuple[int, ...]) -> tuple[int, int]:
        """The high of a hand, and its low where that counts; 0 for none."""
        from headsup.evaluate import omaha_high, omaha_low, rank_hands

        if not self._omaha:
            return int(rank_hands([(*hand, *board)])[0]), 0
        return int(omaha_high([hand], [board])[0]), int(omaha_low([hand], [board])[0]) if self._low else 0


class FlatDense(FlatGame):
    """A game of matrices: a board is its street and its number; hands and cards are named by their numbers."""

    start = (0, 0)

    def __init__(self, game: VectorGame) -> None:
        if not isinstance(game.showdown, Dense):
            raise UserError(f"{game} is not a game of matrices: take its own flat form")
        if game.showdown.up_to_suits:
            raise UserError(f"{game} is dealt up to suits, which has no flat tree: solve it by one of the CFR family")
        super().__init__(game)
        self.showdown = game.showdown

    def board_name(self, board: Any) -> str:
        return self.vector.board_name(self.vector.board(*board))

    def pair(self, first: int, second: int) -> float:
        return float(self.showdown.weights[0][0, first, second])

    def deals(self, state: State) -> list[tuple[Any, float]]:
        h0, h1, _, (street, board) = state
        weights, here = self.showdown.weights[street + 1], self.showdown.weights[street][board, h0, h1]
        children = self.vector.boards.levels[street].children(board)
        return [((street + 1, c), float(weights[c, h0, h1] / here)) for c in children if weights[c, h0, h1] > 0.0]

    def share(self, first: int, second: int, board: Any) -> float:
        return (1.0 + float(self.showdown.signs[board[1], first, second])) / 2.0


class FlatClasses(FlatGame):
    """A game of hand classes before the flop: one hand of a class against all of another, no board."""

    def __init__(self, game: VectorGame) -> None:
        if not isinstance(game.showdown, Classes):
            raise UserError(f"{game} is not a game of hand classes: take its own flat form")
        super().__init__(game)
        every = np.arange(game.showdown.classes)
        pots, met = (game.showdown.to_host(array) for array in game.showdown.block(every, every))
        self._share = pots / np.where(met > 0.0, met, 1.0)
        self._pair = met / game.showdown.class_sizes

    def board_name(self, board: Any) -> str:
        return ""

    def pair(self, first: int, second: int) -> float:
        """The part of the second class that one hand of the first leaves in the deck."""
        return float(self._pair[first, second])

    def deals(self, state: State) -> list[tuple[Any, float]]:
        return []

    def share(self, first: int, second: int, board: Any) -> float:
        """On average over all hands of both classes, and all boards."""
        return float(self._share[first, second])


def flat_game(game: VectorGame) -> FlatGame:
    if isinstance(game.showdown, Classes):
        return FlatClasses(game)
    return FlatDense(game) if isinstance(game.showdown, Dense) else FlatHoldem(game)
