"""The rules that have a name."""

from __future__ import annotations

from collections.abc import Callable

from headsup.distil.hutchison import hutchison
from headsup.distil.hutchison8 import hutchison8
from headsup.distil.rules import PointRule, oracle, sage
from headsup.errors import UserError

RULES: dict[str, Callable[[], PointRule]] = {
    "oracle": oracle,
    "sage": sage,
    "hutchison": hutchison,
    "hutchison8": hutchison8,
}


def rule(name: str) -> PointRule:
    """A rule by its name."""
    if name not in RULES:
        raise UserError(f"'{name}' is not a rule: choose one of {', '.join(RULES)}")
    return RULES[name]()
