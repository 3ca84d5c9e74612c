"""The strategies with which the report began its training.

Before the flop its appendix lists 169 hands, of which the first 123 are legible: `TABLE`, a line per row of the grid, a
digit per level from 0 to 5, in twentieths. We fill in the missing offsuit hands by the same hand suited, 55 to 22 with
60 to 90 % limps, 54s to 32s by folding, and 82s without its last number. After the flop there is a table per street
(`TABLES`); "3+" is spread evenly over levels 3 to 5. At level 2 or higher the big blind leads 2.5 times as often as it
check-raises, at level 1 both are even, and level 0 checks. Other states start evenly.
"""

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import holdem_class_name
from headsup.papers.ectomynx.bot.train_kernels import CHOICES, FLOP_ROWS, LEVELS, ROWS, TURN_ROWS

Weights = npt.NDArray[np.float32]

GRID = "AKQJT98765432"
TABLE = """
A 00000k 00000k 00000k 00000k 00000k 0000c8 0003c5 0006c2 0008a2 000992 000a82 000a91 000b81
K 00000k 00000k 00004g 00026c 000398 0004a6 0006a4 0008a2 000aa0 001c70 005a50 009830 00d520
Q 00000k 00000k 00000k 000848 000a46 000d43 000g40 001g30 002g20 004g00 008c00 00c800 00g400
J 00000k 00026c 000848 0005a5 000a82 000b90 002c60 004d30 006e00 008c00 00c800 04c400 08c000
T 00000k 000398 000a46 000a82 0005a5 000g40 004e20 006e00 009b00 04a600 06c200 08c000 0c8000
9 0000c8 0004a6 000d43 000b90 000g40 0005a5 004g00 008c00 02c600 06c200 0aa000 a64000 k00000
8 0003c5 0006a4 000g40 002c60 004e20 004g00 04a600 008c00 00c800 04e200 46a000 866000 e60g00
7 0008a2 000aa0 001g30 004d30 006e00 008c00 00aa00 06a400 088400 4a6000 k00000 k00000 k00000
6 0008a2 000c80 002e40 00aa00 00e600 03e300 06c200 0aa000 0aa000 k00000 k00000 k00000 k00000
5 000992 000e60 006c20 00aa00 068600 0c6200
"""
TABLES: tuple[dict[int, tuple[int, ...]], ...] = (
    {0: (80, 20, 0, 0), 1: (10, 50, 20, 20), 3: (20, 75, 5, 0), 5: (10, 10, 60, 20), 7: (5, 10, 10, 75)},
    {0: (100, 0, 0, 0), 1: (50, 50, 0, 0), 3: (50, 50, 0, 0), 5: (10, 30, 50, 10), 7: (5, 10, 25, 60)},
    {0: (100, 0, 0, 0), 1: (), 3: (50, 50, 0, 0), 5: (10, 60, 30, 0), 7: (5, 35, 40, 20), 8: (5, 15, 40, 40)},
)
"""Flop, turn, river: per cent of levels 0, 1, 2 and 3+, from a strength (`hands.STRENGTHS`) up to the next that is
named.

On the river there are no draws; a program that sees some has no row for them.
"""
LEAD = 2.5  # how many times as often the big blind leads as it checks to raise


def start_before() -> Weights:
    """[169, 6] how often each class of hands goes to each level, for both seats."""
    rows = np.zeros((169, LEVELS), dtype=np.float32)
    legible = dict(_legible())
    place = {holdem_class_name(i): i for i in range(169)}
    limps = {"55": 60, "44": 70, "33": 80, "22": 90}
    for name, row in place.items():
        if name in limps:
            shares = [0, limps[name], 100 - limps[name], 0, 0, 0]
        elif name in legible:
            shares = legible[name]
        else:
            shares = legible.get(name[:2] + "s", [100, 0, 0, 0, 0, 0])
        rows[row] = np.array(shares) / 100
    return rows


def _legible() -> list[tuple[str, list[int]]]:
    legible = []
    for line in TABLE.strip().splitlines():
        high, *cells = line.split()
        for other, cell in zip(GRID, cells, strict=False):
            first, second = sorted((high, other), key=GRID.index)
            suits = "" if high == other else "s" if GRID.index(high) < GRID.index(other) else "o"
            shares = [5 * int(digit, 21) for digit in cell]
            legible.append((first + second + suits, [70, 30, 0, 0, 0, 0] if sum(shares) == 180 else shares))
    return legible


def start_after(*, often_check_raises: bool = False) -> tuple[Weights, Weights]:
    """[ROWS, 12] of the button and of the big blind; `often_check_raises` inverts the ratio of leads."""
    ends = (0, FLOP_ROWS, FLOP_ROWS + TURN_ROWS, ROWS)
    both = np.empty((ROWS, CHOICES), dtype=np.float32), np.empty((ROWS, CHOICES), dtype=np.float32)
    for street, table in enumerate(TABLES):
        # a row is ((pre, flop), strength, (the rest of its street))
        shape = (4 * 12, 14, (ends[street + 1] - ends[street]) // FLOP_ROWS)
        named = sorted(table)
        for strength in range(14):
            shares = table[max(listed for listed in named if listed <= strength)]
            rows = start_rows(shares, 1 / LEAD if often_check_raises else LEAD)
            for seat in (0, 1):
                both[seat][ends[street] : ends[street + 1]].reshape(*shape, CHOICES)[:, strength] = rows[seat]
    return both


def start_rows(shares: tuple[int, ...], lead: float) -> tuple[Weights, Weights]:
    """The twelve weights of each seat from percentages of levels 0, 1, 2 and 3+; uniform without any."""
    if not shares:
        even = np.full(CHOICES, 1 / 11, dtype=np.float32)
        even[0] = 0.0  # to lead with nothing is to check
        return np.full(CHOICES, 1 / 6, dtype=np.float32), even
    levels = np.array([*shares[:3], *[shares[3] / 3] * 3]) / 100
    leads = np.array([0.0, 0.5, *[lead / (1 + lead)] * 4])
    return (
        np.concatenate([levels, levels]).astype(np.float32),
        np.concatenate([levels * leads, levels * (1 - leads)]).astype(np.float32),
    )
