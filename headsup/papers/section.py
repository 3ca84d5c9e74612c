"""What every paper's comparison is made of: sections of text cells, as Markdown or as records, and figures as files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from headsup.files import write_text

Rows = list[tuple[str, ...]]


class Section(NamedTuple):
    """One table of a comparison."""

    title: str
    names: tuple[str, ...]  # of the columns
    rows: Rows


def markdown(sections: Iterable[Section]) -> str:
    """Sections as Markdown tables, each under a heading of its own and after an empty line."""
    lines: list[str] = []
    for title, names, rows in sections:
        lines += ["", f"### {title}", ""]
        lines += [f"| {' | '.join(row)} |" for row in (names, ("---",) * len(names), *rows)]
    return "".join(f"{line}\n" for line in lines)


def records(sections: Iterable[Section]) -> dict[str, list[dict[str, str]]]:
    """Sections for JSON: by title, a dictionary for each row."""
    return {title: [dict(zip(names, row, strict=True)) for row in rows] for title, names, rows in sections}


def write_plots(folder: Path, drawn: Mapping[str, str]) -> list[Path]:
    """Write figures (SVG text by file name) into a folder that is there; where they are."""
    written = []
    for name, text in drawn.items():
        write_text(folder / name, text)
        written.append(folder / name)
    return written
