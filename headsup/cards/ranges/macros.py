"""The `$` macros: upper case for one card, lower case as a test on the whole hand.

A gap macro such as `$1g` wants different ranks that would be consecutive but for that many missing ranks in between,
with the ace counted high, as in every span (AKQJ has no gap; A432 has eight).
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import card_classes
from headsup.cards.ranges.pattern import Mask

CARD_MACROS = {
    "$B": "AKQJ",  # big
    "$R": "AKQJT",  # Broadway
    "$F": "KQJ",  # face
    "$N": "KQJT9",  # no low card
    "$M": "T987",  # middle
    "$Z": "65432",  # small
    "$L": "A8765432",  # low for eight-or-better
    "$W": "A5432",  # wheel
}

_SUIT_COUNTS: dict[int, dict[str, tuple[int, ...]]] = {
    4: {"$ds": (2, 2), "$ss": (2, 1, 1), "$ts": (3, 1), "$ms": (4,), "$rb": (1, 1, 1, 1)},
    2: {"$s": (2,), "$o": (1, 1)},
}
_RANK_COUNTS: dict[int, dict[str, set[tuple[int, ...]]]] = {
    4: {
        "$np": {(1, 1, 1, 1)},
        "$op": {(2, 1, 1)},
        "$tp": {(2, 2)},
        "$nt": {(1, 1, 1, 1), (2, 1, 1), (2, 2)},
    },
    2: {"$np": {(1, 1)}, "$op": {(2,)}},
}


def hand_macro_names(n: int) -> list[str]:
    """The hand macros for n-card hands, gap macros as one entry."""
    return [*_SUIT_COUNTS[n], *_RANK_COUNTS[n], "$0g"]


@cache
def match_macro(name: str, n: int) -> Mask | None:
    """Which classes of n-card hands pass a hand macro; None if there is no such macro for these hands."""
    reps = card_classes(n).reps
    if name in _SUIT_COUNTS[n]:
        return _counts_are(reps & 3, {_SUIT_COUNTS[n][name]})
    ranks = reps >> 2
    if name in _RANK_COUNTS[n]:
        return _counts_are(ranks, _RANK_COUNTS[n][name])
    if len(name) == 3 and name[1] in "0123456789" and name[2] == "g":
        gaps = ranks[:, -1].astype(np.int64) - ranks[:, 0] - (n - 1)
        return np.asarray((ranks[:, 1:] > ranks[:, :-1]).all(axis=1) & (gaps == int(name[1])))
    return None


def _counts_are(values: npt.NDArray[np.integer], wanted: set[tuple[int, ...]]) -> Mask:
    """Whether each row has one of these shapes: how often its values occur, most frequent first."""
    # the number of equal pairs determines the shape of at most four values
    equal = np.zeros(len(values), dtype=np.int8)
    for a, b in combinations(values.T, 2):
        equal += a == b
    return np.isin(equal, [sum(comb(often, 2) for often in shape) for shape in wanted])
