"""What every hand gains by playing in jam or fold: sums over the table, by the equations of `headsup.jamfold.game`.

This is all that charts, solvers and certificates need of the game, and it loads without betting trees and boards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.common.checks import as_numbers
from headsup.common.errors import UserError
from headsup.games.betting.stakes import Payoffs, Stakes
from headsup.games.holdem.classes import Classes, Sums


@dataclass(frozen=True, eq=False)
class JamFoldGains:
    """Jam or fold with the hands of a table; made by `jamfold_gains`. Gains and values are in big blinds."""

    name: str
    showdown: Classes
    payoffs: Payoffs

    @property
    def table(self) -> Classes:
        """Its showdown."""
        return self.showdown

    @property
    def shares(self) -> Any:
        """Each class's share of all hands, in the table's array module."""
        return self.table.shares

    def jam_gain(self, against_calls: Sums) -> Any:
        """EV jam - EV fold of every class of the small blind, against the sums over the calling range."""
        stack, small, big, _ = self.payoffs
        net = against_calls.pots - 0.5 * against_calls.hands
        return (small + big) + (2 * stack * net - big * against_calls.hands) / self.table.total

    def call_gain(self, against_jams: Sums) -> Any:
        """The big blind's gain of calling over folding, from the deal on, against the sums over the jamming range."""
        stack, _, big, _ = self.payoffs
        net = against_jams.pots - 0.5 * against_jams.hands
        return (2 * stack * net + big * against_jams.hands) / self.table.total

    def call_ev(self, against_jams: Sums) -> Any:
        """EV call given a jam, for every class of the big blind; not a number where no jam is possible."""
        xp = self.table.xp
        net = against_jams.pots - 0.5 * against_jams.hands
        with np.errstate(invalid="ignore", divide="ignore"):
            won = 2 * self.payoffs.stack * net / against_jams.hands - self.payoffs.gift
            return xp.where(against_jams.hands > 0, won, xp.nan)

    def pair_matrix(self, jams: Sequence[int] | Any, calls: Sequence[int] | Any) -> Any:
        """float64[jams, calls]: what c(B) = 1 adds to jam_gain(A): (2 S e(A, B) - b n(A, B)) / T."""
        stack, _, big, _ = self.payoffs
        pots, hands = self.table.block(jams, calls)
        return (2 * stack * (pots - 0.5 * hands) - big * hands) / self.table.total


def jamfold_gains(table: Classes, stakes: Stakes | Payoffs) -> JamFoldGains:
    """Jam or fold with the hands of a table, for stakes or what they come to."""
    payoffs = stakes.payoffs if isinstance(stakes, Stakes) else stakes
    return JamFoldGains(f"{table.game} jam or fold, {payoffs.stack:g} bb", table, payoffs)


def strategy(table: Classes, frequencies: npt.ArrayLike, what: str = "strategy") -> Any:
    """Check a strategy: one frequency 0..1 for each class; returned in the table's array module."""
    if table.xp is np:
        frequencies = as_numbers(frequencies, what)
    given = table.xp.asarray(frequencies, dtype=np.float64)
    if given.shape != (table.classes,):
        raise UserError(f"a {table.game} {what} has {table.classes} frequencies, not an array of shape {given.shape}")
    if not bool((given >= 0).all() and (given <= 1).all()):
        raise UserError(f"the frequencies of a {what} lie between 0 and 1")
    return given
