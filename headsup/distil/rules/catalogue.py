"""The published rules by name."""

from __future__ import annotations

from importlib import import_module

from headsup.common.errors import UserError
from headsup.distil.rules.points import PointRule

RULES = {"oracle": "oracle", "sage": "sage", "hutchison": "hutchison", "hutchison8": "hutchison"}
"""Their names, which are also those of the functions that make them, and the modules of these here."""


def rule(name: str) -> PointRule:
    if name not in RULES:
        raise UserError(f"'{name}' is not a rule: choose one of {', '.join(RULES)}")
    made = getattr(import_module(f"headsup.distil.rules.{RULES[name]}"), name)()
    assert isinstance(made, PointRule), "each rule has a function of its name"
    return made
