"""Percentages: the best so many percent of hands by exact equity against a random hand, up to suits.

The class at the boundary gets the weight that brings the sum nearest to p % of all hands. `a%-b%` is the best b % less
the best a %.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import floor
from pathlib import Path

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import card_classes, holdem_class, parse_holdem_class
from headsup.cards.ranges.weights import UNIT, Units
from headsup.common.archives import parse_array
from headsup.common.errors import DataError
from headsup.common.files import read_shipped

DATA = Path(__file__).parents[1] / "data"


@cache
def hand_order(game: str) -> npt.NDArray[np.intp]:
    """The hand classes (of `card_classes`) from best to worst against a random hand."""
    if game == "holdem":
        lines = read_shipped(DATA / "holdem_order.txt").decode("ascii").splitlines()
        names = [line.split()[0] for line in lines if line and not line.startswith("#")]
        chart = _chart_to_class()
        return _checked(np.array([chart[parse_holdem_class(name)] for name in names], dtype=np.intp), 2, game)
    order = parse_array(read_shipped(DATA / f"{game}_order.npy"))
    return _checked(order.astype(np.intp), 4, game)


def percent_units(game: str, n: int, percent: Fraction) -> Units:
    """The weights 0..10000, one a class, of the best `percent` of hands."""
    classes, order = card_classes(n), hand_order(game)
    sizes = classes.sizes[order]
    ends = np.cumsum(sizes)
    target = percent / 100 * int(ends[-1])
    whole = int(np.searchsorted(ends, floor(target), side="right"))
    units = np.zeros(len(order), dtype=np.int32)
    units[order[:whole]] = UNIT
    if whole < len(order):
        rest = target - int(ends[whole] - sizes[whole])
        units[order[whole]] = round(rest / int(sizes[whole]) * UNIT)
    return units


@cache
def _chart_to_class() -> npt.NDArray[np.intp]:
    """The class of `card_classes(2)` for each class of the 13 x 13 chart."""
    chart = np.empty(169, dtype=np.intp)
    for index, rep in enumerate(card_classes(2).reps.tolist()):
        chart[holdem_class(rep)] = index
    return chart


def _checked(order: npt.NDArray[np.intp], n: int, game: str) -> npt.NDArray[np.intp]:
    if not np.array_equal(np.sort(order), np.arange(len(card_classes(n).sizes))):
        raise DataError(f"the ordering of {game} hands does not list every class of hands once: reinstall headsup")
    return order
