"""Jam or fold, measured: values, best responses, exploitability and mistakes of any pair of strategies.

Nothing here trusts a solver. Given two strategies, the table is summed afresh in float64 from the exact integers, the
expected value of every choice of every hand follows from the equations in `headsup.games.jamfold`, and a best response
plays exactly the hands whose gain is positive. The exploitability of the pair is the average over both seats of what a
best responder gains over the value of the game, in mbb per game; the pair is an epsilon-equilibrium with epsilon at
most twice that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.brief import brief
from headsup.games.arrays import Floats
from headsup.games.jamfold import JamFold, strategy

EXACT_BB = 1e-12
"""Gains below this are rounding."""


@dataclass(frozen=True, eq=False)
class Certificate:
    """What a pair of strategies is worth, hand by hand and in all; everything in big blinds unless it says mbb."""

    jam: Floats
    call: Floats
    value_sb: float
    """The small blind's expected value of the pair."""
    sure_sb: float
    """The least that the jamming strategy gets, whatever the big blind does."""
    most_sb: float
    """The most that any small blind gets against the calling strategy."""
    jam_frequency: float
    call_frequency: float
    """Of all hands dealt to the big blind, how many call a jam."""
    ev_jam: Floats
    ev_fold_sb: float
    ev_call: Floats
    """Given a jam; not a number where no hand that jams can be out."""
    ev_fold_bb: float
    jam_gain: Floats
    call_gain: Floats
    """From the deal: the gain given a jam times the probability of one."""

    __repr__ = brief

    @property
    def exploitability_mbb(self) -> float:
        """The average over both seats of a best responder's gain, in mbb per game."""
        return max(0.0, 500.0 * (self.most_sb - self.sure_sb))


def certify(game: JamFold, jam: npt.ArrayLike, call: npt.ArrayLike) -> Certificate:
    """Measure a pair of strategies: two whole sums over the table, everything else follows."""
    table = game.table
    j, c = strategy(table, jam, "jamming strategy"), strategy(table, call, "calling strategy")
    facing_calls, facing_jams = table.sums(c), table.sums(j)
    jam_gain, call_gain = game.jam_gain(facing_calls), game.call_gain(facing_jams)
    low, high = game.value_bounds(j, jam_gain, call_gain)

    def host(array: Any) -> Floats:
        return np.asarray(table.to_host(array), dtype=np.float64)

    return Certificate(
        jam=host(j),
        call=host(c),
        value_sb=game.value(j, jam_gain),
        sure_sb=low,
        most_sb=high,
        jam_frequency=float((game.shares * j).sum()),
        call_frequency=float((game.shares * c).sum()),
        ev_jam=host(jam_gain) + game.payoffs.fold_sb,
        ev_fold_sb=game.payoffs.fold_sb,
        ev_call=host(game.call_ev(facing_jams)),
        ev_fold_bb=game.payoffs.fold_bb,
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


def best_jams(game: JamFold, call: npt.ArrayLike) -> Reply:
    """The small blind's best response to a calling strategy."""
    gain = game.table.to_host(game.jam_gain(game.table.sums(strategy(game.table, call, "calling strategy"))))
    pure = (gain > EXACT_BB).astype(np.float64)
    return Reply(pure, gain, float(game.payoffs.fold_sb + (_shares(game) * pure * gain).sum()))


def best_calls(game: JamFold, jam: npt.ArrayLike) -> Reply:
    """The big blind's best response to a jamming strategy."""
    j = strategy(game.table, jam, "jamming strategy")
    gain = game.table.to_host(game.call_gain(game.table.sums(j)))
    pure = (gain > EXACT_BB).astype(np.float64)
    jams = float((game.shares * j).sum())
    without = jams * game.payoffs.fold_bb - (1 - jams) * game.payoffs.fold_sb
    return Reply(pure, gain, float(without + (_shares(game) * pure * gain).sum()))


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
    for seat, played, gain in (
        ("sb", certificate.jam, certificate.jam_gain),
        ("bb", certificate.call, certificate.call_gain),
    ):
        cost = np.where(gain > 0, (1 - played) * gain, -played * gain)
        found += [
            Mistake(seat, int(hand), float(played[hand]), float(gain[hand]), float(cost[hand]))
            for hand in np.flatnonzero(cost > least)
        ]
    return sorted(found, key=lambda mistake: -mistake.cost)


def _shares(game: JamFold) -> Floats:
    return np.asarray(game.table.class_sizes / game.table.hands)
