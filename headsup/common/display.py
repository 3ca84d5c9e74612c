"""How results show themselves: one line in a terminal, a table or chart as plain HTML in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import fields
from math import inf, isfinite
from typing import Any

WIDTH = 60  # a value with a longer text is shown by its type and size


def brief(record: Any) -> str:
    """The `__repr__` of a dataclass that holds arrays: their types and shapes instead of their numbers."""
    parts = (f"{part.name}={_value(getattr(record, part.name))}" for part in fields(record) if part.repr)
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


def escape(text: str, quote: bool = True) -> str:
    """`html.escape`, whose tables are loaded when something is shown."""
    import html

    return html.escape(text, quote)


def escaped(text: str) -> str:
    """A text between tags, where quotes may stay; `xml.sax.saxutils` does the same, and loads an HTTP client for it."""
    return escape(text, quote=False)


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], note: str = "") -> str:
    """A table with a caption; every text is escaped."""
    heads = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = [f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows]
    top = f"<thead><tr>{heads}</tr></thead>" if head else ""
    below = f"<p>{escape(note)}</p>" if note else ""
    return f"<table><caption>{escape(title)}</caption>{top}<tbody>{''.join(lines)}</tbody></table>{below}"


def chart(title: str, names: Sequence[str], frequencies: Sequence[float]) -> str:
    """How often each of the 169 hands is played, in the order of their classes: suited above the diagonal."""
    cells = [
        f'<td style="background:rgba(42,120,80,{frequency:.2f});text-align:center;padding:2px 4px" '
        f'title="{name} {frequency:.1%}">{name}</td>'
        for name, frequency in zip(names, frequencies, strict=True)
    ]
    rows = [f"<tr>{''.join(cells[start : start + 13])}</tr>" for start in range(0, len(cells), 13)]
    return f"<table><caption>{escape(title)}</caption><tbody>{''.join(rows)}</tbody></table>"


RESIDUE = 1e-12  # results smaller than this come from rounding


def number(value: float, digits: int = 6, sign: bool = False) -> str:
    """A result with so many significant digits; what comes from rounding is 0."""
    value = 0.0 if abs(value) < RESIDUE else value
    return f"{value:{'+' if sign else ''}z.{digits}g}"


def finite(value: float) -> float | None:
    """A number for JSON; None where it is not finite, so that it is printed as null."""
    return value if isfinite(value) else None


def jsonable(value: Any) -> Any:
    """The same value for JSON; numbers that are not finite become None."""
    if isinstance(value, float):
        return finite(value)
    if isinstance(value, Mapping):
        return {key: jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in value]
    return value


def json_line(value: Any, indent: int | None = None) -> str:
    """The JSON text of a value, without a line end; what does not exist is null, never NaN or Infinity."""
    import json

    return json.dumps(jsonable(value), indent=indent, allow_nan=False)


def print_line(**fields: Any) -> None:
    """Print fields as a line of JSON, at once: for scripts that report as they go."""
    print(json_line(fields), flush=True)


def csv_text(rows: Iterable[Iterable[Any]]) -> str:
    """Rows as CSV; the first one has the names of the columns."""
    import csv
    import io

    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def duration(seconds: float) -> str:
    """A time with a unit, to two digits."""
    for unit, size, most in (("s", 1.0, 99.5), ("minutes", 60.0, 5970.0), ("hours", 3600.0, inf)):
        if seconds < most:
            number = seconds / size
            return f"{number:,.0f} {unit}" if number >= 9.95 else f"{number:.2g} {unit}"
    raise AssertionError
