"""The one simplex of flop formulas, and the kernels that are made of it: fits of features, and covers.

**What it minimises** is a sum of rows. Row r has an estimate y = b . x (b its 0/1 columns, x the weights) and a cost
that is convex and piecewise linear in y: a slope below its first breakpoint, and a jump of the slope at each. Each
weight x_j has a row of its own behind the rows of data (b the j-th unit vector, breakpoints -1, 0, 1) whose cost says
what x_j may do: nothing outside [-1, 1], or nothing but zero (slopes of -BIG and BIG). BIG is more than any multiplier
can be, so the penalty is exact; no basis is ever singular, because the unit rows complete it; and a fit with other
columns starts from where the last one ended. `fits` says how the average and the largest error become such rows,
`cover` how the fewest columns that meet all cores do.

**How.** A basis is one breakpoint in each of q independent rows, all of them met exactly. Its dual prices say along
which edge the sum of costs falls; the step goes past breakpoints until the sum rises, which is a weighted median.
Slopes of a fit are whole numbers (counts of flops), so the gradient has no rounding at all.

The file is long because kernels that call each other stay together: the compiled code is kept on the disk, and it is
made anew only when the file of the kernel itself changes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from headsup.backend import jit

TINY = 1e-9
"""Smaller changes of an estimate along an edge are rounding."""
PRICE_TOLERANCE = 1e-6
"""A dual price so little outside its interval (in flops) is rounding."""
REFRESH = 150
"""After so many exchanges the inverse is computed anew."""
STUCK = 40
"""After so many steps of length zero the first edge that falls is taken, not the steepest, to get out of a cycle."""
REACH = 32.0
"""At most so many times what is left above the level is the sum of the pulls of columns that are tried together."""
MOST_STEPS = 20_000
"""No fit needs so many; one that does is given up, and has no bound."""
NUDGE = 1e-6
"""By how much the costs of the columns of a cover differ."""


class Rows(NamedTuple):
    """What does not change during a fit: the rows of data, then one row for each weight."""

    starts: Any
    """int32[n + 1]: where the columns of each row begin in `columns`."""
    columns: Any
    dense: Any
    """float64[q, n]: the same columns once more, 1 where they are true: to add up whole columns is a vector's work."""
    first: Any
    """int32[n + 1]: where the breakpoints of each row begin in `levels` and `jumps`."""
    levels: Any
    jumps: Any
    """float64: how much the slope rises at each breakpoint."""
    low: Any
    """float64[n]: the slope below the first breakpoint."""


class State(NamedTuple):
    """Where a fit stands: the basis and what follows from it."""

    basic: Any
    """int32[q]: the rows of the basis."""
    spot: Any
    """int32[q]: which of its breakpoints each of them sits on."""
    left: Any
    """float64[q]: the slope just below that breakpoint."""
    edges: Any
    """float64[q, q]: row i is the direction of x that moves basic row i by one and no other basic row."""
    x: Any
    where: Any
    """float64[n]: the estimate of each row."""
    place: Any
    """int32[n]: how many breakpoints lie below it; negative for a basic row."""
    slope: Any
    gradient: Any
    """float64[q]: of the costs of all rows that are not basic."""
    prices: Any
    change: Any
    times: Any
    heap: Any
    age: Any
    """int64[2]: exchanges since the edges were last computed anew, and of all time."""
    cost: Any
    """float64[1]: the sum of the costs of all rows."""


@jit(inner=True, bare=True)
def _sift_down(times: Any, heap: Any, at: int, size: int) -> None:
    """Restore the heap of rows by time below position `at`."""
    row = heap[at]
    time = times[row]
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and times[heap[child + 1]] < times[heap[child]]:
            child += 1
        if times[heap[child]] >= time:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = row


@jit(inner=True)
def _invert(rows: Any, state: Any) -> bool:
    """The edges anew from the basis: Gauss-Jordan with exchange of rows; False if the basis is singular."""
    q = len(state.basic)
    wide = np.zeros((q, 2 * q))
    for i in range(q):
        wide[i, q + i] = 1.0
        for at in range(rows.starts[state.basic[i]], rows.starts[state.basic[i] + 1]):
            wide[i, rows.columns[at]] = 1.0
    for i in range(q):
        best = i
        for k in range(i + 1, q):
            if abs(wide[k, i]) > abs(wide[best, i]):
                best = k
        if abs(wide[best, i]) < TINY:
            return False
        if best != i:
            for j in range(2 * q):
                wide[i, j], wide[best, j] = wide[best, j], wide[i, j]
        pivot = wide[i, i]
        for j in range(i, 2 * q):
            wide[i, j] /= pivot
        for k in range(q):
            factor = wide[k, i]
            if k != i and factor != 0.0:
                for j in range(i, 2 * q):
                    wide[k, j] -= factor * wide[i, j]
    for i in range(q):
        for j in range(q):
            state.edges[i, j] = wide[j, q + i]
    return True


@jit(inner=True, bare=True)
def _settle(rows: Any, state: Any) -> None:
    """Weights, estimates, places, slopes and gradient anew from the basis.

    A row within rounding of a breakpoint stays on the side where it was.
    """
    _settle_basis(rows, state)
    for row in range(len(state.where)):
        if state.place[row] < 0:
            continue
        y = 0.0
        for at in range(rows.starts[row], rows.starts[row + 1]):
            y += state.x[rows.columns[at]]
        base = rows.first[row]
        place = state.place[row]
        slope = state.slope[row]
        while place > 0 and rows.levels[base + place - 1] > y + TINY:
            place -= 1
            slope -= rows.jumps[base + place]
        while base + place < rows.first[row + 1] and rows.levels[base + place] < y - TINY:
            slope += rows.jumps[base + place]
            place += 1
        state.where[row] = y
        state.place[row] = place
        state.slope[row] = slope
        for at in range(rows.starts[row], rows.starts[row + 1]):
            state.gradient[rows.columns[at]] += slope
    state.cost[0] = _cost_of(rows, state)


@jit(inner=True)
def _refresh(rows: Any, state: Any) -> None:
    """Everything anew from the basis, the edges too."""
    if _invert(rows, state):
        state.age[0] = 0
    _settle(rows, state)


@jit(inner=True, bare=True)
def _settle_basis(rows: Any, state: Any) -> None:
    """The weights, and what the basic rows are known by."""
    state.x[:] = 0.0
    state.gradient[:] = 0.0
    for i in range(len(state.basic)):
        row = state.basic[i]
        at = rows.first[row] + state.spot[i]
        for j in range(len(state.x)):
            state.x[j] += state.edges[i, j] * rows.levels[at]
        state.place[row] = -1 - i
        state.where[row] = rows.levels[at]
        slope = rows.low[row]
        for k in range(rows.first[row], at):
            slope += rows.jumps[k]
        state.left[i] = slope


@jit(inner=True, bare=True)
def _permit(rows: Any, state: Any, column: int, allowed: bool) -> None:
    """Let a weight be anything in [-1, 1], or nothing but zero."""
    q = len(state.basic)
    row = len(state.where) - q + column
    big = -rows.low[row]
    at = rows.first[row]
    if (rows.jumps[at] > 0.0) == allowed:
        return
    rows.jumps[at] = big if allowed else 0.0
    rows.jumps[at + 1] = 0.0 if allowed else 2.0 * big
    rows.jumps[at + 2] = big if allowed else 0.0
    place = state.place[row]
    below = place if place >= 0 else state.spot[-1 - place]
    slope = rows.low[row]
    for k in range(below):
        slope += rows.jumps[at + k]
    if place < 0:
        state.left[-1 - place] = slope
    else:
        state.gradient[column] += slope - state.slope[row]
        state.slope[row] = slope
    # A weight that is not zero costs BIG for each unit of it as soon as it is held at zero.
    state.cost[0] += (-1.0 if allowed else 1.0) * big * abs(state.where[row])


@jit(inner=True, bare=True)
def _cost_of(rows: Any, state: Any) -> float:
    """The sum of the costs of all rows, up to a constant; that of a weight's own row is zero where the weight is."""
    total = 0.0
    n = len(state.where)
    for row in range(n):
        y = state.where[row]
        slope, part, origin = rows.low[row], 0.0, 0.0
        for at in range(rows.first[row], rows.first[row + 1]):
            half = 0.5 * rows.jumps[at]
            slope += half
            part += half * abs(rows.levels[at] - y)
            origin += half * abs(rows.levels[at])
        total += slope * y + part
        if row >= n - len(state.basic):
            total -= origin
    return total


@jit(inner=True, bare=True)
def _steepest(rows: Any, state: Any, stuck: bool) -> Any:
    """The basic row to let go: (its position or -1, whether it goes up, how fast the cost falls)."""
    q = len(state.basic)
    edges, gradient = state.edges, state.gradient
    best = -1
    up = True
    best_gain = 0.0
    best_score = 0.0
    for i in range(q):
        # Four sums side by side, because one after the other each addition would wait for the last.
        a, b, norm, more = 0.0, 0.0, 1.0, 0.0
        for j in range(0, q - 1, 2):
            a -= edges[i, j] * gradient[j]
            b -= edges[i, j + 1] * gradient[j + 1]
            norm += edges[i, j] * edges[i, j]
            more += edges[i, j + 1] * edges[i, j + 1]
        if q & 1:
            a -= edges[i, q - 1] * gradient[q - 1]
            norm += edges[i, q - 1] * edges[i, q - 1]
        price = a + b
        norm += more
        state.prices[i] = price
        low = state.left[i]
        high = low + rows.jumps[rows.first[state.basic[i]] + state.spot[i]]
        gain = max(price - high, low - price)
        if gain > PRICE_TOLERANCE and gain * gain > best_score * norm:
            best, best_gain, up = i, gain, price > high
            best_score = gain * gain / norm
            if stuck:
                break
    return best, up, best_gain


@jit(inner=True, bare=True)
def _set_moving(rows: Any, state: Any, best: int, up: bool) -> int:
    """Let basic row `best` go; how fast every row then moves, and a heap of the next breakpoints: its size."""
    sign = 1.0 if up else -1.0
    out = state.basic[best]
    jump = rows.jumps[rows.first[out] + state.spot[best]]
    state.place[out] = state.spot[best] + 1 if up else state.spot[best]
    state.slope[out] = state.left[best] + jump if up else state.left[best]
    for at in range(rows.starts[out], rows.starts[out + 1]):
        state.gradient[rows.columns[at]] += state.slope[out]
    change, times, heap, place, where = state.change, state.times, state.heap, state.place, state.where
    dense, first, levels = rows.dense, rows.first, rows.levels
    change[:] = 0.0
    for j in range(len(state.basic)):
        step = sign * state.edges[best, j]
        if abs(step) > 1e-12:
            for row in range(len(change)):
                change[row] += step * dense[j, row]
    size = 0
    for row in range(len(where)):
        dy = change[row]
        if dy == 0.0:
            continue
        if place[row] < 0 or abs(dy) < TINY:
            change[row] = 0.0
            continue
        at = first[row] + place[row] - (0 if dy > 0.0 else 1)
        if first[row] <= at < first[row + 1]:
            times[row] = max(0.0, (levels[at] - where[row]) / dy)
            heap[size] = row
            size += 1
    for at in range(size // 2 - 1, -1, -1):
        _sift_down(times, heap, at, size)
    return size


@jit(inner=True, bare=True)
def _search_line(rows: Any, state: Any, size: int, gain: float) -> Any:
    """Go on while the cost falls: (the row whose breakpoint stops it, or -1; how far; what the cost lost)."""
    change, times, heap, place, where = state.change, state.times, state.heap, state.place, state.where
    first, levels, jumps = rows.first, rows.levels, rows.jumps
    rate = -gain
    moved = 0.0
    lost = 0.0
    while size > 0:
        row = heap[0]
        dy = change[row]
        lost -= rate * (times[row] - moved)
        moved = times[row]
        forward = dy > 0.0
        at = first[row] + place[row] - (0 if forward else 1)
        rate += jumps[at] * abs(dy)
        if rate >= 0.0:
            return row, moved, lost
        turn = jumps[at] if forward else -jumps[at]
        place[row] += 1 if forward else -1
        at += 1 if forward else -1
        state.slope[row] += turn
        for k in range(rows.starts[row], rows.starts[row + 1]):
            state.gradient[rows.columns[k]] += turn
        if first[row] <= at < first[row + 1]:
            times[row] = max(moved, (levels[at] - where[row]) / dy)
        else:
            size -= 1
            heap[0] = heap[size]
        if size > 0:
            _sift_down(times, heap, 0, size)
    return -1, moved, lost


@jit(inner=True, bare=True)
def _exchange(rows: Any, state: Any, best: int, up: bool, entered: int, moved: float) -> None:
    """Move all rows, and put row `entered` into the basis at position `best`."""
    where, change, edges = state.where, state.change, state.edges
    q = len(state.basic)
    for row in range(len(where)):
        where[row] += moved * change[row]
    forward = state.change[entered] > 0
    spot = state.place[entered] - (0 if forward else 1)
    at = rows.first[entered] + spot
    state.where[entered] = rows.levels[at]
    for k in range(rows.starts[entered], rows.starts[entered + 1]):
        state.gradient[rows.columns[k]] -= state.slope[entered]
    pivot = change[entered] if up else -change[entered]
    for j in range(q):
        edges[best, j] /= pivot
    for i in range(q):
        part = 0.0
        for k in range(rows.starts[entered], rows.starts[entered + 1]):
            part += edges[i, rows.columns[k]]
        if i != best and abs(part) > 1e-12:
            for j in range(q):
                edges[i, j] -= part * edges[best, j]
    state.left[best] = state.slope[entered] - (0.0 if forward else rows.jumps[at])
    state.basic[best] = entered
    state.spot[best] = spot
    state.place[entered] = -1 - best
    state.age[0] += 1
    state.age[1] += 1


@jit(inner=True)
def _doubt(rows: Any, state: Any) -> float:
    """How much rounding the proof can hide: prices outside their intervals, rows on the wrong side of a breakpoint."""
    rest = state.gradient.copy()
    # -low of a weight's row is BIG, all flops: so much for the sums themselves
    hidden = -TINY * rows.low[len(state.where) - 1]
    for row in range(len(state.where)):
        place = state.place[row]
        if place < 0:
            i = -1 - place
            at = rows.first[row] + state.spot[i]
            price = min(max(state.prices[i], state.left[i]), state.left[i] + rows.jumps[at])
            for k in range(rows.starts[row], rows.starts[row + 1]):
                rest[rows.columns[k]] += price
            continue
        at = rows.first[row] + place
        if at > rows.first[row]:
            hidden += rows.jumps[at - 1] * max(0.0, rows.levels[at - 1] - state.where[row])
        if at < rows.first[row + 1]:
            hidden += rows.jumps[at] * max(0.0, state.where[row] - rows.levels[at])
    # weights have limits, breakpoints of their own rows: a rest of r in one column is worth r times these either way
    left = 0.0
    for one in rest:
        left += abs(one)
    return float(2.0 * rows.levels[rows.first[len(state.where)] - 1] * left + hidden)


@jit(inner=True)
def _descend(rows: Any, state: Any, enough: float, most: int) -> Any:
    """Go down from a settled state to the least cost: (cost, proved lower bound, steps).

    As soon as the cost is at most `enough` it stops, with -inf for a bound; so it does after `most` steps.
    """
    stuck = 0
    steps = 0
    bound = -np.inf
    while steps < most:
        best, up, gain = _steepest(rows, state, stuck > STUCK)
        if best < 0:
            bound = state.cost[0] - _doubt(rows, state)
            break
        size = _set_moving(rows, state, best, up)
        entered, moved, lost = _search_line(rows, state, size, gain)
        if entered < 0:
            break
        _exchange(rows, state, best, up, entered, moved)
        steps += 1
        state.cost[0] -= lost
        stuck = stuck + 1 if moved <= 1e-14 else 0
        if state.age[0] >= REFRESH:
            _refresh(rows, state)
        if state.cost[0] <= enough:
            break
    return state.cost[0], bound, steps


@jit(inner=True)
def _groups(bits: Any, wanted: Any, group: Any) -> int:
    """group[r] = which different row r becomes when only the wanted columns count; how many there are."""
    n, words = bits.shape
    size = 1
    while size < 2 * n:
        size *= 2
    table = np.full(size, -1, dtype=np.int64)
    holder = np.empty(n, dtype=np.int64)
    found = 0
    for row in range(n):
        key = np.uint64(0)
        for k in range(words):
            key = (key ^ (bits[row, k] & wanted[k])) * np.uint64(0x9E3779B97F4A7C15)
            key ^= key >> np.uint64(29)
        at = np.int64(key & np.uint64(size - 1))
        while True:
            seen = table[at]
            if seen < 0:
                table[at] = found
                holder[found] = row
                group[row] = found
                found += 1
                break
            same = True
            for k in range(words):
                if (bits[row, k] ^ bits[holder[seen], k]) & wanted[k]:
                    same = False
            if same:
                group[row] = seen
                break
            at = (at + 1) & (size - 1)
    return found


@jit(inner=True)
def _dense(starts: Any, columns: Any, q: int) -> Any:
    """dense[j, r] = 1 if row r has column j, else 0."""
    dense = np.zeros((q, len(starts) - 1))
    for row in range(len(starts) - 1):
        for at in range(starts[row], starts[row + 1]):
            dense[columns[at], row] = 1.0
    return dense


@jit
def build_rows(bits: Any, chosen: Any, point_row: Any, level: Any, jump: Any, low: Any, big: float) -> Any:
    """Rows of the fit with the chosen columns, and group[r] = which of them row r of the data is.

    `bits` uint64[rows, words] are the columns that are true in each row of data, `low` its slope below all breakpoints;
    breakpoint k is `level`[k], of row `point_row`[k], and the slope jumps there by `jump`[k]; they come by level. Rows
    that look alike on the chosen columns become one, the sum of their costs.
    """
    q = len(chosen)
    wanted = np.zeros(bits.shape[1], dtype=np.uint64)
    for j in range(q):
        wanted[chosen[j] >> 6] |= np.uint64(1) << np.uint64(chosen[j] & 63)
    group = np.empty(len(bits), dtype=np.int64)
    m = _groups(bits, wanted, group)
    holder = np.empty(m, dtype=np.int64)
    slopes = np.zeros(m + q)
    slopes[m:] = -big
    for row in range(len(bits)):
        holder[group[row]] = row
        slopes[group[row]] += low[row]
    starts = np.empty(m + q + 1, dtype=np.int32)
    columns = np.empty(m * q + q, dtype=np.int32)
    at = 0
    for row in range(m):
        starts[row] = at
        for j in range(q):
            word = bits[holder[row], chosen[j] >> 6]
            if (word >> np.uint64(chosen[j] & 63)) & np.uint64(1) != np.uint64(0):
                columns[at] = j
                at += 1
    for j in range(q):
        starts[m + j] = at + j
        columns[at + j] = j
    starts[m + q] = at + q
    dense = _dense(starts, columns, q)
    first, levels, jumps = _breakpoints(group, m, q, point_row, level, jump, big)
    return Rows(starts, columns[: at + q].copy(), dense, first, levels, jumps, slopes), group


@jit(inner=True)
def _breakpoints(group: Any, m: int, q: int, point_row: Any, level: Any, jump: Any, big: float) -> Any:
    """The breakpoints of each row: those of its points (equal ones once), and -1, 0, 1 for each weight."""
    first = np.zeros(m + q + 1, dtype=np.int32)
    last = np.full(m, -np.inf)
    for k in range(len(level)):
        row = group[point_row[k]]
        if level[k] != last[row]:
            last[row] = level[k]
            first[row + 1] += 1
    for row in range(m + q):
        first[row + 1] = first[row] + (3 if row >= m else first[row + 1])
    levels = np.empty(first[-1])
    jumps = np.zeros(first[-1])
    fill = first[:m].copy()
    last[:] = -np.inf
    for k in range(len(level)):
        row = group[point_row[k]]
        if level[k] != last[row]:
            last[row] = level[k]
            levels[fill[row]] = level[k]
            fill[row] += 1
        jumps[fill[row] - 1] += jump[k]
    for row in range(m, m + q):
        for k in range(3):
            levels[first[row] + k] = k - 1.0
            jumps[first[row] + k] = 0.0 if k == 1 else big
    return first, levels, jumps


@jit
def begin(rows: Any, q: int) -> Any:
    """The state in which all weights are zero."""
    n = len(rows.low)
    basic = np.empty(q, dtype=np.int32)
    edges = np.zeros((q, q))
    for j in range(q):
        basic[j] = n - q + j
        edges[j, j] = 1.0
    state = State(
        basic,
        np.ones(q, dtype=np.int32),
        np.zeros(q),
        edges,
        np.zeros(q),
        np.zeros(n),
        np.zeros(n, dtype=np.int32),
        rows.low.copy(),
        np.zeros(q),
        np.zeros(q),
        np.zeros(n),
        np.zeros(n),
        np.zeros(n, dtype=np.int32),
        np.zeros(2, dtype=np.int64),
        np.zeros(1),
    )
    _settle(rows, state)
    return state


@jit
def fit_columns(bits: Any, chosen: Any, point_row: Any, level: Any, jump: Any, low: Any, big: float) -> Any:
    """(cost, bound, weights, slope of each row of data) of the best fit with the chosen columns, from nothing.

    Arguments as for `build_rows`. The slopes are those of the dual prices, so they prove the bound.
    """
    rows, group = build_rows(bits, chosen, point_row, level, jump, low, big)
    state = begin(rows, len(chosen))
    _, bound, _ = _descend(rows, state, -np.inf, MOST_STEPS)
    _refresh(rows, state)
    slopes = low.copy()
    for k in range(len(level)):
        row = group[point_row[k]]
        place = state.place[row]
        i = -1 - place
        at = rows.first[row] + (state.spot[i] if place < 0 else place)
        if at == rows.first[row + 1] or level[k] < rows.levels[at]:
            slopes[point_row[k]] += jump[k]
        elif place < 0 and level[k] == rows.levels[at]:
            share = (state.prices[i] - state.left[i]) / rows.jumps[at]
            slopes[point_row[k]] += min(max(share, 0.0), 1.0) * jump[k]
    return state.cost[0], bound, state.x, slopes


@jit(inner=True, bare=True)
def _copy_state(source: Any, target: Any) -> None:
    """Make one state the same as another."""
    for i in range(len(source.basic)):
        target.basic[i], target.spot[i], target.left[i] = source.basic[i], source.spot[i], source.left[i]
        target.x[i], target.gradient[i], target.prices[i] = source.x[i], source.gradient[i], source.prices[i]
        for j in range(len(source.basic)):
            target.edges[i, j] = source.edges[i, j]
    for row in range(len(source.where)):
        target.where[row], target.place[row] = source.where[row], source.place[row]
        target.slope[row] = source.slope[row]
    target.age[0] = source.age[0]
    target.cost[0] = source.cost[0]


@jit
def fit_allowed(rows: Any, state: Any, allowed: Any, enough: float, pull: Any) -> Any:
    """(cost, bound, steps) with the allowed columns, starting from the basis of another fit.

    It stops as soon as the cost is at most `enough`; pull[j] is how fast the cost would fall with weight j, if that is
    held at zero.
    """
    for j in range(len(allowed)):
        _permit(rows, state, j, allowed[j])
    cost, bound, steps = _descend(rows, state, enough, MOST_STEPS)
    _pulls(state, pull)
    return cost, bound, steps


@jit(inner=True, bare=True)
def _pulls(state: Any, pull: Any) -> None:
    """pull[j] = how fast the cost would fall with weight j, for the weights held at zero; zero for the others.

    The prices are those of the last fit, which went to its end.
    """
    q = len(state.basic)
    pull[:] = 0.0
    for i in range(q):
        j = state.basic[i] - (len(state.where) - q)
        if j >= 0 and state.spot[i] == 1:
            pull[j] = abs(state.prices[i])


@jit(inner=True, bare=True)
def _rank(pull: Any, order: Any) -> None:
    """order = the columns by pull, the least first; there are few, and NumPy's sort takes seconds to compile."""
    for j in range(len(pull)):
        at = j
        while at > 0 and pull[order[at - 1]] > pull[j]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = j


@jit(inner=True, bare=True)
def _permit_all(rows: Any, state: Any, batch: Any, size: int, allowed: Any) -> None:
    """Let the first columns of a batch be anything, or nothing but zero."""
    for k in range(size):
        _permit(rows, state, batch[k], allowed[batch[k]])


@jit(inner=True, bare=True)
def _batch(pull: Any, order: Any, open_: Any, enough: float, batch: Any) -> int:
    """Candidates to allow together, least pull first, at least one: how many; they are written to `batch`."""
    size = 0
    total = 0.0
    for j in order:
        if not open_[j]:
            continue
        total += pull[j]
        if size > 0 and total > enough:
            break
        batch[size] = j
        size += 1
    return size


@jit
def grow(rows: Any, state: Any, allowed: Any, candidates: Any, level: float, bound: float, vain: int) -> float:
    """Allow as many of the candidates as can be while the least cost stays above `level`: the bound at the end.

    The state is that of a fit with the allowed columns, `bound` its proved bound, above `level`. At the dual prices a
    weight in [-1, 1] lowers the cost by no more than its pull. Most weights are far smaller, so candidates are tried in
    batches whose pulls add up to a multiple of what is left above the level. A batch that brings the cost down to the
    level is noticed early; then the multiple is halved, and a single candidate that does so is refused for good. After
    `vain` refusals in a row the rest is not tried.
    """
    q = len(allowed)
    spare = begin(rows, q)
    pull = np.empty(q)
    batch = np.empty(q, dtype=np.int64)
    open_ = candidates.copy()
    reach = REACH
    refused = 0
    _pulls(state, pull)
    order = np.empty(q, dtype=np.int64)
    _rank(pull, order)
    while True:
        size = _batch(pull, order, open_, reach * (bound - level), batch)
        if size == 0 or refused >= vain:
            return bound
        _copy_state(state, spare)
        for k in range(size):
            allowed[batch[k]] = True
        _permit_all(rows, state, batch, size, allowed)
        _, below, _ = _descend(rows, state, level, MOST_STEPS)
        if below > level:
            bound = below
            reach = min(2.0 * reach, REACH)
            refused = 0
            for k in range(size):
                open_[batch[k]] = False
            _pulls(state, pull)
            _rank(pull, order)
            continue
        for k in range(size):
            allowed[batch[k]] = False
        _permit_all(rows, state, batch, size, allowed)
        _copy_state(spare, state)
        if size > 1 and reach > TINY:
            reach *= 0.5
            continue
        # one column; or several without any pull, where a fit was given up
        for k in range(size):
            open_[batch[k]] = False
        refused += size


@jit
def support(state: Any, used: Any) -> None:
    """used[j] = whether weight j is not held at zero by the basis."""
    q = len(state.basic)
    used[:] = True
    for i in range(q):
        j = state.basic[i] - (len(state.where) - q)
        if j >= 0 and state.spot[i] == 1:
            used[j] = False


@jit
def cover(starts: Any, columns: Any, d: int, loads: Any, pays: Any) -> float:
    """The least sum of y >= 0 with at least 1 on every core, by its dual: the largest fractional packing of cores.

    Core k is `columns`[starts[k] : starts[k + 1]], of columns 0 .. d - 1. pays[j] = y_j; loads[j] = what the packing
    puts on column j, at most 1. The sum of the packing is handed back: it holds whatever the rounding.
    """
    m = len(starts) - 1
    every = np.empty(m + d + 1, dtype=np.int32)
    cells = np.empty(starts[m] + d, dtype=np.int32)
    for at in range(starts[m]):
        cells[at] = columns[at]
    first = np.empty(m + d + 1, dtype=np.int32)
    levels, jumps = np.ones(m + 3 * d), np.full(m + 3 * d, 2.0)
    low = np.full(m + d, -2.0)
    for k in range(m + 1):
        every[k], first[k] = starts[k], k
    for j in range(d):
        every[m + j + 1] = starts[m] + j + 1
        cells[starts[m] + j] = j
        at = m + 3 * j
        first[m + j + 1] = at + 3
        # no y below 0, and none needs a bound above; each costs 1 and a little that differs, so that no two choices are
        # equally good
        levels[at], levels[at + 1], levels[at + 2] = -1.0, 0.0, 4.0
        jumps[at], jumps[at + 1], jumps[at + 2] = 0.0, 3.0 + (j + 1) * NUDGE, 1.0
    rows = Rows(every, cells, _dense(every, cells, d), first, levels, jumps, low)
    state = begin(rows, d)
    _descend(rows, state, -np.inf, MOST_STEPS)
    _settle(rows, state)
    loads[:d] = 0.0
    total, heaviest = 0.0, 1.0
    for i in range(d):
        part = min(max(-state.prices[i], 0.0), 2.0)
        if state.basic[i] < m:
            total += part
            for at in range(every[state.basic[i]], every[state.basic[i] + 1]):
                loads[cells[at]] += part
    for j in range(d):
        pays[j] = min(max(state.x[j], 0.0), 1.0)
        heaviest = max(heaviest, loads[j])
    for j in range(d):
        loads[j] /= heaviest
    return total / heaviest
