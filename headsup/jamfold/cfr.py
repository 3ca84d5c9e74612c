"""The CFR family for jam or fold: one regret pair a hand class, a page of array code for numpy and CuPy alike.

One iteration:

1. Sum the table against the big blind's strategy; that is the gain g(A) of jamming over folding for every hand.
2. The small blind regrets not having jammed more by (1 - j) g, not having folded more by -j g. Add both to its running
   regrets, and keep of them what the method says (`headsup.solve.small.cfr`): CFR+ sets negative ones to zero.
3. Its next strategy is regret(jam) / (regret(jam) + regret(fold)), where negative regrets count as zero.
4. The same for the big blind, against the strategy just made (alternating updates).
5. The averages take the new strategies in, with the weight that the method gives them: t in CFR+, 1 in CFR.

A start from a solution nearby gives every hand a regret of `TRUST` in favour of what it did there. Every `check`
iterations the exploitability of the averages is computed, and that of the strategies of the moment, which costs nothing
as their gains are at hand and which in CFR+ is often the smaller one; the better pair is kept, and the loop ends when
it is within the target. The thesis also weighs each regret by t and stops on the current strategies; both are the same
algorithm in the sense of Tammelin's CFR+, whose averaging weights are those used here.

Nearly all hands stay where they are from one iteration to the next, so sums are not recomputed but shifted: only the
rows of hands that changed are read. Every `FRESH` iterations they are computed anew, so rounding cannot pile up.

`headsup.solve.holdem.vector` solves the same game as any other `VectorGame`, with the same current strategies. This
loop stays because a walk reads the whole table three times for each seat where this shifts one sum, which in Omaha is
most of the time, and because starts, the new strategies in the average and the better of both pairs are in every figure
shipped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from headsup.common.display import brief
from headsup.common.errors import UserError
from headsup.common.progress import Progress, Watch
from headsup.jamfold.certificate import measured
from headsup.jamfold.gains import JamFoldGains, strategy
from headsup.jamfold.hands import Charts
from headsup.solve.records.settings import PRESETS

TARGET_MBB = 1e-3
TRUST = 1e-2
FRESH = 100


@dataclass(frozen=True, eq=False)
class SolvedCharts(Charts):
    """What a solver found, and how."""

    method: str
    iterations: int
    gap_mbb: float
    """Exploitability as the solver saw it; `headsup.jamfold.certificate.certify` proves it."""

    __repr__ = brief


class Learner:
    """One player's regrets and average strategy."""

    def __init__(self, xp: Any, start: Any, method: str) -> None:
        self.xp, self.predictive = xp, PRESETS[method].predictive
        self.now = start
        self.play = TRUST * start
        self.fold = TRUST * (1 - start)
        self.average, self.weight = xp.zeros_like(start), 0.0

    def learn(self, gain: Any, keep: float, shrink: float) -> Any:
        """Add the regrets of one iteration, keep so much of positive and of negative ones; the next strategy."""
        xp = self.xp
        play, fold = (1 - self.now) * gain, -(self.now * gain)
        for regret, more in ((self.play, play), (self.fold, fold)):
            regret += more
            if shrink == 0:
                xp.maximum(regret, 0, out=regret)
            if keep != 1 or shrink not in (0, 1):
                regret *= xp.where(regret > 0, keep, shrink)
        hope = (self.play + play, self.fold + fold) if self.predictive else (self.play, self.fold)
        play = xp.maximum(hope[0], 0)
        total = play + xp.maximum(hope[1], 0)
        self.now = xp.where(total > 0, play / xp.where(total > 0, total, 1), 0.5)
        return self.now

    def remember(self, weight: float) -> None:
        """Take the present strategy into the average."""
        self.weight += weight
        self.average += (self.now - self.average) * (weight / self.weight)


def cfr(
    game: JamFoldGains,
    *,
    method: str = "cfr+",
    target: float = TARGET_MBB,
    iterations: int = 10_000,
    start: tuple[Any, Any] | None = None,
    check: int = 10,
    watch: Watch | None = None,
) -> SolvedCharts:
    """Iterate until the exploitability is at most `target` mbb/g or the iterations are used up."""
    if iterations < 1 or check < 1:
        raise UserError("CFR needs at least one iteration and one check: ask for 1 or more")
    if method not in PRESETS:
        raise UserError(f"'{method}' is no method of the CFR family: choose from {', '.join(PRESETS)}")
    table, xp = game.table, game.table.xp
    # Without a start every hand is played half the time: a neutral first opponent for both.
    first = start if start is not None else (np.full(table.classes, 0.5), np.full(table.classes, 0.5))
    small, big = (Learner(xp, strategy(table, side).copy(), method) for side in first)
    best: tuple[float, Any, Any] = (np.inf, small.now, big.now)
    facing_calls, facing_jams = table.sums(big.now), table.sums(small.now)
    t = 0
    for t, (keep, shrink, weight) in enumerate(PRESETS[method].schedule(0, iterations).tolist(), start=1):
        if t % FRESH == 0:
            facing_calls, facing_jams = table.sums(big.now), table.sums(small.now)
        jam_gain = game.jam_gain(facing_calls)
        before = small.now
        facing_jams = table.shifted(facing_jams, before, small.learn(jam_gain, keep, shrink))
        call_gain = game.call_gain(facing_jams)
        if t % check == 0:
            gap = measured(game, small.now, jam_gain, call_gain).mbb
            best = min(best, (gap, small.now, big.now), key=lambda pair: pair[0])
        before = big.now
        facing_calls = table.shifted(facing_calls, before, big.learn(call_gain, keep, shrink))
        small.remember(weight)
        big.remember(weight)
        if t % check == 0:
            best = min(best, _averages(game, small.average, big.average), key=lambda pair: pair[0])
            if watch is not None:
                watch(progress(t, iterations, best[0]))
            if best[0] <= target:
                break
    if t % check:
        best = min(best, _averages(game, small.average, big.average), key=lambda pair: pair[0])
    jam, call = (np.clip(table.to_host(side), 0, 1) for side in best[1:])
    return SolvedCharts(jam, call, method, t, best[0])


def progress(done: int, total: int, gap: float) -> Progress:
    """How far a solver of jam or fold is."""
    return Progress(done, total, text=f"{gap:.3g} mbb/g")


def _averages(game: JamFoldGains, jam: Any, call: Any) -> tuple[float, Any, Any]:
    jam_gain = game.jam_gain(game.table.sums(call))
    call_gain = game.call_gain(game.table.sums(jam))
    return measured(game, jam, jam_gain, call_gain).mbb, jam.copy(), call.copy()
