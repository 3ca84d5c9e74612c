"""Many hands at once: inputs are checked, outputs allocated, and the kernels called."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import card_name
from headsup.common.checks import as_integers, as_numbers, as_truth, door, quoted, whole
from headsup.common.errors import UserError
from headsup.evaluate.classes import CLASSES

Cards = npt.NDArray[np.uint8]
Values = npt.NDArray[np.uint16]
Lows = npt.NDArray[np.uint8]


@door(check=as_truth)
def rank_hands(cards: npt.ArrayLike, *, check: bool = True) -> Values:
    """The value of each row of cards, one to seven a row, best five of them.

    A row of fewer than five cards is worth the least that any completion could be worth. `check=False` skips the look
    for cards out of range or twice in a row, for callers whose arrays are right by construction.
    """
    from headsup.evaluate import kernels, tables

    hands = _cards(cards, "hands", range(1, 8), check)
    t = tables.load()
    out = np.empty(len(hands), dtype=np.uint16)
    kernels.rank_hands(hands, t.card_keys, t.row_starts, t.values, t.flush, out)
    return out


def rank_ranks(ranks: npt.ArrayLike) -> Values:
    """The value of each row of ranks (0 = deuce .. 12 = ace), one to seven a row, as if no flush existed."""
    from headsup.evaluate import kernels, tables

    rows = _rows(ranks, "ranks", range(1, 8), 13)
    if rows.size and rows.max() > 12:
        raise UserError("ranks must hold integers from 0 to 12")
    if rows.shape[1] > 4:
        ordered = np.sort(rows, axis=1)
        if (ordered[:, 4:] == ordered[:, :-4]).any():
            raise UserError("a row of ranks has five of a rank: the deck holds four of each")
    t = tables.load()
    out = np.empty(len(rows), dtype=np.uint16)
    keys = np.array(tables.RANK_KEYS, dtype=np.uint64)
    kernels.rank_ranks(rows, keys, t.row_starts, t.values, out)
    return out


@door(check=as_truth)
def rank_combos(boards: npt.ArrayLike, *, check: bool = True) -> Values:
    """The value of all 1,326 hold'em combos in colex order on each five-card board; 0 where a combo shares a card."""
    from headsup.evaluate import kernels, tables

    rows = _cards(boards, "boards", (5,), check)
    t = tables.load()
    out = np.empty((len(rows), 1326), dtype=np.uint16)
    kernels.rank_combos(rows, t.card_keys, t.row_starts, t.values, t.flush, out)
    return out


def rank_on_boards(boards: npt.ArrayLike, combos: npt.ArrayLike) -> Values:
    """[boards, combos]: the value of some two-card combos (colex indices) on boards of at most five cards.

    It is 0 where a combo shares a card with the board. Nothing is checked: boards must be right by construction.
    """
    from headsup.cards.combos import combo_masks, holdem_combos, row_masks

    rows = np.ascontiguousarray(as_integers(boards, "boards"), dtype=np.uint8)
    listed = np.asarray(as_integers(combos, "combos"), dtype=np.intp)
    if rows.ndim != 2 or listed.ndim != 1:
        raise UserError(f"boards are rows of cards and combos a list, not {rows.shape} and {listed.shape}")
    n, k = rows.shape
    if k == 5:
        every = rank_combos(rows, check=False)
        return every if len(listed) == every.shape[1] else np.take(every, listed, axis=1)  # row by row, for kernels
    both = np.concatenate([np.repeat(rows, len(listed), axis=0), np.tile(holdem_combos()[listed], (n, 1))], axis=1)
    out = rank_hands(both, check=False).reshape(n, len(listed))
    out[(combo_masks(2)[listed] & row_masks(rows)[:, None]) != 0] = 0
    return out


@door(check=as_truth)
def omaha_high(hands: npt.ArrayLike, boards: npt.ArrayLike, *, check: bool = True) -> Values:
    """The Omaha value of each row: exactly two of the four hand cards with exactly three of the five board cards."""
    from headsup.evaluate import kernels, tables

    four, five = _deals(hands, boards, check)
    t = tables.load()
    out = np.empty(len(four), dtype=np.uint16)
    kernels.omaha_high(four, five, t.flush, t.omaha, t.pair_index, t.triple_index, out)
    return out


@door(check=as_truth)
def omaha_low(hands: npt.ArrayLike, boards: npt.ArrayLike, *, check: bool = True) -> Lows:
    """The eight-or-better low of each row, two cards from the hand and three from the board; 0 where there is none."""
    from headsup.evaluate import kernels, tables

    four, five = _deals(hands, boards, check)
    out = np.empty(len(four), dtype=np.uint8)
    kernels.omaha_low(four, five, tables.load().low, out)
    return out


@door(check=as_truth)
def omaha_on_board(hands: npt.ArrayLike, board: npt.ArrayLike, *, check: bool = True) -> tuple[Values, Lows]:
    """High and low of many Omaha hands on one board, the fast way; 0 and 0 for hands that share a card with it."""
    from headsup.evaluate import kernels, tables

    four = _cards(hands, "hands", (4,), check)
    five = _cards(as_numbers(board, "board")[np.newaxis], "board", (5,))[0]
    t = tables.load()
    high, low = np.empty(len(four), dtype=np.uint16), np.empty(len(four), dtype=np.uint8)
    kernels.omaha_on_board(four, five, t, high, low)
    return high, low


@door(size=whole)
def count_values(size: int) -> npt.NDArray[np.int64]:
    """How many of all hands of 1 to 7 cards have each value: int64[7463], cell 0 is always 0."""
    from headsup.evaluate import kernels, tables

    if size not in range(1, 8):
        raise UserError(f"there is no evaluator for hands of {quoted(size)} cards: ask for 1 to 7")
    counts = np.zeros(CLASSES + 1, dtype=np.int64)
    if size == 1:
        return np.bincount(rank_hands(np.arange(52)[:, np.newaxis]), minlength=CLASSES + 1)
    t = tables.load()
    kernels.count_values(size, t.card_keys, t.row_starts, t.values, t.flush, counts)
    return counts


def _rows(values: npt.ArrayLike, what: str, sizes: Any, limit: int) -> Cards:
    """A contiguous uint8[n, k] array with k among `sizes` and, unless it came as uint8, every entry below `limit`.

    It is writable, since kernels would be compiled again for read-only arrays.
    """
    rows = as_numbers(values, what)
    if rows.dtype.kind not in "iu" or rows.ndim != 2 or rows.shape[1] not in sizes:
        wanted = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
        raise UserError(f"{what} must be a two-dimensional array of integers with {wanted} in a row, not {rows.shape}")
    if rows.dtype != np.uint8 and rows.size and (int(rows.max()) >= limit or int(rows.min()) < 0):
        raise UserError(f"{what} must hold integers from 0 to {limit - 1}")
    return np.require(rows, np.uint8, ("C", "W"))


def _cards(values: npt.ArrayLike, what: str, sizes: Any, check: bool = True) -> Cards:
    rows = _rows(values, what, sizes, 52)
    if check:
        _distinct(rows, rows[:, :0], what)
    return rows


def _deals(hands: npt.ArrayLike, boards: npt.ArrayLike, check: bool) -> tuple[Cards, Cards]:
    four, five = _rows(hands, "hands", (4,), 52), _rows(boards, "boards", (5,), 52)
    if len(four) != len(five):
        raise UserError(f"there are {len(four)} hands but {len(five)} boards: give one board a hand")
    if check:
        _distinct(four, five, "hands with their boards")
    return four, five


def _distinct(rows: Cards, more: Cards, what: str) -> None:
    from headsup.evaluate.checks import first_bad

    bad = first_bad(rows, more)
    if bad >= 0:
        cards = [*rows[bad].tolist(), *more[bad].tolist()]
        if max(cards) > 51:
            raise UserError(f"{what} must hold integers from 0 to 51, but row {bad} has {max(cards)}")
        twice = next(card for i, card in enumerate(cards) if card in cards[:i])
        raise UserError(f"{what} must not hold a card twice in a row, but row {bad} has {card_name(twice)} twice")
