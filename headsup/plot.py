"""Convergence curves on two logarithmic axes: as an SVG file, and as text for a terminal.

Nothing but arithmetic and strings; a curve is a list of (x, y) with both above zero, other points are left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

Curve = Sequence[tuple[float, float]]

COLOURS = ("#2a6fb0", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#34495e", "#16a085", "#7f8c8d")
MARKS = "ox+*#@%&"


def loglog_svg(curves: Mapping[str, Curve], x_name: str, y_name: str, title: str = "") -> str:
    """The curves as the text of an SVG image."""
    width, height, left, right, top, bottom = 720, 460, 74, 16, 34, 52
    frame = _Frame(curves)

    def place(x: float, y: float) -> tuple[float, float]:
        u, v = frame.unit(x, y)
        return left + u * (width - left - right), height - bottom - v * (height - top - bottom)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"',
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{width / 2:.0f}" y="20" text-anchor="middle" font-size="14">{escape(title)}</text>',
    ]
    for decade in frame.decades(0):
        x = place(10.0**decade, frame.low[1])[0]
        out.append(f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{height - bottom}" stroke="#dddddd"/>')
        out.append(f'<text x="{x:.1f}" y="{height - bottom + 16}" text-anchor="middle">{_power(decade)}</text>')
    for decade in frame.decades(1):
        y = place(frame.low[0], 10.0**decade)[1]
        out.append(f'<line x1="{left}" y1="{y:.1f}" x2="{width - right}" y2="{y:.1f}" stroke="#dddddd"/>')
        out.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{_power(decade)}</text>')
    for number, (name, curve) in enumerate(frame.curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = " ".join("{:.1f},{:.1f}".format(*place(x, y)) for x, y in curve)
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        y = top + 16 + 16 * number
        out.append(f'<text x="{width - right - 8}" y="{y}" text-anchor="end" fill="{colour}">{escape(name)}</text>')
    middle = (top + height - bottom) / 2
    out.append(
        f'<text x="{(left + width - right) / 2:.0f}" y="{height - 14}" text-anchor="middle">{escape(x_name)}</text>'
    )
    turned = f'transform="rotate(-90 16 {middle:.0f})"'
    out.append(f'<text x="16" y="{middle:.0f}" text-anchor="middle" {turned}>{escape(y_name)}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


def loglog_text(curves: Mapping[str, Curve], x_name: str, y_name: str, width: int = 64, height: int = 16) -> str:
    """The curves as lines of text."""
    frame = _Frame(curves)
    grid = [[" "] * width for _ in range(height)]
    for number, curve in enumerate(frame.curves.values()):
        for x, y in curve:
            u, v = frame.unit(x, y)
            grid[height - 1 - round(v * (height - 1))][round(u * (width - 1))] = MARKS[number % len(MARKS)]
    labels = {}
    for decade in frame.decades(1):
        labels[height - 1 - round(frame.unit(frame.low[0], 10.0**decade)[1] * (height - 1))] = f"1e{decade}"
    lines = [f"{labels.get(row, ''):>7} |{''.join(cells)}" for row, cells in enumerate(grid)]
    axis = [" "] * (width + 6)
    for decade in frame.decades(0):
        at = round(frame.unit(10.0**decade, frame.low[1])[0] * (width - 1))
        for offset, letter in enumerate(f"1e{decade}"):
            axis[at + offset] = letter
    key = "   ".join(f"{MARKS[i % len(MARKS)]} {name}" for i, name in enumerate(frame.curves))
    return "\n".join([f"{y_name}", *lines, f"{'':7} +{'-' * width}", f"{'':9}{''.join(axis).rstrip()}  {x_name}", key])


class _Frame:
    """The box of whole decades around all points, and where a point lies in it."""

    def __init__(self, curves: Mapping[str, Curve]) -> None:
        self.curves = {name: [(x, y) for x, y in curve if x > 0.0 and y > 0.0] for name, curve in curves.items()}
        points = [point for curve in self.curves.values() for point in curve] or [(1.0, 1.0)]
        self.low, self.high = [0.0, 0.0], [0.0, 0.0]
        for axis in (0, 1):
            logs = [math.log10(point[axis]) for point in points]
            low, high = math.floor(min(logs)), math.ceil(max(logs))
            self.low[axis], self.high[axis] = 10.0**low, 10.0 ** (high if high > low else low + 1)

    def unit(self, x: float, y: float) -> tuple[float, float]:
        """A point as fractions of the box."""
        parts = []
        for axis, value in enumerate((x, y)):
            low, high = math.log10(self.low[axis]), math.log10(self.high[axis])
            parts.append((math.log10(value) - low) / (high - low))
        return parts[0], parts[1]

    def decades(self, axis: int) -> range:
        """The exponents of the powers of ten on an axis."""
        return range(round(math.log10(self.low[axis])), round(math.log10(self.high[axis])) + 1)


def _power(decade: int) -> str:
    return f'10<tspan baseline-shift="super" font-size="9">{decade}</tspan>'
