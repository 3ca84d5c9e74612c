"""The price of a card against a best responder, and a search that minimises it.

The price of a seat at a stack is the value of the game less the card's guarantee, in mbb per game. It is never below
the loss against the equilibrium, so a change whose loss is above the best price is dropped without a best response.
"""

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
from headsup.distil.price import best_response_losses
from headsup.distil.scorecards.lines import by_line, columns_of
from headsup.distil.scorecards.objective import Cells, aim_of, best_gains
from headsup.distil.scorecards.scorecard import ScoreCard
from headsup.distil.scorecards.search import (
    MOST_POINTS,
    PER_NUMBER,
    PER_POINT,
    CardTrial,
    FittedCard,
    moved,
    moves_from,
)
from headsup.games.betting.stakes import SEATS, Stakes
from headsup.games.holdem.classes import Classes
from headsup.jamfold.game import JamFoldGame
from headsup.jamfold.shipped import shipped


def losses(card: ScoreCard, stacks: tuple[float, ...]) -> Floats:
    """float64[seats, stacks]: what the card loses against the equilibrium, in mbb per game; needs no table."""
    every, scores, lost = gains(card.game, stacks), card.scores[:, None], best_gains(card.game, stacks).copy()
    for row, needed in enumerate(card.thresholds(stacks)):
        lost[row] -= (every[row] * (scores >= needed)).sum(axis=0)
    return lost


class ExactTrial(CardTrial):
    """Points appraised by prices instead of losses: for small tables, where all thresholds are one matrix product.

    The hands that reach a threshold are nested, so the sums against all of these strategies are running sums of the
    table's columns in order of the scores.
    """

    def __init__(self, game: str, lines: Sequence[str], stacks: tuple[float, ...], row: bool, table: Classes) -> None:
        super().__init__(game, lines, stacks, row)
        self.table = table
        sweep = shipped(game)
        self.value = np.array([sweep.value_sb[sweep.nearest_index(stack)] for stack in stacks])
        self.games = [JamFoldGame.of(table, Stakes.of(stack)) for stack in stacks]
        # all hands, not cells: what a best responder gains is not a sum over our hands
        self.cells = Cells(columns_of(game, lines), gains(game, stacks))

    def by_threshold(self, seat: int, scores: npt.NDArray[np.int64], size: int) -> Floats:
        """float64[size + 1, stacks]: the price of each threshold, against a best responder."""
        steps = np.append(np.unique(scores), size)  # at the last one nothing is played
        played = (scores[:, None] >= steps).astype(np.float64)
        sums, often = self.table.sums(played), self.table.shares @ played
        prices = np.empty((len(steps), len(self.stacks)))
        for column, (game, value) in enumerate(zip(self.games, self.value, strict=True)):
            _, small, big, _ = game.payoffs
            # what the responder gains over folding all: he calls our jams, or jams against our calls
            best = self.table.shares @ np.maximum(game.jam_gain(sums) if seat else game.call_gain(sums), 0)
            prices[:, column] = best - small - value if seat else value + small - often * (small + big) + best
        return np.asarray(1000 * prices[np.searchsorted(steps, np.arange(size + 1))])


def polish(
    card: ScoreCard, stacks: tuple[float, ...], table: Classes, *, seconds: float, watch: Watch | None = None
) -> FittedCard:
    """Make small changes while the price falls, the most promising first; fewer numbers count too."""
    until = perf_counter() + seconds
    trial = CardTrial(card.game, tuple(card.points), stacks, card.row)

    def price(changed: ScoreCard) -> float:
        return aim_of(changed.game, stacks, best_response_losses(changed, changed.game, stacks, table)) + burden(
            changed
        )

    best, asked, finished = price(card), 1, False
    while not finished and not time_up(until):
        near = ((trial.aim(other) + burden(other), n, other) for n, other in enumerate(_near(card, trial.owner)))
        finished = True
        for loss, _, other in sorted(near, key=lambda changed: changed[:2]):
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
    return FittedCard(card, best, best - burden(card), asked, finished)


def burden(card: ScoreCard) -> float:
    """The cost of remembering a card, as a fraction of the rival's price."""
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
