"""The trained weights of the report's bot that ship; rows that training never changed are those of the start.

`levels.npz` has many short cycles, `levels-long.npz` eight of 1e9 hands, as many as the report played in a cycle.

    python -m headsup.papers.ectomynx.bot.data [OUT.npz [CYCLES HANDS [SECONDS]]]

makes them again on all cores, and writes them after each cycle. OUT.state beside them has the weights in full: the same
command resumes from there. With SECONDS no cycle begins that would end later.
"""

import sys
import time
from functools import cache
from pathlib import Path

import numpy as np

from headsup.common.archives import read_arrays, write_arrays
from headsup.discards.strategy.packed import STEPS, normalised, read_packed, write_packed
from headsup.papers.ectomynx.bot.train import RATE, LevelStrategy, start, train_cycle

PATH = Path(__file__).parent / "data" / "levels.npz"
LONG = PATH.with_name("levels-long.npz")
SEATS = ("button", "blind")
CYCLES, HANDS, SEED = 20, 2_000_000, 1


def save(strategy: LevelStrategy, path: Path, about: str) -> None:
    begun, parts = start(), {}
    for seat, name in enumerate(SEATS):
        rows = np.flatnonzero(np.abs(strategy.after[seat] - begun.after[seat]).max(axis=1) > 0.5 / STEPS)
        parts[f"{name}-before"] = np.arange(169), strategy.before[seat]
        parts[f"{name}-after"] = rows, strategy.after[seat][rows]
    write_packed(path, about, parts)


def load(path: Path) -> LevelStrategy:
    strategy = start()
    parts = read_packed(path, {f"{name}-{part}": n for name in SEATS for part, n in (("before", 6), ("after", 12))})
    for seat, name in enumerate(SEATS):
        strategy.before[seat][:] = normalised(parts[f"{name}-before"][1], 6)
        rows, steps = parts[f"{name}-after"]
        strategy.after[seat][rows] = normalised(steps, 6 if seat == 0 else 12)
    return strategy


@cache
def trained(path: Path = PATH) -> LevelStrategy:
    return load(path)


def make(path: Path = PATH, cycles: int = CYCLES, hands: int = HANDS, seconds: float = float("inf")) -> int:
    """Train, or resume, and return how many cycles are done."""
    path.parent.mkdir(exist_ok=True)
    state, job = path.with_suffix(".state"), f"{hands} hands a cycle, rate {RATE}, seed {SEED}"
    strategy, done = start(), 0
    arrays = read_arrays(state, 1, job)
    if arrays is not None:
        done = int(arrays["cycles"])
        for seat in (0, 1):
            strategy.before[seat][:], strategy.after[seat][:] = arrays[f"before{seat}"], arrays[f"after{seat}"]
    began = time.perf_counter()
    slowest = 0.0
    while done < cycles and time.perf_counter() - began + slowest <= seconds:
        since = time.perf_counter()
        train_cycle(strategy, done, hands, seed=SEED)
        done += 1
        weights = {f"before{seat}": strategy.before[seat] for seat in (0, 1)}
        weights |= {f"after{seat}": strategy.after[seat] for seat in (0, 1)}
        write_arrays(state, 1, weights | {"cycles": np.array(done)}, job)
        save(strategy, path, f"{done} cycles of {hands:,} hands, rate {RATE}, seed {SEED}")
        slowest = max(slowest, time.perf_counter() - since)
        print(f"{done} of {cycles} cycles, {slowest:.1f} s for the slowest", flush=True)
    return done


if __name__ == "__main__":
    path, cycles, hands, seconds = (*sys.argv[1:5], *(str(PATH), str(CYCLES), str(HANDS), "inf")[len(sys.argv) - 1 :])
    make(Path(path), int(cycles), int(hands), float(seconds))
