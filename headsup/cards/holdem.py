"""What is seen in hold'em hands: ranks, pair, suit and gap of every hand class, counted once."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import holdem_class_reps


class TwoCards(NamedTuple):
    """The two cards of each class."""

    high: npt.NDArray[np.int64]
    low: npt.NDArray[np.int64]  # the higher and the lower rank, 2 to 14, which is the ace
    pair: npt.NDArray[np.bool_]
    suited: npt.NDArray[np.bool_]
    gap: npt.NDArray[np.int64]  # ranks missing between the two; none between those of a pair


@cache
def holdem_cards() -> TwoCards:
    reps = holdem_class_reps()
    ranks = (reps >> 2).astype(np.int64)
    low, high = ranks.min(axis=1) + 2, ranks.max(axis=1) + 2
    pair = low == high
    return TwoCards(high, low, pair, (reps[:, 0] & 3) == (reps[:, 1] & 3), np.where(pair, 0, high - low - 1))
