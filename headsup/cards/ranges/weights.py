"""Weights as whole numbers, and weights up to suits."""

from __future__ import annotations

from functools import cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import card_classes
from headsup.cards.combos import frozen

T = TypeVar("T", bound=np.generic)
UNIT = 10000  # a weight of one; a range's weights are whole multiples of 1/10000
Units = npt.NDArray[np.int32]


def lift(values: npt.NDArray[T], length: int, n: int) -> npt.NDArray[T]:
    """Turn one value a class of n-card hands into one value a combo, if that is the length wanted."""
    return values if len(values) == length else values[_class_of_combo(n)]


def weights_in(units: Units) -> list[int]:
    """The weights above zero that hands have, heaviest first."""
    return [int(weight) for weight in np.flatnonzero(np.bincount(units))[::-1] if weight]


@cache
def _class_of_combo(n: int) -> npt.NDArray[np.intp]:
    """The class of each combo, in the type that numpy indexes fastest with."""
    return frozen(card_classes(n).of_combo.astype(np.intp))
