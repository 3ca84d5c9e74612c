"""Our strategy of hold'em with discards that ships; `python -m headsup.play.discard.data` makes it anew.

It takes seven minutes on eight cores.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.play.discard.learn import Learned, average, learn
from headsup.play.discard.walk_kernels import ENTRIES
from headsup.play.packed import STEPS, normalised, read_packed, write_packed

PATH = Path(__file__).parent / "data" / "discard.npz"
ROUNDS, SEED, KEPT = 456, 1, 0.02
"""Shares below the last are left out."""


def save(strategy: npt.NDArray[Any], path: Path, about: str) -> None:
    """Write shares of actions, [ENTRIES, 3]; rows that were never met are left out."""
    rows = np.flatnonzero(np.rint(STEPS * strategy).sum(axis=1) > 0)
    write_packed(path, about, {"shares": (rows, strategy[rows])})


def load(path: Path) -> npt.NDArray[np.float32]:
    """Read what `save` wrote."""
    found = np.zeros((ENTRIES, 3), dtype=np.float32)
    rows, steps = read_packed(path, {"shares": 3})["shares"]
    found[rows] = normalised(steps, 3)
    return found


@cache
def shipped() -> npt.NDArray[np.float32]:
    """The strategy that ships, not cleaned."""
    return load(PATH)


def make(path: Path = PATH) -> None:
    """Learn and write."""
    path.parent.mkdir(exist_ok=True)
    found = learn(ROUNDS, seed=SEED)
    save(average(found, KEPT), path, about(found, SEED))


def about(learned: Learned, seed: int) -> str:
    """How a strategy was made."""
    return f"{learned.rounds} rounds of {len(learned.totals)} lanes, {learned.deals:,} deals, seed {seed}"


if __name__ == "__main__":
    make()
