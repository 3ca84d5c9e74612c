"""From a public tree to the flat tree of the plain game, level by level and without visiting states one by one.

The plain tree has a copy of the public tree for each pair of hands, less the branches whose public cards clash with
them. A level is the true cells of a (pairs x nodes) table, read row by row, and every column is a gather from it.
"""

from typing import NamedTuple

import numpy as np

from headsup.common.arrays import AnyArray, Floats, Ints
from headsup.common.errors import UserError
from headsup.games.contract.game import CHANCE, TERMINAL
from headsup.games.trees.publictree import PublicTree
from headsup.games.trees.tree import NODE_LIMIT, Tree, levels, own_parents, own_sequences


class _Level(NamedTuple):
    player: AnyArray
    infoset: Ints
    counts: AnyArray
    chance: Floats
    payoff: Floats


def unroll(public: PublicTree) -> Tree:
    """Multiply out a public tree with its pairs of hands."""
    if public.up_to_suits:
        raise UserError("a public tree up to suits has no plain tree: build it without up_to_suits first")
    hand0, hand1 = (side.astype(np.int32) for side in np.nonzero(public.deal))
    made = [_deal_level(public, 0), _deal_level(public, 1)]
    ranges = list(levels(public.child))
    alive = _alive(public, ranges[0], hand0, hand1)
    for depth, here in enumerate(ranges):
        below = _alive(public, ranges[depth + 1], hand0, hand1) if depth + 1 < len(ranges) else None
        made.append(_level(public, here, alive, below, hand0, hand1))
        if below is not None:
            alive = below
    if sum(len(level.player) for level in made) > NODE_LIMIT:
        raise UserError(f"{public.name} has more than {NODE_LIMIT:,} nodes: solve it in vector form instead")
    return _join(public, made)


def _deal_level(public: PublicTree, seat: int) -> _Level:
    """The chance node that deals to a player: one node for player 0, one a hand of player 0 for player 1."""
    hands = public.deal.sum(axis=1)
    some = np.flatnonzero(hands)
    n = 1 if seat == 0 else len(some)
    counts = np.array([len(some)]) if seat == 0 else (public.deal[some] > 0).sum(axis=1)
    chance = np.ones(1) if seat == 0 else hands[some]
    return _Level(np.full(n, CHANCE, dtype=np.int8), np.full(n, -1, dtype=np.int32), counts, chance, np.zeros(n))


def _alive(public: PublicTree, here: tuple[int, int], hand0: Ints, hand1: Ints) -> AnyArray:
    """[pairs, nodes of the level] whether the public cards leave both hands possible."""
    possible = (public.weights > 0.0)[:, hand0, hand1]  # [card states, pairs]
    return np.ascontiguousarray(possible.T[:, public.cards[here[0] : here[1]]])


def _level(
    public: PublicTree, here: tuple[int, int], alive: AnyArray, below: AnyArray | None, hand0: Ints, hand1: Ints
) -> _Level:
    low, high = here
    pair, node = np.nonzero(alive)
    node = node + low
    player = public.player[node]
    infoset = np.full(len(node), -1, dtype=np.int32)
    for seat, hand in enumerate((hand0, hand1)):
        mine = np.flatnonzero(player == seat)
        infoset[mine] = public.infosets[seat][public.row[node[mine]], hand[pair[mine]]]
    a, b = hand0[pair], hand1[pair]
    chance = public.deal[a, b] * public.weights[public.cards[node], a, b]
    payoff = np.zeros(len(node))
    ends = np.flatnonzero(player == TERMINAL)
    payoff[ends] = public.scale[node[ends]] * public.results[public.matrix[node[ends]], a[ends], b[ends]]
    counts = np.zeros(len(node), dtype=np.int64)
    if below is not None:
        inside = np.flatnonzero(public.player[low:high] != TERMINAL)
        starts = public.child[low:high][inside] - public.child[low]
        children = np.zeros(alive.shape, dtype=np.int32)
        children[:, inside] = np.add.reduceat(below, starts, axis=1, dtype=np.int32)
        counts = children[alive].astype(np.int64)
    return _Level(player, infoset, counts, chance, payoff)


def _join(public: PublicTree, levels: list[_Level]) -> Tree:
    """Put the levels end to end and check the result as any other tree is checked."""
    player = np.concatenate([level.player for level in levels])
    infoset = np.concatenate([level.infoset for level in levels])
    counts = np.concatenate([level.counts for level in levels])
    child = np.ones(len(counts) + 1, dtype=np.int32)
    child[1:] += np.cumsum(counts).astype(np.int32)
    chance = np.concatenate([level.chance for level in levels])
    payoff = np.concatenate([level.payoff for level in levels])
    for seat in (0, 1):
        sequence = own_sequences(player, infoset, child, public.firsts[seat], seat)
        own_parents(player, infoset, sequence, public.labels[seat], len(public.parents[seat]), seat)
    return Tree(
        name=public.name,
        unit=public.unit,
        player=player,
        infoset=infoset,
        child=child,
        chance=chance,
        payoff=payoff,
        firsts=public.firsts,
        parents=public.parents,
        labels=public.labels,
    )
