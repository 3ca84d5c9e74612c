"""The betting of a flop, solved without buckets and depth-limited: where it ends, hands have the values of
`headsup.nolimit.leaves`.

CFR runs for both players' flop strategies and, at each leaf, for the opponent's choice of a continuation, hand by hand:
a strategy must do well against each of them, not only against an opponent who follows the blueprint. That choice is
matched to the regrets as if the last ones came again, or it would swing between two continuations.
"""

from __future__ import annotations

import time

import numpy as np

from headsup.common.arrays import Floats
from headsup.games.holdem.layout import CLOSE, OPEN, Rule
from headsup.games.holdem.vector import ArrayStrategy, VectorGame
from headsup.games.walk.piecewalk import PieceWalker, root_reach
from headsup.games.walk.walk import LEARN, MIX, NO_RULE, check_kernels
from headsup.nolimit.leaves import CONTINUATIONS, LeafValues
from headsup.solve.holdem.resolve import Resolved
from headsup.solve.holdem.store import Stores
from headsup.solve.records.matching import regret_matching
from headsup.solve.records.settings import Settings

SETTINGS = Settings(positive=0.7, negative=0.7, averaging=4.0)
"""Regrets are forgotten faster than elsewhere: with few iterations this leaves a fraction (docs/nolimit.md)."""
LEAST = 10  # iterations that are made however late it is: after the first all actions are still alike


def solve_flop(
    game: VectorGame, leaves: LeafValues, iterations: int, until: float | None = None, settings: Settings = SETTINGS
) -> Resolved:
    """Solve a game of one street, whose deals are the leaves, for their player; `until` is as in `resolve`."""
    seat, other = leaves.seat, 1 - leaves.seat
    stores = Stores(game, "float32")
    walk, policy = PieceWalker(game, np.float32), stores.policy(average=False)
    reach = root_reach(game, np.float32)
    hands, choices = check_kernels(game), (len(leaves.leaves), len(CONTINUATIONS), game.showdown.sizes[other])
    regret, chosen = np.zeros(choices), np.full(choices, 1.0 / len(CONTINUATIONS))
    made = 0
    for turn, (keep, shrink, weight) in enumerate(settings.schedule(0, iterations).tolist()):
        if turn >= LEAST and until is not None and time.monotonic() >= until:
            break
        made += 1
        rule = Rule(keep, shrink, weight, False, False, turn)
        for p in (seat, other):
            walk.begin(hands, reach)
            walk.stage(OPEN, p, LEARN, policy, stores.seats, rule)
            met = walk.leaving(1 - p)
            if p == seat:
                values = leaves.own((met[:, None] * chosen).astype(np.float32)) / game.mass
            else:
                each = leaves.theirs(met) / game.mass
                values = (each * chosen).sum(axis=1)
                last = each - values[:, None]
                regret += last
                regret *= np.where(regret > 0.0, keep, shrink)
                chosen = regret_matching(regret + last, axis=1)
            walk.put(values.astype(np.float32))
            walk.stage(CLOSE, p, LEARN, policy, stores.seats, rule)
    return Resolved(ArrayStrategy(game, stores.policy(average=True)), np.ones(choices[2]), made)


def flop_values(game: VectorGame, leaves: LeafValues, strategy: ArrayStrategy) -> Floats:
    """[nodes, hands]: what the player's hands earn from each node on if both follow a strategy, then the blueprint.

    In chips since the street began, times the weight of the opponent's hands that get there.
    """
    seat, policy = leaves.seat, strategy.policy
    walk = PieceWalker(game, np.float32)
    stores = walk._read_only(policy)
    walk.begin(check_kernels(game), root_reach(game, np.float32))
    walk.stage(OPEN, seat, MIX, policy, stores, NO_RULE)
    met = walk.leaving(1 - seat)
    followed = np.zeros((len(met), len(CONTINUATIONS), met.shape[1]), np.float32)
    followed[:, CONTINUATIONS.index(None)] = met
    walk.put((leaves.own(followed) / game.mass).astype(np.float32))
    walk.stage(CLOSE, seat, MIX, policy, stores, NO_RULE)
    return walk.nodes(seat).astype(np.float64) * game.mass
