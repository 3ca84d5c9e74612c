"""Hand strength: the fraction of the opponent's hands that a hold'em hand beats."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np

from headsup.cards.classes import holdem_class_of_combo, holdem_class_sizes
from headsup.cards.combos import colex, holdem_combos
from headsup.common.arrays import Floats


@cache
def preflop_strengths() -> Floats:
    """[169] the fraction of hands with less equity against a random hand, counting half of the own class."""
    from headsup.equity.holdem.table import holdem_table

    table, sizes = holdem_table(), holdem_class_sizes()
    equity = (table.equities() * table.deals).sum(axis=1) / table.deals.sum(axis=1)
    order = np.argsort(equity, kind="stable")
    below = np.cumsum(sizes[order]) - sizes[order] / 2
    strengths = np.empty(169)
    strengths[order] = below / sizes.sum()
    return strengths


@lru_cache(maxsize=4096)
def strength(hole: tuple[int, ...], board: tuple[int, ...]) -> float:
    """The fraction of the opponent's hands that a hand beats on the current board, ties half; preflop by equity."""
    if not board:
        return float(preflop_strengths()[holdem_class_of_combo()[colex(hole)]])
    from headsup.evaluate import rank_hands

    known = np.array([*hole, *board], dtype=np.uint8)
    combos = holdem_combos()
    free = combos[~np.isin(combos, known).any(axis=1)]
    rows = np.empty((len(free) + 1, 2 + len(board)), dtype=np.uint8)
    rows[:-1, :2], rows[-1, :2], rows[:, 2:] = free, hole, board
    values = rank_hands(rows, check=False)
    mine, theirs = values[-1], values[:-1]
    return float((theirs < mine).mean() + 0.5 * (theirs == mine).mean())
