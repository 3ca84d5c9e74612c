"""The CFR family for jam or fold: one regret pair a hand class, a page of array code for numpy and CuPy alike.

1. Sum the table against the big blind's strategy; that is the gain g(A) of jamming over folding for every hand.
2. Add (1 - j) g and -j g to the regrets of jam and fold, discounted as the method says; the next strategy is regret
   matching. The same for the big blind, against the strategy just made; then the averages take both in.

A start from a solution nearby gives every hand a regret of `TRUST` in favour of its action there. Every `check`
iterations the exploitability of averages and current strategies is computed, and the better pair is kept. Sums are
shifted by the rows of hands that changed, and recomputed every `FRESH` iterations. `headsup.solve.holdem.vector` solves
the same game but reads the whole table three times for each seat; every shipped figure depends on this loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from headsup.common.display import brief
from headsup.common.errors import UserError
from headsup.common.progress import Progress, Watch
from headsup.jamfold.game import JamFoldGame, StrategyPair
from headsup.jamfold.hands import Charts
from headsup.solve.records.settings import PRESETS

TARGET_MBB = 1e-3
TRUST = 1e-2
FRESH = 100


@dataclass(frozen=True, eq=False)
class SolvedCharts(Charts):
    method: str
    iterations: int
    gap_mbb: float  # exploitability as the solver saw it; `JamFoldGame.certify` proves it

    __repr__ = brief


class Learner:
    def __init__(self, xp: Any, start: Any, method: str) -> None:
        self.xp, self.predictive = xp, PRESETS[method].predictive
        self.now = start
        self.play = TRUST * start
        self.fold = TRUST * (1 - start)
        self.average, self.weight = xp.zeros_like(start), 0.0

    def update(self, gain: Any, keep: float, shrink: float) -> Any:
        """Add the regrets of one iteration, discount positive ones by `keep`, negative ones by `shrink`; the next
        strategy.
        """
        xp = self.xp
        play, fold = (1 - self.now) * gain, -(self.now * gain)
        for regret, more in ((self.play, play), (self.fold, fold)):
            regret += more
            if shrink == 0:
                xp.maximum(regret, 0, out=regret)
            if keep != 1 or shrink not in (0, 1):
                regret *= xp.where(regret > 0, keep, shrink)
        prediction = (self.play + play, self.fold + fold) if self.predictive else (self.play, self.fold)
        play = xp.maximum(prediction[0], 0)
        total = play + xp.maximum(prediction[1], 0)
        self.now = xp.where(total > 0, play / xp.where(total > 0, total, 1), 0.5)
        return self.now

    def accumulate(self, weight: float) -> None:
        """Take the current strategy into the average."""
        self.weight += weight
        self.average += (self.now - self.average) * (weight / self.weight)


def cfr(
    game: JamFoldGame,
    *,
    method: str = "cfr+",
    target: float = TARGET_MBB,
    iterations: int = 10_000,
    start: tuple[Any, Any] | None = None,
    check: int = 10,
    watch: Watch | None = None,
) -> SolvedCharts:
    """Iterate until the exploitability is at most `target` mbb/g, `iterations` at most."""
    if iterations < 1 or check < 1:
        raise UserError("CFR needs at least one iteration and one check: ask for 1 or more")
    if method not in PRESETS:
        raise UserError(f"'{method}' is no method of the CFR family: choose from {', '.join(PRESETS)}")
    table = game.table
    # Without a start every hand is played half the time: a neutral first opponent for both.
    first = start if start is not None else np.full((2, table.classes), 0.5)
    small, big = (Learner(table.xp, game.strategy(side), method) for side in first)
    pair = best = game.pair(small.now, big.now)
    best_gap = np.inf

    def keep_better(candidate: StrategyPair) -> None:
        nonlocal best, best_gap
        if candidate.gap < best_gap:
            best, best_gap = candidate, candidate.gap

    t = 0
    for t, (keep, shrink, weight) in enumerate(PRESETS[method].schedule(0, iterations).tolist(), start=1):
        if t % FRESH == 0:
            pair = game.pair(small.now, big.now)
        pair = pair.with_jam(small.update(pair.jam_gain, keep, shrink))
        if t % check == 0:
            keep_better(pair)
        pair = pair.with_call(big.update(pair.call_gain, keep, shrink))
        small.accumulate(weight)
        big.accumulate(weight)
        if t % check == 0:
            keep_better(game.pair(small.average.copy(), big.average.copy()))
            if watch is not None:
                watch(progress(t, iterations, best_gap))
            if best_gap <= target:
                break
    if t % check:
        keep_better(game.pair(small.average.copy(), big.average.copy()))
    jam, call = (np.clip(table.to_host(side), 0, 1) for side in (best.jam, best.call))
    return SolvedCharts(jam, call, method, t, best_gap)


def progress(done: int, total: int, gap: float) -> Progress:
    """The progress of a solver, with the exploitability as text."""
    return Progress(done, total, text=f"{gap:.3g} mbb/g")
