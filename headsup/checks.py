"""Numbers and devices that come from a user: what they must be is said in one sentence."""

from __future__ import annotations

from contextlib import suppress
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any

from headsup.errors import UserError

DEVICES = ("cpu", "gpu")
SEEDS = 2**64
"""How many seeds there are: what fits the counters of the samplers."""


def quoted(value: object) -> str:
    """A value as Python writes it, cut where it gets long; numbers of thousands of digits cannot be written at all."""
    try:
        text = repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= 60 else f"{text[:57]}..."


def whole(value: Any, what: str, least: int | None = None) -> int:
    """A whole number, Python's or NumPy's; truth values and 10.0 are none."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise UserError(f"{what} must be a whole number, not {quoted(value)}")
    if least is not None and value < least:
        raise UserError(f"{what} must be at least {least}, not {quoted(value)}")
    return int(value)


def finite(value: Any, what: str) -> float:
    """A number that a float can hold; text, truth values, nan and infinity are none."""
    number = inf
    if not isinstance(value, bool) and isinstance(value, Real):
        with suppress(OverflowError):
            number = float(value)
    if not isfinite(number):
        raise UserError(f"{what} must be a finite number, not {quoted(value)}")
    return number


def positive(value: Any, what: str) -> float:
    """A finite number above 0."""
    number = finite(value, what)
    if not number > 0.0:
        raise UserError(f"{what} must be above 0, not {quoted(value)}")
    return number


def check_device(device: Any) -> None:
    """Refuse what nothing is computed on."""
    if device not in DEVICES:
        raise UserError(f"{quoted(device)} is not a device: choose one of {', '.join(DEVICES)}")


def check_seed(seed: Any) -> int:
    """Refuse what cannot start a random generator."""
    if isinstance(seed, bool) or not isinstance(seed, Integral) or not 0 <= int(seed) < SEEDS:
        raise UserError(f"{quoted(seed)} is not a seed: give a whole number from 0 to 2^64 - 1")
    return int(seed)


def read_number(text: str, option: str, example: str = "10 or 7.5") -> float:
    """A number that a user typed after an option."""
    try:
        return float(text)
    except ValueError:
        raise UserError(f"{option} got '{text}', which is not a number: write for example {example}") from None
