"""Places of hands among all hands on a board, and their draws, for many boards at once."""

from typing import Any

import numpy as np

from headsup.common.backend import jit
from headsup.common.splitmix_kernels import draw
from headsup.evaluate.kernels import FLUSH_BITS, NO_CARDS, unsuited


@jit(inner=True)
def board_values(board: Any, card_keys: Any, row_starts: Any, values: Any, flush: Any, out: Any) -> int:
    """Write the value of every two-card hand on a board of three to five cards; return the number of hands."""
    masks, dead = np.zeros(4, dtype=np.int64), np.zeros(52, dtype=np.bool_)
    key = NO_CARDS
    for i in range(len(board)):
        card = np.int64(board[i])
        key += card_keys[card]
        masks[card & 3] |= 1 << (card >> 2)
        dead[card] = True
    count = 0
    for a in range(52):
        if dead[a]:
            continue
        half = key + card_keys[a]
        for b in range(a):
            if dead[b]:
                continue
            full = half + card_keys[b]
            if full & FLUSH_BITS:
                best = 0
                for suit in range(4):
                    mask = masks[suit]
                    if a & 3 == suit:
                        mask |= 1 << (a >> 2)
                    if b & 3 == suit:
                        mask |= 1 << (b >> 2)
                    best = max(best, np.int64(flush[mask]))
                out[count] = best
            else:
                out[count] = unsuited(full, row_starts, values)
            count += 1
    return count


@jit
def places(boards: Any, card_keys: Any, row_starts: Any, values: Any, flush: Any, mine: Any, out: Any) -> None:
    """The share of all hands on its board that each hand is ahead of, ties half.

    boards: uint8[n, k]; mine: uint16[n, m] what the hands are worth; out: float32[n, m].
    """
    every = np.zeros(1326, dtype=np.uint16)
    for i in range(len(boards)):
        count = board_values(boards[i], card_keys, row_starts, values, flush, every)
        for j in range(mine.shape[1]):
            worth = mine[i, j]
            twice = 0
            for k in range(count):
                twice += np.int64(every[k] < worth) + np.int64(every[k] <= worth)
            out[i, j] = twice / (2.0 * count)


@jit
def draws(holes: Any, boards: Any, tops: Any, out: Any) -> None:
    """0 no draw, 1 a gutshot or two overcards, 2 a flush draw or two ways to a straight, 3 a flush draw and more.

    holes: uint8[n, m, 2], boards: uint8[n, k]; tops: the highest rank of the best straight by mask of ranks.
    """
    for i in range(len(boards)):
        board, suits = 0, np.zeros(4, dtype=np.int64)
        for k in range(boards.shape[1]):
            card = np.int64(boards[i, k])
            board |= 1 << (card >> 2)
            suits[card & 3] += 1
        for j in range(holes.shape[1]):
            a, b = np.int64(holes[i, j, 0]), np.int64(holes[i, j, 1])
            every = board | (1 << (a >> 2)) | (1 << (b >> 2))
            outs = 0
            if tops[every] <= tops[board]:
                for rank in range(13):
                    outs += tops[every | (1 << rank)] > tops[board | (1 << rank)]
            four = suits[a & 3] + 1 + (a & 3 == b & 3) == 4 or suits[b & 3] + 1 + (a & 3 == b & 3) == 4
            over = board < (1 << min(a >> 2, b >> 2))
            if four:
                out[i, j] = 3 if outs or over else 2
            elif outs >= 2:
                out[i, j] = 2
            else:
                out[i, j] = 1 if outs or over else 0


@jit
def deal(seed: Any, out: Any) -> None:
    """Distinct cards into each row."""
    pack = np.arange(52)
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            k = j + int(draw(seed) * (52 - j))
            pack[j], pack[k] = pack[k], pack[j]
            out[i, j] = pack[j]
