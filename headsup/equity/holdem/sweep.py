"""Hold'em range against range on complete boards: the sorted-showdown sweep with card removal.

Value every combo on the board with two look-ups (`rankboards`) and walk the values from worst to best. Keep, for each
player, the weight of all combos walked so far (`total`) and of those that hold each card (`held[card]`): a combo with
cards x, y beats total - held[x] - held[y] of the opponent's weight. Combos of one value all look before any of them is
added. The number of deals is known beforehand, so ties are the rest. `headsup.games.holdem.showdown_kernels` has the
same sums for floats.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.combos import combo_masks, holdem_combos
from headsup.common.backend import jit
from headsup.common.progress import Watch
from headsup.equity.blocks import block_size, map_blocks
from headsup.equity.holdem.rankboards import pair_index, tables
from headsup.equity.question import Question, Side, exact_sum

_WORDS = 117  # 64-bit words for the values 0..7462


@jit(inner=True)
def _board_ranks(t: Any, board: Any) -> Any:
    """A sorted board's rank board, its flush suit or -1, the ranks it has in that suit, and its card mask."""
    row = np.uint64(0)
    mask = np.uint64(0)
    suits = np.zeros(4, dtype=np.int64)
    counts = np.zeros(4, dtype=np.int64)
    for i in range(5):
        card = np.uint64(board[i])
        row += np.uint64(t.steps[i, card >> np.uint64(2)])
        mask |= np.uint64(1) << card
        suit = card & np.uint64(3)
        suits[suit] |= 1 << (np.int64(card) >> 2)
        counts[suit] += 1
    flush = -1
    ranks = 0
    for s in range(4):
        if counts[s] >= 3:
            flush = s
            ranks = suits[s]
    return np.int64(row), flush, ranks, np.int64(mask)


@jit(inner=True)
def _hang(t: Any, board: Any, cards: Any, pairs: Any, masks: Any, heads: Any, nexts: Any, words: Any) -> None:
    """Value every combo on the board and put those that fit on the list of their value."""
    row, flush, ranks, taken = _board_ranks(t, board)
    values = t.by_board[row]
    words[:] = np.uint64(0)
    for i in range(cards.shape[0]):
        if masks[i] & np.uint64(taken):
            continue
        value = values[pairs[i]]
        if flush >= 0:
            suited = ranks
            if cards[i, 0] & np.uint8(3) == flush:
                suited |= 1 << np.int64(cards[i, 0] >> np.uint8(2))
            if cards[i, 1] & np.uint8(3) == flush:
                suited |= 1 << np.int64(cards[i, 1] >> np.uint8(2))
            value = max(value, t.flush[suited])
        word = np.uint64(value) >> np.uint64(6)
        bit = np.uint64(1) << (np.uint64(value) & np.uint64(63))
        if words[word] & bit:
            nexts[i] = heads[value]
        else:
            words[word] |= bit
            nexts[i] = -1
        heads[value] = i


@jit
def sweep_boards(t: Any, boards: Any, hands: Any, same: bool, out: Any) -> None:
    """out[board] = (weight of deals the first player wins, and loses); `hands` are `RangeArrays`.

    `same`: both weights are equal.
    """
    cards, pairs, masks, mine, theirs = hands
    heads = np.empty(64 * _WORDS, dtype=np.int16)
    nexts = np.empty(cards.shape[0], dtype=np.int16)
    words = np.zeros(_WORDS, dtype=np.uint64)
    my_held = np.zeros(53, dtype=np.int64)
    their_held = np.zeros(53, dtype=np.int64)
    for n in range(boards.shape[0]):
        _hang(t, boards[n], cards, pairs, masks, heads, nexts, words)
        my_held[:] = 0
        their_held[:] = 0
        wins = 0
        losses = 0
        for w in range(_WORDS):
            word = words[w]
            while word:
                low = word & (~word + np.uint64(1))
                word ^= low
                first = np.int64(heads[64 * w + _log2(low)])
                i = first
                while i >= 0:
                    x, y = cards[i, 0], cards[i, 1]
                    wins += mine[i] * (their_held[52] - their_held[x] - their_held[y])
                    if not same:
                        losses += theirs[i] * (my_held[52] - my_held[x] - my_held[y])
                    i = np.int64(nexts[i])
                i = first
                while i >= 0:
                    x, y = cards[i, 0], cards[i, 1]
                    their_held[52] += theirs[i]
                    their_held[x] += theirs[i]
                    their_held[y] += theirs[i]
                    if not same:
                        my_held[52] += mine[i]
                        my_held[x] += mine[i]
                        my_held[y] += mine[i]
                    i = np.int64(nexts[i])
        out[n, 0] = wins
        out[n, 1] = wins if same else losses


@jit(inner=True)
def _log2(power: Any) -> int:
    """Which bit is set in a power of two below 2**64."""
    place = 0
    for step in (32, 16, 8, 4, 2, 1):
        if power >> np.uint64(step):
            power >>= np.uint64(step)
            place += step
    return place


@jit
def _outcome(value: int, mine: int) -> Any:
    """A win of `mine` over `value` as 2^32, a tie as 1, a loss as 0: weighted sums count both at once."""
    return (np.int64(value < mine) << 32) + np.int64(value == mine)


@jit(inner=True)
def _flush_changes(t: Any, board: Any, known: Any, mine: int, weights: Any, pairs: Any) -> Any:
    """What flushes change in the outcomes: go through the combos that have five cards of the suit with the board."""
    row, suit, ranks, taken = known
    change: Any = np.int64(0)
    need: Any = 5
    for i in range(5):
        need -= np.int64(np.int64(board[i]) & 3 == suit)
    first, step = (suit, 4) if need == 2 else (0, 1)  # with three on the board both cards must be of the suit
    for x in range(first, 52, step):
        if taken >> x & 1:
            continue
        inside = np.int64(x & 3 == suit)
        for y in range(first, x, step):
            also = np.int64(y & 3 == suit)
            if inside + also < need or taken >> y & 1 or weights[x, y] == 0:
                continue
            plain = np.int64(t.by_board[row, pairs[x >> 2, y >> 2]])
            full = max(plain, np.int64(t.flush[ranks | inside << (x >> 2) | also << (y >> 2)]))
            change += weights[x, y] * (_outcome(full, mine) - _outcome(plain, mine))
    return change


@jit
def hand_v_range(
    t: Any, boards: Any, hand: Any, pairs: Any, weights: Any, by_rank: Any, by_pair: Any, out: Any
) -> None:
    """out[board] = (weight that a hand beats, and ties) of a range, counting whole rank pairs instead of combos.

    weights[x, y] = weights[y, x] is the range without the hand's cards; by_rank[x, r] its sum over the cards y of
    rank r; by_pair[p] the sum over the combos of rank pair p. On a board, take for each rank pair all its combos, less
    those with a board card, plus those with two, and correct the combos that make a flush one by one. A range's weight
    is below 2^32, so wins and ties share one int64.
    """
    outcome = np.zeros(by_pair.shape[0], dtype=np.int64)
    for n in range(boards.shape[0]):
        board = boards[n]
        known = _board_ranks(t, board)
        row, suit, ranks, _ = known
        values = t.by_board[row]
        mine = np.int64(values[pairs[hand[0] >> 2, hand[1] >> 2]])
        if suit >= 0:
            for k in range(2):
                if hand[k] & 3 == suit:
                    ranks |= 1 << (hand[k] >> 2)
            mine = max(mine, np.int64(t.flush[ranks]))
        total: Any = np.int64(0)
        for pair in range(by_pair.shape[0]):
            outcome[pair] = _outcome(np.int64(values[pair]), mine)
            total += outcome[pair] * by_pair[pair]
        for i in range(5):
            rank = board[i] >> np.uint8(2)
            for other in range(13):
                total -= outcome[pairs[rank, other]] * by_rank[board[i], other]
            for k in range(i):
                total += outcome[pairs[rank, board[k] >> np.uint8(2)]] * weights[board[i], board[k]]
        if suit >= 0:
            total += _flush_changes(t, board, known, mine, weights, pairs)
        out[n, 0] = total >> 32
        out[n, 1] = total & 0xFFFFFFFF


class RangeArrays(NamedTuple):
    """The combos that either player holds, as the kernels want them."""

    cards: npt.NDArray[np.uint8]
    pairs: npt.NDArray[np.uint8]
    masks: npt.NDArray[np.uint64]
    mine: npt.NDArray[np.int64]
    theirs: npt.NDArray[np.int64]


def range_arrays(a: Side, b: Side) -> RangeArrays:
    both = a if a.same_as(b) else None
    combos = a.combos if both else np.union1d(a.combos, b.combos)
    cards = np.ascontiguousarray(holdem_combos()[combos])
    return RangeArrays(
        cards=cards,
        pairs=pair_index()[cards[:, 0] >> 2, cards[:, 1] >> 2],
        masks=combo_masks(2)[combos],
        mine=a.weights if both else a.spread()[combos],
        theirs=b.weights if both else b.spread()[combos],
    )


def sweep_counts(question: Question, progress: Watch | None = None) -> tuple[int, int, int]:
    """Exact (win, tie, lose) of a hold'em question, board by board."""
    boards, sizes = question.boards()
    arrays = range_arrays(question.a, question.b)
    same = question.a.same_as(question.b)

    def work(block: slice) -> tuple[int, int]:
        counts = np.empty((block.stop - block.start, 2), dtype=np.int64)
        sweep_boards(tables(), boards[block], arrays, same, counts)
        counts *= sizes[block, None]
        return exact_sum(counts[:, 0]), exact_sum(counts[:, 1])

    parts = list(map_blocks(work, len(boards), block_size(len(boards), 1 << 12), progress))
    win, lose = (sum(part) for part in zip(*parts, strict=True))
    return win, question.deals - win - lose, lose
