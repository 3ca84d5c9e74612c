"""Hold'em before the flop by rank/suit factorisation, compiled; see `headsup.equity.holdem.preflop`."""

from collections.abc import Iterable
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import rank_multisets
from headsup.common.backend import jit
from headsup.equity.blocks import map_blocks
from headsup.equity.holdem.board_kernels import bits, board_weights
from headsup.equity.holdem.rankboards import N_KINDS, N_PAIRS, kind_ranks, tables

_THREES = 286
_FOURS = 286 + 715


@jit(inner=True)
def _pair(low: int, high: int) -> int:
    if low > high:
        low, high = high, low
    return low + high * (high + 1) // 2


@jit(inner=True)
def _rank_part(row_a: Any, row_b: Any, weights: Any) -> tuple[int, int]:
    """(wins, ties) of the first rank pair over all boards, as if no flush existed."""
    wins = 0
    ties = 0
    for board in range(row_a.shape[0]):
        if row_a[board] > row_b[board]:
            wins += weights[board]
        elif row_a[board] == row_b[board]:
            ties += weights[board]
    return wins, ties


@jit(inner=True)
def _suit_part(t: Any, row_a: Any, row_b: Any, suit_a: int, suit_b: int, gone: int, left: Any) -> tuple[int, int]:
    """What one suit's flushes change: (wins, ties) with them minus without, over boards with three or more of the suit.

    `suit_a`, `suit_b` are the ranks each hand holds in the suit, `gone` the ranks that no board can have in it, and
    `left[r]` the cards of rank r left in the other three suits.
    """
    twos = np.empty(91, dtype=np.int64)
    at = 0
    for high in range(13):
        for low in range(high):
            twos[at] = left[low] * left[high]
            at += 1
        twos[at] = left[high] * (left[high] - 1) // 2
        at += 1
    single = np.ones(1, dtype=np.int64)
    most = max(bits(suit_a), bits(suit_b))
    first = 0 if most == 2 else (_THREES if most == 1 else _FOURS)
    wins = 0
    ties = 0
    for n in range(first, t.suited.shape[0]):
        mask = np.int64(t.suited[n])
        if mask & gone:
            continue
        flush_a = t.flush[mask | suit_a]
        flush_b = t.flush[mask | suit_b]
        if flush_a == 0 and flush_b == 0:
            continue
        if n < _THREES:
            others, start = twos, 91 * n
        elif n < _FOURS:
            others, start = left, 91 * _THREES + 13 * (n - _THREES)
        else:
            others, start = single, 91 * _THREES + 13 * (_FOURS - _THREES) + (n - _FOURS)
        for u in range(others.shape[0]):
            board = t.together[start + u]
            plain_a, plain_b = row_a[board], row_b[board]
            full_a, full_b = max(plain_a, flush_a), max(plain_b, flush_b)
            wins += others[u] * (np.int64(full_a > full_b) - np.int64(plain_a > plain_b))
            ties += others[u] * (np.int64(full_a == full_b) - np.int64(plain_a == plain_b))
    return wins, ties


@jit
def _hand_v_hand(t: Any, cards: Any, dead: int) -> tuple[int, int]:
    """(wins, ties) of cards[:2] against cards[2:] over every board free of the dead cards."""
    deck = np.ones((4, 13), dtype=np.int64)
    for card in range(52):
        if dead >> card & 1:
            deck[card & 3, card >> 2] = 0
    for card in cards:
        deck[card & 3, card >> 2] = 0
    left = deck[0] + deck[1] + deck[2] + deck[3]
    row_a = t.by_pair[_pair(cards[0] >> 2, cards[1] >> 2)]
    row_b = t.by_pair[_pair(cards[2] >> 2, cards[3] >> 2)]
    weights = np.empty(t.rank_boards.shape[0], dtype=np.int64)
    board_weights(t.rank_boards, left, weights)
    wins, ties = _rank_part(row_a, row_b, weights)
    for s in range(4):
        suit_a = suit_b = gone = np.int64(0)
        for rank in range(13):
            gone |= (1 - deck[s, rank]) << rank
        for i in range(2):
            if cards[i] & 3 == s:
                suit_a |= 1 << (cards[i] >> 2)
            if cards[2 + i] & 3 == s:
                suit_b |= 1 << (cards[2 + i] >> 2)
        more_wins, more_ties = _suit_part(t, row_a, row_b, suit_a, suit_b, gone, left - deck[s])
        wins += more_wins
        ties += more_ties
    return wins, ties


@jit
def _rank_rows(t: Any, pairs: Any, first: int, last: int, out: Any) -> None:
    """Rank parts of the pairs first..last-1 against every pair that is not below them, both ways round."""
    weights = np.empty(t.rank_boards.shape[0], dtype=np.int64)
    left = np.empty(13, dtype=np.int64)
    for a in range(first, last):
        for b in range(a, pairs.shape[0]):
            left[:] = 4
            for i in range(2):
                left[pairs[a, i]] -= 1
                left[pairs[b, i]] -= 1
            if left.min() < 0:
                continue
            board_weights(t.rank_boards, left, weights)
            wins, ties = _rank_part(t.by_pair[a], t.by_pair[b], weights)
            out[a, b, 0], out[a, b, 1] = wins, ties
            out[b, a, 0], out[b, a, 1] = weights.sum() - wins - ties, ties


@jit
def _suit_rows(t: Any, kinds: Any, first: int, last: int, out: Any) -> None:
    """Suit corrections of the kinds first..last-1 against every kind that is not below them, both ways round."""
    left = np.empty(13, dtype=np.int64)
    for a in range(first, last):
        suit_a = kinds[a, 0]
        row_a = t.by_pair[_pair(kinds[a, 1], kinds[a, 2])]
        for b in range(a, kinds.shape[0]):
            suit_b = kinds[b, 0]
            left[:] = 3
            for i in range(bits(suit_a), 2):
                left[kinds[a, 1 + i]] -= 1
            for i in range(bits(suit_b), 2):
                left[kinds[b, 1 + i]] -= 1
            if suit_a & suit_b or left.min() < 0:
                continue
            row_b = t.by_pair[_pair(kinds[b, 1], kinds[b, 2])]
            wins, ties = _suit_part(t, row_a, row_b, suit_a, suit_b, suit_a | suit_b, left)
            out[a, b, 0], out[a, b, 1] = wins, ties
            out[b, a, 0], out[b, a, 1] = -wins - ties, ties


def hand_counts(a: Iterable[int], b: Iterable[int], dead: int = 0) -> tuple[int, int, int]:
    """Exact (win, tie, lose) of two disjoint hold'em hands before the flop; `dead` is a mask of missing cards."""
    cards = np.array([*a, *b], dtype=np.int64)
    wins, ties = _hand_v_hand(tables(), cards, np.int64(dead))
    boards = comb(48 - dead.bit_count(), 5)
    return int(wins), int(ties), boards - int(wins) - int(ties)


def compute_factors() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The tables of `headsup.equity.holdem.preflop.factors`."""
    t = tables()
    pairs, kinds = rank_multisets(2).astype(np.int64), kind_ranks()
    ranks = np.zeros((N_PAIRS, N_PAIRS, 2), dtype=np.int64)
    suits = np.zeros((N_KINDS, N_KINDS, 2), dtype=np.int64)
    for _ in map_blocks(lambda block: _rank_rows(t, pairs, block.start, block.stop, ranks), N_PAIRS, 1):
        pass
    for _ in map_blocks(lambda block: _suit_rows(t, kinds, block.start, block.stop, suits), N_KINDS, 1):
        pass
    return ranks, suits
