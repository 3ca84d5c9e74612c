"""What a record of arrays says of itself: one line, whatever it holds."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import fields
from typing import Any

WIDTH = 60
"""A value whose text is longer is told by its kind and its size."""


def brief(record: Any) -> str:
    """The `__repr__` of a dataclass that holds arrays: their types and shapes instead of their numbers."""
    parts = (f"{one.name}={_value(getattr(record, one.name))}" for one in fields(record) if one.repr)
    return f"{type(record).__name__}({', '.join(parts)})"


def _value(value: Any) -> str:
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, tuple) and len(value) <= 2:
        return f"({', '.join(map(_value, value))})"
    if isinstance(value, list | tuple | dict | set) and len(value) > 8:  # long before its text is made
        return _kind(value)
    text = repr(value)
    return text if len(text) <= WIDTH and "\n" not in text else _kind(value)


def _kind(value: Any) -> str:
    size = f" of {len(value):,}" if isinstance(value, Sized) else ""
    return f"<{type(value).__name__}{size}>"
