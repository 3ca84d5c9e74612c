"""The rule cards that ship; `headsup distil --all` makes their file.

`headsup.distil.price` reads the shipped prices, `headsup.distil.formulas.shipped` the flop formulas.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from headsup.cards.cards import with_article
from headsup.common.checks import as_text, as_truth, door, explained, whole
from headsup.common.errors import UserError
from headsup.common.files import read_shipped
from headsup.distil.rules.catalogue import RULES
from headsup.distil.rules.catalogue import rule as published
from headsup.distil.rules.points import PointRule
from headsup.distil.scorecards.lines import pool
from headsup.distil.scorecards.records import CardRecord, records_in
from headsup.distil.scorecards.rule import card_rule

DATA = Path(__file__).parent / "data"
CARDS = "rules.json"
LINES = 4  # the default number of lines: SAGE's


def _read(name: str) -> Any:
    return json.loads(read_shipped(DATA / name))


@explained(game=as_text)
@cache
def shipped_cards(game: str) -> tuple[CardRecord, ...]:
    """The shipped cards of a game, rows before sums, shortest first."""
    as_text(game, "game")
    return tuple(record for record in records_in(DATA / CARDS, _read(CARDS)) if record.card.game == game)


@door(game=as_text, lines=whole, row=as_truth)
def shipped_card(game: str, lines: int, row: bool) -> CardRecord:
    most = len(pool(game))
    if not 1 <= lines <= most:
        raise UserError(f"--rules {lines} is out of reach: {with_article(game)} card has 1 to {most} lines")
    of_kind = {record.lines: record for record in shipped_cards(game) if record.card.row == row}
    if lines not in of_kind:
        kind = "row" if row else "sum"
        there = ", ".join(str(length) for length in of_kind) or "none"
        raise UserError(
            f"no {game} card of {lines} lines with a {kind} ships: choose one of {there}, "
            f"or search for one with  headsup distil --game {game} --rules {lines} --threshold {kind} --seconds 60"
        )
    return of_kind[lines]


@door(name=as_text, game=as_text, lines=whole, row=as_truth)
def find_rule(name: str, game: str, lines: int | None = None, row: bool = True) -> PointRule:
    """A published rule by its name, or with `card` a shipped card."""
    if name == "card":
        return card_rule(shipped_card(game, LINES if lines is None else lines, row))
    if name not in RULES:
        raise UserError(f"'{name[:40]}' is not a rule: choose one of card, {', '.join(RULES)}")
    return published(name)
