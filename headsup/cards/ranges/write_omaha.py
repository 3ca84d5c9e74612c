"""Omaha hands as patterns.

Classes whose hands all have the same weight are covered greedily: first by patterns of ranks alone, the widest first
(`AA` before `KQJ` before `KQJT`, with `$np`, `$op` or `$tp` where that helps), then by ranks with one of the five suit
macros, and the rest class by class (`AxKxQyJy`). A pattern is used only if every hand it fits belongs, so overlaps do
no harm. Hands of other classes are written card by card. If most hands belong, the complement may be shorter: `!AA`.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import RANKS, cards_name
from headsup.cards.classes import card_classes, omaha_class_of_combo, omaha_class_reps, omaha_class_starts
from headsup.cards.combos import omaha_combos
from headsup.cards.ranges.macros import match_macro
from headsup.cards.ranges.pattern import Mask
from headsup.cards.ranges.weights import Units, weights_in

SUIT_MACROS = ("$ds", "$ss", "$ts", "$ms", "$rb")
PAIR_MACROS = ("", "$np", "$op", "$tp")
FEW = 10  # a set of fewer classes is listed without a search for patterns


def omaha_tokens(units: Units) -> dict[int, list[str]]:
    """For each weight above zero, heaviest first, texts that together name exactly the hands that have it."""
    per_class, whole = _by_class(units)
    least = np.where(whole, per_class, 0)
    broken = np.flatnonzero(~whole[omaha_class_of_combo()] & (units > 0))
    groups: dict[int, list[str]] = {weight: [] for weight in weights_in(units)}
    for weight in weights_in(least)[::-1]:
        # Where texts overlap the heavier weight holds, so a text may also fit heavier hands.
        groups[weight] += _class_tokens(least >= weight, whole & (per_class == weight))
    rows = omaha_combos()[broken].tolist()
    for weight, cards in zip(units[broken].tolist()[::-1], rows[::-1], strict=True):
        groups[weight].append(cards_name(reversed(cards)))
    return groups


def _by_class(units: Units) -> tuple[Units, Mask]:
    """The weight of each class, and whether all its hands have it."""
    classes = card_classes(4)
    per_class = np.zeros(len(classes.sizes), dtype=np.int32)
    per_class[classes.of_combo] = units
    differs = classes.of_combo[per_class[classes.of_combo] != units]
    whole = np.ones(len(per_class), dtype=np.bool_)
    whole[differs] = False
    return per_class, whole


def _class_tokens(members: Mask, wanted: Mask) -> list[str]:
    """Texts that fit every wanted class and none outside `members`."""
    if members.all():
        return ["random"]
    direct = _cover_all(members, wanted)
    if 2 * members.sum() <= len(members):
        return direct
    others = _cover_all(~members, ~members)
    inverse = f"!{others[0]}" if len(others) == 1 else f"!({','.join(others)})"
    return direct if len(",".join(direct)) <= len(inverse) else [inverse]


def _cover_all(members: Mask, wanted: Mask) -> list[str]:
    left = wanted.copy()
    tokens = []
    if wanted.sum() >= FEW:
        for macro in ("", *SUIT_MACROS):
            tokens += _cover(members, left, macro)
    return tokens + [_class_pattern(cards) for cards in omaha_class_reps()[left][::-1].tolist()]


def _cover(members: Mask, left: Mask, macro: str) -> list[str]:
    """Rank patterns, with a suit macro or without, that lie in `members`; what they cover is struck from `left`."""
    names, patterns = _rank_patterns()
    kind = match_macro(macro, 4) if macro else np.ones(len(members), dtype=np.bool_)
    assert kind is not None, "the suit macros are macros"
    starts = omaha_class_starts()
    missing, uncovered = (np.packbits(np.add.reduceat(kind & classes, starts[:-1]) > 0) for classes in (~members, left))
    covered = np.zeros_like(uncovered)
    tokens = []
    inside = np.flatnonzero(~(patterns & missing).any(axis=1))
    for index in inside[(patterns[inside] & uncovered).any(axis=1)].tolist():
        if (patterns[index] & uncovered).any():
            tokens.append(names[index] + macro)
            covered |= patterns[index]
            uncovered &= ~patterns[index]
    multisets = np.unpackbits(covered, count=len(starts) - 1).view(np.bool_)
    left &= ~(kind & np.repeat(multisets, np.diff(starts)))
    return tokens


@cache
def _rank_patterns() -> tuple[list[str], npt.NDArray[np.uint8]]:
    """Every list of up to four ranks, the widest first, and a bit for each rank multiset that contains it."""
    starts = omaha_class_starts()[:-1]
    counts = ((card_classes(4).reps[starts] >> 2)[:, :, None] == np.arange(13)).sum(axis=1)
    at_least = np.packbits(counts.T[:, None] >= np.arange(5)[:, None], axis=2)
    shapes = [match_macro(macro, 4) if macro else None for macro in PAIR_MACROS]
    every = [at_least[0, 0] if shape is None else np.packbits(shape[starts]) for shape in shapes]
    names: list[str] = []
    parts: list[npt.NDArray[np.uint8]] = []
    fits: dict[tuple[int, ...], npt.NDArray[np.uint8]] = {(): at_least[0, 0]}
    for size in range(5):
        if size:  # a pattern fits where it does without its last rank, and there are enough of that one
            longer = combinations_with_replacement(range(12, -1, -1), size)
            fits = {ranks: fits[ranks[:-1]] & at_least[ranks[-1], ranks.count(ranks[-1])] for ranks in longer}
        words, table = ["".join(RANKS[rank] for rank in pattern) for pattern in fits], np.stack(list(fits.values()))
        for macro, shape in zip(PAIR_MACROS if size < 4 else ("",), every, strict=False):
            names += [word + macro for word in words]
            parts.append(table & shape)
    # A pattern that no hand fits, such as AA$np, would be an error to write.
    rows = np.concatenate(parts)
    reach = np.bitwise_count(rows).sum(axis=1, dtype=np.int64)
    order = [i for i in np.argsort(-reach, kind="stable").tolist() if reach[i]]
    return [names[i] for i in order], rows[order]


def _class_pattern(cards: list[int]) -> str:
    """One class as ranks with suit variables: `AxKxQyJy`."""
    seen: list[int] = []
    text = ""
    for card in reversed(cards):
        if card & 3 not in seen:
            seen.append(card & 3)
        text += RANKS[card >> 2] + "xyzw"[seen.index(card & 3)]
    return text
