"""The trained weights of the report's bot that ship; rows that training never changed are those of the start.

`python -m headsup.papers.ectomynx.bot.data` makes them again: some minutes on one core.
"""

from functools import cache
from pathlib import Path

import numpy as np

from headsup.discards.strategy.packed import STEPS, normalised, read_packed, write_packed
from headsup.papers.ectomynx.bot.train import RATE, LevelStrategy, start, train

PATH = Path(__file__).parent / "data" / "levels.npz"
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
def trained() -> LevelStrategy:
    return load(PATH)


def make(path: Path = PATH) -> None:
    about = f"{CYCLES} cycles of {HANDS:,} hands, rate {RATE}, seed {SEED}"
    path.parent.mkdir(exist_ok=True)
    save(train(cycles=CYCLES, hands=HANDS, seed=SEED), path, about)


if __name__ == "__main__":
    make()
