"""The evaluators' loops, compiled by Numba; `headsup.evaluate` checks the input and allocates the output.

Indices are unsigned, since Numba tests signed ones for negative numbers. Masks are cast before they are shifted, so
that the same lines work when the compiler is off.
"""

from typing import Any

import numpy as np

from headsup.common.backend import jit
from headsup.evaluate.classes import LOW_BITS

# The layout of keys and packed rows, explained in tables.py. It is stated here because compiled kernels are cached
# until this file changes.
ROW_BITS = 13
COLUMN_BITS = 13
SUIT_SHIFT = 32

NO_CARDS = np.uint64(0x3333 << SUIT_SHIFT)
FLUSH_BITS = np.uint64(0x8888 << SUIT_SHIFT)
_ROW_BITS = np.uint64(ROW_BITS)
_ROW = np.uint64((1 << ROW_BITS) - 1)
_COLUMN = np.uint64((1 << COLUMN_BITS) - 1)
_ONE_EACH = np.uint64(0x1111 << SUIT_SHIFT)  # one more card in every suit
_ONE = np.uint64(1)
_TWO = np.uint64(2)
_THREE = np.uint64(3)
_FOUR = np.uint64(4)
_EIGHT = np.uint64(8)
_PAIRS = np.uint64(91)
_LOW_BITS = np.array(LOW_BITS, dtype=np.uint8)


@jit(inline=True)
def unsuited(key: Any, row_starts: Any, values: Any) -> Any:
    """The value of a hand's ranks, flushes aside."""
    return values[np.uint64(row_starts[key & _ROW]) + ((key >> _ROW_BITS) & _COLUMN)]


@jit(inline=True)
def suit_mask(cards: Any, suit: Any) -> Any:
    """The 13-bit mask of the ranks that some cards hold in one suit."""
    mask = np.uint64(0)
    for i in range(len(cards)):
        card = np.uint64(cards[i])
        mask |= np.uint64(card & _THREE == suit) << (card >> _TWO)
    return mask


@jit(inline=True)
def marked_suit(bits: Any) -> Any:
    """The suit of the one mark in four-bit fields whose top bits are marks."""
    return (
        ((bits >> np.uint64(7)) & _ONE) + ((bits >> np.uint64(10)) & _TWO) + ((bits >> np.uint64(15)) & _ONE) * _THREE
    )


@jit(inline=True)
def flush_suit(key: Any) -> Any:
    """The suit with five or more cards; the key must have one."""
    return marked_suit((key & FLUSH_BITS) >> np.uint64(SUIT_SHIFT))


@jit(inline=True)
def suit_counts(cards: Any) -> Any:
    """How many cards of each suit, in four-bit fields."""
    counts = np.uint64(0)
    for i in range(len(cards)):
        counts += _ONE << ((np.uint64(cards[i]) & _THREE) << _TWO)
    return counts


@jit
def rank_hands(hands: Any, card_keys: Any, row_starts: Any, values: Any, flush: Any, out: Any) -> None:
    """Each row of `hands` is one hand of one to seven cards."""
    n, size = hands.shape
    if size == 7:
        for i in range(n):
            key = (
                NO_CARDS
                + card_keys[np.uint64(hands[i, 0])]
                + card_keys[np.uint64(hands[i, 1])]
                + card_keys[np.uint64(hands[i, 2])]
                + card_keys[np.uint64(hands[i, 3])]
                + card_keys[np.uint64(hands[i, 4])]
                + card_keys[np.uint64(hands[i, 5])]
                + card_keys[np.uint64(hands[i, 6])]
            )
            if key & FLUSH_BITS:
                out[i] = flush[suit_mask(hands[i], flush_suit(key))]
            else:
                out[i] = unsuited(key, row_starts, values)
        return
    for i in range(n):
        key = NO_CARDS
        for j in range(size):
            key += card_keys[np.uint64(hands[i, j])]
        if key & FLUSH_BITS:
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


@jit(inner=True)
def _fill_unsuited(key: Any, card_keys: Any, row_starts: Any, values: Any, row: Any) -> None:
    for high in range(13):
        high_key = key + card_keys[4 * high]
        for low in range(high + 1):
            value = unsuited(high_key + card_keys[4 * low], row_starts, values)
            for second in range(4 * high, 4 * high + 4):
                start = second * (second - 1) // 2
                for first in range(4 * low, min(4 * low + 4, second)):
                    row[start + first] = value


@jit(inner=True)
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


@jit(inner=True)
def _clear_card(card: Any, row: Any) -> None:
    start = card * (card - 1) // 2
    for first in range(card):
        row[start + first] = 0
    for second in range(card + 1, 52):
        row[second * (second - 1) // 2 + card] = 0


@jit(inline=True)
def low_mask(cards: Any) -> Any:
    """The low ranks among some cards: ace = bit 0, deuce = bit 1 .. eight = bit 7."""
    mask = np.uint64(0)
    for i in range(len(cards)):
        mask |= np.uint64(_LOW_BITS[np.uint64(cards[i]) >> _TWO])
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


@jit(inline=True)
def board_suit(board: Any) -> Any:
    """The suit that holds three or more of the board, or 4."""
    marks = (suit_counts(board) + np.uint64(0x5555)) & np.uint64(0x8888)
    return marked_suit(marks) if marks else _FOUR


@jit(inner=True)
def suited_pairs(board_mask: Any, flush: Any, suited: Any) -> None:
    """For ranks a > b held in the board's suit (cell 16 * a + b), the best flush with three of the board."""
    suited[:] = 0
    for a in range(13):
        for b in range(a):
            hand = (_ONE << np.uint64(a)) | (_ONE << np.uint64(b))
            if hand & board_mask == np.uint64(0):
                suited[16 * a + b] = _best_flush(hand, board_mask, flush)


@jit(inner=True)
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


@jit(inner=True)
def hand_flush(hands: Any, i: int, suit: Any, suited: Any) -> Any:
    """The best flush of two cards of hand `i`, from the board's `suited_pairs`."""
    best = np.uint16(0)
    for j in range(1, 4):
        for k in range(j):
            first, second = np.uint64(hands[i, j]), np.uint64(hands[i, k])
            if first & _THREE == suit and second & _THREE == suit:
                high, low = max(first >> _TWO, second >> _TWO), min(first >> _TWO, second >> _TWO)
                best = max(best, suited[(high << _FOUR) | low])
    return best


@jit
def omaha_on_board(hands: Any, board: Any, t: Any, high_out: Any, low_out: Any) -> None:
    """High and low of many hands on one board; 0 and 0 for hands that share a card with it."""
    pairs = np.zeros(91, dtype=np.uint16)
    cells = np.zeros(208, dtype=np.uint16)  # the same by 16 * a + b, which saves a look-up a pair
    suited = np.zeros(208, dtype=np.uint16)
    board_pairs(board, t.omaha, t.triple_index, pairs)
    for i in range(13):
        for j in range(13):
            cells[16 * i + j] = pairs[t.pair_index[16 * i + j]]
    suit = board_suit(board)
    if suit < _FOUR:
        suited_pairs(suit_mask(board, suit), t.flush, suited)
    lows = t.low[low_mask(board) :: 256].copy()
    dead = np.uint64(0)
    for i in range(5):
        dead |= _ONE << np.uint64(board[i])
    for i in range(hands.shape[0]):
        c0, c1, c2, c3 = np.uint64(hands[i, 0]), np.uint64(hands[i, 1]), np.uint64(hands[i, 2]), np.uint64(hands[i, 3])
        if ((dead >> c0) | (dead >> c1) | (dead >> c2) | (dead >> c3)) & _ONE:
            high_out[i] = 0
            low_out[i] = 0
            continue
        a, b, c, d = c0 >> _TWO, c1 >> _TWO, c2 >> _TWO, c3 >> _TWO
        best = max(cells[(a << _FOUR) | b], cells[(c << _FOUR) | d])
        best = max(best, max(cells[(a << _FOUR) | c], cells[(b << _FOUR) | d]))
        best = max(best, max(cells[(a << _FOUR) | d], cells[(b << _FOUR) | c]))
        if suit < _FOUR:
            best = max(best, hand_flush(hands, i, suit, suited))
        high_out[i] = best
        low_out[i] = lows[np.uint64(_LOW_BITS[a] | _LOW_BITS[b] | _LOW_BITS[c] | _LOW_BITS[d])]


@jit
def omaha_high(hands: Any, boards: Any, flush: Any, omaha: Any, pair_index: Any, triple_index: Any, out: Any) -> None:
    """One hand and one board a row: six pairs of hand ranks with ten triples of board ranks, then the flush suit.

    Rows are indexed and not sliced, because Numba counts references to a slice that is handed to another function, and
    that takes longer than the look-ups.
    """
    flat = omaha.reshape(-1)
    for i in range(hands.shape[0]):
        h0, h1 = np.uint64(hands[i, 0]) >> _TWO, np.uint64(hands[i, 1]) >> _TWO
        h2, h3 = np.uint64(hands[i, 2]) >> _TWO, np.uint64(hands[i, 3]) >> _TWO
        p0, p1 = np.uint64(pair_index[(h0 << _FOUR) | h1]), np.uint64(pair_index[(h0 << _FOUR) | h2])
        p2, p3 = np.uint64(pair_index[(h0 << _FOUR) | h3]), np.uint64(pair_index[(h1 << _FOUR) | h2])
        p4, p5 = np.uint64(pair_index[(h1 << _FOUR) | h3]), np.uint64(pair_index[(h2 << _FOUR) | h3])
        best = np.uint16(0)
        for a in range(3):
            high = (np.uint64(boards[i, a]) >> _TWO) << _EIGHT
            for b in range(a + 1, 4):
                middle = high | ((np.uint64(boards[i, b]) >> _TWO) << _FOUR)
                for c in range(b + 1, 5):
                    row = np.uint64(triple_index[middle | (np.uint64(boards[i, c]) >> _TWO)]) * _PAIRS
                    first = max(flat[row + p0], flat[row + p1])
                    second = max(flat[row + p2], flat[row + p3])
                    third = max(flat[row + p4], flat[row + p5])
                    best = max(best, max(first, max(second, third)))
        counts = np.uint64(0)
        for j in range(5):
            counts += _ONE << ((np.uint64(boards[i, j]) & _THREE) << _TWO)
        marks = (counts + np.uint64(0x5555)) & np.uint64(0x8888)
        if marks:
            suit = marked_suit(marks)
            held = np.uint64(0)
            for j in range(4):
                held += np.uint64(np.uint64(hands[i, j]) & _THREE == suit)
            if held >= _TWO:
                best = max(best, _hand_flush_alone(suit_mask(hands[i], suit), suit_mask(boards[i], suit), flush))
        out[i] = best


@jit(inner=True)
def _hand_flush_alone(held: Any, table: Any, flush: Any) -> Any:
    """The best flush of two ranks of one mask and three of another."""
    best = np.uint16(0)
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
    keys[0] = NO_CARDS
    for i in range(first):
        cards[i] = i
        keys[i + 1] = keys[i] + card_keys[i]
    while True:
        start = cards[first - 1] + 1 if first else 0
        for card in range(start, 51):
            cards[first] = card
            key = keys[first] + card_keys[card]
            if (key + _ONE_EACH) & FLUSH_BITS:
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


@jit(inner=True)
def _count_last(card: int, key: Any, card_keys: Any, row_starts: Any, values: Any, counts: Any) -> None:
    """Count the hands that one more card above `card` completes, when no flush is possible."""
    rank = card >> 2
    counts[np.uint64(unsuited(key + card_keys[4 * rank], row_starts, values))] += 4 * rank + 3 - card
    for higher in range(4 * rank + 4, 52, 4):
        counts[np.uint64(unsuited(key + card_keys[higher], row_starts, values))] += 4


@jit(inner=True)
def _count_near_flush(
    cards: Any, key: Any, card_keys: Any, row_starts: Any, values: Any, flush: Any, counts: Any
) -> None:
    """The same when a suit already holds four or more."""
    suit = flush_suit(key + _ONE_EACH)
    mask = suit_mask(cards[:-1], suit)
    for card in range(cards[-2] + 1, 52):
        longer = key + card_keys[card]
        if longer & FLUSH_BITS:
            extra = _ONE << np.uint64(card >> 2) if np.uint64(card) & _THREE == suit else np.uint64(0)
            counts[np.uint64(flush[mask | extra])] += 1
        else:
            counts[np.uint64(unsuited(longer, row_starts, values))] += 1
