"""Options of the methods: only known names, and values of the type of their defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import isnan
from typing import Any

from headsup.common.checks import quoted
from headsup.common.errors import UserError

KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a word"}


def checked(
    method: str, given: Mapping[str, Any], defaults: Mapping[str, Any], also: Sequence[str] = ()
) -> dict[str, Any]:
    """The defaults, replaced by the given values; a `UserError` names an unknown option or a wrong value.

    A default that is a tuple allows the types of all its values; the first is the default. `also` lists names that
    are read elsewhere.
    """
    out = {key: value[0] if isinstance(value, tuple) else value for key, value in defaults.items()}
    for key, value in given.items():
        if key not in defaults:
            known = ", ".join(sorted([*defaults, *also])) or "none"
            raise UserError(f"'{key}' is not an option of {method}: it takes {known}")
        allowed = defaults[key] if isinstance(defaults[key], tuple) else (defaults[key],)
        kinds = [type(choice) for choice in allowed]
        fits = any(isinstance(value, kind) and isinstance(value, bool) == (kind is bool) for kind in kinds)
        if not fits and float in kinds and isinstance(value, int) and not isinstance(value, bool):
            with suppress(OverflowError):
                value, fits = float(value), True
        if isinstance(value, float) and isnan(value):
            fits = False
        if not fits:
            wanted = " or ".join(KINDS[kind] for kind in kinds)
            raise UserError(f"{key} of {method} must be {wanted}, not {quoted(value)}")
        out[key] = value
    return out
