"""Kernels of `headsup.nolimit.leaves`: sums over run-outs for all pairs of hands below a leaf.

There is one matrix for each lane. A lane is one of the opponent's continuations. Loops over the opponent's hands are
innermost and vectorise.
"""

from typing import Any

import numpy as np

from headsup.common.backend import jit


@jit(bare=True)
def fill_tables(ends: Any, start: Any, tables: Any, low: int, high: int) -> None:
    """tables[board, 0 or 1, lane, own column, column]: values of pairs of columns below a leaf.

    Boards low .. high - 1 are filled in. 0 is what is paid whoever wins, 1 what a win adds and a loss takes. In `ends`
    the columns of board b begin at start[b]. Where a board has no such column, the table stays as it was.
    """
    for b in range(low, high):
        first, width = start[b], start[b + 1] - start[b]
        for k in range(ends.theirs.shape[0]):
            for c in range(width):
                paid, won = tables[b, 0, k, c, :width], tables[b, 1, k, c, :width]
                paid[:] = np.float32(0.0)
                won[:] = np.float32(0.0)
                for q in range(ends.theirs.shape[1]):
                    row, pays, wins = (
                        ends.theirs[k, q, first : first + width],
                        ends.paid[q, first + c],
                        ends.won[q, first + c],
                    )
                    for d in range(width):
                        paid[d] += pays * row[d]
                    if wins != 0.0:
                        for d in range(width):
                            won[d] += wins * row[d]


@jit(bare=True)
def add_boards(tables: Any, own: Any, theirs: Any, out: Any, low: int, high: int, buffers: Any) -> None:
    """out[lane, own hand, hand]: add what own hands earn on some boards, against the opponent's hands low .. high - 1.

    Of both players' hands `column` and `rank` are given, [board, hand]; the opponent's that are blocked have the last
    column of the tables, which is 0. Own hands are in `order` by column, those of a column from `start` on. Buffers are
    [2 lanes + 1, hands].
    """
    lanes, hands = tables.shape[2], high - low
    sign, paid, won = buffers[0], buffers[1 : 1 + lanes], buffers[1 + lanes :]
    for b in range(tables.shape[0]):
        columns, ranks = theirs.column[b, low:high], theirs.rank[b, low:high]
        for c in range(tables.shape[3]):
            if own.start[b, c] == own.start[b, c + 1]:
                continue
            for l in range(lanes):  # noqa: E741
                pays, wins = tables[b, 0, l, c], tables[b, 1, l, c]
                for j in range(hands):
                    paid[l, j] = pays[columns[j]]
                    won[l, j] = wins[columns[j]]
            for place in range(own.start[b, c], own.start[b, c + 1]):
                i = own.order[b, place]
                rank = own.rank[b, i]
                for j in range(hands):
                    sign[j] = np.float32(rank > ranks[j]) - np.float32(rank < ranks[j])
                for l in range(lanes):  # noqa: E741
                    row, fixed, swing = out[l, i, low:high], paid[l], won[l]
                    for j in range(hands):
                        row[j] += fixed[j] + sign[j] * swing[j]


@jit(bare=True)
def count_pairs(own: Any, theirs: Any, boards: Any, signs: Any, first: int) -> None:
    """Count the boards of pairs and their signs there, [own hand from the first on, hand]."""
    unpaid = own.start.shape[1] - 1
    for row in range(boards.shape[0]):
        i, board, sign = first + row, boards[row], signs[row]
        for b in range(own.column.shape[0]):
            if own.column[b, i] == unpaid:
                continue
            mine, column, rank = own.rank[b, i], theirs.column[b], theirs.rank[b]
            for j in range(board.shape[0]):
                free = np.float32(column[j] != unpaid)
                board[j] += free
                sign[j] += free * (np.float32(mine > rank[j]) - np.float32(mine < rank[j]))


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
