"""Kernels of `headsup.nolimit.leaves`: sums over run-outs for all pairs of hands, one matrix for each lane.

A lane is a leaf with one of the opponent's continuations. Loops over the opponent's hands are innermost and vectorise.
"""

from typing import Any

import numpy as np

from headsup.common.backend import jit


@jit(bare=True)
def fill_table(ends: Any, table: Any, lane: int, low: int, high: int) -> None:
    """table[0 or 1, lane and after, own column, column]: values of pairs of columns on a board below one leaf.

    0 is what is paid whoever wins, 1 what a win adds and a loss takes; own columns low .. high - 1 are filled in.
    """
    for k in range(ends.theirs.shape[0]):
        for c in range(low, high):
            paid, won = table[0, lane + k, c], table[1, lane + k, c]
            paid[:] = np.float32(0.0)
            won[:] = np.float32(0.0)
            for q in range(ends.theirs.shape[1]):
                row, pays, wins = ends.theirs[k, q], ends.paid[q, c], ends.won[q, c]
                for d in range(row.shape[0]):
                    paid[d] += pays * row[d]
                if wins != 0.0:
                    for d in range(row.shape[0]):
                        won[d] += wins * row[d]


@jit(bare=True)
def add_board(table: Any, own: Any, theirs: Any, out: Any, low: int, high: int, buffers: Any) -> None:
    """out[lane, own hand, hand]: add what own hands earn on a board, for own columns low .. high - 1.

    Of both players' hands `column` and `rank` are given; the opponent's without a column (blocked) add nothing. Own
    hands are in `order` by column, those of a column from `start` on. Buffers are [2 lanes + 1, hands].
    """
    lanes, hands = table.shape[1], theirs.column.shape[0]
    sign, paid, won = buffers[0], buffers[1 : 1 + lanes], buffers[1 + lanes :]
    for c in range(low, high):
        if own.start[c] == own.start[c + 1]:
            continue
        for l in range(lanes):  # noqa: E741
            for j in range(hands):
                d = theirs.column[j]
                paid[l, j] = table[0, l, c, d] if d >= 0 else np.float32(0.0)
                won[l, j] = table[1, l, c, d] if d >= 0 else np.float32(0.0)
        for place in range(own.start[c], own.start[c + 1]):
            i = own.order[place]
            rank = own.rank[i]
            for j in range(hands):
                sign[j] = np.float32(rank > theirs.rank[j]) - np.float32(rank < theirs.rank[j])
            for l in range(lanes):  # noqa: E741
                row, fixed, swing = out[l, i], paid[l], won[l]
                for j in range(hands):
                    row[j] += fixed[j] + sign[j] * swing[j]


@jit(bare=True)
def count_pairs(columns: Any, ranks: Any, boards: Any, signs: Any, low: int, high: int) -> None:
    """Count the run-outs of pairs and their signs there, [own hand, hand], for own hands low .. high - 1.

    `columns` and `ranks` are [run-outs, hands] of both players.
    """
    for i in range(low, high):
        board, sign = boards[i], signs[i]
        for b in range(columns[0].shape[0]):
            if columns[0][b, i] < 0:
                continue
            mine, column, rank = ranks[0][b, i], columns[1][b], ranks[1][b]
            for j in range(board.shape[0]):
                free = np.float32(column[j] >= 0)
                board[j] += free
                sign[j] += free * (np.float32(mine > rank[j]) - np.float32(mine < rank[j]))


@jit(bare=True)
def add_rows(matrices: Any, weights: Any, out: Any, low: int, high: int, buffer: Any) -> None:
    """out[i] = the sum over k and j of matrices[k, i, j] x weights[k, j], for rows low .. high - 1.

    The last sum is by halves, so that it vectorises and has the same order on any machine. The buffer is [columns].
    """
    for i in range(low, high):
        buffer[:] = np.float32(0.0)
        for k in range(matrices.shape[0]):
            row, weight = matrices[k, i], weights[k]
            for j in range(row.shape[0]):
                buffer[j] += row[j] * weight[j]
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
