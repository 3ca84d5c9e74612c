"""All-in or fold before the flop of hold'em with discards, for stacks that the learned strategy does not know.

Equities against each other are taken as linear in the equities against a random hand (`equity_before`), so both seats
play thresholds: the button is all-in with hands above one, the big blind calls with hands above another.
"""

from functools import lru_cache

import numpy as np

from headsup.cards.classes import holdem_class_of_combo
from headsup.common.arrays import Floats
from headsup.discards.equity.table import BEFORE, swap_table
from headsup.discards.strategy.walk_kernels import LIMP

MOST = 8.0  # big blinds up to which this is played
ITERATIONS = 200


@lru_cache(maxsize=256)
def thresholds(stack: float) -> tuple[float, float]:
    """The equities against a random hand from which on the button goes all-in and the big blind calls; stack in bb."""
    equity = swap_table().equities
    weight = np.bincount(holdem_class_of_combo(), minlength=len(equity)) / 1326.0
    jam, call = 0.0, 0.0
    for turn in range(ITERATIONS):
        step = 2.0 / (turn + 2.0)
        jams, calls = (weight * (equity >= least) for least in (jam, call))
        # the caller needs (stack - 1) / (2 stack) against the mean hand that goes all-in
        mean = float(jams @ equity / jams.sum()) if jams.sum() > 0.0 else float(equity.max())
        best_call = mean + ((stack - 1.0) / (2.0 * stack) - 0.5) / BEFORE
        # all-in is worth (1 - called) + called * stack * (2 share - 1), a fold -1/2
        called = float(calls.sum())
        mean = float(calls @ equity / called) if called > 0.0 else float(equity.max())
        best_jam = mean + (called - 1.5) / (2.0 * BEFORE * stack * called) if called > 0.0 else 0.0
        jam, call = jam + step * (best_jam - jam), call + step * (best_call - call)
    return jam, call


def rows(line: int, stack: float) -> Floats:
    """[169, 4] probabilities by class on a line before the flop (`walk_kernels.LINES`), for a stack in big blinds.

    A raise is answered as if it were all-in; after a limp the big blind is all-in or checks.
    """
    jam, call = thresholds(stack)
    enters = swap_table().equities >= (jam if line in (0, LIMP) else call)
    return np.stack([~enters, np.zeros_like(enters), np.zeros_like(enters), enters], axis=1).astype(np.float64)
