"""The kernel of the largest-error fit: a primal simplex on the dual program, with one basic place for each feature.

The dual of "least e with |B x - equity| <= e, |x_j| <= c_j" (c_j = 1 for a feature that may be used, 0 for one that may
not) looks for multipliers l >= 0 on the rows, one for the greatest and one for the least equity of each:

    max sum l_i s_i equity_i - sum c_j |z_j|    with    sum l_i s_i B_ij + z_j = 0 for every j,    sum l_i = 1.

Every z_j is free, so a basis stays allowed when the set of features changes: only the costs c_j do. That makes the next
fit a few exchanges long. The prices of a basis are the weights x and the error e; the row that they break most enters.
Right sides are raised by a random trace, or the many rows of 0/1 would make exchanges that lead nowhere; the
certificate is computed without it.

Columns of the dual: 0 .. R-1 the greatest equities, R .. 2R-1 the least, then z_j up, then z_j down.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from headsup.backend import jit

OPTIMAL, ABOVE, WITHIN, LOST = 0, 1, 2, 3
"""How a fit ended: with the best weights; with an error known to be above what was asked, or within; without an end."""
TINY = 1e-10
REFRESH = 80
"""After so many exchanges the inverse is computed anew."""
MOST_EXCHANGES = 5000
TRACE = 1e-9
NEAR = 48


class Rows(NamedTuple):
    """The rows of features, as the columns that are true in each, and their equities."""

    starts: Any
    columns: Any
    low: Any
    high: Any


class State(NamedTuple):
    """A basis and what follows from it."""

    basis: Any
    """int64[m]: the dual columns in the basis, m = features + 1."""
    inverse: Any
    """float64[m, m]"""
    value: Any
    """float64[m]: the values of the basis, traces and all."""
    right: Any
    """float64[m]: the right sides."""
    price: Any
    """float64[m]: the weights, then the error."""
    step: Any
    """float64[m]: the entering column in terms of the basis."""
    scratch: Any
    """float64[m, 2 m]"""
    age: Any
    """int64[1]: exchanges since the inverse was computed."""
    near: Any
    """int64[NEAR]: rows broken most when all were last looked at."""
    count: Any
    """int64[1]: how many of these there are."""
    broken: Any
    """float64[rows]: by how much each row was broken then."""


@jit
def _cost(rows: Any, costs: Any, column: int) -> float:
    """What a unit of a dual column earns."""
    n, p = len(rows.low), len(costs)
    if column < n:
        return float(rows.high[column])
    if column < 2 * n:
        return float(-rows.low[column - n])
    return float(-costs[(column - 2 * n) % p])


@jit
def _invert(rows: Any, state: Any, p: int) -> bool:
    """Compute inverse and values anew from the basis; whether it has an inverse."""
    m, n, a = p + 1, len(rows.low), state.scratch
    a[:] = 0.0
    for k in range(m):
        column = state.basis[k]
        if column < 2 * n:
            i, sign = (column, 1.0) if column < n else (column - n, -1.0)
            for at in range(rows.starts[i], rows.starts[i + 1]):
                a[rows.columns[at], k] = sign
            a[p, k] = 1.0
        elif column < 2 * n + p:
            a[column - 2 * n, k] = 1.0
        else:
            a[column - 2 * n - p, k] = -1.0
        a[k, m + k] = 1.0
    for k in range(m):
        best = k
        for i in range(k + 1, m):
            if abs(a[i, k]) > abs(a[best, k]):
                best = i
        if abs(a[best, k]) < 1e-9:
            return False
        if best != k:
            for j in range(2 * m):
                a[k, j], a[best, j] = a[best, j], a[k, j]
        scale = 1.0 / a[k, k]
        for j in range(k, 2 * m):
            a[k, j] *= scale
        for i in range(m):
            factor = a[i, k]
            if i != k and factor != 0.0:
                for j in range(k, 2 * m):
                    a[i, j] -= factor * a[k, j]
    for k in range(m):
        total = 0.0
        for j in range(m):
            state.inverse[k, j] = a[k, m + j]
            total += a[k, m + j] * state.right[j]
        state.value[k] = total
    state.age[0] = 0
    return True


@jit
def begin(rows: Any, state: Any, p: int) -> None:
    """The basis of one row, the one with the greatest equity, and of all z."""
    n, first = len(rows.low), 0
    for i in range(n):
        if rows.high[i] > rows.high[first]:
            first = i
    for j in range(p):
        state.basis[j] = 2 * n + j
    for at in range(rows.starts[first], rows.starts[first + 1]):
        state.basis[rows.columns[at]] += p
    state.basis[p] = first
    _invert(rows, state, p)


@jit
def _set_prices(rows: Any, state: Any, costs: Any) -> None:
    m = len(costs) + 1
    state.price[:] = 0.0
    for k in range(m):
        cost = _cost(rows, costs, state.basis[k])
        if cost != 0.0:
            for j in range(m):
                state.price[j] += cost * state.inverse[k, j]


@jit
def _estimate(rows: Any, weights: Any, i: int) -> float:
    total = 0.0
    for at in range(rows.starts[i], rows.starts[i + 1]):
        total += weights[rows.columns[at]]
    return total


@jit
def _entering(rows: Any, state: Any, costs: Any) -> Any:
    """(a dual column that its price breaks, by how much, the largest error where it is known, else infinity).

    The z and the rows broken most when all rows were last looked at come first; only if none of them is broken any
    more, all rows are looked at again.
    """
    n, p = len(rows.low), len(costs)
    error, best, column = state.price[p], TINY, -1
    for j in range(p):
        off = abs(state.price[j]) - costs[j]
        if off > best:
            best, column = off, 2 * n + j if state.price[j] < 0 else 2 * n + p + j
    allowed = column < 0
    for k in range(state.count[0]):
        i = state.near[k]
        estimate = _estimate(rows, state.price, i)
        above, below = rows.high[i] - estimate - error, estimate - rows.low[i] - error
        if max(above, below) > best:
            best, column = max(above, below), i if above >= below else n + i
    if column >= 0:
        return column, best, np.inf
    largest = -np.inf
    for i in range(n):
        estimate = _estimate(rows, state.price, i)
        above, below = rows.high[i] - estimate - error, estimate - rows.low[i] - error
        state.broken[i] = max(above, below)
        if state.broken[i] > largest:
            largest = state.broken[i]
            if largest > TINY:
                best, column = largest, i if above >= below else n + i
    kept = 0
    for i in range(n):
        if kept < len(state.near) and state.broken[i] > max(TINY, 0.3 * largest):
            state.near[kept] = i
            kept += 1
    state.count[0] = kept
    return column, best, largest + error if allowed else np.inf


@jit
def _is_free(rows: Any, costs: Any, column: int) -> bool:
    """Whether it is the z of a feature that may not be used: it may have any sign, so it never leaves the basis."""
    n = len(rows.low)
    return column >= 2 * n and costs[(column - 2 * n) % len(costs)] == 0.0


@jit
def _turn(rows: Any, state: Any, costs: Any) -> None:
    """z below zero whose features may be used from now on become z of the other direction."""
    n, p = len(rows.low), len(costs)
    for k in range(p + 1):
        column = state.basis[k]
        if column >= 2 * n and state.value[k] < 0.0 and costs[(column - 2 * n) % p] > 0.0:
            state.basis[k] = column + p if column < 2 * n + p else column - p
            state.value[k] = -state.value[k]
            for j in range(p + 1):
                state.inverse[k, j] = -state.inverse[k, j]


@jit
def _exchange(rows: Any, state: Any, costs: Any, column: int, gain: float) -> bool:
    """Bring a column into the basis; false where nothing bounds it, which only rounding can bring about."""
    p, n, step = len(costs), len(rows.low), state.step
    m = p + 1
    for k in range(m):
        if column < 2 * n:
            i, total = (column, 0.0) if column < n else (column - n, 0.0)
            for at in range(rows.starts[i], rows.starts[i + 1]):
                total += state.inverse[k, rows.columns[at]]
            step[k] = (total if column < n else -total) + state.inverse[k, p]
        elif column < 2 * n + p:
            step[k] = state.inverse[k, column - 2 * n]
        else:
            step[k] = -state.inverse[k, column - 2 * n - p]
    out, least = -1, np.inf
    for k in range(m):
        if step[k] > 1e-9 and not _is_free(rows, costs, state.basis[k]):
            ratio = max(state.value[k], 0.0) / step[k]
            if ratio < least - 1e-14 or (ratio <= least + 1e-14 and out >= 0 and step[k] > step[out]):
                out, least = k, min(ratio, least)
    if out < 0:
        return False
    scale = 1.0 / step[out]
    for j in range(m):
        state.inverse[out, j] *= scale
        state.price[j] += gain * state.inverse[out, j]
    state.value[out] *= scale
    for k in range(m):
        factor = step[k]
        if k != out and factor != 0.0:
            for j in range(m):
                state.inverse[k, j] -= factor * state.inverse[out, j]
            state.value[k] -= factor * state.value[out]
    state.basis[out] = column
    state.age[0] += 1
    return True


@jit
def fit(rows: Any, state: Any, costs: Any, enough: float, weights: Any, pull: Any) -> Any:
    """Fit from the basis at hand: (how it ended, bound, error, level); `weights` and `pull` are filled.

    It may end as soon as the error is known to be above `enough`, or within.
    """
    p, ended = len(costs), LOST
    _turn(rows, state, costs)
    _set_prices(rows, state, costs)
    for _ in range(MOST_EXCHANGES):
        if state.age[0] >= REFRESH:
            if not _invert(rows, state, p):
                break
            _set_prices(rows, state, costs)
        column, gain, largest = _entering(rows, state, costs)
        if column < 0:
            ended = OPTIMAL
        elif largest <= enough:
            ended = WITHIN
        elif state.price[p] > enough + 1e-6:
            ended = ABOVE
        if ended != LOST or not _exchange(rows, state, costs, column, gain):
            break
    bound, level = _certificate(rows, state, costs, pull)
    return ended, bound, _measured(rows, state, costs, weights), level


@jit
def _certificate(rows: Any, state: Any, costs: Any, pull: Any) -> Any:
    """(bound for this set, level); pull is filled: from the multipliers of the basis, held to what they must be."""
    n, p, total, level = len(rows.low), len(costs), 0.0, 0.0
    pull[:] = 0.0
    for k in range(p + 1):
        column, amount = state.basis[k], state.inverse[k, p]
        if column < 2 * n and amount > 0.0:
            i, sign = (column, 1.0) if column < n else (column - n, -1.0)
            total += amount
            level += amount * (rows.high[i] if column < n else -rows.low[i])
            for at in range(rows.starts[i], rows.starts[i + 1]):
                pull[rows.columns[at]] += sign * amount
    scale = 1.0 / max(1.0, total)
    level *= scale
    bound = level
    for j in range(p):
        pull[j] = abs(pull[j]) * scale
        bound -= costs[j] * pull[j]
    return max(bound, 0.0), level


@jit
def _measured(rows: Any, state: Any, costs: Any, weights: Any) -> float:
    """The largest error of the prices as weights, held to what is allowed."""
    for j in range(len(costs)):
        weights[j] = min(max(state.price[j], -costs[j]), costs[j])
    largest = 0.0
    for i in range(len(rows.low)):
        estimate = _estimate(rows, weights, i)
        largest = max(largest, rows.high[i] - estimate, estimate - rows.low[i])
    return largest
