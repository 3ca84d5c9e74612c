"""Small questions in NumPy, for as long as the compiler would take longer to load than the answer.

Two hands before the flop (`matchup`) use the rank/suit factorisation; ranges on a board are enumerated. Both return the
same integers as the compiled routes.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import rank_counts, rank_multisets
from headsup.equity.holdem.rankboards import CHOOSE, pair_index, tables
from headsup.equity.omaha.boards import LOW_BIT, omaha_tables
from headsup.equity.question import Question, Side
from headsup.equity.results import Grid, as_grid

_BLOCK = 1 << 19
Ints = npt.NDArray[np.int64]
Values = npt.NDArray[np.uint16]


def plain_grid(question: Question) -> Grid:
    if question.board:
        return _on_boards(question)
    total = np.zeros((3, 4), dtype=object)
    for i, j in zip(*np.nonzero((question.a.masks[:, None] & question.b.masks) == 0), strict=True):
        weight = int(question.a.weights[i]) * int(question.b.weights[j])
        mine, theirs = tuple(question.a.cards[i].tolist()), tuple(question.b.cards[j].tolist())
        total += weight * matchup(question.game, mine, theirs, question.dead).astype(object)
    return as_grid(total.tolist())


def matchup(game: str, a: tuple[int, ...], b: tuple[int, ...], dead: tuple[int, ...] = ()) -> Ints:
    """int64[3, 4]: the boards of two disjoint hands by high (win, tie, lose) and low (none, win, tie, lose)."""
    t = tables()
    gone = np.zeros(52, dtype=np.int64)
    gone[[*a, *b, *dead]] = 1
    deck = 1 - gone.reshape(13, 4).T
    left = deck.sum(axis=0)
    high_a, high_b = _rank_row(game, a), _rank_row(game, b)
    codes = _low_codes(*(_low_row(hand) for hand in (a, b))) if game == "omaha8" else np.zeros(len(high_a), np.int64)
    ways = CHOOSE[left, _multiplicities()].prod(axis=1)
    grid = _counted(4 * _outcome(high_a, high_b) + codes, ways)
    for suit in range(4):
        flush_a, flush_b = _flush_row(game, a, suit), _flush_row(game, b, suit)
        free = t.suited & (gone.reshape(13, 4)[:, suit] << np.arange(13)).sum() == 0
        listed, others = _entries(left - deck[suit])
        here = (free & ((flush_a | flush_b) > 0))[listed] & (others > 0)
        of, board = listed[here], t.together[here]
        old_a, old_b, low = high_a[board], high_b[board], codes[board]
        new = _outcome(np.maximum(old_a, flush_a[of]), np.maximum(old_b, flush_b[of]))
        grid += _counted(4 * new + low, others[here]) - _counted(4 * _outcome(old_a, old_b) + low, others[here])
    return grid.reshape(3, 4)


def _outcome(a: Values, b: Values) -> Ints:
    """0 where the first wins, 1 for a tie, 2 where it loses."""
    return (a < b).astype(np.int64) + (a <= b)


def _counted(cells: Ints, weights: Ints) -> Ints:
    """int64[12]: the weights added up by cell; floats hold them exactly, for all are below 2^53."""
    return np.bincount(cells.reshape(-1), weights.reshape(-1), 12).astype(np.int64)


_multiplicities = cache(lambda: rank_counts(tables().rank_boards))


def _entries(left: Ints) -> tuple[Ints, Ints]:
    """For each entry of `together`: the number of its set T, and in how many ways its ranks U lie in other suits."""
    threes, fours, fives = comb(13, 3), comb(13, 4), comb(13, 5)
    low, high = rank_multisets(2).T
    twos = np.where(low < high, left[low] * left[high], left[high] * (left[high] - 1) // 2)
    ways = np.concatenate([np.tile(twos, threes), np.tile(left, fours), np.ones(fives, dtype=np.int64)])
    return np.repeat(np.arange(threes + fours + fives), [91] * threes + [13] * fours + [1] * fives), ways


def _rank_row(game: str, hand: tuple[int, ...]) -> Values:
    """The value of a hand on each rank board, no flush."""
    by_pair = tables().by_pair if game == "holdem" else omaha_tables().pair_high
    rows = [by_pair[pair_index()[x >> 2, y >> 2]] for x, y in combinations(hand, 2)]
    return np.asarray(np.max(rows, axis=0))


def _flush_row(game: str, hand: tuple[int, ...], suit: int) -> Values:
    """The best flush of a hand with each set T of ranks in the suit, 0 where there is none."""
    held = sorted(card >> 2 for card in hand if card & 3 == suit)
    if game == "holdem":
        return np.asarray(tables().flush[tables().suited | sum(1 << rank for rank in held)])
    known = omaha_tables().flush
    rows = [known[low + high * (high - 1) // 2] for low, high in combinations(held, 2)]
    return np.asarray(np.max(rows, axis=0)) if rows else np.zeros(known.shape[1], dtype=np.uint16)


def _low_row(hand: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    """The low of a hand on each rank board, 0 for none."""
    known = omaha_tables()
    return np.asarray(known.low[np.bitwise_or.reduce(LOW_BIT[[card >> 2 for card in hand]])][known.board_low])


def _low_codes(a: npt.NDArray[np.uint8], b: npt.NDArray[np.uint8]) -> Ints:
    """0 where nobody has a low, 1 where the first wins it, 2 for a tie, 3 where the second does."""
    return np.where(a == b, np.where(a == 0, 0, 2), np.where(a > b, 1, 3))


def _on_boards(question: Question) -> Grid:
    boards, sizes = question.boards()
    total = np.zeros(12, dtype=object)
    many, few = sorted((question.a, question.b), key=lambda side: -len(side.combos))
    step = max(1, _BLOCK // len(many.combos))
    for start in range(0, len(boards), step):
        part = slice(start, start + step)
        (high, low), (one_high, one_low) = (side_values(question.game, side, boards[part]) for side in (many, few))
        for i in range(len(few.combos)):
            weights = np.where(many.masks & few.masks[i], 0, many.weights)[:, None] * sizes[part]
            weights = np.where((high == 0) | (one_high[i] == 0), 0, weights)
            cells = _outcome(high, one_high[i]) * 4
            if question.game == "omaha8":
                cells += _low_codes(low, one_low[i])
            total += _counted(cells, weights).astype(object) * int(few.weights[i])
    grid = total.reshape(3, 4)
    if many is not question.a:
        grid = grid[::-1, [0, 3, 2, 1]]
    return as_grid(grid.tolist())


def side_values(game: str, side: Side, boards: npt.NDArray[np.uint8]) -> tuple[Values, npt.NDArray[np.uint8]]:
    """High and low of each combo on each board (cards ascending), [combos, boards]; both 0 where they share a card."""
    t = tables()
    ranks, suits = boards >> 2, boards & 3
    rows = t.steps[np.arange(5), ranks].sum(axis=1)
    held, of_suit = side.cards >> np.uint8(2), side.cards & 3
    by_pair = t.by_pair if game == "holdem" else omaha_tables().pair_high
    high = np.zeros((len(held), len(boards)), dtype=np.uint16)
    for i, j in combinations(range(side.size), 2):
        np.maximum(high, by_pair[pair_index()[held[:, i], held[:, j]]][:, rows], out=high)
    for suit in range(4):
        on = np.flatnonzero((suits == suit).sum(axis=1) >= 3)
        masks = np.where(suits[on] == suit, 1 << ranks[on].astype(np.int64), 0).sum(axis=1)
        high[:, on] = np.maximum(high[:, on], _flushes(game, held, of_suit == suit, masks))
    low = np.zeros(high.shape, dtype=np.uint8)
    if game == "omaha8":
        known = omaha_tables()
        low = known.low[np.bitwise_or.reduce(LOW_BIT[held], axis=1)][:, known.board_low[rows]]
    taken = (side.masks[:, None] & np.bitwise_or.reduce(np.uint64(1) << boards.astype(np.uint64), axis=1)) != 0
    high[taken], low[taken] = 0, 0
    return high, low


def _flushes(game: str, held: npt.NDArray[np.uint8], inside: npt.NDArray[np.bool_], masks: Ints) -> Values:
    """The best flush of each hand with the ranks that each board has in a suit, `inside` telling its cards in it."""
    if game == "holdem":
        own = np.where(inside, 1 << held.astype(np.int64), 0).sum(axis=1)
        return np.asarray(tables().flush[own[:, None] | masks])
    known, best = omaha_tables(), np.zeros((len(held), len(masks)), dtype=np.uint16)
    place = np.zeros(8192, dtype=np.int64)
    place[known.suited] = np.arange(len(known.suited))
    ranks = held.astype(np.int64)
    for i, j in combinations(range(held.shape[1]), 2):
        both = inside[:, i] & inside[:, j]
        rows = ranks[both, i] + ranks[both, j] * (ranks[both, j] - 1) // 2
        best[both] = np.maximum(best[both], known.flush[rows][:, place[masks]])
    return best
