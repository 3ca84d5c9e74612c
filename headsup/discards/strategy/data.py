"""The shipped strategy of hold'em with discards; `python -m headsup.discards.strategy.data` makes it again on a GPU.

`python -m headsup.discards.strategy.data OUT.npz 600 cpu` learns for 600 seconds on all cores and prints its rounds and
deals as JSON; the agent `discard:OUT.npz` plays it.
"""

import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.common.display import print_line
from headsup.discards.strategy.learn import Learned, average, cleaned, learn
from headsup.discards.strategy.packed import STEPS, normalised, read_packed, write_packed
from headsup.discards.strategy.walk_kernels import ACTIONS, ENTRIES

PATH = Path(__file__).parent / "data" / "discard.npz"
PART = "ten-depths"  # the name of the rows, by how entries are numbered: other files are refused
SECONDS, SEED, KEPT, RARE = 300.0, 1, 0.02, 20.0
"""How long an H200 takes for the strategy that ships; probabilities below KEPT are left out, and rows that were played
less often than RARE, since the nearest other row is better known."""


def save(strategy: npt.NDArray[Any], path: Path, about: str) -> None:
    """Write probabilities, [ENTRIES, 4]; rows that were never reached are left out."""
    rows = np.flatnonzero(np.rint(STEPS * strategy).sum(axis=1) > 0)
    write_packed(path, about, {PART: (rows, strategy[rows])})


def load(path: Path, clean: float = 0.0) -> npt.NDArray[np.float32]:
    """Probabilities, [ENTRIES, 4], without those below `clean`."""
    strategy = np.zeros((ENTRIES, ACTIONS), dtype=np.float32)
    rows, steps = read_packed(path, {PART: ACTIONS})[PART]
    strategy[rows] = cleaned(normalised(steps, ACTIONS), clean)
    return strategy


@cache
def shipped(clean: float = 0.0) -> npt.NDArray[np.float32]:
    return load(PATH, clean)


def make(path: Path = PATH, seconds: float = SECONDS, device: str = "gpu") -> dict[str, float]:
    """Learn for some time, writing on the way; return what it took, without compilation."""
    learned, saved = learn(1, seed=SEED, device=device), 0.0
    first, began = learned.deals, time.perf_counter()
    while True:
        learn(500 if device == "gpu" else 10, seed=SEED, learned=learned, device=device)
        took = time.perf_counter() - began
        if took > saved + seconds / 2 or took > seconds:
            save(average(learned, KEPT, RARE), path, about(learned, SEED))
            saved = took
        if took > seconds:
            return {
                "rounds": learned.rounds,
                "deals": learned.deals,
                "seconds": took,
                "rate": (learned.deals - first) / took,
            }


def about(learned: Learned, seed: int) -> str:
    return f"{learned.rounds} rounds of {len(learned.cumulative)} lanes, {learned.deals:,} deals, seed {seed}"


if __name__ == "__main__":
    path, seconds, device = (*sys.argv[1:4], *(str(PATH), str(SECONDS), "gpu")[len(sys.argv) - 1 :])
    print_line(**make(Path(path), float(seconds), device))
