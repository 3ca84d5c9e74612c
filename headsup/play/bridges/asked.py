"""Agents whose policy is asked hand by hand: local best response needs the answers of a whole range.

A decision is asked only for hands that may be held there, once each, and the answers are kept. A policy with
`range_probabilities(view)` answers for all hands at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.cards.combos import combos
from headsup.common.arrays import Floats
from headsup.common.errors import UserError
from headsup.play.table.agent import Mixed
from headsup.play.table.real import free_of
from headsup.play.table.rules import Action, PlayerView

MOST_KEPT = 4096  # decisions
TOLERANCE = 1e-6  # of a sum of probabilities


class HandAnswers:
    """The answers at one decision so far."""

    def __init__(self) -> None:
        self.asked = np.zeros(len(combos(2)), dtype=np.bool_)
        self.rows: dict[Action, Floats] = {}

    def row(self, action: Action) -> Floats:
        """[1326] the probability of an action."""
        return self.rows.setdefault(action, np.zeros(len(combos(2))))


class AskedAgent(Mixed):
    """A `Mixed` agent that is asked once for each hand at a decision."""

    @cached_property
    def _kept(self) -> dict[tuple[object, ...], HandAnswers]:
        return {}

    def range_probabilities(self, view: PlayerView) -> dict[Action, Floats]:
        return dict(self._answered(view, free_of(view.board)).rows)

    def narrow(self, view: PlayerView, action: Action, reach: Floats) -> Floats:
        return reach * self._answered(view, (reach > 0.0) & free_of(view.board)).row(action)

    def range_answers(self, view: PlayerView) -> Mapping[Action, Any] | None:
        """[1326] probabilities by action, if the policy answers for all hands at once."""
        return None

    def _answered(self, view: PlayerView, hands: npt.NDArray[np.bool_]) -> HandAnswers:
        """The answers at a decision, with these hands among them."""
        key = (view.table, view.seat, view.board, view.steps)
        if key not in self._kept:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[key] = HandAnswers()
        answers = self._kept[key]
        missing = np.flatnonzero(hands & ~answers.asked)
        if len(missing):
            whole = self.range_answers(view)
            if whole is None:
                self._ask(view, missing.tolist(), answers)
            else:
                _take(whole, view, answers)
        return answers

    def _ask(self, view: PlayerView, hands: list[int], answers: HandAnswers) -> None:
        holes, rows = combos(2)[hands].tolist(), answers.rows
        table, seat, _, board, state, legal, steps = view
        for number, (low, high) in zip(hands, holes, strict=True):
            seen = PlayerView(table, seat, (low, high), board, state, legal, steps)
            for action, probability in self.probabilities(seen):
                if action not in rows:
                    answers.row(action)
                rows[action][number] = probability
        answers.asked[hands] = True


def _take(whole: Mapping[Action, Any], view: PlayerView, answers: HandAnswers) -> None:
    """Answers for all hands, checked."""
    possible = free_of(view.board)
    total = np.zeros(len(possible))
    for action, values in whole.items():
        row = np.asarray(values, dtype=np.float64)
        if row.shape != possible.shape or not np.isfinite(row).all() or (row < 0.0).any():
            raise UserError(f"range_probabilities gives no {len(possible):,} probabilities of 0 or more for {action}")
        answers.row(action)[:] = np.where(possible, row, 0.0)
        total += row
    if (np.abs(total[possible] - 1.0) > TOLERANCE).any():
        raise UserError("range_probabilities: the probabilities of each hand must sum to 1")
    answers.asked[:] = True
