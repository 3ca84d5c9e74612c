"""Two Omaha hands before the flop, all 35 splits of eight cards, or a hand against all, by rank/suit factorisation.

    all boards scored as if no flush existed
      + for each suit s in which a hand has two or more cards:
            boards with three or more cards of s:  (scored with the flush)  -  (scored without it)

A correction sums over the sets T of three to five ranks of s and the other board ranks U. If only one hand has two
cards in s, it wins every such board on which the opponent has no full house or better; straight flushes are done one by
one. Results are grids: high {win, tie, lose} of the first hand by low {none, win, tie, lose}, in boards.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import Cards, card_name, mask_of, read_cards
from headsup.cards.classes import omaha_class_of_combo, omaha_class_reps
from headsup.cards.combos import combo_masks, omaha_combos
from headsup.common.backend import jit
from headsup.common.errors import UserError
from headsup.common.progress import Watch
from headsup.equity.blocks import map_blocks
from headsup.equity.holdem.board_kernels import bits, board_weights
from headsup.equity.omaha.boards import FULL_HOUSE, LOW_BIT, STRAIGHT_FLUSH, omaha_tables, rank_hands

SPLITS = tuple(mask for mask in range(1, 256, 2) if mask.bit_count() == 4)
"""The 35 ways to part eight cards: masks of the first hand, which has the lowest card."""


class SuitBoards(NamedTuple):
    """The boards with three or more cards of one suit: sets T of its ranks, each with the other board ranks U."""

    sets: Any  # [n] the sets T
    firsts: Any  # [n] where the boards of each start in `together`
    places: Any  # [3, 92] the choices U that can be dealt for T of three, four and five ranks; the last is their number
    ways: Any  # [3, 92] in how many ways
    together: Any  # the rank board of each (T, U)


class Scores(NamedTuple):
    """The values of two hands on each rank board, flushes aside, and the outcome of the low."""

    a: Any
    b: Any
    low_code: Any


@jit(inner=True)
def _hand_row(pair_high: Any, cards: Any, hand: int, row: Any) -> None:
    """The rank-only value of the cards in the mask `hand` on every rank board."""
    row[:] = 0
    for i in range(8):
        for j in range(i):
            if hand >> i & 1 and hand >> j & 1:
                low, high = cards[j] >> 2, cards[i] >> 2
                if low > high:
                    low, high = high, low
                values = pair_high[low + high * (high + 1) // 2]
                for board in range(row.shape[0]):
                    row[board] = max(row[board], values[board])


@jit
def _flush_row(flush: Any, cards: Any, held: int, sets: Any, row: Any) -> None:
    """The best flush of the cards in the mask `held`, all of one suit, with each set T, 0 where there is none."""
    for n in range(sets.shape[0]):
        row[n] = 0
    for i in range(8):
        for j in range(i):
            if held >> i & 1 and held >> j & 1:
                low, high = cards[j] >> 2, cards[i] >> 2
                if low > high:
                    low, high = high, low
                values = flush[low + high * (high - 1) // 2]
                for n in range(sets.shape[0]):
                    if values[sets[n]] > row[n]:
                        row[n] = values[sets[n]]


@jit(inner=True)
def _rank_part(high_a: Any, high_b: Any, low_code: Any, weights: Any, grid: Any) -> None:
    """Add every rank board as if no flush existed."""
    for board in range(weights.shape[0]):
        a, b = high_a[board], high_b[board]
        grid[np.int64(a < b) + np.int64(a <= b), low_code[board]] += weights[board]


@jit(inner=True)
def _kind(t: int) -> int:
    """0, 1 or 2 for a set T of three, four or five ranks."""
    return 0 if t < 286 else (1 if t < 1001 else 2)


@jit(inner=True)
def _suit_weights(suit: Any, weights: Any) -> None:
    """How many boards with three or more cards of a suit have each rank board's ranks."""
    for n in range(suit.sets.shape[0]):
        kind = _kind(suit.sets[n])
        for u in range(suit.places[kind, 91]):
            weights[suit.together[suit.firsts[n] + suit.places[kind, u]]] += suit.ways[kind, u]


@jit(inner=True)
def _one_flush(suit: Any, weights: Any, flush: Any, scores: Any, wins: int, grid: Any) -> None:
    """What a suit's flushes change when only one hand can have them; `wins` is the row of the grid where it wins.

    The hand (`a` of the scores) has a flush on every board with three of the suit. It wins unless the opponent has a
    full house or better on ranks: then a flush changes nothing, but a straight flush wins.
    """
    mine, theirs, low_code = scores
    for board in range(weights.shape[0]):
        if theirs[board] < FULL_HOUSE:
            old = np.int64(mine[board] < theirs[board]) + np.int64(mine[board] <= theirs[board])
            grid[2 - old if wins else old, low_code[board]] -= weights[board]
            grid[wins, low_code[board]] += weights[board]
    for n in range(suit.sets.shape[0]):
        if flush[n] >= STRAIGHT_FLUSH:
            kind = _kind(suit.sets[n])
            for u in range(suit.places[kind, 91]):
                board = suit.together[suit.firsts[n] + suit.places[kind, u]]
                if theirs[board] >= FULL_HOUSE:
                    old = np.int64(mine[board] < theirs[board]) + np.int64(mine[board] <= theirs[board])
                    grid[2 - old if wins else old, low_code[board]] -= suit.ways[kind, u]
                    grid[wins, low_code[board]] += suit.ways[kind, u]


@jit(inner=True)
def _two_flushes(suit: Any, flush_a: Any, flush_b: Any, scores: Any, grid: Any) -> None:
    """What a suit's flushes change when both hands can have them, over the boards of each T and U."""
    high_a, high_b, low_code = scores
    for n in range(suit.sets.shape[0]):
        flushed_a, flushed_b = flush_a[n], flush_b[n]
        kind = _kind(suit.sets[n])
        for u in range(suit.places[kind, 91]):
            board = suit.together[suit.firsts[n] + suit.places[kind, u]]
            a, b = high_a[board], high_b[board]
            new_a, new_b = max(a, flushed_a), max(b, flushed_b)
            old = np.int64(a < b) + np.int64(a <= b)
            new = np.int64(new_a < new_b) + np.int64(new_a <= new_b)
            grid[old, low_code[board]] -= suit.ways[kind, u]
            grid[new, low_code[board]] += suit.ways[kind, u]


@jit(inner=True)
def _others(left: Any, places: Any, ways: Any) -> None:
    """The choices U of two, one or no ranks from `left` cards a rank: where each is among all, and in how many ways."""
    at, n = 0, 0
    for high in range(13):
        for low in range(high + 1):
            both = left[low] * left[high] if low < high else left[high] * (left[high] - 1) // 2
            if both:
                places[0, n], ways[0, n] = at, both
                n += 1
            at += 1
    places[0, 91] = n
    n = 0
    for rank in range(13):
        if left[rank]:
            places[1, n], ways[1, n] = rank, left[rank]
            n += 1
    places[1, 91] = n
    places[2, 0], ways[2, 0], places[2, 91] = 0, 1, 1


@jit
def _suit_sets(suited: Any, gone: int, sets: Any, firsts: Any) -> int:
    """The sets T without the ranks `gone`, and where the boards of each start in `together`; how many there are."""
    count = 0
    for n in range(suited.shape[0]):
        if np.int64(suited[n]) & gone == 0:
            sets[count] = n
            if n < 286:
                firsts[count] = 91 * n
            elif n < 1001:
                firsts[count] = 91 * 286 + 13 * (n - 286)
            else:
                firsts[count] = 91 * 286 + 13 * 715 + (n - 1001)
            count += 1
    return count


@jit
def _low_codes(low: Any, board_low: Any, mask_a: int, mask_b: int, codes: Any) -> None:
    """The outcome of the low on each rank board: 0 none, 1 the first hand wins it, 2 shared, 3 the second wins it."""
    row_a, row_b = low[mask_a], low[mask_b]
    for board in range(board_low.shape[0]):
        a, b = row_a[board_low[board]], row_b[board_low[board]]
        codes[board] = 1 if a > b else (3 if b > a else (2 if a else 0))


@jit
def _grids(t: Any, low_bit: Any, cards: Any, splits: Any, deck: Any, out: Any) -> None:
    """Add the grid of each split of eight cards; `deck[suit, rank]` is 1 for the cards that a board can have."""
    boards, most = t.rank_boards.shape[0], t.suited.shape[0]
    left = deck[0] + deck[1] + deck[2] + deck[3]
    weights = np.empty(boards, dtype=np.int64)
    board_weights(t.rank_boards, left, weights)
    of_suit = np.zeros(4, dtype=np.int64)
    for i in range(8):
        of_suit[cards[i] & 3] |= 1 << i
    sets, firsts = np.empty((4, most), dtype=np.int64), np.empty((4, most), dtype=np.int64)
    places, ways = np.zeros((4, 3, 92), dtype=np.int64), np.zeros((4, 3, 92), dtype=np.int64)
    count = np.zeros(4, dtype=np.int64)
    in_suit = np.zeros((4, boards), dtype=np.int64)
    for suit in range(4):
        gone = np.int64(0)
        for rank in range(13):
            gone |= (1 - deck[suit, rank]) << rank
        count[suit] = _suit_sets(t.suited, gone, sets[suit], firsts[suit])
        _others(left - deck[suit], places[suit], ways[suit])
        if bits(of_suit[suit]) > 1:
            n = count[suit]
            suited = SuitBoards(sets[suit, :n], firsts[suit], places[suit], ways[suit], t.together)
            _suit_weights(suited, in_suit[suit])
    high_a, high_b = np.empty(boards, dtype=np.uint16), np.empty(boards, dtype=np.uint16)
    flush_a, flush_b = np.empty(most, dtype=np.uint16), np.empty(most, dtype=np.uint16)
    codes = np.empty(boards, dtype=np.uint8)
    for p in range(splits.shape[0]):
        a, b = splits[p], 255 ^ splits[p]
        _hand_row(t.pair_high, cards, a, high_a)
        _hand_row(t.pair_high, cards, b, high_b)
        mask_a = mask_b = np.int64(0)
        for i in range(8):
            if a >> i & 1:
                mask_a |= np.int64(low_bit[cards[i] >> 2])
            else:
                mask_b |= np.int64(low_bit[cards[i] >> 2])
        _low_codes(t.low, t.board_low, mask_a, mask_b, codes)
        _rank_part(high_a, high_b, codes, weights, out[p])
        for suit in range(4):
            held_a, held_b, n = a & of_suit[suit], b & of_suit[suit], count[suit]
            suited = SuitBoards(sets[suit, :n], firsts[suit], places[suit], ways[suit], t.together)
            first, second = bits(held_a) > 1, bits(held_b) > 1
            if first:
                _flush_row(t.flush, cards, held_a, sets[suit, :n], flush_a)
            if second:
                _flush_row(t.flush, cards, held_b, sets[suit, :n], flush_b)
            if first and second:
                _two_flushes(suited, flush_a, flush_b, Scores(high_a, high_b, codes), out[p])
            elif first:
                _one_flush(suited, in_suit[suit], flush_a, Scores(high_a, high_b, codes), 0, out[p])
            elif second:
                _one_flush(suited, in_suit[suit], flush_b, Scores(high_b, high_a, codes), 2, out[p])


@jit
def _against_all(t: Any, low_bit: Any, hand: Any, free: Any, times: Any, rank_hands: Any, out: Any) -> None:
    """Add the grids of a hand against every hand with the given ranks, [n, 4], each lowest first.

    `free[suit, rank]` is 1 for the cards that are left for the opponent and the board. What only sees ranks is the same
    for all hands of a rank hand. The correction of a suit depends on which of its ranks the opponent holds in that
    suit, so it is made once for each such choice and counts as often as the rest can be dealt from the other suits.
    `times[suit]` counts suits in which the hand and the free cards are the same; all but one of them are 0.
    """
    boards, most = t.rank_boards.shape[0], t.suited.shape[0]
    weights, in_suit = np.empty(boards, dtype=np.int64), np.empty(boards, dtype=np.int64)
    high_a, high_b = np.empty(boards, dtype=np.uint16), np.empty(boards, dtype=np.uint16)
    flush_a, flush_b = np.empty(most, dtype=np.uint16), np.empty(most, dtype=np.uint16)
    codes = np.empty(boards, dtype=np.uint8)
    sets, firsts = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    places, ways = np.zeros((3, 92), dtype=np.int64), np.zeros((3, 92), dtype=np.int64)
    cards, grid = np.empty(8, dtype=np.int64), np.empty((3, 4), dtype=np.int64)
    of_suit = np.zeros(4, dtype=np.int64)
    mask_a = np.int64(0)
    for i in range(4):
        cards[i] = hand[i]
        of_suit[cards[i] & 3] |= 1 << i
        mask_a |= np.int64(low_bit[cards[i] >> 2])
    _hand_row(t.pair_high, cards, 15, high_a)
    for row in range(rank_hands.shape[0]):
        ranks = rank_hands[row]
        every = free[0] + free[1] + free[2] + free[3]
        hands = _dealt(every, ranks, 0)
        if hands == 0:
            continue
        mask_b = np.int64(0)
        for i in range(4):
            mask_b |= np.int64(low_bit[ranks[i]])
            every[ranks[i]] -= 1
            cards[4 + i] = ranks[i] << 2
        _hand_row(t.pair_high, cards, 0xF0, high_b)
        _low_codes(t.low, t.board_low, mask_a, mask_b, codes)
        board_weights(t.rank_boards, every, weights)
        grid[:] = 0
        _rank_part(high_a, high_b, codes, weights, grid)
        out += hands * grid
        for suit in range(4):
            if times[suit] == 0:
                continue
            first = bits(of_suit[suit]) > 1
            for held in range(16):
                second = bits(held) > 1
                if not (first or second) or not _in_one_suit(free[suit], ranks, held):
                    continue
                others = free[0] + free[1] + free[2] + free[3] - free[suit]
                hands = times[suit] * _dealt(others, ranks, held)
                if hands == 0:
                    continue
                gone = np.int64(0)
                for rank in range(13):
                    gone |= (1 - free[suit, rank]) << rank
                for i in range(4):
                    if held >> i & 1:
                        gone |= 1 << ranks[i]
                    else:
                        others[ranks[i]] -= 1
                n = _suit_sets(t.suited, gone, sets, firsts)
                _others(others, places, ways)
                suited = SuitBoards(sets[:n], firsts, places, ways, t.together)
                if first:
                    _flush_row(t.flush, cards, of_suit[suit], sets[:n], flush_a)
                if second:
                    _flush_row(t.flush, cards, held << 4, sets[:n], flush_b)
                grid[:] = 0
                if first and second:
                    _two_flushes(suited, flush_a, flush_b, Scores(high_a, high_b, codes), grid)
                else:
                    in_suit[:] = 0
                    _suit_weights(suited, in_suit)
                    if first:
                        _one_flush(suited, in_suit, flush_a, Scores(high_a, high_b, codes), 0, grid)
                    else:
                        _one_flush(suited, in_suit, flush_b, Scores(high_b, high_a, codes), 2, grid)
                out += hands * grid


@jit(inner=True)
def _dealt(left: Any, ranks: Any, held: int) -> int:
    """In how many ways the ranks that are not in the mask `held` come from `left` cards a rank; equal ranks adjoin."""
    ways, run = 1, 0
    for i in range(4):
        if i > 0 and ranks[i] != ranks[i - 1]:
            run = 0
        if not held >> i & 1:
            run += 1
            ways = ways * (left[ranks[i]] - run + 1) // run
    return max(ways, 0)


@jit(inner=True)
def _in_one_suit(free: Any, ranks: Any, held: int) -> bool:
    """Whether the ranks in the mask can all lie in one suit; of equal ranks only the first is ever chosen."""
    possible = True
    for i in range(4):
        if held >> i & 1 and (not free[ranks[i]] or (i > 0 and ranks[i] == ranks[i - 1])):
            possible = False
    return possible


def hand_against_all(hand: Cards, dead: Cards | None = (), progress: Watch | None = None) -> npt.NDArray[np.int64]:
    """int64[3, 4]: a hand against every hand that can be dealt beside it, all boards; at most 2.2e11 deals, exactly."""
    a, out_of_deck = read_cards(hand, "hand"), read_cards(dead, "dead cards")
    if len(a) != 4:
        raise UserError(f"an Omaha hand has four cards: this hand has {len(a)}")
    _check(a, out_of_deck, 4)
    deck = np.ones(52, dtype=np.int64)
    deck[[*a, *out_of_deck]] = 0
    free = np.ascontiguousarray(deck.reshape(13, 4).T)
    alike = [(free[suit].tolist(), sorted(card >> 2 for card in a if card & 3 == suit)) for suit in range(4)]
    times = np.array([0 if alike[suit] in alike[:suit] else alike.count(alike[suit]) for suit in range(4)])
    ranks, known = rank_hands().astype(np.int64), omaha_tables()

    def work(block: slice) -> npt.NDArray[np.int64]:
        total = np.zeros((3, 4), dtype=np.int64)
        _against_all(known, LOW_BIT, np.array(a, dtype=np.int64), free, times, ranks[block], total)
        return total

    return np.asarray(sum(map_blocks(work, len(ranks), 64, progress)))


def matchup_grid(hand_a: Cards, hand_b: Cards, dead: Cards | None = ()) -> npt.NDArray[np.int64]:
    """int64[3, 4]: boards by the first hand's high (win, tie, lose) and low (none, win, tie, lose), exactly."""
    a, b = read_cards(hand_a, "first hand"), read_cards(hand_b, "second hand")
    if len(a) != 4 or len(b) != 4:
        raise UserError(f"an Omaha hand has four cards: these hands have {len(a)} and {len(b)}")
    grid: npt.NDArray[np.int64] = _run((*a, *b), np.array([0b1111], dtype=np.int64), read_cards(dead, "dead cards"))[0]
    return grid


def eval8(cards: Cards, dead: Cards | None = ()) -> npt.NDArray[np.int64]:
    """int64[35, 3, 4]: the grids of all splits of eight cards; the first hand of split i has the cards of `SPLITS[i]`.

    Bit k of a split stands for the k-th lowest card, so the first hand always has the lowest.
    """
    eight = tuple(sorted(read_cards(cards)))
    if len(eight) != 8:
        raise UserError(f"eval8 splits eight cards: there are {len(eight)}")
    return _run(eight, np.array(SPLITS, dtype=np.int64), read_cards(dead, "dead cards"))


def hands_against(row: int, column: int) -> tuple[tuple[int, ...], npt.NDArray[np.uint8]]:
    """The representative of Omaha hand class `row`, and all hands of class `column` that it can meet, [n, 4]."""
    hand = tuple(omaha_class_reps()[row].tolist())
    free = combo_masks(4) & np.uint64(mask_of(hand)) == 0
    return hand, np.asarray(omaha_combos()[(omaha_class_of_combo() == column) & free])


def class_grid(row: int, column: int) -> tuple[int, npt.NDArray[np.int64]]:
    """One hand of an Omaha hand class against all hands of another that it can meet: how many, and the sum of grids."""
    hand, others = hands_against(row, column)
    total = np.zeros((3, 4), dtype=np.int64)
    for other in others.tolist():
        total += matchup_grid(hand, other)
    return len(others), total


def _run(cards: tuple[int, ...], splits: npt.NDArray[np.int64], dead: tuple[int, ...]) -> npt.NDArray[np.int64]:
    _check(cards, dead, 0)
    deck = np.ones(52, dtype=np.int64)
    deck[[*cards, *dead]] = 0
    out = np.zeros((len(splits), 3, 4), dtype=np.int64)
    by_suit = np.ascontiguousarray(deck.reshape(13, 4).T)
    _grids(omaha_tables(), LOW_BIT, np.array(cards, dtype=np.int64), splits, by_suit, out)
    return out


def _check(cards: tuple[int, ...], dead: tuple[int, ...], more: int) -> None:
    """Raise unless the cards are different and leave a board, besides `more` cards of the opponent."""
    every = (*cards, *dead)
    if mask_of(every).bit_count() != len(every):
        twice = next(card for i, card in enumerate(every) if card in every[:i])
        raise UserError(f"{card_name(twice)} is dealt twice: hands and dead cards share no card")
    if len(every) + more > 47:
        raise UserError(f"{max(0, 52 - len(every) - more)} cards are left for the board: a board has five")
