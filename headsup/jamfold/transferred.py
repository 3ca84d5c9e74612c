"""Jam or fold at any stakes from the shipped equilibria, measured there without the matchup table.

The shipped expected values hold what a measurement needs. Against the calls of the shipped stack S', with s' and b'
posted (`game` has the formulas), jamming A is worth

    EV jam(A) = b' + (2 S' e(A) - b' n(A)) / T

where e(A) is what A wins of the pots of the hands that call, each less one half, and n(A) their number. n(A) is the
weight of the calls that share no card with A: inclusion-exclusion over A's cards. So e(A) follows, and with e and n
the same calls can be measured at all other stakes; likewise the jams, from the expected values of calling.

At stakes that do not ship, each seat gets the strategy of the shipped stack that loses least there. Antes and other
blinds move the ranges nearly as another stack does, so this is close to an equilibrium, and the exploitability says
how close. Shipped values are rounded: `rounding_mbb` bounds what that can hide.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from headsup.cards.classes import holdem_class_reps, omaha_class_reps
from headsup.cards.combos import combos, weight_apart
from headsup.cards.games import hand_size
from headsup.common.arrays import Floats
from headsup.games.betting.stakes import Payoffs, Stakes
from headsup.jamfold.hands import Equilibrium, class_of_combo, class_sizes
from headsup.jamfold.shipped import EV_STEPS, with_deep

MOST_STACK = 100.0  # big blinds: further from the shipped stacks, their ranges say nothing
STRIDES = (16, 4, 1)


class Faced(NamedTuple):
    """One shipped strategy as every hand class of the opponent meets it."""

    hands: Floats  # how many hands that play are left in the deck, mixed ones in part
    net: Floats  # what the class wins of their pots, each pot less one half


@dataclass(frozen=True, eq=False)
class Transferred(Equilibrium):
    """Two shipped strategies at other stakes, with what they are worth there."""

    stacks: tuple[float, float]  # the shipped stacks of the jams and of the calls, in big blinds
    rounding_mbb: float  # the exploitability may be larger by at most this, because shipped values are rounded


def transferred(game: str, payoffs: Payoffs) -> Transferred:
    """The shipped strategies that lose least at these stakes."""
    sweep, weights = with_deep(game), class_sizes(game) / class_sizes(game).sum()
    stack, small, big, gift = payoffs
    total = _opponents(game)
    # A hand's pot odds depend on the stack and what is posted together: this stack has about the same without antes.
    start = sweep.nearest_index(stack * 1.5 / (small + big))
    strides = STRIDES if 2 * small != big else STRIDES[-1:]  # between shipped stacks it is one of the neighbours

    def gain_of_jams(at: int) -> Floats:
        faced = faced_calls(game, at)
        return (small + big) + (2 * stack * faced.net - big * faced.hands) / total

    def gain_of_calls(at: int) -> Floats:
        faced = faced_jams(game, at)
        return np.asarray((2 * stack * faced.net + big * faced.hands) / total)

    def most(at: int) -> float:
        """The most that a small blind wins against these calls."""
        return float((weights * np.maximum(gain_of_jams(at), 0)).sum()) - small

    def sure(at: int) -> float:
        """The least that these jams win."""
        return float((weights * (sweep.jam[at] * (small + big) - np.maximum(gain_of_calls(at), 0))).sum()) - small

    calls = _lowest(most, start, len(sweep.stacks), strides)
    jams = _lowest(lambda at: -sure(at), start, len(sweep.stacks), strides)
    jam, call, gain = sweep.jam[jams], sweep.call[calls], gain_of_jams(calls)
    faced = faced_jams(game, jams)
    possible = faced.hands > 0
    ev_call = np.full(len(weights), np.nan)
    ev_call[possible] = 2 * stack * faced.net[possible] / faced.hands[possible] - gift
    stacks = float(sweep.stacks[jams]), float(sweep.stacks[calls])
    step = EV_STEPS[game] / 2
    return Transferred(
        jam=jam,
        call=call,
        ev_jam=gain + payoffs.fold_sb,
        ev_call=ev_call,
        value_sb=float(payoffs.fold_sb + (weights * jam * gain).sum()),
        exploitability_mbb=max(0.0, 500 * (most(calls) - sure(jams))),
        jam_frequency=float((weights * jam).sum()),
        call_frequency=float((weights * call).sum()),
        stacks=stacks,
        rounding_mbb=500 * step * sum(stack / other for other in stacks),
    )


def _lowest(cost: Callable[[int], float], start: int, count: int, strides: tuple[int, ...]) -> int:
    """The index with the least cost near `start`: downhill in strides that become shorter."""
    known: dict[int, float] = {}

    def at(index: int) -> float:
        if index not in known:
            known[index] = cost(index)
        return known[index]

    best = start
    for stride in strides:
        while True:
            near = min((index for index in (best - stride, best + stride) if 0 <= index < count), key=at, default=best)
            if at(near) >= at(best):
                break
            best = near
    return best


def _opponents(game: str) -> int:
    """T, the hands that a hand can meet."""
    size = hand_size(game)
    return int(np.prod([52 - size - i for i in range(size)]) // np.prod(range(1, size + 1)))


@lru_cache(maxsize=64)
def faced_calls(game: str, at: int) -> Faced:
    """The shipped calls of a stack, by index."""
    sweep = with_deep(game)
    stack, _, big, _ = Stakes.of(float(sweep.stacks[at])).payoffs
    hands = _left(game, sweep.call[at])
    return Faced(hands, ((sweep.ev_jam[at] - big) * _opponents(game) + big * hands) / (2 * stack))


@lru_cache(maxsize=64)
def faced_jams(game: str, at: int) -> Faced:
    """The shipped jams of a stack, by index."""
    sweep = with_deep(game)
    hands = _left(game, sweep.jam[at])
    values = np.where(hands > 0, sweep.ev_call[at], 0.0)
    return Faced(hands, values * hands / (2 * float(sweep.stacks[at])))


def _left(game: str, played: Floats) -> Floats:
    """For each class, the weight of the hands that play and share no card with it."""
    reps = np.sort(holdem_class_reps() if game == "holdem" else omaha_class_reps(), axis=1)
    return np.asarray(np.maximum(weight_apart(reps, combos(hand_size(game)), played[class_of_combo(game)]), 0.0))
