"""The few hands that are still open: a small jam/fold game, solved exactly by linear programming.

All other hands are fixed, so what remains is: the small blind picks j in [0, 1] for each open jam u, the big blind c in
[0, 1] for each open call v, and the gains are

    jam_gain(u)  = p(u) + sum_v M(u, v) c(v)
    call_gain(v) = q(v) - 1/w(v) sum_u w(u) M(u, v) j(u)

where p and q come from the fixed hands. The small blind's best is the linear program

    maximise  sum_u w(u) p(u) j(u) - sum_v w(v) t(v)     with  t(v) >= 0,  t(v) >= call_gain(v)

in which t(v) is what the big blind makes of hand v; the duals of the last constraints are w(v) c(v). HiGHS solves it;
without highspy, CFR+ on the small game does, which is slower and a little less exact but reads no table. A vertex of
the program mixes as few hands as can be, so a pure equilibrium, where the open hands have one and only one, is what
comes out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from headsup.common.arrays import Floats
from headsup.common.highs import INFINITY, Program, optimum
from headsup.jamfold.cfr import Learner
from headsup.solve.records.settings import PRESETS

SNAP = 1e-7
"""Frequencies this close to 0 or 1 are solver noise."""
MILLI = 1000.0
TOLERANCES: dict[str, Any] = {"primal_feasibility_tolerance": 1e-9, "dual_feasibility_tolerance": 1e-9}
FALLBACK_ITERATIONS = 20_000


class SmallGame(NamedTuple):
    """Gains in big blinds; weights are shares of all hands."""

    matrix: Floats
    """M(u, v)."""
    jam_base: Floats
    """p(u)."""
    call_base: Floats
    """q(v)."""
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


def solve_small(small: SmallGame, start: tuple[Floats, Floats], engine: str = "auto") -> tuple[Floats, Floats]:
    """Both players' frequencies on the open hands; `engine` is highspy, cfr+, or auto: highspy where it is there."""
    found = None if engine == "cfr+" else _by_program(small)
    return min(start, found or _cfr(small, start), key=lambda pair: small.gap(*pair))


def _by_program(small: SmallGame) -> tuple[Floats, Floats] | None:
    """Both players' frequencies by linear programming; none without HiGHS."""
    try:
        primal, dual = _highspy(*_program(small))
    except ImportError:
        return None
    jam = _snapped(primal[: len(small.jam_base)])
    call = _snapped(np.abs(dual) / (small.call_weights / _unit(small)))
    return _sharpened(small, jam, call)


def _unit(small: SmallGame) -> float:
    return float(small.jam_weights.mean())


def _program(small: SmallGame) -> tuple[Floats, Floats, Floats]:
    """(cost, rows, upper): minimise cost x with rows x <= upper, x = (j, t); gains in thousandths of a big blind."""
    calls = len(small.call_base)
    unit = _unit(small)
    cost = np.concatenate([-small.jam_weights * small.jam_base * MILLI, small.call_weights]) / unit
    effect = -(small.jam_weights[:, None] * small.matrix).T / small.call_weights[:, None]
    rows = np.hstack([MILLI * effect, -np.eye(calls)])
    return cost, rows, -MILLI * small.call_base


def _highspy(cost: Floats, rows: Floats, upper: Floats) -> tuple[Floats, Floats]:
    calls, columns = rows.shape
    program, jams = Program(), columns - calls
    program.columns(jams, 0.0, 1.0, cost[:jams])
    program.columns(calls, 0.0, INFINITY, cost[jams:])
    row, column = np.nonzero(rows)
    program.rows(calls, -INFINITY, upper, (row, column, rows[row, column]))
    found = optimum(program, "engine 'cfr+' does without it", **TOLERANCES)
    return found.columns, found.multipliers


def _snapped(frequencies: Floats) -> Floats:
    clipped = np.clip(frequencies, 0, 1)
    return np.where(clipped < SNAP, 0.0, np.where(clipped > 1 - SNAP, 1.0, clipped))


def _sharpened(small: SmallGame, jam: Floats, call: Floats) -> tuple[Floats, Floats]:
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


def _cfr(small: SmallGame, start: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    jams, calls = (Learner(np, side.copy(), "cfr+") for side in start)
    best = start
    for t, (keep, shrink, weight) in enumerate(PRESETS["cfr+"].schedule(0, FALLBACK_ITERATIONS).tolist(), start=1):
        jams.learn(small.jam_gain(calls.now), keep, shrink)
        calls.learn(small.call_gain(jams.now), keep, shrink)
        jams.remember(weight)
        calls.remember(weight)
        if t % 250 == 0:
            pairs = [best, (jams.average.copy(), calls.average.copy()), (jams.now, calls.now)]
            best = min(pairs, key=lambda pair: small.gap(*pair))
            if small.gap(*best) < 1e-12:
                break
    return _sharpened(small, *(_snapped(side) for side in best))
