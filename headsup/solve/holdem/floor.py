"""CFR among strategies that take every action with a probability of at least `floor`.

A player picks `sigma`, and plays floor + (1 - n floor) sigma with n actions. The regret of an action is, up to a factor
that is the same for all actions of a hand, its value less that of `sigma`:

    v(sigma) = (v(played) - floor x sum of v) / (1 - n floor)

The average is one of what was played, so it keeps to the floor. A best response that keeps to it is worth
floor x sum of v + (1 - n floor) x max of v. As the floor falls, an equilibrium of this game tends to one of the real
game that is also sound after actions that nobody takes.
"""

from __future__ import annotations

import numpy as np

from headsup.abstraction.merging.forced import check_floor
from headsup.common.arrays import Floats
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.plain import PlainWalker
from headsup.games.walk.walk import BEST, LEARN


class FlooredWalker(PlainWalker):
    """Walks a game in which every action has a least probability, in NumPy."""

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
