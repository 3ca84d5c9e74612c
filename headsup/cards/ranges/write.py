"""A range to text that reads back to exactly the same weights.

Hands of equal weight are written together, heaviest first: hold'em as shorthands (`22+,AKs:0.5`), Omaha as patterns
(`AA,(KK$ds,QQ$ds)@50`), the widest first, each used only if every hand that fits it belongs.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, starmap
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import RANKS, cards_name
from headsup.cards.classes import (
    card_classes,
    holdem_class_of_combo,
    holdem_class_sizes,
    omaha_class_of_combo,
    omaha_class_reps,
    omaha_class_starts,
)
from headsup.cards.combos import HOLDEM_COUNT, holdem_combos, omaha_combos
from headsup.cards.games import hand_size
from headsup.cards.ranges.pattern import ACE, Mask, match_macro
from headsup.cards.ranges.weights import UNIT, Units, weights_in

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


class ChartRun(NamedTuple):
    """Neighbours of the chart: pairs (kind `p`), or a high card with kickers `low`..`top` (kind s, o or empty)."""

    kind: str
    high: int
    low: int
    top: int

    def text(self) -> str:
        first, last = self._hand(self.top), self._hand(self.low)
        if self.low == self.top:
            return first
        return f"{last}+" if self.top == (ACE if self.kind == "p" else self.high - 1) else f"{first}-{last}"

    def _hand(self, low: int) -> str:
        return RANKS[low] * 2 if self.kind == "p" else RANKS[self.high] + RANKS[low] + self.kind


def holdem_tokens(members: Mask) -> list[str]:
    """Texts that together name exactly these combos."""
    if members.sum() == HOLDEM_COUNT:
        return ["random"]
    whole = whole_classes(members)
    rest = members & ~whole[holdem_class_of_combo()]
    singles = [cards_name(reversed(cards)) for cards in holdem_combos()[rest][::-1].tolist()]
    return [run.text() for run in chart_runs(whole)] + singles


def whole_classes(members: Mask) -> Mask:
    """bool[169]: the chart classes of which every combo is a member."""
    whole: Mask = np.bincount(holdem_class_of_combo(), weights=members, minlength=169) == holdem_class_sizes()
    return whole


def chart_runs(whole: Mask) -> list[ChartRun]:
    """The runs of a set of chart classes, in the order they are written."""
    chart = whole.reshape(13, 13)[::-1, ::-1]  # now both axes run from the deuce to the ace
    runs = [ChartRun("p", ACE, low, top) for low, top in _runs([bool(chart[r, r]) for r in range(13)])]
    for kind in ("", "s", "o"):
        for high in range(ACE, 0, -1):
            suited, offsuit = chart[high, :high], chart[:high, high]
            both = bool(np.array_equal(suited, offsuit))
            if both == (kind == ""):
                cells = offsuit if kind == "o" else suited
                runs += [ChartRun(kind, high, low, top) for low, top in _runs(cells.tolist())]
    return runs


def _runs(cells: list[bool]) -> list[tuple[int, int]]:
    """The stretches of true cells as (lowest, highest), highest stretch first."""
    runs: list[tuple[int, int]] = []
    for i, cell in enumerate(cells):
        if cell and runs and runs[-1][1] == i - 1:
            runs[-1] = (runs[-1][0], i)
        elif cell:
            runs.append((i, i))
    return runs[::-1]


def weights_text(game: str, units: Units) -> str:
    """Write a range, given as int weights 0..10000, one a combo."""
    if not units.any():
        return "none"
    if game == "holdem":
        return ",".join(_holdem_group(holdem_tokens(units == weight), weight) for weight in weights_in(units))
    return _as_percentage(game, units) or ",".join(starmap(_omaha_group, omaha_tokens(units).items()))


def _holdem_group(tokens: list[str], weight: int) -> str:
    suffix = "" if weight == UNIT else f":{_decimal(weight, 4)}"
    return ",".join(token + suffix for token in tokens)


def _omaha_group(weight: int, tokens: list[str]) -> str:
    if weight == UNIT:
        return ",".join(tokens)
    body = tokens[0] if len(tokens) == 1 else f"({','.join(tokens)})"
    return f"{body}@{_decimal(weight, 2)}"


def _decimal(weight: int, places: int) -> str:
    """An int divided by a power of ten, without the zeros at its end."""
    whole, rest = divmod(weight, 10**places)
    return f"{whole}.{rest:0{places}d}".rstrip("0").rstrip(".")


def _as_percentage(game: str, units: Units) -> str | None:
    """`15%`, if the best so many percent, in a number with at most six decimals, are these very weights."""
    from headsup.cards.ranges.order import hand_order, percent_units

    n = hand_size(game)
    per_class = _class_units(units, n)
    ordered = None if per_class is None else per_class[hand_order(game)]
    if per_class is None or ordered is None or (np.diff(ordered) > 0).any():
        return None
    share = Fraction(int(units.sum(dtype=np.int64)), UNIT * len(units)) * 100
    for places in range(7):
        percent = Fraction(round(share * 10**places), 10**places)
        if 0 < percent < 100 and np.array_equal(percent_units(game, n, percent), per_class):
            return f"{_decimal(round(percent * 10**places), places)}%" if places else f"{percent}%"
    return None


def _class_units(units: Units, n: int) -> Units | None:
    """One weight a class, or None if the hands of a class differ."""
    classes = card_classes(n)
    per_class = np.zeros(len(classes.sizes), dtype=np.int32)
    per_class[classes.of_combo] = units
    return per_class if np.array_equal(per_class[classes.of_combo], units) else None
