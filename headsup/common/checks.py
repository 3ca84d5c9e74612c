"""What comes from a user: numbers, text, arrays and devices. What they must be is said in one sentence.

A check takes a value and the name of its argument, and returns the value as the caller wants it. `door` makes the
checks of a public function before its first line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sized
from contextlib import suppress
from functools import wraps
from inspect import signature
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any, ParamSpec, TypeVar

from headsup.common.errors import UserError

P = ParamSpec("P")
R = TypeVar("R")
Check = Callable[[Any, str], Any]

WORDS = {str: "text", int: "a whole number", tuple: "a tuple"}
"""What messages call Python's own kinds."""
DEVICES = ("cpu", "gpu")
MOST = 10**12
"""The greatest number of iterations, samples or hands that is asked for: more would never end."""
MOST_THREADS = 65_536
SEEDS = 2**64
"""How many seeds there are: what fits the counters of the samplers."""


def quoted(value: object) -> str:
    """A value as Python writes it in one line, cut where it gets long; no number of thousands of digits."""
    try:
        text = " ".join(line.strip() for line in repr(value).splitlines())
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


def as_number(value: Any, what: str) -> float:
    """A number, which may be nan or infinity, as one that no float can hold becomes; truth values are none."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise UserError(f"{what} must be a number, not {quoted(value)}")
    try:
        return float(value)
    except OverflowError:
        return inf if value == abs(value) else -inf


def positive(value: Any, what: str) -> float:
    """A finite number above 0."""
    number = finite(value, what)
    if not number > 0.0:
        raise UserError(f"{what} must be above 0, not {quoted(value)}")
    return number


def as_text(value: Any, what: str) -> str:
    """Text; bytes are none."""
    if not isinstance(value, str):
        raise UserError(f"{what} must be text, not {quoted(value)}")
    return value


def as_truth(value: Any, what: str) -> bool:
    """True or False, Python's or NumPy's; 0 and 1 are neither."""
    if isinstance(value, bool):
        return value
    if type(value).__name__ in ("bool", "bool_") and type(value).__module__ == "numpy":
        return bool(value)
    raise UserError(f"{what} must be True or False, not {quoted(value)}")


def as_path(value: Any, what: str) -> Any:
    """The path of a file or folder, as text or a `Path`."""
    if not isinstance(value, str | os.PathLike) or not str(value) or "\0" in str(value):
        raise UserError(f"{what} must be the path of a file or folder, not {quoted(value)}")
    return value


def as_call(value: Any, what: str) -> Any:
    """Something that can be called, such as a watch of progress."""
    if not callable(value) or (isinstance(value, type) and value.__module__ == "builtins"):
        raise UserError(f"{what} must be a function, not {quoted(value)}")
    return value


def as_list(value: Any, what: str) -> Any:
    """A list, a tuple or an array; text, which is a list of letters, is none."""
    if isinstance(value, Iterable) and isinstance(value, Sized) and not isinstance(value, str | bytes | Mapping | type):
        with suppress(TypeError):  # an array of no dimensions has no length
            len(value)
            return value
    raise UserError(f"{what} must be a list, not {quoted(value)}")


def as_numbers(value: Any, what: str) -> Any:
    """An array of real numbers; nan is left to the caller."""
    import numpy as np

    with suppress(ValueError, OverflowError):
        found = np.asarray(value)
        if found.dtype.kind in "biuf":
            return found
    raise UserError(f"{what} must be an array of real numbers, not {quoted(value)}")


def real_array(value: Any, what: str) -> Any:
    """An array of real numbers, left where it lies, be that a GPU; lists become arrays."""
    kind = getattr(getattr(value, "dtype", None), "kind", None)
    return value if isinstance(kind, str) and kind in "biuf" else as_numbers(value, what)


def as_integers(value: Any, what: str) -> Any:
    """An array of whole numbers."""
    found = as_numbers(value, what)
    if found.dtype.kind not in "iu" and found.size:
        raise UserError(f"{what} must be an array of whole numbers, not {quoted(value)}")
    return found


def of_kind(*kinds: type) -> Check:
    """The check that a value is of one of these classes."""
    names = " or ".join(WORDS.get(kind, f"a {kind.__name__}") for kind in kinds)

    def check(value: Any, what: str) -> Any:
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise UserError(f"{what} must be {names}, not {quoted(value)}")
        return value

    return check


def as_strategy(value: Any, what: str) -> Any:
    """A strategy of a game of betting and boards: an object with `rows(decision, board)`."""
    if isinstance(value, type) or not callable(getattr(value, "rows", None)):
        raise UserError(f"{what} must be a strategy, an object with rows(decision, board), not {quoted(value)}")
    return value


def with_calls(kind: str, *names: str) -> Check:
    """The check that a value has methods of these names, as everything of a kind has."""

    def check(value: Any, what: str) -> Any:
        if isinstance(value, type) or not all(callable(getattr(value, name, None)) for name in names):
            raise UserError(f"{what} must be {kind}, an object with {' and '.join(names)}, not {quoted(value)}")
        return value

    return check


def as_threads(value: Any, what: str) -> int:
    """A number of threads that a machine could have."""
    if whole(value, what, 1) > MOST_THREADS:
        raise UserError(f"{what} must be at most {MOST_THREADS}, not {quoted(value)}")
    return int(value)


def at_least(least: int) -> Check:
    """The check that a value is a whole number and no less than this."""
    return lambda value, what: whole(value, what, least)


def between(least: int, most: int) -> Check:
    """The check that a value is a whole number from one to another."""

    def check(value: Any, what: str) -> int:
        if not least <= whole(value, what) <= most:
            raise UserError(f"{what} must be from {least} to {most}, not {quoted(value)}")
        return int(value)

    return check


def count(least: int = 1) -> Check:
    """The check that a value counts work that can end."""
    small_enough = between(least, MOST)
    return lambda value, what: small_enough(whole(value, what, least), what)


def door(**checks: Check) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Check arguments of a public function by name; what a check returns takes the argument's place.

    None is passed on where it is the default. Functions that are called hand by hand check nothing this way.
    """

    def guard(function: Callable[P, R]) -> Callable[P, R]:
        known = signature(function).parameters
        rows = [(list(known).index(name), name, known[name].default is None, check) for name, check in checks.items()]

        @wraps(function)
        def checked(*args: Any, **named: Any) -> Any:
            given = list(args)
            for place, name, optional, check in rows:
                if name in named:
                    if not (optional and named[name] is None):
                        named[name] = check(named[name], name)
                elif place < len(given) and not (optional and given[place] is None):
                    given[place] = check(given[place], name)
            return function(*given, **named)

        return checked

    return guard


def explained(**checks: Check) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Check arguments by name once a call has failed: a call that works spends nothing on it.

    The call is made again with what the checks return, so a list may stand for the tuple that a cache wants.
    """

    def guard(function: Callable[P, R]) -> Callable[P, R]:
        checked = door(**checks)(function)

        @wraps(function)
        def call(*args: P.args, **named: P.kwargs) -> R:
            try:
                return function(*args, **named)
            except UserError:
                raise
            except (TypeError, ValueError, LookupError, OverflowError, AttributeError):
                pass
            return checked(*args, **named)

        return call

    return guard


def each(check: Check) -> Check:
    """The check that a value is a list, and that every entry passes another check; a tuple is returned."""
    return lambda value, what: tuple(check(one, f"each of {what}") for one in as_list(value, what))


def check_device(device: Any, what: str = "device") -> str:
    """Refuse what nothing is computed on."""
    if not isinstance(device, str) or device not in DEVICES:
        raise UserError(f"{quoted(device)} is not a {what}: choose one of {', '.join(DEVICES)}")
    return device


def check_seed(seed: Any, what: str = "seed") -> int:
    """Refuse what cannot start a random generator."""
    if isinstance(seed, bool) or not isinstance(seed, Integral) or not 0 <= int(seed) < SEEDS:
        raise UserError(f"{quoted(seed)} is not a {what}: give a whole number from 0 to 2^64 - 1")
    return int(seed)


def parse_int(text: str) -> int:
    """The whole number of a text, as everything that a user types is read: `int`, with ASCII digits alone."""
    return int(ascii_number(text))


def parse_float(text: str) -> float:
    """The number of a text: `float`, with ASCII digits alone."""
    return float(ascii_number(text))


def ascii_number(text: str) -> str:
    """The text; Python also reads the digits of other scripts and 1_0, which nobody means as a number here."""
    if not text.isascii() or "_" in text:
        raise ValueError(f"{quoted(text)} is not a number: write it with the digits 0 to 9")
    return text


def read_number(text: str, option: str, example: str = "10 or 7.5") -> float:
    """A number that a user typed after an option."""
    try:
        return parse_float(text)
    except ValueError:
        raise UserError(f"{option} got '{text}', which is not a number: write for example {example}") from None
