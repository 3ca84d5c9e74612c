"""What came with the package, read in one place: prices, rule cards and flop formulas.

Cards are what commands ask for most; what the other two need is loaded when they are asked for.

`python -m headsup.distil.make_prices` makes the file of prices, `headsup distil --all` that of the cards, `headsup
reproduce dalpasso-lancia-2015 --write` that of the formulas.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headsup.cards.cards import with_article
from headsup.distil.rules.catalogue import RULES
from headsup.distil.rules.catalogue import rule as published
from headsup.distil.rules.points import PointRule
from headsup.distil.scorecards.lines import pool
from headsup.distil.scorecards.records import Record, records_in
from headsup.distil.scorecards.rule import card_rule
from headsup.errors import UserError
from headsup.files import read_shipped
from headsup.games.stakes import SEATS

if TYPE_CHECKING:
    from headsup.distil.formulas.results import Result
    from headsup.distil.price import Prices

DATA = Path(__file__).parent / "data"
PRICES, CARDS, FORMULAS = "prices.json", "rules.json", "dalpasso-lancia-2015.json"
LINES = 4
"""The card that is meant if no number of lines is given: SAGE's."""


def _read(name: str) -> Any:
    return json.loads(read_shipped(DATA / name))


def prices_in(content: Any) -> dict[str, Prices]:
    """By name, the prices in what a file of `make_prices` says."""
    from headsup.distil.price import Price, Prices

    found = {}
    for name, one in content["rules"].items():
        prices = tuple(
            Price(stack, seat, one[seat]["equilibrium"][at], one[seat]["best"][at])
            for at, stack in enumerate(one["stacks"])
            for seat in SEATS
        )
        found[name] = Prices(name, one["game"], prices, "shipped")
    return found


@cache
def shipped_prices() -> dict[str, Prices]:
    """The prices of the rules and cards that came with the package, by name."""
    return prices_in(_read(PRICES))


def prices_of(rule: PointRule) -> Prices:
    """What a rule of others, or a card that ships, costs along the stacks it is made for."""
    return shipped_prices()[rule.name].between(rule.min_stack, rule.max_stack)


@cache
def shipped_cards(game: str) -> tuple[Record, ...]:
    """The cards that came with the package, rows before sums, shortest first."""
    return tuple(one for one in records_in(DATA / CARDS, _read(CARDS)) if one.card.game == game)


def shipped_card(game: str, lines: int, row: bool) -> Record:
    """The shipped card with so many lines."""
    most = len(pool(game))
    if not 1 <= lines <= most:
        raise UserError(f"--rules {lines} is out of reach: {with_article(game)} card has 1 to {most} lines")
    of_kind = {one.lines: one for one in shipped_cards(game) if one.card.row == row}
    if lines not in of_kind:
        kind = "row" if row else "sum"
        there = ", ".join(str(length) for length in of_kind) or "none"
        raise UserError(
            f"no {game} card of {lines} lines with a {kind} ships: choose one of {there}, "
            f"or search for one with  headsup distil --game {game} --rules {lines} --threshold {kind} --seconds 60"
        )
    return of_kind[lines]


def find_rule(name: str, game: str, lines: int | None = None, row: bool = True) -> PointRule:
    """A published rule by its name; or for `card` one that ships."""
    if name == "card":
        return card_rule(shipped_card(game, LINES if lines is None else lines, row))
    if name not in RULES:
        raise UserError(f"'{name[:40]}' is not a rule: choose one of card, {', '.join(RULES)}")
    return published(name)


@cache
def shipped_results() -> tuple[Result, ...]:
    """The programs of flop formulas that were solved, as they came with the package."""
    from headsup.distil.formulas.results import results_in

    return results_in(DATA / FORMULAS, _read(FORMULAS))


def shipped_for(hand: str, villain: str) -> dict[int, Result]:
    """The shipped results of a pair on exact equities, by their number of features: the best of each."""
    found: dict[int, Result] = {}
    for one in shipped_results():
        if (one.task.hand, one.task.villain, one.task.places) == (hand, villain, 0):
            size = len(one.weights)
            if size not in found or one.average_error < found[size].average_error:
                found[size] = one
    return dict(sorted(found.items()))
