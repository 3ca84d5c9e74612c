"""What every paper's comparison is made of: tables of text cells, figures, and stored measurements.

A paper writes the text of its tables in `tables.md` beside its modules: `# name`, `### title`, then a Markdown table
whose cells may contain fields such as `{value:.2f}`. `written` fills in the computed values.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from headsup.common.errors import UserError
from headsup.common.files import parsed, read_shipped, read_text, write_text

Rows = list[tuple[str, ...]]


class Section(NamedTuple):
    title: str
    names: tuple[str, ...]  # of the columns
    rows: Rows


class Finding(NamedTuple):
    """What the comparison with a paper comes to: one sentence and one picture (SVG)."""

    sentence: str
    picture: str


def markdown(sections: Iterable[Section]) -> str:
    """Sections as Markdown tables, each under a heading of its own and after an empty line."""
    lines: list[str] = []
    for title, names, rows in sections:
        lines += ["", f"### {title}", ""]
        lines += [f"| {' | '.join(row)} |" for row in (names, ("---",) * len(names), *rows)]
    return "".join(f"{line}\n" for line in lines)


@cache
def _tables(path: Path) -> dict[str, Section]:
    tables = {}
    for text in f"\n{read_text(path)}".split("\n# ")[1:]:
        name, title, *lines = (line for line in text.splitlines() if line)
        names, _, *rows = (tuple(line[2:-2].split(" | ")) for line in lines)
        tables[name] = Section(title.removeprefix("### "), names, rows)
    return tables


def written(module: str, name: str, rows: Iterable[tuple[str, ...]] = (), **values: Any) -> Section:
    """A table of the `tables.md` beside a module (`__file__`), its fields filled in as by `str.format`; then `rows`."""
    title, names, lines = _tables(Path(module).parent / "tables.md")[name]
    return Section(title, names, [*(tuple(cell.format(**values) for cell in line) for line in lines), *rows])


@cache
def stored(path: Path) -> Any:
    """The content of a JSON file with what was measured in long runs."""
    return parsed(path, lambda: json.loads(read_shipped(path)), "a file of figures")


def stored_rows(path: Path, name: str) -> Rows:
    return [tuple(row) for row in stored(path)[name]["rows"]]


def records(sections: Iterable[Section]) -> dict[str, list[dict[str, str]]]:
    """Sections for JSON: by title, a dictionary for each row. A heading that repeats gets a number: error, error 2."""
    return {title: [dict(zip(_numbered(names), row, strict=True)) for row in rows] for title, names, rows in sections}


def _numbered(names: Sequence[str]) -> list[str]:
    times = [list(names[: i + 1]).count(name) for i, name in enumerate(names)]
    return [name if n == 1 else f"{name} {n}" for name, n in zip(names, times, strict=True)]


def marks(paper: str) -> tuple[str, str]:
    """The lines of a page that enclose the tables of a paper."""
    return f"<!-- begin: headsup reproduce {paper} -->", "<!-- end -->"


def split_page(page: Path, paper: str) -> tuple[str, str, str]:
    """The text before, between and after the marks of a page."""
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
    """Write figures (SVG text by file name) into an existing folder, and return their paths."""
    for name, text in drawn.items():
        write_text(folder / name, text)
    return [folder / name for name in drawn]
