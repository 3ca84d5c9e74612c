"""`python -m headsup.papers.andersson2006.bot.make FOLDER`: count the chances among the paper's buckets, and solve its
bots.

Counting over all deals takes some minutes and is kept in FOLDER; each bot is some forty models, solved by CFR+ or
(`--method lp`) as linear programs without the rarest transitions. It writes `aggrobot-15.headsup` and so on, which
ship; `--variant five` and others make the bots of chapters 6 and 7 (`VARIANTS`).
"""

import argparse
import re
import resource
import time
from functools import partial
from pathlib import Path

import numpy as np

from headsup.abstraction.hands.buckets import FeatureBuckets
from headsup.abstraction.hands.partitions import partition_arrays, strength_and_potential
from headsup.abstraction.hands.spec import build_buckets, parse_spec
from headsup.common.archives import read_arrays, write_arrays
from headsup.common.arrays import AnyArray
from headsup.common.errors import plainly
from headsup.common.files import fingerprint
from headsup.common.progress import Progress
from headsup.games.catalogue.names import game
from headsup.games.holdem.vector import VectorGame
from headsup.papers.andersson2006.bot.bucket_chances import BucketChances, count_chances
from headsup.papers.andersson2006.bot.model import BucketModel
from headsup.papers.andersson2006.bot.model_cfr import solve_by_cfr
from headsup.papers.andersson2006.bot.model_lp import RARE, ProgramSolution, solve_model
from headsup.papers.andersson2006.bot.preflop_buckets import with_edges
from headsup.papers.andersson2006.bot.strategy import (
    BUCKETS,
    EDGES,
    FORCED,
    MENU,
    STACKS,
    VARIANTS,
    Bot,
    Variant,
    pack,
    save_bot,
    shipped_bot,
    solve_bot,
)

VERSION = 2  # of the files of counted chances
ITERATIONS = 4000


def counted(folder: Path, text: str = BUCKETS, samples: int | None = None) -> tuple[BucketChances, dict[str, AnyArray]]:
    """Transition chances and partitions, from the folder or counted now."""
    name = re.sub("[^0-9a-z-]+", "_", text) + (f"-{samples}" if samples else "")
    path = folder / f"{name}.npz"
    job = fingerprint({"buckets": text, "samples": samples})
    arrays = read_arrays(path, VERSION, job)
    if arrays is None:
        holdem = game("holdem-nolimit")
        assert isinstance(holdem, VectorGame)
        buckets = build_buckets(holdem, text) if samples is None else drawn_buckets(holdem, text, samples)
        chances = count_chances(buckets, samples, progress=tell)
        arrays = chances.arrays() | tables(buckets)
        arrays |= {f"errors{s}": array for s, array in enumerate(chances.errors)}
        write_arrays(path, VERSION, arrays, job)
    read = BucketChances.read(text, arrays)
    return read, {name: array for name, array in arrays.items() if name.startswith(("part", "table"))}


def tables(buckets: FeatureBuckets) -> dict[str, AnyArray]:
    """Partition edges, and the buckets of all hands before and on the flop where a street has one partition."""
    arrays = partition_arrays(buckets.partitions)
    for street in (0, 1):
        if len(buckets.sizes[street]) == 1:
            arrays[f"table{street}"] = pack(buckets.table(street), buckets.sizes[street][0])
    return arrays


def drawn_buckets(holdem: VectorGame, text: str, samples: int) -> FeatureBuckets:
    """Buckets without the strengths of all rivers: with potential, they are cut by the hands of drawn boards.

    A table of the flop is made board by board, unless the buckets depend on the betting.
    """
    if parse_spec(text).method == "potential":
        first = build_buckets(holdem, text.replace(":potential,", ":edges,edges=0/25/50/75/100,"))
        features, rng = first.features, np.random.default_rng(1)
        partitions = [first.partitions[0]]
        for street, count in enumerate(parse_spec(text).counts[1:], 1):
            sets = features.sets(street)
            chosen = rng.choice(len(sets), size=min(samples, 100 * street**2), p=sets.count / sets.count.sum())
            partitions.append((strength_and_potential(features, street, int(count or 1), drawn=chosen),))
        buckets = FeatureBuckets(holdem, partitions, features=features, text=text)
    else:
        buckets = build_buckets(holdem, text)
    if len(buckets.partitions[1]) == 1:
        features, flops = buckets.features, buckets.features.sets(1)
        rows = [buckets.partitions[1][0].of(features, 1, flop, flop + 1, alone=True) for flop in range(len(flops))]
        buckets.give_table(1, 0, np.where(features.alive(flops), np.concatenate(rows), 0).astype(np.uint8))
    return buckets


def tell(progress: Progress) -> None:
    print(f"{progress.what}: {progress.done:,} of {progress.total:,}", flush=True)


def by_program(model: BucketModel, forced: float) -> ProgramSolution:
    """Interior point without crossover, as in the paper."""
    return solve_model(model, "interior", forced, RARE, run_crossover="off")


def by_cfr(model: BucketModel, forced: float, forgets: bool = False, iterations: int = ITERATIONS) -> ProgramSolution:
    """CFR+ to 1 mbb/g; with forced actions, where that cannot be measured, and with forgetting 1,000 iterations."""
    most = min(1000, iterations) if forced or forgets else iterations
    return solve_by_cfr(model, forced=forced, forgets=forgets, target=1e-3, iterations=most)


def make(
    folder: Path,
    stack: int,
    method: str = "cfr",
    menu: str = MENU,
    known: bool = False,
    variant: str = "",
    samples: int | None = None,
    iterations: int = ITERATIONS,
) -> Bot:
    """Count the chances, or take the shipped ones (`known`); solve; write."""
    made_as = VARIANTS.get(variant, Variant("the paper's bot"))
    if known and made_as.buckets in (BUCKETS, EDGES):
        shipped = shipped_bot(STACKS[0])
        chances, parts = shipped.chances, shipped.parts
        if made_as.buckets == EDGES:
            chances, parts = with_edges(shipped)
    else:
        chances, parts = counted(folder, made_as.buckets, samples)
    began, used = time.perf_counter(), time.process_time()
    solve = by_program if method == "lp" else partial(by_cfr, forgets=made_as.forgets, iterations=iterations)
    solved, models = solve_bot(stack, chances, solve, menu=menu, folds=made_as.folds, watch=tell)
    free = [model for model in models if "forced" not in model.name]
    made = {
        "method": {"lp": "linear programs, interior point", "cfr": "cfr+"}[method],
        "forced": FORCED,
        "models": len(models),
        "value": models[0].value if not made_as.folds else _with_folds(models[0].value, chances),
        "largest exploitability of a model, bb": max(model.exploitability for model in free),
        "payoffs of the preflop model": models[0].size.payoffs,
        "payoffs of all postflop models": sum(model.size.payoffs for model in models[2:]),
        "seconds": round(time.perf_counter() - began),
        "seconds of the processor": round(time.process_time() - used),
        "memory, MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    if variant:
        made["variant"] = variant
    if samples is not None:
        made["boards per street drawn for the odds"] = samples
    bot = Bot(stack, chances, solved.shares, solved.menu, parts, made)
    save_bot(folder / f"aggrobot-{variant + '-' if variant else ''}{stack}.headsup", bot)
    for model in models:
        off = f"{model.exploitability:.2g} off"
        print(f"{model.name}: {model.size}; value {model.value:.6f}, {off}, {model.seconds:.0f} s")
    print(made)
    return bot


def _with_folds(value: float, chances: BucketChances) -> float:
    """The value of the whole game if the small blind folds its worst bucket and wins this much with the others."""
    worst = float(chances.first()[0])
    return -0.5 * worst + value * (1.0 - worst)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--stack", type=int, metavar="BB")
    parser.add_argument("--variant", choices=tuple(VARIANTS), default="", help="a bot of chapters 6 and 7")
    parser.add_argument("--method", choices=("lp", "cfr"), default="cfr")
    parser.add_argument("--menu", default=MENU)
    parser.add_argument("--iterations", type=int, default=ITERATIONS, help="the most iterations of CFR+ for a model")
    parser.add_argument("--samples", type=int, help="boards a street that are drawn for the odds; all if left out")
    parser.add_argument("--known", action="store_true", help="take the odds of the bot that ships, and count nothing")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    stacks = VARIANTS[args.variant].stacks if args.variant else STACKS
    for stack in stacks if args.stack is None else (args.stack,):
        make(args.folder, stack, args.method, args.menu, args.known, args.variant, args.samples, args.iterations)


if __name__ == "__main__":
    plainly(main)
