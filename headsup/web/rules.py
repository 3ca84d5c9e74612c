"""Rules by name, and what they cost, from what ships."""

from __future__ import annotations

from functools import cache

from headsup.distil import shipped
from headsup.distil.rules.points import PointRule
from headsup.distil.scorecards.records import Record
from headsup.errors import UserError
from headsup.web.asking import one_of

KINDS = ("row", "sum")


@cache
def find_rule(
    name: str, game: str, lines: int | None = None, kind: str | None = None
) -> tuple[PointRule, Record | None]:
    """A rule of others, or a card with the record behind it."""
    if name == "card" and game not in ("holdem", "omaha8"):
        raise UserError("cards are for holdem and omaha8: choose one of them")
    return shipped.find_rule(name, game, lines, one_of(kind or "row", KINDS, "the threshold") == "row")


def frontier(game: str, kind: str) -> list[Record]:
    """The cards of a game, few lines first."""
    return sorted(
        (one for one in shipped.shipped_cards(game) if one.card.row == (kind == "row")), key=lambda one: one.lines
    )
