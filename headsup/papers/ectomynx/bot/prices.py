"""What each fault of the report, and each part of our strategy, is worth, played out with and without it.

    python -m headsup.papers.ectomynx.bot.prices faults OUT.json [SEEDS CYCLES HANDS DEALS]
    python -m headsup.papers.ectomynx.bot.prices seen OUT.json [DEALS]
    python -m headsup.papers.ectomynx.bot.prices parts OUT.json [DEALS]

The cost of a fault is what a system trained with it loses to one trained without it from the same seed; `between` is
the confidence interval of the mean over pairs. For `seen` their shipped bot plays with the fault against itself, and
for `parts` ours plays without a part against itself.
"""

import sys
from collections.abc import Iterator, Sequence
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from headsup.common.arrays import Floats
from headsup.common.files import write_json
from headsup.discards.strategy import walk_kernels as kernels
from headsup.discards.strategy.data import PATH, load
from headsup.discards.strategy.learn import CLEAN, compare
from headsup.equity.blocks import map_blocks
from headsup.equity.results import Z95
from headsup.papers.ectomynx.bot import train as levels
from headsup.papers.ectomynx.bot.data import trained
from headsup.play.statistics.interval import student

CLEANED = "cleaning"  # the report's proposal to clean weights below 0.5 %, priced with the faults
SEEN = ("board-pairs", "small-bets", "river-draws")  # faults that a bot may have whose training had none
PARTS = {"swaps by the rule": kernels.BY_RULE, "swaps unseen": kernels.UNSEEN, "bets of one size": kernels.ONE_SIZE}
CLEANINGS = (0.0, 0.15, 0.3, 0.5)


def faults(seeds: int, cycles: int, hands: int, deals: int) -> Iterator[list[dict[str, Any]]]:
    """The cost of every fault in big blinds a hand; yields again after each seed."""
    names = ("", *levels.FAULTS, CLEANED)
    won: dict[str, list[Floats]] = {name: [] for name in names[1:]}
    for seed in range(1, seeds + 1):

        def work(block: slice, seed: int = seed) -> levels.LevelStrategy:
            name = names[block.start]
            clean, fault = (0.005, "") if name == CLEANED else (0.0, name)
            return levels.train(levels.parse_faults(fault), cycles, hands, seed=seed, clean=clean)

        sound, *wrong = map_blocks(work, len(names), 1)

        def play(block: slice, seed: int = seed, sound: Any = sound, wrong: Any = tuple(wrong)) -> Floats:
            return levels.compare(wrong[block.start], sound, deals, seed=100 + seed)

        for name, each in zip(won, map_blocks(play, len(wrong), 1), strict=True):
            won[name].append(each)
        yield [price(name, each) for name, each in won.items()]


def seen(deals: int) -> Iterator[list[dict[str, Any]]]:
    """The cost to the shipped bot of faults in what it sees, big blinds a hand; yields after each."""
    costs = []
    for name in SEEN:
        wrong = trained()._replace(faults=levels.parse_faults(name))
        costs.append(price(name, [levels.compare(wrong, trained(), deals)]))
        yield costs


def parts(deals: int) -> Iterator[list[dict[str, Any]]]:
    """What ours wins from itself without a part, and cleaned otherwise, big blinds a hand; yields after each."""
    ours, costs = load(PATH, CLEAN), []
    for name, mode in PARTS.items():
        costs.append(price(name, [compare(ours, ours, deals, (mode, 0))]))
        yield costs
    for clean in CLEANINGS:
        costs.append(price(f"cleaned at {clean:g} in place of {CLEAN:g}", [compare(load(PATH, clean), ours, deals)]))
        yield costs


def price(name: str, won: Sequence[Floats]) -> dict[str, Any]:
    """Means of what was won, with half the width of the 95 % confidence intervals."""
    means = np.array([each.mean() for each in won])
    halves = np.array([Z95 * each.std() / sqrt(len(each)) for each in won])
    n = len(won)
    between = student(0.975, n - 1) * float(means.std(ddof=1)) / sqrt(n) if n > 1 else 0.0
    return {
        "name": name,
        "mean": float(means.mean()),
        "half": float(np.sqrt((halves**2).sum()) / n),
        "between": between,
        "means": means.tolist(),
    }


def main(words: Sequence[str]) -> None:
    which, path, *numbers = words
    given = [int(number) for number in numbers]
    if which == "faults":
        every = faults(*given or (4, 20, 1_000_000, 500_000))
    elif which == "seen":
        every = seen(*given or (2_000_000,))
    else:
        every = parts(*given or (400_000,))
    for figures in every:
        write_json(Path(path), {"kind": which, "numbers": given, "prices": figures})


if __name__ == "__main__":
    main(sys.argv[1:])
