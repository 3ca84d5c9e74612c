"""`headsup tabulate`: build, resume, check and mend the exact table of all Omaha matchups before the flop."""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_device, add_json, add_workers, check_workers
from headsup.common.display import json_line
from headsup.common.errors import DataError, UserError

if TYPE_CHECKING:
    from headsup.common.progress import Watch
    from headsup.equity.omaha.matchups.store import Manifest

HELP = """Build the exact table of all Omaha matchups before the flop, hi-lo and high in one run.

The run may be stopped at any moment; the same command goes on where it stopped. On a finished table it checks every
byte and makes damaged blocks again."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("game", metavar="GAME", help="omaha8 or omaha; either gives both: they come from the same run")
    add_workers(parser)
    add_device(parser, "where the packets are computed")
    parser.add_argument("--outcomes", action="store_true", help="keep all outcome counts as well (9 GB more)")
    parser.add_argument(
        "--work",
        old="--out",
        dest="out",
        type=Path,
        metavar="DIR",
        help="folder of the table (default: in the cache folder)",
    )
    parser.add_argument("--ranks", type=int, default=13, metavar="M", help="a deck of the lowest M ranks, 5 to 13")
    parser.add_argument("--prune", action="store_true", help="remove the packets when the table is finished")
    parser.add_argument("--verify", type=int, default=0, metavar="N", help="recompute N random entries by brute force")
    parser.add_argument("--seed", type=int, metavar="N", help="of the entries that --verify picks (default 0)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Run the verb."""
    check_options(args)
    from headsup.cli.progress import ProgressBars
    from headsup.equity.omaha.matchups import default_folder
    from headsup.equity.omaha.matchups.packets import Plan
    from headsup.equity.omaha.matchups.table import Build

    plan = Plan(args.ranks, args.outcomes)
    folder = args.out or default_folder(plan.ranks)
    start = time.monotonic()
    said: list[str] = []
    with ProgressBars(show=not args.json, keep=True) as bars:

        def say(text: str) -> None:
            said.append(text)
            bars.say(text)

        try:
            manifest = Build(folder, plan, say, bars.watch).run(
                args.engine, args.jobs, args.address, args.device, args.prune
            )
            if args.verify:
                verify(folder, manifest, args.verify, args.seed or 0, args.jobs, bars.watch)
        except KeyboardInterrupt:
            bars.close()
            print(f"stopped; the same command goes on from here: {shlex.join(_command(args))}", file=sys.stderr)
            return 130
    _print(args, folder, manifest, said, time.monotonic() - start)
    return 0


def check_options(args: argparse.Namespace) -> None:
    """Tell mistakes before anything is read or computed."""
    from headsup.cards.games import OMAHA_GAMES, check_game
    from headsup.common.checks import check_seed
    from headsup.common.distribute import check_jobs

    check_game(args.game, OMAHA_GAMES)
    check_jobs(args.jobs)
    if args.verify < 0:
        raise UserError(f"{args.verify} entries cannot be verified: give 0 or more")
    check_workers(args)
    if args.seed is not None and not args.verify:
        raise UserError("--seed is of the entries that --verify picks: add --verify N or leave it out")
    check_seed(args.seed or 0)


def verify(folder: Path, manifest: Manifest, count: int, seed: int, jobs: int | None, progress: Watch) -> None:
    """Check all sums again, and entries picked at random against brute force; the first that differs is an error."""
    from headsup.cards.classes import omaha_class_name
    from headsup.common.progress import Progress
    from headsup.equity.omaha.matchups import load
    from headsup.equity.omaha.matchups.verify import brute_entries, check_sums

    check_sums(folder, manifest.plan, manifest.patterns, progress)
    hilo, high = load("omaha8", folder), load("omaha", folder)
    progress(Progress(0, count, "brute force"))
    for done, entry in enumerate(brute_entries(manifest.plan, count, seed, jobs)):
        pair = hilo.pair(entry.row, entry.column)
        found = (pair.number, pair.quarters, high.pair(entry.row, entry.column).quarters)
        right = (entry.number, entry.quarters, entry.quarters_high)
        if found != right:
            names = f"{omaha_class_name(entry.row)} v {omaha_class_name(entry.column)}"
            raise DataError(f"{names} has {found} in the table but {right} by brute force: this is a fault")
        progress(Progress(done + 1, count, "brute force", unit="entries"))


def _command(args: argparse.Namespace) -> list[str]:
    """The command that goes on with this run."""
    words = ["headsup", "tabulate", args.game]
    for name in ("engine", "address", "device", "out", "ranks", "jobs", "verify", "seed"):
        value, usual = getattr(args, name), {"engine": "local", "device": "cpu", "ranks": 13, "verify": 0}.get(name)
        if value != usual:
            words += ["--work" if name == "out" else f"--{name}", str(value)]
    return words + [f"--{name}" for name in ("outcomes", "prune", "json") if getattr(args, name)]


def _print(args: argparse.Namespace, folder: Path, manifest: Manifest, said: list[str], seconds: float) -> None:
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
        "notes": said,
    }
    if args.json:
        print(json_line(answer))
        return
    from rich.text import Text

    from headsup.cli.console import make_console

    console = make_console(soft_wrap=True)
    size = (f"{manifest.classes:,} x {manifest.classes:,}", "bold")
    console.print(Text.assemble(size, f" hand classes in {folder}"))
    console.print(
        f"{manifest.counts['deal_classes']:,} classes of eight cards ({manifest.counts['deals']:,} deals), "
        f"{manifest.boards:,} boards each"
    )
    console.print(
        "equity(A, B) + equity(B, A) = 1 for every pair; each hand meets every other; the mean is exactly 1/2"
    )
    if args.verify:
        agree = "entry agrees" if args.verify == 1 else "entries agree"
        console.print(f"{args.verify:,} {agree} with brute force")
    console.print(f"checksum {manifest.checksum}   {seconds:,.1f} s")
