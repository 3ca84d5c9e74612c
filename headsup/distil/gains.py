"""The gain of playing a hand over folding it against an equilibrium opponent, for each seat, stack and hand class.

The gain is weighted by the probability of the class, in mbb per game, so the loss of any pure strategy is a plain sum.

    small blind   P(A) [EV jam(A) - EV fold]
    big blind     P(B) P(jam | B) [EV call(B) - EV fold]

The EVs are those of the shipped equilibria (Omaha: rounded to a thousandth of a big blind). P(jam | B) is exact, by
inclusion and exclusion over the cards of B.
"""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np

from headsup.cards.classes import holdem_class_of_combo, holdem_class_reps, omaha_class_of_combo, omaha_class_reps
from headsup.cards.combos import combos, frozen, weight_apart
from headsup.cards.games import hand_size
from headsup.common.arrays import Floats
from headsup.games.betting.stakes import SEATS, Stakes
from headsup.jamfold.hands import class_sizes
from headsup.jamfold.shipped import shipped


@cache
def gains(game: str, stacks: tuple[float, ...]) -> Floats:
    """float64[seats, classes, stacks] in mbb per game; every stack must be one of the shipped sweep."""
    return frozen(np.stack([np.stack([seat_gains(game, seat, stack) for stack in stacks], axis=1) for seat in SEATS]))


@cache
def seat_gains(game: str, seat: str, stack: float) -> Floats:
    """float64[classes] in mbb per game: those of one seat at a stack of the shipped sweep."""
    sweep, payoffs = shipped(game), Stakes.of(stack).payoffs
    at, sizes = sweep.at(stack), class_sizes(game)
    if seat == "sb":
        gained = sweep.ev_jam[at] + payoffs.small
    else:
        gained = (sweep.ev_call[at] + payoffs.big) * faced(game, sweep.jam[at])
    return frozen(gained * (1000 * (sizes / sizes.sum())))


def faced(game: str, played: Floats) -> Floats:
    """For each class, the probability that an opponent with these frequencies plays, given our cards."""
    held = hand_size(game)
    of_combo, reps = (
        (holdem_class_of_combo(), holdem_class_reps()) if held == 2 else (omaha_class_of_combo(), omaha_class_reps())
    )
    met = weight_apart(np.sort(reps, axis=1), combos(held), played[of_combo.astype(np.intp)])
    return np.asarray(met / comb(52 - held, held))
