"""Learn our strategy: linear Monte Carlo CFR over dealt hands; see `walk_kernels` for the game and its entries.

Each deal is walked once for each seat. What block t of deals adds to regrets and to the average counts t times (linear
CFR), so that early mistakes fade. The strategy is the average, cleaned: what is played less often than `CLEAN` is not
played at all.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.play.discard import walk_kernels as kernels
from headsup.play.discard.facts import make_facts
from headsup.play.ectomynx.train import deal_cards
from headsup.progress import Progress, Watch

Tables = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]
BLOCK = 5_000
"""Deals of a block."""
CLEAN = 0.05


def learn(
    blocks: int, *, seed: int = 1, mode: int = 0, tables: Tables | None = None, watch: Watch | None = None
) -> Tables:
    """Regrets and strategies added up, [ENTRIES, 3], after so many blocks of deals; `mode` says what is taken away."""
    found = tables or (np.zeros((kernels.ENTRIES, 3), np.float32), np.zeros((kernels.ENTRIES, 3), np.float32))
    counter = np.array([seed], dtype=np.uint64)
    for block in range(blocks):
        facts, textures = make_facts(deal_cards(counter, BLOCK))
        kernels.learn(facts, textures, mode, found[0], found[1], (block + 1) / blocks, counter)
        if watch is not None:
            watch(Progress(BLOCK * (block + 1), BLOCK * blocks, "deals", unit="deals"))
    return found


def average(tables: Tables, clean: float = CLEAN) -> npt.NDArray[np.float32]:
    """[ENTRIES, 3] shares of actions, cleaned; rows that were never met are 0."""
    total = tables[1].sum(axis=1, keepdims=True)
    shares = np.divide(tables[1], total, out=np.zeros_like(tables[1]), where=total > 0.0)
    shares[shares < clean] = 0.0
    total = shares.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(shares, total, out=np.zeros_like(shares), where=total > 0.0), dtype=np.float32)


def compare(first: Any, second: Any, deals: int, modes: tuple[int, int] = (0, 0), seed: int = 1) -> npt.NDArray[Any]:
    """What the first of two strategies wins of each deal, in big blinds a hand, each deal played from both seats."""
    counter, found = np.array([seed], dtype=np.uint64), []
    for _ in range(0, deals, BLOCK):
        facts, textures = make_facts(deal_cards(counter, BLOCK))
        won = np.empty((2, BLOCK))
        kernels.play(facts, textures, np.array(modes), (first, second), counter, won[0])
        kernels.play(facts, textures, np.array(modes[::-1]), (second, first), counter, won[1])
        found.append((won[0] - won[1]) / 4.0)
    return np.concatenate(found)
