"""The usual hold'em shorthands: `77`, `22+`, `77-55`, `AK`, `AKs`, `KTo+`, `AKs-ATs`, `T9s-65s`.

A plus raises a pair up to aces, and the lower card of any other hand up to just below the higher card. A span keeps
the higher card and moves the lower one, or moves both together. A trailing minus is the plus the other way round,
down to a deuce.
"""

from __future__ import annotations

import re

import numpy as np

from headsup.cards.cards import RANKS
from headsup.cards.classes import card_classes
from headsup.cards.ranges.lexer import Item, rank_of_letter
from headsup.cards.ranges.pattern import ACE, Mask

_RANK = f"[{RANKS}{RANKS.lower()}]"
_HAND = rf"({_RANK})({_RANK})([soSO]?)"
_SHORTHAND = re.compile(rf"{_HAND}(?:([+-])|-{_HAND})?")


def is_shorthand(text: str) -> bool:
    """Whether the text is one of the shorthands."""
    return _SHORTHAND.fullmatch(text) is not None


def match_shorthand(item: Item) -> Mask:
    """Which of the 169 classes (of `card_classes(2)`) a shorthand names."""
    match = _SHORTHAND.fullmatch(item.text)
    assert match is not None, "the caller has asked is_shorthand"
    first, second, kind, sign, first_end, second_end, kind_end = match.groups()
    high, low = _ranks(item, first, second, kind)
    if sign is None and first_end is None:
        pairs = [(high, low)]
    elif sign is not None:
        pairs = _open_span(high, low, sign)
    else:
        if kind_end.lower() != kind.lower():
            raise item.error(
                f"the two ends of '{item.text}' differ in suits: write s, o or nothing at both", match.start(5)
            )
        pairs = _span(item, (high, low), _ranks(item, first_end, second_end, kind, match.start(5)), match.start(5))
    return _classes(pairs, kind.lower())


def _ranks(item: Item, first: str, second: str, kind: str, at: int = 0) -> tuple[int, int]:
    low, high = sorted((rank_of_letter(first), rank_of_letter(second)))
    if low == high and kind:
        raise item.error(f"a pair is neither suited nor offsuit: write {first}{second}", at + 2)
    return high, low


def _open_span(high: int, low: int, sign: str) -> list[tuple[int, int]]:
    if sign == "+":
        return [(r, r) for r in range(low, ACE + 1)] if high == low else [(high, r) for r in range(low, high)]
    return [(r, r) for r in range(low + 1)] if high == low else [(high, r) for r in range(low + 1)]


def _span(item: Item, start: tuple[int, int], end: tuple[int, int], at: int) -> list[tuple[int, int]]:
    upper, lower = max(start, end), min(start, end)
    steps = upper[1] - lower[1]
    if upper[0] == lower[0] and upper[0] != upper[1] and lower[0] != lower[1]:
        return [(upper[0], lower[1] + i) for i in range(steps + 1)]
    if upper[0] - lower[0] == steps:
        return [(lower[0] + i, lower[1] + i) for i in range(steps + 1)]
    raise item.error(
        f"'{item.text}' is not a span: keep the higher card (AKs-ATs) or move both by the same steps (77-55, T9s-65s)",
        at,
    )


def _classes(pairs: list[tuple[int, int]], kind: str) -> Mask:
    reps = card_classes(2).reps
    low, high = (reps >> 2).T
    suited = reps[:, 0] & 3 == reps[:, 1] & 3
    wanted = np.zeros((13, 13), dtype=np.bool_)
    wanted[tuple(np.array(pairs).T)] = True
    classes: Mask = wanted[high, low]
    return classes & (suited if kind == "s" else ~suited) if kind else classes
