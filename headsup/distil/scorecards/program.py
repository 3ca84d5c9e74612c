"""The best rule card as an integer program, through HiGHS: what is proved about it, and what is found.

Variables: for each line of the pool whether the card has it (at most k), the points of each of its columns (integers
within bounds, zero if the line is not there), the thresholds of each seat (integers a and b of a + b R, or one for each
stack), and for each cell of equal-looking hands, each seat and each stack of the program z = 1 if it is played. With g
what playing gains (`headsup.distil.gains`), as a share of the rival's worst price in that seat, the objective is

    sum of max(g, 0) - g z        averaged over both seats and the stacks of the program

An average is never above the largest, so a bound on it bounds the share (`objective`) of every such card.
Where g > 0 only z = 1 must be earned, where g < 0 only z = 0:

    g > 0:   points - threshold >= -M (1 - z)          g < 0:   points - threshold <= -1 + M z

so each choice costs one row, and M is how far the points of that very cell can lie from its threshold.

**Fewer rows, still a proof.** Every choice adds a loss of zero or more. Leaving choices out hence gives a program whose
minimum, and whose every lower bound, is a lower bound for all of them. So the program starts with the choices that
matter most, its card is measured on all, the choices that this card gets wrong are added, and so on until nothing is
added, which proves the card optimal, or time is up. To every bound comes the floor: what hands that look alike on all
lines of the pool but should be played differently cost whatever the points (`objective.floor`).

**Near a card** (`near`): points and thresholds may differ from those of a given card by a little only. Then M is small,
many choices are decided, and the program is a search of the whole neighbourhood at once, with a proof for it.

Programs with big M have weak relaxations. For two-card hands with few lines and stacks they close; for four-card hands
they close where the lines see few kinds of hands, or near a card; else the floor is what proves something.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup import highs
from headsup.distil.scorecards.lines import owners
from headsup.distil.scorecards.objective import adds_seats, cells_of, floor_losses, scale, shares
from headsup.distil.scorecards.priced import losses
from headsup.distil.scorecards.scorecard import ScoreCard
from headsup.distil.scorecards.search import MOST_POINTS
from headsup.errors import UserError
from headsup.games.arrays import Floats
from headsup.progress import Progress, Watch
from headsup.stop import asked

MOST_SLOPE = 12


@dataclass(frozen=True, eq=False)
class Program:
    """What an integer program gave; losses are averages over both seats and `stacks`, in the rival's worst price."""

    card: ScoreCard | None
    """The best card that the program found, if it found any."""
    loss: float
    """The loss of that card on all hands at these stacks."""
    bound: float
    """No card of this form has a smaller loss at these stacks: proved."""
    status: str
    """What HiGHS says about the program that it was given."""
    rows: int
    """Choices in the last program, of all."""
    choices: int
    rounds: int

    @property
    def optimal(self) -> bool:
        """Whether the card is proved to be the best of its form at these stacks."""
        return self.card is not None and self.loss <= self.bound + 1e-6 + 1e-6 * abs(self.loss)


def mean_loss(card: ScoreCard, stacks: tuple[float, ...]) -> float:
    """The program's objective for a card, on all hands."""
    return float(shares(card.game, stacks, losses(card, stacks)).mean())


def solve(
    game: str,
    lines: Sequence[str],
    k: int,
    stacks: tuple[float, ...],
    *,
    row: bool = False,
    seconds: float = 60.0,
    first_rows: int = 300,
    most_points: int | None = None,
    start: ScoreCard | None = None,
    near: tuple[ScoreCard, int] | None = None,
    watch: Watch | None = None,
) -> Program:
    """The card of at most k of these lines that loses least on average over these stacks, as far as time allows.

    With `near`, a card and a distance, no number may be further than that from the card's own.
    """
    if not 1 <= k <= len(lines):
        raise UserError(f"{k} rules cannot be chosen from {len(lines)} lines: give 1 to {len(lines)}")
    if row and any(stack != int(stack) for stack in stacks):
        raise UserError("a row of thresholds is for whole stacks: give whole numbers of big blinds")
    most = MOST_POINTS[game] if most_points is None else most_points
    model = _Model(game, lines, k, stacks, row, most, near)
    start = near[0] if near is not None and start is None else start
    model.add_largest(first_rows)
    until, bound, best, status, rounds = perf_counter() + seconds, 0.0, start, "not run", 0
    if start is not None:
        model.add_wrong(start)
    while (left := until - perf_counter()) > 0 and not asked():
        values, proved, status = model.run(left, best)
        rounds += 1
        bound = max(bound, proved)
        if values is None:
            break
        card = model.card(values)
        if best is None or mean_loss(card, stacks) < mean_loss(best, stacks):
            best = card
        if watch is not None:
            said = f"proved {bound:.4f}, found {mean_loss(best, stacks):.4f}"
            watch(Progress(text=f"program with {model.rows} choices: {said}"))
        if not model.add_wrong(card) or status != "Optimal":
            break
    loss = mean_loss(best, stacks) if best is not None else highs.INFINITY
    floor = float(shares(game, stacks, floor_losses(game, lines, stacks)).mean())
    return Program(best, loss, bound + floor, status, model.rows, model.keep.size, rounds)


class _Model:
    """The program's columns: line switches, points, thresholds, then one z for each choice."""

    def __init__(
        self,
        game: str,
        lines: Sequence[str],
        k: int,
        stacks: tuple[float, ...],
        row: bool,
        most: int,
        near: tuple[ScoreCard, int] | None,
    ) -> None:
        self.game, self.lines, self.k, self.stacks, self.row, self.most = game, tuple(lines), k, stacks, row, most
        self.cells = cells_of(game, lines, stacks)
        self.owner = owners(game, lines)
        parts = len(stacks) if adds_seats(game) else 2 * len(stacks)
        self.stake = np.stack(self.cells.gains) / (parts * scale(game, stacks)[:, None, :])
        self.keep = np.zeros(self.stake.shape, dtype=bool)
        self.per_seat = len(stacks) if row else 2
        self.n_lines, self.n_points = len(lines), len(self.owner)
        self.first_threshold = self.n_lines + self.n_points
        self.first_choice = self.first_threshold + 2 * self.per_seat
        self.low, self.high = self._bounds(near)

    def _bounds(self, near: tuple[ScoreCard, int] | None) -> tuple[Floats, Floats]:
        """The least and the largest value of switches, points and thresholds."""
        low, high = np.zeros(self.first_choice), np.ones(self.first_choice)
        points, thresholds = slice(self.n_lines, self.first_threshold), slice(self.first_threshold, self.first_choice)
        if near is not None:
            middle, reach = self._head(near[0]), near[1]
            low[points], high[points] = middle[points] - reach, middle[points] + reach
            low[thresholds], high[thresholds] = middle[thresholds] - reach, middle[thresholds] + reach
            return low, high
        low[points], high[points] = -self.most, self.most
        # points of one hand span at most this; thresholds need not go further
        far = int(self.most * np.abs(self.cells.columns).sum(axis=1).max()) + 1
        low[thresholds], high[thresholds] = (-far, far) if self.row else (-2 * far, 2 * far)
        if not self.row:
            slopes = [self.first_threshold + 1, self.first_threshold + 3]
            low[slopes], high[slopes] = 0, MOST_SLOPE
        return low, high

    def add_largest(self, number: int) -> None:
        """Put in the choices with the most at stake."""
        self.keep.reshape(-1)[np.argsort(-np.abs(self.stake), axis=None)[:number]] = True
        self._read()

    def add_wrong(self, card: ScoreCard) -> int:
        """Put in the choices that a card gets wrong; how many of them were not in yet."""
        scores = self.cells.columns @ card.points_of(self.lines)
        plays = scores[None, :, None] >= card.thresholds(self.stacks)[:, None, :]
        wrong = np.where(plays, self.stake < 0, self.stake > 0)
        fresh = int((wrong & ~self.keep).sum())
        self.keep |= wrong
        self._read()
        return fresh

    def _read(self) -> None:
        self.seat, self.cell, self.stack = np.nonzero(self.keep)
        self.gain = self.stake[self.keep]
        self.looks = self.cells.columns[self.cell]

    @property
    def rows(self) -> int:
        """How many choices the program has."""
        return int(self.keep.sum())

    def run(self, seconds: float, start: ScoreCard | None) -> tuple[Floats | None, float, str]:
        """Solve; the values of all columns (or none), the bound on the loss, and the status."""
        answer = highs.optimise(self._program().lp(), seconds, start=None if start is None else self._values(start))
        if answer.interrupted and not asked():
            raise KeyboardInterrupt
        return answer.values, max(0.0, answer.bound), answer.status

    def card(self, values: Floats) -> ScoreCard:
        """Read the card off the columns."""
        whole = np.rint(values[: self.first_choice]).astype(np.int64)
        points = whole[self.n_lines : self.first_threshold]
        given = {
            name: tuple(int(point) for point in points[self.owner == at])
            for at, name in enumerate(self.lines)
            if points[self.owner == at].any()
        }
        sb, bb = (
            tuple(int(t) for t in whole[self.first_threshold + seat * self.per_seat :][: self.per_seat])
            for seat in range(2)
        )
        if self.row:
            sb, bb = (self._whole_row(row) for row in (sb, bb))
        return ScoreCard(self.game, given, sb, bb, self.stacks[-1], self.row)

    def _whole_row(self, row: tuple[int, ...]) -> tuple[int, ...]:
        """A number for every whole R: stacks that the program left out take that of the next one it has."""
        whole = np.arange(1, int(self.stacks[-1]) + 1)
        return tuple(row[int(np.searchsorted(self.stacks, stack))] for stack in whole)

    def _head(self, card: ScoreCard) -> Floats:
        """Switches, points and thresholds that say this card."""
        switches = [float(name in card.points) for name in self.lines]
        thresholds = card.thresholds(self.stacks).reshape(-1) if self.row else np.array((*card.sb, *card.bb))
        return np.concatenate([switches, card.points_of(self.lines), thresholds])

    def _values(self, card: ScoreCard) -> Floats:
        """The columns that say this card."""
        needed = card.thresholds(self.stacks)[self.seat, self.stack]
        plays = self.looks @ card.points_of(self.lines) >= needed
        return np.concatenate([self._head(card), plays])

    def _distances(self) -> tuple[Floats, Floats]:
        """The least and the most that points - threshold can be, for each choice."""
        rows, columns, values = self._points_minus_threshold()
        ends = np.stack([values * self.low[columns], values * self.high[columns]])
        least, most = np.zeros(self.rows), np.zeros(self.rows)
        np.add.at(least, rows, ends.min(axis=0))
        np.add.at(most, rows, ends.max(axis=0))
        return least, most

    def _program(self) -> highs.Program:
        wants = self.gain > 0
        least, most = self._distances()
        big = np.where(wants, np.maximum(-least, 0.0), np.maximum(most + 1.0, 0.0))
        program = highs.Program(offset=float(np.maximum(self.gain, 0).sum()))
        head = program.columns(self.first_choice, self.low, self.high, whole=True)
        plays = program.columns(self.rows, 0, 1, -self.gain, whole=True)
        # points - threshold - M z >= -M where playing is right; points - threshold - M z <= -1 where it is wrong
        program.rows(
            self.rows,
            np.where(wants, -big, -highs.INFINITY),
            np.where(wants, highs.INFINITY, -1.0),
            self._points_minus_threshold(),
            (np.arange(self.rows), plays, -big),
        )
        switches, points = head[: self.n_lines], head[self.n_lines : self.first_threshold]
        span = np.maximum(np.abs(self.low), np.abs(self.high))[points]
        n = np.arange(self.n_points)
        for sign in (1.0, -1.0):
            program.rows(self.n_points, -highs.INFINITY, 0.0, (n, points, sign), (n, switches[self.owner], -span))
        program.rows(1, -highs.INFINITY, self.k, (0, switches, 1.0))
        return program

    def _points_minus_threshold(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]:
        """The entries of points - threshold in the rows of the choices."""
        rows, numbers = np.nonzero(self.looks)
        values = self.looks[rows, numbers].astype(np.float64)
        every = np.arange(self.rows)
        base = self.first_threshold + self.seat * self.per_seat
        if self.row:
            more = [(every, base + self.stack, np.full(self.rows, -1.0))]
        else:
            ratios = np.array(self.stacks)[self.stack]
            more = [(every, base, np.full(self.rows, -1.0)), (every, base + 1, -ratios)]
        parts = [(rows, self.n_lines + numbers, values), *more]
        r, c, v = (np.concatenate(part) for part in zip(*parts, strict=True))
        return r, c, v


def proof(card: ScoreCard, stacks: tuple[float, ...], *, seconds: float, reach: int = 1) -> dict[str, Any]:
    """What programs say about cards with the lines of this one, at a few stacks: anywhere, and near the card.

    All numbers are averages over both seats and these stacks in the rival's worst price.
    """
    lines, found = list(card.points), {"stacks": list(stacks), "card": round(mean_loss(card, stacks), 4)}
    for name, near in (("anywhere", None), ("near", (card, reach))):
        program = solve(card.game, lines, len(lines), stacks, row=card.row, seconds=seconds / 2, start=card, near=near)
        found[name] = {
            "found": round(program.loss, 4),
            "proved": round(min(program.bound, program.loss), 4),
            "optimal": program.optimal,
            "choices": program.rows,
        }
    return found | {"reach": reach, "most_points": MOST_POINTS[card.game]}
