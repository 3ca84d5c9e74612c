"""Bets that a menu does not have, read as bets that it has.

Sizes are fractions of the pot after a call; a check or call is 0. A bet x between two sizes A < B is read as A with the
probability below, else as B. All-in is read as all-in where the menu has it; a raise after its last one as a call.

    nearest    1 if x is nearer to A than to B, or as near, else 0
    linear     (B - x) / (B - A)                          andersson-2006, section 4.4
    harmonic   (B - x) (1 + A) / ((B - A) (1 + x))        pseudo-harmonic, Ganzfried and Sandholm 2013
"""

from collections.abc import Sequence

import numpy as np

from headsup.common.arrays import Floats
from headsup.common.checks import as_numbers, door, finite, quoted
from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.rules import DEAL, Move

METHODS = ("nearest", "linear", "harmonic")
FOLDS, PASSIVE, ALLINS = (Move.FOLD,), (Move.CHECK, Move.CALL), (Move.ALLIN,)


def check_method(method: str) -> str:
    """The name of a method, or one sentence."""
    if not isinstance(method, str) or method not in METHODS:
        raise UserError(f"bets are translated by {', '.join(METHODS)}, not by {quoted(method)}")
    return method


def chance_of_lower(x: float, low: float, high: float, method: str) -> float:
    """The probability to read a bet of fraction x, between two sizes, as the lower one."""
    if method == "nearest":
        return 1.0 if x - low <= high - x else 0.0
    linear = (high - x) / (high - low)
    return linear if method == "linear" else linear * (1.0 + low) / (1.0 + x)


@door(x=finite)
def chances(x: float, sizes: Sequence[float], method: str = "harmonic") -> list[tuple[int, float]]:
    """The sizes, ascending, as which a bet of fraction x is read: their numbers and probabilities, none of them 0."""
    sizes = as_numbers(sizes, "sizes").tolist()
    if not isinstance(sizes, list) or not sizes:
        raise UserError("sizes must be a list of fractions of the pot, at least one")
    above = next((i for i, size in enumerate(sizes) if size >= x), len(sizes))
    check_method(method)
    if above == len(sizes):
        return [(above - 1, 1.0)]
    if above == 0 or sizes[above] == x:
        return [(above, 1.0)]
    lower = chance_of_lower(x, sizes[above - 1], sizes[above], method)
    return [(i, p) for i, p in ((above - 1, lower), (above, 1.0 - lower)) if p > 0.0]


class Sizes:
    """A betting tree with bets as fractions of the pot."""

    def __init__(self, tree: BettingTree) -> None:
        self.tree, self.fraction = tree, pot_fractions(tree)
        self._child, self._count, self._kind = tree.child.tolist(), tree.count.tolist(), tree.kind.tolist()
        self._next: dict[tuple[Move, ...], list[int]] = {
            moves: self._after(moves) for moves in (FOLDS, PASSIVE, ALLINS)
        }

    def _after(self, moves: tuple[Move, ...]) -> list[int]:
        """For each node, the node to which such a move leads, or -1."""
        after, nodes = np.full(self.tree.n_nodes, -1), np.flatnonzero(np.isin(self.tree.kind, moves))
        after[self.tree.parent[nodes]] = nodes
        return [int(node) for node in after]

    def children(self, node: int) -> range:
        """The nodes to which the actions of a node lead, in order."""
        return range(self._child[node], self._child[node] + self._count[node])

    def after(self, node: int, moves: tuple[Move, ...]) -> int | None:
        """The node to which `FOLDS`, `PASSIVE` (check or call) or `ALLINS` lead, if there is one."""
        child = self._next[moves][node]
        return child if child >= 0 else None

    def bets(self, node: int) -> list[int]:
        """The nodes after bets and raises, the smallest first."""
        return [c for c in self.children(node) if self._kind[c] >= Move.BET]

    def read(self, node: int, move: Move, fraction: float, method: str) -> list[tuple[int, float]]:
        """The nodes to which an action of another tree leads from a decision here, and their probabilities.

        `fraction` is that of a bet or raise; it is ignored for a fold, check or call.
        """
        fold, passive, all_in = (self.after(node, moves) for moves in (FOLDS, PASSIVE, ALLINS))
        if move == Move.FOLD and fold is not None:
            return [(fold, 1.0)]
        if move == Move.ALLIN and all_in is not None:
            return [(all_in, 1.0)]
        nodes = [*([] if passive is None else [passive]), *self.bets(node)]
        if not nodes:
            return [(next(iter(self.children(node))), 1.0)]  # a fold is the only action
        sizes = [float(self.fraction[c]) for c in nodes]
        return [(nodes[i], p) for i, p in chances(fraction if move >= Move.BET else 0.0, sizes, method)]

    def dealt(self, node: int) -> int:
        """The node on the next street: an open street is checked and called, and a finished hand stays where it is."""
        while self.tree.player[node] < DEAL:
            node = self.read(node, Move.CALL, 0.0, "nearest")[0][0]
        return self._child[node] if self.tree.player[node] == DEAL else node

    def nearest(self, node: int, fraction: float) -> int | None:
        """The node after the bet nearest to a fraction of the pot, the smaller of two; None where there is no bet."""
        return min(self.bets(node), key=lambda c: abs(float(self.fraction[c]) - fraction), default=None)


def pot_fractions(tree: BettingTree) -> Floats:
    """For each node, the bet or raise that led there as a fraction of the pot after a call, else 0."""
    out = np.zeros(tree.n_nodes)
    node = np.flatnonzero((tree.kind >= Move.BET) & (tree.parent >= 0))
    if not len(node):
        return out
    above = tree.parent[node]
    me = tree.player[above].astype(np.int64)
    assert (me < DEAL).all()
    start = tree.paid[node, me] - tree.amount[node]
    mine = tree.paid[above, me] - start
    last = np.where(tree.kind[above] == Move.NONE, 0, tree.amount[above])
    first = tree.rules.root()
    if tuple(tree.paid[0].tolist()) == first.paid:  # the root of a hand, where there may be blinds
        other = (1 - me)[above == 0]
        last[above == 0] = np.array(first.paid)[other] - np.array(first.start)[other]
    pot = tree.rules.pot + tree.paid[above].sum(axis=1) + np.maximum(0, last - mine)
    out[node] = (tree.amount[node] - last) / np.maximum(pot, 1)
    return out
