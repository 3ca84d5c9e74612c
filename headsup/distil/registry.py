"""The rules that have a name."""

from __future__ import annotations

from importlib import import_module

from headsup.distil.rules import PointRule
from headsup.errors import UserError

RULES = {"oracle": "rules", "sage": "rules", "hutchison": "hutchison", "hutchison8": "hutchison8"}
"""Their names, which are those of the functions that make them, and the modules that have those."""


def rule(name: str) -> PointRule:
    """A rule by its name."""
    if name not in RULES:
        raise UserError(f"'{name}' is not a rule: choose one of {', '.join(RULES)}")
    made = getattr(import_module(f"headsup.distil.{RULES[name]}"), name)()
    assert isinstance(made, PointRule), "the table above names functions that make rules"
    return made
