"""Kernels of the rule search: what every threshold costs, for all stacks at once, and losses with soft decisions."""

from typing import Any

import numpy as np

from headsup.common.backend import jit


@jit
def losses_by_threshold(scores: Any, gains: Any, best: Any, size: int) -> Any:
    """float64[size + 1, columns]: the loss of playing exactly the hands whose score is at least the row's number.

    `scores` are 0..size-1, `gains` what playing each hand gains, a column a stack, `best` what perfect play gains. The
    loss is what perfect play gains, less what the hands that are played gain.
    """
    n, columns = gains.shape
    table = np.zeros((size + 1, columns))
    for hand in range(n):
        row = scores[hand]
        for column in range(columns):
            table[row, column] += gains[hand, column]
    for column in range(columns):
        played = 0.0
        for row in range(size, -1, -1):
            played += table[row, column]
            table[row, column] = best[column] - played
    return table


@jit
def best_line(table: Any, low: int, stacks: Any, slopes: Any, worst_share: float) -> Any:
    """The threshold line a + b R that loses least: (a, b); row r of `table` is the threshold low + r.

    What is made small mixes the worst stack (`worst_share`) with the average over stacks (the rest).
    """
    rows, columns = table.shape
    best, best_a, best_b = np.inf, 0, 0
    for b in slopes:
        first = low - int(np.ceil(b * stacks[columns - 1])) - 1
        for a in range(first, low + rows + 1):
            total, worst = 0.0, 0.0
            for column in range(columns):
                row = int(np.ceil(a + b * stacks[column])) - low
                row = min(max(row, 0), rows - 1)
                loss = table[row, column]
                total += loss
                if loss > worst:
                    worst = loss
                    if worst_share * worst >= best:
                        break
            value = worst_share * worst + (1.0 - worst_share) * total / columns
            if value < best - 1e-12:
                best, best_a, best_b = value, a, b
    return best_a, best_b


@jit
def best_rows(first: Any, second: Any, edges: Any, worst_share: float) -> Any:
    """int64[2, boxes]: the row of each of two tables, their losses added up, that is best for each box of stacks.

    The stacks of a box are the columns from `edges[box]` up to the next edge. A table by itself goes with one row of
    zeros.
    """
    chosen = np.zeros((2, len(edges) - 1), dtype=np.int64)
    for box in range(len(edges) - 1):
        ours, theirs = first[:, edges[box] : edges[box + 1]], second[:, edges[box] : edges[box + 1]]
        best, columns = np.inf, ours.shape[1]
        for own in range(len(ours)):
            for two in range(len(theirs)):
                total, worst = 0.0, 0.0
                for column in range(columns):
                    loss = ours[own, column] + theirs[two, column]
                    total += loss
                    if loss > worst:
                        worst = loss
                        if worst_share * worst >= best:
                            break
                value = worst_share * worst + (1.0 - worst_share) * total / max(columns, 1)
                if value < best - 1e-12:
                    best, chosen[0, box], chosen[1, box] = value, own, two
    return chosen


@jit
def fewest_runs(table: Any, edges: Any, limit: float, per_run: float) -> Any:
    """A threshold for each box with few changes from box to box: the rows of `table`.

    Each box's worst stays within `limit`; among such rows the sum over boxes of the average, and `per_run` for each
    change, is least (dynamic programming over the boxes).
    """
    rows, count = len(table), len(edges) - 1
    cost = np.full((count, rows), np.inf)
    for box in range(count):
        for row in range(rows):
            within = table[row, edges[box] : edges[box + 1]]
            if (within <= limit).all():
                cost[box, row] = within.sum() / max(len(within), 1)
    came = np.zeros((count, rows), dtype=np.int64)
    for box in range(1, count):
        least = int(np.argmin(cost[box - 1]))
        for row in range(rows):
            stay, change = cost[box - 1, row], cost[box - 1, least] + per_run
            came[box, row] = row if stay <= change else least
            cost[box, row] += min(stay, change)
    chosen = np.zeros(count, dtype=np.int64)
    chosen[count - 1] = int(np.argmin(cost[count - 1]))
    for box in range(count - 1, 0, -1):
        chosen[box - 1] = came[box, chosen[box]]
    return chosen


@jit
def soft_gains(scores: Any, gains: Any, level: Any, thresholds: Any, width: Any, slopes: Any) -> Any:
    """float64[columns]: what is gained if hands within `width` of their threshold are played in part.

    A hand at a distance x (in widths) above its threshold is played to 1/2 + 3/4 x - 1/4 x^3, which goes smoothly from
    none at -1 to all at 1. Column c has the threshold `thresholds[level[c]]`. `slopes[hand, level]` is set to how fast
    that share grows with the score.
    """
    n, columns = gains.shape
    levels = len(thresholds)
    gained = np.zeros(columns)
    share = np.zeros(levels, dtype=np.float32)
    unit, quarter, most = np.float32(1.0), np.float32(0.25), np.float32(0.75)
    narrow = unit / width
    for hand in range(n):
        for at in range(levels):
            x = (scores[hand] - thresholds[at]) * narrow
            x = unit if x > unit else (-unit if x < -unit else x)
            share[at] = np.float32(0.5) + x * (most - quarter * x * x)
            slopes[hand, at] = most * (unit - x * x) * narrow
        for column in range(columns):
            gained[column] += gains[hand, column] * share[level[column]]
    return gained


@jit
def soft_slopes(gains: Any, level: Any, slopes: Any, weights: Any, by_hand: Any, by_level: Any) -> None:
    """Add the derivative of the weighted loss by every hand's score, and by every threshold."""
    n, columns = gains.shape
    levels = len(by_level)
    here = np.zeros(levels, dtype=np.float32)
    for hand in range(n):
        for at in range(levels):
            here[at] = np.float32(0.0)
        for column in range(columns):
            here[level[column]] += weights[column] * gains[hand, column]
        total = np.float32(0.0)
        for at in range(levels):
            step = here[at] * slopes[hand, at]
            total -= step
            by_level[at] += step
        by_hand[hand] += total


@jit
def opposed(high: Any, low: Any, left: Any, sign: Any) -> Any:
    """float64[2]: what is at stake in pairs that want the first hand better, and in those that want the second.

    Pair p is (high[p], low[p]); `sign` says of each hand and decision whether playing is right (1) or wrong (-1), and
    `left` what is still at stake. A pair counts by the cheaper of its two mistakes.
    """
    worth = np.zeros(2)
    for pair in range(len(high)):
        a, b = high[pair], low[pair]
        for column in range(left.shape[1]):
            if sign[a, column] * sign[b, column] < 0:
                worth[0 if sign[a, column] > 0 else 1] += min(left[a, column], left[b, column])
    return worth


@jit
def take(high: Any, low: Any, left: Any, sign: Any) -> Any:
    """Take from both sides what the smaller one has at stake, and return how much that is."""
    worth = opposed(high, low, left, sign)
    amount = min(worth[0], worth[1])
    if amount <= 0.0:
        return 0.0
    for pair in range(len(high)):
        a, b = high[pair], low[pair]
        for column in range(left.shape[1]):
            if sign[a, column] * sign[b, column] < 0:
                side = worth[0] if sign[a, column] > 0 else worth[1]
                used = min(left[a, column], left[b, column]) * (amount / side)
                left[a, column] -= used
                left[b, column] -= used
    return amount
