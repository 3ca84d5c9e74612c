"""Solve jam or fold exactly: settle the clear hands, solve the open ones as a small game, repeat until nothing moves.

Against a strategy near the equilibrium almost every hand has a clear choice; only hands whose gain is close to zero can
change when the opponent moves a little. So:

1. Start from the solution of a stack nearby, or from a few iterations of CFR+.
2. Sum the table against both strategies; this gives every hand its gain.
3. Open hands are those with the smallest absolute gain, and all that mix or do not play their best response, at most
   `width` for each seat. All other hands play the sign of their gain. A linear program solves the game over the open
   hands (`headsup.jamfold.small`).
4. Shift the sums by the hands that changed (this reads their rows only) and measure the exploitability of the whole
   game. Stop when it is below `EXACT_MBB`; else go back to 3. If it got worse, the open hands were too few: double
   `width`.

Each round reads as many rows as hands changed, some hundreds of 16,432, so a stack of a sweep costs a few reads of the
table, against hundreds for CFR+.
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
