"""Blockers: what the opponent holds, and would answer, once some cards are in the other player's hand.

The opponent comes to a decision with some weight on each hand, and answers each action of the player to act in some
way. Whoever holds a card knows that no such hand has it: those hands are left out, and the rest counts by its weight.
Three exact numbers say what that changes, each a share with the cards held less the share with nothing known:

- `blocked`: the share of the opponent's hands that have one of the cards;
- `holds`: the change of the share of each made hand (`headsup.evaluate.categories`);
- `answers`: for every action after which the opponent acts at once, the change of how often each answer comes.
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


class Answer(NamedTuple):
    """How the opponent answers one action."""

    actions: tuple[str, ...]
    frequencies: Floats
    """[actions, hands]"""


@dataclass(frozen=True, eq=False)
class Opponent:
    """With what the player who does not act comes to a decision, hand by hand, and how they would go on."""

    board: tuple[int, ...]
    combos: AnyArray
    """[hands] as colex numbers of two-card hands."""
    reach: Floats
    """[hands] the weight of a hand in the range times how often its own actions lead here."""
    answers: Mapping[str, Answer]
    """By the action that they answer; actions that end the hand or the street have no answer."""

    @cached_property
    def made(self) -> AnyArray:
        """[hands] what each hand is, as a place in MADE."""
        return hand_categories(self.board, holdem_combos()[self.combos]).made

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """The cards that some hand has."""
        return cards_in(mask_of(holdem_combos()[self.combos[self.reach > 0.0]].ravel().tolist()))

    def shares(self, held: int = 0) -> dict[str, Any]:
        """What they hold and answer where none of their hands has a card of the mask `held`; None if none is left."""
        weight = np.where(combo_masks(2)[self.combos] & np.uint64(held) == 0, self.reach, 0.0)
        total = weight.sum()
        if not total > 0.0:
            return {"left": 0.0, "holds": None, "answers": None}
        kinds = np.bincount(self.made, weight, len(MADE)) / total
        answers = {
            action: dict(zip(one.actions, (one.frequencies @ weight / total).tolist(), strict=True))
            for action, one in self.answers.items()
        }
        holds = {name: float(share) for name, share in zip(MADE, kinds, strict=True) if self._has[MADE.index(name)]}
        return {"left": float(total / self.reach.sum()), "holds": holds, "answers": answers}

    @cached_property
    def _has(self) -> AnyArray:
        return np.bincount(self.made, self.reach, len(MADE)) > 0.0

    def blocked_by(self, held: int) -> dict[str, Any]:
        """What holding the cards of a mask changes; `holds` and `answers` are None where no hand is left at all."""
        before, after = self.shares(), self.shares(held)
        if after["holds"] is None:
            return {"blocked": 1.0, "holds": None, "answers": None}
        answers = {action: _less(after["answers"][action], one) for action, one in before["answers"].items()}
        return {
            "blocked": 1.0 - after["left"],
            "holds": _less(after["holds"], before["holds"]),
            "answers": answers,
        }


def _less(after: Mapping[str, float], before: Mapping[str, float]) -> dict[str, float]:
    return {name: after[name] - share for name, share in before.items()}


def effect(one: Mapping[str, Any]) -> float:
    """How much a card changes: the greatest change of an answer, or of a made hand where there is nothing to answer."""
    if one["holds"] is None:
        return 1.0
    changes = [abs(x) for answers in one["answers"].values() for x in answers.values()]
    return max(changes or [abs(x) for x in one["holds"].values()], default=0.0)
