"""Who wins when cards are shown: the values of both hands, one deal at a time.

The kernels of `headsup.evaluate` do the work on arrays of two rows that each thread keeps, so a showdown costs a few
microseconds.
"""

from __future__ import annotations

import threading
from functools import cache
from typing import Any, NamedTuple

import numpy as np


class Shown(NamedTuple):
    """The values of both hands, greater is better; a low of 0 is none."""

    highs: tuple[int, int]
    lows: tuple[int, int] = (0, 0)


def showdown(cards: str, first: tuple[int, ...], second: tuple[int, ...], board: tuple[int, ...]) -> Shown:
    """What both hands are worth in a game ('holdem', 'omaha', 'omaha8') on a board of five."""
    if cards == "holdem":
        hands, highs = _room(7)
        hands[0] = (*first, *board)
        hands[1] = (*second, *board)
        kernels, t = _tools()
        kernels.rank_hands(hands, t.card_keys, t.row_starts, t.values, t.flush, highs)
        return Shown((int(highs[0]), int(highs[1])))
    kernels, t = _tools()
    hands, highs = _room(4)
    boards, _ = _room(5)
    hands[0], hands[1] = first, second
    boards[:] = board
    kernels.omaha_high(hands, boards, t.flush, t.omaha, t.pair_index, t.triple_index, highs)
    high = int(highs[0]), int(highs[1])
    if cards == "omaha":
        return Shown(high)
    lows = np.zeros(2, dtype=np.uint8)
    kernels.omaha_low(hands, boards, t.low, lows)
    return Shown(high, (int(lows[0]), int(lows[1])))


_rooms = threading.local()


def _room(columns: int) -> tuple[Any, Any]:
    name = f"of{columns}"
    if not hasattr(_rooms, name):
        setattr(_rooms, name, (np.zeros((2, columns), dtype=np.uint8), np.zeros(2, dtype=np.uint16)))
    found: tuple[Any, Any] = getattr(_rooms, name)
    return found


@cache
def _tools() -> tuple[Any, Any]:
    from headsup.evaluate import kernels, tables

    return kernels, tables.load()
