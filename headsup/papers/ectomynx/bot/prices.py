"""What each fault of the report, and each part of our strategy, is worth: learned with and without it, and played out.

    python -m headsup.papers.ectomynx.bot.prices faults OUT.json [SEEDS CYCLES HANDS DEALS]
    python -m headsup.papers.ectomynx.bot.prices seen OUT.json [DEALS]
    python -m headsup.papers.ectomynx.bot.prices parts OUT.json [ROUNDS DEALS SEEDS DEVICE]

The cost of a fault is what a system trained with it loses to one trained without it from the same seed; `between` is
the confidence interval of the mean over pairs. For `seen` the shipped bot plays with the fault against itself.
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
from headsup.discards.strategy.learn import CLEAN, average, compare, learn, respond
from headsup.equity.blocks import map_blocks
from headsup.equity.results import Z95
from headsup.papers.ectomynx.bot import train as levels
from headsup.papers.ectomynx.bot.data import trained
from headsup.play.statistics.interval import student

CLEANED = "cleaning"  # the report's proposal to clean weights below 0.5 %, priced with the faults
SEEN = ("board-pairs", "small-bets", "river-draws")  # faults that a bot may have whose training had none
PARTS = {"swaps by the rule": kernels.BY_RULE, "swaps unseen": kernels.UNSEEN, "bets of one size": kernels.ONE_SIZE}


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


def parts(rounds: int, deals: int, seeds: int = 1, device: str = "cpu") -> Iterator[list[dict[str, Any]]]:
    """The price of every part of ours, and what a response learned as long wins; again after each seed."""
    won: dict[str, list[Floats]] = {}
    for seed in range(1, seeds + 1):
        whole = learn(rounds, seed=seed, device=device)
        ours = average(whole)

        def play(name: str, strategy: Any, mode: int = 0, ours: Any = ours, seed: int = seed) -> list[dict[str, Any]]:
            won.setdefault(name, []).append(compare(strategy, ours, deals, (mode, 0), seed, device))
            return [price(each, results) for each, results in won.items()]

        for clean in (0.0, 0.2, 0.5):
            yield play(f"cleaned at {clean:g} in place of {CLEAN:g}", average(whole, clean))
        for name, mode in PARTS.items():
            yield play(name, average(learn(rounds, seed=seed, mode=mode, device=device)), mode)
        yield play("reply", respond(ours, rounds, seed=seeds + seed, device=device))


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
    given = [int(number) for number in numbers if number.isdigit()]
    if which == "faults":
        every = faults(*given or (4, 20, 1_000_000, 500_000))
    elif which == "seen":
        every = seen(*given or (2_000_000,))
    else:
        rounds, deals, seeds = (*given, *(100, 1_000_000, 1)[len(given) :])
        every = parts(rounds, deals, seeds, "gpu" if "gpu" in numbers else "cpu")
    for figures in every:
        write_json(Path(path), {"kind": which, "numbers": given, "prices": figures})


if __name__ == "__main__":
    main(sys.argv[1:])
