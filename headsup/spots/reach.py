"""How often play comes to a decision, and strategies without the trembles that they were solved with.

Where an equilibrium never comes, any play is in equilibrium, and a solver leaves there what its first iterations did.
With trembles every action is taken with a small probability while solving, so every decision is reached and gets a best
answer to opponents who err. The trembles are then taken out again: where n actions are possible and one is played with
p = t + (1 - n t) q, the player means to play it with q = (p - t) / (1 - n t). The exploitability is that of q in the
real game.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from headsup.common.arrays import Floats
from headsup.games.holdem.showdown import CardShowdown
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.walk import Policy
from headsup.solve.records.matching import regret_matching
from headsup.solve.records.regrets import decisions_of, street_of

RARE = 0.001  # decisions that fewer deals reach are marked


def share_reached(game: VectorGame, seat: int, street: int, board: int, weights: Floats) -> float:
    """The fraction of deals on a board in which both players' actions lead to a decision.

    `weights` has for each hand of the seat its reach there times the weight of the opponent's hands that it meets.
    """
    showdown, dealt = game.showdown, []
    assert isinstance(showdown, CardShowdown)
    for player in (0, 1):
        dealt.append(np.zeros(showdown.sizes[player]))
        alive = showdown.alive(player, street, board)
        dealt[player][alive] = game.weights[player][alive]
    met = showdown.lines(seat, street, board, dealt[1 - seat][None], 0)[1][0]
    total = float(dealt[seat] @ met)
    return float(weights.sum()) / total if total > 0.0 else 0.0


class ReachedDecision(Protocol):
    """What is asked of a view of a decision (`headsup.spots.view.SpotView`)."""

    @property
    def actions(self) -> tuple[str, ...]: ...
    @property
    def reached(self) -> float: ...
    @property
    def totals(self) -> dict[str, Any]: ...


def rare_actions(view: ReachedDecision, threshold: float) -> list[str]:
    """Actions that lead where fewer than this fraction of all deals come, folds apart."""
    each = zip(view.actions, view.totals["frequencies"], strict=True)
    return [action for action, share in each if action != "fold" and not view.reached * share >= threshold]


def without_trembles(game: VectorGame, policy: Policy, tremble: float) -> Policy:
    """The strategies that players who tremble mean to play."""
    meant = policy[0].copy(), policy[1].copy()
    for seat in (0, 1):
        for _, street, rows in decisions_of(game, seat):
            part = street_of(game, meant[seat], seat, street)[:, rows]
            played = regret_matching(part, axis=1, dtype=np.float64)
            part[:] = np.maximum(played - tremble, 0.0) / (1.0 - tremble * played.shape[1])
    return meant
