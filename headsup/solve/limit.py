"""The strategy of heads-up limit hold'em that ships: 169 - 500 - 500 - 300 buckets, 8 bits a share, 5 MB.

It was solved in its buckets on one H200 in 216 seconds (1,480 iterations of linear CFR on 512 drawn boards a player,
each player against an opponent who replies best on the river: `GpuBucketCfr(.., against_best=True)`), and its
exploitability is exact: best replies that see every card, over all 2,554,656 boards (`headsup measure shipped --device
gpu`), as is what it earns against itself, 86.81 mbb/g for the dealer.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from headsup.solve.solution import Solution

SHIPPED = "shipped"
"""How commands call it."""
PATH = Path(__file__).parent / "data" / "limit.headsup"


@cache
def shipped_limit() -> Solution:
    """The record: `in_game(game("holdem-limit"))` is the strategy, `exploitability` its price."""
    return Solution.load(PATH)
