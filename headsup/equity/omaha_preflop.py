"""Omaha before the flop: pairs of hands up to suits through the rank/suit factorisation, or a table of all matchups.

Two pairs of hands that differ by a renaming of the suits have the same counts. So a range against a range is the sum,
over the pairs of disjoint hands up to suits, of the pair's weight times one `matchup_grid`. The canonical form of a
pair is the smallest of the numbers that its images get; 24 look-ups find it.

A table of all matchups can be plugged in with `install`. It answers for pairs of the 16,432 hand classes, each summed
over all disjoint suit pairings, and so serves ranges in which all hands of a class have the same weight, without dead
cards.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import omaha_class_of_combo, omaha_class_sizes
from headsup.cards.combos import combos
from headsup.cards.suits import permuted_combos, stabiliser
from headsup.equity.blocks import Progress, map_blocks
from headsup.equity.results import Grid, as_grid
from headsup.equity.spot import Ints, Side, Spot

MOST_PAIRS = 4_000_000
"""More pairs of hands than this are not even listed."""
_COUNT = 270725


class Matchups(Protocol):
    """A table of all Omaha matchups before the flop."""

    def weighted_grid(self, a: Ints, b: Ints) -> list[list[int]]:
        """The 3 x 4 grid of counts as Python ints: the sum over classes i, j of a[i] * b[j] * (grid of i against j).

        `a` and `b` are int64[16432], the weight of each hand of a class.
        """


_installed: Matchups | None = None


def install(table: Matchups | None) -> None:
    """Use this table from now on, or none."""
    global _installed
    _installed = table


def installed() -> Matchups | None:
    """The table in use."""
    return _installed


def class_weights(side: Side) -> Ints | None:
    """int64[16432]: the weight that the hands of each class share, or None when a class is held only in part."""
    classes = omaha_class_of_combo()[side.combos]
    sizes = omaha_class_sizes()
    most = np.zeros(len(sizes), dtype=np.int64)
    np.maximum.at(most, classes, side.weights)
    held = np.bincount(classes, side.weights, len(sizes)).astype(np.int64)
    return most if np.array_equal(held, most * sizes) else None


def table_grid(spot: Spot) -> Grid | None:
    """The grid from the installed table, or None where there is no table or it does not answer this question."""
    if _installed is None or spot.board or spot.dead:
        return None
    a, b = class_weights(spot.a), class_weights(spot.b)
    return None if a is None or b is None else as_grid(_installed.weighted_grid(a, b))


def canonical_pairs(spot: Spot) -> tuple[Ints, list[int]]:
    """The pairs of disjoint hands up to suits, as int64[n, 2] combo numbers, and the weight of each."""
    rows, columns = np.nonzero((spot.a.masks[:, None] & spot.b.masks[None, :]) == 0)
    first, second = spot.a.combos[rows], spot.b.combos[columns]
    weights = spot.a.weights[rows] * spot.b.weights[columns]
    keys = np.full(len(rows), np.iinfo(np.int64).max)
    for one in stabiliser(spot.known):
        image = permuted_combos(4, one)
        np.minimum(keys, image[first].astype(np.int64) * _COUNT + image[second], out=keys)
    found, which = np.unique(keys, return_inverse=True)
    totals: npt.NDArray[np.int64] = np.zeros(len(found), dtype=np.int64)
    np.add.at(totals, which.reshape(-1), weights)  # a weight is at most 10^8 and a pair has at most 24 images
    return np.stack(np.divmod(found, _COUNT), axis=1), totals.tolist()


def pairs_grid(spot: Spot, progress: Progress | None = None) -> Grid:
    """The exact grid by one `matchup_grid` for each pair of hands up to suits."""
    from headsup.equity.eval8 import matchup_grid

    pairs, weights = canonical_pairs(spot)
    hands = combos(4)

    def work(block: slice) -> npt.NDArray[np.object_]:
        total = np.zeros((3, 4), dtype=object)
        for (a, b), weight in zip(pairs[block], weights[block], strict=True):
            total += weight * matchup_grid(_cards(hands[a]), _cards(hands[b]), spot.dead).astype(object)
        return total

    parts = map_blocks(work, len(pairs), 16, progress)
    return as_grid(sum(parts, np.zeros((3, 4), dtype=object)).tolist())


def _cards(row: npt.NDArray[np.uint8]) -> tuple[int, ...]:
    return tuple(int(card) for card in row)
