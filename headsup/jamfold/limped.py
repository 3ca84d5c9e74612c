"""What an opponent who may limp, raise and play a flop gains from a jam-or-fold player at most, in one hand for chips.

Only the opponent's button matters: facing a jam nobody has more than a call or a fold. The player in the big blind jams
a range J over a limp and over every raise, and gives the pot up with all other hands. With P(h) the probability that
the opponent's hand h meets a hand of J, S the stack and e the equity against J, a limp is worth

    1 - P(h) + P(h) max(-1, 2 S (e - 1/2))

big blinds. A raise wins no more where it is given up to, and loses more where it is folded to a jam, so it is never
better. What the opponent gains over the value of jam or fold is exact for this plan, and a bound for any better one,
such as checking and playing some flops.

J is the small blind's equilibrium range of jams at some stack: the shipped values of calls have every hand's exact
equity against it, rounded, so that no table of matchups is needed.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from headsup.cards.combos import combos, weight_apart
from headsup.cards.games import hand_size
from headsup.common.arrays import Floats
from headsup.common.errors import UserError
from headsup.games.betting.stakes import Stakes
from headsup.jamfold.hands import class_of_combo, class_sizes
from headsup.jamfold.shipped import EV_STEPS, Sweep, shipped

FIRST_STEP = 16  # stacks of the sweep between the ranges that are tried first


@dataclass(frozen=True)
class LimpBound:
    """The opponent's gain on the button, in big blinds a hand, and the plan that allows no more."""

    stack: float
    gain: float  # over the value of jam or fold, at most: `rounding` is included
    rounding: float  # what the rounding of shipped values may hide
    jams_of: float  # the stack whose range of jams is J
    jam_frequency: float  # how often the big blind jams over a limp
    limp_frequency: float  # how often the best response limps

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def limp_bound(game: str, stakes: Stakes) -> LimpBound:
    """The best bound that was found, for a stack that ships."""
    sweep, payoffs = shipped(game), stakes.payoffs
    usual = Stakes.of(payoffs.stack).payoffs
    if payoffs != usual or not sweep.has(payoffs.stack) or payoffs.stack <= 1.0:
        raise UserError(
            "the bound against an opponent who may limp is for blinds 1:2 without antes and stacks that ship, more "
            "than 1 big blind, by eighths up to 15 and by halves up to 50: give such a stack, or leave out --free"
        )
    bounds: dict[int, LimpBound] = {}

    def bound(k: int) -> LimpBound:
        if k not in bounds:
            bounds[k] = _bound(sweep, sweep.at(payoffs.stack), k)
        return bounds[k]

    best = min(range(0, len(sweep.stacks), FIRST_STEP), key=lambda k: bound(k).gain)
    step = FIRST_STEP // 2
    while step:  # any range gives a bound, so it does not matter that the least one may be missed
        near = (k for k in (best - step, best, best + step) if 0 <= k < len(sweep.stacks))
        best, step = min(near, key=lambda k: bound(k).gain), step // 2
    return bound(best)


def _bound(sweep: Sweep, at: int, k: int) -> LimpBound:
    """For the stack number `at` if J is the range of stack number k."""
    stack, ratio = float(sweep.stacks[at]), float(sweep.stacks[at] / sweep.stacks[k])
    shares, otherwise = _shares(sweep.game), np.maximum(Stakes.of(stack).payoffs.fold_sb, sweep.ev_jam[at])
    limp, jams = limp_values(sweep, at, k)
    better = np.maximum(otherwise, limp)
    rounding = EV_STEPS[sweep.game] / 2 * max(1.0, ratio)
    gain = float(shares @ better - sweep.value_sb[at]) + rounding
    limps = float(shares @ (limp > otherwise))
    return LimpBound(stack, gain, rounding, float(sweep.stacks[k]), float(shares @ jams), limps)


def limp_values(sweep: Sweep, at: int, k: int) -> tuple[Floats, Floats]:
    """[classes] what a limp is worth at stack number `at`, and P: how often each hand meets J, the jams of stack k."""
    held, of = hand_size(sweep.game), class_of_combo(sweep.game)
    weights = sweep.jam[k][of]
    some, reps = np.flatnonzero(weights > 0.0), np.zeros(sweep.classes, dtype=np.int64)
    reps[of] = np.arange(len(of))
    mine = combos(held)[reps]
    total = float(weight_apart(mine[:1], combos(held), np.ones(len(of)))[0])
    met = weight_apart(mine, combos(held)[some], weights[some]) / total
    called = np.nan_to_num(sweep.ev_call[k]) * (sweep.stacks[at] / sweep.stacks[k])
    return 1.0 - met + met * np.maximum(-1.0, called), met


def _shares(game: str) -> Floats:
    sizes = class_sizes(game)
    return np.asarray(sizes / sizes.sum())
