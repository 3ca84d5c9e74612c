"""The poker of Borel (1938) and von Neumann (1944), on real numbers, beside what the solver finds on cells.

Both players ante 1 and get a number from 0 to 1. Player 0 may bet B; player 1 calls or folds. Without a bet player 0
folds (Borel), or both show (von Neumann). The solutions have three thresholds: player 0 bets above `high` and bluffs
below `low`, player 1 calls above `call`:

    Borel          call = high = B / (B + 2), bluffs of any numbers below it, call - call^2 in all; value -call^2
    von Neumann    with D = (B + 1)(B + 4):  low = B / D,  high = (B^2 + 4 B + 2) / D,  call = B (B + 3) / D; value low

A strategy on cells is one of the game of real numbers. `bounds` lets the opponent answer it with any numbers, so it
proves an interval for the value, and the exploitability of the solver's strategies.
"""

from typing import NamedTuple

import numpy as np

from headsup.common.arrays import Floats
from headsup.games.catalogue.forms import sequence_form
from headsup.games.catalogue.names import game
from headsup.papers.section import Rows, Section, written
from headsup.solve.small.lp import sequence_lp

BETS = (1.0, 2.0, 4.0)
CELLS = 100
NAMES = {"borel": "Borel", "neumann": "von Neumann"}


class ClosedForm(NamedTuple):
    """The solution on real numbers."""

    bets: float
    """How many of its numbers player 0 bets, bluffs included."""
    calls: float
    value: float


def closed_form(name: str, bet: float) -> ClosedForm:
    """The solution of `borel` or `neumann`."""
    if name == "borel":
        call = bet / (bet + 2)
        return ClosedForm(1 - call**2, 1 - call, -(call**2))
    both = (bet + 1) * (bet + 4)
    low, high = bet / both, (bet**2 + 4 * bet + 2) / both
    return ClosedForm(low + 1 - high, 1 - bet * (bet + 3) / both, low)


class CellStrategy(NamedTuple):
    """How often player 0 bets and player 1 calls, by cell from the lowest."""

    bets: Floats
    calls: Floats


def solve_cells(name: str, bet: float, cells: int = CELLS) -> tuple[CellStrategy, float]:
    """An equilibrium on cells by linear programming, and its value."""
    form = sequence_form(game(name, cells=cells, bet=bet))
    value, plans = sequence_lp(form)
    played = []
    for seat, often in zip(form.seats, form.behaviours(plans), strict=True):
        order = np.argsort([int(seat.labels.infoset(i).partition("|")[0]) for i in range(seat.n_infosets)])
        played.append(np.asarray(often[seat.first[order] + 1]))  # the second action: bet, call
    return CellStrategy(*played), value


def bounds(name: str, bet: float, strategy: CellStrategy) -> tuple[float, float]:
    """What player 0 is sure of, and the most that it can get, if the opponent may answer with any numbers."""
    ends = np.linspace(0.0, 1.0, len(strategy.bets) + 1)
    bets, calls = (_below(often) for often in strategy)  # the played numbers below each end
    without = 2 * ends - 1 if name == "neumann" else np.full(len(ends), -1.0)
    # player 0 with number x: wins 1 from the numbers that fold, 1 + B from those that call below x
    betting = (1 - calls[-1]) + (1 + bet) * (2 * calls - calls[-1])
    most = _area(without) + _positive(betting - without)
    # player 1 with number y: calling gains 1 + (1 + B) against bets below y, 1 - (1 + B) against bets above
    calling = bets[-1] + (1 + bet) * (2 * bets - bets[-1])
    passive = _area_of_cells(without, 1 - strategy.bets)
    return float(passive + bets[-1] - _positive(calling)), float(most)


def _below(often: Floats) -> Floats:
    return np.concatenate([[0.0], np.cumsum(often)]) / len(often)


def _area(at_ends: Floats) -> float:
    """The integral of a function that is linear on each cell."""
    return float((at_ends[1:] + at_ends[:-1]).sum() / 2 / (len(at_ends) - 1))


def _area_of_cells(at_ends: Floats, weights: Floats) -> float:
    return float(((at_ends[1:] + at_ends[:-1]) / 2 * weights).sum() / len(weights))


def _positive(at_ends: Floats) -> float:
    """The integral of its positive part."""
    first, last = at_ends[:-1], at_ends[1:]
    low, high = np.minimum(first, last), np.maximum(first, last)
    mixed = (low < 0) & (high > 0)
    part = np.where(low >= 0, (low + high) / 2, 0.0)
    part[mixed] = high[mixed] ** 2 / (2 * (high - low)[mixed])
    return float(part.sum() / (len(at_ends) - 1))


def continuous() -> Section:
    """The closed forms beside the solver."""
    rows: Rows = []
    for name, author in NAMES.items():
        for bet in BETS:
            exact, (strategy, value) = closed_form(name, bet), solve_cells(name, bet)
            low, high = bounds(name, bet, strategy)
            cells = f"{strategy.bets.mean():.4f}", f"{strategy.calls.mean():.4f}"
            rows.append(
                (f"{author}, bet {bet:g}", *(f"{x:.4f} / {y}" for x, y in zip(exact[:2], cells, strict=True)),
                 f"{exact.value:.6f} / {value:.6f}", f"{low:.6f} to {high:.6f}")
            )  # fmt: skip
    return written(__file__, "continuous", rows)
