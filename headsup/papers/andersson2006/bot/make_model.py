"""Solve the paper's preflop model by one method and print a line of JSON: bounds of its value, seconds, memory.

    python -m headsup.papers.andersson2006.bot.make_model 20 --method interior
    python -m headsup.papers.andersson2006.bot.make_model 20 --buckets 5-5-5-5:edges,preflop=ehs,edges=0/35/50/65/80/100

Chances are the shipped ones, counted over all deals; other buckets are counted first, which takes minutes.
"""

import argparse
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from headsup.common.display import json_line
from headsup.common.errors import plainly
from headsup.common.highs import optimum
from headsup.games.trees.sequence import Profile
from headsup.papers.andersson2006.bot.make import counted
from headsup.papers.andersson2006.bot.model import BucketModel
from headsup.papers.andersson2006.bot.model_cfr import ModelCfr, ModelFictitious
from headsup.papers.andersson2006.bot.model_lp import behaviour, bounds, model_program
from headsup.papers.andersson2006.bot.strategy import STACKS, preflop_model, shipped_bot
from headsup.solve.small.lp import ALGORITHMS

METHODS = (*ALGORITHMS, "cfr+", "fictitious")


def by_program(model: BucketModel, algorithm: str, chooser: int, **options: object) -> tuple[Profile, dict[str, Any]]:
    """Both strategies from one program, and the output of HiGHS."""
    program, rows, columns = model_program(model, 0.0, chooser)
    solved = optimum(program, "take another method", near=True, solver=ALGORITHMS[algorithm], **options)
    mine = behaviour(model, chooser, solved.columns[columns])
    other = behaviour(model, 1 - chooser, np.abs(solved.multipliers[rows]))
    figures = {
        "rows": program.n_rows,
        "columns": program.n_columns,
        "objective": solved.objective,
        "status": solved.status,
    }
    return ((other, mine) if chooser else (mine, other)), figures


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Solve the paper's preflop model by one method.")
    parser.add_argument("stack", type=int, help="in big blinds")
    parser.add_argument("--method", choices=METHODS, default="cfr+")
    parser.add_argument("--iterations", type=int, default=3000, help="of cfr+ and of fictitious play")
    parser.add_argument("--chooser", type=int, choices=(0, 1), default=1, help="whose plan are the program's columns")
    parser.add_argument("--option", action="append", default=[], help="of HiGHS, such as presolve=off")
    parser.add_argument(
        "--least", type=float, default=0.0, help="rarer moves are unknown to a program, not to its bounds"
    )
    parser.add_argument("--buckets", help="others than the bot's, such as 4-4-4-4:potential")
    parser.add_argument("--samples", type=int, help="boards a street that are drawn for the odds of these buckets")
    parser.add_argument("--folder", type=Path, help="where counted odds are kept")
    parser.add_argument("--out", type=Path, help="a file for the line")
    args = parser.parse_args(given)
    if args.buckets is None:
        chances = shipped_bot(STACKS[0]).chances
    else:
        args.folder.mkdir(parents=True, exist_ok=True)
        chances, _ = counted(args.folder, args.buckets, args.samples)
    model = preflop_model(args.stack, chances)
    print(f"the model has {model.size()}, if its payoffs are written out", file=sys.stderr, flush=True)
    began, used = time.perf_counter(), time.process_time()
    figures: dict[str, Any] = {}
    if args.method in ALGORITHMS:
        options = dict(option.split("=", 1) for option in args.option)
        known = preflop_model(args.stack, chances.without_rare(args.least))
        profile, figures = by_program(known, args.method, args.chooser, **options)
        figures |= {"chooser": args.chooser, "options": args.option, "least": args.least}
    else:
        solver = ModelCfr(model) if args.method == "cfr+" else ModelFictitious(model)
        solver.step(args.iterations)
        profile, figures = solver.profile(), {"iterations": args.iterations}
    seconds, processor = time.perf_counter() - began, time.process_time() - used
    size, (low, high) = model.size(), bounds(model, profile)
    line = json_line(
        {
            "stack": args.stack,
            "buckets": args.buckets or chances.text,
            "method": args.method,
            **figures,
            "low": low,
            "high": high,
            "seconds": round(seconds, 2),
            "processor_seconds": round(processor, 2),
            "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "nodes": size.nodes,
            "sequences": size.sequences,
            "payoffs": size.payoffs,
        }
    )
    print(line, flush=True)
    if args.out is not None:
        args.out.write_text(line + "\n")


if __name__ == "__main__":
    plainly(main)
