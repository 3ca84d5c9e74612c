"""Equities with swaps: hold'em in which each player may change a hole card on the flop and on the turn.

With a fixed rule a hand's way is chance alone, so an equity is a plain average over deals. An exact sum is out of reach
of a desk: a card that is drawn cannot be one that the other has thrown away, so a player's state is the hand and its
dead cards. On a full board that is 1,081 hands times up to 45 and 44 draws, 2.1 million paths of up to four cards a
player; pairing them by sorted values takes a look at the 16 subsets of each path's cards, 7e7 steps a board, and there are
2,554,656 boards up to suits: 2e14 steps, two weeks of two cores. A random deal takes a fifth of a microsecond, and 3.9 million
of them leave 0.0005 (95 %), so deals are drawn.

`rule_many` is the rule over arrays, `swap_counts` counts the deals of a question, `holdem_discard` answers it.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from headsup.equity.swap import ROWS
from headsup.equity.swap_kernels import Rule, Values, swap_many

Masks = npt.NDArray[np.int64]


@cache
def rule_tables() -> Rule:
    """What the kernels ask of ranks."""
    masks = np.arange(8192)
    made, power, completing = (np.zeros(8192, dtype=np.int64) for _ in range(3))
    spread = np.array([sum(1 << 3 * r for r in range(13) if row >> r & 1) for row in ROWS])
    for row, each in zip(ROWS, spread.tolist(), strict=True):
        missing = row & ~masks
        made |= np.where(missing == 0, row, 0)
        draws = (missing != 0) & (missing & (missing - 1) == 0)
        rank = np.log2(np.where(draws, missing, 1)).astype(np.int64)
        power += np.where(draws, each - (1 << 3 * rank), 0)
        completing |= np.where(draws, missing, 0)
    ways = np.bitwise_count(completing)
    return Rule(made.astype(np.uint16), power.astype(np.uint64), ways.astype(np.uint8))


@cache
def value_tables() -> Values:
    """The evaluator's tables."""
    from headsup.evaluate import tables

    t = tables.load()
    return Values(t.card_keys, t.row_starts, t.values, t.flush)


def rule_many(holes: npt.ArrayLike, boards: npt.ArrayLike) -> npt.NDArray[np.uint8]:
    """uint8[n]: `swap_rule` of each row of holes [n, 2] on boards [n, 3 or 4], or on one board for all."""
    hands = np.ascontiguousarray(holes, dtype=np.uint8)
    there = np.asarray(boards, dtype=np.uint8)
    there = np.ascontiguousarray(np.broadcast_to(there, (len(hands), there.shape[-1])))
    out = np.empty(len(hands), dtype=np.uint8)
    swap_many(rule_tables(), hands, there, out)
    return out
