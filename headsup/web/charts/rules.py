"""Rules by name, and what they cost, from what ships."""

from functools import cache

from headsup.distil import shipped
from headsup.distil.rules.points import PointRule
from headsup.distil.scorecards.records import CardRecord
from headsup.web.asking import one_of

KINDS = ("row", "sum")


@cache
def find_rule(name: str, game: str, lines: int | None = None, kind: str | None = None) -> PointRule:
    return shipped.find_rule(name, game, lines, _is_row(kind or "row"))


def find_card(game: str, lines: int, kind: str) -> CardRecord:
    return shipped.shipped_card(game, lines, _is_row(kind))


def _is_row(kind: str) -> bool:
    return one_of(kind, KINDS, "the threshold") == "row"


def frontier(game: str, kind: str) -> list[CardRecord]:
    return sorted(
        (card for card in shipped.shipped_cards(game) if card.card.row == (kind == "row")), key=lambda card: card.lines
    )
