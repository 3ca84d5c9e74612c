"""Every eight-card class exactly once: the census of all packets against the thirty patterns of ho-2015, table 3.3.

`Tabulator.census` counts classes and deals under the key ((s0 * 9 + s1) * 9 + s2) * 8 + ties: the sizes of the four
suits, largest first, and a bit for each pair of neighbours that hold the same ranks. Each key belongs to one pattern.
"""

from math import comb

import numpy as np
import numpy.typing as npt

from headsup.cards.deals import DEAL_CLASSES, DEAL_PATTERNS
from headsup.common.errors import DataError


def by_pattern(census: npt.NDArray[np.int64]) -> dict[str, tuple[int, int]]:
    """Classes and deals of each of the thirty patterns, from rows of (key, classes, deals)."""
    code_of = {tuple(sorted(pattern.blocks)): pattern.code for pattern in DEAL_PATTERNS}
    counts = {pattern.code: [0, 0] for pattern in DEAL_PATTERNS}
    for key, classes, deals in census.tolist():
        total = counts[code_of[_blocks(key)]]
        total[0] += classes
        total[1] += deals
    return {code: (classes, deals) for code, (classes, deals) in counts.items()}


def _blocks(key: int) -> tuple[tuple[int, int], ...]:
    """(ranks in the set, suits that hold this very set), sorted, empty suits left out."""
    rest, ties = divmod(key, 8)
    sizes = [rest // 81, rest // 9 % 9, rest % 9]
    sizes.append(8 - sum(sizes))
    runs = [[sizes[0], 1]]
    for suit in range(1, 4):
        if ties >> (suit - 1) & 1:
            runs[-1][1] += 1
        else:
            runs.append([sizes[suit], 1])
    return tuple(sorted((size, suits) for size, suits in runs if size))


def check(counts: dict[str, tuple[int, int]], ranks: int) -> None:
    """All thirty rows must hold, and add up."""
    for pattern in DEAL_PATTERNS:
        classes = pattern.classes_in(ranks)
        if counts[pattern.code] != (classes, classes * pattern.duplicates):
            raise DataError(
                f"the packets have {counts[pattern.code]} classes and deals of pattern {pattern.code}, "
                f"not {(classes, classes * pattern.duplicates)}: delete the packets and run the command again"
            )
    if sum(deals for _, deals in counts.values()) != comb(4 * ranks, 8):
        raise DataError("the deals of all suit patterns do not add up to all deals: this is a fault")
    if ranks == 13 and sum(classes for classes, _ in counts.values()) != DEAL_CLASSES:
        raise DataError("the classes of all suit patterns do not add up to 32,819,436: this is a fault")
