"""`headsup sweep`: make a file of jam-or-fold equilibria like those that ship with headsup."""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryFile
from time import perf_counter

from headsup.cli.options import add_table, say
from headsup.common.errors import UserError
from headsup.common.progress import Progress

HELP = """Solve jam or fold at every stack, measure each solution, and write them to one file.

A stopped run resumes with the same command. Hold'em takes seconds; the two Omaha games need the matchup table (headsup
tabulate omaha8: ten minutes on two cores, 3.7 GB of disk) and take minutes. The default file is jamfold-GAME.npz in the
current folder; the shipped files are made with --save headsup/jamfold/data/jamfold-GAME.npz."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", required=True, metavar="GAME", help="holdem, omaha or omaha8")
    add_table(parser)
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="keep finished stacks there, and resume from them")
    save = "the file to write (default: jamfold-GAME.npz in the current folder)"
    parser.add_argument("--save", old="--out", dest="out", type=Path, metavar="FILE", help=save)
    deep = "solve 55 to 100 big blinds by fives instead (default file: jamfold-GAME-deep.npz)"
    parser.add_argument("--deep", action="store_true", help=deep)
    parser.add_argument("--target", type=float, default=1e-3, metavar="MBB", help="exploitability target in mbb/g")


def run(args: argparse.Namespace) -> int:
    from headsup.common.files import writable
    from headsup.games.holdem.classes import check_source, class_table
    from headsup.jamfold.shipped import DEEP_STACKS, STACKS, data_path, write
    from headsup.jamfold.sweep import check_target, sweep

    check_target(args.target)
    check_source(args.game, args.device, args.table)
    out = args.out if args.out is not None else Path(data_path(args.game, args.deep).name)
    if out.is_dir():
        raise UserError(f"--save {out} is a folder: give the name of a file")
    make_folder(out.parent, "--save")
    writable(out)
    work = args.work if args.work is not None else default_work("jamfold")
    make_folder(work, "--work")
    began = perf_counter()
    table = class_table(args.game, device=args.device, folder=args.table)
    say(f"{args.game}: {table.classes} classes, table ready after {perf_counter() - began:.1f} s", sys.stdout)
    spent = [0.0]  # total seconds after each stack solved in this run

    def show(step: Progress) -> None:
        if step.seconds is not None and step.seconds > spent[-1]:
            spent.append(step.seconds)
        left = ((step.total or 0) - step.done) * spent[-1] / max(1, len(spent) - 1)
        say(f"{step.done:4}/{step.total}  {step.text}  {left:6.0f} s left", sys.stdout)

    result = sweep(table, work, DEEP_STACKS if args.deep else STACKS, target=args.target, watch=show)
    write(out, result)
    say(
        f"wrote {out} ({out.stat().st_size / 1e6:.2f} MB): {len(result.stacks)} stacks, {result.pure.mean():.1%} pure, "
        f"exploitability at most {result.exploitability_mbb.max():.1e} mbb/g; solving took {spent[-1]:.1f} s",
        sys.stdout,
    )
    return 0


def make_folder(folder: Path, option: str) -> None:
    """Create a folder if needed and check that it is writable, before hours are spent."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise UserError(
            f"{option}: cannot write to the folder {folder} ({error.strerror}): choose another one"
        ) from error


def default_work(name: str) -> Path:
    """Where unfinished work is kept if no folder is named."""
    from headsup.common.archives import cache_dir

    return cache_dir() / name
