"""The prices that came with the package: of the rules, and of the cards.

`python -m headsup.distil.make_prices` makes their file.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headsup.distil.price import Price, Prices
from headsup.files import parsed, read_bytes, read_shipped
from headsup.games.jamfold import SEATS

if TYPE_CHECKING:
    from headsup.distil.scorecards.scorecard import ScoreCard

PRICES = Path(__file__).parent / "data" / "prices.json"


def read_prices(path: Path) -> dict[str, tuple[Prices, dict[str, Any] | None]]:
    """By name, the prices in a file of `headsup.distil.make_prices`, and the card that they are of if it is one's."""
    return parsed(path, lambda: _parse(read_bytes(path)), "a file of prices")


@cache
def _shipped() -> dict[str, tuple[Prices, dict[str, Any] | None]]:
    return _parse(read_shipped(PRICES))


def _parse(content: bytes) -> dict[str, tuple[Prices, dict[str, Any] | None]]:
    found = {}
    for name, one in json.loads(content)["rules"].items():
        prices = tuple(
            Price(stack, seat, one[seat]["equilibrium"][at], one[seat]["best"][at])
            for at, stack in enumerate(one["stacks"])
            for seat in SEATS
        )
        found[name] = Prices(name, one["game"], prices, "shipped"), one.get("card")
    return found


@cache
def shipped_prices() -> dict[str, Prices]:
    """The prices of the rules that came with the package, by name."""
    return {name: prices for name, (prices, card) in _shipped().items() if card is None}


def shipped_card_prices(card: ScoreCard) -> Prices | None:
    """The prices of a card that came with the package; none if this very card is not among them."""
    given = card.as_dict()
    return next((prices for prices, known in _shipped().values() if known == given), None)
