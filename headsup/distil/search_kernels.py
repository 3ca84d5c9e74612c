"""Kernels of the rule search: what every threshold costs, for all stacks at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from headsup.backend import jit


@jit
def losses_by_threshold(scores: Any, gains: Any, size: int) -> Any:
    """float64[size + 1, columns]: the loss of playing exactly the hands whose score is at least the row's number.

    `scores` are 0..size-1, `gains` what playing each hand gains, a column a stack. The loss is what the hands that
    should be played gain, less what the hands that are played gain.
    """
    n, columns = gains.shape
    table = np.zeros((size + 1, columns))
    for hand in range(n):
        row = scores[hand]
        for column in range(columns):
            table[row, column] += gains[hand, column]
    for column in range(columns):
        best = 0.0
        for hand in range(n):
            if gains[hand, column] > 0:
                best += gains[hand, column]
        played = 0.0
        for row in range(size, -1, -1):
            played += table[row, column]
            table[row, column] = best - played
    return table


@jit
def best_line(table: Any, low: int, stacks: Any, slopes: Any, worst_share: float) -> Any:
    """The threshold line a + b R that loses least: (objective, a, b); row r of `table` is the threshold low + r.

    The objective mixes the worst stack (`worst_share`) with the average over stacks (the rest).
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
            value = worst_share * worst + (1.0 - worst_share) * total / columns
            if value < best - 1e-12:
                best, best_a, best_b = value, a, b
    return best, best_a, best_b


@jit
def best_row(table: Any, boxes: Any, worst_share: float) -> Any:
    """A threshold for each box of stacks, found one box at a time: (objective, row of `table` for each box)."""
    rows, columns = table.shape
    chosen = np.zeros(boxes[columns - 1] + 1, dtype=np.int64)
    worst_of_all, sum_of_all = 0.0, 0.0
    for box in range(len(chosen)):
        best, best_worst, best_total = np.inf, 0.0, 0.0
        for row in range(rows):
            total, worst, members = 0.0, 0.0, 0
            for column in range(columns):
                if boxes[column] == box:
                    total += table[row, column]
                    worst = max(worst, table[row, column])
                    members += 1
            value = worst_share * worst + (1.0 - worst_share) * total / max(members, 1)
            if value < best - 1e-12:
                best, best_worst, best_total, chosen[box] = value, worst, total, row
        worst_of_all = max(worst_of_all, best_worst)
        sum_of_all += best_total
    return worst_share * worst_of_all + (1.0 - worst_share) * sum_of_all / columns, chosen
