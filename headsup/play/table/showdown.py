"""Showdowns of single deals, by the kernels of `headsup.evaluate` on small buffers that each thread keeps."""

import threading
from functools import cache
from typing import Any, NamedTuple

import numpy as np


class Shown(NamedTuple):
    """The values of both hands, greater is better; a low of 0 means no low."""

    highs: tuple[int, int]
    lows: tuple[int, int] = (0, 0)


def showdown(cards: str, first: tuple[int, ...], second: tuple[int, ...], board: tuple[int, ...]) -> Shown:
    """The values of both hands on a board of five; `cards` is 'holdem', 'omaha' or 'omaha8'."""
    if cards == "holdem":
        hands, highs = _buffers(7)
        hands[0] = (*first, *board)
        hands[1] = (*second, *board)
        kernels, t = _tools()
        kernels.rank_hands(hands, t.card_keys, t.row_starts, t.values, t.flush, highs)
        return Shown((int(highs[0]), int(highs[1])))
    kernels, t = _tools()
    hands, highs = _buffers(4)
    boards, _ = _buffers(5)
    hands[0], hands[1] = first, second
    boards[:] = board
    kernels.omaha_high(hands, boards, t.flush, t.omaha, t.pair_index, t.triple_index, highs)
    high = int(highs[0]), int(highs[1])
    if cards == "omaha":
        return Shown(high)
    lows = np.zeros(2, dtype=np.uint8)
    kernels.omaha_low(hands, boards, t.low, lows)
    return Shown(high, (int(lows[0]), int(lows[1])))


_buffers_of = threading.local()


def _buffers(columns: int) -> tuple[Any, Any]:
    name = f"of{columns}"
    if not hasattr(_buffers_of, name):
        setattr(_buffers_of, name, (np.zeros((2, columns), dtype=np.uint8), np.zeros(2, dtype=np.uint16)))
    buffers: tuple[Any, Any] = getattr(_buffers_of, name)
    return buffers


@cache
def _tools() -> tuple[Any, Any]:
    from headsup.evaluate import kernels, tables

    return kernels, tables.load()
