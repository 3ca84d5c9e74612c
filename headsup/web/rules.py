"""Rules by name, and what they cost, from what ships."""

from __future__ import annotations

from functools import cache

from headsup.distil import shipped
from headsup.distil.rules.points import PointRule
from headsup.distil.scorecards.records import CardRecord
from headsup.web.asking import one_of

KINDS = ("row", "sum")


@cache
def find_rule(name: str, game: str, lines: int | None = None, kind: str | None = None) -> PointRule:
    """A rule of others, or a card."""
    return shipped.find_rule(name, game, lines, _is_row(kind or "row"))


def find_card(game: str, lines: int, kind: str) -> CardRecord:
    """The card of so many lines."""
    return shipped.shipped_card(game, lines, _is_row(kind))


def _is_row(kind: str) -> bool:
    return one_of(kind, KINDS, "the threshold") == "row"


def frontier(game: str, kind: str) -> list[CardRecord]:
    """The cards of a game, few lines first."""
    return sorted(
        (one for one in shipped.shipped_cards(game) if one.card.row == (kind == "row")), key=lambda one: one.lines
    )
