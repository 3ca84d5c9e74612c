"""`headsup tabulate`: build, resume, check and repair the exact table of all Omaha matchups before the flop."""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headsup.cli.options import (  # fmt: skip
    ProgressBars,
    add_device,
    add_json,
    add_shard,
    add_workers,
    check_workers,
    print_answer,
    print_shard,
    read_shard,
)
from headsup.common.checks import check_seed
from headsup.common.errors import DataError, UserError
from headsup.common.progress import Progress

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.common.progress import Watch
    from headsup.equity.omaha.matchups.store import Manifest

HELP = """Build the exact table of all Omaha matchups before the flop, for Omaha high and hi-lo in one run.

A stopped run resumes with the same command. On a finished table it verifies every byte and rebuilds damaged blocks."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="omaha8 or omaha; one run builds both")
    add_workers(parser)
    add_shard(parser)
    add_device(parser, "the device that computes the packets")
    parser.add_argument("--outcomes", action="store_true", help="also keep all outcome counts (9 GB more)")
    work = "folder of the table (default: in the cache folder)"
    parser.add_argument("--work", old="--out", dest="out", type=Path, metavar="DIR", help=work)
    parser.add_argument("--ranks", type=int, default=13, metavar="M", help="a deck of the lowest M ranks, 5 to 13")
    parser.add_argument("--prune", action="store_true", help="remove the packets when the table is finished")
    parser.add_argument("--verify", type=int, default=0, metavar="N", help="recompute N random entries by brute force")
    parser.add_argument("--seed", type=int, metavar="N", help="seed of --verify (default 0)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    check_options(args)
    from headsup.common.shards.shard import ShardDone
    from headsup.equity.omaha.matchups import default_folder
    from headsup.equity.omaha.matchups.packets import Plan
    from headsup.equity.omaha.matchups.table import Build

    plan = Plan(args.ranks, args.outcomes)
    folder = args.out or default_folder(plan.ranks)
    start = time.monotonic()
    notes: list[str] = []
    with ProgressBars(show=not args.json, keep=True) as bars:

        def say(text: str) -> None:
            notes.append(text)
            bars.say(text)

        build = Build(folder, plan, say, bars.watch)
        try:
            manifest = build.run(args.engine, args.jobs, args.address, args.device, args.prune, read_shard(args))
            if args.verify:
                verify(folder, manifest, args.verify, args.seed or 0, args.jobs, bars.watch)
        except ShardDone as done:
            bars.close()
            return print_shard(args, done)
        except KeyboardInterrupt:
            bars.close()
            record = {"folder": str(folder), "packets": build.done, "of": plan.packets, "stopped": True}
            again = f"to resume, run: {shlex.join(_command(args))}"
            print(f"stopped with {record['packets']} of {plan.packets} packets; {again}", file=sys.stderr)
            return print_answer(args, lambda: record, lambda console: None, stopped=True)
    return _print(args, folder, manifest, notes, time.monotonic() - start)


def check_options(args: argparse.Namespace) -> None:
    from headsup.cards.games import OMAHA_GAMES, check_game
    from headsup.common.distribute import check_jobs

    check_game(args.game, OMAHA_GAMES)
    check_jobs(args.jobs)
    if args.shard is not None and (args.verify or args.prune):
        raise UserError("--verify and --prune are for the whole table: leave them out with --shard")
    if args.verify < 0:
        raise UserError(f"--verify {args.verify} is negative: give 0 or more")
    check_workers(args)
    if args.seed is not None and not args.verify:
        raise UserError("--seed is for --verify: add --verify N or leave it out")
    check_seed(args.seed or 0)


def verify(folder: Path, manifest: Manifest, count: int, seed: int, jobs: int | None, progress: Watch) -> None:
    """Check all sums, and random entries against brute force; the first difference is an error."""
    from headsup.cards.classes import omaha_class_name
    from headsup.equity.omaha.matchups import load
    from headsup.equity.omaha.matchups.verify import brute_entries, check_sums

    check_sums(folder, manifest.plan, manifest.patterns, progress)
    hilo, high = load("omaha8", folder), load("omaha", folder)
    progress(Progress(0, count, "brute force"))
    for done, entry in enumerate(brute_entries(manifest.plan, count, seed, jobs)):
        pair = hilo.pair(entry.row, entry.column)
        stored = (pair.number, pair.quarters, high.pair(entry.row, entry.column).quarters)
        right = (entry.number, entry.quarters, entry.quarters_high)
        if stored != right:
            names = f"{omaha_class_name(entry.row)} v {omaha_class_name(entry.column)}"
            raise DataError(f"{names} is {stored} in the table but {right} by brute force: the table is wrong")
        progress(Progress(done + 1, count, "brute force", unit="entries"))


def _command(args: argparse.Namespace) -> list[str]:
    words = ["headsup", "tabulate", args.game]
    for name in ("engine", "address", "device", "out", "ranks", "jobs", "shard", "verify", "seed"):
        value, usual = getattr(args, name), {"engine": "local", "device": "cpu", "ranks": 13, "verify": 0}.get(name)
        if value != usual:
            words += ["--work" if name == "out" else f"--{name}", str(value)]
    return words + [f"--{name}" for name in ("outcomes", "prune", "json") if getattr(args, name)]


def _print(args: argparse.Namespace, folder: Path, manifest: Manifest, notes: list[str], seconds: float) -> int:
    answer: dict[str, Any] = {
        "folder": str(folder),
        "ranks": manifest.ranks,
        "classes": manifest.classes,
        "boards": manifest.boards,
        "outcomes": manifest.outcomes,
        **manifest.counts,
        "checksum": manifest.checksum,
        "verified": args.verify,
        "seconds": round(seconds, 3),
        "notes": notes,
    }

    def show(console: Console) -> None:
        lines = [
            f"{manifest.classes:,} x {manifest.classes:,} hand classes in {folder}",
            f"{manifest.counts['deal_classes']:,} classes of eight cards ({manifest.counts['deals']:,} deals), "
            f"{manifest.boards:,} boards each",
            "checked: equity(A, B) + equity(B, A) = 1 for every pair; all pairs are present; the mean is exactly 1/2",
        ]
        if args.verify:
            agree = "entry agrees" if args.verify == 1 else "entries agree"
            lines.append(f"{args.verify:,} {agree} with brute force")
        for line in (*lines, f"checksum {manifest.checksum}   {seconds:,.1f} s"):
            console.print(line, soft_wrap=True)

    return print_answer(args, lambda: answer, show)
