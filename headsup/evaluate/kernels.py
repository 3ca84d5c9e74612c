"""The evaluators' loops, compiled by Numba; `headsup.evaluate` checks what goes in and allocates what comes out.

Indices are unsigned, because a signed one costs Numba a test for negative numbers. Masks are cast before they are
shifted, so that the same lines give the same answers when the compiler is off.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from headsup.backend import jit

# The layout of keys and packed rows, explained in tables.py. It is stated here because compiled kernels are cached
# until this file changes.
ROW_BITS = 13
COLUMN_BITS = 13
SUIT_SHIFT = 32

_NO_CARDS = np.uint64(0x3333 << SUIT_SHIFT)
_FLUSH_BITS = np.uint64(0x8888 << SUIT_SHIFT)
_ROW_BITS = np.uint64(ROW_BITS)
_ROW = np.uint64((1 << ROW_BITS) - 1)
_COLUMN = np.uint64((1 << COLUMN_BITS) - 1)
_ONE_EACH = np.uint64(0x1111 << SUIT_SHIFT)  # one more card in every suit
_ONE = np.uint64(1)
_TWO = np.uint64(2)
_THREE = np.uint64(3)
_FOUR = np.uint64(4)
_EIGHT = np.uint64(8)


@jit(inline=True)
def unsuited(key: Any, row_starts: Any, values: Any) -> Any:
    """The value of a hand's ranks, flushes aside."""
    return values[np.uint64(row_starts[key & _ROW]) + ((key >> _ROW_BITS) & _COLUMN)]


@jit
def suit_mask(cards: Any, suit: Any) -> Any:
    """The 13-bit mask of the ranks that some cards hold in one suit."""
    mask = np.uint64(0)
    for i in range(len(cards)):
        card = np.uint64(cards[i])
        if card & _THREE == suit:
            mask |= _ONE << (card >> _TWO)
    return mask


@jit
def flush_suit(key: Any) -> Any:
    """The suit whose counter says five or more; the key must have one."""
    suit = np.uint64(0)
    bits = (key & _FLUSH_BITS) >> np.uint64(35)
    while bits & _ONE == np.uint64(0):
        bits >>= _FOUR
        suit += _ONE
    return suit


@jit
def rank_hands(hands: Any, card_keys: Any, row_starts: Any, values: Any, flush: Any, out: Any) -> None:
    """Each row of `hands` is one hand of one to seven cards."""
    n, size = hands.shape
    if size == 7:
        for i in range(n):
            key = (
                _NO_CARDS
                + card_keys[np.uint64(hands[i, 0])]
                + card_keys[np.uint64(hands[i, 1])]
                + card_keys[np.uint64(hands[i, 2])]
                + card_keys[np.uint64(hands[i, 3])]
                + card_keys[np.uint64(hands[i, 4])]
                + card_keys[np.uint64(hands[i, 5])]
                + card_keys[np.uint64(hands[i, 6])]
            )
            if key & _FLUSH_BITS:
                out[i] = flush[suit_mask(hands[i], flush_suit(key))]
            else:
                out[i] = unsuited(key, row_starts, values)
        return
    for i in range(n):
        key = _NO_CARDS
        for j in range(size):
            key += card_keys[np.uint64(hands[i, j])]
        if key & _FLUSH_BITS:
            out[i] = flush[suit_mask(hands[i], flush_suit(key))]
        else:
            out[i] = unsuited(key, row_starts, values)


@jit
def rank_ranks(ranks: Any, rank_keys: Any, row_starts: Any, values: Any, out: Any) -> None:
    """Each row of `ranks` is a multiset of ranks; suits are ignored."""
    for i in range(ranks.shape[0]):
        key = np.uint64(0)
        for j in range(ranks.shape[1]):
            key += rank_keys[np.uint64(ranks[i, j])]
        out[i] = unsuited(key, row_starts, values)


@jit
def rank_combos(boards: Any, card_keys: Any, row_starts: Any, values: Any, flush: Any, out: Any) -> None:
    """On each board, the value of every two-card combo in colex order; 0 for combos that share a card with it.

    Suits aside there are 91 pairs of ranks to value; each fills the cells of its combos. A suit that holds three or
    more of the board then overwrites the combos that reach five.
    """
    for i in range(boards.shape[0]):
        board = boards[i]
        row = out[i]
        key = np.uint64(0)
        for j in range(5):
            key += card_keys[np.uint64(board[j])]
        _fill_unsuited(key, card_keys, row_starts, values, row)
        for suit in range(4):
            count = (key >> np.uint64(32 + 4 * suit)) & np.uint64(15)
            if count >= _THREE:
                _fill_flushes(suit_mask(board, np.uint64(suit)), count, suit, flush, row)
        for j in range(5):
            _clear_card(np.int64(board[j]), row)


@jit
def _fill_unsuited(key: Any, card_keys: Any, row_starts: Any, values: Any, row: Any) -> None:
    for high in range(13):
        high_key = key + card_keys[4 * high]
        for low in range(high + 1):
            value = unsuited(high_key + card_keys[4 * low], row_starts, values)
            for second in range(4 * high, 4 * high + 4):
                start = second * (second - 1) // 2
                for first in range(4 * low, min(4 * low + 4, second)):
                    row[start + first] = value


@jit
def _fill_flushes(mask: Any, count: Any, suit: Any, flush: Any, row: Any) -> None:
    """Overwrite the combos that make a flush with the board's `count` cards of this suit, which have ranks `mask`."""
    for second in range(1, 52):
        start = second * (second - 1) // 2
        in_second = second & 3 == suit
        with_second = mask | (_ONE << np.uint64(second >> 2)) if in_second else mask
        need_first = count + np.uint64(in_second) < np.uint64(5)
        if need_first and count + np.uint64(in_second) < _FOUR:
            continue
        if need_first:
            for first in range(suit, second, 4):
                row[start + first] = flush[with_second | (_ONE << np.uint64(first >> 2))]
        else:
            for first in range(second):
                both = with_second | (_ONE << np.uint64(first >> 2)) if first & 3 == suit else with_second
                row[start + first] = flush[both]


@jit
def _clear_card(card: Any, row: Any) -> None:
    start = card * (card - 1) // 2
    for first in range(card):
        row[start + first] = 0
    for second in range(card + 1, 52):
        row[second * (second - 1) // 2 + card] = 0


@jit
def low_mask(cards: Any) -> Any:
    """The low ranks among some cards: ace = bit 0, deuce = bit 1 .. eight = bit 7."""
    mask = np.uint64(0)
    for i in range(len(cards)):
        rank = np.uint64(cards[i]) >> _TWO
        if rank == np.uint64(12):
            mask |= _ONE
        elif rank < np.uint64(7):
            mask |= _TWO << rank
    return mask


@jit
def board_pairs(board: Any, omaha: Any, triple_index: Any, pairs: Any) -> None:
    """For each of the 91 pairs of hand ranks, the best value with three of the board, flushes aside."""
    pairs[:] = 0
    for a in range(5):
        for b in range(a + 1, 5):
            for c in range(b + 1, 5):
                high = np.uint64(board[a] >> 2) << _EIGHT
                triple = triple_index[high | (np.uint64(board[b] >> 2) << _FOUR) | np.uint64(board[c] >> 2)]
                best = omaha[np.uint64(triple)]
                for pair in range(91):
                    pairs[pair] = max(pairs[pair], best[pair])


@jit
def board_suit(board: Any) -> Any:
    """The suit that holds three or more of the board, or 4."""
    for suit in range(4):
        count = 0
        for i in range(5):
            if np.int64(board[i]) & 3 == suit:
                count += 1
        if count >= 3:
            return np.uint64(suit)
    return _FOUR


@jit
def suited_pairs(board_mask: Any, flush: Any, suited: Any) -> None:
    """For ranks a > b held in the board's suit (cell 16 * a + b), the best flush with three of the board."""
    suited[:] = 0
    for a in range(13):
        for b in range(a):
            hand = (_ONE << np.uint64(a)) | (_ONE << np.uint64(b))
            if hand & board_mask == np.uint64(0):
                suited[16 * a + b] = _best_flush(hand, board_mask, flush)


@jit
def _best_flush(hand: Any, board_mask: Any, flush: Any) -> Any:
    """The best flush of two ranks and exactly three of a mask that has three to five."""
    best = np.uint16(0)
    first = board_mask
    while first:
        low_a = first & (~first + _ONE)
        first ^= low_a
        second = first
        while second:
            low_b = second & (~second + _ONE)
            second ^= low_b
            third = second
            while third:
                low_c = third & (~third + _ONE)
                third ^= low_c
                best = max(best, flush[hand | low_a | low_b | low_c])
    return best


@jit
def hand_flush(hand: Any, suit: Any, suited: Any) -> Any:
    """The best flush of two of the hand's cards, from the board's `suited_pairs`; 0 with fewer than two in the suit."""
    best = np.uint16(0)
    for i in range(4):
        if np.uint64(hand[i]) & _THREE == suit:
            for j in range(i):
                if np.uint64(hand[j]) & _THREE == suit:
                    a, b = np.uint64(hand[i]) >> _TWO, np.uint64(hand[j]) >> _TWO
                    cell = (a << _FOUR) + b if a > b else (b << _FOUR) + a
                    best = max(best, suited[cell])
    return best


@jit
def hand_pairs(hand: Any, pairs: Any, pair_index: Any) -> Any:
    """The best of the hand's six pairs of ranks, from the board's `board_pairs`."""
    a, b = np.uint64(hand[0]) >> _TWO, np.uint64(hand[1]) >> _TWO
    c, d = np.uint64(hand[2]) >> _TWO, np.uint64(hand[3]) >> _TWO
    best = pairs[np.uint64(pair_index[(a << _FOUR) | b])]
    best = max(best, pairs[np.uint64(pair_index[(a << _FOUR) | c])])
    best = max(best, pairs[np.uint64(pair_index[(a << _FOUR) | d])])
    best = max(best, pairs[np.uint64(pair_index[(b << _FOUR) | c])])
    best = max(best, pairs[np.uint64(pair_index[(b << _FOUR) | d])])
    return max(best, pairs[np.uint64(pair_index[(c << _FOUR) | d])])


@jit
def omaha_on_board(
    hands: Any,
    board: Any,
    flush: Any,
    omaha: Any,
    pair_index: Any,
    triple_index: Any,
    low: Any,
    high_out: Any,
    low_out: Any,
) -> None:
    """High and low of many hands on one board; 0 and 0 for hands that share a card with it."""
    pairs = np.empty(91, dtype=np.uint16)
    suited = np.empty(208, dtype=np.uint16)
    board_pairs(board, omaha, triple_index, pairs)
    suit = board_suit(board)
    if suit < _FOUR:
        suited_pairs(suit_mask(board, suit), flush, suited)
    board_low = low_mask(board)
    dead = np.uint64(0)
    for i in range(5):
        dead |= _ONE << np.uint64(board[i])
    for i in range(hands.shape[0]):
        hand = hands[i]
        mask = np.uint64(0)
        for j in range(4):
            mask |= _ONE << np.uint64(hand[j])
        if mask & dead:
            high_out[i] = 0
            low_out[i] = 0
            continue
        best = hand_pairs(hand, pairs, pair_index)
        if suit < _FOUR:
            best = max(best, hand_flush(hand, suit, suited))
        high_out[i] = best
        low_out[i] = low[(low_mask(hand) << _EIGHT) | board_low]


@jit
def omaha_high(hands: Any, boards: Any, flush: Any, omaha: Any, pair_index: Any, triple_index: Any, out: Any) -> None:
    """One hand and one board a row."""
    for i in range(hands.shape[0]):
        out[i] = _omaha_high_one(hands[i], boards[i], flush, omaha, pair_index, triple_index)


@jit
def _omaha_high_one(hand: Any, board: Any, flush: Any, omaha: Any, pair_index: Any, triple_index: Any) -> Any:
    best = np.uint16(0)
    for a in range(5):
        high = np.uint64(board[a] >> 2) << _EIGHT
        for b in range(a + 1, 5):
            middle = high | (np.uint64(board[b] >> 2) << _FOUR)
            for c in range(b + 1, 5):
                triple = np.uint64(triple_index[middle | np.uint64(board[c] >> 2)])
                best = max(best, hand_pairs(hand, omaha[triple], pair_index))
    suit = board_suit(board)
    if suit < _FOUR:
        held = suit_mask(hand, suit)
        table = suit_mask(board, suit)
        first = held
        while first:
            low_a = first & (~first + _ONE)
            first ^= low_a
            second = first
            while second:
                low_b = second & (~second + _ONE)
                second ^= low_b
                best = max(best, _best_flush(low_a | low_b, table, flush))
    return best


@jit
def omaha_low(hands: Any, boards: Any, low: Any, out: Any) -> None:
    """One hand and one board a row."""
    for i in range(hands.shape[0]):
        out[i] = low[(low_mask(hands[i]) << _EIGHT) | low_mask(boards[i])]


@jit
def count_values(size: int, card_keys: Any, row_starts: Any, values: Any, flush: Any, counts: Any) -> None:
    """Walk through every hand of `size` (2 to 7) cards, in ascending order, and count how often each value occurs.

    All but the last two cards are stepped like an odometer. The last card runs over ranks, not cards, wherever no
    suit can reach five: cards of one rank then have one value.
    """
    first = size - 2
    cards = np.empty(size, dtype=np.int64)
    keys = np.empty(size, dtype=np.uint64)
    keys[0] = _NO_CARDS
    for i in range(first):
        cards[i] = i
        keys[i + 1] = keys[i] + card_keys[i]
    while True:
        start = cards[first - 1] + 1 if first else 0
        for card in range(start, 51):
            cards[first] = card
            key = keys[first] + card_keys[card]
            if (key + _ONE_EACH) & _FLUSH_BITS:
                _count_near_flush(cards, key, card_keys, row_starts, values, flush, counts)
            else:
                _count_last(card, key, card_keys, row_starts, values, counts)
        i = first - 1
        while i >= 0 and cards[i] == 52 - size + i:
            i -= 1
        if i < 0:
            return
        cards[i] += 1
        keys[i + 1] = keys[i] + card_keys[cards[i]]
        for j in range(i + 1, first):
            cards[j] = cards[j - 1] + 1
            keys[j + 1] = keys[j] + card_keys[cards[j]]


@jit
def _count_last(card: int, key: Any, card_keys: Any, row_starts: Any, values: Any, counts: Any) -> None:
    """Count the hands that one more card above `card` completes, when no flush is possible."""
    rank = card >> 2
    counts[np.uint64(unsuited(key + card_keys[4 * rank], row_starts, values))] += 4 * rank + 3 - card
    for higher in range(4 * rank + 4, 52, 4):
        counts[np.uint64(unsuited(key + card_keys[higher], row_starts, values))] += 4


@jit
def _count_near_flush(
    cards: Any, key: Any, card_keys: Any, row_starts: Any, values: Any, flush: Any, counts: Any
) -> None:
    """The same when a suit already holds four or more."""
    suit = flush_suit(key + _ONE_EACH)
    mask = suit_mask(cards[:-1], suit)
    for card in range(cards[-2] + 1, 52):
        longer = key + card_keys[card]
        if longer & _FLUSH_BITS:
            extra = _ONE << np.uint64(card >> 2) if np.uint64(card) & _THREE == suit else np.uint64(0)
            counts[np.uint64(flush[mask | extra])] += 1
        else:
            counts[np.uint64(unsuited(longer, row_starts, values))] += 1
