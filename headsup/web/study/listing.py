"""Omaha hands at a decision as a list to search: hands that differ in suits alone are one row."""

from typing import Any

import numpy as np

from headsup.cards.ranges import parse_range
from headsup.common.arrays import AnyArray
from headsup.common.errors import UserError
from headsup.spots.groups import HandGroups, alike, hand_groups
from headsup.spots.view import SpotView
from headsup.web.asking import short
from headsup.web.study.walking import hand_rows

SHOWN = 50  # rows of the list
MOST_SUITS = 12  # hands of one row that are shown one by one
LOCKED_TEXT = 4000  # characters of a lock
PANELS = {"hands": "Categories", "extremes": "Best and worst", "ranges": "Opponent", "graph": "Equity graph"}


def listing(view: SpotView, find: str, only: AnyArray | None, order: str, locked: AnyArray | None) -> dict[str, Any]:
    """The first rows of a list: hands that a range text finds, in a category, the largest of a column first."""
    chosen, message = np.ones(len(view.hands), dtype=bool) if only is None else only, ""
    if find.strip():
        try:
            chosen = chosen & (parse_range(short(find, "the search"), view.game).weights[view.combos] > 0.0)
        except UserError as error:
            chosen, message = np.zeros(len(view.hands), dtype=bool), str(error)
    groups = hand_groups(view, np.flatnonzero(chosen))
    best = np.argsort(-_column(groups, order), kind="stable")[:SHOWN]
    held = set(alike(view)[locked].tolist()) if locked is not None else set()
    same = alike(view) if held else np.zeros(len(view.hands), dtype=np.int64)
    rows = [groups.row(i) | {"locked": int(same[groups.example[i]]) in held} for i in best.tolist()]
    return {
        "rows": rows,
        "groups": len(groups.weights),
        "combos": float(groups.combos.sum()),
        "share": float(groups.weights.sum()),
        "order": order if order in ("value", "equity", *view.actions) else "combos",
        "message": message,
    }


def _column(groups: HandGroups, order: str) -> AnyArray:
    if order in groups.view.actions:
        return np.asarray(groups.frequencies[groups.view.actions.index(order)])
    return {"value": groups.value, "equity": groups.equity}.get(order, groups.weights)


def picked(view: SpotView, hand: str) -> dict[str, Any]:
    """The hands of a row, one by one, and the text that locks all of them."""
    if hand not in view.hands:
        return {"hands": [], "alike": "", "left_out": 0}
    same = alike(view)
    members = np.flatnonzero((same == same[view.hands.index(hand)]) & (view.reach > 1e-9))
    order = members[np.argsort(-view.weights[members], kind="stable")].tolist()
    text = ",".join(view.hands[i] for i in order)
    return {
        "hands": hand_rows(view, order[:MOST_SUITS]),
        "alike": text if len(text) <= LOCKED_TEXT else hand,
        "left_out": max(0, len(order) - MOST_SUITS),
    }


def opponent_kinds(view: SpotView) -> dict[str, Any]:
    """What the opponent holds here: the fraction of each made hand."""
    other = view.opponent
    return {"combos": float(other.reach.sum()), "player": "ip" if view.player == "oop" else "oop",
            "holds": other.frequencies()["holds"] or {}}  # fmt: skip
