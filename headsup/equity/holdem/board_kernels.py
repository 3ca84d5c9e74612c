"""Kernels that hold'em and Omaha share for rank boards."""

from typing import Any

from headsup.common.backend import jit
from headsup.equity.holdem.rankboards import CHOOSE


@jit(inner=True)
def bits(mask: int) -> int:
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@jit
def board_weights(rank_boards: Any, left: Any, weights: Any) -> None:
    """weights[b] = how many real boards have the ranks of b, when left[r] cards of rank r are in the deck."""
    for board in range(rank_boards.shape[0]):
        weight, run = 1, 1
        for i in range(1, 6):
            if i < 5 and rank_boards[board, i] == rank_boards[board, i - 1]:
                run += 1
            else:
                weight *= CHOOSE[left[rank_boards[board, i - 1]], run]
                run = 1
        weights[board] = weight
