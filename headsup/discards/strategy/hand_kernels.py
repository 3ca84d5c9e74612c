"""What the report sees in hands and boards, for many at once; `headsup.discards.strategy.hands` has the words for it.

Ranks are 0 (deuce) to 12 (ace); the report's value of a card is its rank and two.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.common.backend import jit

NOTHING, WEAK_DRAW, STRONG_DRAW, WEAK_PAIR, MIDDLE_PAIR, TOP_PAIR, OVERPAIR = range(7)
TWO_PAIR, TRIPS, STRAIGHT, WEAK_FLUSH, STRONG_FLUSH, FULL_HOUSE, QUADS = range(7, 14)


def _straight_tops() -> npt.NDArray[np.int8]:
    """[8192] the highest rank of the best straight in each mask of ranks, -1 if there is none."""
    masks = np.arange(8192)
    tops = np.full(8192, -1, dtype=np.int8)
    for top in range(3, 13):
        row = sum(1 << rank % 13 for rank in range(top - 4, top + 1))
        tops[masks & row == row] = top
    return tops


TOPS = _straight_tops()
NEAR = 1.5 ** -np.arange(13.0)
BITS = np.bitwise_count(np.arange(8192)).astype(np.int8)


@jit(inner=True)
def straight_outs(every: int, board: int) -> int:
    """The number of ranks that make a straight with the hand's help, higher than the board's own."""
    outs = 0
    for rank in range(13):
        bit = 1 << rank
        if not every & bit:
            outs += TOPS[every | bit] > TOPS[board | bit]
    return outs


@jit(inner=True)
def best_full(counts: Any) -> int:
    """13 * rank of the three + rank of the two + 1 of the best full house in counts by rank; 0 if there is none."""
    three, two = -1, -1
    for rank in range(12, -1, -1):
        if counts[rank] >= 3 and three < 0:
            three = rank
        elif counts[rank] >= 2 and two < 0:
            two = rank
    return 13 * three + two + 1 if three >= 0 and two >= 0 else 0


@jit(inner=True)
def flush_of(first: int, second: int, mask: Any, table: Any) -> int:
    """13 if the hand makes a straight flush, 11 or 10 for a strong or weak flush, 0 for none of its own.

    `mask` and `table` are the masks of ranks by suit of all cards and of the board.
    """
    for suit in range(4):
        if BITS[mask[suit]] < 5 or mask[suit] == table[suit]:
            continue
        if TOPS[mask[suit]] > TOPS[table[suit]]:
            return QUADS
        own = max(first >> 2 if first & 3 == suit else -1, second >> 2 if second & 3 == suit else -1)
        above, missing = 0, 0
        for rank in range(own + 1, 13):
            if (mask[suit] >> rank) & 1:
                above += 1
            else:
                missing += 1
        if above < 5:
            return STRONG_FLUSH if missing < 3 else WEAK_FLUSH
    return 0


@jit(inner=True)
def pair_strength(pair: int, pocket: bool, board: int) -> int:
    """The kind of a pair beside a mask of the board's ranks."""
    top, second = -1, -1
    for rank in range(12, -1, -1):
        if (board >> rank) & 1:
            if top < 0:
                top = rank
            elif second < 0:
                second = rank
    if pair >= top:
        return OVERPAIR if pocket and pair > top else TOP_PAIR
    return MIDDLE_PAIR if pair >= second else WEAK_PAIR


@jit(inner=True)
def strength_of(first: int, second: int, board: Any, board_pairs: bool, river_draws: bool, scratch: Any) -> int:
    """The strength of one hand, 0 to 13. `scratch` is [2, 17]: cards by rank and masks by suit, of all and the board.

    `board_pairs` counts pairs that lie on the board as the hand's own, `river_draws` sees draws on the river too: two
    of the report's faults.
    """
    scratch[:] = 0
    counts, mask, table = scratch[:, :13], scratch[0, 13:], scratch[1, 13:]
    for i in range(len(board)):
        card = np.int64(board[i])
        counts[0, card >> 2] += 1
        counts[1, card >> 2] += 1
        mask[card & 3] |= 1 << (card >> 2)
        table[card & 3] |= 1 << (card >> 2)
    for card in (first, second):
        counts[0, card >> 2] += 1
        mask[card & 3] |= 1 << (card >> 2)
    every, shared = mask[0] | mask[1] | mask[2] | mask[3], table[0] | table[1] | table[2] | table[3]
    low, high = min(first >> 2, second >> 2), max(first >> 2, second >> 2)
    suited = flush_of(first, second, mask, table)
    full, theirs = best_full(counts[0]), best_full(counts[1])
    if suited == QUADS or counts[0, low] == 4 or counts[0, high] == 4:
        return QUADS
    if full > (0 if board_pairs else theirs):
        return FULL_HOUSE
    if suited:
        return suited
    if TOPS[every] > TOPS[shared]:
        return STRAIGHT
    if counts[0, low] == 3 or counts[0, high] == 3:
        return TRIPS
    pairs, pair = 0, -1
    for rank in range(13):
        if counts[0, rank] >= 2 and (board_pairs or rank in (low, high)):
            if counts[0, rank] == 3:
                return TRIPS
            pairs, pair = pairs + 1, rank
    if pairs >= 2:
        return TWO_PAIR
    if pairs == 1:
        return pair_strength(pair, low == high, shared)
    if len(board) == 5 and not river_draws:
        return NOTHING
    return draw_strength(low, mask, table, every, shared)


@jit(inner=True)
def draw_strength(low: int, mask: Any, table: Any, every: int, shared: int) -> int:
    """The draws of an unpaired hand; `low` is its lower rank."""
    for suit in range(4):
        if BITS[mask[suit]] == 4 and mask[suit] != table[suit]:
            return STRONG_DRAW
    outs = straight_outs(every, shared)
    over = shared < (1 << low)
    if outs >= 2 or (over and outs == 1):
        return STRONG_DRAW
    return WEAK_DRAW if over or outs == 1 else NOTHING


@jit
def strengths(holes: Any, boards: Any, board_pairs: bool, river_draws: bool, out: Any) -> None:
    """The strength of each hand (two cards a row) on its board (three to five cards a row)."""
    scratch = np.zeros((2, 17), dtype=np.int64)
    for i in range(len(holes)):
        first, second = np.int64(holes[i, 0]), np.int64(holes[i, 1])
        out[i] = strength_of(first, second, boards[i], board_pairs, river_draws, scratch)


@jit(inner=True)
def texture_parts(board: Any, suits: Any, out: Any) -> None:
    """Connectivity before its factor, the mean value, the highest value and the pairs of a board; `suits` gets counts.

    Pairs: 1 for a pair, 2 for three of a kind, else 0 (two pairs count as one: the report has flops in mind).
    """
    ranks, near, total, high, most = 0, 0.0, 0, 0, 1
    suits[:] = 0
    for i in range(len(board)):
        card = np.int64(board[i])
        suits[card & 3] += 1
        total += (card >> 2) + 2
        high = max(high, (card >> 2) + 2)
        same = 0
        for j in range(len(board)):
            same += (np.int64(board[j]) >> 2) == (card >> 2)
        most = max(most, same)
        ranks |= 1 << (card >> 2)
    for a in range(13):
        if (ranks >> a) & 1:
            for b in range(a):
                near += NEAR[a - b] * ((ranks >> b) & 1)
    out[0], out[1], out[2], out[3] = near, total / len(board), high, most - 1


@jit
def textures(boards: Any, out: Any) -> None:
    """(wetness, volatility) of boards of three to five cards; volatility is that of flops, else 0."""
    parts, suits = np.zeros(4), np.zeros(4, dtype=np.int64)
    size = boards.shape[1]
    for i in range(len(boards)):
        texture_parts(boards[i], suits, parts)
        suited = 0.0
        for suit in range(4):
            if size == 5:
                suited += 5.0 if suits[suit] >= 4 else 2.0 if suits[suit] == 3 else 0.0
            else:
                suited += 6.0 if suits[suit] == 4 else 3.0 if suits[suit] == 3 else 1.0 if suits[suit] == 2 else 0.0
        connected = parts[0] * (3.0 if size == 3 else 2.0 if size == 4 else 1.5)
        out[i, 0] = connected + suited + parts[1] / 4.0
        out[i, 1] = connected + suited + 7.0 - 1.15 ** parts[2] - parts[3] if size == 3 else 0.0
