"""The walk that solvers run, in plain NumPy: any showdown, and private moves of chance.

It is what games of matrices, of hand classes and of a user's own showdowns are solved with, and the slow, obvious twin
of the compiled `headsup.games.walk.walk.Walker`. `walker` picks whichever takes a game.
"""

from typing import Any, NamedTuple

import numpy as np

from headsup.common.arrays import AnyArray, Floats
from headsup.games.holdem.layout import DEPTH, RESPOND, STEPS, Alike, Rule, Store, workspace_bytes
from headsup.games.holdem.vector import VectorGame, check_floor, decisions, regret_matching
from headsup.games.walk.streaming import Streaming
from headsup.games.walk.walk import BEST, LEARN, MIX, NO_RULE, ArrayWalker, Policy, Walker, takes_kernels, walker_bytes


class _Decisions(NamedTuple):
    first: AnyArray  # [decisions] the first row of each
    actions: AnyArray  # [decisions] how many it has
    node: AnyArray  # [rows] the node of each row's decision
    child: AnyArray  # [rows] the node that each row leads to


class PlainWalker(ArrayWalker, Streaming):
    """Workspace to walk any game of betting and boards, on one thread."""

    def __init__(self, game: VectorGame) -> None:
        super().__init__(game, 0, MIX)
        self.threads = 1
        self._decisions = [[self._street(s, p) for s in range(game.streets)] for p in (0, 1)]

    def _street(self, s: int, p: int) -> _Decisions:
        rounds = self.rounds
        nodes = decisions(rounds, s, p)
        count = rounds.count[nodes]
        first = np.cumsum(count) - count
        child = np.arange(count.sum()) + np.repeat(rounds.child[nodes] - first, count)
        return _Decisions(first, count, np.repeat(nodes, count), child)

    def walk(self, seat: int, mode: int, policy: Policy, stores: tuple[Store, Store], rule: Rule = NO_RULE) -> Floats:
        self.seat, self.mode, self._policy, self._store, self._rule = seat, mode, policy, stores[seat], rule
        self.board(0, 0)
        return np.array(self.workspace.value[0, : self.sizes[seat]])

    def play(self, s: int, b: int, p: int, sigma: Floats) -> None:
        first, count, _, _ = self._decisions[p][s]
        if len(first):
            sigma[:] = regret_matching(self._part(self._policy[p], s, b, p), first, count)

    def backward_values(self, s: int, b: int) -> None:
        """With RESPOND, free hands take the best action and the store records it; see `headsup.games.walk.kernels`."""
        if self.mode != RESPOND:
            super().backward_values(s, b)
            return
        rounds, seat, value = self.rounds, self.seat, self.workspace.value[:, : self.sizes[self.seat]]
        held = self._part(self._store.regret, s, b, seat)
        for node in range(int(rounds.start[s + 1]) - 1, int(rounds.start[s]) - 1, -1):
            if rounds.player[node] > 1 or not self.open_up(node):
                continue
            below = value[rounds.child[node] : rounds.child[node] + rounds.count[node]]
            if rounds.player[node] != seat:
                value[node] = below.sum(axis=0)
                continue
            rows = held[rounds.row[node] : rounds.row[node] + rounds.count[node]]
            free, best = rows[0] < 0, np.argmax(below, axis=0)
            rows[:] = np.where(free, np.arange(len(rows))[:, None] == best, rows)
            value[node] = (rows * below).sum(axis=0) / rows.sum(axis=0)

    def gains(self, s: int) -> Floats:
        """What each action of the seat is worth beyond what is played, [rows, hands]."""
        _, _, node, child = self._decisions[self.seat][s]
        value = self.workspace.value[:, : self.sizes[self.seat]]
        return np.asarray(value[child] - value[node])

    def learn(self, s: int, b: int) -> None:
        """The strategy played goes into the average; gains of this iteration into the regrets, which are discounted."""
        if self.mode != LEARN or not len(self._decisions[self.seat][s].first):
            return
        store, rule, seat = self._store, self._rule, self.seat
        _, _, node, _ = self._decisions[seat][s]
        cumulative, regret = self._part(store.cumulative, s, b, seat), self._part(store.regret, s, b, seat)
        marks = slice(int(store.scale_at[s]) + b * len(node), int(store.scale_at[s]) + (b + 1) * len(node))
        cumulative_scale, regret_scale = store.cumulative_scale[marks], store.regret_scale[marks]
        played = self.reach(s, seat)[self.rounds.at[seat, node]] * self.sigma(s, seat)
        gain = self.gains(s)
        even, odd = (marks.start, 2 * rule.turn), (marks.start, 2 * rule.turn + 1)
        self._put(
            cumulative, cumulative_scale, s, self._get(cumulative, cumulative_scale, s) + rule.weight * played, *even
        )
        new = self._get(regret, regret_scale, s) + gain
        new *= np.where(new > 0.0, rule.keep, rule.shrink)
        self._put(regret, regret_scale, s, new, *odd)
        if rule.predictive:  # only proportions of a prediction matter, so its scale is not kept
            self._put(self._part(store.prediction, s, b, seat), np.zeros_like(regret_scale), s, new + gain, *odd)

    def _part(self, flat: AnyArray, s: int, b: int, p: int) -> AnyArray:
        rows, low = int(self.rounds.rows[p, s]), int(self.game.layout[p][s])
        return flat[low + b * rows * self.sizes[p] :][: rows * self.sizes[p]].reshape(rows, self.sizes[p])

    def _get(self, stored: AnyArray, scale: AnyArray, s: int) -> Floats:
        """What is stored, as numbers; scales stand at the first row of each decision, and floats have none."""
        if not scale.size:
            return stored.astype(np.float64)
        first, count, _, _ = self._decisions[self.seat][s]
        return stored * np.repeat(scale[first].astype(np.float64), count)[:, None]

    def _put(self, stored: AnyArray, scale: AnyArray, s: int, numbers: Floats, mark: int, key: int) -> None:
        """Store numbers; int16 as `headsup.games.walk.kernels` rounds them, whose rows are counted from `mark`."""
        if not scale.size:
            stored[:] = numbers
            return
        first, count, _, _ = self._decisions[self.seat][s]
        most = np.maximum.reduceat(np.where(numbers > 0.0, numbers, -numbers / DEPTH).max(axis=1), first)
        scale[first] = np.where(most > 0.0, np.ldexp(1.0, np.frexp(most / STEPS)[1]), 1.0)
        seed = ((mark + np.arange(len(numbers))) * 0x9E3779B1 + key * 0x85EBCA77) & 0xFFFFFFFF
        chance = (((seed ^ (seed >> 15)) * 0x2C1B3C6D & 0xFFFFFFFF) >> 8) / 2**24
        exact = numbers / np.repeat(scale[first].astype(np.float64), count)[:, None]
        stored[:] = np.maximum(np.floor(exact + chance[:, None]), -32767.0)


class FlooredWalker(PlainWalker):
    """CFR among strategies that take each of n actions with a probability of at least `floor`, in NumPy, for games that
    the compiled walk does not take.

    A player picks `sigma` and plays floor + (1 - n floor) sigma. The regret of an action is, up to a common factor, its
    value less v(sigma) = (v(played) - floor x sum of v) / (1 - n floor). A best response within the floor is worth
    floor x sum of v + (1 - n floor) x max of v.
    """

    def __init__(self, game: VectorGame, floor: float) -> None:
        super().__init__(game)
        self.floor = check_floor(game, floor)

    def play(self, s: int, b: int, p: int, sigma: Floats) -> None:
        """While learning, mix the floor into the strategy; a measured strategy keeps to it already."""
        super().play(s, b, p, sigma)
        if self.mode == LEARN:
            _, count, _, _ = self._decisions[p][s]
            sigma *= np.repeat(1.0 - self.floor * count, count)[:, None]
            sigma += self.floor

    def gains(self, s: int) -> Floats:
        """The gain of each action over what was picked, not over what was played."""
        value = self.workspace.value[:, : self.sizes[self.seat]]
        first, count, node, child = self._decisions[self.seat][s]
        every = np.repeat(np.add.reduceat(value[child], first, axis=0), count, axis=0)
        kept = 1.0 - self.floor * np.repeat(count, count)[:, None]
        return np.asarray(value[child] - (value[node] - self.floor * every) / kept)

    def backward_values(self, s: int, b: int) -> None:
        """A best response keeps to the floor."""
        if self.mode != BEST:
            super().backward_values(s, b)
            return
        rounds, value = self.rounds, self.workspace.value[:, : self.sizes[self.seat]]
        for node in range(int(rounds.start[s + 1]) - 1, int(rounds.start[s]) - 1, -1):
            if rounds.player[node] > 1 or not self.open_up(node):
                continue
            below = value[rounds.child[node] : rounds.child[node] + rounds.count[node]]
            every = below.sum(axis=0)
            if rounds.player[node] == self.seat:
                every = self.floor * every + (1.0 - self.floor * len(below)) * below.max(axis=0)
            value[node] = every


def walker(
    game: VectorGame,
    dtype: Any = np.float64,
    threads: int = 1,
    device: str = "cpu",
    alike: Alike | None = None,
    memory: int | None = None,
    reserve: int = 0,
    floor: float = 0.0,
) -> ArrayWalker:
    """Workspace to walk a game: compiled where that can be, on a GPU where asked, else in plain NumPy.

    `alike` is for the compiled walk, and for four-card hands on a GPU: policies and stores have one column for hands
    that are alike. `memory` and `reserve` are those of `headsup.games.walk.gpu.GpuWalker`. `floor` is the least
    probability of every action of a best response; walks that learn take it from their rule.
    """
    made: ArrayWalker
    if device == "gpu":
        from headsup.games.walk.gpu import GpuWalker

        made = GpuWalker(game, dtype, memory, reserve, alike=alike)
    elif takes_kernels(game):
        made = Walker(game, dtype, threads, alike=alike)
    else:
        made = FlooredWalker(game, floor) if floor else PlainWalker(game)
    made.floor = check_floor(game, floor)
    return made


def work_bytes(game: VectorGame, dtype: Any, threads: int, alike: bool = False) -> int:
    """What the `walker` of a game takes on the CPU, before it is made; `alike`: hands that are alike share a column."""
    if takes_kernels(game):
        return walker_bytes(game, dtype, threads, alike)
    return workspace_bytes(game.rounds, game.showdown.sizes, np.float64)
