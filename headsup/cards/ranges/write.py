"""A range to text that reads back to exactly the same weights.

Hands of equal weight are written together, heaviest first: hold'em with the usual shorthands and a weight after each
of them (`22+,AKs:0.5`), Omaha with patterns in brackets before their weight (`AA,(KK$ds,QQ$ds)@50`).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import starmap

import numpy as np

from headsup.cards.classes import card_classes
from headsup.cards.games import hand_size
from headsup.cards.ranges.weights import UNIT, Units, weights_in
from headsup.cards.ranges.write_holdem import holdem_tokens
from headsup.cards.ranges.write_omaha import omaha_tokens


def weights_text(game: str, units: Units) -> str:
    """Write a range, given as int weights 0..10000, one a combo."""
    if not units.any():
        return "none"
    if game == "holdem":
        return ",".join(_holdem_group(holdem_tokens(units == weight), weight) for weight in weights_in(units))
    return _as_percentage(game, units) or ",".join(starmap(_omaha_group, omaha_tokens(units).items()))


def _holdem_group(tokens: list[str], weight: int) -> str:
    suffix = "" if weight == UNIT else f":{_decimal(weight, 4)}"
    return ",".join(token + suffix for token in tokens)


def _omaha_group(weight: int, tokens: list[str]) -> str:
    if weight == UNIT:
        return ",".join(tokens)
    body = tokens[0] if len(tokens) == 1 else f"({','.join(tokens)})"
    return f"{body}@{_decimal(weight, 2)}"


def _decimal(weight: int, places: int) -> str:
    """An int divided by a power of ten, without the zeros at its end."""
    whole, rest = divmod(weight, 10**places)
    return f"{whole}.{rest:0{places}d}".rstrip("0").rstrip(".")


def _as_percentage(game: str, units: Units) -> str | None:
    """`15%`, if the best so many percent, in a number with at most six decimals, are these very weights."""
    from headsup.cards.ranges.order import hand_order, percent_units

    n = hand_size(game)
    per_class = _class_units(units, n)
    ordered = None if per_class is None else per_class[hand_order(game)]
    if per_class is None or ordered is None or (np.diff(ordered) > 0).any():
        return None
    share = Fraction(int(units.sum(dtype=np.int64)), UNIT * len(units)) * 100
    for places in range(7):
        percent = Fraction(round(share * 10**places), 10**places)
        if 0 < percent < 100 and np.array_equal(percent_units(game, n, percent), per_class):
            return f"{_decimal(round(percent * 10**places), places)}%" if places else f"{percent}%"
    return None


def _class_units(units: Units, n: int) -> Units | None:
    """One weight a class, or None if the hands of a class differ."""
    classes = card_classes(n)
    per_class = np.zeros(len(classes.sizes), dtype=np.int32)
    per_class[classes.of_combo] = units
    return per_class if np.array_equal(per_class[classes.of_combo], units) else None
