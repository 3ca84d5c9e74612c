"""Rules by name, and what they cost, from what ships."""

from __future__ import annotations

from functools import cache

from headsup.distil.price import Prices, price
from headsup.distil.rules.catalogue import RULES, rule
from headsup.distil.rules.points import PointRule
from headsup.distil.scorecards.frontier import Record, shipped_cards
from headsup.distil.scorecards.rule import LINES, card_rule, shipped_card
from headsup.distil.shipped import shipped_card_prices, shipped_prices
from headsup.errors import UserError
from headsup.web.asking import calculating, one_of

KINDS = ("row", "sum")


@cache
def _card(game: str, lines: int, row: bool) -> tuple[PointRule, Record]:
    record = shipped_card(game, lines, row)
    return card_rule(record), record


def find_rule(
    name: str, game: str, lines: int | None = None, kind: str | None = None
) -> tuple[PointRule, Record | None]:
    """A rule of others, or a card with the record behind it."""
    if name != "card":
        if name not in RULES:
            raise UserError(f"'{name[:40]}' is not a rule: choose one of card, {', '.join(RULES)}")
        return rule(name), None
    if game not in ("holdem", "omaha8"):
        raise UserError("cards are for holdem and omaha8: choose one of them")
    return _card(game, LINES if lines is None else lines, one_of(kind or "row", KINDS, "the threshold") == "row")


def prices_of(found: PointRule, record: Record | None) -> Prices:
    """What a rule costs along the stacks it is made for."""
    if record is None:
        return shipped_prices()[found.name].between(found.min_stack, found.max_stack)
    known = shipped_card_prices(record.card)
    if known is not None:
        return known
    from headsup.distil.scorecards.frontier import every_stack

    with calculating():
        return price(found, found.game, every_stack(record.card.max_stack))


def frontier(game: str, kind: str) -> list[Record]:
    """The cards of a game, few lines first."""
    return sorted((one for one in shipped_cards(game) if one.card.row == (kind == "row")), key=lambda one: one.lines)
