"""The texture of flops in words: suits, pairs, the highest card, and how close the ranks are."""

from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import RANKS

Array = npt.NDArray[Any]
ACE = 12

SUITS = ("monotone", "two-tone", "rainbow")
PAIRS = ("trips", "paired", "unpaired")
HIGH = tuple(f"{rank} high" for rank in RANKS[::-1])
CONNECTED = ("three in a row", "one or two gaps", "no straight")
GROUPS = {"suits": SUITS, "pairs": PAIRS, "high card": HIGH, "connected": CONNECTED}
"""The words of a texture; a flop has one word of every group."""


def textures(flops: npt.ArrayLike) -> dict[str, npt.NDArray[np.int64]]:
    """For each group of words, the place of each flop's word in it.

    A flop is in a row, or has one or two gaps, if its three ranks are different and all of one straight (an ace may be
    low): then a straight can be held. On every other flop none can.
    """
    cards = np.asarray(flops, dtype=np.int64).reshape(-1, 3)
    ranks = np.sort(cards >> 2, axis=1)
    colours, kinds = _different(cards & 3), _different(ranks)
    gaps = np.where(kinds == 3, span(ranks), 9)
    return {
        "suits": colours - 1,
        "pairs": kinds - 1,
        "high card": ACE - ranks[:, 2],
        "connected": np.where(gaps == 2, 0, np.where(gaps <= 4, 1, 2)),
    }


def span(ranks: Array) -> Array:
    """From the lowest to the highest of ascending ranks in steps, the ace low where that is closer; a row a flop."""
    low_ace = np.sort(np.where(ranks == ACE, -1, ranks), axis=1)
    return np.asarray(np.minimum(ranks[:, -1] - ranks[:, 0], low_ace[:, -1] - low_ace[:, 0]))


def _different(values: Array) -> npt.NDArray[np.int64]:
    ordered = np.sort(values, axis=1)
    return np.asarray(1 + (np.diff(ordered, axis=1) != 0).sum(axis=1))
