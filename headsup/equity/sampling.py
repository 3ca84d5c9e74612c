"""Random deals with a seed and a confidence interval, for questions that would take too long exactly.

The first combo is drawn by its weight times that of the opponent's disjoint combos, the second until it is disjoint, so
each deal has exactly its probability. The interval is the normal one; if all deals seen have the same outcome, its
half-width is three divided by the number of deals.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
import numpy.typing as npt

from headsup.cards.combos import combo_masks
from headsup.common.checks import check_seed, whole
from headsup.common.progress import Progress, Watch
from headsup.equity.enumeration import showdown
from headsup.equity.question import Question, Side, disjoint_weight
from headsup.equity.results import SHARES, Z95, Grid, Interval, as_grid, share_of

DEFAULT_SAMPLES = 1_000_000
_CHUNK = 1 << 17
_ROUNDS = 40


def sample_grid(question: Question, samples: int, seed: int, progress: Watch | None = None) -> Grid:
    samples = whole(samples, "the number of samples", least=1)
    rng = np.random.default_rng(check_seed(seed))
    counts = np.zeros((3, 4), dtype=np.int64)
    pairs = Pairs(question)
    for start in range(0, samples, _CHUNK):
        n = min(_CHUNK, samples - start)
        first, second = pairs.draw(rng, n)
        boards = _draw_boards(rng, question, question.a.masks[first] | question.b.masks[second])
        high_a, low_a = showdown(question.game, question.a.cards[first], boards)
        high_b, low_b = showdown(question.game, question.b.cards[second], boards)
        row = 1 - np.sign(high_a.astype(np.int64) - high_b)
        column = np.where(low_a == low_b, np.where(low_a == 0, 0, 2), np.where(low_a > low_b, 1, 3))
        counts += np.bincount(4 * row + column, minlength=12).reshape(3, 4)
        if progress is not None:
            progress(Progress(start + n, samples, unit="samples"))
    return as_grid(counts.tolist())


class Pairs:
    """Draws pairs of hands that share no card, in proportion to their weight."""

    def __init__(self, question: Question) -> None:
        self.a, self.b = question.a, question.b
        weights = (self.a.weights * disjoint_weight(self.a, self.b)).astype(np.float64)
        self._first, self._second = _cumulative(weights), _cumulative(self.b.weights.astype(np.float64))

    def draw(self, rng: np.random.Generator, n: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """The places of n pairs among the combos of both sides."""
        first = _draw(rng, self._first, n)
        return first, _draw_disjoint(rng, self._second, self.b, self.a.masks[first])


def interval_of(grid: Grid) -> Interval:
    """The 95 % confidence interval of the first player's share over sampled deals."""
    deals = sum(map(sum, grid))
    mean = float(share_of(grid))
    squares = sum(
        (s / 4) ** 2 * n for row, counts in zip(SHARES, grid, strict=True) for s, n in zip(row, counts, strict=True)
    )
    margin = Z95 * sqrt(max(0.0, squares / deals - mean * mean) / deals) or 3 / deals
    return Interval(max(0.0, mean - margin), min(1.0, mean + margin))


def _cumulative(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    steps = np.cumsum(weights)
    return np.asarray(steps / steps[-1])


def _draw(rng: np.random.Generator, chance: npt.NDArray[np.float64], n: int) -> npt.NDArray[np.intp]:
    return np.minimum(np.searchsorted(chance, rng.random(n), side="right"), len(chance) - 1)


def _draw_disjoint(
    rng: np.random.Generator, chance: npt.NDArray[np.float64], side: Side, taken: npt.NDArray[np.uint64]
) -> npt.NDArray[np.intp]:
    drawn = np.empty(len(taken), dtype=np.intp)
    todo = np.arange(len(taken))
    for _ in range(_ROUNDS):
        drawn[todo] = _draw(rng, chance, len(todo))
        todo = todo[side.masks[drawn[todo]] & taken[todo] != 0]
    for mask in np.unique(taken[todo]):  # combos that leave next to nothing: draw from what they leave
        same = todo[taken[todo] == mask]
        free = np.flatnonzero(side.masks & mask == 0)
        drawn[same] = free[_draw(rng, _cumulative(side.weights[free].astype(np.float64)), len(same))]
    return drawn


def _draw_boards(rng: np.random.Generator, question: Question, taken: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
    """uint8[n, 5]: complete boards that avoid the taken, known and dead cards."""
    boards = np.empty((len(taken), 5), dtype=np.uint8)
    boards[:, : len(question.board)] = question.board
    every = combo_masks(1)
    deck = np.array([card for card in range(52) if not question.known >> card & 1], dtype=np.uint8)
    todo = np.arange(len(taken))
    while len(todo) and question.missing:
        cards = deck[rng.integers(0, len(deck), size=(len(todo), question.missing))]
        seen = taken[todo]
        clash = np.zeros(len(todo), dtype=bool)
        for column in cards.T:
            bit = every[column]
            clash |= seen & bit != 0
            seen |= bit
        boards[todo, len(question.board) :] = cards
        todo = todo[clash]
    return boards
