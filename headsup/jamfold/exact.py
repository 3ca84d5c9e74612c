"""Jam or fold, exactly: settle the clear hands, solve the open ones as a small game, repeat until nothing moves.

Against a strategy near the equilibrium almost every hand has a clear choice; only hands whose gain is close to zero can
change when the opponent moves a little. So:

1. Start from the solution of a stack nearby, or from a few iterations of CFR+.
2. Sum the table against both strategies; every hand has its gain.
3. Open hands: those with the smallest gain in size, and all that mix or do not play their best response, `width` a seat
   at most. All other hands play the sign of their gain.
4. Solve the game over the open hands alone by linear programming (`jamfold_small`).
5. Shift the sums by the hands that changed (this reads their rows only) and look at the exploitability of the whole
   game. Stop when it is below `EXACT_MBB`; else go back to 3. If it got worse, the open hands were too few: double
   `width`.

Each round reads as many rows as hands changed, some hundreds of 16,432, so a stack of a sweep costs a few reads of
the table, against hundreds for CFR+. A pass without a gain left in any hand is a proof by itself; the certificate of
`headsup.measure` recomputes it from nothing all the same.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.common.arrays import Floats
from headsup.common.progress import Watch
from headsup.games.holdem.classes import Sums
from headsup.jamfold.certificate import Certificate, certify, measured
from headsup.jamfold.cfr import TARGET_MBB, SolvedCharts, cfr, progress
from headsup.jamfold.gains import JamFoldGains, strategy
from headsup.jamfold.small import SmallGame, solve_small

EXACT_MBB = 1e-7
WIDTH = 256
ROUGH_ITERATIONS = 40


class _State(NamedTuple):
    """A pair of strategies with its sums and gains; strategies and gains on the host, sums where the table is."""

    jam: Floats
    call: Floats
    facing_calls: Sums
    facing_jams: Sums
    jam_gain: Floats
    call_gain: Floats
    gap: float


def solve(
    game: JamFoldGains,
    *,
    target: float = TARGET_MBB,
    start: tuple[Any, Any] | None = None,
    width: int = WIDTH,
    rounds: int = 60,
    engine: str = "auto",
    watch: Watch | None = None,
) -> SolvedCharts:
    """The equilibrium, usually to the last digit; `target` (mbb/g) is what it must reach, with CFR+ to fall back on."""
    if start is None:
        rough = cfr(game, target=1.0, iterations=ROUGH_ITERATIONS)
        start = rough.jam, rough.call
    state = best = _measured(game, *(game.table.to_host(strategy(game.table, side)) for side in start))
    done = 0
    for done in range(1, rounds + 1):
        if best.gap <= EXACT_MBB:
            break
        last, state = state.gap, _round(game, state, width, engine)
        if watch is not None:
            watch(progress(done, rounds, state.gap))
        best = min(best, state, key=lambda one: one.gap)
        if state.gap >= last:
            width = min(2 * width, game.table.classes)
        if best.gap <= target and state.gap > last / 2:
            break  # as exact as the small solver gets
    if best.gap <= target:
        return SolvedCharts(best.jam, best.call, "exact", done, best.gap)
    return cfr(game, target=target, start=(best.jam, best.call), watch=watch)


def certified(
    game: JamFoldGains, target: float, start: tuple[Floats, Floats] | None = None
) -> tuple[SolvedCharts, Certificate]:
    """What is found, with room below the target for what a certificate sees and the solver does not."""
    solution = solve(game, target=target / 2, start=start)
    return solution, certify(game, solution.jam, solution.call)


def _round(game: JamFoldGains, state: _State, width: int, engine: str) -> _State:
    """One pass: settle the clear hands, solve the open ones, shift the sums."""
    jams, calls = open_hands(state.jam, state.jam_gain, width), open_hands(state.call, state.call_gain, width)
    jam, call = settle(state.jam, state.jam_gain, jams), settle(state.call, state.call_gain, calls)
    settled = _shifted(game, state, jam, call)
    matrix = game.table.to_host(game.pair_matrix(jams, calls))
    shares = game.table.class_sizes / game.table.hands
    weights = shares[jams], shares[calls]
    small = SmallGame(
        matrix=matrix,
        jam_base=settled.jam_gain[jams] - matrix @ call[calls],
        call_base=settled.call_gain[calls] + ((weights[0] * jam[jams]) @ matrix) / weights[1],
        jam_weights=weights[0],
        call_weights=weights[1],
    )
    jam, call = jam.copy(), call.copy()
    jam[jams], call[calls] = solve_small(small, (jam[jams], call[calls]), engine)
    return _shifted(game, settled, jam, call)


def open_hands(played: Floats, gain: Floats, width: int) -> npt.NDArray[np.intp]:
    """The hands to decide together: first those that are not settled, the dearest first, then the closest ones."""
    cost = np.where(gain > 0, (1 - played) * gain, -played * gain)
    unsettled = (cost > 1e-12) | (played % 1 != 0)
    order = np.lexsort((np.where(unsettled, -cost, np.abs(gain)), ~unsettled))
    unsettled_count = min(int(unsettled.sum()), width // 2)
    rest = order[unsettled_count:]
    closest = rest[np.argsort(np.abs(gain[rest]), kind="stable")][: width - unsettled_count]
    return np.sort(np.concatenate([order[:unsettled_count], closest]))


def settle(played: Floats, gain: Floats, undecided: npt.NDArray[np.intp]) -> Floats:
    """Every hand by the sign of its gain, the open ones as they were."""
    pure = np.where(np.abs(gain) > 1e-12, (gain > 0).astype(np.float64), played)
    pure[undecided] = played[undecided]
    return pure


def _measured(game: JamFoldGains, jam: Floats, call: Floats) -> _State:
    xp = game.table.xp
    return _with_gains(game, jam, call, game.table.sums(xp.asarray(call)), game.table.sums(xp.asarray(jam)))


def _shifted(game: JamFoldGains, state: _State, jam: Floats, call: Floats) -> _State:
    xp, shifted = game.table.xp, game.table.shifted
    facing_calls = shifted(state.facing_calls, xp.asarray(state.call), xp.asarray(call))
    facing_jams = shifted(state.facing_jams, xp.asarray(state.jam), xp.asarray(jam))
    return _with_gains(game, jam, call, facing_calls, facing_jams)


def _with_gains(game: JamFoldGains, jam: Floats, call: Floats, facing_calls: Sums, facing_jams: Sums) -> _State:
    jam_gain, call_gain = game.jam_gain(facing_calls), game.call_gain(facing_jams)
    gap = measured(game, game.table.xp.asarray(jam), jam_gain, call_gain).mbb
    host = game.table.to_host
    return _State(jam, call, facing_calls, facing_jams, host(jam_gain), host(call_gain), gap)
