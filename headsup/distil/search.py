"""Finding good rule cards: which lines, how many points, which thresholds.

The aim of a card, in mbb per game, is the sum over both seats of the mean of two losses against the equilibrium: the
worst over the stacks and the average over them. It bounds the price against a best responder from below, and in
practice the two are close; `polish` then goes on with the best responder itself.

1. **A floor for any choice of lines** (`floor`). Hands that look the same on these lines are played the same, whatever
   the points. So for each set of equal-looking hands, each seat and each stack, take the better of playing all of them
   or none: no card with these lines, nor any other rule that sees no more, loses less. Over all choices of k lines this
   is a proof, and it needs no search (`lowest_floor`).
2. **Points** (`fit`): least squares of the largest stack at which a hand is played gives a start; then one number at a
   time is changed by a little for as long as that helps, and random kicks get out of local optima. For each trial the
   best threshold lines are found by looking at all of them (`search_kernels`).
3. **Lines** (`choose`): the choices with the lowest floors are fitted in turn while there is time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from time import perf_counter

import numpy as np
import numpy.typing as npt

from headsup.distil.gains import gains
from headsup.distil.lines import pool
from headsup.distil.scorecard import ScoreCard, box
from headsup.games.jamfold import Floats

WORST_SHARE = 0.5
MOST_POINTS = 40
Appraisal = tuple[float, tuple[int, ...], tuple[int, ...]]
"""The aim, and the thresholds of both seats."""
SLOPES = np.arange(1, 13, dtype=np.int64)
STEPS = (1, -1, 2, -2, 4, -4)


def stacks_up_to(max_stack: float, step: float = 0.5) -> tuple[float, ...]:
    """The stacks that a search looks at: 1, 1.5, ... up to and with the largest."""
    below = np.arange(1, max_stack, step)
    return (*(float(stack) for stack in below), float(max_stack))


@dataclass(frozen=True, eq=False)
class Cells:
    """Hands that look the same on some lines, put together."""

    columns: npt.NDArray[np.int64]
    """int64[cells, numbers]."""
    gains: tuple[Floats, Floats]
    """Of each seat, float64[cells, stacks]."""


def cells_of(game: str, lines: Sequence[str], stacks: tuple[float, ...]) -> Cells:
    """Put together the hands that these lines cannot tell apart."""
    columns = np.concatenate([pool(game)[name].columns for name in lines], axis=1)
    key = np.zeros(len(columns), dtype=np.int64)
    for name in lines:
        looks = _looks(game, name)
        key = key * (int(looks.max()) + 1) + looks
        key = np.unique(key, return_inverse=True)[1].reshape(-1)
    order = np.argsort(key, kind="stable")
    first = np.searchsorted(key[order], np.arange(int(key.max()) + 1))
    sb, bb = (np.add.reduceat(seat[order], first, axis=0) for seat in gains(game, stacks))
    return Cells(columns[order[first]], (sb, bb))


@cache
def _looks(game: str, line: str) -> npt.NDArray[np.int64]:
    """For each hand class a number that says what one line sees of it."""
    return np.asarray(np.unique(pool(game)[line].columns, axis=0, return_inverse=True)[1].reshape(-1))


def _best(game: str, stacks: tuple[float, ...]) -> Floats:
    """float64[seats, stacks]: what the equilibrium's choices gain."""
    return np.asarray(np.maximum(gains(game, stacks), 0).sum(axis=1))


def aim_of(losses: Floats) -> float:
    """The aim from float64[seats, stacks] of losses."""
    return float((WORST_SHARE * losses.max(axis=1) + (1 - WORST_SHARE) * losses.mean(axis=1)).sum())


def floor(game: str, lines: Sequence[str], stacks: tuple[float, ...]) -> float:
    """No rule that sees only these lines has a lower aim."""
    cells = cells_of(game, lines, stacks)
    kept = np.stack([np.maximum(seat, 0).sum(axis=0) for seat in cells.gains])
    return aim_of(_best(game, stacks) - kept)


def floors(game: str, k: int, stacks: tuple[float, ...]) -> list[tuple[float, tuple[str, ...]]]:
    """The floor of every choice of k lines of the pool, lowest first."""
    return sorted((floor(game, lines, stacks), lines) for lines in combinations(pool(game), k))


@dataclass(frozen=True, eq=False)
class Fitted:
    """A card and its aim."""

    card: ScoreCard
    aim: float
    tried: int


class Trial:
    """Points for the columns of some lines, appraised by the best thresholds that they can have."""

    def __init__(self, game: str, lines: Sequence[str], stacks: tuple[float, ...], row: bool) -> None:
        self.row = row
        count = box(stacks[-1], 10**6) + 1
        self.boxes = np.array([box(stack, count) for stack in stacks])
        self.game, self.lines, self.stacks = game, tuple(lines), stacks
        self.cells = cells_of(game, lines, stacks)
        self.ratios = np.array(stacks)
        # hands that look alike but differ in what is right cost the same whatever the points
        self.fixed = _best(game, stacks) - [np.maximum(seat, 0).sum(axis=0) for seat in self.cells.gains]
        self.tried = 0

    def appraise(self, points: npt.NDArray[np.int64]) -> Appraisal:
        """The aim of these points and the two threshold lines."""
        from headsup.distil.search_kernels import best_line, best_row  # the compiler loads only for a search

        self.tried += 1
        scores = self.cells.columns @ points
        low = int(scores.min())
        size = int(scores.max()) - low + 1
        total = 0.0
        lines: list[tuple[int, ...]] = []
        for _ in range(2):
            table = self.by_threshold(len(lines), scores - low, size)
            if self.row:
                value, rows = best_row(table, self.boxes, WORST_SHARE)
                lines.append(tuple(int(row) + low for row in rows))
            else:
                value, a, b = best_line(table, low, self.ratios, SLOPES, WORST_SHARE)
                lines.append((int(a), int(b)))
            total += value
        return total, lines[0], lines[1]

    def by_threshold(self, seat: int, scores: npt.NDArray[np.int64], size: int) -> Floats:
        """float64[size + 1, stacks]: what each threshold costs one seat."""
        from headsup.distil.search_kernels import losses_by_threshold

        return np.asarray(losses_by_threshold(scores, self.cells.gains[seat], size) + self.fixed[seat])

    def start(self, scale: float) -> npt.NDArray[np.int64]:
        """Points by least squares from the largest stack at which each cell is played."""
        wanted, weight, rows = [], [], []
        for seat in self.cells.gains:
            gain = np.concatenate([np.full((len(seat), 1), 1e-9), seat], axis=1)
            cut = np.concatenate([[0.0], self.ratios])[gain.cumsum(axis=1).argmax(axis=1)]
            wanted.append(cut)
            weight.append(np.sqrt(np.abs(seat).mean(axis=1)))
            rows.append(self.cells.columns)
        w = np.concatenate(weight)
        design = np.concatenate([np.concatenate(rows), np.ones((len(w), 1))], axis=1)
        solved = np.linalg.lstsq(design * w[:, None], np.concatenate(wanted) * w, rcond=None)[0]
        return np.asarray(np.clip(np.rint(scale * solved[:-1]), -MOST_POINTS, MOST_POINTS), dtype=np.int64)

    def card(self, points: npt.NDArray[np.int64], sb: tuple[int, ...], bb: tuple[int, ...]) -> ScoreCard:
        """The card with these numbers."""
        given, at = {}, 0
        for name in self.lines:
            width = len(pool(self.game)[name].parts)
            given[name] = tuple(int(point) for point in points[at : at + width])
            at += width
        return ScoreCard(self.game, given, sb, bb, self.stacks[-1], self.row)


def fit(
    game: str,
    lines: Sequence[str],
    stacks: tuple[float, ...],
    *,
    row: bool = False,
    seconds: float = 5.0,
    scale: float = 4.0,
    seed: int = 0,
    start: ScoreCard | None = None,
    make: Callable[[str, Sequence[str], tuple[float, ...], bool], Trial] | None = None,
) -> Fitted:
    """Points and thresholds for given lines: descent one number at a time, with random kicks until time is up."""
    trial = Trial(game, lines, stacks, row) if make is None else make(game, lines, stacks, row)
    chance, until = np.random.default_rng(seed), perf_counter() + seconds
    if start is None:
        points = trial.start(scale)
    else:
        points = np.concatenate([np.array(start.points[name], dtype=np.int64) for name in lines])
    best_points, best = _descend(trial, points, until)
    while perf_counter() < until:
        kicked = best_points.copy()
        some = chance.choice(len(kicked), size=min(len(kicked), int(chance.integers(1, 4))), replace=False)
        kicked[some] += chance.integers(-4, 5, size=len(some))
        found_points, found = _descend(trial, np.clip(kicked, -MOST_POINTS, MOST_POINTS), until)
        if found[0] < best[0] - 1e-9:
            best_points, best = found_points, found
    return Fitted(trial.card(best_points, best[1], best[2]), best[0], trial.tried)


def _descend(trial: Trial, points: npt.NDArray[np.int64], until: float) -> tuple[npt.NDArray[np.int64], Appraisal]:
    """Change one number at a time for as long as it helps."""
    best = trial.appraise(points)
    improved = True
    while improved and perf_counter() < until:
        improved = False
        for number in range(len(points)):
            for step in STEPS:
                changed = points.copy()
                changed[number] += step
                if abs(changed[number]) > MOST_POINTS:
                    continue
                found = trial.appraise(changed)
                if found[0] < best[0] - 1e-9:
                    points, best, improved = changed, found, True
                    break
    return points, best


def choose(
    game: str,
    k: int,
    stacks: tuple[float, ...],
    *,
    seconds: float,
    row: bool = False,
    seed: int = 0,
    watch: Callable[[str], None] | None = None,
    choices: int = 15,
    shorter: ScoreCard | None = None,
) -> Fitted:
    """The best card of k lines that is found in the time: many choices of lines shortly, then a few, then one."""
    field: list[tuple[float, tuple[str, ...], ScoreCard | None]]
    field = [(floor_here, lines, None) for floor_here, lines in floors(game, k, stacks)[:choices]]
    if shorter is not None:
        # a card of one line less is a card of k lines with a line of zeros, so the frontier never rises
        for name in pool(game):
            if name not in shorter.points and len(shorter.points) == k - 1:
                longer = replace(shorter, points={**shorter.points, name: (0,) * len(pool(game)[name].parts)})
                lines = tuple(longer.points)
                field.append((floor(game, lines, stacks), lines, longer))
    best: list[tuple[float, Fitted]] = []
    for share, keep in ((0.3, 4), (0.3, 1), (0.4, 1)):
        each = seconds * share / len(field)
        best = []
        for floor_here, lines, start in field:
            if best and floor_here >= min(one.aim for _, one in best):
                continue  # whatever the points, these lines cannot win
            one = fit(game, lines, stacks, row=row, seconds=each, seed=seed, start=start)
            best.append((floor_here, one))
            if watch is not None:
                watch(f"{', '.join(lines)}: {one.aim:.2f} mbb, floor {floor_here:.2f}")
        best = sorted(best, key=lambda one: one[1].aim)[:keep]
        field = [(floor_here, tuple(one.card.points), one.card) for floor_here, one in best]
    return best[0][1]
