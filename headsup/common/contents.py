"""Checks on what a file says once its checksum is right: it may still say what cannot be.

A checksum shows that bytes are those that were written, not that they make sense. Each check returns the value, or
raises a `ValueError` that `headsup.common.files.parsed` turns into one sentence with the file's name.
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


def number(value: Any, what: str, least: float | None = None) -> float:
    """A finite number, at least so much."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ValueError(f"{what} is {quoted(value)}, not a finite number")
    if least is not None and value < least:
        raise ValueError(f"{what} is {quoted(value)}, below {least:g}")
    return float(value)


def count(value: Any, what: str) -> int:
    """A whole number, at least 0."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{what} is {quoted(value)}, not a whole number from 0 on")
    return value


def text(value: Any, what: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise ValueError(f"{what} is {quoted(value)}, not a text")
    return value


def table(value: Any, what: str) -> dict[str, Any]:
    """A JSON object."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{what} is {quoted(value)}, not an object")
    return dict(value)


def items(value: Any, what: str) -> list[Any]:
    """A JSON list."""
    if not isinstance(value, list):
        raise ValueError(f"{what} is {quoted(value)}, not a list")
    return value


def numbers(value: Any, what: str) -> list[float]:
    """A list of finite numbers."""
    return [number(item, f"a number of {what}") for item in items(value, what)]


def history(value: Any) -> History:
    """The curve of a solver: (iteration, seconds, exploitability)."""
    points = [items(point, "a point of the history") for point in items(value, "the history")]
    if any(len(point) != 3 for point in points):
        raise ValueError("a point of the history is not three numbers")
    return tuple(
        (count(at, "an iteration"), number(spent, "a time", 0.0), exploitability(error)) for at, spent, error in points
    )


NOISE = 1e-6
"""An exploitability is never negative, but by rounding."""


def exploitability(value: Any, what: str = "the exploitability") -> float:
    """What a best response gains: finite, and not below 0."""
    return number(value, what, -NOISE)


def measured(value: Any, what: str, least: float | None = None) -> float:
    """A finite number; the text "nan", as it is written where nothing was measured, is nan."""
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
    found = array(value, what, kinds, ndim)
    if found.size and found.min() < 0:
        raise ValueError(f"{what} has a probability below 0")
    return found


def chances(value: Any, what: str, ndim: int = 1) -> AnyArray:
    """An array of probabilities from 0 to 1."""
    found = weights(value, what, "f", ndim)
    if found.size and found.max() > 1.0 + NOISE:
        raise ValueError(f"{what} has a probability above 1")
    return found
