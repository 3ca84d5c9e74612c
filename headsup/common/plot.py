"""Line, scatter, bar and grid charts as SVG, the same bytes every time; line charts also as text.

A plotting library would be a large dependency, slow to import, with files that differ from version to version, where
tests compare the figures in the docs byte by byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, floor, isfinite, log10, sqrt
from pathlib import Path

from headsup.common.checks import quoted
from headsup.common.display import csv_text, escaped
from headsup.common.errors import UserError

COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f")
DASHES = ("", "7 3", "2 3", "9 3 2 3")  # of lines one after the other, so that they differ not only by colour
ACTIONS = ("#1f77b4", "#2ca02c", "#ff7f0e", "#d62728")
"""Fold, check or call, bet or raise, all-in: as the page has them."""
MARKS = "ox+*#@%&"
Points = Sequence[tuple[float, float]]
Row = tuple[str | float, ...]
_LEFT, _RIGHT, _TOP, _BOTTOM = 74, 30, 40, 52
_KEY_WIDTH, _KEY_STEP = 172, 17
_DOT = 0.16
_SQUARE, _BAR_WIDTH, _TEXT_ROWS = 640, 720, 16
_BAR_LEFT, _BAR_STEP = 140, 20


def svg_file(path: str | Path) -> Path:
    """The file of a --plot; its name must end in .svg."""
    if Path(path).suffix.lower() != ".svg":
        raise UserError(f"--plot got {quoted(str(path))}: charts are SVG, so name a file that ends in .svg")
    return Path(path)


def svg_files(plot: str | None, second: str) -> list[Path]:
    """The two files of a --plot, `second` being added to the name of the first; none for the terminal."""
    if plot in (None, "-"):
        return []
    file = svg_file(str(plot))
    return [file, file.with_name(f"{file.stem}-{second}.svg")]


class Chart(str):
    """A chart as SVG text that knows the numbers it was drawn from."""

    names: tuple[str, ...]  # of the columns
    rows: list[Row]

    @classmethod
    def of(cls, svg: str, names: Iterable[str], rows: Iterable[Row]) -> Chart:
        made = cls(svg)
        made.names, made.rows = tuple(names), list(rows)
        return made

    def _repr_svg_(self) -> str:
        return str(self)

    def csv(self) -> str:
        return csv_text([self.names, *self.rows])

    def text(self) -> str:
        labels = [[_label(value) if isinstance(value, float) else str(value) for value in row] for row in self.rows]
        cells = [list(self.names), *labels]
        wide = [max(len(row[i]) for row in cells) for i in range(len(self.names))]
        lines = (
            "  ".join(cell.rjust(n) if i else cell.ljust(n) for i, (cell, n) in enumerate(zip(row, wide, strict=True)))
            for row in cells
        )
        return "\n".join([*(line.rstrip() for line in lines), ""])


class _Axis:
    """One axis: from values to pixels, with round ticks."""

    def __init__(self, values: Sequence[float], start: float, stop: float, log: bool) -> None:
        self.log, self.start, self.stop = log, start, stop
        low, high = min(values), max(values)
        if log:
            self.low, self.high = float(floor(log10(low) + 1e-9)), float(ceil(log10(high) - 1e-9))
            self.high += self.high == self.low
            self.ticks = [10.0**k for k in range(int(self.low), int(self.high) + 1)]
            return
        step = _round_step((high - low) or abs(high) or 1.0)
        self.low, self.high = floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step
        self.high += step * (self.high == self.low)
        self.ticks = [self.low + k * step for k in range(round((self.high - self.low) / step) + 1)]

    def at(self, value: float) -> float:
        place = log10(value) if self.log else value
        return self.start + (place - self.low) / (self.high - self.low) * (self.stop - self.start)


def _round_step(span: float) -> float:
    """A step of 1, 2 or 5 times a power of ten that cuts the span into about six."""
    rough = span / 6
    unit: float = 10.0 ** floor(log10(rough))
    return next(unit * k for k in (1, 2, 5, 10) if unit * k >= rough)


def line_chart(
    series: Mapping[str, Points],
    *,
    title: str,
    x: str,
    y: str,
    log_x: bool = False,
    log_y: bool = False,
    width: int = 720,
    height: int = 420,
    faint: Mapping[str, Points] | None = None,
    dots: bool = False,
) -> Chart:
    """A chart of named series of (x, y) points; on a log axis points at or below zero are left out.

    `faint` has lines that go with series of the same name: dashed, in their colour, without a line in the key. `dots`
    marks every point, so that a series of one is seen.
    """
    lines, weak = (
        {
            name: [
                (a, b)
                for a, b in points
                if isfinite(a) and isfinite(b) and (a > 0 or not log_x) and (b > 0 or not log_y)
            ]
            for name, points in group.items()
        }
        for group in (series, faint or {})
    )
    every = [point for points in (*lines.values(), *weak.values()) for point in points]
    if not every:
        raise ValueError("a chart needs at least one point")
    across = _Axis([a for a, _ in every], _LEFT, width - _RIGHT, log_x)
    up = _Axis([b for _, b in every], height - _BOTTOM, _TOP, log_y)
    parts = _frame(across, up, title, x, y, width, height)
    pixels = {name: [(across.at(a), up.at(b)) for a, b in points] for name, points in lines.items()}
    key_x, key_y = _emptiest_corner(pixels, width, height)
    for index, (name, trace) in enumerate(pixels.items()):
        colour, dash = COLOURS[index % len(COLOURS)], DASHES[index % len(DASHES)]
        style = f' stroke-dasharray="{dash}"' if dash and not dots and not weak else ""
        dashes = _trace([(across.at(a), up.at(b)) for a, b in weak.get(name, [])])
        if dashes:
            faintly = 'stroke-width="1" stroke-dasharray="2 3"'
            parts.append(f'<polyline points="{dashes}" fill="none" stroke="{colour}" {faintly}/>')
        parts.append(f'<polyline points="{_trace(trace)}" fill="none" stroke="{colour}" stroke-width="1.6"{style}/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="4" fill="{colour}"/>' for a, b in trace if dots]
        row = key_y + _KEY_STEP * index
        parts.append(f'<path d="M{key_x} {row - 4}h22" stroke="{colour}" stroke-width="3"{style}/>')
        parts.append(f'<text x="{key_x + 28}" y="{row}">{escaped(name)}</text>')
    rows = [(name, a, b) for name, points in lines.items() for a, b in points]
    return Chart.of("\n".join([*parts, "</svg>", ""]), ("series", x, y), rows)


def scatter_chart(
    points: Sequence[tuple[float, float, float]],
    *,
    title: str,
    x: str,
    y: str,
    band: float = 0.0,
    notes: Sequence[str] = (),
) -> Chart:
    """A square chart of (x, y, weight) points on one scale, with the diagonal: a dot's area is its weight.

    `band` shades what is at most so far from the diagonal; `notes` are lines in the emptiest corner. Points on the same
    tenth of a pixel are drawn as one.
    """
    if not points:
        raise ValueError("a chart needs at least one point")
    shown = [value for a, b, _ in points for value in (a, b)]
    across = _Axis(shown, _LEFT, _SQUARE - _RIGHT, log=False)
    up = _Axis(shown, _SQUARE - _BOTTOM, _LEFT + _RIGHT - _BOTTOM, log=False)
    parts = _frame(across, up, title, x, y, _SQUARE, _SQUARE)
    low, high = across.low, across.high
    left, right, floor_, roof = across.at(low), across.at(high), up.at(low), up.at(high)
    parts.append(
        f'<clipPath id="inside"><path d="M{left:.1f} {floor_:.1f}V{roof:.1f}H{right:.1f}V{floor_:.1f}Z"/></clipPath>'
    )
    inside = 'clip-path="url(#inside)"'
    if band > 0:
        corners = [(low, low + band), (high, high + band), (high, high - band), (low, low - band)]
        shape = " ".join(f"{across.at(a):.1f},{up.at(b):.1f}" for a, b in corners)
        parts.append(f'<polygon points="{shape}" fill="{COLOURS[2]}" fill-opacity="0.12" {inside}/>')
    parts.append(f'<path d="M{left:.1f} {floor_:.1f}L{right:.1f} {roof:.1f}" stroke="#555555" stroke-dasharray="5 4"/>')
    merged: dict[tuple[float, float], float] = {}
    for a, b, weight in points:
        place = round(across.at(a), 1), round(up.at(b), 1)
        merged[place] = merged.get(place, 0.0) + weight
    total = sum(merged.values())
    parts.append(f'<g fill="{COLOURS[0]}" fill-opacity="0.45">')
    for (a, b), weight in sorted(merged.items()):
        radius = max(0.7, _DOT * _SQUARE * sqrt(weight / total))
        parts.append(f'<circle cx="{a:g}" cy="{b:g}" r="{radius:.2f}"/>')
    parts.append("</g>")
    corner_x, corner_y = _emptiest_corner({"": list(merged)}, _SQUARE, _SQUARE, len(notes), diagonal=True)
    for row, note in enumerate(notes):
        parts.append(f'<text x="{corner_x}" y="{corner_y + _KEY_STEP * row}">{escaped(note)}</text>')
    return Chart.of("\n".join([*parts, "</svg>", ""]), (x, y, "weight"), points)


def bar_chart(
    bars: Sequence[tuple[str, Sequence[float]]],
    parts: Sequence[str],
    *,
    title: str,
    x: str,
    stacked: bool = True,
) -> Chart:
    """A horizontal bar for each name, of several parts that are stacked, or drawn below each other from zero."""
    if not bars:
        raise ValueError("a chart needs at least one bar")
    ends = [value for _, values in bars for value in ([sum(values)] if stacked else values)]
    across = _Axis([0.0, *ends], _BAR_LEFT, _BAR_WIDTH - _RIGHT, log=False)
    top = _TOP + 8 + _KEY_STEP
    bottom = top + _BAR_STEP * len(bars)
    parts_of = [*_head(_BAR_WIDTH, bottom + _BOTTOM, _BAR_LEFT, title), *_part_names(parts, _BAR_LEFT)]
    for tick in across.ticks:
        at = f"{across.at(tick):.1f}"
        parts_of.append(f'<path d="M{at} {top}V{bottom}" stroke="#e4e4e4"/>')
        parts_of.append(f'<text x="{at}" y="{bottom + 17}" text-anchor="middle">{_label(tick)}</text>')
    for row, (name, values) in enumerate(bars):
        y, done = top + _BAR_STEP * row, 0.0
        parts_of.append(f'<text x="{_BAR_LEFT - 8}" y="{y + 14}" text-anchor="end">{escaped(name)}</text>')
        tall = _BAR_STEP - 4 if stacked else (_BAR_STEP - 4) / max(1, len(values))
        for index, value in enumerate(values):
            begin, end = sorted((across.at(done), across.at(done + value)))
            high = y + 2 + (0 if stacked else tall * index)
            shape = f'x="{begin:.1f}" y="{high:g}" width="{end - begin:.1f}" height="{tall:g}"'
            parts_of.append(f'<rect {shape} fill="{COLOURS[index % len(COLOURS)]}"/>')
            done += value if stacked else 0.0
    middle = (across.start + across.stop) / 2
    parts_of.append(f'<text x="{middle:g}" y="{bottom + _BOTTOM - 12}" text-anchor="middle">{escaped(x)}</text>')
    rows: list[Row] = [(name, *values) for name, values in bars]
    return Chart.of("\n".join([*parts_of, "</svg>", ""]), ("name", *parts), rows)


def grid_chart(
    cells: Sequence[tuple[str, Sequence[float]]], parts: Sequence[str], *, title: str, columns: int = 13
) -> Chart:
    """Named cells in rows, each filled from the left by the probabilities of its parts: actions, as in `ACTIONS`."""
    if not cells:
        raise ValueError("a chart needs at least one cell")
    wide, tall, top = 48, 34, _TOP + 8 + _KEY_STEP
    width, height = 2 * _RIGHT + wide * columns, top + tall * -(-len(cells) // columns) + _RIGHT
    drawn = [*_head(width, height, _RIGHT, title), *_part_names(parts, _RIGHT, ACTIONS)]
    for index, (name, probabilities) in enumerate(cells):
        x, y = _RIGHT + wide * (index % columns), top + tall * (index // columns)
        left = float(x)
        for part, probability in enumerate(probabilities):
            fill = f'fill="{ACTIONS[part]}" fill-opacity="0.55"'
            if probability > 0:
                drawn.append(f'<rect x="{left:.1f}" y="{y}" width="{wide * probability:.1f}" height="{tall}" {fill}/>')
            left += wide * probability
        drawn.append(f'<rect x="{x}" y="{y}" width="{wide}" height="{tall}" fill="none" stroke="white"/>')
        drawn.append(f'<text x="{x + wide / 2:g}" y="{y + tall / 2 + 4:g}" text-anchor="middle">{escaped(name)}</text>')
    rows: list[Row] = [(name, *probabilities) for name, probabilities in cells]
    return Chart.of("\n".join([*drawn, "</svg>", ""]), ("name", *parts), rows)


def _part_names(parts: Sequence[str], left: float, colours: Sequence[str] = COLOURS) -> list[str]:
    """The key of a chart whose marks have parts: one line below the title."""
    drawn, place = [], float(left)
    for index, name in enumerate(parts):
        colour = colours[index % len(colours)]
        drawn.append(f'<rect x="{place:g}" y="{_TOP - 2}" width="12" height="12" fill="{colour}"/>')
        drawn.append(f'<text x="{place + 17:g}" y="{_TOP + 8}">{escaped(name)}</text>')
        place += 34 + 7 * len(name)
    return drawn


def _trace(points: Points) -> str:
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in points)


def _head(width: int, height: int, left: int, title: str) -> list[str]:
    """The start of every chart: its size, white paper and the title."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"',
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{left}" y="22" font-size="15" font-weight="bold">{escaped(title)}</text>',
    ]


def _frame(across: _Axis, up: _Axis, title: str, x: str, y: str, width: int, height: int) -> list[str]:
    """The start of a chart: paper, title, grid, ticks and the names of both axes."""
    parts = _head(width, height, _LEFT, title)
    for tick in across.ticks:
        place = f"{across.at(tick):.1f}"
        parts.append(f'<path d="M{place} {up.stop:g}V{up.start:g}" stroke="#e4e4e4"/>')
        parts.append(f'<text x="{place}" y="{up.start + 17:g}" text-anchor="middle">{_label(tick)}</text>')
    for tick in up.ticks:
        place = f"{up.at(tick):.1f}"
        colour = "#999999" if tick == 0 else "#e4e4e4"
        parts.append(f'<path d="M{across.start:g} {place}H{across.stop:g}" stroke="{colour}"/>')
        parts.append(f'<text x="{across.start - 8:g}" y="{place}" dy="4" text-anchor="end">{_label(tick)}</text>')
    middle_x, middle_y = (across.start + across.stop) / 2, (up.start + up.stop) / 2
    parts.append(f'<text x="{middle_x:g}" y="{height - 12}" text-anchor="middle">{escaped(x)}</text>')
    turn = f"translate(16 {middle_y:g}) rotate(-90)"
    parts.append(f'<text transform="{turn}" text-anchor="middle">{escaped(y)}</text>')
    return parts


def _emptiest_corner(
    pixels: Mapping[str, Points], width: int, height: int, rows: int | None = None, diagonal: bool = False
) -> tuple[int, int]:
    """The start of the key, in the corner with the fewest points; beside a `diagonal`, one of its two free corners."""
    tall = _KEY_STEP * (len(pixels) if rows is None else rows)
    right, bottom = width - _RIGHT - _KEY_WIDTH, height - _BOTTOM - tall
    corners = [(right, _TOP + 14), (_LEFT + 8, bottom + 6), (right, bottom + 6), (_LEFT + 8, _TOP + 14)]

    def points_in(corner: tuple[int, int]) -> int:
        x, y = corner
        return sum(
            x - 8 <= a <= x + _KEY_WIDTH and y - 16 <= b <= y + tall for trace in pixels.values() for a, b in trace
        )

    return min(corners[2:] if diagonal else corners, key=points_in)


def _label(value: float) -> str:
    return f"{value:.6g}" if value else "0"


def loglog_text(series: Mapping[str, Points], x: str, y: str, width: int = 64) -> str:
    """Named series on two logarithmic axes as lines of text; points at or below zero are left out."""
    lines = {name: [(a, b) for a, b in points if a > 0 and b > 0] for name, points in series.items()}
    every = [point for points in lines.values() for point in points] or [(1.0, 1.0)]
    across = _Axis([a for a, _ in every], 0, width - 1, log=True)
    up = _Axis([b for _, b in every], _TEXT_ROWS - 1, 0, log=True)
    grid = [[" "] * width for _ in range(_TEXT_ROWS)]
    for index, points in enumerate(lines.values()):
        for a, b in points:
            grid[round(up.at(b))][round(across.at(a))] = MARKS[index % len(MARKS)]
    labels = {round(up.at(tick)): f"1e{round(log10(tick))}" for tick in up.ticks}
    rows = [f"{labels.get(row, ''):>7} |{''.join(cells)}" for row, cells in enumerate(grid)]
    axis = [" "] * (width + 6)
    for tick in across.ticks:
        for offset, letter in enumerate(f"1e{round(log10(tick))}"):
            axis[round(across.at(tick)) + offset] = letter
    key = "   ".join(f"{MARKS[i % len(MARKS)]} {name}" for i, name in enumerate(lines))
    return "\n".join([y, *rows, f"{'':7} +{'-' * width}", f"{'':9}{''.join(axis).rstrip()}  {x}", key])
