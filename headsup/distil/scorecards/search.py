"""Finding good rule cards: which lines, how many points, which thresholds.

1. **Points** (`fit`). Least squares of the largest stack at which a hand is played gives a start; gradient descent on
   soft decisions moves all numbers at once (`descent`); then they are brought to a small scale, rounded,
   and changed a little at a time for as long as that helps, with random kicks to get out of local optima. For each
   trial all thresholds are looked at (`kernels`), so they are always the best for their points.
2. **Fewer numbers.** Equal points on a line are one number to remember, so besides the aim (`objective`) each
   different number costs a little, and so does the size of the largest.
3. **Lines** (`choose`): a card of k - 1 lines with one more, and the choices with the lowest floors, are fitted
   shortly, the best of them longer, and one to the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import comb
from time import perf_counter

import numpy as np
import numpy.typing as npt

from headsup.distil.scorecards.lines import owners, pool
from headsup.distil.scorecards.objective import (
    MANY_CHOICES,
    WORST_SHARE,
    adds_seats,
    best_gains,
    cells_of,
    floors,
    mixed,
    scale,
)
from headsup.distil.scorecards.scorecard import ScoreCard, box
from headsup.games.arrays import Floats
from headsup.progress import Progress, Watch
from headsup.stop import asked, time_up

MOST_POINTS = {"holdem": 26, "omaha8": 20}
"""The largest points; SAGE gives 22 for a pair, ORACLE up to 75."""
PER_NUMBER = 0.005
"""What a number to remember may cost, as a share of the rival's price."""
PER_POINT = 0.001
"""The same for one more in the largest points."""
MOST_SOFT = 20.0
"""Seconds for one soft descent, at most."""
SLOPES = np.arange(1, 7, dtype=np.int64)
Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Appraisal:
    """What points are worth, with the thresholds that suit them."""

    value: float
    """The aim, and something for each number: what the search makes small."""
    aim: float
    sb: tuple[int, ...]
    bb: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Fitted:
    """A card, its aim, and how many were tried."""

    card: ScoreCard
    value: float
    aim: float
    tried: int


class Trial:
    """Points for the columns of some lines, appraised by the best thresholds that they can have."""

    def __init__(self, game: str, lines: Sequence[str], stacks: tuple[float, ...], row: bool) -> None:
        self.game, self.lines, self.stacks, self.row = game, tuple(lines), stacks, row
        count = box(stacks[-1], 10**6) + 1
        self.boxes = np.array([box(stack, count) for stack in stacks])
        self.cells = cells_of(game, lines, stacks)
        self.ratios = np.array(stacks)
        self.best = best_gains(game, stacks)
        self.scale, self.both = scale(game, stacks), adds_seats(game)
        self.owner = owners(game, lines)
        self.tried = 0

    def appraise(self, points: Longs) -> Appraisal:
        """What these points are worth."""
        self.tried += 1
        tables, low = self._tables(points)
        share, numbers = self._rows(tables) if self.row else self._lines(tables, low)
        aim = mixed(float(share[0]), float(share[1]))
        move = low if self.row else 0
        sb, bb = (tuple(int(number) + move for number in given) for given in numbers)
        return Appraisal(aim + self.points_burden(points), aim, sb, bb)

    def _rows(self, tables: list[Floats]) -> tuple[tuple[float, float], list[Longs]]:
        """The best rows: worst and average share, and the rows of both seats."""
        from headsup.distil.scorecards.kernels import best_rows  # the compiler loads only for a search

        if self.both:
            worst, total, sb, bb = best_rows(*tables, self.boxes, WORST_SHARE)
            return (worst, total / len(self.stacks)), [sb, bb]
        alone = np.zeros((1, len(self.stacks)))
        found = [best_rows(table, alone, self.boxes, WORST_SHARE) for table in tables]
        mean = sum(total for _, total, _, _ in found) / (2 * len(self.stacks))
        return (max(one[0] for one in found), mean), [rows for _, _, rows, _ in found]

    def _lines(self, tables: list[Floats], low: int) -> tuple[tuple[float, float], list[tuple[int, int]]]:
        """The best sums a + b R of each seat: worst and average share, and a and b of both seats."""
        from headsup.distil.scorecards.kernels import best_line

        found = [best_line(table, low, self.ratios, SLOPES, WORST_SHARE) for table in tables]
        if not self.both:
            mean = sum(total for _, total, _, _ in found) / (2 * len(self.stacks))
            return (max(one[0] for one in found), mean), [one[2:] for one in found]
        share = np.zeros(len(self.stacks))
        for table, (_, _, a, b) in zip(tables, found, strict=True):
            rows = np.clip(np.ceil(a + b * self.ratios).astype(np.int64) - low, 0, len(table) - 1)
            share += table[rows, np.arange(len(self.stacks))]
        return (float(share.max()), float(share.mean())), [one[2:] for one in found]

    def points_burden(self, points: Longs) -> float:
        """What it costs a person to remember the points.

        The `burden` of a finished card also counts how often its thresholds change. Here that is left out: the best
        thresholds for the points are taken as they are at every step, and fewer are looked for once, at the end
        (`few_thresholds`). A search that counted them from the start would find other cards than those that ship.
        """
        numbers = sum(len(set(points[self.owner == line].tolist()) - {0}) for line in range(len(self.lines)))
        return PER_NUMBER * numbers + PER_POINT * int(np.abs(points).max(initial=0))

    def few_thresholds(self, points: Longs, found: Appraisal) -> Appraisal:
        """The same points with rows that change less often, as long as that costs next to nothing."""
        from headsup.distil.scorecards.kernels import fewest_runs

        if not self.row or self.both:
            return found
        tables, low = self._tables(points)
        (limit, _), _ = self._rows(tables)
        # the sum over boxes of averages, and 2 x boxes of them make the mean
        per_run = PER_NUMBER * 2 * (int(self.boxes[-1]) + 1) / (1 - WORST_SHARE)
        rows = [fewest_runs(table, self.boxes, limit + 1e-9, per_run) for table in tables]
        share = [table[row[self.boxes], np.arange(len(self.stacks))] for table, row in zip(tables, rows, strict=True)]
        aim = mixed(float(np.max(share)), float(np.mean(share)))
        sb, bb = (tuple(int(number) + low for number in row) for row in rows)
        return Appraisal(aim + self.points_burden(points), aim, sb, bb)

    def _tables(self, points: Longs) -> tuple[list[Floats], int]:
        """The share of the rival's price that each threshold costs, for both seats, and the lowest threshold."""
        scores = self.cells.columns @ points
        low = int(scores.min())
        size = int(scores.max()) - low + 1
        return [self.by_threshold(seat, scores - low, size) / self.scale[seat] for seat in range(2)], low

    def by_threshold(self, seat: int, scores: Longs, size: int) -> Floats:
        """float64[size + 1, stacks]: what each threshold costs one seat."""
        from headsup.distil.scorecards.kernels import losses_by_threshold

        return np.asarray(losses_by_threshold(scores, self.cells.gains[seat], self.best[seat], size))

    def start(self) -> Floats:
        """Points by least squares from the largest stack at which each cell is played; scores spread by one."""
        wanted, weight = [], []
        for seat in self.cells.gains:
            gain = np.concatenate([np.full((len(seat), 1), 1e-9), seat], axis=1)
            wanted.append(np.concatenate([[0.0], self.ratios])[gain.cumsum(axis=1).argmax(axis=1)])
            weight.append(np.sqrt(np.abs(seat).mean(axis=1)))
        w = np.concatenate(weight)
        design = np.concatenate([self.cells.columns] * 2)
        design = np.concatenate([design, np.ones((len(w), 1))], axis=1)
        # a little of ridge regression: columns of a line may sum to a constant
        a = np.concatenate([design * w[:, None], 1e-3 * np.eye(design.shape[1])])
        b = np.concatenate([np.concatenate(wanted) * w, np.zeros(design.shape[1])])
        return self.spread(np.asarray(np.linalg.lstsq(a, b, rcond=None)[0][:-1]))

    def spread(self, points: Floats) -> Floats:
        """The points on the scale where scores have a standard deviation of one."""
        return np.asarray(points / max(float((self.cells.columns @ points).std()), 1e-9))

    def softened(self, points: Floats, seconds: float) -> Floats:
        """Better real points, from points whose scores spread by one."""
        from headsup.distil.scorecards.descent import Thresholds, soften

        unit = 30
        first = self.appraise(np.rint(unit * points).astype(np.int64))
        if self.row:
            kind = Thresholds(np.eye(int(self.boxes[-1]) + 1), self.boxes)
        else:
            kind = Thresholds(np.stack([np.ones_like(self.ratios), self.ratios], axis=1), np.arange(len(self.stacks)))
        numbers = np.array([first.sb, first.bb]) / unit - 0.5 / unit
        both = self.both
        return soften(self.cells, self.best, self.scale, kind, points, numbers, both=both, seconds=seconds)[0]

    def card(self, points: Longs, sb: tuple[int, ...], bb: tuple[int, ...]) -> ScoreCard:
        """The card with these numbers."""
        given = {name: tuple(int(point) for point in points[self.owner == at]) for at, name in enumerate(self.lines)}
        return ScoreCard(self.game, given, sb, bb, self.stacks[-1], self.row)


def fit(trial: Trial, *, seconds: float = 5.0, seed: int = 0, start: ScoreCard | None = None) -> Fitted:
    """Points and thresholds for given lines: soft descents, rounded and finished, again and again until time is up."""
    most = MOST_POINTS[trial.game]
    chance, begin = np.random.default_rng(seed), perf_counter()
    until = begin + seconds
    best_points, best = np.zeros(len(trial.owner), dtype=np.int64), None
    if start is not None:
        best_points, best = _descend(trial, start.points_of(trial.lines), until, chance)
    origins = [trial.start()]
    if best_points.any():
        origins.append(trial.spread(best_points.astype(np.float64)))
    turn = 0
    while best is None or not time_up(until):
        if turn % 4 == 0 and (best is None or not time_up(begin + 0.7 * seconds)):
            origin = origins[(turn // 4) % len(origins)]
            noise = chance.normal(0, 0.2 * min(turn, 1), size=len(origin)) * (np.abs(origin) + 0.1)
            soft = trial.softened(trial.spread(origin + noise), max(min(0.3 * seconds, MOST_SOFT), 1e-9))
            tried = [(trial.appraise(one).value, n, one) for n, one in enumerate(_scaled(soft, most))]
            points = min(tried, key=lambda one: one[:2])[2]
        else:
            points = best_points.copy()
            some = chance.choice(len(points), size=min(len(points), int(chance.integers(1, 4))), replace=False)
            points[some] += chance.integers(-3, 4, size=len(some))
        turn += 1
        points, found = _descend(trial, np.clip(points, -most, most), until, chance)
        if best is None or found.value < best.value - 1e-9:
            best_points, best = points, found
    assert best is not None
    few = trial.few_thresholds(best_points, best)
    return Fitted(trial.card(best_points, few.sb, few.bb), few.value, few.aim, trial.tried)


def _scaled(points: Floats, most: int) -> Iterator[Longs]:
    """Real points on scales from small to the largest allowed, rounded."""
    top = float(np.abs(points).max())
    for size in np.arange(5, most + 0.5, 0.5):
        yield np.rint(points * (size / max(top, 1e-9))).astype(np.int64)


def _descend(trial: Trial, points: Longs, until: float, chance: np.random.Generator) -> tuple[Longs, Appraisal]:
    """Make small changes, in any order, for as long as one helps."""
    best = trial.appraise(points)
    improved = True
    while improved and not time_up(until):
        improved = False
        moves = _moves(trial.owner, points)
        for at in chance.permutation(len(moves)):
            chosen, more, value = moves[at]
            changed = np.where(chosen, value if value is not None else points + more, points)
            if np.abs(changed).max() > MOST_POINTS[trial.game] or np.array_equal(changed, points):
                continue
            found = trial.appraise(changed)
            if found.value < best.value - 1e-9:
                points, best, improved = changed, found, True
            if time_up(until):
                break
    return points, best


Move = tuple[npt.NDArray[np.bool_], int, int | None]
"""Which points, how much more they get, or the number that they all get."""


def _moves(owner: Longs, points: Longs) -> list[Move]:
    """One number a little more or less; all that have the same number; a number made equal to another; a whole line."""
    lines = np.unique(owner)
    singles = [np.arange(len(points)) == at for at in range(len(points))]
    groups = [(owner == line) & (points == value) for line in lines for value in np.unique(points[owner == line])]
    whole = [owner == line for line in lines]
    found: list[Move] = [(some, step, None) for step in (1, -1, 2, -2) for some in (*singles, *groups, *whole)]
    for at, single in enumerate(singles):
        found += [(single, 0, value) for value in {0, *points[owner == owner[at]].tolist()} - {int(points[at])}]
    return found


def choose(
    game: str,
    k: int,
    stacks: tuple[float, ...],
    *,
    seconds: float,
    row: bool = False,
    seed: int = 0,
    watch: Watch | None = None,
    choices: int = 15,
    shorter: ScoreCard | None = None,
    more: Sequence[Sequence[str]] = (),
) -> Fitted:
    """The best card of k lines that is found in the time: many choices of lines shortly, then a few, then one.

    Choices are a `shorter` card and one more line, those with the lowest floors, and `more`.
    """
    field: list[tuple[tuple[str, ...], ScoreCard | None]] = []
    if shorter is not None and len(shorter.points) == k - 1:
        # a card of one line less is a card of k lines with a line of zeros, so the frontier never rises
        for name in (name for name in pool(game) if name not in shorter.points):
            longer = replace(shorter, points={**shorter.points, name: (0,) * len(pool(game)[name].parts)})
            field.append((tuple(longer.points), longer))
    ends = tuple(stacks[at] for at in sorted({0, len(stacks) // 2, len(stacks) - 1}))
    if comb(len(pool(game)), k) <= MANY_CHOICES:
        field += [(lines, None) for _, lines in floors(game, k, ends)[:choices]]
    field += [(tuple(lines), None) for lines in more if len(lines) == k]
    if not field:
        shorter = choose(game, k - 1, stacks, seconds=seconds / 2, row=row, seed=seed, choices=choices).card
        return choose(game, k, stacks, seconds=seconds / 2, row=row, seed=seed, watch=watch, shorter=shorter)
    best: list[Fitted] = []
    whole = tuple(stack for stack in stacks if stack == int(stack))
    for share, keep in ((0.35, 3), (0.25, 1), (0.4, 1)):
        each, best = seconds * share / len(field), []
        for lines, start in field:
            if best and asked():
                break
            seen = whole if keep == 3 and len(whole) > 2 else stacks  # a first look needs not all stacks
            one = fit(Trial(game, lines, seen, row), seconds=each, seed=seed, start=start)
            best.append(one)
            if watch is not None:
                watch(Progress(text=f"{', '.join(lines)}: {one.aim:.3f} of the rival's price, lost to the equilibrium"))
        best = sorted(best, key=lambda one: one.value)[:keep]
        field = [(tuple(one.card.points), one.card) for one in best]
    return best[0]
