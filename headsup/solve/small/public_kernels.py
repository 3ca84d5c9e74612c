"""Regret minimisation on public trees: the iteration of `headsup.solve.small.kernels` on vectors over private hands.

Several hands or nodes may share an information set (an abstraction), so regrets and the weights of the average are
gathered first and applied after the walk.
"""

from typing import Any, NamedTuple

import numpy as np

from headsup.common.backend import jit

TERMINAL = -2


class PublicNodes(NamedTuple):
    """The columns of a public tree that a walk needs."""

    player: Any
    child: Any
    row: Any
    matrix: Any
    scale: Any


class SeatSide(NamedTuple):
    """One player's part: their payoffs [results, own hands, other hands], information sets by row and hand,
    sequences.
    """

    payoff: Any
    infoset: Any
    first: Any


class PublicMemory(NamedTuple):
    """The arrays of one player's regret minimiser, and its workspace."""

    regret: Any
    sigma: Any
    cumulative: Any
    gain: Any  # the regrets of this iteration
    weight: Any  # [infosets] the player's own reach of each information set, summed
    reach: Any  # [nodes, own hands] the player's own probability of getting there
    value: Any  # [nodes, own hands] what the hand earns there, the opponent's reach and chance multiplied in


@jit(inner=True)
def descend(nodes: Any, part: Any, memory: Any, me: int) -> None:
    """The player's own reach of every node with every hand, and of every information set."""
    reach, sigma = memory.reach, memory.sigma
    memory.weight[:] = 0.0
    reach[0, :] = 1.0
    for node in range(nodes.player.shape[0]):
        begin, end = nodes.child[node], nodes.child[node + 1]
        if nodes.player[node] == me:
            own = part.infoset[nodes.row[node]]
            for h in range(own.shape[0]):
                if own[h] < 0:
                    reach[begin:end, h] = 0.0
                    continue
                memory.weight[own[h]] += reach[node, h]
                base = part.first[own[h]]
                for c in range(begin, end):
                    reach[c, h] = reach[node, h] * sigma[base + c - begin]
        else:
            for c in range(begin, end):
                for h in range(reach.shape[1]):
                    reach[c, h] = reach[node, h]


@jit(inner=True)
def ascend(nodes: Any, part: Any, memory: Any, opponent_reach: Any, me: int) -> None:
    """The value of every hand at every node, and the regrets of this iteration."""
    value, sigma, gain = memory.value, memory.sigma, memory.gain
    gain[:] = 0.0
    hands = value.shape[1]
    for node in range(nodes.player.shape[0] - 1, -1, -1):
        here = value[node]
        if nodes.player[node] == TERMINAL:
            payoff, scale, reach = part.payoff[nodes.matrix[node]], nodes.scale[node], opponent_reach[node]
            for h in range(hands):
                total = 0.0
                for o in range(reach.shape[0]):
                    total += payoff[h, o] * reach[o]
                here[h] = scale * total
            continue
        begin, end = nodes.child[node], nodes.child[node + 1]
        here[:] = 0.0
        if nodes.player[node] != me:
            for c in range(begin, end):
                for h in range(hands):
                    here[h] += value[c, h]
            continue
        own = part.infoset[nodes.row[node]]
        for h in range(hands):
            if own[h] < 0:
                continue
            base = part.first[own[h]] - begin
            mixed = 0.0
            for c in range(begin, end):
                mixed += sigma[base + c] * value[c, h]
            here[h] = mixed
            for c in range(begin, end):
                gain[base + c] += value[c, h] - mixed


@jit(inner=True)
def learn(part: Any, memory: Any, predictive: bool, keep: float, shrink: float) -> None:
    """Add the regrets of this iteration, discount, and match the next strategy to them."""
    regret, sigma, gain, first = memory.regret, memory.sigma, memory.gain, part.first
    for i in range(first.shape[0] - 1):
        total = 0.0
        for s in range(first[i], first[i + 1]):
            new = regret[s] + gain[s]
            new *= keep if new > 0.0 else shrink
            regret[s] = new
            if predictive:
                new += gain[s]
            sigma[s] = max(new, 0.0)
            total += sigma[s]
        for s in range(first[i], first[i + 1]):
            sigma[s] = sigma[s] / total if total > 0.0 else 1.0 / (first[i + 1] - first[i])


@jit(inner=True)
def remember(part: Any, memory: Any, weight: float) -> None:
    """Add the strategy in use to the average, weighted with how likely the player is to get there."""
    first = part.first
    for i in range(first.shape[0] - 1):
        for s in range(first[i], first[i + 1]):
            memory.cumulative[s] += weight * memory.weight[i] * memory.sigma[s]


@jit
def iterate(nodes: Any, parts: Any, memories: Any, alternating: bool, predictive: bool, schedule: Any) -> None:
    """One iteration for both players for each row of the schedule."""
    for t in range(schedule.shape[0]):
        keep, shrink, weight = schedule[t, 0], schedule[t, 1], schedule[t, 2]
        for p in range(2):
            ascend(nodes, parts[p], memories[p], memories[1 - p].reach, p)
            remember(parts[p], memories[p], weight)
            if alternating:
                learn(parts[p], memories[p], predictive, keep, shrink)
                descend(nodes, parts[p], memories[p], p)
        if not alternating:
            for p in range(2):
                learn(parts[p], memories[p], predictive, keep, shrink)
                descend(nodes, parts[p], memories[p], p)


@jit
def start(nodes: Any, parts: Any, memories: Any) -> None:
    """Fill in both players' reach for the strategies they start with."""
    for p in range(2):
        descend(nodes, parts[p], memories[p], p)


def empty(part: SeatSide, count: int, hands: int) -> PublicMemory:
    """A player who has learned nothing yet and plays uniformly."""
    sequences, infosets = int(part.first[-1]), len(part.first) - 1
    counts = np.diff(part.first)
    sigma = np.concatenate(([1.0], np.repeat(1.0 / counts, counts)))
    zeros = [np.zeros(sequences) for _ in range(3)]
    vectors = (np.zeros((count, hands)), np.zeros((count, hands)))
    return PublicMemory(zeros[0], sigma, zeros[1], zeros[2], np.zeros(infosets), *vectors)
