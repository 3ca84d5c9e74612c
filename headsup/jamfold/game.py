"""Heads-up jam or fold: the rules, the gain of every hand with card removal, values, best responses and certificates.

A strategy is one frequency for each hand class: j(A), how often the small blind jams A, and c(B), how often the big
blind calls with B. The effective stack S is the smaller of the two stacks before posting; the forced chips are s =
min(ante + small blind, S) and b = min(ante + big blind, S). In big blinds, to the small blind:

    small blind folds                 -s
    jam, big blind folds              +b
    jam, call, equity E of the pot    2 S (E - 1/2)

**A big-blind ante** X is dead money. With m, the smaller of the small blind's stack and the big blind's stack less X,
the ends are worth -s, X + b and (2 m + X) E - m: each X/2 more than with antes of X/2 from both players,

    S = m + X/2    s + X/2    b + X/2      and the gift g = X/2, from the big blind to the small blind, whatever happens

A gift changes no decision; the formulas below leave g out. If S <= s nothing is left to decide, if s < S <= b the big
blind has nothing left to call; neither needs a special case.

**Card removal.** Let w(A) be the number of hands in class A, n(A, B) the number of hands of class B that one hand of
class A leaves in the deck, T = sum over B of n(A, B), W the number of all hands, and

    e(A, B) = sum over those n(A, B) hands of (A's fraction of the pot - 1/2) = Q(A, B) / (4 boards) - n(A, B) / 2

with w(A) n(A, B) = w(B) n(B, A) and w(A) e(A, B) = -w(B) e(B, A).

    EV jam(A)  = b + 1/T sum_B c(B) [2 S e(A, B) - b n(A, B)],                  EV fold(A) = -s
    EV call(B) = 2 S [sum_A j(A) e(B, A)] / [sum_A j(A) n(B, A)],               EV fold(B) = -b
    jam_gain   = EV jam + s,     call_gain = 1/T sum_A j(A) [2 S e(B, A) + b n(B, A)]      counted from the deal
    v          = -s + 1/W sum_A w(A) j(A) jam_gain(A)
               = -s + 1/W sum_A w(A) j(A) (b + s) - 1/W sum_B w(B) c(B) call_gain(B)

(The thesis's equations 3.4 and 3.6 drop the frequencies from one sum and subtract the half pot from the folded part.)

**Certificates.** `JamFoldGame.certify` trusts no solver: it sums the table afresh in float64 from the exact integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.common.arrays import Floats
from headsup.common.checks import as_numbers
from headsup.common.display import brief
from headsup.common.errors import UserError
from headsup.games.betting.stakes import SEATS, Payoffs, Stakes, check_seat
from headsup.games.holdem.classes import Classes, Sums
from headsup.jamfold.hands import Equilibrium
from headsup.measure.measurement import Measurement

EXACT_BB = 1e-12  # gains below this are rounding


@dataclass(frozen=True, eq=False)
class JamFoldGame:
    """Jam or fold with the hands of a table; everything is in big blinds."""

    name: str
    showdown: Classes
    payoffs: Payoffs

    @classmethod
    def of(cls, table: Classes, stakes: Stakes | Payoffs) -> JamFoldGame:
        payoffs = stakes.payoffs if isinstance(stakes, Stakes) else stakes
        return JamFoldGame(f"{table.game} jam or fold, {payoffs.stack:g} bb", table, payoffs)

    @property
    def table(self) -> Classes:
        return self.showdown

    @property
    def class_probabilities(self) -> Any:
        """The probability of being dealt each class, in the table's array module."""
        return self.table.shares

    def jam_gain(self, facing_calls: Sums) -> Any:
        """EV jam - EV fold of every class of the small blind, from the sums over the calling range."""
        stack, small, big, _ = self.payoffs
        net = facing_calls.pots - 0.5 * facing_calls.hands
        return (small + big) + (2 * stack * net - big * facing_calls.hands) / self.table.total

    def call_gain(self, facing_jams: Sums) -> Any:
        """The big blind's gain of calling over folding, from the deal on, from the sums over the jamming range."""
        stack, _, big, _ = self.payoffs
        net = facing_jams.pots - 0.5 * facing_jams.hands
        return (2 * stack * net + big * facing_jams.hands) / self.table.total

    def call_ev(self, facing_jams: Sums) -> Any:
        """EV call given a jam, for every class of the big blind; nan where no jam is possible."""
        xp = self.table.xp
        net = facing_jams.pots - 0.5 * facing_jams.hands
        with np.errstate(invalid="ignore", divide="ignore"):
            won = 2 * self.payoffs.stack * net / facing_jams.hands - self.payoffs.gift
            return xp.where(facing_jams.hands > 0, won, xp.nan)

    def pair_matrix(self, jams: Sequence[int] | Any, calls: Sequence[int] | Any) -> Any:
        """float64[jams, calls]: what c(B) = 1 adds to jam_gain(A): (2 S e(A, B) - b n(A, B)) / T."""
        stack, _, big, _ = self.payoffs
        pots, hands = self.table.block(jams, calls)
        return (2 * stack * (pots - 0.5 * hands) - big * hands) / self.table.total

    def strategy(self, frequencies: npt.ArrayLike, what: str = "strategy") -> Any:
        """Check a strategy, a frequency 0..1 for each class; returned in the table's array module."""
        table = self.table
        if table.xp is np:
            frequencies = as_numbers(frequencies, what)
        given = table.xp.asarray(frequencies, dtype=np.float64)
        if given.shape != (table.classes,):
            raise UserError(
                f"a {table.game} {what} has {table.classes} frequencies, not an array of shape {given.shape}"
            )
        if not bool((given >= 0).all() and (given <= 1).all()):
            raise UserError(f"the frequencies of a {what} lie between 0 and 1")
        return given

    def pair(self, jam: Any, call: Any) -> StrategyPair:
        """Two checked strategies with their sums: two passes over the table."""
        return StrategyPair(self, jam, call, self.table.sums(call), self.table.sums(jam))

    def certify(self, jam: npt.ArrayLike, call: npt.ArrayLike) -> Certificate:
        """Measure a pair of strategies from the table alone."""
        return self.pair(self.strategy(jam, "jamming strategy"), self.strategy(call, "calling strategy")).certificate()

    def best_response(self, seat: str, opponent: npt.ArrayLike) -> BestResponse:
        """The best response of a seat, sb or bb, to the opponent's strategy."""
        check_seat(seat)
        played = self.strategy(opponent, f"{'calling' if seat == 'sb' else 'jamming'} strategy")
        sums, frequency = self.table.sums(played), float((self.class_probabilities * played).sum())
        if seat == "sb":
            gain, folding = self.jam_gain(sums), self.payoffs.fold_sb
        else:
            folding = frequency * self.payoffs.fold_bb - (1 - frequency) * self.payoffs.fold_sb
            gain = self.call_gain(sums)
        pure = (gain > EXACT_BB).astype(np.float64)
        value = float(folding + (self.class_probabilities * pure * gain).sum())
        return BestResponse(self.table.to_host(pure), self.table.to_host(gain), value)


@dataclass(frozen=True, eq=False)
class StrategyPair:
    """Two strategies with the sums of the table against each, in the table's array module."""

    game: JamFoldGame
    jam: Any
    call: Any
    facing_calls: Sums
    facing_jams: Sums

    __repr__ = brief

    @cached_property
    def jam_gain(self) -> Any:
        """What jamming gains each class against the calls."""
        return self.game.jam_gain(self.facing_calls)

    @cached_property
    def call_gain(self) -> Any:
        """What calling gains each class against the jams, from the deal."""
        return self.game.call_gain(self.facing_jams)

    @cached_property
    def measurement(self) -> Measurement:
        """Values and best responses, in big blinds."""
        (_, small, big, gift), weights = self.game.payoffs, self.game.class_probabilities
        maximum = self.game.table.xp.maximum
        value = float(self.game.payoffs.fold_sb + (weights * self.jam * self.jam_gain).sum())
        most = float(gift - small + (weights * maximum(self.jam_gain, 0)).sum())
        sure = float(gift - small + (weights * (self.jam * (small + big) - maximum(self.call_gain, 0))).sum())
        return Measurement(self.game.name, (value, -value), (most, -sure))

    @property
    def gap(self) -> float:
        """The exploitability, in mbb per game."""
        return self.measurement.mbb

    def with_jam(self, jam: Any) -> StrategyPair:
        """The pair with other jams: only the rows of hands that changed are read."""
        facing_jams = self.game.table.shifted(self.facing_jams, self.jam, jam)
        return StrategyPair(self.game, jam, self.call, self.facing_calls, facing_jams)

    def with_call(self, call: Any) -> StrategyPair:
        """The pair with other calls: only the rows of hands that changed are read."""
        facing_calls = self.game.table.shifted(self.facing_calls, self.call, call)
        return StrategyPair(self.game, self.jam, call, facing_calls, self.facing_jams)

    def certificate(self) -> Certificate:
        """The pair and everything measured, on the host."""

        def host(array: Any) -> Floats:
            return np.asarray(self.game.table.to_host(array), dtype=np.float64)

        weights = self.game.class_probabilities
        return Certificate(
            jam=host(self.jam),
            call=host(self.call),
            value_sb=self.measurement.value,
            exploitability_mbb=max(0.0, self.measurement.mbb),
            jam_frequency=float((weights * self.jam).sum()),
            call_frequency=float((weights * self.call).sum()),
            ev_jam=host(self.jam_gain) + self.game.payoffs.fold_sb,
            ev_call=host(self.game.call_ev(self.facing_jams)),
            measurement=self.measurement,
            jam_gain=host(self.jam_gain),
            call_gain=host(self.call_gain),
        )


@dataclass(frozen=True, eq=False)
class Certificate(Equilibrium):
    """The measured values of any pair of strategies, by hand class and in total."""

    measurement: Measurement
    jam_gain: Floats
    call_gain: Floats  # from the deal: the gain given a jam times the probability of one

    __repr__ = brief

    @property
    def sure_sb(self) -> float:
        """The least that the jamming strategy gets against any big blind."""
        return -self.measurement.best[1]

    @property
    def most_sb(self) -> float:
        """The most that any small blind gets against the calling strategy."""
        return self.measurement.best[0]

    def mistakes(self, least: float = EXACT_BB) -> list[Mistake]:
        """Every choice that is not a best response and costs more than `least`, the most expensive first."""
        mistakes = []
        for seat, gain in zip(SEATS, (self.jam_gain, self.call_gain), strict=True):
            played = self.played(seat)
            cost = np.where(gain > 0, (1 - played) * gain, -played * gain)
            mistakes += [
                Mistake(seat, int(hand), float(played[hand]), float(gain[hand]), float(cost[hand]))
                for hand in np.flatnonzero(cost > least)
            ]
        return sorted(mistakes, key=lambda mistake: -mistake.cost)


@dataclass(frozen=True, eq=False)
class BestResponse:
    """The maximally exploiting response to one strategy."""

    strategy: Floats  # pure: 1 where playing gains, 0 elsewhere
    gain: Floats  # what playing gains over folding, each hand, from the deal, in big blinds
    value: float  # the responder's expected value, in big blinds

    __repr__ = brief


@dataclass(frozen=True)
class Mistake:
    """A hand that a strategy does not play as a best response would."""

    seat: str
    hand: int
    frequency: float
    gain_of_playing: float
    cost: float  # from the deal whenever this hand comes, in big blinds
