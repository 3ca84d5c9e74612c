"""The published rules by name."""

from __future__ import annotations

from importlib import import_module

from headsup.common.errors import UserError
from headsup.distil.rules.points import PointRule

RULES = ("oracle", "sage", "hutchison", "hutchison8")
"""Their names, which are also those of their modules here, and of the functions there that make them."""


def rule(name: str) -> PointRule:
    if name not in RULES:
        raise UserError(f"'{name}' is not a rule: choose one of {', '.join(RULES)}")
    made = getattr(import_module(f"headsup.distil.rules.{name}"), name)()
    assert isinstance(made, PointRule), "each of these modules has a function of its name that makes the rule"
    return made
