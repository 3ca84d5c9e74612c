"""A proof without a search: mistakes that points cannot avoid, because they add up.

Take hands a played and b folded at some seat and stack: points do so only if the difference d of what they show is
worth more than zero. If c - e = d for hands c folded and e played, at any seat and stack, then one of these two pairs
has a hand that is misplayed. On one side of every difference d each pair costs the cheaper of its two mistakes. A
mistake is paid for only once, so each difference in turn, the most rewarding first, takes the same amount from both
sides, as much as the smaller side still has. The sum of these amounts plus the floor (`objective`) is a lower bound for
every rule that adds up points of these lines, with any thresholds.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from headsup.common.arrays import Floats
from headsup.distil.scorecards.objective import cells_of, floor_losses, scale
from headsup.distil.scorecards.records import adds_seats

DIFFERENCES, SAMPLE = 1500, 2000  # so many differences are looked at, those that most pairs of so many hands have
Longs = npt.NDArray[np.int64]


def swap_floor(game: str, lines: Sequence[str], stacks: tuple[float, ...], *, seats: tuple[int, ...] = (0, 1)) -> float:
    """No rule that adds up points of these lines has a lower average share over these seats and stacks.

    Where the seats are added up (hold'em) the average is that of the sums, so it needs both.
    """
    cells, unit = cells_of(game, lines, stacks), scale(game, stacks)
    parts = len(stacks) * (1 if adds_seats(game) else len(seats))
    gains = np.concatenate([cells.gains[seat] / (parts * unit[seat]) for seat in seats], axis=1)
    lost = floor_losses(game, lines, stacks) / (parts * unit)
    return float(lost[list(seats)].sum()) + packed(cells.columns, gains)


@cache
def proved(game: str, lines: tuple[str, ...], max_stack: float) -> float:
    """A lower bound of the share of any card with these lines, for stacks up to the largest."""
    whole = tuple(float(stack) for stack in range(2, int(max_stack) + 1))
    if adds_seats(game):
        middle = len(whole) // 2 - 1
        return max(swap_floor(game, lines, stacks) for stacks in (whole, whole[-3:], whole[middle - 2 : middle + 1]))
    return max(swap_floor(game, lines, whole[-3:], seats=seats) for seats in ((0, 1), (1,)))


def packed(columns: Longs, gains: Floats) -> float:
    """The least that cells with these columns lose; `gains` is the gain of playing each, a column for each decision."""
    from headsup.distil.scorecards.kernels import opposed, take  # the compiler loads only for a proof

    chance = np.random.default_rng(0)
    # a linear fingerprint: that of a difference is the difference of those of the hands
    prints = columns @ chance.integers(-(2**52), 2**52, size=columns.shape[1])
    order = np.argsort(prints)
    left, sign = np.abs(gains), np.sign(gains)
    ranked = []
    for difference in _common(prints, chance):
        high, low = _pairs(prints, order, int(difference), columns)
        worth = opposed(high, low, left, sign)
        if worth.min() > 0:
            ranked.append((float(worth.min()), high, low))
    ranked.sort(key=lambda entry: -entry[0])
    return float(sum(take(high, low, left, sign) for _, high, low in ranked))


def _common(prints: Longs, chance: np.random.Generator) -> Longs:
    some = prints if len(prints) <= SAMPLE else chance.choice(prints, SAMPLE, replace=False)
    every = np.abs(some[:, None] - some[None, :])[np.triu_indices(len(some), 1)]
    differences, often = np.unique(every, return_counts=True)
    kept = np.argsort(-often, kind="stable")[:DIFFERENCES]
    return np.asarray(differences[kept][differences[kept] != 0])


def _pairs(prints: Longs, order: Longs, difference: int, columns: Longs) -> tuple[Longs, Longs]:
    """The pairs of cells with a difference of fingerprints, less any whose columns differ in another way."""
    wanted = prints - difference
    at = np.minimum(np.searchsorted(prints, wanted, sorter=order), len(prints) - 1)
    high = np.flatnonzero(prints[order[at]] == wanted)
    low = order[at[high]]
    if len(high):
        apart = columns[high] - columns[low]
        same = (apart == apart[0]).all(axis=1)
        high, low = high[same], low[same]
    return high, low
