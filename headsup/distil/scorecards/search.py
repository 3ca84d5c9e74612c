"""Finding good rule cards: which lines, how many points, which thresholds.

`fit` starts from least squares of the largest stack at which a hand is played, descends on soft decisions (`descent`),
then scales, rounds and changes numbers a little at a time, with random kicks; each trial takes the best thresholds
(`kernels`). Each different number on a line, and the largest one, cost a little. `choose` extends a card of k - 1 lines
and fits the choices with the lowest floors, first briefly, the best of them longer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import comb
from time import perf_counter

import numpy as np
import numpy.typing as npt

from headsup.common.arrays import Floats
from headsup.common.progress import Progress, Watch
from headsup.common.stop import asked, time_up
from headsup.distil.scorecards.lines import by_line, owners, pool
from headsup.distil.scorecards.objective import MANY_CHOICES, WORST_SHARE, best_gains, cells_of, floors, mixed, scale
from headsup.distil.scorecards.records import adds_seats
from headsup.distil.scorecards.scorecard import ScoreCard, Thresholds

MOST_POINTS = {"holdem": 26, "omaha8": 20}  # the largest points; SAGE gives 22 for a pair, ORACLE up to 75
PER_NUMBER = 0.005  # what a number to remember may cost, as a share of the rival's price
PER_POINT = 0.001  # the same for one more in the largest points
MOST_SOFT = 20.0  # seconds for one soft descent, at most
SLOPES = np.arange(1, 7, dtype=np.int64)
Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Appraisal:
    """The value of points, with their best thresholds."""

    value: float  # the aim, and something for each number: what the search makes small
    aim: float
    numbers: Longs  # int64[seats, numbers]: what the thresholds are made of


@dataclass(frozen=True, eq=False)
class FittedCard:
    """A card, its aim, and the number of trials."""

    card: ScoreCard
    value: float
    aim: float
    tried: int
    finished: bool = False  # whether it is known that no single change helps any more


class CardTrial:
    """Points for the columns of some lines, appraised with their best thresholds."""

    def __init__(self, game: str, lines: Sequence[str], stacks: tuple[float, ...], row: bool) -> None:
        self.game, self.lines, self.stacks, self.row = game, tuple(lines), stacks, row
        self.form = Thresholds.of(stacks, row)
        self.edges = np.searchsorted(self.form.level, np.arange(len(self.form.basis) + 1))
        self.cells = cells_of(game, lines, stacks)
        self.ratios = np.array(stacks)
        self.best = best_gains(game, stacks)
        self.scale, self.both = scale(game, stacks), adds_seats(game)
        self.owner = owners(game, lines)
        self.tried = 0

    def appraise(self, points: Longs) -> Appraisal:
        self.tried += 1
        tables, low = self._tables(points)
        return self._appraisal(points, tables, low, self._best_numbers(tables, low))

    def aim(self, card: ScoreCard) -> float:
        tables, low = self._tables(card.points_of(self.lines))
        return mixed(self._shares(tables, low, np.array([card.sb, card.bb])))

    def _appraisal(self, points: Longs, tables: Floats, low: int, numbers: Longs) -> Appraisal:
        aim = mixed(self._shares(tables, low, numbers))
        return Appraisal(aim + self.points_burden(points), aim, numbers)

    def _shares(self, tables: Floats, low: int, numbers: Longs) -> Floats:
        """The relative cost of thresholds of these numbers at each stack: a row for each seat, or one for both."""
        needed = np.ceil(numbers @ self.form.basis.T).astype(np.int64)[:, self.form.level]
        rows = (needed - low).clip(0, tables.shape[1] - 1)
        share = tables[np.arange(2)[:, None], rows, np.arange(len(self.stacks))]
        return np.asarray(share.sum(axis=0, keepdims=True) if self.both else share)

    def _best_numbers(self, tables: Floats, low: int) -> Longs:
        """The best thresholds: sums a + b R of each seat, or rows, of both seats together if they add up."""
        from headsup.distil.scorecards.kernels import best_line, best_rows  # the compiler loads only for a search

        if not self.row:
            return np.array([best_line(table, low, self.ratios, SLOPES, WORST_SHARE) for table in tables])
        if self.both:
            return np.asarray(low + best_rows(*tables, self.edges, WORST_SHARE))
        alone = np.zeros((1, len(self.stacks)))
        return np.array([low + best_rows(table, alone, self.edges, WORST_SHARE)[0] for table in tables])

    def points_burden(self, points: Longs) -> float:
        """The cost of remembering the points.

        The `burden` of a finished card also counts how often its thresholds change. The search leaves that out and
        looks for fewer thresholds once, at the end (`few_thresholds`): it found the shipped cards that way.
        """
        numbers = sum(len(set(points[self.owner == line].tolist()) - {0}) for line in range(len(self.lines)))
        return PER_NUMBER * numbers + PER_POINT * int(np.abs(points).max(initial=0))

    def few_thresholds(self, points: Longs, appraisal: Appraisal) -> Appraisal:
        """The same points with rows that change less often, if that costs next to nothing."""
        from headsup.distil.scorecards.kernels import fewest_runs

        if not self.row or self.both:
            return appraisal
        tables, low = self._tables(points)
        limit = float(self._shares(tables, low, appraisal.numbers).max()) + 1e-9
        # the sum over boxes of averages, and 2 x boxes of them make the mean
        per_run = PER_NUMBER * appraisal.numbers.size / (1 - WORST_SHARE)
        rows = np.array([low + fewest_runs(table, self.edges, limit, per_run) for table in tables])
        return self._appraisal(points, tables, low, rows)

    def _tables(self, points: Longs) -> tuple[Floats, int]:
        """float64[seats, thresholds, stacks]: the relative cost of each threshold; and the lowest threshold."""
        scores = self.cells.columns @ points
        low = int(scores.min())
        size = int(scores.max()) - low + 1
        return np.stack([self.by_threshold(seat, scores - low, size) / self.scale[seat] for seat in range(2)]), low

    def by_threshold(self, seat: int, scores: Longs, size: int) -> Floats:
        """float64[size + 1, stacks]: the cost of each threshold to one seat."""
        from headsup.distil.scorecards.kernels import losses_by_threshold

        return np.asarray(losses_by_threshold(scores, self.cells.gains[seat], self.best[seat], size))

    def start(self) -> Floats:
        """Points by least squares from the largest stack at which each cell is played; scores have deviation one."""
        gains = self.cells.gains
        gained = np.pad(gains, ((0, 0), (0, 0), (1, 0)), constant_values=1e-9).cumsum(axis=2)
        wanted = np.append(0.0, self.ratios)[gained.argmax(axis=2)].reshape(-1)
        weight = np.sqrt(np.abs(gains).mean(axis=2)).reshape(-1)
        design = np.tile(np.column_stack([self.cells.columns, np.ones(gains.shape[1])]), (2, 1))
        # a little of ridge regression: columns of a line may sum to a constant
        a = np.concatenate([design * weight[:, None], 1e-3 * np.eye(design.shape[1])])
        b = np.concatenate([wanted * weight, np.zeros(design.shape[1])])
        return self.spread(np.asarray(np.linalg.lstsq(a, b, rcond=None)[0][:-1]))

    def spread(self, points: Floats) -> Floats:
        return np.asarray(points / max(float((self.cells.columns @ points).std()), 1e-9))

    def softened(self, points: Floats, seconds: float) -> Floats:
        """Better real points, from points whose scores have deviation one."""
        from headsup.distil.scorecards.descent import soften

        unit = 30
        numbers = (self.appraise(np.rint(unit * points).astype(np.int64)).numbers - 0.5) / unit
        both = self.both
        return soften(self.cells, self.best, self.scale, self.form, points, numbers, both=both, seconds=seconds)

    def card(self, points: Longs, numbers: Longs) -> ScoreCard:
        sb, bb = (tuple(seat.tolist()) for seat in numbers)
        return ScoreCard(self.game, by_line(self.game, self.lines, points), sb, bb, self.stacks[-1], self.row)


def fit(trial: CardTrial, *, seconds: float = 5.0, seed: int = 0, start: ScoreCard | None = None) -> FittedCard:
    """Points and thresholds for given lines: soft descents, rounded and improved, until time is up."""
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
            tried = [(trial.appraise(rounded).value, n, rounded) for n, rounded in enumerate(_scaled(soft, most))]
            points = min(tried, key=lambda rounded: rounded[:2])[2]
        else:
            points = best_points.copy()
            some = chance.choice(len(points), size=min(len(points), int(chance.integers(1, 4))), replace=False)
            points[some] += chance.integers(-3, 4, size=len(some))
        turn += 1
        points, appraisal = _descend(trial, np.clip(points, -most, most), until, chance)
        if best is None or appraisal.value < best.value - 1e-9:
            best_points, best = points, appraisal
    assert best is not None
    few = trial.few_thresholds(best_points, best)
    return FittedCard(trial.card(best_points, few.numbers), few.value, few.aim, trial.tried)


def _scaled(points: Floats, most: int) -> Iterator[Longs]:
    """Real points on scales from small to the largest allowed, rounded."""
    top = float(np.abs(points).max())
    for size in np.arange(5, most + 0.5, 0.5):
        yield np.rint(points * (size / max(top, 1e-9))).astype(np.int64)


def _descend(trial: CardTrial, points: Longs, until: float, chance: np.random.Generator) -> tuple[Longs, Appraisal]:
    """Make small changes, in any order, while one helps."""
    best = trial.appraise(points)
    improved = True
    while improved and not time_up(until):
        improved = False
        moves = moves_from(trial.owner, points)
        for at in chance.permutation(len(moves)):
            changed = moved(points, moves[at])
            if np.abs(changed).max() > MOST_POINTS[trial.game] or np.array_equal(changed, points):
                continue
            appraisal = trial.appraise(changed)
            if appraisal.value < best.value - 1e-9:
                points, best, improved = changed, appraisal, True
            if time_up(until):
                break
    return points, best


Move = tuple[npt.NDArray[np.bool_], int, int | None]
"""Which points, how much more they get, or the number that they all get."""


def moved(points: Longs, move: Move) -> Longs:
    chosen, more, value = move
    return np.where(chosen, points + more if value is None else value, points)


def moves_from(owner: Longs, points: Longs) -> list[Move]:
    """All moves: one number, equal numbers or a whole line a little up or down; a number made equal to another."""
    lines = np.unique(owner)
    singles = [np.arange(len(points)) == at for at in range(len(points))]
    groups = [(owner == line) & (points == value) for line in lines for value in np.unique(points[owner == line])]
    whole = [owner == line for line in lines]
    moves: list[Move] = [(some, step, None) for step in (1, -1, 2, -2) for some in (*singles, *groups, *whole)]
    for at, single in enumerate(singles):
        moves += [(single, 0, value) for value in {0, *points[owner == owner[at]].tolist()} - {int(points[at])}]
    return moves


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
) -> FittedCard:
    """The best card of k lines that is found in the time: many choices of lines shortly, then a few, then one.

    Choices are a `shorter` card and one more line, and those with the lowest floors.
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
    if not field:
        shorter = choose(game, k - 1, stacks, seconds=seconds / 2, row=row, seed=seed, choices=choices).card
        return choose(game, k, stacks, seconds=seconds / 2, row=row, seed=seed, watch=watch, shorter=shorter)
    best: list[FittedCard] = []
    whole = tuple(stack for stack in stacks if stack == int(stack))
    for share, keep in ((0.35, 3), (0.25, 1), (0.4, 1)):
        each, best = seconds * share / len(field), []
        for lines, start in field:
            if best and asked():
                break
            seen = whole if keep == 3 and len(whole) > 2 else stacks  # a first look needs not all stacks
            fitted = fit(CardTrial(game, lines, seen, row), seconds=each, seed=seed, start=start)
            best.append(fitted)
            if watch is not None:
                watch(
                    Progress(text=f"{', '.join(lines)}: {fitted.aim:.3f} of the rival's price, lost to the equilibrium")
                )
        best = sorted(best, key=lambda fitted: fitted.value)[:keep]
        field = [(tuple(fitted.card.points), fitted.card) for fitted in best]
    return best[0]
