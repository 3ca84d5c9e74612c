"""Playability: the largest stack at which a hand is played, as ho-2015 section 3.6 defines it.

R is the effective stack in big blinds before posting. A mixing hand counts as played from a probability of one half.
`discontinuities` lists the hands that are folded at some R and played at a larger one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headsup.common.arrays import Floats
from headsup.jamfold.shipped import Sweep, changes, shipped


@dataclass(frozen=True, eq=False)
class Cutoff:
    """The playability of every class of one game from one seat, up to a largest stack."""

    game: str
    seat: str
    end: float  # no stack above this was looked at, so a value equal to it means at least that
    largest: Floats  # the largest stack at which each class is played, 0 if at none
    broken: npt.NDArray[np.intp]  # the classes that are folded at some smaller stack than that

    def intervals(self, hand: int) -> list[tuple[float, float]]:
        """The stacks at which a class is played; more than one interval if it is broken."""
        sweep = shipped(self.game)
        inside = sweep.stacks <= self.end + 1e-9
        return changes(sweep.stacks[inside], sweep.played(self.seat)[inside, hand])


def cutoff(game: str, seat: str, end: float = 50.0) -> Cutoff:
    """The playability of every class in the shipped equilibria, at stacks up to `end`."""
    sweep = shipped(game)
    return Cutoff(game, seat, end, playability(sweep, seat, end), discontinuities(sweep, seat, end))


def playability(sweep: Sweep, seat: str, end: float = np.inf) -> Floats:
    """The largest stack of the sweep, up to `end`, at which each class is played; 0 if at none."""
    inside = sweep.stacks <= end + 1e-9
    plays = sweep.played(seat)[inside] >= 0.5
    return np.asarray(np.where(plays, sweep.stacks[inside, None], 0.0).max(axis=0))


def discontinuities(sweep: Sweep, seat: str, end: float) -> npt.NDArray[np.intp]:
    """The classes that are folded at some stack and played at a larger one, both up to `end`."""
    plays = (sweep.played(seat) >= 0.5)[sweep.stacks <= end + 1e-9]
    later = np.logical_or.accumulate(plays[::-1], axis=0)[::-1]
    return np.flatnonzero((later & ~plays).any(axis=0))
