"""The objective of a card, and the floor below which no card can come.

The **share** of a card is its cost relative to a rival, the largest over stacks: for Omaha the loss of each seat by
ORACLE's worst price there, for hold'em the loss of both seats by SAGE's price. The search minimises the **aim**: four
fifths of the share and one fifth of the average, with losses against the equilibrium in place of prices.

**Floor.** Hands that look the same on the lines are played alike with any points. So for each set of them, each seat
and each stack, the better of playing all or none is a bound for every rule that sees only these lines.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from headsup.common.arrays import Floats
from headsup.distil.gains import gains
from headsup.distil.price import Prices, prices_of, shipped_prices
from headsup.distil.rules.catalogue import rule
from headsup.distil.scorecards.lines import columns_of, pool
from headsup.distil.scorecards.records import adds_seats
from headsup.games.betting.stakes import SEATS

WORST_SHARE = 0.8
MANY_CHOICES = 500  # of so many choices of lines not all are looked at
LEAST = 1.0  # where SAGE costs next to nothing, a thousandth of a big blind is as good


@cache
def scale(game: str, stacks: tuple[float, ...]) -> Floats:
    """float64[seats, stacks]: the rival's price, by which losses are divided."""
    if adds_seats(game):
        known = shipped_prices()["sage"]
        most = max(_both(known, price.stack) for price in prices_of(rule("sage")).of("sb"))
        both = [min(_both(known, stack), most) for stack in stacks]
        scales: Floats = np.maximum(np.array([both, both]), 2 * LEAST)
    else:
        oracle = prices_of(rule("oracle"))
        worst = np.array([[oracle.worst(seat).best] for seat in SEATS])
        scales = np.repeat(worst, len(stacks), axis=1)
    scales.setflags(write=False)
    return scales


def _both(prices: Prices, stack: float) -> float:
    return sum(prices.at(stack, seat).best for seat in SEATS)


def shares(game: str, stacks: tuple[float, ...], losses: Floats) -> Floats:
    """Losses or prices (float64[seats, stacks]) relative to the rival's: a row for each seat, or one for both."""
    share = losses / scale(game, stacks)
    return np.asarray(share.sum(axis=0, keepdims=True) if adds_seats(game) else share)


def mixed(share: Floats) -> float:
    """The aim from all shares."""
    return float(WORST_SHARE * share.max() + (1 - WORST_SHARE) * share.mean())


def aim_of(game: str, stacks: tuple[float, ...], losses: Floats) -> float:
    """The aim from float64[seats, stacks] of losses or prices."""
    return mixed(shares(game, stacks, losses))


def stacks_up_to(max_stack: float, row: bool = True) -> tuple[float, ...]:
    """The stacks that a search looks at, from 1 to the largest.

    For a row each whole R, and the first and last eighth that round to it; for a sum every third eighth, so that all
    parts of a big blind come up, since a sum is rounded up to whole points.
    """
    if not row:
        return (*(float(stack) for stack in np.arange(1, max_stack, 0.375)), float(max_stack))
    whole = np.arange(1, int(max_stack) + 2)
    stacks = {float(stack) for at in whole for stack in (at - 0.375, at, at + 0.5) if 1 <= stack < max_stack}
    return (*sorted(stacks), float(max_stack))


@dataclass(frozen=True, eq=False)
class Cells:
    """Hands that look the same on some lines, merged."""

    columns: npt.NDArray[np.int64]  # int64[cells, numbers]
    gains: Floats  # float64[seats, cells, stacks]


def cells_of(game: str, lines: Sequence[str], stacks: tuple[float, ...]) -> Cells:
    columns = columns_of(game, lines)
    key = np.zeros(len(columns), dtype=np.int64)
    for name in lines:
        looks = _looks(game, name)
        key = key * (int(looks.max()) + 1) + looks
        key = np.unique(key, return_inverse=True)[1].reshape(-1)
    order = np.argsort(key, kind="stable")
    first = np.searchsorted(key[order], np.arange(int(key.max()) + 1))
    return Cells(columns[order[first]], np.add.reduceat(gains(game, stacks)[:, order], first, axis=1))


@cache
def _looks(game: str, line: str) -> npt.NDArray[np.int64]:
    """For each hand class the index of its values on one line."""
    return np.asarray(np.unique(pool(game)[line].columns, axis=0, return_inverse=True)[1].reshape(-1))


@cache
def best_gains(game: str, stacks: tuple[float, ...]) -> Floats:
    """float64[seats, stacks]: the gain of the equilibrium's choices."""
    return np.asarray(np.maximum(gains(game, stacks), 0).sum(axis=1))


def floor_losses(game: str, lines: Sequence[str], stacks: tuple[float, ...]) -> Floats:
    """float64[seats, stacks]: the least loss of any rule that sees only these lines."""
    kept = np.maximum(cells_of(game, lines, stacks).gains, 0).sum(axis=1)
    return np.asarray(best_gains(game, stacks) - kept)


def floor(game: str, lines: Sequence[str], stacks: tuple[float, ...]) -> float:
    """The lowest share of any rule that sees only these lines."""
    return float(shares(game, stacks, floor_losses(game, lines, stacks)).max())


def floors(game: str, k: int, stacks: tuple[float, ...]) -> list[tuple[float, tuple[str, ...]]]:
    """The floor of every choice of k lines of the pool, lowest first."""
    return sorted((floor(game, lines, stacks), lines) for lines in combinations(pool(game), k))


@cache
def lowest_floor(game: str, k: int, max_stack: float) -> float:
    """No card of k lines of the pool has a lower share for stacks up to the largest; from three of the stacks.

    Where there are too many choices it is the floor of the whole pool, which sees more than any k of its lines.
    """
    stacks = tuple(float(stack) for stack in sorted({2.0, np.ceil(max_stack / 2), float(max_stack)}))
    many = comb(len(pool(game)), k) > MANY_CHOICES
    return max(0.0, floor(game, tuple(pool(game)), stacks) if many else floors(game, k, stacks)[0][0])
