"""CFR and CFR+ for jam or fold: one regret pair a hand class, a page of array code for numpy and CuPy alike.

One iteration:

1. Sum the table against the big blind's strategy; that is the gain g(A) of jamming over folding for every hand.
2. The small blind regrets not having jammed more by (1 - j) g, not having folded more by -j g. Add both to its running
   regrets; CFR+ sets negative ones to zero (regret matching+).
3. Its next strategy is regret(jam) / (regret(jam) + regret(fold)), where negative regrets count as zero.
4. The same for the big blind, against the strategy just made (alternating updates).
5. The averages take the new strategies in, with weight t in CFR+ and 1 in CFR.

A start from a solution nearby gives every hand a regret of `TRUST` in favour of what it did there. Every `check`
iterations the exploitability of the averages is computed, and that of the strategies of the moment, which costs nothing
as their gains are at hand and which in CFR+ is often the smaller one; the better pair is kept, and the loop ends when
it is within the target. The thesis also weighs each regret by t and stops on the current strategies; both are the same
algorithm in the sense of Tammelin's CFR+, whose averaging weights are those used here.

Nearly all hands stay where they are from one iteration to the next, so sums are not recomputed but shifted: only the
rows of hands that changed are read. Every `FRESH` iterations they are computed anew, so rounding cannot pile up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from headsup.brief import brief
from headsup.errors import UserError
from headsup.games.arrays import Floats
from headsup.games.jamfold import JamFold, Payoffs, strategy

TARGET_MBB = 1e-3
TRUST = 1e-2
FRESH = 100
Watch = Callable[[int, float], None]
"""Called at every check with the iteration and the best exploitability so far, in mbb/g."""


class Variant(NamedTuple):
    """What tells one member of the family from another."""

    name: str
    plus: bool
    """Whether negative regrets are set to zero."""
    power: float
    """The average weighs iteration t by t to this power."""


CFR = Variant("cfr", plus=False, power=0.0)
CFR_PLUS = Variant("cfr+", plus=True, power=1.0)


@dataclass(frozen=True, eq=False)
class JamFoldSolution:
    """A pair of strategies and where it comes from; frequencies are float64[classes]."""

    game: str
    payoffs: Payoffs
    jam: Floats
    call: Floats
    method: str
    iterations: int
    gap_mbb: float
    """Exploitability as the solver saw it; `headsup.measure.jamfold.certify` proves it."""

    __repr__ = brief


class Seat:
    """One player's regrets and average strategy."""

    def __init__(self, xp: Any, start: Any, variant: Variant) -> None:
        self.xp, self.variant = xp, variant
        self.now = start
        self.play = TRUST * start
        self.fold = TRUST * (1 - start)
        self.average = xp.zeros_like(start)

    def learn(self, gain: Any) -> Any:
        """Add the regrets of one iteration; the next strategy."""
        xp = self.xp
        self.play += (1 - self.now) * gain
        self.fold -= self.now * gain
        if self.variant.plus:
            xp.maximum(self.play, 0, out=self.play)
            xp.maximum(self.fold, 0, out=self.fold)
        play = xp.maximum(self.play, 0)
        total = play + xp.maximum(self.fold, 0)
        self.now = xp.where(total > 0, play / xp.where(total > 0, total, 1), 0.5)
        return self.now

    def remember(self, t: int, weight_so_far: float) -> float:
        """Take the present strategy into the average; the new sum of weights."""
        weight: float = float(t) ** self.variant.power
        self.average += (self.now - self.average) * (weight / (weight_so_far + weight))
        return weight_so_far + weight


def cfr(
    game: JamFold,
    *,
    variant: Variant = CFR_PLUS,
    target: float = TARGET_MBB,
    iterations: int = 10_000,
    start: tuple[Any, Any] | None = None,
    check: int = 10,
    watch: Watch | None = None,
) -> JamFoldSolution:
    """Iterate until the exploitability is at most `target` mbb/g or the iterations are used up."""
    if iterations < 1 or check < 1:
        raise UserError("CFR needs at least one iteration and one check: ask for 1 or more")
    table, xp = game.table, game.table.xp
    # Without a start every hand is played half the time: a neutral first opponent for both.
    first = start if start is not None else (np.full(table.classes, 0.5), np.full(table.classes, 0.5))
    small, big = (Seat(xp, strategy(table, side).copy(), variant) for side in first)
    best: tuple[float, Any, Any] = (np.inf, small.now, big.now)
    facing_calls, facing_jams = table.sums(big.now), table.sums(small.now)
    weight = 0.0
    t = 0
    for t in range(1, iterations + 1):
        if t % FRESH == 0:
            facing_calls, facing_jams = table.sums(big.now), table.sums(small.now)
        jam_gain = game.jam_gain(facing_calls)
        before = small.now
        facing_jams = table.shifted(facing_jams, before, small.learn(jam_gain))
        call_gain = game.call_gain(facing_jams)
        if t % check == 0:
            best = min(best, (game.gap(small.now, jam_gain, call_gain), small.now, big.now), key=lambda pair: pair[0])
        before = big.now
        facing_calls = table.shifted(facing_calls, before, big.learn(call_gain))
        small.remember(t, weight)
        weight = big.remember(t, weight)
        if t % check == 0:
            best = min(best, _averages(game, small.average, big.average), key=lambda pair: pair[0])
            if watch is not None:
                watch(t, best[0])
            if best[0] <= target:
                break
    if t % check:
        best = min(best, _averages(game, small.average, big.average), key=lambda pair: pair[0])
    jam, call = (np.clip(table.to_host(side), 0, 1) for side in best[1:])
    return JamFoldSolution(table.game, game.payoffs, jam, call, variant.name, t, best[0])


def _averages(game: JamFold, jam: Any, call: Any) -> tuple[float, Any, Any]:
    jam_gain = game.jam_gain(game.table.sums(call))
    call_gain = game.call_gain(game.table.sums(jam))
    return game.gap(jam, jam_gain, call_gain), jam.copy(), call.copy()
