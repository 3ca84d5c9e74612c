"""`headsup reproduce`: a paper's figures beside ours, as the tables and plots that docs/papers/ shows."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from headsup.cli.sweep import make_folder
from headsup.errors import UserError

if TYPE_CHECKING:
    from headsup.solve.jamfold_data import Sweep

HELP = """A paper's figures beside ours, as Markdown tables, from the data that ships; --plots draws its figures.

Papers: ho-2015 (Omaha hi-lo jam or fold, chapter 4)."""

PAPERS = ("ho-2015",)


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("paper", metavar="PAPER", help="ho-2015")
    parser.add_argument("--plots", type=Path, metavar="FOLDER", help="write the figures there as SVG")
    parser.add_argument(
        "--without-card-removal", action="store_true", help="solve that game anew, to see what card removal changes"
    )
    parser.add_argument("--table", type=Path, metavar="FOLDER", help="the matchup table, for --without-card-removal")
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="keeps its finished stacks, to stop and go on")
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu", help="where its table is summed")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the comparison."""
    if args.paper not in PAPERS:
        raise UserError(f"'{args.paper}' is not a paper with a comparison: choose one of {', '.join(PAPERS)}")
    for option in ("table", "work", "device"):
        if not args.without_card_removal and getattr(args, option) not in (None, "cpu"):
            raise UserError(f"--{option} is for --without-card-removal, which solves a game: leave it out or add that")
    for option in ("plots", "work"):
        if getattr(args, option) is not None:
            make_folder(getattr(args, option), f"--{option}")
    from headsup.cards.games import GAMES
    from headsup.cli.ho2015 import sections, write_plots
    from headsup.cli.ho2015_rules import rule_sections
    from headsup.solve.jamfold_data import has_shipped, shipped

    if args.plots is not None:
        for path in write_plots(args.plots, {game: shipped(game) for game in GAMES if has_shipped(game)}):
            if not args.json:
                print(f"wrote {path}")
    if args.without_card_removal:
        found = sections(_without_card_removal(args))
    else:
        found = [*sections(shipped("omaha8")), *rule_sections()]
    if args.json:
        tables = {title: [dict(zip(names, row, strict=True)) for row in rows] for title, names, rows in found}
        print(json.dumps({"paper": args.paper, "tables": tables}))
        return 0
    for title, names, rows in found:
        print(f"\n### {title}\n")
        for row in (names, ("---",) * len(names), *rows):
            print(f"| {' | '.join(row)} |")
    return 0


def _without_card_removal(args: argparse.Namespace) -> Sweep:
    """The sweep of the game in which the players' hands come from decks of their own; single precision is enough."""
    from headsup.games.jamfold_table import class_table, without_card_removal
    from headsup.measure.jamfold_sweep import sweep

    table = without_card_removal(class_table("omaha8", device=args.device, folder=args.table))
    if args.work is not None:
        return sweep(table, args.work / "without-card-removal", target=0.01)
    with TemporaryDirectory() as scratch:
        return sweep(table, Path(scratch), target=0.01)
