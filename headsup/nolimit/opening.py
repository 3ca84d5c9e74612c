"""Play before the flop in a tree of its own, with a blueprint after it.

A blueprint has few sizes before the flop, and a raise that lies far from all of them is read as all-in. An `Opening` is
a chart with more sizes. Where it sees the flop, the hand continues at the blueprint's line with the same last raiser
and the most similar depth: stacks behind in pots.

`headsup.nolimit.make_opening` makes those for deep stacks.
"""

from __future__ import annotations

from functools import lru_cache
from math import log
from typing import NamedTuple

import numpy as np

from headsup.abstraction.bets.sizes import Sizes
from headsup.cards.classes import holdem_class_of_combo
from headsup.common.arrays import Floats
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.rules import DEAL, Move
from headsup.preflop.chart import PreflopChart
from headsup.preflop.view import rows_at


def depth_at(tree: BettingTree, node: int) -> float:
    """What the shorter stack has left behind at a node, in pots."""
    paid = tree.paid[node]
    return float(min(tree.rules.stacks) - paid.max()) / float(tree.rules.pot + paid.sum())


class FlopLine(NamedTuple):
    """A line into the flop after which players still bet."""

    node: int
    """The deal where it ends."""
    raiser: int
    """The seat that raised last; -1 if nobody did."""
    depth: float
    """What is left behind, in pots."""
    pot: float
    """In chips."""


def flop_lines(tree: BettingTree) -> list[FlopLine]:
    """The lines of a betting tree that see a flop with chips behind."""
    lines = []
    for node in np.flatnonzero((tree.player == DEAL) & (tree.street == 0)).tolist():
        depth = depth_at(tree, node)
        if depth > 0.0:
            lines.append(FlopLine(node, last_raiser(tree, node), depth, float(tree.rules.pot + tree.paid[node].sum())))
    return lines


def last_raiser(tree: BettingTree, node: int) -> int:
    """The seat that made the last bet or raise on the way to a node; -1 if there was none."""
    while node > 0 and tree.kind[node] < Move.BET:
        node = int(tree.parent[node])
    return int(tree.player[tree.parent[node]]) if node > 0 else -1


def nearest_line(lines: list[FlopLine], raiser: int, depth: float) -> FlopLine:
    """The line of another tree that is most like one: with its last raiser if there is one, and a similar depth."""
    alike = [line for line in lines if line.raiser == raiser] or lines
    return min(alike, key=lambda line: abs(log(line.depth / depth)) if depth > 0.0 else line.depth)


class Opening:
    """A chart as a player reads it, and where its lines into the flop continue in a blueprint."""

    def __init__(self, chart: PreflopChart, later: BettingTree) -> None:
        self.chart, self.tree = chart, chart.setting.betting
        self.sizes, self._later, self._lines = Sizes(self.tree), later, flop_lines(later)
        self.rows = lru_cache(256)(self._rows)

    def _rows(self, node: int, board: tuple[int, ...] = ()) -> Floats:
        """[actions, 1326] what each hand does at a decision of the chart; there is no board yet."""
        table = self.chart.probabilities[int(self.tree.player[node])][rows_at(self.tree, node)]
        return np.asarray(table[:, holdem_class_of_combo()], dtype=np.float64)

    def flop(self, node: int) -> int:
        """The blueprint's node where the flop begins after a line of the chart; open bets are called."""
        tree = self.tree
        while tree.player[node] < DEAL:
            node = self.sizes.read(node, Move.CALL, 0.0, "nearest")[0][0]
        return int(self._later.child[nearest_line(self._lines, last_raiser(tree, node), depth_at(tree, node)).node])
