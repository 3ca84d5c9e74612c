"""What a swap on the flop makes by the turn, counted exactly: the tables of the ectomynx report's appendix.

Every replacement card times every turn card is one way; without a swap, every turn card. As in the report only what
the hole cards make counts, the best of

    flush or straight, two pair or trips, pair with a draw, pair, draw, nothing

where a draw is four to a flush, or five ranks in a row with one missing, made with a hole card. `draw` picks one of
the two, as each table of the report does.
"""

from __future__ import annotations

from collections.abc import Sequence

from headsup.common.errors import UserError
from headsup.discards.swap import KEEP, ROWS

MADE = ("nothing", "draw", "pair", "pair and draw", "two pair or trips", "flush or straight")
DRAWS = ("flush", "straight")


def swap_makes(hole: Sequence[int], flop: Sequence[int], swap: int, draw: str) -> dict[str, int]:
    """The number of ways to make each of MADE by the turn, throwing away no card (0), the first or the second."""
    if draw not in DRAWS:
        raise UserError(f"'{draw}' is not a draw: choose one of {', '.join(DRAWS)}")
    gone = {*hole, *flop}
    left = [card for card in range(52) if card not in gone]
    counts = dict.fromkeys(MADE, 0)
    for new in left if swap != KEEP else [-1]:
        hand = [*hole]
        if swap != KEEP:
            hand[swap - 1] = new
        for turn in left:
            if turn != new:
                counts[made(hand, [*flop, turn], draw)] += 1
    return counts


def made(hole: Sequence[int], board: Sequence[int], draw: str) -> str:
    flush = max(sum(card & 3 == held & 3 for card in (*hole, *board)) for held in hole)
    table = {card >> 2 for card in board}
    own = {card >> 2 for card in hole} - table
    mask = sum(1 << rank for rank in own | table)
    rows = [(row & mask).bit_count() for row in ROWS if any(row >> rank & 1 for rank in own)]
    if flush >= 5 or 5 in rows:
        return MADE[5]
    drawing = flush == 4 if draw == "flush" else 4 in rows
    ranks = [card >> 2 for card in (*hole, *board)]
    times = [ranks.count(card >> 2) for card in hole]
    if max(times) >= 3 or (min(times) >= 2 and hole[0] >> 2 != hole[1] >> 2):
        return MADE[4]
    if max(times) == 2:
        return MADE[3] if drawing else MADE[2]
    return MADE[1] if drawing else MADE[0]
