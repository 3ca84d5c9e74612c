"""The 13 x 13 chart as cells: what a template draws with buttons, and what a file has as SVG.

A cell is a name, a small text, and bars: rectangles in percent of the cell, each of a tone that the style sheet (or
`TONES`, in a file) gives a colour. Each cell says in words what it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape as escaped
from xml.sax.saxutils import escape

import numpy as np
from markupsafe import Markup

from headsup.cards.classes import holdem_class_name
from headsup.common.arrays import Floats
from headsup.web.render import signed, templates

TONES = {
    "fold": "#3d5a80",
    "jam": "#c2410c",
    "call": "#047857",
    "up": "#c2410c",
    "down": "#1d6fb8",
    "cost": "#7c3aed",
    "even": "#8a5a10",
    "check": "#2f7d5b",
    "bet1": "#9a5b00",
    "bet2": "#b04a08",
    "bet3": "#b3261e",
    "bet4": "#8f1239",
    "base": "#1b2733",
    "none": "#4b5563",
}
CLOSE, NEAR = 1e-3, 1e-2  # big blinds between the two choices: indifferent, and almost so


@dataclass(frozen=True)
class Bar:
    tone: str
    x: float = 0.0
    y: float = 0.0
    width: float = 100.0
    height: float = 100.0
    strength: float = 1.0


@dataclass(frozen=True)
class Cell:
    hand: str
    small: str
    words: str  # what it is, in words
    bars: tuple[Bar, ...]
    never: bool = False  # it never reaches the decision


def buttons(cells: Sequence[Cell], label: str, seat: str = "", chosen: str = "", form: str = "ask") -> Markup:
    """The chart as HTML, each cell a button that picks its hand; a template would be four times slower."""
    stop = chosen if any(cell.hand == chosen for cell in cells) else cells[0].hand if cells else ""
    made = []
    for cell in cells:
        mark = f'tabindex="{0 if cell.hand == stop else -1}"' + (' class="chosen"' if cell.hand == chosen else "")
        value = escaped(f"{seat}:{cell.hand}")
        about = f'value="{value}" title="{escaped(cell.words)}" {mark}'
        made.append(f'<button type="submit" form="{form}" name="pick" {about}>{_text(cell)}</button>')
    return _table(cells, made, f'class="grid13" data-grid role="group" aria-label="{escaped(label)}"')


def still(cells: Sequence[Cell], label: str) -> Markup:
    made = [f'<span title="{escaped(cell.words)}">{_text(cell)}</span>' for cell in cells]
    return _table(cells, made, f'class="grid13 still" role="group" aria-label="{escaped(label)}"')


def _text(cell: Cell) -> str:
    return escaped(cell.hand) + (f"<small>{escaped(cell.small)}</small>" if cell.small else "")


def _table(cells: Sequence[Cell], made: Sequence[str], about: str) -> Markup:
    """Cells over one SVG of all bars: 169 separate ones would be ten times slower to lay out."""
    svg = f'<svg viewBox="0 0 1300 1300" preserveAspectRatio="none" aria-hidden="true">{_bars(cells)}</svg>'
    return Markup("\n".join([f"<div {about}>{svg}", *made, "</div>"]))


def _bars(cells: Sequence[Cell]) -> str:
    """The bars of all cells, one path per colour; opacity in steps of 1/20."""
    paths: dict[tuple[str, float], list[str]] = {}
    for index, cell in enumerate(cells):
        left, top = 100 * (index % 13), 100 * (index // 13)
        for bar in (Bar("none"),) if cell.never else cell.bars:
            shape = f"M{left + bar.x:g} {top + bar.y:g}h{bar.width:g}v{bar.height:g}h{-bar.width:g}z"
            paths.setdefault((bar.tone, round(20 * bar.strength) / 20), []).append(shape)
    drawn = ""
    for (tone, strength), shapes in paths.items():
        weak = f' fill-opacity="{strength:g}"' if strength != 1 else ""
        drawn += f'<path class="t-{tone}"{weak} d="{"".join(shapes)}"/>'
    return drawn


templates.env.globals |= {"chart_buttons": buttons, "chart_still": still}


def rising(tone: str, share: float) -> tuple[Bar, ...]:
    """A bar from the bottom of the cell."""
    if share <= 0:
        return ()
    return (Bar(tone, y=round(100 - 100 * min(share, 1.0), 2), height=round(100 * min(share, 1.0), 2)),)


def side_by_side(shares: Sequence[tuple[str, float]], height: float) -> tuple[Bar, ...]:
    """Bars from the left, as wide as their shares, from the bottom of the cell."""
    bars, x = [], 0.0
    for tone, share in shares:
        if share > 0.0005:
            bars.append(Bar(tone, round(x, 2), round(100 - height, 2), round(100 * share, 2), height))
            x += 100 * share
    return tuple(bars)


def range_cells(shares: Floats) -> list[Cell]:
    """A range as a chart: [169] the share of each class that is in it."""
    cells = []
    for index, often in enumerate(shares.tolist()):
        name = holdem_class_name(index)
        bars = side_by_side([("call", 1.0)], round(100 * min(1.0, often), 1)) if often > 1e-3 else ()
        cells.append(Cell(name, "", f"{name}: {often:.0%}", bars))
    return cells


def frequency_cells(played: Floats, play: str) -> list[Cell]:
    cells = []
    for index, often in enumerate(played.tolist()):
        name = holdem_class_name(index)
        mixed = 0 < often < 1
        small = f"{max(1, min(99, round(100 * often)))}" if mixed else ""
        words = f"{name}: {play} {100 * often:.1f} %" if mixed else f"{name}: {play if often else 'fold'}"
        cells.append(Cell(name, small, words, rising(play, often)))
    return cells


def value_cells(values: Floats, folding: float, play: str) -> list[Cell]:
    """Expected values, coloured by the gain over folding."""
    gains = values - folding
    most = float(np.nanmax(np.abs(gains))) or 1.0
    cells = []
    for index, (value, gain) in enumerate(zip(values.tolist(), gains.tolist(), strict=True)):
        name = holdem_class_name(index)
        if value != value:
            cells.append(Cell(name, "", f"{name}: no jam to call", ()))
            continue
        tone, words = "up" if gain > 0 else "down", f"{name}: {play} {signed(value)} bb, fold {signed(folding)} bb"
        bar = Bar(tone, strength=round(0.15 + 0.85 * min(1.0, abs(gain) / most) ** 0.5, 3))
        cells.append(Cell(name, _few(value), words, (bar,)))
    return cells


def regret_cells(values: Floats, folding: float, play: str) -> list[Cell]:
    gains = np.nan_to_num(values - folding)
    most = float(np.abs(gains).max()) or 1.0
    cells = []
    for index, gain in enumerate(gains.tolist()):
        name, right = holdem_class_name(index), play if gain > 0 else "fold"
        bar = Bar("cost", strength=round(min(1.0, abs(gain) / most) ** 0.5, 3))
        words = f"{name}: {right}; the other choice loses {abs(gain):.3f} bb"
        cells.append(
            Cell(name, f"{abs(gain):.2f}".replace("0.", ".", 1) if abs(gain) < 1 else f"{abs(gain):.1f}", words, (bar,))
        )
    return cells


def close_cells(values: Floats, folding: float, play: str) -> list[Cell]:
    cells = []
    for index, gain in enumerate(np.nan_to_num(values - folding).tolist()):
        name = holdem_class_name(index)
        level = 1.0 if abs(gain) < CLOSE else 0.45 if abs(gain) < NEAR else 0.0
        verdict = (
            "indifferent" if level == 1 else "almost indifferent" if level else f"clear {play if gain > 0 else 'fold'}"
        )
        words = f"{name}: {verdict}, {play} gains {signed(gain, 4)} bb"
        small = "=" if level == 1 else "≈" if level else ""
        cells.append(Cell(name, small, words, (Bar("even", strength=level),) if level else ()))
    return cells


def _few(value: float) -> str:
    return signed(value, 1 if abs(value) < 9.95 else 0)


def grid_svg(cells: Sequence[Cell], title: str, note: str = "") -> str:
    """The chart as one SVG file."""
    step, top = 44, 40
    side = 13 * step
    size = f"0 0 {side + 24} {side + top + 40}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" font-family="sans-serif">',
        f'<rect width="{side + 24}" height="{side + top + 40}" fill="white"/>',
        f'<text x="12" y="26" font-size="16" font-weight="bold">{escape(title)}</text>',
    ]
    for index, cell in enumerate(cells):
        x, y = 12 + step * (index % 13), top + step * (index // 13)
        inside, base = step - 2, TONES["none" if cell.never else "base"]
        parts.append(f"<g><title>{escape(cell.words)}</title>")
        parts.append(f'<rect x="{x}" y="{y}" width="{inside}" height="{inside}" rx="3" fill="{base}"/>')
        for bar in cell.bars:
            shape = (
                f'x="{x + inside * bar.x / 100:.2f}" y="{y + inside * bar.y / 100:.2f}" '
                f'width="{inside * bar.width / 100:.2f}" height="{inside * bar.height / 100:.2f}"'
            )
            parts.append(f'<rect {shape} fill="{TONES.get(bar.tone, "#888888")}" fill-opacity="{bar.strength:g}"/>')
        middle = x + inside / 2
        lift = 20 if cell.small else 26
        white = 'fill="white" text-anchor="middle"'
        parts.append(f'<text x="{middle:g}" y="{y + lift}" font-size="13" {white}>{cell.hand}</text>')
        if cell.small:
            parts.append(f'<text x="{middle:g}" y="{y + 35}" font-size="10" {white}>{escape(cell.small)}</text>')
        parts.append("</g>")
    parts.append(f'<text x="12" y="{side + top + 22}" font-size="12" fill="#555555">{escape(note)}</text>')
    return "\n".join([*parts, "</svg>", ""])
