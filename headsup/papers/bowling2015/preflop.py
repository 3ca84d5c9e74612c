"""The shipped strategy before the flop, hand by hand: how often the dealer limps, what the big blind folds.

Frequencies weight a hand by the opponent's hands that reach the decision and share no card with it.
"""

from functools import cache

import numpy as np

from headsup.cards.classes import holdem_class_name, holdem_class_of_combo
from headsup.cards.combos import HOLDEM_COUNT, combo_masks
from headsup.common.arrays import Floats
from headsup.common.plot import grid_chart
from headsup.games.holdem.vector import Strategy
from headsup.limit.shipped import shipped as shipped_limit
from headsup.papers.bowling2015.history import limit_game
from headsup.papers.section import Rows, Section, written

LINES = {
    "": "the dealer begins",
    "call": "the big blind, after a limp",
    "raise 4": "the big blind, after a raise",
    "raise 4, raise 6": "the dealer, after a reraise",
    "raise 4, raise 6, raise 8": "the big blind, after the last raise",
}
"""Decisions by their lines, in chips of half a big blind."""
CHARTS = {"limit-dealer.svg": "", "limit-big-blind.svg": "raise 4"}
PARTS = ("fold", "call", "raise")


@cache
def probabilities(line: str) -> Floats:
    """[fold, call, raise][1,326 hands] probabilities after a line; a check counts as a call."""
    played = limit_game()
    node = played.betting.find(line)
    rows = _strategy().rows(node, played.board(0, 0))
    out = np.zeros((3, rows.shape[1]))
    for name, row in zip(played.betting.actions(node), rows, strict=True):
        out[("fold", "call", "raise").index("call" if name == "check" else name.split()[0])] += row
    return out


@cache
def _strategy() -> Strategy:
    return shipped_limit().in_game(limit_game())


def reach(line: str) -> tuple[Floats, Floats]:
    """[1,326 hands] of dealer and big blind: the probability that each hand's own actions follow a line."""
    reached, before = [np.ones(HOLDEM_COUNT), np.ones(HOLDEM_COUNT)], ""
    for turn, step in enumerate(part for part in line.split(", ") if part):
        reached[turn % 2] = reached[turn % 2] * probabilities(before)[PARTS.index(step.split()[0])]
        before = f"{before}, {step}" if before else step
    return reached[0], reached[1]


def frequencies(line: str) -> Floats:
    """[fold, call, raise] frequencies once the line has happened."""
    mine = line.count(",") + bool(line)
    own, theirs = reach(line)[mine % 2], reach(line)[1 - mine % 2]
    weights = own * (_apart() @ theirs)
    return np.asarray(probabilities(line) @ weights / weights.sum())


@cache
def _apart() -> Floats:
    """[hands, hands]: 1 where two hands have no card in common."""
    masks = combo_masks(2)
    return np.asarray((masks[:, None] & masks[None, :]) == 0, dtype=np.float64)


def by_class(line: str) -> list[tuple[str, list[float]]]:
    """The 169 classes of hands in the order of a chart, with the mean of their hands."""
    names = [holdem_class_name(index) for index in range(169)]
    kind = holdem_class_of_combo()
    sizes = np.bincount(kind, minlength=169)
    means = np.stack([np.bincount(kind, row, minlength=169) / sizes for row in probabilities(line)])
    return [(name, means[:, index].tolist()) for index, name in enumerate(names)]


def charts() -> dict[str, str]:
    """SVG files by name: the dealer's first action, and the big blind's answer to a raise."""
    drawn: dict[str, str] = {}
    for file, line in CHARTS.items():
        title = f"Limit hold'em, shipped strategy: {LINES[line]}"
        drawn[file] = grid_chart(by_class(line), PARTS, title=title)
    return drawn


def preflop() -> Section:
    reported = {"": "hardly ever limps (as reported)"}
    rows: Rows = []
    for line, name in LINES.items():
        some = frequencies(line)
        rows.append((name, *(f"{share:.1%}" for share in some), reported.get(line, "")))
    return written(__file__, "preflop", rows)  # fmt: skip


def limpers() -> Section:
    most = sorted(by_class(""), key=lambda row: -row[1][1])[:8]
    rows: Rows = [(name, *(f"{share:.0%}" for share in some)) for name, some in most]
    return written(__file__, "limpers", rows)


def folders() -> Section:
    many = [name for name, some in by_class("raise 4") if some[0] >= 0.9]
    half = [name for name, some in by_class("raise 4") if 0.1 <= some[0] < 0.9]
    rows: Rows = [("at least 90 %", ", ".join(many) or "none"), ("10 to 90 %", ", ".join(half) or "none")]
    return written(__file__, "folders", rows)
