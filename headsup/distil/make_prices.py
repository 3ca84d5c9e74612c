"""Make the file of prices that ships: `python -m headsup.distil.make_prices`.

It prices every rule and every card anew, for which the Omaha ones need the matchup table.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from headsup.common.files import write_text
from headsup.distil.price import PRICES, Prices, price
from headsup.distil.rules.catalogue import RULES
from headsup.distil.rules.catalogue import rule as named
from headsup.distil.scorecards.rule import card_rule
from headsup.distil.shipped import DATA, shipped_cards
from headsup.games.betting.stakes import SEATS
from headsup.jamfold.shipped import shipped


def write_prices(
    made: Iterable[Prices], path: Path = DATA / PRICES, made_by: str = "python -m headsup.distil.make_prices"
) -> None:
    """Write a file of prices that ships."""
    rules = {}
    for one in made:
        seats = {
            seat: {
                "equilibrium": [round(price.equilibrium, 5) for price in one.of(seat)],
                "best": [round(price.best, 5) for price in one.of(seat)],
            }
            for seat in SEATS
        }
        rules[one.rule] = {"game": one.game, "stacks": [price.stack for price in one.of("sb")], **seats}
    rows = json.dumps({"made by": made_by, "unit": "mbb per game", "rules": rules}).replace('{"game"', '\n{"game"')
    write_text(path, rows + "\n")


def main() -> None:
    """Make the file that ships: rules at every stack of the sweep up to 15 big blinds, cards at those they are for."""
    cards = [card_rule(one) for game in ("holdem", "omaha8") for one in shipped_cards(game)]
    jobs = [(one, 0.0, 15.0) for one in map(named, RULES)] + [(one, one.min_stack, one.max_stack) for one in cards]
    made = []
    for rule, least, most in jobs:
        every = shipped(rule.game).stacks
        made.append(price(rule, rule.game, every[(every >= least) & (every <= most)]))
        print(rule.name, *(made[-1].worst(seat) for seat in SEATS), flush=True)
    write_prices(made)


if __name__ == "__main__":
    main()
