"""The console that every verb prints with: no markup, and neither wrapped nor padded unless on a terminal."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterable, Sequence
from typing import IO, Any

from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.rule import Rule
from rich.table import Column, Table
from rich.text import Text

UNLIMITED = 1_000_000  # the width of what is not a terminal: no line of ours is as long
NARROWEST, RULE = 20, 80
LEAST = 0.001  # what is played less often is not shown
GAP = 4  # the widest gap between columns
NAMES = 16  # the first column may be folded to this width; numbers are never broken


class Unpadded:
    """A stream that drops the spaces at the end of a line."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream, self._held = stream, ""

    def write(self, text: str) -> int:
        """Write text; trailing spaces wait until something follows them."""
        whole = re.sub(r" +(?=\n)", "", self._held + text)
        kept = whole.rstrip(" ")
        self._held = whole[len(kept) :]
        self._stream.write(kept)
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class QuietConsole(Console):
    def on_broken_pipe(self) -> None:
        """Say nothing more, and let the caller end the program."""
        self.quiet = True
        raise BrokenPipeError


def make_console(**options: Any) -> Console:
    """A console on standard output, or as rich's options say."""
    stream = options.get("file") or (sys.stderr if options.get("stderr") else sys.stdout)
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns):
        options.setdefault("width", max(NARROWEST, min(int(columns), UNLIMITED)))
    if stream is not None and not stream.isatty():
        options.setdefault("width", UNLIMITED)
        options["file"] = Unpadded(stream)
    return QuietConsole(**({"highlight": False, "markup": False, "emoji": False} | options))


def print_heading(console: Console, text: str) -> None:
    console.print(Rule(Text(text, style="bold"), align="left"), width=min(console.width, RULE))


def print_table(console: Console, table: Table) -> None:
    """A table; on a narrow terminal, a block of lines for each row."""
    columns = [[_text(cell) for cell in column.cells] for column in table.columns]
    heads = [_text(column.header) for column in table.columns]
    widths = [
        max(cell_len(text.plain) for text in (*cells, *map(Text, head.plain.split()), Text()))
        for head, cells in zip(heads, columns, strict=True)
    ]
    table.columns[0].overflow = "fold"
    if min(widths[0], NAMES) + sum(2 + width for width in widths[1:]) <= console.width:
        if _too_wide(console, table, heads, columns):  # wrap headings of several words before names
            for column, width in zip(table.columns[1:], widths[1:], strict=True):
                column.width = width
        console.print(table)
        return
    room = max(cell_len(head.plain) for head in heads[1:])
    for name, *cells in zip(*columns, strict=True):
        name.plain = at_commas(name.plain, console.width)
        if name.plain:  # else it belongs to the row above
            console.print(Text.assemble(f"{heads[0]} " if heads[0] else "", name))
        for head, cell in zip(heads[1:], cells, strict=True):
            if cell.plain:
                console.print(Text.assemble("  ", head.plain.ljust(room + 2), cell))


def _too_wide(console: Console, table: Table, heads: Sequence[Text], columns: Sequence[Sequence[Text]]) -> bool:
    """Whether a table does not fit; rich measures every cell only if a quick bound says that it may not."""
    texts = zip(heads, columns, strict=True)
    most = sum(GAP + max(cell_len(text.plain) for text in (head, *cells)) for head, cells in texts)
    if most <= console.width:
        return False
    return Measurement.get(console, console.options.update(max_width=UNLIMITED), table).maximum > console.width


def make_table(*heads: str, words: int = 1) -> Table:
    """A table without lines: `words` columns of text, then columns of numbers."""
    table = Table(box=None, pad_edge=False)
    for at, head in enumerate(heads):
        table.add_column(head, justify="left" if at < words else "right")
    return table


def make_facts() -> Table:
    """A grid of names and values; long values are folded, never cut off."""
    return Table.grid("", Column(overflow="fold"), padding=(0, 2))


def add_saved(table: Table, path: str | None) -> None:
    """Where a solved spot was saved, and the command that shows it."""
    if path:
        table.add_row("saved", path)
        table.add_row("", f"look into it: headsup look {shlex.quote(path)}")


def at_commas(text: str, width: int) -> str:
    """Range text with line breaks after commas."""
    lines = [""]
    for part in re.findall("[^,]*,|[^,]+", text):
        if lines[-1] and cell_len(lines[-1] + part) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


def beside(name: str, parts: Sequence[str], width: int) -> str:
    """A name and its parts; parts that do not fit continue below the first, or below a name that is too long."""
    whole = name + "  ".join(parts)
    longest = max(map(cell_len, parts), default=0)
    if cell_len(whole) <= width or not parts:
        return whole
    margin = cell_len(name) if cell_len(name) + longest <= width else 4
    lines = [name] if margin == cell_len(name) else [name.rstrip(), " " * margin]
    for part in parts:
        if lines[-1].strip() and len(lines[-1]) > margin and cell_len(f"{lines[-1]}  {part}") > width:
            lines.append(" " * margin)
        lines[-1] += part if cell_len(lines[-1]) == margin else f"  {part}"
    return "\n".join(lines)


def _text(cell: object) -> Text:
    return cell if isinstance(cell, Text) else Text(str(cell))


def small_grid(frequencies: Iterable[float]) -> Text:
    """A 13 x 13 chart in 27 columns: how often each hand is played, in tenths."""
    from headsup.cards.cards import RANKS

    ranks, marks = RANKS[::-1], [_tenths(frequency) for frequency in frequencies]
    rows = [" ".join((rank, *marks[13 * row : 13 * row + 13])) for row, rank in enumerate(ranks)]
    legend = "suited above the diagonal, offsuit below; # always, + over 95%, 1-9 tenths, - under 5%, . never"
    legend += ", blank: not in the range" if " " in marks else ""
    return Text("\n".join([" ".join((" ", *ranks)), *rows, legend]))


def print_charts(console: Console, actions: Iterable[str], frequencies: Iterable[Any]) -> None:
    """A chart for each action that some class of hands takes; `frequencies` are arrays of 169."""
    for action, often in zip(actions, frequencies, strict=True):
        if (often >= LEAST).any():
            console.print(Text.assemble("\n", (action, "bold")))
            console.print(small_grid(1.0 if x > 0.9995 else 0.0 if x < 0.0005 else x for x in often))


def percentages(actions: Iterable[str], frequencies: Iterable[float]) -> str:
    """How often each action is taken, in one line."""
    return ", ".join(f"{action} {often:.1%}" for action, often in zip(actions, frequencies, strict=True))


def _tenths(frequency: float) -> str:
    if frequency != frequency:
        return " "  # nan: no hand of the class is in the range
    if frequency in (0, 1):
        return "#" if frequency else "."
    return "-" if frequency < 0.05 else "+" if frequency > 0.95 else str(max(1, min(9, round(10 * frequency))))
