"""The one simplex of flop formulas: least sums of rows, as fits of features (`fits`) and packings of cores (`simplex`).

Row r has an estimate y = b . x (b its 0/1 columns, x the weights) and a cost that is convex and piecewise linear in y.
Each weight has a row of its own (b a unit vector, breakpoints -1, 0, 1) whose cost says what it may do. BIG is more
than any multiplier can be, so the penalty is exact; the unit rows complete every basis.

A basis is one breakpoint in each of q independent rows, all met exactly. Its dual prices say along which edge the sum
of costs falls; the step goes past breakpoints until the sum rises, a weighted median. Slopes of a fit are whole
numbers, so the gradient has no rounding. Python makes all arrays, since each one made in a kernel costs compile time.
"""

from typing import Any, NamedTuple

import numpy as np

from headsup.common.backend import jit

TINY = 1e-9  # smaller changes of an estimate along an edge are rounding
PRICE_TOLERANCE = 1e-6  # a dual price so little outside its interval (in flops) is rounding
REFRESH = 150  # after so many exchanges the inverse is recomputed
STUCK = 40
"""After so many steps of length zero the first edge that falls is taken, not the steepest, to get out of a cycle."""
REACH = 32.0
"""At most so many times what is left above the level is the sum of the pulls of columns that are tried together."""
MOST_STEPS = 20_000  # no fit needs so many; one that does is given up, and has no bound


class FitRows(NamedTuple):
    """The rows of data, then one row for each weight; arrays may have spare capacity."""

    size: Any  # int64[2]: how many rows there are, n, and how many of them are those of weights, q

    starts: Any  # int32[n + 1]: where the columns of each row begin in `columns`
    columns: Any
    dense: Any
    """float64[q, n]: the same columns once more, 1 where they are true: to add up whole columns is a vector's work."""
    first: Any  # int32[n + 1]: where the breakpoints of each row begin in `levels` and `jumps`
    levels: Any
    jumps: Any  # float64: how much the slope rises at each breakpoint
    low: Any  # float64[n]: the slope below the first breakpoint


class FitState(NamedTuple):
    """The state of a fit: the basis, what follows from it, and workspace."""

    basic: Any  # int32[q]: the rows of the basis
    spot: Any  # int32[q]: which of its breakpoints each of them sits on
    left: Any  # float64[q]: the slope just below that breakpoint
    edges: Any  # float64[q, q]: row i is the direction of x that moves basic row i by one and no other basic row
    where: Any  # float64[n]: the estimate of each row
    place: Any  # int32[n]: how many breakpoints lie below it; negative for a basic row
    slope: Any
    gradient: Any  # float64[q]: of the costs of all rows that are not basic
    cost: Any  # float64[1]: the sum of the costs of all rows
    age: Any  # int32[1]: exchanges since the edges were last recomputed; negative before there are any
    x: Any
    prices: Any
    change: Any
    times: Any
    heap: Any
    wide: Any  # float64[q, 2 q]


class ColumnTrial(NamedTuple):
    """The workspace for trying further columns."""

    pull: Any  # float64[q]: how fast the cost would fall with each weight that is held at zero; zero for the others
    batch: Any  # int64[q]: the columns that are tried together
    memory: Any
    """int64: all of a state up to `age` lies in it, and the jumps of the rows: a copy of it keeps where a fit stood."""
    spare: Any  # int64: workspace for that copy


@jit(inner=True, bare=True)
def _sift_down(times: Any, heap: Any, at: int, size: int) -> None:
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


@jit(inner=True, bare=True)
def _invert(rows: Any, state: Any) -> bool:
    """Recompute the edges from the basis: Gauss-Jordan with exchange of rows; False if the basis is singular."""
    q = rows.size[1]
    wide = state.wide
    for i in range(q):
        for j in range(2 * q):
            wide[i, j] = 1.0 if j == q + i else 0.0
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
def _settle(rows: Any, state: Any, row: int) -> None:
    """Estimate, place and slope of a nonbasic row from the weights, and its part of the gradient."""
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


@jit(inner=True, bare=True)
def _refresh(rows: Any, state: Any) -> None:
    """Edges, weights, estimates, places, slopes, gradient and cost, recomputed from the basis.

    A row within rounding of a breakpoint stays on the side where it was.
    """
    if _invert(rows, state):
        state.age[0] = 0
    n, q = rows.size[0], rows.size[1]
    for j in range(q):
        state.x[j] = 0.0
        state.gradient[j] = 0.0
    for i in range(q):
        row = state.basic[i]
        at = rows.first[row] + state.spot[i]
        for j in range(q):
            state.x[j] += state.edges[i, j] * rows.levels[at]
        state.place[row] = -1 - i
        state.where[row] = rows.levels[at]
        slope = rows.low[row]
        for k in range(rows.first[row], at):
            slope += rows.jumps[k]
        state.left[i] = slope
    # up to a constant; the cost of a weight's own row is zero where the weight is
    total = 0.0
    for row in range(n):
        if state.place[row] >= 0:
            _settle(rows, state, row)
        y = state.where[row]
        slope, part, origin = rows.low[row], 0.0, 0.0
        for at in range(rows.first[row], rows.first[row + 1]):
            half = 0.5 * rows.jumps[at]
            slope += half
            part += half * abs(rows.levels[at] - y)
            origin += half * abs(rows.levels[at])
        total += slope * y + part
        if row >= n - q:
            total -= origin
    state.cost[0] = total


@jit(inner=True, bare=True)
def _begin(rows: Any, state: Any) -> None:
    n, q = rows.size[0], rows.size[1]
    for row in range(n):
        state.place[row] = 0
        state.slope[row] = rows.low[row]
    for j in range(q):
        state.basic[j] = n - q + j
        state.spot[j] = 1
        state.place[n - q + j] = -1 - j
        state.where[n - q + j] = 0.0
    state.age[0] = REFRESH


@jit(inner=True, bare=True)
def _permit(rows: Any, state: Any, column: int, allowed: bool) -> None:
    """Allow a weight all of [-1, 1], or only zero."""
    q = rows.size[1]
    row = rows.size[0] - q + column
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
def _steepest(rows: Any, state: Any, stuck: bool) -> Any:
    """The basic row to release: (its position or -1, whether it goes up, how fast the cost falls)."""
    q = rows.size[1]
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
def _set_moving(rows: Any, state: Any, best: int, up: bool) -> Any:
    """Release basic row `best`: the speed of every row, and a heap of the next breakpoints; returns its size."""
    sign = 1.0 if up else -1.0
    out = state.basic[best]
    jump = rows.jumps[rows.first[out] + state.spot[best]]
    state.place[out] = state.spot[best] + 1 if up else state.spot[best]
    state.slope[out] = state.left[best] + jump if up else state.left[best]
    for at in range(rows.starts[out], rows.starts[out + 1]):
        state.gradient[rows.columns[at]] += state.slope[out]
    change, times, heap, place, where = state.change, state.times, state.heap, state.place, state.where
    dense, first, levels = rows.dense, rows.first, rows.levels
    n = rows.size[0]
    for row in range(n):
        change[row] = 0.0
    for j in range(rows.size[1]):
        step = sign * state.edges[best, j]
        if abs(step) > 1e-12:
            for row in range(n):
                change[row] += step * dense[j, row]
    size = np.int64(0)  # a plain 0 would be a type of its own to the compiler
    for row in range(n):
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
    """Move while the cost falls: (the row whose breakpoint stops it, or -1; how far; the fall of the cost)."""
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
            _sift_down(times, heap, np.int64(0), size)
    return -1, moved, lost


@jit(inner=True, bare=True)
def _exchange(rows: Any, state: Any, best: int, up: bool, entered: int, moved: float) -> None:
    where, change, edges = state.where, state.change, state.edges
    q = rows.size[1]
    for row in range(rows.size[0]):
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


@jit(inner=True, bare=True)
def _doubt(rows: Any, state: Any) -> float:
    """The rounding that the proof can hide: prices outside their intervals, rows on the wrong side of a breakpoint."""
    q, rest = rows.size[1], state.times  # its memory is free between steps
    for j in range(q):
        rest[j] = state.gradient[j]
    # -low of a weight's row is BIG, all flops: so much for the sums themselves
    hidden = -TINY * rows.low[rows.size[0] - 1]
    for row in range(rows.size[0]):
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
    for j in range(q):
        left += abs(rest[j])
    return float(2.0 * rows.levels[rows.first[rows.size[0]] - 1] * left + hidden)


@jit(inner=True, bare=True)
def _pulls(rows: Any, state: Any, pull: Any) -> None:
    q = rows.size[1]
    for j in range(q):
        pull[j] = 0.0
    for i in range(q):
        j = state.basic[i] - (rows.size[0] - q)
        if j >= 0 and state.spot[i] == 1:
            pull[j] = abs(state.prices[i])


@jit(inner=True, bare=True)
def _batch(pull: Any, turn: Any, now: int, enough: float, batch: Any) -> int:
    """Write columns whose turn it is to `batch`, least pull first, at least one; returns their number."""
    size = 0
    total = 0.0
    while True:
        best = -1
        for j in range(len(turn)):
            if turn[j] == now and (best < 0 or pull[j] < pull[best]):
                best = j
        if best < 0:
            return size
        total += pull[best]
        if size > 0 and total > enough:
            return size
        turn[best] = 0
        batch[size] = best
        size += 1


@jit(inner=True, bare=True)
def _copy(source: Any, target: Any) -> None:
    for k in range(len(source)):
        target[k] = source[k]


@jit(bare=True)
def descend(rows: Any, state: Any, trial: Any, allowed: Any, turn: Any, level: float, vain: int, last: bool) -> float:
    """Go down to the least cost, and let further columns in while it stays above `level`: a proved lower bound of it.

    `allowed` bool[q] says which weights may be anything, and not only zero; of length 0 it leaves that as it is. As
    soon as the cost is at most `level` a descent stops, with -inf for a bound. The `last` one is refreshed in the end,
    for weights and cost without the rounding of exchanges.

    `turn` int8[q] names columns to let in, as many as can be: those with a 2 first, then those with a 1. At the dual
    prices a weight in [-1, 1] lowers the cost by no more than its pull. Most weights are far smaller, so columns are
    tried in batches whose pulls add up to a multiple of what is left above the level. A batch that brings the cost down
    to the level is noticed early; then the multiple is halved, and a single column that does so is refused for good.
    After `vain` refusals in a row the rest of that turn is not tried.
    """
    if state.age[0] < 0:
        _begin(rows, state)
    bound = -np.inf
    reach = REACH
    refused = 0
    now = 2
    size = 0
    while True:
        for column in range(len(allowed)):
            _permit(rows, state, column, allowed[column])
        below = -np.inf
        stuck = 0
        ended = False
        for _ in range(MOST_STEPS):
            if state.age[0] >= REFRESH:
                _refresh(rows, state)
            if ended:
                break
            best, up, gain = _steepest(rows, state, stuck > STUCK)
            entered, moved, lost = -1, 0.0, 0.0
            if best >= 0:
                waiting = _set_moving(rows, state, best, up)
                entered, moved, lost = _search_line(rows, state, waiting, gain)
            else:
                below = state.cost[0] - _doubt(rows, state)
            if entered < 0:
                if not last:
                    break
                ended = True
                state.age[0] = REFRESH
                continue
            _exchange(rows, state, best, up, entered, moved)
            state.cost[0] -= lost
            stuck = stuck + 1 if moved <= 1e-14 else 0
            if state.cost[0] <= level:
                break
        if size == 0 or below > level:
            bound = below
            if below <= level:
                return bound
            _pulls(rows, state, trial.pull)
            reach = min(2.0 * reach, REACH)
            refused = 0
        else:
            _copy(trial.spare, trial.memory)
            for k in range(size):
                allowed[trial.batch[k]] = False
            if size > 1 and reach > TINY:
                reach *= 0.5
                for k in range(size):
                    turn[trial.batch[k]] = now
            else:
                # one column; or several without any pull, where a fit was given up
                refused += size
        size = 0
        while size == 0 and now > 0:
            if refused < vain:
                size = _batch(trial.pull, turn, now, reach * (bound - level), trial.batch)
            if size == 0:
                now -= 1
                reach = REACH
                refused = 0
        if size == 0:
            return bound
        _copy(trial.memory, trial.spare)
        for k in range(size):
            allowed[trial.batch[k]] = True


@jit(inner=True, bare=True)
def _groups(bits: Any, wanted: Any, group: Any, holder: Any, table: Any) -> int:
    """group[r] = which different row r becomes when only the wanted columns count, holder[g] = a row of group g.

    Returns their number.
    """
    n, words = bits.shape
    size = len(table)
    for k in range(size):
        table[k] = -1
    count = 0
    for row in range(n):
        key = np.uint64(0)
        for k in range(words):
            key = (key ^ (bits[row, k] & wanted[k])) * np.uint64(0x9E3779B97F4A7C15)
            key ^= key >> np.uint64(29)
        at = np.int64(key & np.uint64(size - 1))
        while True:
            known = table[at]
            if known < 0:
                table[at] = known = count
                holder[count] = row
                count += 1
                break
            same = True
            for k in range(words):
                if (bits[row, k] ^ bits[holder[known], k]) & wanted[k]:
                    same = False
            if same:
                break
            at = (at + 1) & (size - 1)
        group[row] = known
    return count


@jit(inner=True, bare=True)
def _breakpoints(points: Any, group: Any, fill: Any, m: int, rows: Any) -> int:
    """Write the breakpoints of merged rows, equal ones once, and their slopes; returns their number."""
    point_row, level, jump, low = points
    first, levels, jumps = rows.first, rows.levels, rows.jumps
    for row in range(m):
        rows.low[row] = 0.0
        first[row] = 0
    for row in range(len(low)):
        rows.low[group[row]] += low[row]
    # first with space for each of the points, then close together
    for k in range(len(level)):
        first[group[point_row[k]]] += 1
    at = 0
    for row in range(m):
        size = first[row]
        first[row] = fill[row] = at
        at += size
    for k in range(len(level)):
        row = group[point_row[k]]
        at = fill[row]
        if at > first[row] and levels[at - 1] == level[k]:
            jumps[at - 1] += jump[k]
        else:
            levels[at] = level[k]
            jumps[at] = jump[k]
            fill[row] = at + 1
    at = 0
    for row in range(m):
        begin = first[row]
        first[row] = at
        for k in range(begin, fill[row]):
            levels[at] = levels[k]
            jumps[at] = jumps[k]
            at += 1
    return at


@jit(bare=True)
def build(bits: Any, chosen: Any, points: Any, own: Any, group: Any, workspace: Any, rows: Any) -> None:
    """Write the rows of a fit with the chosen columns; group[r] = which of them row r of the data becomes.

    `bits` uint64[.., words] are the columns that are true in each row of data. `points` is (row, level, jump, low):
    breakpoint k is level[k], of row[k], and the slope jumps there by jump[k]; they come by level, and `low` is the
    slope of each row below all of them. Rows that look alike on the chosen columns become one, the sum of their costs.
    own[j] float64[7]: the row of weight j, its three breakpoints, their jumps, and the slope below. `workspace` is (one
    row of words, one int64 for each row of data, a power of two of int64 that is more).
    """
    wanted, holder, table = workspace
    q = len(chosen)
    for k in range(len(wanted)):
        wanted[k] = 0
    for j in range(q):
        wanted[chosen[j] >> 6] |= np.uint64(1) << np.uint64(chosen[j] & 63)
    m = _groups(bits, wanted, group, holder, table)
    end = _breakpoints(points, group, table, m, rows)
    rows.size[0], rows.size[1] = m + q, q
    at = 0
    for row in range(m + q):
        rows.starts[row] = at
        for j in range(q):
            if row >= m:
                true = row == m + j
            else:
                true = (bits[holder[row], chosen[j] >> 6] >> np.uint64(chosen[j] & 63)) & np.uint64(1) != np.uint64(0)
            rows.dense[j, row] = 1.0 if true else 0.0
            if true:
                rows.columns[at] = j
                at += 1
    rows.starts[m + q] = at
    for j in range(q):
        rows.first[m + j] = end + 3 * j
        rows.low[m + j] = own[j, 6]
        for k in range(3):
            rows.levels[end + 3 * j + k] = own[j, k]
            rows.jumps[end + 3 * j + k] = own[j, 3 + k]
    rows.first[m + q] = end + 3 * q
