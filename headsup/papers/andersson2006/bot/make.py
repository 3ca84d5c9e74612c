"""`python -m headsup.papers.andersson2006.bot.make FOLDER`: count the chances among the paper's buckets, and solve its
bots.

Counting over all deals takes some minutes and is kept in FOLDER; each bot is some forty models, solved by CFR+ or
(`--method lp`) as linear programs without the rarest transitions. It writes `aggrobot-15.headsup` and
`aggrobot-20.headsup`, which ship.
"""

import argparse
import re
import resource
import time
from pathlib import Path

import numpy as np

from headsup.abstraction.hands.buckets import FeatureBuckets
from headsup.abstraction.hands.partitions import partition_arrays
from headsup.abstraction.hands.spec import build_buckets
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
from headsup.papers.andersson2006.bot.strategy import (
    BUCKETS,
    FORCED,
    MENU,
    STACKS,
    Bot,
    save_bot,
    shipped_bot,
    solve_bot,
)

VERSION = 1


def counted(folder: Path, text: str = BUCKETS, samples: int | None = None) -> tuple[BucketChances, dict[str, AnyArray]]:
    """Transition chances and partitions, from the folder or counted now."""
    name = re.sub("[^0-9a-z-]+", "_", text) + (f"-{samples}" if samples else "")
    path = folder / f"{name}.npz"
    job = fingerprint({"buckets": text, "samples": samples})
    arrays = read_arrays(path, VERSION, job)
    if arrays is None:
        holdem = game("holdem-nolimit")
        assert isinstance(holdem, VectorGame)
        buckets = build_buckets(holdem, text)
        chances = count_chances(buckets, samples, progress=tell)
        arrays = chances.arrays() | tables(buckets)
        arrays |= {f"errors{s}": array for s, array in enumerate(chances.errors)}
        write_arrays(path, VERSION, arrays, job)
    read = BucketChances.read(text, arrays)
    return read, {name: array for name, array in arrays.items() if name.startswith(("part", "table"))}


def tables(buckets: FeatureBuckets) -> dict[str, AnyArray]:
    """Partition edges, and the buckets of all hands before and on the flop, two bits each."""
    arrays = partition_arrays(buckets.partitions)
    if max(buckets.sizes[0][0], buckets.sizes[1][0]) <= 4 and len(buckets.sizes[1]) == 1:
        arrays |= {f"table{street}": pack(buckets.table(street)) for street in (0, 1)}
    return arrays


def pack(table: AnyArray) -> AnyArray:
    """Four numbers from 0 to 3 per byte."""
    flat = np.zeros(-(-table.size // 4) * 4, dtype=np.uint8)
    flat[: table.size] = table.ravel()
    return np.asarray(flat[0::4] | flat[1::4] << 2 | flat[2::4] << 4 | flat[3::4] << 6)


def tell(progress: Progress) -> None:
    print(f"{progress.what}: {progress.done:,} of {progress.total:,}", flush=True)


def by_program(model: BucketModel, forced: float) -> ProgramSolution:
    """Interior point without crossover, as in the paper."""
    return solve_model(model, "interior", forced, RARE, run_crossover="off")


def by_cfr(model: BucketModel, forced: float) -> ProgramSolution:
    """CFR+ to 1 mbb/g; with forced actions, where that cannot be measured, 1,000 iterations."""
    return solve_by_cfr(model, forced=forced, target=1e-3, iterations=1000 if forced else 4000)


def make(folder: Path, stack: int, method: str = "cfr", menu: str = MENU, known: bool = False) -> Bot:
    """Count the chances, or take the shipped ones (`known`); solve; write."""
    if known:
        shipped = shipped_bot(stack)
        chances, parts = shipped.chances, shipped.parts
    else:
        chances, parts = counted(folder)
    began, used = time.perf_counter(), time.process_time()
    solved, models = solve_bot(stack, chances, {"lp": by_program, "cfr": by_cfr}[method], menu=menu, watch=tell)
    free = [model for model in models if "forced" not in model.name]
    made = {
        "method": {"lp": "linear programs, interior point", "cfr": "cfr+"}[method],
        "forced": FORCED,
        "models": len(models),
        "value": models[0].value,
        "largest exploitability of a model, bb": max(model.exploitability for model in free),
        "payoffs of the preflop model": models[0].size.payoffs,
        "payoffs of all postflop models": sum(model.size.payoffs for model in models[2:]),
        "seconds": round(time.perf_counter() - began),
        "seconds of the processor": round(time.process_time() - used),
        "memory, MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    bot = Bot(stack, chances, solved.shares, solved.menu, parts, made)
    save_bot(folder / f"aggrobot-{stack}.headsup", bot)
    for model in models:
        off = f"{model.exploitability:.2g} off"
        print(f"{model.name}: {model.size}; value {model.value:.6f}, {off}, {model.seconds:.0f} s")
    print(made)
    return bot


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--stack", type=int, choices=STACKS)
    parser.add_argument("--method", choices=("lp", "cfr"), default="cfr")
    parser.add_argument("--menu", default=MENU)
    parser.add_argument("--known", action="store_true", help="take the odds of the bot that ships, and count nothing")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    for stack in STACKS if args.stack is None else (args.stack,):
        make(args.folder, stack, args.method, args.menu, args.known)


if __name__ == "__main__":
    plainly(main)
