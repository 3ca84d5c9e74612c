"""The nearest strategy to an equilibrium that has given statistics: a convex program, solved through its dual.

A player of a spot with the reference strategy r is to have other statistics, such as folding to 70 % of river bets.
Among all strategies s with these statistics, the nearest is the one for which the hands that are played look most like
before: the least Kullback-Leibler divergence D(s, r) between the distributions of whole hands, the opponent playing as
before. By the chain rule D is the sum over the player's information sets of how often s comes there times the
divergence of s from r there. In realisation plans D is convex and a statistic is linear: that a share t of the
decisions in B takes an action in A means that the expected sum over decisions of f = [action in A] - t [decision in B]
is 0. With multipliers x, minimising D - x f is dynamic programming. With m the opponent's and chance's part of the
reach, and V the least cost from an information set on,

    V = -log sum_a r(a) exp(x f(a) - sum of m V right below a / m),    s(a) in proportion to the terms of that sum.

The dual function, V at the root on average, is concave in x, and its gradient is minus the expected f under s. Newton
steps on it converge in a few walks. Where the reference never takes an action, `MIXED` of the uniform strategy lets it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import UserError
from headsup.games.betting.rules import DEAL
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.walk import Policy
from headsup.solve.holdem.warm import decisions_reached
from headsup.solve.records.regrets import street_of

MIXED = 0.001  # of the uniform strategy in the reference
STEPS = 60  # of the dual at most
CLOSE = 1e-6  # how far a statistic may be from its target
LONGEST = 3.0  # step of a multiplier
FARTHEST = 200.0  # multiplier: a target that needs more cannot be reached

Features = Callable[[int], Floats]
"""For a decision, [statistics, actions]: f of each action."""


class _Decision(NamedTuple):
    played: Floats  # [boards, actions, hands] the reference
    met: Floats  # [boards, hands] m
    features: Floats  # [statistics, actions]


@dataclass(frozen=True, eq=False)
class Nearest:
    """The strategy of a seat with the wanted statistics."""

    rows: AnyArray  # the seat's part of a policy
    divergence: float  # in nats a hand
    multipliers: Floats
    off: Floats  # [statistics] the expected f, near 0


def nearest_strategy(game: VectorGame, policy: Policy, seat: int, statistics: int, features: Features) -> Nearest:
    """The nearest strategy of a seat to its part of a policy in which every statistic's expected f is 0."""
    walk = _Nearest(game, policy, seat, statistics, features)
    x = np.zeros(statistics)
    value, slope = walk.dual(x)
    for _ in range(STEPS):
        if np.abs(slope).max(initial=0.0) <= CLOSE:
            break
        step = _newton(walk, x, slope)
        size = 1.0
        while size > 1e-6:
            after, steeper = walk.dual(x + size * step)
            if after >= value + 1e-4 * size * float(slope @ step) - 1e-12:
                break
            size /= 2.0
        x, value, slope = x + size * step, after, steeper
        if np.abs(x).max(initial=0.0) > FARTHEST:
            break
    if np.abs(slope).max(initial=0.0) > 1e3 * CLOSE:
        raise UserError(
            "no strategy has all of these statistics in this spot: move the most extreme one or leave it out"
        )
    rows = walk.strategy(x)
    return Nearest(rows, value + float(x @ -slope), x, -slope)


def _newton(walk: _Nearest, x: Floats, slope: Floats) -> Floats:
    """An ascent step: Newton's, with second derivatives from differences of slopes."""
    n, tiny = len(x), 1e-4
    bend = np.stack([(walk.dual(x + tiny * unit)[1] - slope) / tiny for unit in np.eye(n)])
    curve = -(bend + bend.T) / 2.0
    values, vectors = np.linalg.eigh(curve)
    step = vectors @ ((vectors.T @ slope) / np.maximum(np.abs(values), 1e-9))
    longest = np.abs(step).max(initial=0.0)
    return np.asarray(step * min(1.0, LONGEST / longest) if longest else step)


class _Nearest:
    """Dynamic programming over the betting and the boards, all boards of a street together."""

    def __init__(self, game: VectorGame, policy: Policy, seat: int, statistics: int, features: Features) -> None:
        self.game, self.seat, self.statistics = game, seat, statistics
        self.decisions: dict[int, _Decision] = {}
        parts: dict[int, list[tuple[Floats, Floats]]] = {}
        showdown = game.showdown
        assert isinstance(showdown, Sorted)
        for place in decisions_reached(game, policy):
            if game.betting.player[place.node] == seat:
                street = int(game.betting.street[place.node])
                alive = np.zeros_like(place.met)
                for i, board in enumerate(range(place.boards.start, place.boards.stop)):
                    alive[i, showdown.alive(seat, street, board)] = 1.0
                met = place.met * alive * float(game.chance[street]) / game.mass
                parts.setdefault(place.node, []).append((place.probabilities, met))
        for node, pieces in parts.items():
            played, met = (np.concatenate(arrays) for arrays in zip(*pieces, strict=True))
            mixed = (1.0 - MIXED) * played + MIXED / played.shape[1]
            self.decisions[node] = _Decision(mixed, met, features(node))

    def dual(self, x: Floats) -> tuple[float, Floats]:
        """The dual function and its slope."""
        root = self._walk(x, None)[0]
        total = np.einsum("h,ch->c", self.game.weights[self.seat], root)
        return float(total[0]), np.asarray(total[1:])

    def strategy(self, x: Floats) -> AnyArray:
        """The seat's part of a policy that is best for these multipliers."""
        rows = np.zeros(int(self.game.layout[self.seat][-1]), dtype=np.float64)
        self._walk(x, rows)
        return rows

    def _walk(self, x: Floats, rows: AnyArray | None) -> Floats:
        """[boards, channels, hands] at the root: the cost, then the expected -f of each statistic, times m."""
        game, betting, rounds, hands = (
            self.game,
            self.game.betting,
            self.game.rounds,
            self.game.showdown.sizes[self.seat],
        )
        entered: dict[int, Floats] = {}
        for s in range(game.streets - 1, -1, -1):
            boards = len(game.boards.levels[s])
            below, value = self._dealt(s, entered), dict[int, Floats]()
            none = np.zeros((boards, 1 + self.statistics, hands))
            for node in range(int(betting.start[s + 1]) - 1, int(betting.start[s]) - 1, -1):
                first, count = int(betting.child[node]), int(betting.count[node])
                if betting.player[node] == DEAL:
                    value[node] = below.get(node, none)
                elif betting.player[node] > DEAL or not count:
                    value[node] = none
                elif betting.player[node] != self.seat:
                    value[node] = sum((value.pop(c) for c in range(first, first + count)), none)
                else:
                    actions = np.stack([value.pop(c) for c in range(first, first + count)], axis=1)
                    value[node], chosen = self._choose(self.decisions[node], x, actions)
                    if rows is not None:
                        begin = int(rounds.row[node])
                        street_of(game, rows, self.seat, s)[:, begin : begin + count] = chosen
            entered = {int(node): value[int(node)] for node in betting.entries[s]}
        return entered[0]

    def _choose(self, here: _Decision, x: Floats, below: Floats) -> tuple[Floats, Floats]:
        """[boards, channels, hands] at a decision from [boards, actions, channels, hands] below it, and the choice."""
        met = here.met[:, None]
        after = np.divide(below[:, :, 0], met, out=np.zeros_like(below[:, :, 0]), where=met > 0.0)
        logs = np.log(here.played) + (x @ here.features)[:, None] - after
        top = logs.max(axis=1, keepdims=True)
        terms = np.exp(logs - top)
        total = terms.sum(axis=1, keepdims=True)
        chosen = terms / total
        out = np.einsum("bah,bach->bch", chosen, below)
        out[:, 0] = -(top + np.log(total))[:, 0] * here.met
        out[:, 1:] -= np.einsum("bah,ca,bh->bch", chosen, here.features, here.met)
        return out, chosen

    def _dealt(self, s: int, entered: dict[int, Floats]) -> dict[int, Floats]:
        """The values of the deals of a street from those of the entries of the next one, all its boards added up."""
        game, out = self.game, dict[int, Floats]()
        if s + 1 >= game.streets:
            return out
        level = game.boards.levels[s + 1]
        showdown = game.showdown
        for entry, value in entered.items():
            total = np.zeros((len(game.boards.levels[s]), *value.shape[1:]))
            for board in range(len(level)):
                for renaming in level.renamings(board):
                    total[int(level.parent[board])] += value[board][:, showdown.renamed(self.seat, int(renaming))]
            out[int(game.betting.parent[entry])] = total
        return out
