"""What every paper's comparison is made of: sections of text cells (Markdown, a page, records) and figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from headsup.common.errors import UserError
from headsup.common.files import read_text, write_text

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


def marks(paper: str) -> tuple[str, str]:
    """The lines of a page between which the tables of a paper stand."""
    return f"<!-- begin: headsup reproduce {paper} -->", "<!-- end -->"


def split_page(page: Path, paper: str) -> tuple[str, str, str]:
    """What stands before, between and after the marks of a page, or one sentence that says what is wrong with it."""
    first, last = marks(paper)
    before, begun, rest = read_text(page).partition(first)
    tables, ended, after = rest.partition(last)
    if not (begun and ended):
        raise UserError(f"{page} has no place for the tables: put the lines {first} and {last} where they belong")
    return before, tables, after


def fill_page(page: Path, paper: str, tables: str) -> None:
    """Put the tables of a paper between the marks of a page."""
    before, _, after = split_page(page, paper)
    first, last = marks(paper)
    write_text(page, f"{before}{first}\n{tables}\n{last}{after}")


def write_plots(folder: Path, drawn: Mapping[str, str]) -> list[Path]:
    """Write figures (SVG text by file name) into a folder that is there; where they are."""
    written = []
    for name, text in drawn.items():
        write_text(folder / name, text)
        written.append(folder / name)
    return written
