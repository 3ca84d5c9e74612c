"""Checks of values read from files. A checksum shows that bytes are unchanged, not that they make sense.

Each check returns the value or raises a `ValueError`, which `headsup.common.files.parsed` turns into one sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite, nan
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.common.checks import quoted

AnyArray = npt.NDArray[Any]
History = tuple[tuple[int, float, float], ...]


def _insist(holds: bool, value: Any, what: str, wanted: str) -> Any:
    if not holds:
        raise ValueError(f"{what} is {quoted(value)}, {wanted}")
    return value


def number(value: Any, what: str, least: float | None = None) -> float:
    """A finite number, at least `least`."""
    real = isinstance(value, int | float) and not isinstance(value, bool)
    _insist(real and isfinite(value), value, what, "not a finite number")
    return float(value if least is None else _insist(value >= least, value, what, f"below {least:g}"))


def count(value: Any, what: str) -> int:
    integer = isinstance(value, int) and not isinstance(value, bool)
    return int(_insist(integer and value >= 0, value, what, "not a whole number from 0 on"))


def text(value: Any, what: str) -> str:
    return str(_insist(isinstance(value, str), value, what, "not a text"))


def mapping(value: Any, what: str) -> dict[str, Any]:
    return dict(_insist(isinstance(value, Mapping), value, what, "not an object"))


def items(value: Any, what: str) -> list[Any]:
    return list(_insist(isinstance(value, list), value, what, "not a list"))


def numbers(value: Any, what: str) -> list[float]:
    return [number(item, f"a number of {what}") for item in items(value, what)]


def history(value: Any) -> History:
    """The curve of a solver: (iteration, seconds, exploitability)."""
    points = [items(point, "a point of the history") for point in items(value, "the history")]
    if any(len(point) != 3 for point in points):
        raise ValueError("a point of the history is not three numbers")
    return tuple(
        (count(at, "an iteration"), number(spent, "a time", 0.0), exploitability(error)) for at, spent, error in points
    )


NOISE = 1e-6  # an exploitability is never negative, but by rounding


def exploitability(value: Any, what: str = "the exploitability") -> float:
    """What a best response gains: finite, and not below 0."""
    return number(value, what, -NOISE)


def measured(value: Any, what: str, least: float | None = None) -> float:
    """A finite number, or nan where the text "nan" marks that nothing was measured."""
    return nan if value == "nan" else number(value, what, least)


def array(value: Any, what: str, kinds: str = "fiu", ndim: int | None = 1) -> AnyArray:
    """An array of finite numbers, of any shape where `ndim` is None."""
    if not isinstance(value, np.ndarray) or value.dtype.kind not in kinds or ndim not in (None, value.ndim):
        raise ValueError(f"{what} is not a list of numbers as headsup writes it")
    if value.dtype.kind == "f" and value.size and not (isfinite(value.min()) and isfinite(value.max())):
        raise ValueError(f"{what} has a number that is not finite")
    return value


def weights(value: Any, what: str, kinds: str = "fiu", ndim: int = 1) -> AnyArray:
    """An array of probabilities, or of weights in proportion to them: finite, and none below 0."""
    checked = array(value, what, kinds, ndim)
    if checked.size and checked.min() < 0:
        raise ValueError(f"{what} has a probability below 0")
    return checked


def chances(value: Any, what: str, ndim: int = 1) -> AnyArray:
    """An array of probabilities from 0 to 1."""
    checked = weights(value, what, "f", ndim)
    if checked.size and checked.max() > 1.0 + NOISE:
        raise ValueError(f"{what} has a probability above 1")
    return checked
