"""A rule card: lines of points, and one threshold line for each seat.

With R the effective stack in big blinds (before posting), play if the points reach the seat's threshold: a + b R, or a
row with one number for each whole R, R rounded to the nearest, halves down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.common.errors import DataError
from headsup.distil.scorecards.lines import CardLine, columns_of, pool
from headsup.games.betting.stakes import SEAT_NAMES, SEATS
from headsup.jamfold.hands import class_sizes

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, repr=False)
class ScoreCard:
    """Points for the columns of some lines, and thresholds a + b R."""

    game: str
    points: Mapping[str, tuple[int, ...]]  # line name -> the points of each of its parts
    sb: tuple[int, ...]  # the small blind's threshold: (a, b), or the row for R = 1, 2, ..
    bb: tuple[int, ...]
    max_stack: float  # the largest R that the card is made for
    row: bool = False  # whether the thresholds are rows

    def __post_init__(self) -> None:
        lines = pool(self.game)
        for name, points in self.points.items():
            if name not in lines or len(points) != len(lines[name].parts):
                raise DataError(f"a {self.game} card has no line '{name}' with {len(points)} numbers")

    def __repr__(self) -> str:
        return f"<ScoreCard {self.game}: {len(self.points)} lines, {self.numbers} numbers, up to {self.max_stack:g} bb>"

    def _repr_html_(self) -> str:
        from headsup.common.display import table

        rows = []
        for line in self.lines:
            worth = zip(line.parts, self.points[line.name], strict=True)
            rows.append((line.heading, ", ".join(f"{part} {points:+d}" for part, points in worth if points)))
        kind = "for R = 1, 2, .." if self.row else "a, b of a + b R"
        for seat, needed in zip(SEAT_NAMES.values(), (self.sb, self.bb), strict=True):
            rows.append((f"{seat} needs ({kind})", ", ".join(map(str, needed))))
        return table(f"The {self.game} card of {len(self.points)} lines", ("line", "points"), rows)

    @property
    def name(self) -> str:
        return f"{self.game} card, {len(self.points)} lines, {self.kind}"

    @property
    def kind(self) -> str:
        return "row" if self.row else "sum"

    @property
    def lines(self) -> list[CardLine]:
        return [pool(self.game)[name] for name in self.points]

    @property
    def numbers(self) -> int:
        """How many numbers must be remembered: equal points on a line, or equal neighbours in a row, count once."""
        points = sum(len(set(points) - {0}) for points in self.points.values())
        if not self.row:
            return points + len(self.sb) + len(self.bb)
        return points + sum(1 + sum(a != b for a, b in pairwise(row)) for row in (self.sb, self.bb))

    @property
    def largest(self) -> int:
        return max(abs(point) for points in self.points.values() for point in points)

    @property
    def scores(self) -> Longs:
        lines = tuple(self.points)
        if not lines:
            return np.zeros(len(class_sizes(self.game)), dtype=np.int64)
        return np.asarray(columns_of(self.game, lines) @ self.points_of(lines))

    def threshold(self, seat: str, stack: float) -> float:
        given = self.sb if seat == "sb" else self.bb
        if self.row:
            return given[box(stack, len(given))]
        return given[0] + given[1] * stack

    def thresholds(self, stacks: Sequence[float]) -> npt.NDArray[np.float64]:
        """float64[seats, stacks]."""
        return np.array([[self.threshold(seat, stack) for stack in stacks] for seat in SEATS], dtype=np.float64)

    def points_of(self, lines: Sequence[str]) -> Longs:
        """The points of the columns of some lines as one array; zeros for lines that the card lacks."""
        points = [self.points.get(name, (0,) * len(pool(self.game)[name].parts)) for name in lines]
        return np.concatenate(points).astype(np.int64)

    def plays(self, seat: str, stack: float) -> npt.NDArray[np.bool_]:
        return np.asarray(self.scores >= self.threshold(seat, stack))

    def strategy(self, stack: float, seat: str) -> npt.NDArray[np.float64]:
        return self.plays(seat, stack).astype(np.float64)

    def as_dict(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "points": {name: list(points) for name, points in self.points.items()},
            "sb": list(self.sb),
            "bb": list(self.bb),
            "max_stack": self.max_stack,
            "row": self.row,
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> ScoreCard:
        points = {str(name): tuple(int(point) for point in points) for name, points in given["points"].items()}
        sb, bb = (tuple(int(number) for number in given[seat]) for seat in SEATS)
        return cls(str(given["game"]), points, sb, bb, float(given["max_stack"]), bool(given["row"]))


@dataclass(frozen=True, eq=False)
class Thresholds:
    """A seat's numbers and its threshold at each stack: thresholds are `basis` times numbers, a level a row."""

    basis: npt.NDArray[np.float64]
    level: Longs  # of each stack

    @classmethod
    def of(cls, stacks: Sequence[float], row: bool) -> Thresholds:
        """For rising stacks: a number for each whole R, or a and b of a + b R."""
        if not row:
            return cls(np.stack([np.ones(len(stacks)), stacks], axis=1), np.arange(len(stacks)))
        level = np.array([box(stack, 10**6) for stack in stacks])
        return cls(np.eye(int(level[-1]) + 1), level)


def box(stack: float, boxes: int) -> int:
    """The entry of a row for a stack: the nearest whole R, halves down; the ends cover what lies beyond."""
    return min(max(ceil(stack - 0.5) - 1, 0), boxes - 1)
