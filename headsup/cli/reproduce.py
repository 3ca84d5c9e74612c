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

HELP = """A paper's figures beside ours, as Markdown tables; --plots draws its figures.

ho-2015 (Omaha hi-lo jam or fold, chapter 4) comes from the data that ships. dalpasso-lancia-2015 (flop formulas, tables
3 and 4, figures 1 to 6) solves its programs, as long as it is let; with --shipped it shows the results that ship."""

PAPERS = ("ho-2015", "dalpasso-lancia-2015")
ONLY = {
    "ho-2015": ("without_card_removal", "table", "device"),
    "dalpasso-lancia-2015": ("shipped", "seconds", "workers", "part", "write", "page"),
}
"""Options that only one paper has."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("paper", metavar="PAPER", help=" or ".join(PAPERS))
    parser.add_argument("--plots", type=Path, metavar="FOLDER", help="write the figures there as SVG")
    parser.add_argument(
        "--without-card-removal", action="store_true", help="solve that game anew, to see what card removal changes"
    )
    parser.add_argument("--table", type=Path, metavar="FOLDER", help="the matchup table, for --without-card-removal")
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="keeps what is finished, to stop and go on")
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu", help="where its table is summed")
    parser.add_argument("--shipped", action="store_true", help="flop formulas: show the results that ship")
    parser.add_argument(
        "--seconds", type=float, metavar="S", help="flop formulas: time limit of a program (default 600; curves 60)"
    )
    parser.add_argument("--workers", type=int, metavar="N", help="flop formulas: programs side by side (default 2)")
    parser.add_argument("--part", metavar="PART", help="flop formulas: 3, 4 (default: both), curves or rounded")
    parser.add_argument("--write", type=Path, metavar="FILE", help="flop formulas: write the results as one JSON file")
    parser.add_argument("--page", type=Path, metavar="FILE", help="flop formulas: put the tables into this page")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the comparison."""
    if args.paper not in PAPERS:
        raise UserError(f"'{args.paper}' is not a paper with a comparison: choose one of {', '.join(PAPERS)}")
    for paper, options in ONLY.items():
        for option in options:
            if paper != args.paper and getattr(args, option) not in (None, False, "cpu"):
                raise UserError(f"--{option.replace('_', '-')} is for {paper}: leave it out")
    if args.plots is not None:
        make_folder(args.plots, "--plots")
    if args.paper == "dalpasso-lancia-2015":
        from headsup.cli import dalpasso2015

        return dalpasso2015.run(args)
    for option in ("table", "work", "device"):
        if not args.without_card_removal and getattr(args, option) not in (None, "cpu"):
            raise UserError(f"--{option} is for --without-card-removal, which solves a game: leave it out or add that")
    if args.work is not None:
        make_folder(args.work, "--work")
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
