"""The kernel of the search for few columns that meet every core: what follows from a partial choice.

Sets of columns are bits in two 64-bit words. A core is a set of which every solution holds at least one column. Where
some columns are in and some are out, what is left of the cores not met yet must be met with the free places:

1. A core with nothing left ends the node; a single column left is forced in.
2. Weights on the cores that put no more than 1 on any column are a fractional packing, and every solution needs at
   least as many further columns as the weights add up to. A greedy packing of disjoint cores is tried first, then the
   best fractional one, by a simplex method. More than the free places: the node ends.
3. A column on which the packing puts only 1 - s would cost s more than the packing says. If that is too much, the
   column is out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from headsup.backend import jit

PRUNED, OPEN = 0, 1
"""No solution here; undecided."""
MARGIN = 1e-6
"""A packing must exceed the free places by more than this."""
MOST_CORES = 600
"""The fractional packing looks at so many cores, the smallest."""
NUDGE = 1e-6
"""Column j of the packing may hold 1 + (j + 1) NUDGE, so that no two bind at once and the simplex cannot cycle."""


@jit
def _count(word: Any) -> int:
    """How many bits are set."""
    v = np.uint64(word)
    v = v - ((v >> np.uint64(1)) & np.uint64(0x5555555555555555))
    v = (v & np.uint64(0x3333333333333333)) + ((v >> np.uint64(2)) & np.uint64(0x3333333333333333))
    v = (v + (v >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((v * np.uint64(0x0101010101010101)) >> np.uint64(56))


@jit
def _has(words: Any, j: int) -> bool:
    """Whether a set holds column j."""
    return bool((words[j >> 6] >> np.uint64(j & 63)) & np.uint64(1) != np.uint64(0))


@jit
def _rest_of_cores(cores: Any, count: int, taken: Any, barred: Any, rest: Any) -> int:
    """Cores not met yet, less the barred columns, to `rest`: how many, or -1 if nothing is left of one.

    A single column left is taken; when that happened the answer is -2, for the others must be looked at again.
    """
    n = 0
    forced = False
    one = np.uint64(1)
    none = np.uint64(0)
    for k in range(count):
        if cores[k, 0] & taken[0] != none or cores[k, 1] & taken[1] != none:
            continue
        a = cores[k, 0] & ~barred[0]
        b = cores[k, 1] & ~barred[1]
        if a == none and b == none:
            return -1
        if (a == none and b & (b - one) == none) or (b == none and a & (a - one) == none):
            taken[0] |= a
            taken[1] |= b
            forced = True
            continue
        rest[n, 0] = a
        rest[n, 1] = b
        n += 1
    return -2 if forced else n


@jit
def _by_size(rest: Any, n: int) -> Any:
    """The different cores, small ones first, and at most so many: their positions."""
    sizes = np.empty(n, dtype=np.int64)
    for k in range(n):
        # The hash behind the size puts equal cores side by side.
        mixed = (rest[k, 0] * np.uint64(0x9E3779B97F4A7C15)) ^ (rest[k, 1] * np.uint64(0xC2B2AE3D27D4EB4F))
        size = _count(rest[k, 0]) + _count(rest[k, 1])
        sizes[k] = (size << 40) | np.int64(mixed >> np.uint64(24))
    order = np.argsort(sizes)
    found = np.empty(min(n, MOST_CORES), dtype=np.int64)
    m = 0
    for k in order:
        if m > 0 and rest[k, 0] == rest[found[m - 1], 0] and rest[k, 1] == rest[found[m - 1], 1]:
            continue
        if m == MOST_CORES:
            break
        found[m] = k
        m += 1
    return found[:m]


@jit
def _disjoint(rest: Any, order: Any) -> int:
    """How many disjoint cores there are, taken greedily."""
    a = np.uint64(0)
    b = np.uint64(0)
    found = 0
    for k in order:
        if rest[k, 0] & a == np.uint64(0) and rest[k, 1] & b == np.uint64(0):
            a |= rest[k, 0]
            b |= rest[k, 1]
            found += 1
    return found


@jit
def _lists(rest: Any, order: Any, width: int) -> Any:
    """The cores as lists of columns, these renumbered: (starts, columns, old number of each new one)."""
    new = np.full(width, -1, dtype=np.int64)
    old = np.empty(width, dtype=np.int64)
    starts = np.zeros(len(order) + 1, dtype=np.int64)
    columns = np.empty(len(order) * width, dtype=np.int64)
    at = 0
    d = 0
    for i in range(len(order)):
        for j in range(width):
            if _has(rest[order[i]], j):
                if new[j] < 0:
                    new[j] = d
                    old[d] = j
                    d += 1
                columns[at] = new[j]
                at += 1
        starts[i + 1] = at
    return starts, columns, old[:d]


@jit
def _packing(starts: Any, columns: Any, d: int, enough: float, loads: Any, pays: Any) -> float:
    """The largest fractional packing, or one of more than `enough`: its sum, and loads[j] = what it puts on column j.

    Revised simplex for: maximise sum u, the sum over cores with column j of u at most 1, u >= 0. pays[j] is the dual
    price of column j: how much of it a fractional choice of columns takes.
    """
    m = len(starts) - 1
    inverse = np.zeros((d, d))
    value = np.empty(d)
    basic = np.full(d, -1, dtype=np.int64)
    for j in range(d):
        inverse[j, j] = 1.0
        value[j] = 1.0 + (j + 1) * NUDGE
    pays[:d] = 0.0
    way = np.empty(d)
    total = 0.0
    for _ in range(20 * d + 100):
        best = 1e-9
        enters = -1
        for k in range(m):
            gain = 1.0
            for at in range(starts[k], starts[k + 1]):
                gain -= pays[columns[at]]
            if gain > best:
                best, enters = gain, k
        for j in range(d):
            if -pays[j] > best:
                best, enters = -pays[j], m + j
        if enters < 0:
            break
        for i in range(d):
            if enters < m:
                part = 0.0
                for at in range(starts[enters], starts[enters + 1]):
                    part += inverse[i, columns[at]]
                way[i] = part
            else:
                way[i] = inverse[i, enters - m]
        out = -1
        step = np.inf
        for i in range(d):
            if way[i] > 1e-9 and value[i] < step * way[i]:
                step = value[i] / way[i]
                out = i
        if out < 0:
            break
        total += step * best
        for i in range(d):
            value[i] -= step * way[i]
        value[out] = step
        inverse[out] /= way[out]
        for i in range(d):
            if i != out and way[i] != 0.0:
                inverse[i] -= way[i] * inverse[out]
        pays[:d] += best * inverse[out]
        basic[out] = enters
        if total > enough:
            break
    return float(_loads(starts, columns, d, basic, value, loads))


@jit
def _loads(starts: Any, columns: Any, d: int, basic: Any, value: Any, loads: Any) -> float:
    """The sum of a packing and its load on each column, scaled so that no load exceeds 1 whatever the rounding."""
    m = len(starts) - 1
    loads[:d] = 0.0
    total = 0.0
    for i in range(d):
        if 0 <= basic[i] < m and value[i] > 0.0:
            total += value[i]
            for at in range(starts[basic[i]], starts[basic[i] + 1]):
                loads[columns[at]] += value[i]
    heaviest = 1.0
    for j in range(d):
        heaviest = max(heaviest, loads[j])
    loads[:d] /= heaviest
    return total / heaviest


@jit
def propagate(cores: Any, count: int, taken: Any, barred: Any, most: int, width: int, pays: Any) -> Any:
    """What the cores say where the columns `taken` are in and `barred` are out: (verdict, column to branch on).

    Both sets grow by what must be in or out. `pays` becomes how much of each column a fractional solution takes. The
    column is -1 when all cores are met.
    """
    rest = np.empty((count, 2), dtype=np.uint64)
    loads = np.empty(width)
    prices = np.empty(width)
    while True:
        n = _rest_of_cores(cores, count, taken, barred, rest)
        free = most - _count(taken[0]) - _count(taken[1])
        if n == -1 or free < 0 or (n > 0 and free == 0):
            return PRUNED, -1
        if n == -2:
            continue
        pays[:] = 0.0
        if n == 0:
            return OPEN, -1
        order = _by_size(rest, n)
        if _disjoint(rest, order) > free:
            return PRUNED, -1
        starts, columns, old = _lists(rest, order, width)
        packing = _packing(starts, columns, len(old), free + 0.01, loads, prices)
        if packing > free + MARGIN:
            return PRUNED, -1
        shut = False
        seen = np.zeros(width, dtype=np.bool_)
        for i in range(len(old)):
            seen[old[i]] = True
            pays[old[i]] = prices[i]
            if packing + 1.0 - loads[i] > free + MARGIN:
                barred[old[i] >> 6] |= np.uint64(1) << np.uint64(old[i] & 63)
                shut = True
        if packing + 1.0 > free + MARGIN:
            for j in range(width):
                if not seen[j] and not _has(taken, j) and not _has(barred, j):
                    barred[j >> 6] |= np.uint64(1) << np.uint64(j & 63)
                    shut = True
        if not shut:
            return OPEN, _choose(rest, order, width, pays)


@jit
def _choose(rest: Any, order: Any, width: int, pays: Any) -> int:
    """The column to decide next: the one in most cores, small cores counting more, weighed by its price."""
    scores = np.zeros(width)
    for k in order:
        share = 1.0 / (_count(rest[k, 0]) + _count(rest[k, 1])) ** 2
        for j in range(width):
            if _has(rest[k], j):
                scores[j] += share
    best = -1
    for j in range(width):
        if scores[j] > 0.0:
            scores[j] *= 0.05 + min(pays[j], 1.0)
            if best < 0 or scores[j] > scores[best]:
                best = j
    return best
