"""Names that a package shows and loads when they are first used, and packages that can be called.

`import headsup` must answer at once, though some of its names bring a compiler with them. And three stages are called
what one does with them, so `headsup.solve` is a folder as well as a function: the folder answers the call.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any


def lazily(package: str, homes: Mapping[str, str]) -> None:
    """Give a package a `__getattr__` and a `__dir__`; `homes` has the module of each name.

    A name that is another one there is written `module:there`; `module:` is the module itself. A type checker that saw
    `__getattr__` in the package would take any name for one of its own, so it is not written there.
    """

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home, other, there = homes[name].partition(":")
        module = import_module(f"{package}.{home}")
        return module if other and not there else getattr(module, there or name)

    def names() -> list[str]:
        there = vars(sys.modules[package]).items()
        return sorted({*homes, *(name for name, what in there if name[:2] == "__" or isinstance(what, ModuleType))})

    vars(sys.modules[package]).update(__getattr__=find, __dir__=names)


def callable_as(package: str, name: str) -> None:
    """Let a package be called in place of its function of this name."""

    class CallablePackage(ModuleType):
        """A package that is also its main function."""

        def __call__(self, *args: Any, **options: Any) -> Any:
            return getattr(self, name)(*args, **options)

    sys.modules[package].__class__ = CallablePackage
