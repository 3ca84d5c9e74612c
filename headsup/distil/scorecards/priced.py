"""What a card costs against the opponent who answers it best, and a search that lowers exactly that.

The price of a seat at a stack is the value of the game less what the card is sure of, in mbb per game: a best responder
sees the card, and every one of his hands is played by the sign of its own gain (`headsup.jamfold.game`). It is never
below the loss against the equilibrium, since the equilibrium opponent is one of those it could meet. So a change whose
loss is already above the best price can be thrown away without asking the best responder, and nothing is missed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from time import perf_counter

import numpy as np
import numpy.typing as npt

from headsup.common.arrays import Floats
from headsup.common.progress import Progress, Watch
from headsup.common.stop import time_up
from headsup.distil.gains import gains
from headsup.distil.price import best_replies
from headsup.distil.scorecards.lines import by_line, columns_of
from headsup.distil.scorecards.objective import Cells, aim_of, best_gains
from headsup.distil.scorecards.scorecard import ScoreCard
from headsup.distil.scorecards.search import (
    MOST_POINTS,
    PER_NUMBER,
    PER_POINT,
    Fitted,
    Trial,
    moved,
    moves_from,
)
from headsup.games.betting.stakes import SEATS, Stakes
from headsup.games.holdem.classes import Classes
from headsup.jamfold.gains import jamfold_gains
from headsup.jamfold.shipped import shipped


def losses(card: ScoreCard, stacks: tuple[float, ...]) -> Floats:
    """float64[seats, stacks]: what the card gives up against the equilibrium, in mbb per game; needs no table."""
    every, scores, found = gains(card.game, stacks), card.scores[:, None], best_gains(card.game, stacks).copy()
    for row, needed in enumerate(card.thresholds(stacks)):
        found[row] -= (every[row] * (scores >= needed)).sum(axis=0)
    return found


class ExactTrial(Trial):
    """Points appraised by prices instead of losses: for small tables, where all thresholds are one matrix product.

    The hands that reach a threshold are nested, so the sums against all of these strategies are running sums of the
    table's columns in order of the scores.
    """

    def __init__(self, game: str, lines: Sequence[str], stacks: tuple[float, ...], row: bool, table: Classes) -> None:
        super().__init__(game, lines, stacks, row)
        self.table = table
        sweep = shipped(game)
        self.value = np.array([sweep.value_sb[sweep.nearest(stack)] for stack in stacks])
        self.games = [jamfold_gains(table, Stakes.of(stack)) for stack in stacks]
        # all hands, not cells: what a best responder gains is not a sum over our hands
        self.cells = Cells(columns_of(game, lines), gains(game, stacks))

    def by_threshold(self, seat: int, scores: npt.NDArray[np.int64], size: int) -> Floats:
        """float64[size + 1, stacks]: the price of each threshold, with a best responder on the other seat."""
        steps = np.append(np.unique(scores), size)  # at the last one nothing is played
        played = (scores[:, None] >= steps).astype(np.float64)
        sums, often = self.table.sums(played), self.table.shares @ played
        found = np.empty((len(steps), len(self.stacks)))
        for column, (game, value) in enumerate(zip(self.games, self.value, strict=True)):
            _, small, big, _ = game.payoffs
            # what the responder gains over folding all: he calls our jams, or jams against our calls
            best = self.table.shares @ np.maximum(game.jam_gain(sums) if seat else game.call_gain(sums), 0)
            found[:, column] = best - small - value if seat else value + small - often * (small + big) + best
        return np.asarray(1000 * found[np.searchsorted(steps, np.arange(size + 1))])


def polish(
    card: ScoreCard,
    stacks: tuple[float, ...],
    table: Classes,
    *,
    seconds: float,
    watch: Watch | None = None,
) -> Fitted:
    """Change a little for as long as the price falls, the most promising change first; fewer numbers count too."""
    until = perf_counter() + seconds
    trial = Trial(card.game, tuple(card.points), stacks, card.row)

    def price(one: ScoreCard) -> float:
        return aim_of(one.game, stacks, best_replies(one, one.game, stacks, table)) + burden(one)

    best, asked, finished = price(card), 1, False
    while not finished and not time_up(until):
        near = ((trial.aim(other) + burden(other), n, other) for n, other in enumerate(_near(card, trial.owner)))
        finished = True
        for loss, _, other in sorted(near, key=lambda one: one[:2]):
            if loss >= best:
                break
            if time_up(until):
                finished = False
                break
            paid, asked = price(other), asked + 1
            if paid < best - 1e-9:
                card, best, finished = other, paid, False
                if watch is not None:
                    watch(Progress(text=f"{best:.3f} after {asked} best responses"))
                break
    return Fitted(card, best, best - burden(card), asked, finished)


def burden(card: ScoreCard) -> float:
    """What it costs a person to remember a card, as a share of the rival's price."""
    return PER_NUMBER * card.numbers + PER_POINT * card.largest


def _near(card: ScoreCard, owner: npt.NDArray[np.int64]) -> Iterator[ScoreCard]:
    """The cards that differ in one threshold number by one or two, or in their points by one move."""
    for seat, step in product(SEATS, (1, -1, 2, -2)):
        given = card.sb if seat == "sb" else card.bb
        for at in range(len(given)):
            changed = (*given[:at], given[at] + step, *given[at + 1 :])
            yield replace(card, sb=changed) if seat == "sb" else replace(card, bb=changed)
    lines = tuple(card.points)
    points = card.points_of(lines)
    for move in moves_from(owner, points):
        others = moved(points, move)
        if np.abs(others).max() <= MOST_POINTS[card.game]:
            yield replace(card, points=by_line(card.game, lines, others))
