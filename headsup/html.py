"""What a notebook shows of a result: a table, or the chart of the 169 hands, as HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


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


def chart(title: str, names: Sequence[str], shares: Sequence[float]) -> str:
    """How much of each of the 169 hands is played, in the order of their classes: suited above the diagonal."""
    cells = [
        f'<td style="background:rgba(42,120,80,{share:.2f});text-align:center;padding:2px 4px" '
        f'title="{name} {share:.1%}">{name}</td>'
        for name, share in zip(names, shares, strict=True)
    ]
    rows = [f"<tr>{''.join(cells[start : start + 13])}</tr>" for start in range(0, len(cells), 13)]
    return f"<table><caption>{escape(title)}</caption><tbody>{''.join(rows)}</tbody></table>"
