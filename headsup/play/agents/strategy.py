"""Any strategy of a `VectorGame` as an agent: a solved spot, a bucketed strategy, whatever has `rows`.

1. What was done at the table is followed through the game's betting tree. Bets that are not in its menu are read as
   those that are by `headsup.abstraction.bets.sizes`, pseudo-harmonic; where that leaves a choice the more likely
   reading is taken. Nothing is drawn by lot, so that a hand is played the same whenever it is asked, and can be priced.
2. The real board and hand become those of the game (`headsup.play.table.real`), and the strategy's row is read.
3. Its bets are the same shares of the real pot; all-in is all-in. Where the small tree has no place for what happens at
   the table (a street is closed there, or all chips are in), it checks and calls.

Chips of the game and of the table may differ by any factor. Hands that the game does not deal to a player are not in
the strategy: they check and fold.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np

from headsup.abstraction.bets.follow import share_of, total_of
from headsup.abstraction.bets.sizes import Sizes
from headsup.abstraction.hands.buckets import FeatureBuckets
from headsup.cards.combos import HOLDEM_COUNT
from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import UserError
from headsup.games.betting.rules import DEAL, Betting, Move, State
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.bucketed import BucketStrategy
from headsup.games.holdem.vector import Strategy, VectorGame
from headsup.play.table.agent import ActionProbabilities, Agent, Mixed, maker
from headsup.play.table.real import RealCards, free_of
from headsup.play.table.rules import CALLS, FOLDS, Action, Legal, PastAction, PlayerView, Table, apply


class StrategyPlayer(Mixed):
    """Plays a strategy; see the module's text."""

    def __init__(self, name: str, game: VectorGame, strategy: Strategy, table: Table) -> None:
        self.name, self.game, self.strategy = name, game, strategy
        self.real, self.sizes = RealCards(game), Sizes(game.betting)
        if game.betting.rules.first != table.betting.first or table.cards != "holdem" or table.draws:
            raise UserError(f"{name} is a strategy of {game}, which is not played at {table.name}: start from its spot")

    def node(self, view: PlayerView) -> int:
        """The decision of the tree at which the player is; -1 where it has no place for it."""
        _, node, street, _ = self._walked(view, view.steps)
        node = self._on_street(node, view.street - street)
        return node if self.game.betting.player[node] == view.seat else -1

    def _walked(
        self, view: PlayerView, steps: Sequence[PastAction]
    ) -> tuple[list[tuple[PastAction, int, int]], int, int, State]:
        """Steps in the tree: those that it knows, each with the decision and what follows it; the node, the street and
        the real state where they end.
        """
        tree, real = self.game.betting, view.table.betting
        known: list[tuple[PastAction, int, int]] = []
        node, street, state = 0, view.table.first_street, view.table.root
        for step in steps:
            node = self._on_street(node, step.street - street)
            street = step.street
            while state.player == DEAL:
                state = real.next_street(state)
            if tree.player[node] == step.seat:
                after = self._after(node, real, state, step.action)
                known.append((step, node, after))
                node = after
            state = apply(real, state, step.action)
        return known, node, street, state

    def _on_street(self, node: int, streets: int) -> int:
        for _ in range(streets):
            node = self.sizes.dealt(node)
        return node

    def _after(self, node: int, real: Betting, state: State, action: Action) -> int:
        """The child that an action is read as."""
        if action.kind == "r":
            move = Move.ALLIN if action.amount >= real.all_in(state) else Move.BET
            found = self.sizes.read(node, move, share_of(real, state, action.amount), "harmonic")
        else:
            found = self.sizes.read(node, Move.FOLD if action.kind == "f" else Move.CALL, 0.0, "harmonic")
        return max(found, key=lambda one: one[1])[0]

    def _rows(self, view: PlayerView) -> tuple[list[Action], Floats] | None:
        """The real action of each row, and the rows over the game's hands; None where the tree has ended."""
        node = self.node(view)
        if node < 0:
            return None
        tree, legal, real = self.game.betting, view.legal, view.table.betting
        actions = []
        for child in self.sizes.children(node):
            move = Move(int(tree.kind[child]))
            total = total_of(real, view.state, move, float(self.sizes.share[child])) if move >= Move.BET else None
            if move == Move.FOLD:
                actions.append(legal.passive)
            elif total is None:
                actions.append(self.passive(child, legal))
            else:
                actions.append(legal.bet(total))
        place = self.real.canonical(view.board).place
        return actions, self.strategy.rows(node, place)

    def passive(self, child: int, legal: Legal) -> Action:
        """What is done where the strategy checks or calls, going to a child of the tree."""
        return CALLS if legal.call >= 0 else legal.bet(legal.high)

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        """The strategy's row of the hand."""
        found = self._rows(view)
        if found is None:
            return [(CALLS if view.legal.call >= 0 else FOLDS, 1.0)]
        hand = self.real.hand(view.seat, view.hole, view.board)
        if hand is None:
            return [(view.legal.passive, 1.0)]
        return merged(found[0], found[1][:, hand].tolist())

    def hand_probabilities(self, view: PlayerView, action: Action) -> Floats:
        """All hands of the player at once."""
        found = self._rows(view)
        if found is None:
            return np.full(HOLDEM_COUNT, float(action == (CALLS if view.legal.call >= 0 else FOLDS)))
        actions, rows = found
        played = sum((rows[i] for i, one in enumerate(actions) if one == action), np.zeros(rows.shape[1]))
        hands = self.real.hands(view.seat, view.board)
        shares = np.where(hands >= 0, played[hands], float(action == view.legal.passive))
        return np.where(free_of(view.board), shares, 0.0)


def merged(actions: list[Action], shares: list[float]) -> ActionProbabilities:
    """Actions, each once, with their shares; those that are never taken are left out."""
    found: dict[Action, float] = {}
    for action, share in zip(actions, shares, strict=True):
        if share > 0.0:
            found[action] = found.get(action, 0.0) + share
    total = sum(found.values())
    return [(action, share / total) for action, share in found.items()]


@maker("spot")
def make_spot(rest: str, table: Table) -> Agent:
    """A solved spot."""
    from headsup.spots.solve import SpotSolution

    found = SpotSolution.load(rest, regrets=False)
    if found.spot.cards != table.board:
        raise UserError(f"spot:{rest} begins with another board than {table.name}: start the match from it")
    return StrategyPlayer(f"spot:{rest}", found.game, found.strategy, table)


@maker("solution")
def make_solution(rest: str, table: Table) -> Agent:
    """What `headsup solve --save` saved of a game of betting and boards, in buckets or not."""
    from headsup.solve.records.solution import Solution

    found = Solution.load(rest, regrets=False)
    game = found.played_form()
    if not isinstance(game, VectorGame):
        raise UserError(f"solution:{rest} is of {found.game}, which is not played with cards at a table")
    return StrategyPlayer(f"solution:{rest}", game, board_by_board(found.in_game(game)), table)


@maker("limit")
def make_limit(rest: str, table: Table) -> Agent:
    """The strategy of limit hold'em that ships (`headsup.limit.shipped`)."""
    if rest or table.name != "holdem-limit":
        raise UserError("limit is the strategy that ships for holdem-limit: play it there, with nothing after its name")
    return StrategyPlayer("limit", *_shipped(), table)


@cache
def _shipped() -> tuple[VectorGame, Strategy]:
    """Its game and itself, made once: every session of a match asks for them."""
    from headsup.limit.shipped import shipped_limit

    game = named_game("holdem-limit")
    assert isinstance(game, VectorGame)
    return game, board_by_board(shipped_limit().in_game(game))


def board_by_board(strategy: Strategy) -> Strategy:
    """The same strategy, with buckets that are found for single boards: tables of all boards take minutes."""
    if isinstance(strategy, BucketStrategy) and isinstance(strategy.buckets, FeatureBuckets):
        from headsup.limit.shipped import give_flops

        give_flops(strategy.buckets)
        return BucketStrategy(strategy.game, SingleBoards(strategy.buckets), strategy.numbers)
    return strategy


class SingleBoards:
    """Buckets of one board at a time; the last ones are remembered."""

    def __init__(self, buckets: FeatureBuckets) -> None:
        self.buckets, self.sizes, self.kinds = buckets, buckets.sizes, buckets.kinds
        self._found = lru_cache(256)(buckets.rows_on)

    def rows(self, seat: int, street: int, low: int, high: int, kind: int = 0) -> AnyArray:
        """Board by board."""
        columns = self.buckets.columns[seat]
        return np.stack([self._found(street, board, kind)[columns] for board in range(low, high)])
