"""How often a player who swaps by the rule makes each category, counted over one flop and turn."""

from typing import Any

import numpy as np

from headsup.common.backend import jit
from headsup.discards.equity.kernels import ONE, START, THREE, TWO, swap_of, value_of

CARDS = 48  # left beside a flop and a turn


@jit(inner=True)
def _thrown(rule: Any, left: Any, board: Any, lying: int, out: Any) -> None:
    """out[k, d] = 1 where the hand of the k-th and the d-th card left throws the d-th on the first `lying` cards."""
    ranks, suits = np.uint64(0), np.uint64(0)
    for i in range(lying):
        ranks |= ONE << (board[i] >> TWO)
        suits += ONE << ((board[i] & THREE) << TWO)
    out[:] = 0
    for k in range(CARDS):
        for d in range(k):
            swap = swap_of(rule, left[d], left[k], ranks, suits)
            if swap == 1:
                out[k, d] = 1
            elif swap == 2:
                out[d, k] = 1


@jit(inner=True)
def _made(t: Any, category: Any, left: Any, board: Any, made: Any, counts: Any) -> None:
    """made[a, b, v]: the category of two cards with river v; counts[a, b]: how many rivers make each category."""
    counts[:] = 0
    key = START
    for i in range(4):
        key += t.card_keys[board[i]]
    for v in range(CARDS):
        board[4] = left[v]
        full = key + t.card_keys[left[v]]
        for a in range(CARDS):
            for b in range(a):
                if a != v and b != v:
                    kind = category[value_of(t, board, full, left[b], left[a])]
                    made[a, b, v] = made[b, a, v] = kind
                    counts[a, b, kind] += 1
                    counts[b, a, kind] += 1


@jit(inner=True)
def _drawn(ways: Any, kept: int, new: int, made: Any, counts: Any, out: Any) -> None:
    """Add the rivers of a kept and a new card, after ways[d] paths on which the d-th card left was thrown away.

    The new card and the river are not the card thrown away.
    """
    total = np.int64(0)
    for d in range(CARDS):
        if d != new and d != kept and ways[d]:
            total += ways[d]
            out[made[kept, new, d]] -= ways[d]
    for kind in range(out.shape[0]):
        out[kind] += total * counts[kept, new, kind]


@jit
def count_turn(tables: Any, category: Any, cards: Any, out: Any) -> None:
    """Add the final categories of every hand on a flop and turn: out[swaps, category], int64[4, 9].

    The rows are paths without a swap, with one on the turn, with one on the flop, and with both. cards: the flop and
    the turn, uint8[4]; category: uint8[7463], by value. A path is the first hand, the new cards, and the river.
    """
    rule, t = tables
    board, left = np.zeros(5, dtype=np.uint64), np.zeros(CARDS, dtype=np.uint64)
    n = 0
    for card in range(52):
        if card != cards[0] and card != cards[1] and card != cards[2] and card != cards[3]:
            left[n] = np.uint64(card)
            n += 1
    for i in range(4):
        board[i] = np.uint64(cards[i])
    flop, turn = np.empty((CARDS, CARDS), dtype=np.int64), np.empty((CARDS, CARDS), dtype=np.int64)
    _thrown(rule, left, board, np.int64(3), flop)
    _thrown(rule, left, board, np.int64(4), turn)
    made, counts = np.zeros((CARDS, CARDS, CARDS), dtype=np.uint8), np.zeros((CARDS, CARDS, 9), dtype=np.int32)
    _made(t, category, left, board, made, counts)
    ways, both, paths = np.zeros((3, CARDS), dtype=np.int64)
    later = np.zeros((CARDS, CARDS), dtype=np.int64)
    for k in range(CARDS):
        # later[e, d]: paths that keep k, threw d on the flop and throw e on the turn; the first hand was k or e with d
        later[:] = 0
        for e in range(CARDS):
            if turn[k, e]:
                for d in range(CARDS):
                    if d != k and d != e:
                        later[e, d] = flop[k, d] + flop[e, d]
        for d in range(CARDS):
            ways[d] = 0
            if not flop[k, d] and not flop[d, k] and d != k:
                ways[d] = turn[k, d]
            both[d] = 0
            for e in range(CARDS):
                both[d] += later[e, d]
        for e in range(CARDS):
            paths[e] = 0
            for d in range(CARDS):
                paths[e] += later[e, d]
        for y in range(CARDS):
            if y == k:
                continue
            if y < k and not (flop[k, y] or flop[y, k] or turn[k, y] or turn[y, k]):
                for kind in range(9):
                    out[0, kind] += counts[k, y, kind]
            _drawn(ways, k, y, made, counts, out[1])
            if not turn[k, y] and not turn[y, k]:
                _drawn(flop[k], k, y, made, counts, out[2])
            total = np.int64(0)
            for e in range(CARDS):
                if e != y and turn[k, e]:
                    total += paths[e] - later[e, y]
                    out[3, made[k, y, e]] -= paths[e] - later[e, y]
            for d in range(CARDS):
                if d != y and d != k:
                    out[3, made[k, y, d]] -= both[d] - later[y, d]
            for kind in range(9):
                out[3, kind] += total * counts[k, y, kind]
