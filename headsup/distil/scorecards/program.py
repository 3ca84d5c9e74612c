"""The best rule card as an integer program for HiGHS, with its bound.

Variables: the points of each column (integers), the thresholds of each seat, and for each cell of equal-looking hands,
each seat and each stack z = 1 if it is played. With g the gain of playing, relative to the rival's worst price,

    minimise  sum of max(g, 0) - g z,  averaged over both seats and the stacks
    g > 0:   points - threshold >= -M (1 - z)          g < 0:   points - threshold <= -1 + M z

An average is never above the largest, so a bound on it bounds the share (`objective`) of every such card. Every choice
adds a loss of zero or more, so the program starts with the choices that matter most and adds those that its card gets
wrong, until nothing is added or time is up. The floor adds to every bound. **Near a card** (`near`) points and
thresholds may differ only a little: M is small, and the whole neighbourhood is searched with a proof.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from headsup.common import highs
from headsup.common.arrays import Floats
from headsup.common.errors import UserError
from headsup.common.stop import asked
from headsup.distil.scorecards.lines import by_line
from headsup.distil.scorecards.objective import cells_of, floor_losses, scale, shares
from headsup.distil.scorecards.priced import losses
from headsup.distil.scorecards.records import adds_seats
from headsup.distil.scorecards.scorecard import ScoreCard
from headsup.distil.scorecards.search import MOST_POINTS

STACKS = {"holdem": (4.0, 8.0), "omaha8": (9.0,)}  # where a card is looked at for a proof
REACH = 1  # how far near a card goes
MOST_SLOPE = 12


@dataclass(frozen=True, eq=False)
class ProgramResult:
    """An integer program's result; losses are averages over both seats and `stacks`, of the rival's worst price."""

    card: ScoreCard | None  # the best card that the program found, if it found any
    loss: float  # the loss of that card on all hands at these stacks
    bound: float  # no card of this form has a smaller loss at these stacks: proved
    rows: int  # choices in the last program

    @property
    def optimal(self) -> bool:
        """Whether the card is proved to be the best of its form at these stacks."""
        return self.card is not None and self.loss <= self.bound + 1e-6 + 1e-6 * abs(self.loss)


def mean_loss(card: ScoreCard, stacks: tuple[float, ...]) -> float:
    return float(shares(card.game, stacks, losses(card, stacks)).mean())


def solve(
    game: str,
    lines: Sequence[str],
    stacks: tuple[float, ...],
    *,
    row: bool = False,
    seconds: float = 60.0,
    first_rows: int = 300,
    most_points: int | None = None,
    start: ScoreCard | None = None,
    near: int | None = None,
) -> ProgramResult:
    """The card of these lines that loses least on average over these stacks, as far as time allows.

    With `near` no number may be further than that from the one of `start`.
    """
    if row and any(stack != int(stack) for stack in stacks):
        raise UserError("a row of thresholds is for whole stacks: give whole numbers of big blinds")
    model = _Model(game, tuple(lines), stacks, row)
    if near is None:
        model.limit(MOST_POINTS[game] if most_points is None else most_points)
    else:
        assert start is not None, "what is near is near a card"
        model.stay_near(start, near)
    model.add_largest(first_rows)
    until, bound, best = perf_counter() + seconds, 0.0, start
    if start is not None:
        model.add_wrong(start)
    while (left := until - perf_counter()) > 0 and not asked():
        answer = model.run(left, best)
        bound = max(bound, answer.bound)
        if answer.values is None:
            break
        card = model.card(answer.values)
        if best is None or mean_loss(card, stacks) < mean_loss(best, stacks):
            best = card
        if not model.add_wrong(card) or not answer.optimal:
            break
    loss = mean_loss(best, stacks) if best is not None else highs.INFINITY
    floor = float(shares(game, stacks, floor_losses(game, lines, stacks)).mean())
    return ProgramResult(best, loss, bound + floor, int(model.keep.sum()))


class _Model:
    """The program: columns for the numbers of the card (points, thresholds of each seat), and one z for each choice."""

    def __init__(self, game: str, lines: tuple[str, ...], stacks: tuple[float, ...], row: bool) -> None:
        self.game, self.lines, self.stacks, self.row = game, lines, stacks, row
        self.cells = cells_of(game, lines, stacks)
        parts = len(stacks) if adds_seats(game) else 2 * len(stacks)
        self.stake = self.cells.gains / (parts * scale(game, stacks)[:, None, :])
        self.keep = np.zeros(self.stake.shape, dtype=bool)
        self.points = self.cells.columns.shape[1]
        self.basis = np.eye(len(stacks)) if row else np.stack([np.ones(len(stacks)), stacks], axis=1)
        """float64[stacks, numbers of a seat]: the thresholds are sums of these."""

    def limit(self, most: int) -> None:
        # points of one hand span at most this; thresholds need not go further
        far = int(most * np.abs(self.cells.columns).sum(axis=1).max()) + 1
        seat = [(-far, far)] * len(self.stacks) if self.row else [(-2 * far, 2 * far), (0, MOST_SLOPE)]
        self.low, self.high = np.array([(-most, most)] * self.points + 2 * seat, dtype=np.float64).T

    def stay_near(self, card: ScoreCard, reach: int) -> None:
        middle = self._numbers(card)
        self.low, self.high = middle - reach, middle + reach

    def add_largest(self, number: int) -> None:
        """Add the choices with the most at stake."""
        self.keep.reshape(-1)[np.argsort(-np.abs(self.stake), axis=None)[:number]] = True

    def add_wrong(self, card: ScoreCard) -> int:
        """Add the choices that a card gets wrong; returns how many are new."""
        scores = self.cells.columns @ card.points_of(self.lines)
        plays = scores[None, :, None] >= card.thresholds(self.stacks)[:, None, :]
        wrong = np.where(plays, self.stake < 0, self.stake > 0)
        fresh = int((wrong & ~self.keep).sum())
        self.keep |= wrong
        return fresh

    def run(self, seconds: float, start: ScoreCard | None) -> highs.MipResult:
        """Solve for the choices added so far, from a first card if there is one."""
        gain, above = self.stake[self.keep], self._above()
        wants, rows = gain > 0, np.arange(len(gain))
        most = np.maximum(above * self.low, above * self.high).sum(axis=1)
        least = np.minimum(above * self.low, above * self.high).sum(axis=1)
        big = np.where(wants, np.maximum(-least, 0.0), np.maximum(most + 1.0, 0.0))
        program = highs.Program(offset=float(np.maximum(gain, 0).sum()))
        program.columns(len(self.low), self.low, self.high, whole=True)
        plays = program.columns(len(gain), 0, 1, -gain, whole=True)
        at, numbers = np.nonzero(above)
        # points - threshold - M z >= -M where playing is right; points - threshold - M z <= -1 where it is wrong
        program.rows(
            len(gain),
            np.where(wants, -big, -highs.INFINITY),
            np.where(wants, highs.INFINITY, -1.0),
            (at, numbers, above[at, numbers]),
            (rows, plays, -big),
        )
        known = None if start is None else self._numbers(start)
        first = None if known is None else np.concatenate([known, above @ known >= 0])
        answer = highs.optimise(program.lp(), seconds, start=first)
        if answer.interrupted and not asked():
            raise KeyboardInterrupt
        return answer

    def _above(self) -> Floats:
        """float64[choices, numbers]: points - threshold as sums of the numbers of the card."""
        seat, cell, stack = np.nonzero(self.keep)
        thresholds = np.zeros((len(seat), 2, self.basis.shape[1]))
        thresholds[np.arange(len(seat)), seat] = -self.basis[stack]
        return np.concatenate([self.cells.columns[cell], thresholds.reshape(len(seat), -1)], axis=1)

    def _numbers(self, card: ScoreCard) -> Floats:
        thresholds = card.thresholds(self.stacks).reshape(-1) if self.row else np.array((*card.sb, *card.bb))
        return np.concatenate([card.points_of(self.lines), thresholds]).astype(np.float64)

    def card(self, values: Floats) -> ScoreCard:
        whole = np.rint(values[: len(self.low)]).astype(np.int64)
        seats = whole[self.points :].reshape(2, -1)
        if self.row:  # a number for every whole R: stacks that the program left out take that of the next one it has
            seats = seats[:, np.searchsorted(self.stacks, np.arange(1, int(self.stacks[-1]) + 1))]
        sb, bb = (tuple(seat.tolist()) for seat in seats)
        given = by_line(self.game, self.lines, whole[: self.points])
        return ScoreCard(self.game, given, sb, bb, self.stacks[-1], self.row)


def proof(card: ScoreCard, seconds: float) -> dict[str, Any]:
    """What programs say about cards with the lines of this one, at a few stacks: anywhere, and near the card.

    All numbers are averages over both seats and these stacks in the rival's worst price.
    """
    stacks = tuple(stack for stack in STACKS[card.game] if stack <= card.max_stack) or (2.0,)
    lines, result = list(card.points), {"stacks": list(stacks), "card": round(mean_loss(card, stacks), 4)}
    for name, near in (("anywhere", None), ("near", REACH)):
        program = solve(card.game, lines, stacks, row=card.row, seconds=seconds / 2, start=card, near=near)
        result[name] = {
            "found": round(program.loss, 4),
            "proved": round(min(program.bound, program.loss), 4),
            "optimal": program.optimal,
            "choices": program.rows,
        }
    return result | {"reach": REACH, "most_points": MOST_POINTS[card.game]}
