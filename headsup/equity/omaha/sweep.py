"""Omaha range against range on complete boards: the sorted-showdown sweep for four-card hands, high and low together.

Number the lows of a board 0 (none), 1, 2, .. from worst to best, and walk the high values from worst to best. The
weight of a player's walked hands is kept for every set S of at most three cards and every low number, and for each low
number of the opponent a hand beats

    sum over S, a subset of its cards: (-1)^|S| walked[S, low]

Comparing the low numbers splits this into the `win` row of the 3 x 4 grid; the opponent's view gives the `lose` row;
all hands walked, whatever their high, give the sum of the rows, and the `tie` row is the rest.
"""

from functools import cache
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.combos import binomials, combos
from headsup.common.backend import jit
from headsup.common.progress import Watch
from headsup.equity.blocks import block_size, map_blocks
from headsup.equity.holdem.rankboards import pair_index, tables
from headsup.equity.omaha.boards import LOW_BIT, omaha_tables
from headsup.equity.question import Question, exact_sum
from headsup.equity.results import Grid, as_grid

_WORDS = 117
_SETS = 1 + 52 + 1326 + 22100
_MOST_LOWS = 57


class HandArrays(NamedTuple):
    """The hands that either player holds, as the kernels want them."""

    cards: npt.NDArray[np.uint8]
    masks: npt.NDArray[np.uint64]
    ranks: npt.NDArray[np.int32]  # which row of `pairs` a hand's ranks are
    pairs: npt.NDArray[np.uint8]  # [., 6]: the six rank pairs of each multiset of ranks that occurs
    lows: npt.NDArray[np.uint8]  # the mask of low ranks a hand holds
    sets: npt.NDArray[np.int32]
    """[n, 15]: the numbers of the subsets of at most three cards: 1 empty, 4 single cards, 6 pairs, 4 triples."""
    mine: npt.NDArray[np.int64]
    theirs: npt.NDArray[np.int64]


class BoardTables(NamedTuple):
    steps: npt.NDArray[np.uint16]
    pair_high: npt.NDArray[np.uint16]
    flush: npt.NDArray[np.uint16]
    set_number: npt.NDArray[np.int16]  # [8192]: the number of a set of three to five ranks in `suited`
    low: npt.NDArray[np.uint8]
    board_low: npt.NDArray[np.uint8]


@jit(inner=True)
def _values(t: Any, board: Any, h: Any, with_low: bool, best: Any, high: Any, low: Any) -> Any:
    """Fill high[] and low[] of every hand, with -1 in high where it shares a card; how many low numbers there are."""
    row: Any = 0
    taken = np.uint64(0)
    suits = np.zeros(4, dtype=np.int64)
    counts = np.zeros(4, dtype=np.int64)
    for i in range(5):
        card = np.int64(board[i])
        row += np.int64(t.steps[i, card >> 2])
        taken |= np.uint64(1) << np.uint64(card)
        suits[card & 3] |= 1 << (card >> 2)
        counts[card & 3] += 1
    flush = -1
    number: Any = 0
    for s in range(4):
        if counts[s] >= 3:
            flush = s
            number = np.int64(t.set_number[suits[s]])
    for i in range(h.pairs.shape[0]):
        value = np.uint16(0)
        for k in range(6):
            value = max(value, t.pair_high[row, h.pairs[i, k]])
        best[i] = value
    for i in range(h.cards.shape[0]):
        if h.masks[i] & taken:
            high[i] = -1
            continue
        high[i] = best[h.ranks[i]]
        if flush >= 0:
            high[i] = max(high[i], _flush_value(t, h.cards[i], flush, number))
        low[i] = 0
    if not with_low:
        return 1
    return _number_lows(t.low, np.int64(t.board_low[row]), h.lows, low)


@jit(inner=True)
def _flush_value(t: Any, hand: Any, suit: int, number: int) -> Any:
    """The best flush of two of the hand's cards with the board's cards of the suit, or 0."""
    value: Any = 0
    for j in range(1, 4):
        if np.int64(hand[j]) & 3 == suit:
            above = np.int64(hand[j]) >> 2
            for i in range(j):
                if np.int64(hand[i]) & 3 == suit:
                    below = np.int64(hand[i]) >> 2
                    value = max(value, np.int64(t.flush[below + above * (above - 1) // 2, number]))
    return value


@jit(inner=True)
def _number_lows(table: Any, board: int, masks: Any, low: Any) -> int:
    """Fill low[] with 0 for none and 1, 2, .. for the lows that occur, worst to best; how many numbers there are."""
    seen = np.zeros(_MOST_LOWS, dtype=np.int64)
    for mask in range(256):
        seen[table[mask, board]] = 1
    count = 1
    for value in range(1, _MOST_LOWS):
        if seen[value]:
            seen[value] = count
            count += 1
    seen[0] = 0
    for i in range(masks.shape[0]):
        low[i] = seen[table[masks[i], board]]
    return count


@jit(inner=True)
def _look(walked: Any, sets: Any, lows: int, acc: Any) -> None:
    """acc[low] = weight of the walked hands with this low that share no card with the hand, the hand itself apart."""
    for n in range(lows):
        acc[n] = walked[0, n]
    for k in range(1, 5):
        for n in range(lows):
            acc[n] -= walked[sets[k], n]
    for k in range(5, 11):
        for n in range(lows):
            acc[n] += walked[sets[k], n]
    for k in range(11, 15):
        for n in range(lows):
            acc[n] -= walked[sets[k], n]


@jit(inner=True)
def _split(acc: Any, lows: int, low: int, weight: int, out: Any) -> None:
    """Add weight * acc to a row of the grid: none, win, tie, lose of the player whose low number is `low`."""
    for n in range(lows):
        if n == low:
            out[0 if low == 0 else 2] += weight * acc[n]
        elif n < low:
            out[1] += weight * acc[n]
        else:
            out[3] += weight * acc[n]


@jit(inner=True)
def _walk(h: Any, low: Any, lows: int, looker: Any, walker: Any, lists: Any, walked: Any, out: Any) -> None:
    """One sweep: out += what the looker's hands beat of the walker's hands, by the looker's low outcome.

    Leaves every hand of the walker in `walked`. `lists` is (heads, nexts, words), filled by `_hang`.
    """
    heads, nexts, words = lists
    acc = np.empty(_MOST_LOWS, dtype=np.int64)
    for w in range(_WORDS):
        if words[w] == np.uint64(0):
            continue
        for place in range(64):
            if not words[w] >> np.uint64(place) & np.uint64(1):
                continue
            first = heads[64 * w + place]
            i = first
            while i >= 0:
                if looker[i]:
                    _look(walked, h.sets[i], lows, acc)
                    _split(acc, lows, low[i], looker[i], out)
                i = nexts[i]
            i = first
            while i >= 0:
                if walker[i]:
                    for k in range(15):
                        walked[h.sets[i, k], low[i]] += walker[i]
                i = nexts[i]


@jit(inner=True)
def _hang(high: Any, lists: Any) -> None:
    """Put every hand that fits on the list of its high value."""
    heads, nexts, words = lists
    words[:] = np.uint64(0)
    for i in range(high.shape[0]):
        value = high[i]
        if value < 0:
            continue
        word = value >> 6
        bit = np.uint64(1) << np.uint64(value & 63)
        if words[word] & bit:
            nexts[i] = heads[value]
        else:
            words[word] |= bit
            nexts[i] = -1
        heads[value] = i


@jit(inner=True)
def _clear(h: Any, high: Any, low: Any, walker: Any, walked: Any) -> None:
    for i in range(high.shape[0]):
        if high[i] >= 0 and walker[i]:
            for k in range(15):
                walked[h.sets[i, k], low[i]] = 0


@jit
def omaha_boards_sweep(t: Any, boards: Any, h: Any, walked: Any, same: bool, out: Any) -> None:
    """out[board] = the 3 x 4 grid, except that row 1 holds the sum of all rows and row 2 is the opponent's view.

    `walked` holds zeros, one column for each low number a board can have, and does so again afterwards.
    """
    n = h.cards.shape[0]
    best = np.empty(h.pairs.shape[0], dtype=np.int64)
    high = np.empty(n, dtype=np.int64)
    low = np.zeros(n, dtype=np.int64)
    lists = (np.empty(64 * _WORDS, dtype=np.int64), np.empty(n, dtype=np.int64), np.zeros(_WORDS, dtype=np.uint64))
    acc = np.empty(_MOST_LOWS, dtype=np.int64)
    out[:] = 0
    for b in range(boards.shape[0]):
        lows = _values(t, boards[b], h, walked.shape[1] > 1, best, high, low)
        _hang(high, lists)
        if not same:
            _walk(h, low, lows, h.theirs, h.mine, lists, walked, out[b, 2])
            _clear(h, high, low, h.mine, walked)
        _walk(h, low, lows, h.mine, h.theirs, lists, walked, out[b, 0])
        for i in range(n):
            if high[i] >= 0 and h.mine[i]:
                _look(walked, h.sets[i], lows, acc)
                acc[low[i]] += h.theirs[i]  # the whole hand as a subset
                _split(acc, lows, low[i], h.mine[i], out[b, 1])
        _clear(h, high, low, h.theirs, walked)


def omaha_sweep(question: Question, progress: Watch | None = None) -> Grid:
    """The exact grid of an Omaha question, board by board."""
    boards, sizes = question.boards()
    same = question.a.same_as(question.b)
    hands, described = _hands(question), _board_arrays()
    most = _most_lows() if question.game == "omaha8" else 1
    counter = (
        np.int32 if max(question.a.total, question.b.total) < 1 << 31 else np.int64
    )  # the narrower, the more in cache

    def work(block: slice) -> npt.NDArray[np.object_]:
        counts = np.empty((block.stop - block.start, 3, 4), dtype=np.int64)
        walked = np.zeros((_SETS, most), dtype=counter)
        omaha_boards_sweep(described, boards[block], hands, walked, same, counts)
        total = np.zeros((3, 4), dtype=object)
        for place in np.ndindex(3, 4):
            # A board's count may be near the limit of int64, so the size of its orbit is multiplied in afterwards.
            column = counts[(slice(None), *place)]
            total[place] = sum(size * exact_sum(column[sizes[block] == size]) for size in set(sizes[block].tolist()))
        return total

    summed = sum(map_blocks(work, len(boards), block_size(len(boards), 256), progress), np.zeros((3, 4), dtype=object))
    win, theirs = summed[0], summed[0] if same else summed[2]
    lose = theirs[[0, 3, 2, 1]]
    return as_grid([win.tolist(), (summed[1] - win - lose).tolist(), lose.tolist()])


def _hands(question: Question) -> HandArrays:
    held = np.union1d(question.a.combos, question.b.combos)
    cards = np.ascontiguousarray(combos(4)[held])
    ranks = cards >> 2
    kinds, which = np.unique(ranks, axis=0, return_inverse=True)
    index = pair_index()
    return HandArrays(
        cards=cards,
        masks=np.bitwise_or.reduce(np.uint64(1) << cards.astype(np.uint64), axis=1),
        ranks=which.reshape(-1).astype(np.int32),
        pairs=np.stack([index[kinds[:, i], kinds[:, j]] for i, j in combinations(range(4), 2)], axis=1),
        lows=np.bitwise_or.reduce(LOW_BIT[ranks], axis=1),
        sets=_subset_numbers(cards),
        mine=question.a.spread()[held],
        theirs=question.b.spread()[held],
    )


@cache
def _most_lows() -> int:
    """The most low numbers, none included, that any board has."""
    return max(len(np.unique(column)) for column in omaha_tables().low.T) + 1


def _subset_numbers(cards: npt.NDArray[np.uint8]) -> npt.NDArray[np.int32]:
    table = binomials()
    columns = []
    start = 0
    for size in range(4):
        for chosen in combinations(range(4), size):
            index = sum((table[cards[:, column], i + 1] for i, column in enumerate(chosen)), np.zeros(len(cards)))
            columns.append(start + index)
        start += comb(52, size)
    return np.ascontiguousarray(np.stack(columns, axis=1).astype(np.int32))


@cache
def _board_arrays() -> BoardTables:
    known, base = omaha_tables(), tables()
    numbers = np.full(8192, -1, dtype=np.int16)
    numbers[base.suited] = np.arange(len(base.suited))
    return BoardTables(
        base.steps, np.ascontiguousarray(known.pair_high.T), known.flush, numbers, known.low, known.board_low
    )
