"""Line charts without a plotting library: as SVG, the same bytes every time, and as text for a terminal.

from headsup.plot import line_chart
Path("value.svg").write_text(line_chart({"value": [(1, 0.2), (2, 0.1)]}, title="Value", x="stack", y="bb"))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, isfinite, log10
from xml.sax.saxutils import escape

COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f")
MARKS = "ox+*#@%&"
Points = Sequence[tuple[float, float]]
_LEFT, _RIGHT, _TOP, _BOTTOM = 74, 30, 40, 52
_KEY_WIDTH, _KEY_STEP = 172, 17


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
        """The pixel of a value."""
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
) -> str:
    """A chart of named series of (x, y) points; on a log axis points at or below zero are left out."""
    lines = {
        name: [
            (a, b) for a, b in points if isfinite(a) and isfinite(b) and (a > 0 or not log_x) and (b > 0 or not log_y)
        ]
        for name, points in series.items()
    }
    every = [point for points in lines.values() for point in points]
    if not every:
        raise ValueError("a chart needs at least one point")
    across = _Axis([a for a, _ in every], _LEFT, width - _RIGHT, log_x)
    up = _Axis([b for _, b in every], height - _BOTTOM, _TOP, log_y)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"',
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{_LEFT}" y="22" font-size="15" font-weight="bold">{escape(title)}</text>',
    ]
    for tick in across.ticks:
        place = f"{across.at(tick):.1f}"
        parts.append(f'<path d="M{place} {_TOP}V{height - _BOTTOM}" stroke="#e4e4e4"/>')
        parts.append(f'<text x="{place}" y="{height - _BOTTOM + 17}" text-anchor="middle">{_label(tick)}</text>')
    for tick in up.ticks:
        place = f"{up.at(tick):.1f}"
        colour = "#999999" if tick == 0 else "#e4e4e4"
        parts.append(f'<path d="M{_LEFT} {place}H{width - _RIGHT}" stroke="{colour}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{place}" dy="4" text-anchor="end">{_label(tick)}</text>')
    middle_x, middle_y = (_LEFT + width - _RIGHT) / 2, (_TOP + height - _BOTTOM) / 2
    parts.append(f'<text x="{middle_x:g}" y="{height - 12}" text-anchor="middle">{escape(x)}</text>')
    turn = f"translate(16 {middle_y:g}) rotate(-90)"
    parts.append(f'<text transform="{turn}" text-anchor="middle">{escape(y)}</text>')
    pixels = {name: [(across.at(a), up.at(b)) for a, b in points] for name, points in lines.items()}
    key_x, key_y = _emptiest_corner(pixels, width, height)
    for index, (name, trace) in enumerate(pixels.items()):
        colour = COLOURS[index % len(COLOURS)]
        points_text = " ".join(f"{a:.1f},{b:.1f}" for a, b in trace)
        parts.append(f'<polyline points="{points_text}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        row = key_y + _KEY_STEP * index
        parts.append(f'<path d="M{key_x} {row - 4}h22" stroke="{colour}" stroke-width="3"/>')
        parts.append(f'<text x="{key_x + 28}" y="{row}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _emptiest_corner(pixels: Mapping[str, Points], width: int, height: int) -> tuple[int, int]:
    """Where the key starts: the corner of the frame whose box holds the fewest points, top right first."""
    tall = _KEY_STEP * len(pixels)
    right, bottom = width - _RIGHT - _KEY_WIDTH, height - _BOTTOM - tall
    corners = [(right, _TOP + 14), (_LEFT + 8, bottom + 6), (right, bottom + 6), (_LEFT + 8, _TOP + 14)]

    def points_in(corner: tuple[int, int]) -> int:
        x, y = corner
        return sum(
            x - 8 <= a <= x + _KEY_WIDTH and y - 16 <= b <= y + tall for trace in pixels.values() for a, b in trace
        )

    return min(corners, key=points_in)


def _label(value: float) -> str:
    return f"{value:.6g}" if value else "0"


def loglog_text(series: Mapping[str, Points], x: str, y: str, width: int = 64, height: int = 16) -> str:
    """Named series on two logarithmic axes as lines of text; points at or below zero are left out."""
    lines = {name: [(a, b) for a, b in points if a > 0 and b > 0] for name, points in series.items()}
    every = [point for points in lines.values() for point in points] or [(1.0, 1.0)]
    across = _Axis([a for a, _ in every], 0, width - 1, log=True)
    up = _Axis([b for _, b in every], height - 1, 0, log=True)
    grid = [[" "] * width for _ in range(height)]
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
