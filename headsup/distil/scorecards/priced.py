"""What a card costs against the opponent who answers it best, and a search that lowers exactly that.

The price of a seat at a stack is the value of the game less what the card is sure of, in mbb per game: a best responder
sees the card, and every one of his hands is played by the sign of its own gain (`headsup.games.jamfold`). It is never
below the loss against the equilibrium, since the equilibrium opponent is one of those it could meet. So a change whose
loss is already above the best price can be thrown away without asking the best responder, and nothing is missed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
import numpy.typing as npt

from headsup.distil.gains import gains
from headsup.distil.price import best_replies
from headsup.distil.scorecards.lines import columns_of
from headsup.distil.scorecards.objective import aim_of, best_gains
from headsup.distil.scorecards.scorecard import ScoreCard
from headsup.distil.scorecards.search import MOST_POINTS, PER_NUMBER, PER_POINT, Trial
from headsup.games.arrays import Floats
from headsup.games.classes import Classes
from headsup.games.jamfold import Stakes, jamfold_game
from headsup.progress import Progress, Watch
from headsup.solve.jamfold_data import shipped
from headsup.stop import time_up


def losses(card: ScoreCard, stacks: tuple[float, ...]) -> Floats:
    """float64[seats, stacks]: what the card gives up against the equilibrium, in mbb per game; needs no table."""
    every, scores, found = gains(card.game, stacks), card.scores[:, None], best_gains(card.game, stacks).copy()
    for row, needed in enumerate(card.thresholds(stacks)):
        found[row] -= (every[row] * (scores >= needed)).sum(axis=0)
    return found


def prices(card: ScoreCard, stacks: tuple[float, ...], table: Classes) -> Floats:
    """float64[seats, stacks]: what the card gives up against a best responder, in mbb per game."""
    return best_replies(card, card.game, stacks, table)


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
        self.games = [jamfold_game(table, Stakes.of(stack)) for stack in stacks]
        # all hands, not cells: what a best responder gains is not a sum over our hands
        sb, bb = gains(game, stacks)
        self.cells = replace(self.cells, columns=columns_of(game, lines), gains=(sb, bb))
        pots, hands = table.block(np.arange(table.classes), np.arange(table.classes))
        self.net, self.hands = pots - 0.5 * hands, hands

    def by_threshold(self, seat: int, scores: npt.NDArray[np.int64], size: int) -> Floats:
        """float64[size + 1, stacks]: the price of each threshold, with a best responder on the other seat."""
        steps = np.unique(scores)
        played = (scores[:, None] >= steps).astype(np.float64)
        net, met = self.net @ played, self.hands @ played
        frequency = self.table.shares @ played
        found = np.empty((len(steps) + 1, len(self.stacks)))
        for column, game in enumerate(self.games):
            stack, small, big, _ = game.payoffs
            if seat == 0:
                best = self.table.shares @ np.maximum((2 * stack * net + big * met) / self.table.total, 0)
                sure = -small + frequency * (small + big) - best
                found[:-1, column], found[-1, column] = self.value[column] - sure, self.value[column] + small
            else:
                gain = (small + big) + (2 * stack * net - big * met) / self.table.total
                most = -small + self.table.shares @ np.maximum(gain, 0)
                found[:-1, column], found[-1, column] = most - self.value[column], big - self.value[column]
        return np.asarray(1000 * found[np.searchsorted(steps, np.arange(size + 1))])


@dataclass(frozen=True, eq=False)
class Polished:
    """A card after the search on its price."""

    card: ScoreCard
    before: float
    """The aim of the first card, measured by prices, and what its numbers cost to remember."""
    after: float
    asked: int
    """How often the best responder was asked."""
    finished: bool
    """Whether no single change helps any more; false if time ran out."""


def polish(
    card: ScoreCard,
    stacks: tuple[float, ...],
    table: Classes,
    *,
    seconds: float,
    watch: Watch | None = None,
) -> Polished:
    """Change a little for as long as the price falls, the most promising change first; fewer numbers count too."""
    until = perf_counter() + seconds
    before = best = aim_of(card.game, stacks, prices(card, stacks, table)) + burden(card)
    asked, finished = 1, False
    while not finished and not time_up(until):
        near = (
            (aim_of(card.game, stacks, losses(other, stacks)) + burden(other), n, other)
            for n, other in enumerate(_near(card))
        )
        finished = True
        for loss, _, other in sorted(near, key=lambda one: one[:2]):
            if loss >= best:
                break
            if time_up(until):
                finished = False
                break
            price = aim_of(card.game, stacks, prices(other, stacks, table)) + burden(other)
            asked += 1
            if price < best - 1e-9:
                card, best, finished = other, price, False
                if watch is not None:
                    watch(Progress(text=f"{best:.3f} after {asked} best responses"))
                break
    return Polished(card, before, best, asked, finished)


def burden(card: ScoreCard) -> float:
    """What it costs a person to remember a card, as a share of the rival's price."""
    return PER_NUMBER * card.numbers + PER_POINT * max(
        abs(point) for points in card.points.values() for point in points
    )


def _near(card: ScoreCard) -> Iterator[ScoreCard]:
    """The cards that differ in one number by one or two; equal points of a line also move together."""
    for step in (1, -1, 2, -2):
        for seat in ("sb", "bb"):
            given = getattr(card, seat)
            for at in range(len(given)):
                changed = (*given[:at], given[at] + step, *given[at + 1 :])
                yield replace(card, sb=changed) if seat == "sb" else replace(card, bb=changed)
        for name, points in card.points.items():
            singles = [{at} for at in range(len(points))]
            groups = [{at for at, point in enumerate(points) if point == value} for value in set(points)]
            for chosen in (*singles, *(group for group in groups if len(group) > 1)):
                moved = tuple(point + step * (at in chosen) for at, point in enumerate(points))
                if max(map(abs, moved)) <= MOST_POINTS[card.game]:
                    yield replace(card, points={**card.points, name: moved})
