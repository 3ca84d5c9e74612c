"""Solve jam or fold exactly: settle the clear hands, solve the open ones as a small game, repeat until nothing moves.

Start from the solution of a stack nearby, or from a few iterations of CFR+. Open hands are those with the smallest
absolute gain, and all that mix or do not play their best response, at most `width` for each seat; all others play the
sign of their gain, and a linear program solves the open ones (`headsup.jamfold.small`). Shift the sums by the hands
that changed, and stop when the exploitability is below `EXACT_MBB`; if it got worse, double `width`.
"""

from __future__ import annotations

from typing import Any

from headsup.common.arrays import Floats
from headsup.common.progress import Watch
from headsup.jamfold.cfr import TARGET_MBB, SolvedCharts, cfr, progress
from headsup.jamfold.game import Certificate, JamFoldGame
from headsup.jamfold.small import improve

EXACT_MBB = 1e-7
WIDTH = 256
ROUGH_ITERATIONS = 40


def solve(
    game: JamFoldGame,
    *,
    target: float = TARGET_MBB,
    start: tuple[Any, Any] | None = None,
    width: int = WIDTH,
    rounds: int = 60,
    engine: str = "auto",
    watch: Watch | None = None,
) -> SolvedCharts:
    """The equilibrium, usually to the last digit. CFR+ takes over if the result is not within `target` (mbb/g)."""
    if start is None:
        rough = cfr(game, target=1.0, iterations=ROUGH_ITERATIONS)
        start = rough.jam, rough.call
    pair = best = game.pair(*map(game.strategy, start))
    done = 0
    for done in range(1, rounds + 1):
        if best.gap <= EXACT_MBB:
            break
        last, pair = pair.gap, improve(pair, width, engine)
        if watch is not None:
            watch(progress(done, rounds, pair.gap))
        best = min(best, pair, key=lambda candidate: candidate.gap)
        if pair.gap >= last:
            width = min(2 * width, game.table.classes)
        if best.gap <= target and pair.gap > last / 2:
            break  # as exact as the small solver gets
    jam, call = game.table.to_host(best.jam), game.table.to_host(best.call)
    if best.gap <= target:
        return SolvedCharts(jam, call, "exact", done, best.gap)
    return cfr(game, target=target, start=(jam, call), watch=watch)


def certified(
    game: JamFoldGame, target: float, start: tuple[Floats, Floats] | None = None
) -> tuple[SolvedCharts, Certificate]:
    """Solve to half the target, which leaves room for rounding that only the certificate sees; and certify."""
    solution = solve(game, target=target / 2, start=start)
    return solution, game.certify(solution.jam, solution.call)
