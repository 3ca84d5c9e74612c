"""What an Omaha hand is called on a board: the made hand, the low and the draws, for many hands at once.

A hand plays two of its cards, so it is called by the best of its six pairs of cards, each named as in hold'em
(`headsup.evaluate.categories`); `nuts` is the best high that any hand has on the board.

Draws exist before the river, and only to a better hand than the made one. A straight draw is named by its outs, the
cards that make a straight less those in the hand: a wrap has nine or more. A nut flush draw has the highest card of the
suit that is not on the board. A low draw has no low and gets one by some card; the nut low draw has the two lowest
ranks that are not on the board. A low is counterfeited where a low is possible, and the hand has two low ranks, but
fewer than two that the board has not.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import mask_of
from headsup.cards.combos import combo_masks, holdem_combos, holdem_index
from headsup.evaluate import rank_hands
from headsup.evaluate.categories import MADE, Array, Categories, made_of_five, made_of_ranks, rank_bits
from headsup.evaluate.classes import LOW_BITS
from headsup.evaluate.tables import low_table

OMAHA_MADE = ("nuts", *(name for name in MADE if name != "ace high"))
OMAHA_DRAWS = (
    *("nut flush draw", "flush draw", "wrap, 13 or more outs", "wrap, 9 to 12 outs", "straight draw, 5 to 8 outs"),
    *("straight draw, up to 4 outs", "backdoor flush draw", "nut low draw", "low draw"),
)
LOWS = ("nut low", "low", "counterfeited low", "no low")
OUTS = ((13, 52), (9, 12), (5, 8), (1, 4))
RUNS = tuple(sum(1 << rank % 13 for rank in range(low, low + 5)) for low in (12, *range(9)))
"""The ranks of each straight as bits; the first has the ace below."""


def omaha_categories(board: Sequence[int], hands: npt.ArrayLike, low: bool = False) -> Categories:
    """The categories of hands (four cards a row) on a board of three to five cards that they share no card with.

    `low`: whether lows count, as in Hi-Lo.
    """
    held, table = np.asarray(hands, dtype=np.uint8).reshape(-1, 4), np.asarray(board, dtype=np.uint8)
    pairs = np.stack([holdem_index()[held[:, i], held[:, j]] for i, j in combinations(range(4), 2)])
    values = _pair_values(table)
    best = values[pairs].max(axis=0)
    called = made_of_five(best, made_of_ranks(table, holdem_combos())[pairs].min(axis=0))
    made = _renumbered()[called]
    made[best == values.max()] = 0
    draws = np.zeros((len(held), len(OMAHA_DRAWS)), dtype=bool)
    if len(table) < 5:
        draws[:, :2], draws[:, 6] = _flush_draws(table, pairs, called > MADE.index("flush"))
        outs = np.where(called > MADE.index("straight"), _straight_outs(table, held), 0)
        for i, (least, most) in enumerate(OUTS):
            draws[:, 2 + i] = (outs >= least) & (outs <= most)
    names = OMAHA_DRAWS if low else OMAHA_DRAWS[:-2]
    if not low:
        return Categories(made, draws[:, :-2], OMAHA_MADE, names)
    lows, drawn = _lows(table, held)
    draws[:, -2:] = drawn
    return Categories(made, draws, OMAHA_MADE, names, lows, LOWS)


def _renumbered() -> npt.NDArray[np.uint8]:
    """Places in OMAHA_MADE of those in MADE; ace high is no made hand."""
    return np.array([OMAHA_MADE.index(name if name in OMAHA_MADE else "no made hand") for name in MADE], dtype=np.uint8)


def _pair_values(board: Array) -> npt.NDArray[np.uint16]:
    """[1326] the value of two cards with the best three of a board; 0 where they share a card with it."""
    free = (combo_masks(2) & np.uint64(mask_of(board.tolist()))) == 0
    cards, values = holdem_combos()[free], np.zeros(len(free), dtype=np.uint16)
    fives = [np.hstack([cards, np.tile(three, (len(cards), 1))]) for three in combinations(board, 3)]
    values[free] = np.max([rank_hands(five, check=False) for five in fives], axis=0)
    return values


def _flush_draws(board: Array, pairs: Array, under: Array) -> tuple[Array, Array]:
    """[n, 2] whether a hand has a nut flush draw or another one, and [n] whether it has only a backdoor flush draw."""
    cards, suits = holdem_combos().astype(np.int64), np.bincount(board & 3, minlength=4)
    suited = (cards[:, 0] & 3) == (cards[:, 1] & 3)
    highest = np.array([max({4 * rank + suit for rank in range(13)} - set(board.tolist())) for suit in range(4)])
    four, nut = suited & (suits[cards[:, 0] & 3] == 2), (cards == highest[cards & 3]).any(axis=1)
    three = suited & (suits[cards[:, 0] & 3] == 1) & (len(board) == 3)
    best, some, back = ((which[pairs].any(axis=0)) & under for which in (four & nut, four, three))
    return np.stack([best, some & ~best], axis=1), back & ~some


def _straight_outs(board: Array, held: Array) -> Array:
    """[n] how many cards of the deck give a hand a straight, two of its ranks with three of the board's."""
    mine, ranks = np.bitwise_or.reduce(rank_bits(held), axis=1), held >> 2
    there, outs = int(np.bitwise_or.reduce(rank_bits(board))), np.zeros(len(held), dtype=np.int64)
    for rank in range(13):
        made = np.zeros(len(held), dtype=bool)
        for run in RUNS:
            missing = run & ~(there | 1 << rank)
            if missing.bit_count() <= 2:
                made |= ((mine & missing) == missing) & (np.bitwise_count(mine & run) >= 2)
        left = 4 - int((board >> 2 == rank).sum()) - (ranks == rank).sum(axis=1)
        outs += np.where(made, left, 0)
    return outs


def _lows(board: Array, held: Array) -> tuple[npt.NDArray[np.uint8], Array]:
    """Places in LOWS, and [n, 2] whether a hand has a nut low draw or another low draw."""
    bits, table = np.array(LOW_BITS, dtype=np.int64), low_table().reshape(256, 256)
    mine, there = (np.bitwise_or.reduce(bits[cards >> 2], axis=-1) for cards in (held, board))
    low, best = table[mine, there], int(table[:, there].max())
    out = np.full(len(held), LOWS.index("no low"), dtype=np.uint8)
    if best:
        out[(np.bitwise_count(mine) >= 2) & (low == 0)] = LOWS.index("counterfeited low")
        out[low > 0] = LOWS.index("low")
        out[low == best] = LOWS.index("nut low")
    draws = np.zeros((len(held), 2), dtype=bool)
    if len(board) < 5:
        more = np.max([table[mine, int(there) | 1 << rank] for rank in range(8)], axis=0)
        lowest = [1 << rank for rank in range(8) if not int(there) >> rank & 1][:2]
        drawn, nut = (low == 0) & (more > 0), (mine & sum(lowest)) == sum(lowest)
        draws[:, 0], draws[:, 1] = drawn & nut, drawn & ~nut
    return out, draws
