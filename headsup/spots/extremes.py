"""The best and the worst hands of each action at a decision: hands of the same ranks and category are one row."""

from __future__ import annotations

from typing import Any

import numpy as np

from headsup.spots.groups import hand_groups
from headsup.spots.view import SpotView

MOSTLY = 0.5  # the least frequency of a hand that is one of an action's


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
