"""Checks of user input: numbers, text, arrays and devices. Each error is one sentence.

A check takes a value and the name of its argument, and returns the value as the caller wants it. `door` checks the
arguments of a public function before its first line.
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

WORDS = {str: "text", int: "a whole number", tuple: "a tuple"}  # what messages call Python's own kinds
DEVICES = ("cpu", "gpu")
MOST = 10**12  # the greatest number of iterations, samples or hands that is asked for: more would never end
MOST_THREADS = 65_536
SEEDS = 2**64  # how many seeds there are: what fits the counters of the samplers


def quoted(value: object) -> str:
    """A value as Python writes it in one line, cut where it gets long; no number of thousands of digits."""
    try:
        text = " ".join(line.strip() for line in repr(value).splitlines())
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _insist(holds: bool, value: Any, what: str, wanted: str) -> Any:
    if not holds:
        raise UserError(f"{what} must be {wanted}, not {quoted(value)}")
    return value


def whole(value: Any, what: str, least: int | None = None) -> int:
    """A whole number, Python's or NumPy's; truth values and 10.0 are none."""
    _insist(isinstance(value, Integral) and not isinstance(value, bool), value, what, "a whole number")
    return int(_insist(least is None or value >= least, value, what, f"at least {least}"))


def finite(value: Any, what: str) -> float:
    """A number that a float can hold; text, truth values, nan and infinity are none."""
    number = inf
    if not isinstance(value, bool) and isinstance(value, Real):
        with suppress(OverflowError):
            number = float(value)
    _insist(isfinite(number), value, what, "a finite number")
    return number


def as_number(value: Any, what: str) -> float:
    """A number, which may be nan or infinity, as one that no float can hold becomes; truth values are none."""
    _insist(isinstance(value, Real) and not isinstance(value, bool), value, what, "a number")
    try:
        return float(value)
    except OverflowError:
        return inf if value == abs(value) else -inf


def positive(value: Any, what: str) -> float:
    number = finite(value, what)
    _insist(number > 0.0, value, what, "above 0")
    return number


def as_text(value: Any, what: str) -> str:
    text: str = _insist(isinstance(value, str), value, what, "text")
    return text


def as_truth(value: Any, what: str) -> bool:
    """True or False, Python's or NumPy's; 0 and 1 are neither."""
    numpy_bool = type(value).__name__ in ("bool", "bool_") and type(value).__module__ == "numpy"
    return bool(_insist(isinstance(value, bool) or numpy_bool, value, what, "True or False"))


def as_path(value: Any, what: str) -> Any:
    path = isinstance(value, str | os.PathLike) and bool(str(value)) and "\0" not in str(value)
    return _insist(path, value, what, "the path of a file or folder")


def as_call(value: Any, what: str) -> Any:
    builtin = isinstance(value, type) and value.__module__ == "builtins"
    return _insist(callable(value) and not builtin, value, what, "a function")


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
        array = np.asarray(value)
        if array.dtype.kind in "biuf":
            return array
    raise UserError(f"{what} must be an array of real numbers, not {quoted(value)}")


def real_array(value: Any, what: str) -> Any:
    """An array of real numbers, possibly on a GPU; lists become arrays."""
    kind = getattr(getattr(value, "dtype", None), "kind", None)
    return value if isinstance(kind, str) and kind in "biuf" else as_numbers(value, what)


def as_integers(value: Any, what: str) -> Any:
    array = as_numbers(value, what)
    if array.dtype.kind not in "iu" and array.size:
        raise UserError(f"{what} must be an array of whole numbers, not {quoted(value)}")
    return array


def of_kind(*kinds: type) -> Check:
    """The check that a value is of one of these classes."""
    names = " or ".join(WORDS.get(kind, f"a {kind.__name__}") for kind in kinds)

    def check(value: Any, what: str) -> Any:
        return _insist(isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool)), value, what, names)

    return check


def as_strategy(value: Any, what: str) -> Any:
    """A strategy of a game of betting and boards: an object with `rows(decision, board)`."""
    strategy = not isinstance(value, type) and callable(getattr(value, "rows", None))
    return _insist(strategy, value, what, "a strategy, an object with rows(decision, board)")


def with_calls(kind: str, *names: str) -> Check:
    """The check that a value has methods of these names, as everything of a kind has."""

    def check(value: Any, what: str) -> Any:
        able = not isinstance(value, type) and all(callable(getattr(value, name, None)) for name in names)
        return _insist(able, value, what, f"{kind}, an object with {' and '.join(names)}")

    return check


def as_threads(value: Any, what: str) -> int:
    return int(_insist(whole(value, what, 1) <= MOST_THREADS, value, what, f"at most {MOST_THREADS}"))


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def thread_count(threads: int | None) -> int:
    """How many threads to work with: as many as given, else one for each core."""
    return as_threads(threads, "threads") if threads is not None else cores()


def at_least(least: int) -> Check:
    """The check that a value is a whole number and no less than this."""
    return lambda value, what: whole(value, what, least)


def between(least: int, most: int) -> Check:
    """The check that a value is a whole number from one to another."""

    def check(value: Any, what: str) -> int:
        return int(_insist(least <= whole(value, what) <= most, value, what, f"from {least} to {most}"))

    return check


def count(least: int = 1) -> Check:
    """The check that a value is a feasible number of iterations, samples or hands."""
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
    """Check arguments by name only after a call has failed: a call that works costs nothing.

    The call is made again with what the checks return, so that a list may replace the tuple that a cache needs.
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
    return lambda value, what: tuple(check(item, f"each of {what}") for item in as_list(value, what))


def check_device(device: Any, what: str = "device") -> str:
    if not isinstance(device, str) or device not in DEVICES:
        raise UserError(f"{quoted(device)} is not a {what}: choose one of {', '.join(DEVICES)}")
    return device


def check_seed(seed: Any, what: str = "seed") -> int:
    if isinstance(seed, bool) or not isinstance(seed, Integral) or not 0 <= int(seed) < SEEDS:
        raise UserError(f"{quoted(seed)} is not a {what}: give a whole number from 0 to 2^64 - 1")
    return int(seed)


def parse_int(text: str) -> int:
    """The whole number of a text, as everything that a user types is read: `int`, with ASCII digits alone."""
    return int(ascii_number(text))


def parse_float(text: str) -> float:
    return float(ascii_number(text))


def ascii_number(text: str) -> str:
    """The text; Python also reads the digits of other scripts and 1_0, which nobody means as a number here."""
    if not text.isascii() or "_" in text:
        raise ValueError(f"{quoted(text)} is not a number: write it with the digits 0 to 9")
    return text


def read_number(text: str, option: str, example: str = "10 or 7.5") -> float:
    try:
        return parse_float(text)
    except ValueError:
        raise UserError(f"{option} got '{text}', which is not a number: write for example {example}") from None
