"""Hold'em hands as shorthands: pairs, then suited and offsuit hands row by row of the chart, then single combos.

Where a row has the same suited and offsuit hands they are written once without s and o (`AK`, `A2+`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from headsup.cards.cards import RANKS, cards_name
from headsup.cards.classes import holdem_class_of_combo, holdem_class_sizes
from headsup.cards.combos import HOLDEM_COUNT, holdem_combos
from headsup.cards.ranges.pattern import ACE, Mask


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
