"""Any strategy of a `VectorGame` as an agent: a solved spot, a bucketed strategy, anything with `rows`.

Off-menu bets are translated by the pseudo-harmonic mapping (`headsup.abstraction.bets.follow`), to the more likely
size, so play is deterministic and can be measured. The strategy's bets are the same fractions of the real pot. Where
the tree has no decision the agent checks and calls; hands that the game does not deal check and fold.
"""

from collections.abc import Sequence

import numpy as np

from headsup.abstraction.bets.follow import readings, real_move
from headsup.abstraction.bets.sizes import Sizes
from headsup.cards.combos import HOLDEM_COUNT
from headsup.common.arrays import Floats
from headsup.common.errors import UserError
from headsup.games.betting.rules import Betting, Move, State
from headsup.games.holdem.vector import Strategy, VectorGame
from headsup.play.table.agent import ActionProbabilities, Agent, Mixed, maker, merge_actions, merge_rows
from headsup.play.table.real import RealCards, free_of
from headsup.play.table.rules import CALLS, FOLDS, Action, PastAction, PlayerView, Table, states_before


class StrategyPlayer(Mixed):
    ranged = True

    def __init__(self, name: str, game: VectorGame, strategy: Strategy, table: Table) -> None:
        self.name, self.game, self.strategy = name, game, strategy
        self.real, self.sizes = RealCards(game), Sizes(game.betting)
        if game.betting.rules.first != table.betting.first or table.cards != "holdem" or table.draws:
            raise UserError(f"{name} is a strategy of {game}, which is not played at {table.name}: start from its spot")

    def node(self, view: PlayerView) -> int:
        """The decision of the tree at which the player is; -1 if the tree has none."""
        _, node, street = self._walked(view, view.steps)
        node = self._on_street(node, street, view.street)
        return node if self.sizes_on(view.street).tree.player[node] == view.seat else -1

    def sizes_on(self, street: int) -> Sizes:
        """The betting tree in which a street is read; nodes are its own."""
        return self.sizes

    def rows_at(self, node: int, view: PlayerView) -> Floats:
        """[actions, hands] what the game's hands do at the decision of a view."""
        return self.strategy.rows(node, self.real.canonical(view.board).place)

    def _walked(
        self, view: PlayerView, steps: Sequence[PastAction]
    ) -> tuple[list[tuple[PastAction, State, int, int]], int, int]:
        """The actions that the tree knows, each with the real state, the decision and the child; the node and street
        where they end.
        """
        known: list[tuple[PastAction, State, int, int]] = []
        node, street = 0, view.table.first_street
        for step, state in states_before(view.table, steps):
            node = self._on_street(node, street, step.street)
            street = step.street
            if self.sizes_on(street).tree.player[node] == step.seat:
                after = self._after(node, view.table.betting, state, step.action)
                known.append((step, state, node, after))
                node = after
        return known, node, street

    def _on_street(self, node: int, street: int, later: int) -> int:
        """The node on a later street that follows a node of a street."""
        for _ in range(street, later):
            node = self.sizes.dealt(node)
        return node

    def _after(self, node: int, real: Betting, state: State, action: Action) -> int:
        """The child as which an action is translated."""
        return max(self.readings_of(node, real, state, action), key=lambda reading: reading[1])[0]

    def readings_of(self, node: int, real: Betting, state: State, action: Action) -> list[tuple[int, float]]:
        """The children as which an action may be translated, with their probabilities."""
        move = {"f": Move.FOLD, "c": Move.CALL}.get(action.kind, Move.BET)
        return readings(self.sizes_on(state.street), node, real, state, move, action.amount, "harmonic")

    def _rows(self, view: PlayerView) -> tuple[list[Action], Floats] | None:
        """The real action of each row, and the rows over the game's hands; None where the tree has ended."""
        node = self.node(view)
        return None if node < 0 else self._rows_of(node, view)

    def _rows_of(self, node: int, view: PlayerView) -> tuple[list[Action], Floats]:
        """The real action of each row at a decision of the tree, and the rows over the game's hands."""
        actions, sizes = [], self.sizes_on(view.street)
        for child in sizes.children(node):
            move, total, _ = real_move(sizes, node, child, view.table.betting, view.state)
            bets = view.legal.bet(total) if move >= Move.BET else self.passive(child, view)
            actions.append(FOLDS if move == Move.FOLD else bets)
        return actions, self.rows_at(node, view)

    def passive(self, child: int, view: PlayerView) -> Action:
        """The real action where the strategy checks or calls, leading to a child of the tree."""
        return CALLS if view.legal.call >= 0 else view.legal.bet(view.legal.high)

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        known = self._rows(view)
        if known is None:
            return [(CALLS if view.legal.call >= 0 else FOLDS, 1.0)]
        hand = self.real.hand(view.seat, view.hole, view.board)
        if hand is None:
            return [(view.legal.passive, 1.0)]
        return normalised(known[0], known[1][:, hand].tolist())

    def range_probabilities(self, view: PlayerView) -> dict[Action, Floats]:
        known = self._rows(view)
        if known is None:
            return {CALLS if view.legal.call >= 0 else FOLDS: np.ones(HOLDEM_COUNT)}
        rows, hands, free = merge_rows(*known), self.real.hands(view.seat, view.board), free_of(view.board)
        dealt = hands >= 0
        probabilities = {action: np.where(free & dealt, row[hands], 0.0) for action, row in rows.items()}
        if not dealt.all():
            passive = probabilities.setdefault(view.legal.passive, np.zeros(HOLDEM_COUNT))
            passive[free & ~dealt] = 1.0
        return probabilities


def normalised(actions: list[Action], probabilities: list[float]) -> ActionProbabilities:
    """Distinct actions with their probabilities, scaled to sum to 1."""
    merged = merge_actions(actions, probabilities)
    total = sum(merged.values())
    return [(action, probability / total) for action, probability in merged.items()]


@maker("spot")
def make_spot(rest: str, table: Table) -> Agent:
    from headsup.spots.solve import SpotSolution

    solution = SpotSolution.load(rest, regrets=False)
    if solution.spot.cards != table.board:
        raise UserError(f"spot:{rest} begins with another board than {table.name}: start the match from it")
    return StrategyPlayer(f"spot:{rest}", solution.game, solution.strategy, table)


@maker("solution")
def make_solution(rest: str, table: Table) -> Agent:
    """A strategy saved by `headsup solve --save`, for a game of betting and boards."""
    from headsup.limit.shipped import board_by_board
    from headsup.solve.records.solution import Solution

    solution = Solution.load(rest, regrets=False)
    game = solution.played_form()
    if not isinstance(game, VectorGame):
        raise UserError(f"solution:{rest} is of {solution.game}, which is not played with cards at a table")
    return StrategyPlayer(f"solution:{rest}", game, board_by_board(solution.in_game(game)), table)
