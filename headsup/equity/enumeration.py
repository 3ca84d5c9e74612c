"""Brute force: every board, every pair of hands, every showdown. The faster routes are checked against it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from headsup.common.progress import Watch
from headsup.equity.blocks import block_size, map_blocks
from headsup.equity.question import Question, Side, exact_sum
from headsup.equity.results import Grid, as_grid
from headsup.evaluate import omaha_high, omaha_low, rank_hands

PER_BLOCK = 1 << 22


def enumerate_grid(question: Question, progress: Watch | None = None) -> Grid:
    from headsup.equity.enumeration_kernels import compare

    boards = question.all_boards()

    def work(block: slice) -> list[list[int]]:
        high_a, low_a = side_ranks(question.game, question.a, boards[block])
        high_b, low_b = side_ranks(question.game, question.b, boards[block])
        counts = np.zeros((3, 4, block.stop - block.start), dtype=np.int64)
        sides = [(side.masks, side.weights) for side in (question.a, question.b)]
        compare(high_a, high_b, low_a, low_b, sides[0], sides[1], counts)
        return [[exact_sum(counts[i, j]) for j in range(4)] for i in range(3)]

    hands = len(question.a.combos) + len(question.b.combos)
    size = block_size(len(boards), max(1, PER_BLOCK // hands))
    parts = list(map_blocks(work, len(boards), size, progress))
    return as_grid([[sum(part[i][j] for part in parts) for j in range(4)] for i in range(3)])


def side_ranks(
    game: str, side: Side, boards: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint8]]:
    """uint16 high and uint8 low ranks [hand, board], 0 where a hand shares a card with the board."""
    board_masks = np.bitwise_or.reduce(np.uint64(1) << boards.astype(np.uint64), axis=1)
    high = np.zeros((len(side.combos), len(boards)), dtype=np.uint16)
    low = np.zeros((len(side.combos), len(boards)), dtype=np.uint8)
    for i, (cards, mask) in enumerate(zip(side.cards, side.masks, strict=True)):
        free = board_masks & mask == 0
        on = boards[free]
        if len(on):
            high[i, free], low[i, free] = showdown(game, np.tile(cards, (len(on), 1)), on)
    return high, low


def showdown(
    game: str, hands: npt.NDArray[np.uint8], boards: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint8]]:
    """The high and low rank of each hand on its board; lows are 0 in games without one."""
    no_low = np.zeros(len(hands), dtype=np.uint8)
    if game == "holdem":
        return rank_hands(np.concatenate([hands, boards], axis=1)), no_low
    return omaha_high(hands, boards), omaha_low(hands, boards) if game == "omaha8" else no_low
