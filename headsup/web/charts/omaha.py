"""The 16,432 hand classes of Omaha as a list that can be searched, narrowed and sorted."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from headsup.cards.classes import omaha_class_of_combo
from headsup.cards.ranges import parse_range
from headsup.jamfold.answer import JamFoldAnswer
from headsup.jamfold.hands import Mask, class_name, class_sizes, omaha_groups
from headsup.web.asking import one_of, short

PAGE = 60  # classes that are shown at a time
SORTS = {
    "close": "closest decision",
    "jam_gain": "gain of a jam",
    "call_gain": "gain of a call",
    "jam": "jam frequency",
    "call": "call frequency",
    "hands": "combos",
    "hand": "name",
}
FAMILIES = {
    "aces": ("two or more aces", "one ace", "no ace"),
    "ranks": ("no pair", "one pair", "two pairs", "three or four of a rank"),
    "suits": ("double-suited", "two of a suit", "three or four of a suit", "rainbow"),
    "low cards": ("four low ranks", "three low ranks", "two low ranks", "at most one low rank"),
}
"""Partitions of all hands into groups."""


@cache
def labels() -> tuple[str, ...]:
    return tuple(class_name("omaha", index) for index in range(len(class_sizes("omaha"))))


@dataclass(frozen=True)
class Group:
    name: str
    share: float
    jam: float
    call: float


def tree(answer: JamFoldAnswer) -> dict[str, list[Group]]:
    sizes, groups = class_sizes(answer.game), omaha_groups()
    every = sizes.sum()

    def group(name: str) -> Group:
        size = sizes[groups[name]]
        jam, call = ((size * played[groups[name]]).sum() / size.sum() for played in (answer.jam, answer.call))
        return Group(name, float(size.sum() / every), float(jam), float(call))

    return {family: [group(name) for name in names] for family, names in FAMILIES.items()}


@dataclass(frozen=True)
class Row:
    """A hand class in the list; gains over folding in big blinds."""

    hand: str
    hands: int
    jam: float
    jam_gain: float
    call: float
    call_gain: float


@dataclass(frozen=True)
class Listed:
    """A page of the list, and totals of all listed classes."""

    rows: list[Row]
    classes: int
    hands: int
    jam: float
    call: float  # how often the listed hands are played, all of them together
    following: int | None  # where the next part begins


def listed(
    answer: JamFoldAnswer,
    *,
    search: str = "",
    group: str = "",
    sort: str = "close",
    turned: bool = False,
    start: int = 0,
) -> Listed:
    """The classes that match a range and a group, sorted, from `start` on."""
    sizes = class_sizes(answer.game)
    kept = _matching(answer.game, short(search, "the search")) if search.strip() else np.ones(len(sizes), dtype=bool)
    if group:
        kept = kept & omaha_groups()[one_of(group, tuple(omaha_groups()), "a group")]
    gains = {seat: np.nan_to_num(answer.ev(seat) - answer.ev_fold(seat)) for seat in ("sb", "bb")}
    keys = {
        "jam_gain": -gains["sb"],
        "call_gain": -gains["bb"],
        "jam": -answer.jam,
        "call": -answer.call,
        "close": np.minimum(np.abs(gains["sb"]), np.abs(gains["bb"])),
        "hands": -sizes,
        "hand": np.arange(len(sizes)),
    }
    key = keys[one_of(sort, tuple(SORTS), "the order")]
    order = np.argsort(-key if turned else key, kind="stable")
    order = order[kept[order]]
    names, total = labels(), int(sizes[order].sum())
    start = max(0, min(start, len(order)))
    rows = [
        Row(
            names[i],
            int(sizes[i]),
            float(answer.jam[i]),
            float(gains["sb"][i]),
            float(answer.call[i]),
            float(gains["bb"][i]),
        )
        for i in order[start : start + PAGE].tolist()
    ]
    jam, call = (float((sizes * often)[order].sum() / total) if total else 0.0 for often in (answer.jam, answer.call))
    after = start + PAGE
    return Listed(rows, len(order), total, jam, call, after if after < len(order) else None)


def _matching(game: str, text: str) -> Mask:
    inside = parse_range(text, game).weights > 0
    return np.asarray(np.bincount(omaha_class_of_combo()[inside], minlength=len(class_sizes(game))) > 0)
