"""Play a strategy with few bets at a table where every bet is allowed, one drawn reading at a time.

A `Follower` keeps the place of the hand in the small tree:

    follower.saw(state, Move.BET, 30)           # the opponent bet 30 in this state of the real betting
    move, total = follower.act(state, action)   # an action of `follower.node`, as it is made at the table
    follower.deal()                             # the real street is over
"""

from random import Random

from headsup.abstraction.bets.follow import readings, real_move
from headsup.abstraction.bets.sizes import Sizes, check_method
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.rules import DEAL, Move, State


class Follower:
    """The place of a hand in the betting tree of a small game; `random` draws the readings."""

    def __init__(self, tree: BettingTree, method: str = "harmonic", random: Random | None = None) -> None:
        self.tree, self.method, self.random = tree, check_method(method), random or Random()
        self._sizes, self.node = Sizes(tree), 0

    def restart(self) -> None:
        self.node = 0

    @property
    def lost(self) -> bool:
        """Whether nobody acts in the small game: its street is closed, or all chips are in."""
        return bool(self.tree.player[self.node] >= DEAL)

    def saw(self, state: State, move: Move, total: int = 0) -> None:
        """The opponent's action in a state of the real betting; `total` is that of a bet or raise on the street."""
        if self.lost:
            return
        nodes, weights = zip(
            *readings(self._sizes, self.node, self.tree.rules, state, move, total, self.method), strict=True
        )
        self.node = self.random.choices(nodes, weights)[0]

    def act(self, state: State, action: int) -> tuple[Move, int]:
        """An own action of the small game in a state of the real betting: the move, and the total of a bet."""
        child = self._sizes.children(self.node)[action]
        move, total, self.node = real_move(self._sizes, self.node, child, self.tree.rules, state)
        return move, total

    def deal(self) -> None:
        self.node = self._sizes.dealt(self.node)
