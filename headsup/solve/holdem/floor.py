"""CFR among strategies that take every action with some least share: the game in which players are forced a little.

A player picks `sigma`, and what is played of n actions is floor + (1 - n floor) sigma. In that game the regret of an
action is, but for a factor that is the same for all actions of a hand, its value less that of `sigma`:

    v(sigma) = (v(played) - floor x sum of v) / (1 - n floor)

The average is one of what was played, so it keeps to the floor; and a best response that must keep to it too is worth
floor x sum of v + (1 - n floor) x max of v. An equilibrium of this game tends to one of the real game as the floor
falls, and to one that is sound after actions that nobody wants to take.
"""

from __future__ import annotations

import numpy as np

from headsup.abstraction.merging.forced import check_floor
from headsup.common.arrays import Floats
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.plain import PlainWalker
from headsup.games.walk.walk import BEST, LEARN


class FlooredWalker(PlainWalker):
    """Workspace to walk a game in which every action has a least share, in NumPy."""

    def __init__(self, game: VectorGame, floor: float) -> None:
        super().__init__(game)
        self.floor = check_floor(game, floor)

    def play(self, s: int, b: int, p: int, sigma: Floats) -> None:
        """While it learns, what is picked is mixed with the floor; what is measured keeps to it already."""
        super().play(s, b, p, sigma)
        if self.mode == LEARN:
            _, count, _, _ = self._decisions[p][s]
            sigma *= np.repeat(1.0 - self.floor * count, count)[:, None]
            sigma += self.floor

    def gains(self, s: int) -> Floats:
        """Of each action over what was picked, not over what was played."""
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
