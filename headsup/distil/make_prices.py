"""Make the file of prices that ships: `python -m headsup.distil.make_prices`.

It prices every rule and every card again; the Omaha ones need the matchup table.
"""

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
    rules = {}
    for prices in made:
        seats = {
            seat: {
                "equilibrium": [round(price.equilibrium, 5) for price in prices.of(seat)],
                "best": [round(price.best, 5) for price in prices.of(seat)],
            }
            for seat in SEATS
        }
        rules[prices.rule] = {"game": prices.game, "stacks": [price.stack for price in prices.of("sb")], **seats}
    rows = json.dumps({"made by": made_by, "unit": "mbb per game", "rules": rules}).replace('{"game"', '\n{"game"')
    write_text(path, rows + "\n")


def main() -> None:
    """Price rules at every stack of the sweep up to 15 big blinds, cards at those they are made for."""
    cards = [card_rule(card) for game in ("holdem", "omaha8") for card in shipped_cards(game)]
    jobs = [(card, 0.0, 15.0) for card in map(named, RULES)] + [
        (card, card.min_stack, card.max_stack) for card in cards
    ]
    made = []
    for rule, least, most in jobs:
        every = shipped(rule.game).stacks
        made.append(price(rule, rule.game, every[(every >= least) & (every <= most)]))
        print(rule.name, *(made[-1].worst(seat) for seat in SEATS), flush=True)
    write_prices(made)


if __name__ == "__main__":
    main()
