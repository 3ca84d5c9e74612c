"""Blockers: how the cards of a player's hand change what the opponent holds and does.

A player who holds a card knows that the opponent does not. Three exact numbers describe the effect, each the
difference between the frequencies with and without that knowledge:

- `blocked`: the fraction of the opponent's hands that contain one of the cards;
- `holds`: the change in the frequency of each made hand (`headsup.evaluate.categories`);
- `answers`: for every action after which the opponent acts at once, the change in the frequency of each answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from headsup.cards.cards import cards_in, mask_of
from headsup.cards.combos import combo_masks, holdem_combos
from headsup.common.arrays import AnyArray, Floats
from headsup.evaluate.categories import MADE, hand_categories


class OpponentDecision(NamedTuple):
    """The opponent's strategy after one action."""

    actions: tuple[str, ...]
    frequencies: Floats  # [actions, hands]


@dataclass(frozen=True, eq=False)
class Opponent:
    """The hands with which the opponent reaches a decision, and their next decisions."""

    board: tuple[int, ...]
    combos: AnyArray  # [hands] as colex numbers of two-card hands
    reach: Floats  # [hands] the weight of a hand in the range times how often its own actions lead here
    answers: Mapping[str, OpponentDecision]
    """By the action that they answer; actions that end the hand or the street have no answer."""

    @cached_property
    def made(self) -> AnyArray:
        """[hands] the made hand of each, as an index into MADE."""
        return hand_categories(self.board, holdem_combos()[self.combos]).made

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """The cards of the opponent's hands."""
        return cards_in(mask_of(holdem_combos()[self.combos[self.reach > 0.0]].ravel().tolist()))

    def frequencies(self, held: int = 0) -> dict[str, Any]:
        """What the opponent holds and answers without hands that share a card with the mask `held`."""
        weight = np.where(combo_masks(2)[self.combos] & np.uint64(held) == 0, self.reach, 0.0)
        total = weight.sum()
        if not total > 0.0:
            return {"left": 0.0, "holds": None, "answers": None}
        kinds = np.bincount(self.made, weight, len(MADE)) / total
        answers = {
            action: dict(zip(answer.actions, (answer.frequencies @ weight / total).tolist(), strict=True))
            for action, answer in self.answers.items()
        }
        holds = {name: float(share) for name, share in zip(MADE, kinds, strict=True) if self._has[MADE.index(name)]}
        return {"left": float(total / self.reach.sum()), "holds": holds, "answers": answers}

    @cached_property
    def _has(self) -> AnyArray:
        return np.bincount(self.made, self.reach, len(MADE)) > 0.0

    def blocked_by(self, held: int) -> dict[str, Any]:
        """What holding the cards of a mask changes; `holds` and `answers` are None where no hand is left."""
        before, after = self.frequencies(), self.frequencies(held)
        if after["holds"] is None:
            return {"blocked": 1.0, "holds": None, "answers": None}
        answers = {action: _less(after["answers"][action], answer) for action, answer in before["answers"].items()}
        return {"blocked": 1.0 - after["left"], "holds": _less(after["holds"], before["holds"]), "answers": answers}


def _less(after: Mapping[str, float], before: Mapping[str, float]) -> dict[str, float]:
    return {name: after[name] - share for name, share in before.items()}


def effect(row: Mapping[str, Any]) -> float:
    """The size of a change: the largest of an answer, or of a made hand where there is nothing to answer."""
    if row["holds"] is None:
        return 1.0
    changes = [abs(x) for answers in row["answers"].values() for x in answers.values()]
    return max(changes or [abs(x) for x in row["holds"].values()], default=0.0)
