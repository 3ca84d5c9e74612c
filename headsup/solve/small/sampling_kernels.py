"""Sampling walks over a flat tree: two Monte Carlo versions of CFR, and plain hands for fixed-strategy iteration.

The generator is SplitMix64, one 64-bit counter, so that a resumed run is bit-identical.
"""

from typing import Any, NamedTuple

import numpy as np

from headsup.common.backend import jit
from headsup.common.splitmix_kernels import draw

CHANCE = -1
TERMINAL = -2


class Nodes(NamedTuple):
    """The columns of a flat tree that a walk needs, and where each player's information sets start."""

    player: Any
    infoset: Any
    child: Any
    chance: Any
    payoff: Any
    first: Any  # a pair of arrays


@jit
def deal(nodes: Any, node: int, seed: Any) -> int:
    """Sample a child of a chance node."""
    left = draw(seed) * nodes.chance[node]
    last = nodes.child[node + 1] - 1
    for c in range(nodes.child[node], last):
        left -= nodes.chance[c]
        if left < 0.0:
            return c
    return int(last)


@jit(inner=True)
def matched(regret: Any, low: int, high: int, out: Any) -> None:
    """Regret matching into `out[0 .. high - low - 1]`."""
    total = 0.0
    for s in range(low, high):
        out[s - low] = max(regret[s], 0.0)
        total += out[s - low]
    for a in range(high - low):
        out[a] = out[a] / total if total > 0.0 else 1.0 / (high - low)


@jit(inner=True)
def pick(weights: Any, n: int, seed: Any) -> int:
    """Sample an index by its weight; the weights add up to 1."""
    left = draw(seed)
    for a in range(n - 1):
        left -= weights[a]
        if left < 0.0:
            return a
    return n - 1


@jit(inner=True)
def line(nodes: Any, regret: Any, cumulative: Any, seed: Any, node: int, me: int, sigma: Any) -> int:
    """Play from a node, sampling chance and the opponent, to the player's next decision or to the end."""
    while nodes.player[node] != TERMINAL and nodes.player[node] != me:
        who = nodes.player[node]
        if who == CHANCE:
            node = deal(nodes, node, seed)
            continue
        low, high = nodes.first[who][nodes.infoset[node]], nodes.first[who][nodes.infoset[node] + 1]
        matched(regret[who], low, high, sigma)
        for s in range(low, high):
            cumulative[who][s] += sigma[s - low]
        node = nodes.child[node] + pick(sigma, high - low, seed)
    return int(node)


@jit
def external(nodes: Any, regret: Any, cumulative: Any, seed: Any, me: int, path: Any, scratch: Any) -> float:
    """One walk of external sampling for player `me`: try all own actions, sample chance and the opponent.

    `path[d]` holds the player's d-th decision on the way (its node, and the action being tried), `scratch[d]` the
    strategy there (row 0) and the values so far (row 1). It is an explicit stack, since Numba does not cache recursion.
    """
    first, sign = nodes.first[me], 1.0 if me == 0 else -1.0
    other = scratch[scratch.shape[0] - 1, 0]  # the opponent's strategies, each used at once
    depth, node = 0, line(nodes, regret, cumulative, seed, np.int64(0), me, other)
    while True:
        if nodes.player[node] == me:
            low, high = first[nodes.infoset[node]], first[nodes.infoset[node] + 1]
            matched(regret[me], low, high, scratch[depth, 0])
            path[depth, 0], path[depth, 1] = node, 0
            depth += 1
            node = line(nodes, regret, cumulative, seed, np.int64(nodes.child[node]), me, other)
            continue
        value = sign * nodes.payoff[node]
        while depth > 0:
            at, a = path[depth - 1, 0], path[depth - 1, 1]
            low, high = first[nodes.infoset[at]], first[nodes.infoset[at] + 1]
            sigma, values = scratch[depth - 1, 0], scratch[depth - 1, 1]
            values[a] = value
            if a + 1 < high - low:
                path[depth - 1, 1] = a + 1
                node = line(nodes, regret, cumulative, seed, nodes.child[at] + a + 1, me, other)
                break
            value = 0.0
            for k in range(high - low):
                value += sigma[k] * values[k]
            for k in range(high - low):
                regret[me][low + k] += values[k] - value
            depth -= 1
        if depth == 0:
            return float(value)


@jit
def run_external(nodes: Any, regret: Any, cumulative: Any, seed: Any, path: Any, scratch: Any, n: int) -> None:
    """n iterations: one walk for each player."""
    for _ in range(n):
        for me in range(2):
            external(nodes, regret, cumulative, seed, me, path, scratch)


@jit
def outcome(nodes: Any, regret: Any, cumulative: Any, seed: Any, me: int, explore: float, path: Any, odds: Any) -> None:
    """One walk of outcome sampling for player `me`: play a single line, weighted by its sampling probability.

    Going down, `path` keeps the sequences chosen and `odds` their probability under the strategy; going back up, the
    payoff divided by the sampling probability is the estimate of every counterfactual value along the line.
    """
    node, length = 0, 0
    reach = np.ones(2)  # each player's own probability of this line
    seen = 1.0  # the probability of sampling it, chance left out on both sides
    sigma = np.empty(odds.shape[1])
    mixed = np.empty(odds.shape[1])
    while nodes.player[node] != TERMINAL:
        who = nodes.player[node]
        if who == CHANCE:
            node = deal(nodes, node, seed)
            continue
        first = nodes.first[who]
        low, high = first[nodes.infoset[node]], first[nodes.infoset[node] + 1]
        width = high - low
        matched(regret[who], low, high, sigma)
        blur = explore if who == me else 0.0
        for a in range(width):
            mixed[a] = blur / width + (1.0 - blur) * sigma[a]
            odds[length, a] = sigma[a]
            if who != me:
                cumulative[who][low + a] += reach[who] / seen * sigma[a]
        a = pick(mixed, width, seed)
        path[length, 0], path[length, 1], path[length, 2], path[length, 3] = who, low, width, a
        odds[length, width] = reach[1 - me]
        reach[who] *= sigma[a]
        seen *= mixed[a]
        node = nodes.child[node] + a
        length += 1
    gain = (nodes.payoff[node] if me == 0 else -nodes.payoff[node]) / seen
    tail = 1.0
    for step in range(length - 1, -1, -1):
        who, low, width, chosen = path[step, 0], path[step, 1], path[step, 2], path[step, 3]
        if who == me:
            weight = gain * odds[step, width] * tail
            for a in range(width):
                regret[me][low + a] += weight * ((1.0 if a == chosen else 0.0) - odds[step, chosen])
        tail *= odds[step, chosen]


@jit
def run_outcome(
    nodes: Any, regret: Any, cumulative: Any, seed: Any, explore: float, path: Any, odds: Any, n: int
) -> None:
    """n iterations: one walk for each player."""
    for _ in range(n):
        for me in range(2):
            outcome(nodes, regret, cumulative, seed, me, explore, path, odds)


@jit
def play_hands(nodes: Any, sigma: Any, profit: Any, played: Any, seed: Any, decay: float, path: Any, n: int) -> None:
    """n hands with both strategies fixed; each line's profit goes to the decisions on it, less for earlier ones.

    `profit[p][s]` sums what player p won after sequence s, multiplied by `decay` for every own decision in between;
    `played[p][s]` counts the hands.
    """
    for _ in range(n):
        node, length = 0, 0
        while nodes.player[node] != TERMINAL:
            who = nodes.player[node]
            if who == CHANCE:
                node = deal(nodes, node, seed)
                continue
            first = nodes.first[who]
            low, high = first[nodes.infoset[node]], first[nodes.infoset[node] + 1]
            a = pick(sigma[who][low:high], high - low, seed)
            path[length, 0], path[length, 1] = who, low + a
            node = nodes.child[node] + a
            length += 1
        earned = np.array([nodes.payoff[node], -nodes.payoff[node]])
        for step in range(length - 1, -1, -1):
            who, s = path[step, 0], path[step, 1]
            profit[who][s] += earned[who]
            played[who][s] += 1
            earned[who] *= decay


class Lines(NamedTuple):
    """The betting of a game of betting and boards, for single deals in buckets."""

    player: Any  # int8[nodes] 0 or 1 at decisions, else DEAL, or what is greater at ends
    child: Any  # int32[nodes] the first child of a decision; where a deal leads
    count: Any  # int32[nodes] how many actions a decision has
    street: Any  # int64[nodes]
    row: Any  # int64[nodes] at a decision, its first row among all rows of the mover
    meet: Any  # float64[2, nodes] what each player gets at an end
    beat: Any  # float64[2, nodes] what comes to it where a showdown is won
    first: Any  # (int64[rows + 1], the same) for each player, where the numbers of a row begin
    kind: Any  # (int64[rows], the same) the partition that holds at a row


class DealtBuckets(NamedTuple):
    """The buckets of both hands on some deals, and their showdowns."""

    bucket: Any  # int64[2, streets, partitions, deals]
    won: Any  # float64[deals] the part of a showdown that the player to learn wins


class LineWorkspace(NamedTuple):
    """Buffers for [depth] own decisions on the way; the last of `places` and `scratch` is for the opponent's."""

    path: Any  # int64[depth, 2] the node of a decision and the action being tried
    places: Any  # int64[depth, actions] where the numbers of its actions lie
    scratch: Any  # float64[depth, 2, actions] the strategy (row 0) and the values (row 1) there


DEAL = 2


@jit(inner=True)
def look_up(lines: Any, numbers: Any, buckets: Any, deal: int, node: int, place: Any, sigma: Any) -> int:
    """Write where the numbers of a decision's actions lie, and their probabilities; return how many there are."""
    who, actions, row = lines.player[node], lines.count[node], lines.row[node]
    bucket = buckets[who, lines.street[node], lines.kind[who][row], deal]
    total = 0.0
    for a in range(actions):
        place[a] = lines.first[who][row + a] + bucket
        sigma[a] = max(numbers[who][place[a]], 0.0)
        total += sigma[a]
    for a in range(actions):
        sigma[a] = sigma[a] / total if total > 0.0 else 1.0 / actions
    return int(actions)


@jit
def run_deals(
    lines: Any, numbers: Any, dealt: Any, me: int, sums: Any, weight: float, seed: Any, workspace: Any
) -> None:
    """External sampling on given deals with fixed strategies: try all actions of `me`, sample the opponent's.

    numbers: each player's numbers by bucket; sums: `BucketSums`, to which the mean gains of the player's buckets and
    the strategy of the opponent's, times the weight, are added.
    """
    which, won, (gain, played), (path, places, scratch) = dealt.bucket, dealt.won, sums, workspace
    last, once, weight = places.shape[0] - 1, 1.0 / won.shape[0], weight / won.shape[0]
    for deal in range(won.shape[0]):
        depth, node = 0, 0
        while True:
            # forward: skip deals, sample the opponent's actions, try the own ones in turn
            while lines.player[node] <= DEAL:
                who = lines.player[node]
                if who == DEAL:
                    node = lines.child[node]
                elif who == me:
                    look_up(lines, numbers, which, deal, node, places[depth], scratch[depth, 0])
                    path[depth, 0], path[depth, 1] = node, 0
                    depth += 1
                    node = lines.child[node]
                else:
                    n = look_up(lines, numbers, which, deal, node, places[last], scratch[last, 0])
                    for a in range(n):
                        played[places[last, a]] += weight * scratch[last, 0, a]
                    node = lines.child[node] + pick(scratch[last, 0], n, seed)
            value = lines.meet[me, node] + lines.beat[me, node] * won[deal]
            going = False
            while depth > 0:
                at, a = path[depth - 1, 0], path[depth - 1, 1]
                sigma, values = scratch[depth - 1, 0], scratch[depth - 1, 1]
                values[a] = value
                if a + 1 < lines.count[at]:
                    path[depth - 1, 1] = a + 1
                    node, going = lines.child[at] + a + 1, True
                    break
                value = 0.0
                for i in range(lines.count[at]):
                    value += sigma[i] * values[i]
                for i in range(lines.count[at]):
                    gain[places[depth - 1, i]] += once * (values[i] - value)
                depth -= 1
            if not going:
                break
