"""Parts of a betting tree: what comes after a node, and what is left without some of the actions.

Nodes keep their order, so a part is a betting tree like any other; it comes with the numbers that its nodes have in
the whole tree. Payoffs are those of the whole tree: chips since the start of the hand.
"""

from typing import Any

import numpy as np

from headsup.common.arrays import AnyArray, Longs
from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.rules import DEAL, Move


def cut_tree(tree: BettingTree, root: int = 0, without: AnyArray | None = None) -> tuple[BettingTree, Longs]:
    """The tree from a node on, without some nodes (a mask) and all that follows them; and its nodes' old numbers.

    The root's street is the first one of the part.
    """
    kept = np.zeros(tree.n_nodes, dtype=bool)
    gone, above = np.zeros(tree.n_nodes, dtype=bool) if without is None else without, tree.parent
    kept[root] = True
    for node in range(root + 1, tree.n_nodes):
        kept[node] = kept[above[node]] and not gone[node]
    nodes = np.flatnonzero(kept)
    count = np.bincount(above[nodes[1:]], minlength=tree.n_nodes)[nodes]
    stuck = np.flatnonzero((count == 0) & (tree.count[nodes] > 0))
    if len(stuck):
        line = tree.line(int(nodes[stuck[0]])) or "the start"
        raise UserError(f"after '{line}' no action is left: leave one of them in the tree")
    number = np.full(tree.n_nodes, -1)
    number[nodes] = np.arange(len(nodes))
    parent = number[above[nodes]]  # of the root's own: none is left
    parent[0] = -1
    child = np.full(len(nodes), -1)
    child[parent[:0:-1]] = np.arange(len(nodes) - 1, 0, -1)  # the first of a node's children is written last
    base = int(tree.street[root])
    start = np.searchsorted(tree.street[nodes], np.arange(base, len(tree.start))).astype(np.int32)
    entries = [np.zeros(1, dtype=np.int32)]
    entries += [number[nodes[kept[nodes]]].astype(np.int32) for nodes in tree.entries[base + 1 :]]
    kind = tree.kind[nodes]
    kind[0] = Move.NONE if root else kind[0]
    part = _part(
        tree,
        nodes,
        base,
        parent=parent.astype(np.int32),
        child=child.astype(np.int32),
        count=count.astype(np.int32),
        kind=kind,
        start=start,
        entries=entries,
    )
    return part, nodes


def street_tree(tree: BettingTree, street: int, lines: range, streets: int | None = None) -> BettingTree:
    """What follows some of the lines into a street, side by side: so many streets of it, or all that are left.

    It is entered as often as there are lines, which stand in the order of the whole tree. The deals of its last street
    lead nowhere unless it is the last of the whole tree.
    """
    last = tree.n_streets if streets is None else street + streets
    kept = np.zeros(tree.n_nodes, dtype=bool)
    kept[tree.entries[street][lines.start : lines.stop]] = True
    begin, end = int(tree.start[street]), int(tree.start[last])
    for node in range(begin, end):
        kept[node] |= tree.parent[node] >= begin and kept[tree.parent[node]]
    nodes = np.flatnonzero(kept)
    number = np.full(tree.n_nodes + 1, -1)
    number[nodes] = np.arange(len(nodes))
    inside = (tree.child[nodes] >= 0) & (tree.child[nodes] < end)
    return _part(
        tree,
        nodes,
        street,
        parent=np.where(tree.parent[nodes] >= begin, number[tree.parent[nodes]], -1).astype(np.int32),
        child=np.where(inside, number[tree.child[nodes]], -1).astype(np.int32),
        count=np.where(inside, tree.count[nodes], 0).astype(np.int32),
        kind=tree.kind[nodes],
        start=np.searchsorted(tree.street[nodes], np.arange(street, last + 1)).astype(np.int32),
        entries=[number[nodes[kept[nodes]]].astype(np.int32) for nodes in tree.entries[street:last]],
    )


def _part(tree: BettingTree, nodes: Longs, street: int, **own: Any) -> BettingTree:
    """The tree of some nodes from a street on; `own` are the arrays that differ from the whole tree's."""
    taken = {name: getattr(tree, name)[nodes] for name in ("player", "paid", "win", "lose", "amount")}
    return BettingTree(tree.rules, tree.menu, street=tree.street[nodes] - np.int8(street), **taken, **own)


def without_bets(tree: BettingTree, street: int) -> AnyArray:
    """The mask of all bets and raises from a street on: without them, pots are checked down from there."""
    return np.asarray((tree.kind >= Move.BET) & (tree.street >= street))


def decisions_below(tree: BettingTree) -> AnyArray:
    """For each node, whether somebody still acts there or after it."""
    decides = tree.player < DEAL
    for node in range(tree.n_nodes - 1, 0, -1):
        decides[tree.parent[node]] |= decides[node]
    return np.asarray(decides)
