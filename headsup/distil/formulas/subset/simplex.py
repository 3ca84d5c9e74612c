"""The simplex (`kernels`) for Python: workspaces of fits, which start from nothing or where the last one ended."""

import numpy as np
import numpy.typing as npt

from headsup.distil.formulas.problem import Bools, Floats, Ints
from headsup.distil.formulas.subset import kernels
from headsup.distil.formulas.subset.spans import Words

Points = tuple[Ints, Floats, Floats, Floats]
"""(row, level, jump, low): the breakpoints of rows of data, by level, and the slope of each row below them."""
NONE, NO_TURN = np.zeros(0, dtype=np.bool_), np.zeros(0, dtype=np.int8)
NUDGE = 1e-6  # by how much the costs of the columns of a cover differ


class Simplex:
    """Workspace for one fit at a time, with at most so many rows of data, columns and breakpoints."""

    def __init__(self, rows: int, columns: int, points: int, words: int) -> None:
        n, q, k = rows + columns, columns, points + 3 * columns
        self.group = np.empty(rows, dtype=np.int64)  # which row of the fit each row of data is
        table = np.empty(1 << (2 * rows).bit_length(), dtype=np.int64)
        self.workspace = np.empty(words, dtype=np.uint64), np.empty(rows, dtype=np.int64), table
        ints = [np.empty(size, dtype=np.int32) for size in (n + 1, n * q, n + 1)]
        longs, shorts = q * (q + 2) + 2 * n + k + 1, 2 * q + n + 1
        memory = np.empty(longs + shorts // 2 + 1, dtype=np.int64)
        floats, whole = memory[:longs].view(np.float64), memory[longs:].view(np.int32)
        left, gradient, where, slope, jumps, edges, cost = np.split(floats, np.cumsum([q, q, n, n, k, q * q]))
        basic, spot, place, age = np.split(whole[:shorts], np.cumsum([q, q, n]))
        dense, levels, low = np.empty((q, n)), np.empty(k), np.empty(n)
        self.rows = kernels.FitRows(np.zeros(2, dtype=np.int64), ints[0], ints[1], dense, ints[2], levels, jumps, low)
        x, prices, change, times = np.empty(q), np.empty(q), np.empty(n), np.empty(n)
        heap, wide = np.empty(n, dtype=np.int32), np.empty((q, 2 * q))
        self.state = kernels.FitState(
            basic, spot, left, edges.reshape(q, q), where, place, slope, gradient, cost, age,
            x, prices, change, times, heap, wide,
        )  # fmt: skip
        self.trial = kernels.ColumnTrial(np.empty(q), np.empty(q, dtype=np.int64), memory, np.empty_like(memory))

    def begin(self, bits: Words, chosen: Ints, points: Points, own: Floats) -> None:
        """Take rows of data with the chosen columns (`kernels.build`); all weights are zero."""
        kernels.build(bits, chosen, points, own, self.group, self.workspace, self.rows)
        self.state.age[0] = -1

    def fit(self) -> float:
        """Minimise the cost; returns a proved lower bound."""
        return float(kernels.descend(self.rows, self.state, self.trial, NONE, NO_TURN, -np.inf, 0, True))

    def descend(self, allowed: Bools, level: float, turn: npt.NDArray[np.int8] = NO_TURN, vain: int = 0) -> float:
        """The same from the current state, for the allowed columns and those that can be added (`kernels.descend`)."""
        return float(kernels.descend(self.rows, self.state, self.trial, allowed, turn, level, vain, False))

    @property
    def cost(self) -> float:
        return float(self.state.cost[0])

    @property
    def weights(self) -> Floats:
        return np.asarray(self.state.x[: self.rows.size[1]])

    def used(self) -> Bools:
        """The weights that the basis does not hold at zero."""
        n, q = self.rows.size
        used = np.ones(q, dtype=np.bool_)
        basic = self.state.basic[:q]
        used[basic[(basic >= n - q) & (self.state.spot[:q] == 1)] - (n - q)] = False
        return used

    def slopes(self, points: Points) -> Floats:
        """The slope of each row of data at the dual prices of a fit: it proves the bound."""
        (row, level, jump, low), state = points, self.state
        n, q = self.rows.size
        m = n - q
        first, levels, basic = self.rows.first, self.rows.levels, state.basic[:q]
        # the points below the next breakpoint count, and of those on a basic row's own a share
        next_, share = np.full(m, np.inf), np.zeros(m)
        at = first[:m] + state.place[:m]
        inside = (state.place[:m] >= 0) & (at < first[1 : m + 1])
        next_[inside] = levels[at[inside]]
        i = np.flatnonzero(basic < m)
        at = first[basic[i]] + state.spot[i]
        next_[basic[i]] = levels[at]
        share[basic[i]] = np.clip((state.prices[i] - state.left[i]) / self.rows.jumps[at], 0.0, 1.0)
        merged = self.group[row]
        counts = np.where(level == next_[merged], share[merged], level < next_[merged])
        slopes = low.copy()
        np.add.at(slopes, row, counts * jump)
        return slopes


class Packings:
    """Fractional packings of at most so many cores, sets of so many columns."""

    def __init__(self, most: int, width: int, words: int) -> None:
        self.simplex, ones = Simplex(most, width, most, words), np.ones(most)
        self.points = np.arange(most), ones, 2.0 * ones, -2.0 * ones
        self.own = np.empty((width, 7))
        # no y below 0, and none needs a bound above; each costs 1 and a little that differs, so that no two choices are
        # equally good
        self.own[:] = -1.0, 0.0, 4.0, 0.0, 3.0, 1.0, -2.0
        self.own[:, 4] += NUDGE * np.arange(1, width + 1)

    def largest(self, cores: Words, columns: Ints) -> tuple[float, Floats, Floats]:
        """The least sum of y >= 0 with at least 1 on every core, by its dual: the largest packing of the cores.

        Cores are cut to these columns. (The sum of the packing, which holds whatever the rounding; what it puts on each
        of the columns, at most 1; y.)
        """
        (row, level, jump, low), m = self.points, len(cores)
        self.simplex.begin(cores, columns, (row[:m], level[:m], jump[:m], low[:m]), self.own[: len(columns)])
        self.simplex.fit()
        (n, q), state = self.simplex.rows.size, self.simplex.state
        at = np.flatnonzero(state.basic[:q] < n - q)
        parts = np.clip(-state.prices[at], 0.0, 2.0)
        loads = self.simplex.rows.dense[:q, state.basic[at]] @ parts
        heaviest = max(1.0, loads.max())
        return float(parts.sum() / heaviest), loads / heaviest, np.clip(self.simplex.weights, 0.0, 1.0)
