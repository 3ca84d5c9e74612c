"""The best and the worst hands of each action at a decision: hands of the same ranks and category are one row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from headsup.common.arrays import AnyArray
from headsup.spots.view import SpotView

MOSTLY = 0.5  # the least frequency of a hand that is one of an action's


def extremes(view: SpotView, number: int = 5) -> list[dict[str, Any]]:
    """For each action `best` and `worst`: so many groups of the hands that mostly take it, by equity.

    A group has `hand` (an example), `combos` (its reach), `category`, `frequency` of the action, `ev` of it and
    `equity`. Hands without a reach or an opponent are left out.
    """
    here = np.flatnonzero((view.weights > 0.0) & (view.equity >= 0.0))
    words, rows = _words(view), []
    for action, often, ev in zip(view.actions, view.frequencies, view.ev, strict=True):
        groups: dict[tuple[str, str], list[int]] = {}
        for hand in here[often[here] >= MOSTLY].tolist():
            groups.setdefault((view.hands[hand][::2], words(hand)), []).append(hand)
        figures = [_figures(view, category, np.array(hands), often, ev) for (_, category), hands in groups.items()]
        figures.sort(key=lambda row: -row["equity"])
        rows.append({"action": action, "best": figures[:number], "worst": figures[number:][-number:][::-1]})
    return rows


def _words(view: SpotView) -> Callable[[int], str]:
    """The category of a hand in words; those of equal categories are written once."""
    kinds, known = view.kinds, dict[bytes, str]()
    low = np.zeros((len(kinds.made), 0), dtype=np.uint8) if kinds.low is None else kinds.low[:, None]
    keys = np.hstack([kinds.made[:, None], low, kinds.draws.astype(np.uint8)])

    def words(hand: int) -> str:
        key = keys[hand].tobytes()
        if key not in known:
            known[key] = kinds.words(hand)
        return known[key]

    return words


def _figures(view: SpotView, category: str, hands: AnyArray, often: AnyArray, ev: AnyArray) -> dict[str, Any]:
    share = view.weights[hands] / view.weights[hands].sum()
    means = {"frequency": often, "ev": ev, "equity": view.equity}
    return {
        "hand": view.hands[int(hands[np.argmax(share)])],
        "combos": float(view.reach[hands].sum()),
        "category": category,
        **{name: float(share @ values[hands]) for name, values in means.items()},
    }
