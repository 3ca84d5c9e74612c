"""Agents whose policy is asked hand by hand: answers for a whole range are kept, as local best response needs them."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from headsup.cards.combos import combos
from headsup.common.arrays import Floats
from headsup.play.table.agent import Mixed
from headsup.play.table.rules import Action, PlayerView

MOST_KEPT = 4096  # decisions


class AskedAgent(Mixed):
    """A `Mixed` agent that is asked once for each hand at a decision, and not for hands that the board excludes."""

    @cached_property
    def _kept(self) -> dict[tuple[object, ...], dict[Action, Floats]]:
        return {}

    def hand_probabilities(self, view: PlayerView, action: Action) -> Floats:
        key = (view.table, view.seat, view.board, view.steps)
        if key not in self._kept:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[key] = self._whole_range(view)
        rows = self._kept[key]
        return rows[action] if action in rows else np.zeros(len(combos(2)))

    def _whole_range(self, view: PlayerView) -> dict[Action, Floats]:
        """[1326] the probability of each action."""
        rows: dict[Action, Floats] = {}
        for number, hole in enumerate(combos(2).tolist()):
            if hole[0] not in view.board and hole[1] not in view.board:
                for action, probability in self.probabilities(view._replace(hole=tuple(hole))):
                    rows.setdefault(action, np.zeros(len(combos(2))))[number] = probability
        return rows
