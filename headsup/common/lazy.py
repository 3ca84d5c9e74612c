"""Names that a package lists in its stub, `__init__.pyi`, one per line, and loads when they are first used."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

LINE = re.compile(r"^from (\S+) import (\w+) as (\w+)$", re.MULTILINE)


def attach(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """The `__getattr__`, `__dir__` and `__all__` of a package whose names are listed in the stub beside its file."""
    with open(f"{file}i", encoding="utf-8") as stub:
        homes = {name: (home, there) for home, there, name in LINE.findall(stub.read())}

    def getattribute(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home, there = homes[name]
        value = getattr(import_module(home), there)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        here = vars(sys.modules[package]).items()
        return sorted({*homes, *(name for name, what in here if name[:2] == "__" or isinstance(what, ModuleType))})

    return getattribute, names, sorted(homes)
