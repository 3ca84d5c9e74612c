"""Hands of a decision that are alike: the same ranks, made hand, low and draws, so that they differ in suits alone; and
the best and the worst such groups of each action.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from headsup.cards.combos import combos
from headsup.cards.games import hand_size
from headsup.common.arrays import AnyArray, Floats
from headsup.spots.view import SpotView

MOSTLY = 0.5  # the least frequency of a hand that is one of an action's


@dataclass(frozen=True, eq=False)
class HandGroups:
    """Groups of hands at a decision, each as the weighted mean of its hands. Arrays are by group."""

    view: SpotView
    example: AnyArray  # the hand with the largest weight
    combos: Floats  # the reach of its hands
    weights: Floats  # the fraction of the range
    frequencies: Floats  # [actions, groups]
    ev: Floats  # [actions, groups]
    value: Floats
    equity: Floats

    def row(self, group: int) -> dict[str, Any]:
        """One group: an example with its category, `combos`, `frequencies` and `ev` by action, `value`, `equity`."""
        hand, actions = int(self.example[group]), self.view.actions

        def by_action(values: Floats) -> Mapping[str, float]:
            return dict(zip(actions, values[:, group].tolist(), strict=True))

        return {
            "hand": self.view.hands[hand],
            "combos": float(self.combos[group]),
            "category": self.view.kinds.words(hand),
            "frequencies": by_action(self.frequencies),
            "ev": by_action(self.ev),
            "value": float(self.value[group]),
            "equity": float(self.equity[group]),
        }


def alike(view: SpotView) -> AnyArray:
    """[hands] a number that hands of the same ranks and the same category share."""
    kinds = view.kinds
    ranks = np.sort(combos(hand_size(view.game))[view.combos] >> 2, axis=1).astype(np.int64)
    key = np.asarray(kinds.made, dtype=np.int64)
    if kinds.low is not None:
        key = key << 8 | kinds.low
    for column in (*kinds.draws.T, *ranks.T):
        key = key << (1 if column.dtype == bool else 4) | column
    return key


def hand_groups(view: SpotView, chosen: AnyArray) -> HandGroups:
    """The chosen hands, as numbers, in groups; hands without a weight are left out."""
    hands = chosen[view.weights[chosen] > 0.0]
    group = np.unique(alike(view)[hands], return_inverse=True)[1]
    count = int(group.max()) + 1 if len(group) else 0
    weight = view.weights[hands]
    total: Floats = np.bincount(group, weight, count).astype(np.float64)
    reach: Floats = np.bincount(group, view.reach[hands], count).astype(np.float64)

    def mean(values: Floats) -> Floats:
        return np.bincount(group, weight * values[hands], count) / total

    example = np.empty(count, dtype=np.int64)
    order = np.argsort(weight, kind="stable")
    example[group[order]] = hands[order]  # of equal numbers the last one stays
    return HandGroups(
        view,
        example,
        reach,
        total,
        np.stack([mean(row) for row in view.frequencies]),
        np.stack([mean(row) for row in view.ev]),
        mean(view.value),
        mean(view.equity),
    )


def extremes(view: SpotView, number: int = 5) -> list[dict[str, Any]]:
    """For each action `best` and `worst`: so many groups of the hands that mostly take it, by equity.

    A group has `hand` (an example), `combos` (its reach), `category`, `frequency` of the action, `ev` of it and
    `equity`. Hands without a reach or an opponent are left out.
    """
    rows = []
    for action, often in zip(view.actions, view.frequencies, strict=True):
        groups = hand_groups(view, np.flatnonzero((often >= MOSTLY) & (view.equity >= 0.0)))
        order = np.argsort(-groups.equity, kind="stable").tolist()
        figures = [_figures(groups.row(i), action) for i in (*order[:number], *order[number:][-number:][::-1])]
        rows.append({"action": action, "best": figures[:number], "worst": figures[number:]})
    return rows


def _figures(row: dict[str, Any], action: str) -> dict[str, Any]:
    shown = {key: row[key] for key in ("hand", "combos", "category")}
    return {**shown, "frequency": row["frequencies"][action], "ev": row["ev"][action], "equity": row["equity"]}
