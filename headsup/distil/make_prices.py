"""Make the file of prices that ships: `python -m headsup.distil.make_prices`.

It prices every rule and every card anew, for which the Omaha ones need the matchup table.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from headsup.distil.price import Prices, Strategy, price
from headsup.distil.rules.catalogue import RULES
from headsup.distil.rules.catalogue import rule as named
from headsup.distil.scorecards.records import every_stack
from headsup.distil.scorecards.rule import card_rule
from headsup.distil.shipped import DATA, PRICES, shipped_cards
from headsup.files import write_text
from headsup.games.arrays import Floats
from headsup.games.jamfold import SEATS
from headsup.solve.jamfold_data import shipped


def write_prices(
    found: Sequence[tuple[Prices, Mapping[str, Any] | None]],
    path: Path = DATA / PRICES,
    made_by: str = "python -m headsup.distil.make_prices",
) -> None:
    """Write a file of prices that ships, each with its card if it is one's."""
    rules = {}
    for one, card in found:
        seats = {
            seat: {
                "equilibrium": [round(price.equilibrium, 5) for price in one.of(seat)],
                "best": [round(price.best, 5) for price in one.of(seat)],
            }
            for seat in SEATS
        }
        stacks = [price.stack for price in one.of("sb")]
        rules[one.rule] = {"game": one.game, **({} if card is None else {"card": card}), "stacks": stacks, **seats}
    content = {"made by": made_by, "unit": "mbb per game", "rules": rules}
    rows = json.dumps(content).replace('{"game"', '\n{"game"')
    write_text(path, rows + "\n")


def main() -> None:
    """Make the file that ships: rules at every stack of the sweep up to 15 big blinds, cards at those they are for."""
    jobs: list[tuple[Strategy, str, Sequence[float] | Floats, Mapping[str, Any] | None]] = []
    for name in RULES:
        known = named(name)
        every = shipped(known.game).stacks
        jobs.append((known, known.game, every[every <= 15], None))
    for game in ("holdem", "omaha8"):
        for one in shipped_cards(game):
            jobs.append((card_rule(one), game, every_stack(one.card.max_stack), one.card.as_dict()))
    made = []
    for rule, game, stacks, card in jobs:
        found = price(rule, game, stacks)
        made.append((found, card))
        print(rule.name, *(found.worst(seat) for seat in SEATS), flush=True)
    write_prices(made)


if __name__ == "__main__":
    main()
