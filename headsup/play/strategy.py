"""Any strategy of a `VectorGame` as an agent: a solved spot, a bucketed strategy, whatever has `rows`.

1. What was done at the table is followed through the game's betting tree. A fold, a check or a call is itself. A bet
   that is in the menu is itself; of any other the nearest two of the menu are looked at, as shares x of the pot, and
   the one is taken that the pseudo-harmonic rule f(x) = (B - x)(1 + A) / ((B - A)(1 + x)) gives more than one half
   (Ganzfried and Sandholm 2013; a check counts as a bet of 0, all-in as itself). Nothing is drawn by lot here, so that
   a hand is played the same whenever it is asked.
2. The real board and hand become those of the game (`headsup.play.real`), and the strategy's row is read.
3. Its bets are the same shares of the real pot; all-in is all-in. Where the tree has ended though the hand goes on,
because a
   bet was read as all-in, it checks and calls.

Hands that the game does not deal to a player are not in the strategy: they check and fold.
"""

from __future__ import annotations

import numpy as np

from headsup.cards.combos import combos
from headsup.errors import UserError
from headsup.games.arrays import Floats
from headsup.games.betting import DEAL, FOLD, Betting, Move, State
from headsup.games.vector import Strategy, VectorGame
from headsup.play.agent import Agent, Mixed, Shares, maker
from headsup.play.luck import apply
from headsup.play.real import RealCards
from headsup.play.table import CALLS, FOLDS, Action, Table, View


class StrategyPlayer(Mixed):
    """Plays a strategy; see the module's text."""

    def __init__(self, name: str, game: VectorGame, strategy: Strategy, table: Table) -> None:
        self.name, self.game, self.strategy = name, game, strategy
        self.real = RealCards(game)
        if game.betting.rules.first != table.betting.first or table.cards != "holdem" or table.draws:
            raise UserError(f"{name} is a strategy of {game}, which is not played at {table.name}: start from its spot")

    def node(self, view: View) -> int:
        """The decision of the tree at which the player is; -1 where the tree has ended."""
        tree, real = self.game.betting, view.table.betting
        node, state = 0, real.root()
        for step in view.steps:
            node, state = self._dealt(node), _opened(real, state)
            if tree.player[node] != step.seat:
                return -1
            node = self._after(node, real, state, step.action)
            if node < 0:
                return -1
            state = apply(real, state, step.action)
        node = self._dealt(node)
        return node if tree.player[node] == view.seat else -1

    def _dealt(self, node: int) -> int:
        tree = self.game.betting
        while tree.player[node] == DEAL:
            node = int(tree.child[node])
        return node

    def _children(self, node: int) -> range:
        tree = self.game.betting
        return range(int(tree.child[node]), int(tree.child[node]) + int(tree.count[node]))

    def _after(self, node: int, real: Betting, state: State, action: Action) -> int:
        """The child that an action is read as."""
        tree = self.game.betting
        children = self._children(node)
        if action.kind == "f":
            return next((c for c in children if tree.player[c] == FOLD), -1)
        passive = next((c for c in children if tree.kind[c] in (Move.CHECK, Move.CALL)), -1)
        bets = [c for c in children if tree.kind[c] >= Move.BET]
        if action.kind == "c" or not bets:
            return passive
        all_in = real.all_in(state)
        if action.amount >= all_in and tree.kind[bets[-1]] == Move.ALLIN:
            return bets[-1]
        x = _fraction(real, state, action.amount)
        there = self._state(node)
        sizes = [_fraction(tree.rules, there, int(tree.amount[c])) for c in bets]
        low, one = 0.0, passive
        for child, size in zip(bets, sizes, strict=True):
            if x <= size:
                near = (size - x) * (1 + low) / ((size - low) * (1 + x)) if size > low else 0.0
                return one if near > 0.5 else child
            low, one = size, child
        return one

    def _state(self, node: int) -> State:
        """The state of the tree's own betting at one of its decisions; only the chips are looked at."""
        tree = self.game.betting
        above = node
        while tree.kind[above] != Move.NONE:
            above = int(tree.parent[above])
        start = (int(tree.paid[above, 0]), int(tree.paid[above, 1]))
        if above == 0:
            root = tree.rules.root()
            start = root.start
        paid = (int(tree.paid[node, 0]), int(tree.paid[node, 1]))
        return State(int(tree.street[node]), int(tree.player[node]), paid, start, 0, 0, 0)

    def _rows(self, view: View) -> tuple[list[Action], Floats] | None:
        """The real action of each row, and the rows over the game's hands; None where the tree has ended."""
        node = self.node(view)
        if node < 0:
            return None
        tree, legal, real = self.game.betting, view.legal, view.table.betting
        there = self._state(node)
        actions = []
        for child in self._children(node):
            kind = tree.kind[child]
            if tree.player[child] == FOLD:
                actions.append(legal.passive)
            elif kind in (Move.CHECK, Move.CALL):
                actions.append(CALLS if legal.call >= 0 else legal.bet(legal.high))
            elif kind == Move.ALLIN:
                actions.append(legal.bet(legal.high))
            else:
                size = _fraction(tree.rules, there, int(tree.amount[child]))
                last = view.state.paid[1 - view.seat] - view.state.start[1 - view.seat]
                actions.append(legal.bet(last + size * real.pot_after_call(view.state)))
        place = self.real.stands(view.board).place
        return actions, self.strategy.rows(node, place)

    def shares(self, view: View) -> Shares:
        """The strategy's row of the hand."""
        found = self._rows(view)
        if found is None:
            return [(CALLS if view.legal.call >= 0 else FOLDS, 1.0)]
        hand = self.real.hand(view.seat, view.hole, view.board)
        if hand is None:
            return [(view.legal.passive, 1.0)]
        return _merged(found[0], found[1][:, hand].tolist())

    def chances(self, view: View, action: Action) -> Floats:
        """All hands of the player at once."""
        found = self._rows(view)
        out = np.zeros(len(combos(2)))
        if found is None:
            return out + float(action == (CALLS if view.legal.call >= 0 else FOLDS))
        actions, rows = found
        played = sum((rows[i] for i, one in enumerate(actions) if one == action), np.zeros(rows.shape[1]))
        passive = float(action == view.legal.passive)
        taken = set(view.board)
        for i, hole in enumerate(combos(2).tolist()):
            if not taken & set(hole):
                hand = self.real.hand(view.seat, tuple(hole), view.board)
                out[i] = passive if hand is None else played[hand]
        return out


def _merged(actions: list[Action], shares: list[float]) -> Shares:
    found: dict[Action, float] = {}
    for action, share in zip(actions, shares, strict=True):
        if share > 0.0:
            found[action] = found.get(action, 0.0) + share
    total = sum(found.values())
    return [(action, share / total) for action, share in found.items()]


def _fraction(rules: Betting, state: State, total: int) -> float:
    """A bet's size as a share of the pot after a call."""
    last = state.paid[1 - state.player] - state.start[1 - state.player]
    return (total - last) / max(1, rules.pot_after_call(state))


def _opened(rules: Betting, state: State) -> State:
    while state.player == DEAL:
        state = rules.next_street(state)
    return state


@maker("spot")
def make_spot(rest: str, table: Table) -> Agent:
    """A solved spot."""
    from headsup.solve.spot import SpotSolution

    found = SpotSolution.load(rest, regrets=False)
    if found.spot.cards != table.board:
        raise UserError(f"spot:{rest} begins with another board than {table.name}: start the match from it")
    return StrategyPlayer(f"spot:{rest}", found.game, found.strategy, table)
