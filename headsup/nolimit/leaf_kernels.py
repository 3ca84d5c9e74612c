"""Kernels of `headsup.nolimit.leaves`: sums over run-outs for all pairs of hands below a leaf.

There is one matrix for each lane. A lane is one of the opponent's continuations. Loops over the opponent's hands are
innermost and vectorise.
"""

from typing import Any

import numpy as np

from headsup.common.backend import jit


@jit(bare=True)
def fill_tables(ends: Any, rank: Any, start: Any, tables: Any, low: int, high: int, sign: Any) -> None:
    """tables[board, lane, own column, column]: values of pairs of columns below a leaf, for boards low .. high - 1.

    In `ends` and `rank` the columns of board b begin at start[b]. Where a board has no such column, the table stays as
    it was. The buffer `sign` has room for the columns of a board.
    """
    for b in range(low, high):
        first, width = start[b], start[b + 1] - start[b]
        theirs = rank[first : first + width]
        for c in range(width):
            mine = rank[first + c]
            for d in range(width):
                sign[d] = np.float32(mine > theirs[d]) - np.float32(mine < theirs[d])
            for k in range(ends.theirs.shape[0]):
                row = tables[b, k, c, :width]
                row[:] = np.float32(0.0)
                for q in range(ends.theirs.shape[1]):
                    held, paid, won = (
                        ends.theirs[k, q, first : first + width],
                        ends.paid[q, first + c],
                        ends.won[q, first + c],
                    )
                    for d in range(width):
                        row[d] += (paid + won * sign[d]) * held[d]


@jit(bare=True)
def add_boards(tables: Any, widths: Any, own: Any, theirs: Any, out: Any, low: int, high: int, earned: Any) -> None:
    """out[lane, own hand, hand]: add what own hands earn on some boards, against the opponent's hands low .. high - 1.

    `own` and `theirs` are the columns of hands, unsigned[boards, hands]; blocked hands have the last one, where tables
    are 0. A tile of hands is done at a time, whose values by board and own column stay in the cache: in the buffer
    `earned`, [boards, columns, tile], which is 0 in the last column. The number of boards is a multiple of four.
    """
    boards, tile = own.shape[0], earned.shape[2]
    for first in range(low, high, tile):
        wide = min(tile, high - first)
        for l in range(tables.shape[1]):  # noqa: E741
            for b in range(boards):
                held = theirs[b, first : first + wide]
                for c in range(widths[b]):
                    table, row = tables[b, l, c], earned[b, c]
                    for j in range(wide):
                        row[j] = table[held[j]]
            for i in range(out.shape[1]):
                total = out[l, i, first : first + wide]
                for b in range(0, boards, 4):
                    p, q = earned[b, own[b, i]], earned[b + 1, own[b + 1, i]]
                    r, s = earned[b + 2, own[b + 2, i]], earned[b + 3, own[b + 3, i]]
                    for j in range(wide):
                        total[j] += (p[j] + q[j]) + (r[j] + s[j])


@jit(bare=True)
def add_rows(matrices: Any, weights: Any, out: Any, low: int, high: int, buffer: Any) -> None:
    """out[i] = the sum over k and j of matrices[k, i, j] x weights[k, j], for rows low .. high - 1.

    Four matrices are read at a time. The last sum is by halves, so that it vectorises and has the same order on any
    machine. The buffer is [columns].
    """
    whole = matrices.shape[0] // 4 * 4
    for i in range(low, high):
        buffer[:] = np.float32(0.0)
        for k in range(0, whole, 4):
            a, b, c, d = matrices[k, i], matrices[k + 1, i], matrices[k + 2, i], matrices[k + 3, i]
            p, q, r, s = weights[k], weights[k + 1], weights[k + 2], weights[k + 3]
            for j in range(buffer.shape[0]):
                buffer[j] += (a[j] * p[j] + b[j] * q[j]) + (c[j] * r[j] + d[j] * s[j])
        for k in range(whole, matrices.shape[0]):
            a, p = matrices[k, i], weights[k]
            for j in range(buffer.shape[0]):
                buffer[j] += a[j] * p[j]
        size = buffer.shape[0]
        while size > 1:
            half = (size + 1) // 2
            first, second = buffer[: size - half], buffer[half:size]
            for j in range(size - half):
                first[j] += second[j]
            size = half
        out[i] = buffer[0]


@jit(bare=True)
def add_columns(matrix: Any, weights: Any, out: Any, low: int, high: int) -> None:
    """out[j] = the sum over i of weights[i] x matrix[i, j], for columns low .. high - 1; four rows at a time.

    Rows are cut first: where a loop may begin below 0 it does not vectorise.
    """
    total, whole = out[low:high], matrix.shape[0] // 4 * 4
    total[:] = np.float32(0.0)
    for i in range(0, whole, 4):
        p, q, r, s = weights[i], weights[i + 1], weights[i + 2], weights[i + 3]
        if p != 0.0 or q != 0.0 or r != 0.0 or s != 0.0:
            a, b, c, d = matrix[i], matrix[i + 1], matrix[i + 2], matrix[i + 3]
            a, b, c, d = a[low:high], b[low:high], c[low:high], d[low:high]
            for j in range(total.shape[0]):
                total[j] += (p * a[j] + q * b[j]) + (r * c[j] + s * d[j])
    for i in range(whole, matrix.shape[0]):
        p, a = weights[i], matrix[i]
        a = a[low:high]
        for j in range(total.shape[0]):
            total[j] += p * a[j]
