"""Jam or fold, measured: values, best responses, exploitability and mistakes of any pair of strategies.

Nothing here trusts a solver. Given two strategies, the table is summed afresh in float64 from the exact integers, the
expected value of every choice of every hand follows from the equations in `headsup.jamfold.game`, and a best response
plays exactly the hands whose gain is positive. What that comes to is a `Measurement` like that of every other game
(`headsup.measure.measure` walks to the same one, without the figures of single hands), and so its exploitability is the
average over both seats of what a best responder gains over the value of the game, here in mbb per game; the pair is an
epsilon-equilibrium with epsilon at most twice that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.common.arrays import Floats
from headsup.common.checks import door, of_kind
from headsup.common.display import brief
from headsup.games.betting.stakes import SEATS, check_seat
from headsup.jamfold.gains import JamFoldGains, strategy
from headsup.jamfold.hands import Charts
from headsup.measure.measurement import Measurement

EXACT_BB = 1e-12
"""Gains below this are rounding."""


@dataclass(frozen=True, eq=False)
class Certificate(Charts):
    """What a pair of strategies is worth, hand by hand and in all; everything in big blinds unless it says mbb."""

    measured: Measurement
    """Values and best replies, in big blinds."""
    jam_frequency: float
    call_frequency: float
    """Of all hands dealt to the big blind, how many call a jam."""
    ev_jam: Floats
    ev_call: Floats
    """Given a jam; not a number where no hand that jams can be out."""
    jam_gain: Floats
    call_gain: Floats
    """From the deal: the gain given a jam times the probability of one."""

    __repr__ = brief

    @property
    def value_sb(self) -> float:
        """The small blind's expected value of the pair."""
        return self.measured.value

    @property
    def sure_sb(self) -> float:
        """The least that the jamming strategy gets, whatever the big blind does."""
        return -self.measured.best[1]

    @property
    def most_sb(self) -> float:
        """The most that any small blind gets against the calling strategy."""
        return self.measured.best[0]

    @property
    def exploitability_mbb(self) -> float:
        """The average over both seats of a best responder's gain, in mbb per game."""
        return max(0.0, self.measured.mbb)


def measured(game: JamFoldGains, jam: Any, jam_gain: Any, call_gain: Any) -> Measurement:
    """Values and best replies of a pair in big blinds, from gains that solvers have at hand while they run: `jam_gain`
    against the calls, `call_gain` against `jam`.
    """
    xp, (_, small, big, gift) = game.table.xp, game.payoffs
    value = float(game.payoffs.fold_sb + (game.shares * jam * jam_gain).sum())
    most = float(gift - small + (game.shares * xp.maximum(jam_gain, 0)).sum())
    sure = float(gift - small + (game.shares * (jam * (small + big) - xp.maximum(call_gain, 0))).sum())
    return Measurement(game.name, (value, -value), (most, -sure))


@door(game=of_kind(JamFoldGains))
def certify(game: JamFoldGains, jam: npt.ArrayLike, call: npt.ArrayLike) -> Certificate:
    """Measure a pair of strategies: two whole sums over the table, everything else follows."""
    table = game.table
    j, c = strategy(table, jam, "jamming strategy"), strategy(table, call, "calling strategy")
    facing_calls, facing_jams = table.sums(c), table.sums(j)
    jam_gain, call_gain = game.jam_gain(facing_calls), game.call_gain(facing_jams)

    def host(array: Any) -> Floats:
        return np.asarray(table.to_host(array), dtype=np.float64)

    return Certificate(
        jam=host(j),
        call=host(c),
        measured=measured(game, j, jam_gain, call_gain),
        jam_frequency=float((game.shares * j).sum()),
        call_frequency=float((game.shares * c).sum()),
        ev_jam=host(jam_gain) + game.payoffs.fold_sb,
        ev_call=host(game.call_ev(facing_jams)),
        jam_gain=host(jam_gain),
        call_gain=host(call_gain),
    )


@dataclass(frozen=True, eq=False)
class Reply:
    """The maximally exploiting answer to one strategy."""

    strategy: Floats
    """Pure: 1 where playing gains, 0 elsewhere."""
    gain: Floats
    """What playing gains over folding, each hand, from the deal, in big blinds."""
    value: float
    """The responder's expected value, in big blinds."""

    __repr__ = brief


@door(game=of_kind(JamFoldGains))
def best_reply(game: JamFoldGains, seat: str, other: npt.ArrayLike) -> Reply:
    """A seat's best response, sb or bb, to a strategy of the other one."""
    check_seat(seat)
    table, payoffs = game.table, game.payoffs
    played = strategy(table, other, f"{'calling' if seat == 'sb' else 'jamming'} strategy")
    sums, often = table.sums(played), float((game.shares * played).sum())
    if seat == "sb":
        gain, folding = game.jam_gain(sums), payoffs.fold_sb
    else:
        gain, folding = game.call_gain(sums), often * payoffs.fold_bb - (1 - often) * payoffs.fold_sb
    pure = (gain > EXACT_BB).astype(np.float64)
    value = float(folding + (game.shares * pure * gain).sum())
    return Reply(table.to_host(pure), table.to_host(gain), value)


@dataclass(frozen=True)
class Mistake:
    """A hand that a strategy does not play as a best response would."""

    seat: str
    hand: int
    frequency: float
    gain_of_playing: float
    cost: float
    """What it costs from the deal whenever this hand comes, in big blinds."""


def mistakes(certificate: Certificate, least: float = EXACT_BB) -> list[Mistake]:
    """Every choice that is not a best response and costs more than `least`, dearest first."""
    found = []
    for seat, gain in zip(SEATS, (certificate.jam_gain, certificate.call_gain), strict=True):
        played = certificate.played(seat)
        cost = np.where(gain > 0, (1 - played) * gain, -played * gain)
        found += [
            Mistake(seat, int(hand), float(played[hand]), float(gain[hand]), float(cost[hand]))
            for hand in np.flatnonzero(cost > least)
        ]
    return sorted(found, key=lambda mistake: -mistake.cost)
