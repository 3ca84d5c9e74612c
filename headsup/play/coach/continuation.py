"""The value of each action to a hand if both players continue by a strategy.

`reach` is the probability that each of the opponent's 1,326 hands gets here. Values are sums over the opponent's hands
by reach, divided by the total reach: exact on the river and where a call is all-in (`is_quick`), exact over all rivers
on the turn; on the flop over sampled runouts, stratified by card, with control variates for the chance to win, whose
error is a 95 % CI; before the flop from the values of all lines into the flop (`headsup.limit.flop_lines`).
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, sqrt
from typing import NamedTuple

import numpy as np

from headsup.cards.classes import holdem_class
from headsup.cards.combos import HOLDEM_COUNT, colex
from headsup.common.arrays import AnyArray, Floats
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.cut import cut_tree
from headsup.games.betting.rules import DEAL, FLOP, FOLD, TURN
from headsup.games.holdem.vector import holdem_game
from headsup.play.agents.lbr import win_chances
from headsup.play.agents.subgame import Source, source_policy
from headsup.play.statistics.interval import LEVEL, student
from headsup.play.table.real import free_of
from headsup.play.table.rules import BOARD

Cards = tuple[int, ...]
DECK = 52
HELD = 4  # hole cards of both players
RUNOUTS = 46  # sampled runouts on a flop: two per card
_cut = lru_cache(maxsize=32)(cut_tree)


class FlopLines(NamedTuple):
    """The values of lines into the flop (`headsup.limit.flop_lines`)."""

    nodes: AnyArray  # [lines] the nodes where the first street ends
    sums: Floats  # [seats, lines, 169]


class ActionValues(NamedTuple):
    values: list[float]  # chips from here on; a fold is worth 0
    errors: list[float]  # half of the 95 % CI of each action's distance from the strategy's value; 0 if exact
    runouts: int = 0  # sample size; 0 if exact


def values(
    source: Source, node: int, hole: Cards, board: Cards, reach: Floats, lines: FlopLines | None, runouts: int = RUNOUTS
) -> ActionValues | None:
    """The value of each action to the player with these cards; None if unknown: no opposing hand gets here, before
    the flop without `lines`, on the flop without runouts.
    """
    tree = source.tree
    met = np.where(free_of((*hole, *board)), reach, 0.0)
    if float(met.sum()) <= 0.0:
        return None
    street = BOARD.index(len(board))
    quick = is_quick(tree, node)
    if quick or (street == 0 and lines is not None):
        quick_values = action_values(source, node, hole, board, met, lines)
        return None if quick_values is None else ActionValues(quick_values, [0.0] * len(quick_values))
    if street == TURN:
        rivers = _walked(source, node, hole, board, met, TURN) / float(met.sum())
        return ActionValues(rivers.tolist(), [0.0] * len(rivers))
    return _drawn_values(source, node, hole, board, met, runouts) if street == FLOP and runouts else None


def is_quick(tree: BettingTree, node: int) -> bool:
    """Whether a decision's actions can be valued on the current board."""
    if tree.player[node] == DEAL:
        return _end(tree, node) is not None
    return tree.player[node] > DEAL or all(is_quick(tree, child) for child in tree.children(node))


def action_values(
    source: Source, node: int, hole: Cards, board: Cards, reach: Floats, lines: FlopLines | None = None
) -> list[float] | None:
    """Chips from here on of each action; a fold is worth 0. None if no opposing hand gets here.

    It goes card by card and node by node, so it is for short rests of a hand.
    """
    tree = source.tree
    met = np.where(free_of((*hole, *board)), reach, 0.0)
    total = float(met.sum())
    if total <= 0.0:
        return None
    walk = _Walk(source, int(tree.player[node]), hole, lines)
    paid = float(tree.paid[node, walk.seat])
    return [walk.value(child, board, met) / total + paid for child in tree.children(node)]


class _Walk:
    """The sums of the module's text, for one hand."""

    def __init__(self, source: Source, seat: int, hole: Cards, lines: FlopLines | None) -> None:
        self.source, self.tree, self.seat, self.hole, self.lines = source, source.tree, seat, hole, lines
        self.number = colex(sorted(hole))

    def value(self, node: int, board: Cards, reach: Floats) -> float:
        """The value of a node, summed over the opponent's hands by reach."""
        tree, player = self.tree, int(self.tree.player[node])
        if player == FOLD:
            ended = tree.lose if tree.player[tree.parent[node]] == self.seat else tree.win
            return float(ended[node, self.seat]) * float(reach.sum())
        if player < DEAL:
            rows = self.source.rows(node, board)
            children = tree.children(node)
            if player == self.seat:
                row_of_hand = rows[:, self.number]
                return sum(float(x) * self.value(child, board, reach) for x, child in zip(row_of_hand, children, strict=True) if x)  # noqa: E501  # fmt: skip
            return sum(self.value(child, board, reach * row) for row, child in zip(rows, children, strict=True))
        end = _end(tree, node)
        if end is not None:
            lose, win = float(tree.lose[end, self.seat]), float(tree.win[end, self.seat])
            return float(reach @ (lose + (win - lose) * win_chances(self.hole, board)))
        if not board and self.lines is not None:  # by the strategy's own reach
            line = int(np.flatnonzero(self.lines.nodes == node)[0])
            return float(self.lines.sums[self.seat, line, holdem_class(list(self.hole))])
        below, total = int(tree.child[node]), 0.0
        known = {*self.hole, *board}
        for card in range(DECK):
            if card not in known:
                total += self.value(below, (*board, card), np.where(free_of((card,)), reach, 0.0))
        return total / (DECK - HELD - len(board))


def _end(tree: BettingTree, node: int) -> int | None:
    """The showdown to which a node leads without further actions, if any."""
    while tree.player[node] == DEAL:
        node = int(tree.child[node])
    return node if tree.player[node] > DEAL else None


# --- the rest of a hand as a game -------------------------------------------------------------------------------------


def _drawn_values(source: Source, node: int, hole: Cards, board: Cards, met: Floats, runouts: int) -> ActionValues:
    """Over sampled runouts; the same ones for the same decision."""
    left = [card for card in range(DECK) if card not in {*hole, *board}]
    every = list(combinations(left, 2))
    # each opposing hand leaves only some of the runouts
    scale = comb(len(left), 2) / comb(len(left) - 2, 2) / float(met.sum())
    known = _seen_at(hole, board, every, met) * scale
    random = np.random.default_rng([node, *sorted(hole), *board])
    drawn, known_of_drawn, at = list[Floats](), list[Floats](), {pair: i for i, pair in enumerate(every)}
    while len(drawn) < runouts:
        order = random.permutation(left).tolist()
        for turn, river in zip(order[:-1:2], order[1::2], strict=True):
            if len(drawn) == runouts:
                break
            there = np.where(free_of((turn, river)), met, 0.0)
            drawn.append(_walked(source, node, hole, (*board, turn, river), there, FLOP) * scale)
            known_of_drawn.append(known[at[min(turn, river), max(turn, river)]])
    values, controls = np.array(drawn), np.array(known_of_drawn) - known.mean(axis=0)
    tree, exact = source.tree, {}
    walk = _Walk(source, int(tree.player[node]), hole, None)
    for i, child in enumerate(tree.children(node)):
        if is_quick(tree, child):  # exact, and its sampled values are one more control variate
            exact[i] = walk.value(child, board, met) / float(met.sum()) + float(tree.paid[node, walk.seat])
            controls = np.column_stack([controls, values[:, i] - exact[i]])
    return _regressed(values, controls, exact, source.rows(node, board)[:, colex(sorted(hole))])


def _seen_at(hole: Cards, board: Cards, every: Sequence[Cards], met: Floats) -> Floats:
    """[runouts, 3] control variates: hands left, hands beaten, and that squared."""
    from headsup.evaluate import rank_combos

    boards = np.empty((len(every), 5), dtype=np.uint8)
    boards[:, :3], boards[:, 3:] = board, every
    ranks = rank_combos(boards, check=False)
    mine = ranks[:, colex(sorted(hole))][:, None]
    left = (ranks > 0) @ met
    beaten = ((ranks > 0) & (ranks < mine)) @ met + 0.5 * ((ranks == mine) @ met)
    return np.stack([left, beaten, beaten**2 / float(met.sum())], axis=1)


def _regressed(drawn: Floats, controls: Floats, exact: Mapping[int, float], probabilities: Floats) -> ActionValues:
    """Means of the sampled values [runouts, actions] after regression on control variates [runouts, kinds];
    `probabilities` are the strategy's.
    """
    n, given = len(drawn), np.column_stack([np.ones(len(drawn)), controls])
    fitted, _, rank, _ = np.linalg.lstsq(given, drawn, rcond=None)
    rest, means = drawn - given @ fitted, fitted[0]
    for i, value in exact.items():
        means[i], rest[:, i] = value, 0.0
    own = rest @ probabilities / max(float(probabilities.sum()), 1e-9)
    apart, free = rest - own[:, None], max(1, n - int(rank))
    wide = student((1 + LEVEL) / 2, free) / sqrt(free * n)
    return ActionValues(means.tolist(), (wide * np.sqrt((apart**2).sum(axis=0))).tolist(), n)


def _walked(source: Source, node: int, hole: Cards, board: Cards, met: Floats, street: int) -> Floats:
    """[actions] chips from here on, summed over the opponent's hands, by the walk over the rest of the hand as a
    game.

    It begins on a street; board cards beyond it are known only to us.
    """
    from headsup.games.walk.walk import Walker

    tree, mine = source.tree, np.zeros(HOLDEM_COUNT)
    seat, known = int(tree.player[node]), len(board)
    rest, nodes = _cut(tree, node)
    mine[colex(sorted(hole))] = 1.0
    if not met.any():
        return np.zeros(int(rest.count[0]))
    ranges = (mine, met) if seat == 0 else (met, mine)
    come = [0, *(max(0, BOARD[s] - max(known, BOARD[s - 1])) for s in range(street + 1, len(BOARD)))]
    game = holdem_game("rest", rest, root=board, streets=come, ranges=ranges)
    policy = tuple(source_policy(game, source, p, nodes, street) for p in (0, 1))
    node_values = Walker(game, np.float32).node_values((policy[0], policy[1]), seat)[:, 0] * game.mass
    first = int(rest.child[0])
    return np.asarray(node_values[first : first + int(rest.count[0])] + float(tree.paid[node, seat]) * float(met.sum()))
