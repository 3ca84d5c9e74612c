"""Playing a strategy of few bets at a table where every bet is allowed.

`Translated` needs the large game as a tree. A table has none: a `Follower` holds the place in the small tree that the
hand has come to, one reading drawn at a time, and says which bet in chips an action of the small tree is. It plays by
the rules of `headsup.abstraction.bets.translation`, so where the large game is small enough to be a tree, that is what
it is worth.

    follower = Follower(small.betting)
    follower.saw(state, Move.BET, 30)                  # the opponent bet 30 in this state of the real betting
    if follower.lost: check or call
    else: pick an action of `follower.node` by the small game's strategy, then
    move, total = follower.act(state, action)          # ... as it is made at the table
    follower.deal()                                    # the real street is over
"""

from __future__ import annotations

from random import Random

from headsup.abstraction.bets.sizes import PASSIVE, Sizes, check_method
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.rules import DEAL, Betting, Move, State


def share_of(rules: Betting, state: State, total: int) -> float:
    """A bet or raise to a total on the street, as a share of the pot after a call."""
    other = 1 - state.player
    return (total - (state.paid[other] - state.start[other])) / max(rules.pot_after_call(state), 1)


def total_of(rules: Betting, state: State, move: Move, share: float) -> int | None:
    """The legal total that is nearest to a share of the pot, or all-in; None where nothing can be bet."""
    bounds = rules.bounds(state)
    if bounds is None:
        return None
    last = state.paid[1 - state.player] - state.start[1 - state.player]
    total = int(last + rules.pot_after_call(state) * share + 0.5)
    return rules.most(state) if move == Move.ALLIN else min(max(total, bounds[0]), rules.most(state))


class Follower:
    """Where a hand stands in the betting tree of a small game; `random` draws the readings."""

    def __init__(self, tree: BettingTree, method: str = "harmonic", random: Random | None = None) -> None:
        self.tree, self.method, self.random = tree, check_method(method), random or Random()
        self._sizes, self.node = Sizes(tree), 0

    def restart(self) -> None:
        """A new hand."""
        self.node = 0

    @property
    def lost(self) -> bool:
        """Whether nobody acts any more in the small game: its street is closed, or its chips are in."""
        return bool(self.tree.player[self.node] >= DEAL)

    def saw(self, state: State, move: Move, total: int = 0) -> None:
        """The opponent's action in a state of the real betting; for a bet or raise, the total to which."""
        if self.lost:
            return
        share = share_of(self.tree.rules, state, total) if move >= Move.BET else 0.0
        found = self._sizes.read(self.node, move, share, self.method)
        self.node = self.random.choices([node for node, _ in found], [chance for _, chance in found])[0]

    def act(self, state: State, action: int) -> tuple[Move, int]:
        """An own action of the small game in a state of the real betting: what it is there, and the total of a bet."""
        rules, after = self.tree.rules, self._sizes.children(self.node)[action]
        move, passive = Move(int(self.tree.kind[after])), self._sizes.after(self.node, PASSIVE)
        owes = rules.pot_after_call(state) > rules.pot + sum(state.paid)
        if move == Move.FOLD and owes:
            self.node = after
            return move, 0
        if move >= Move.BET:
            total = total_of(rules, state, move, float(self._sizes.share[after]))
            if total is not None:
                self.node = after
                return Move.ALLIN if total >= rules.all_in(state) else Move.RAISE if state.bets else Move.BET, total
        self.node = after if passive is None or move in PASSIVE else passive
        return (Move.CALL if owes else Move.CHECK), 0

    def deal(self) -> None:
        """The real street is over."""
        self.node = self._sizes.dealt(self.node)
