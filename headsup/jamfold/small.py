"""One round of the exact solver: settle the clear hands, solve the game of the open ones by linear programming.

With all other hands fixed, the small blind picks j in [0, 1] for each open jam u, the big blind c for each open call v:

    jam_gain(u)  = p(u) + sum_v M(u, v) c(v)
    call_gain(v) = q(v) - 1/w(v) sum_u w(u) M(u, v) j(u)
    maximise  sum_u w(u) p(u) j(u) - sum_v w(v) t(v)     with  t(v) >= 0,  t(v) >= call_gain(v)

where t(v) is what the big blind makes of hand v, and the duals of the last constraints are w(v) c(v). HiGHS solves it,
or without highspy CFR+ on the small game. A vertex of the program mixes as few hands as possible.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.common.arrays import Floats
from headsup.common.highs import INFINITY, Program, optimum
from headsup.jamfold.cfr import Learner
from headsup.jamfold.game import StrategyPair
from headsup.solve.records.settings import PRESETS

SNAP = 1e-7  # frequencies this close to 0 or 1 are solver noise
MILLI = 1000.0
TOLERANCES: dict[str, Any] = {"primal_feasibility_tolerance": 1e-9, "dual_feasibility_tolerance": 1e-9}
FALLBACK_ITERATIONS = 20_000


class OpenHandsGame(NamedTuple):
    """Gains in big blinds; weights are the probabilities of the classes."""

    matrix: Floats  # m(u, v)
    jam_base: Floats  # p(u)
    call_base: Floats  # q(v)
    jam_weights: Floats
    call_weights: Floats

    def jam_gain(self, call: Floats) -> Floats:
        """The small blind's gains on its open hands."""
        return np.asarray(self.jam_base + self.matrix @ call)

    def call_gain(self, jam: Floats) -> Floats:
        """The big blind's gains on its open hands."""
        return np.asarray(self.call_base - ((self.jam_weights * jam) @ self.matrix) / self.call_weights)

    def gap(self, jam: Floats, call: Floats) -> float:
        """What both best responders gain together, in big blinds."""
        jams, calls = self.jam_gain(call), self.call_gain(jam)
        small = (self.jam_weights * (np.maximum(jams, 0) - jam * jams)).sum()
        big = (self.call_weights * (np.maximum(calls, 0) - call * calls)).sum()
        return float(small + big)


def improve(pair: StrategyPair, width: int, engine: str = "auto") -> StrategyPair:
    """One round: clear hands play the sign of their gain, the open ones are solved together."""
    table = pair.game.table
    xp, host = table.xp, table.to_host
    jam, call, jam_gain, call_gain = (host(part) for part in (pair.jam, pair.call, pair.jam_gain, pair.call_gain))
    jams, calls = open_hands(jam, jam_gain, width), open_hands(call, call_gain, width)
    jam, call = settle(jam, jam_gain, jams), settle(call, call_gain, calls)
    settled = pair.with_call(xp.asarray(call)).with_jam(xp.asarray(jam))
    matrix = host(pair.game.pair_matrix(jams, calls))
    probabilities = table.class_sizes / table.hands
    weights = probabilities[jams], probabilities[calls]
    small = OpenHandsGame(
        matrix=matrix,
        jam_base=host(settled.jam_gain)[jams] - matrix @ call[calls],
        call_base=host(settled.call_gain)[calls] + ((weights[0] * jam[jams]) @ matrix) / weights[1],
        jam_weights=weights[0],
        call_weights=weights[1],
    )
    jam, call = jam.copy(), call.copy()
    jam[jams], call[calls] = solve_small(small, (jam[jams], call[calls]), engine)
    return settled.with_call(xp.asarray(call)).with_jam(xp.asarray(jam))


def open_hands(played: Floats, gain: Floats, width: int) -> npt.NDArray[np.intp]:
    """The hands to decide together: first the unsettled ones, the most expensive first, then the closest ones."""
    cost = np.where(gain > 0, (1 - played) * gain, -played * gain)
    unsettled = (cost > 1e-12) | (played % 1 != 0)
    order = np.lexsort((np.where(unsettled, -cost, np.abs(gain)), ~unsettled))
    unsettled_count = min(int(unsettled.sum()), width // 2)
    rest = order[unsettled_count:]
    closest = rest[np.argsort(np.abs(gain[rest]), kind="stable")][: width - unsettled_count]
    return np.sort(np.concatenate([order[:unsettled_count], closest]))


def settle(played: Floats, gain: Floats, undecided: npt.NDArray[np.intp]) -> Floats:
    """Every hand by the sign of its gain, except the open ones."""
    pure = np.where(np.abs(gain) > 1e-12, (gain > 0).astype(np.float64), played)
    pure[undecided] = played[undecided]
    return pure


def solve_small(small: OpenHandsGame, start: tuple[Floats, Floats], engine: str = "auto") -> tuple[Floats, Floats]:
    """Both players' frequencies on the open hands; `engine` is highspy, cfr+, or auto: highspy if it is installed."""
    solution = None if engine == "cfr+" else _by_program(small)
    return min(start, solution or _cfr(small, start), key=lambda pair: small.gap(*pair))


def _by_program(small: OpenHandsGame) -> tuple[Floats, Floats] | None:
    """Both players' frequencies by linear programming; None without HiGHS."""
    jams, calls, unit = len(small.jam_base), len(small.call_base), small.jam_weights.mean()
    # minimise cost x with effect j - t <= -q, x = (j, t); gains in thousandths of a big blind
    program = Program()
    program.columns(jams, 0.0, 1.0, -small.jam_weights * small.jam_base * MILLI / unit)
    program.columns(calls, 0.0, INFINITY, small.call_weights / unit)
    effect = -(small.jam_weights[:, None] * small.matrix).T / small.call_weights[:, None]
    rows = np.hstack([MILLI * effect, -np.eye(calls)])
    row, column = np.nonzero(rows)
    program.rows(calls, -INFINITY, -MILLI * small.call_base, (row, column, rows[row, column]))
    try:
        solution = optimum(program, "engine 'cfr+' does without it", **TOLERANCES)
    except ImportError:
        return None
    call = _snapped(np.abs(solution.multipliers) / (small.call_weights / unit))
    return _sharpened(small, _snapped(solution.columns[:jams]), call)


def _snapped(frequencies: Floats) -> Floats:
    clipped = np.clip(frequencies, 0, 1)
    return np.where(clipped < SNAP, 0.0, np.where(clipped > 1 - SNAP, 1.0, clipped))


def _sharpened(small: OpenHandsGame, jam: Floats, call: Floats) -> tuple[Floats, Floats]:
    """Solve the mixed hands' indifference equations again by plain linear algebra, free of the program's tolerances."""
    jams, calls = np.flatnonzero(jam % 1), np.flatnonzero(call % 1)
    if len(jams) != len(calls) or len(jams) == 0:
        return jam, call
    block = small.matrix[np.ix_(jams, calls)]
    better_jam, better_call = jam.copy(), call.copy()
    try:
        better_call[calls] -= np.linalg.solve(block, small.jam_gain(call)[jams])
        step = np.linalg.solve(block.T, (small.call_weights * small.call_gain(jam))[calls])
        better_jam[jams] += step / small.jam_weights[jams]
    except np.linalg.LinAlgError:
        return jam, call
    better = np.clip(better_jam, 0, 1), np.clip(better_call, 0, 1)
    return min((jam, call), better, key=lambda pair: small.gap(*pair))


def _cfr(small: OpenHandsGame, start: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    jams, calls = (Learner(np, side.copy(), "cfr+") for side in start)
    best = start
    for t, (keep, shrink, weight) in enumerate(PRESETS["cfr+"].schedule(0, FALLBACK_ITERATIONS).tolist(), start=1):
        jams.update(small.jam_gain(calls.now), keep, shrink)
        calls.update(small.call_gain(jams.now), keep, shrink)
        jams.accumulate(weight)
        calls.accumulate(weight)
        if t % 250 == 0:
            pairs = [best, (jams.average.copy(), calls.average.copy()), (jams.now, calls.now)]
            best = min(pairs, key=lambda pair: small.gap(*pair))
            if small.gap(*best) < 1e-12:
                break
    return _sharpened(small, *(_snapped(side) for side in best))
