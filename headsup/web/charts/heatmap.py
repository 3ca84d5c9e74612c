"""Hands by stacks: where each hand is played, including gaps that a chart with one number per hand hides."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from headsup.common.arrays import Floats
from headsup.common.plot import Chart
from headsup.jamfold.shipped import changes
from headsup.web.charts.grid import TONES

TICKS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 40, 50)
_LEFT, _TOP, _ROW, _STEP = 62, 22, 13, 3


def has_gap(stacks: Floats, often: Floats) -> bool:
    """Whether a hand is not simply played up to one stack and folded above it."""
    at = changes(stacks, often)
    return len(at) > 1 or bool(at and at[0][0] > stacks[0])


def in_order(often: Floats) -> list[int]:
    """Columns of [stacks, hands], most often played first."""
    order: list[int] = np.argsort(-often.sum(axis=0), kind="stable").tolist()
    return order


def heat_map(
    stacks: Floats,
    often: Floats,
    names: Sequence[str],
    *,
    play: str,
    title: str,
    now: float,
    chosen: str = "",
    link: Callable[[str], str] | None = None,
) -> Chart:
    """SVG of [stacks, hands]: full colour for played, half for mixed; a line at the stack `now`."""
    width, height = _LEFT + _STEP * len(stacks) + 14, _TOP + _ROW * len(names) + 24
    bottom = _TOP + _ROW * len(names)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="heat" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="{"group" if link else "img"}" aria-label={quoteattr(title)} '
        'font-family="sans-serif" font-size="10">',
        f'<rect x="{_LEFT}" y="{_TOP}" width="{_STEP * len(stacks)}" height="{bottom - _TOP}" fill="{TONES["base"]}"/>',
    ]
    played, mixed = list[str](), list[str]()
    for row in range(len(names)):
        y = _TOP + _ROW * row
        for start, end, level in _runs(often[:, row]):
            shape = f"M{_LEFT + _STEP * start} {y}h{_STEP * (end - start)}v{_ROW - 1}h-{_STEP * (end - start)}z"
            (played if level == 1 else mixed).append(shape)
    colour = TONES[play]
    parts.append(f'<path fill="{colour}" d="{"".join(played)}"/>')
    parts.append(f'<path fill="{colour}" fill-opacity="0.5" d="{"".join(mixed)}"/>')
    for tick in TICKS:
        at = int(np.abs(stacks - tick).argmin())
        x = _LEFT + _STEP * at + _STEP / 2
        parts.append(f'<path d="M{x} {_TOP}V{bottom}" stroke="#ffffff" stroke-opacity="0.16"/>')
        for y in (_TOP - 7, bottom + 13):
            parts.append(f'<text x="{x}" y="{y}" text-anchor="middle" fill="currentColor">{tick}</text>')
    if stacks[0] <= now <= stacks[-1]:
        here = _LEFT + _STEP * int(np.abs(stacks - now).argmin()) + _STEP / 2
        parts.append(f'<path d="M{here} {_TOP - 4}V{bottom + 3}" stroke="#ffd166" stroke-width="1.6"/>')
    for row, name in enumerate(names):
        weight = ' font-weight="bold" text-decoration="underline"' if name == chosen else ""
        place = f'x="{_LEFT - 6}" y="{_TOP + _ROW * row + 10}" text-anchor="end" fill="currentColor"{weight}'
        text = f"<text {place}>{escape(name)}</text>"
        parts.append(f"<a href={quoteattr(link(name))}>{text}</a>" if link else text)
    rows = [(name, *often[:, row].tolist()) for row, name in enumerate(names)]
    return Chart.of("\n".join([*parts, "</svg>", ""]), ("hand", *(f"{stack:g}" for stack in stacks.tolist())), rows)


def _runs(often: Floats) -> list[tuple[int, int, float]]:
    """Runs of stacks at which a hand is played or mixed: (start, end, 1 or 0.5)."""
    level = np.where(often == 1, 1.0, np.where(often == 0, 0.0, 0.5))
    edges = [0, *(np.flatnonzero(level[1:] != level[:-1]) + 1).tolist(), len(level)]
    return [(start, end, float(level[start])) for start, end in pairwise(edges) if level[start]]
