"""SAGE, the rule of Jones 2006 for hold'em.

Power index 2 x high + low with A = 15, K = 13, Q = 12, J = 11, plus 22 for a pair, plus 2 if suited; jam or call from a
number in a table on, for R = 1..7 big blinds in the shorter stack *after* posting. Between the rows the nearest one is
used (halves down), beyond the table its last row; neither is in the source.
"""

from functools import cache
from math import ceil

import numpy as np

from headsup.cards.cards import RANKS
from headsup.cards.hands import holdem_cards
from headsup.distil.rules.points import PointRule, Points, off_the_end

SAGE_RANKS = {"A": 15, "K": 13, "Q": 12, "J": 11, "T": 10} | {str(rank): rank for rank in range(2, 10)}
SAGE_JAM = (17, 21, 22, 23, 24, 25, 26)
SAGE_CALL = (0, 17, 24, 26, 28, 29, 30)  # from R = 1 on; with R = 1 any hand calls


def sage_row(stack: float) -> int:
    """R of the table, 1..7, for a stack before posting."""
    return min(7, max(1, ceil(stack - 1 - 0.5)))


def _sage_text(stack: float) -> str:
    row, given = sage_row(stack), stack - 1
    if abs(given - row) <= 0.5:
        return f"the table's number for R = {row}, the stack after the big blind"
    return f"{off_the_end('table', row, row > given)}, and you have R = {given:g} after the big blind"


@cache
def sage() -> PointRule:
    cards, value = holdem_cards(), np.array([SAGE_RANKS[rank] for rank in RANKS])
    lines = (
        Points("Cards", "twice the value of the higher card", 2, value[cards.high - 2], "with A 15, K 13, Q 12, J 11"),
        Points("Cards", "the value of the lower card", 1, value[cards.low - 2]),
        Points("Pair", "a pair", 22, cards.pair, "already a made hand"),
        Points("Suits", "suited", 2, cards.suited, "a flush now and then"),
    )
    table = {"sb": SAGE_JAM, "bb": SAGE_CALL}
    return PointRule(
        name="sage",
        title="SAGE",
        game="holdem",
        source="Jones 2006",
        lines=lines,
        threshold=lambda stack, seat: float(table[seat][sage_row(stack) - 1]),
        threshold_text=lambda stack, seat: _sage_text(stack),
        min_stack=2.0,
        max_stack=8.0,
    )
