"""`headsup reproduce`: a paper's figures beside ours, as the tables and plots that docs/papers/ shows."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from headsup.cli.options import add_device, add_json
from headsup.cli.streams import say
from headsup.cli.sweep import default_work, make_folder
from headsup.errors import UserError
from headsup.papers import PAPERS

if TYPE_CHECKING:
    from headsup.distil.formulas.results import Result
    from headsup.papers.section import Section

HELP = """A paper's figures beside ours, as Markdown tables; --plots draws its figures.

ho-2015 (Omaha hi-lo jam or fold, chapter 4), bowling-2015 (limit hold'em, the supplement), andersson-2006 (no-limit
hold'em, AggroBot) and ectomynx (hold'em with discards) come from the data that ships. dalpasso-lancia-2015 (flop
formulas, tables 3 and 4, figures 1 to 6) solves its programs, as long as it is let; with --shipped it shows the results
that ship."""

HO, DALPASSO, *VIEWS = PAPERS
ONLY = {
    **dict.fromkeys(("without_card_removal", "table", "device"), (HO,)),
    **dict.fromkeys(("shipped", "seconds", "workers", "part", "write"), (DALPASSO,)),
    "work": (HO, DALPASSO),
    "page": (DALPASSO, *VIEWS),
}
"""Options that not all papers have, and those that have them."""
TABLES = ("3", "4")
SECONDS = (600.0, 60.0)
"""dalpasso-lancia-2015: time limit of a program of the tables, and of the curves, which are many."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("paper", metavar="PAPER", help=f"{', '.join([*PAPERS][:-1])} or {[*PAPERS][-1]}")
    parser.add_argument("--plots", type=Path, metavar="FOLDER", help="write the figures there as SVG")
    parser.add_argument(
        "--without-card-removal", action="store_true", help="solve that game anew, to see what card removal changes"
    )
    parser.add_argument("--table", type=Path, metavar="FOLDER", help="the matchup table, for --without-card-removal")
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="keeps what is finished, to stop and go on")
    add_device(parser, "where its table is summed")
    parser.add_argument("--shipped", action="store_true", help="flop formulas: show what ships, with --work joined")
    parser.add_argument(
        "--seconds", type=float, metavar="S", help="flop formulas: time limit of a program (default 600; curves 60)"
    )
    parser.add_argument("--workers", type=int, metavar="N", help="flop formulas: programs side by side (default 2)")
    parser.add_argument(
        "--part", metavar="PART", help="flop formulas: 3, 4 (default: both), curves, rounded or features"
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="flop formulas: write the results as one JSON file")
    parser.add_argument("--page", type=Path, metavar="FILE", help="put the tables into this page (not of ho-2015)")
    add_json(parser)


class _Shown(NamedTuple):
    """What is printed of a paper, and drawn."""

    sections: list[Section]
    text: str
    plots: Callable[[], dict[str, str]]
    programs: Sequence[Result] | None = None
    """Those that dalpasso-lancia-2015 solves."""


def run(args: argparse.Namespace) -> int:
    """Print the comparison."""
    if args.paper not in PAPERS:
        raise UserError(f"'{args.paper}' is not a paper with a comparison: choose one of {', '.join(PAPERS)}")
    for option, papers in ONLY.items():
        if args.paper not in papers and getattr(args, option) not in (None, False, "cpu"):
            named = " and ".join(filter(None, (", ".join(papers[:-1]), papers[-1])))
            raise UserError(f"--{option.replace('_', '-')} is for {named}: leave it out")
    if args.plots is not None:
        make_folder(args.plots, "--plots")
    from headsup.papers.section import fill_page, records, split_page, write_plots

    if args.page is not None:
        split_page(args.page, args.paper)
    try:
        shown = {HO: _ho, DALPASSO: _dalpasso}.get(args.paper, _view)(args)
    except KeyboardInterrupt:
        if args.paper != DALPASSO:
            raise
        say("stopped; the same command goes on from here")
        return 130
    if args.plots is not None:
        for path in write_plots(args.plots, shown.plots()):
            say(f"wrote {path}")
    if args.write is not None:
        from headsup.papers.dalpasso2015.study import write_results

        write_results(shown.programs or (), args.write)
        say(f"wrote {args.write}")
    if args.page is not None:
        fill_page(args.page, args.paper, shown.text)
        say(f"filled in {args.page}")
    if args.json:
        found = {"paper": args.paper, "tables": records(shown.sections)}
        programs = {} if shown.programs is None else {"programs": [one.as_dict() for one in shown.programs]}
        print(json.dumps(found | programs))
    else:
        print(shown.text, end="")
    return 0


def _view(args: argparse.Namespace) -> _Shown:
    """A paper whose comparison is made of what ships."""
    from headsup.papers.section import markdown

    paper = import_module(f"headsup.papers.{PAPERS[args.paper]}")
    found = paper.sections()
    return _Shown(found, markdown(found), paper.plots)


def _ho(args: argparse.Namespace) -> _Shown:
    """ho-2015: from the sweeps that ship, or from one without card removal."""
    for option in ("table", "work", "device"):
        if not args.without_card_removal and getattr(args, option) not in (None, "cpu"):
            raise UserError(f"--{option} is for --without-card-removal, which solves a game: leave it out or add that")
    if args.work is not None:
        make_folder(args.work, "--work")
    if not args.without_card_removal:
        return _view(args)
    from headsup.games.classes import class_table
    from headsup.papers.ho2015 import plots, sections, sweep_without_card_removal
    from headsup.papers.section import markdown

    table = class_table("omaha8", device=args.device, folder=args.table)
    found = sections("equilibria", sweep_without_card_removal(table, args.work))
    return _Shown(found, markdown(found), plots)


def _dalpasso(args: argparse.Namespace) -> _Shown:
    """dalpasso-lancia-2015: solve what is missing, or take what ships.

    The programs are solved on processes side by side. Each finished one is a file in the working folder, so that a run
    can be stopped at any moment and the same command goes on.
    """
    from headsup.distil.shipped import shipped_results
    from headsup.distribute import check_jobs
    from headsup.files import writable_apart
    from headsup.papers.dalpasso2015 import plots, sections, text
    from headsup.papers.dalpasso2015.study import beside_shipped, run_aloud
    from headsup.papers.dalpasso2015.tables import SHOWN

    parts = TABLES if args.part is None else (args.part,)
    seconds = SECONDS[parts == ("curves",)] if args.seconds is None else args.seconds
    check_jobs(args.workers)
    if args.shipped and (args.seconds or args.workers):
        raise UserError("--shipped solves nothing: leave out --seconds and --workers, or --shipped")
    if args.part is not None and args.part not in SHOWN:
        raise UserError(f"--part {args.part} is not a part of the paper: choose one of {', '.join(SHOWN)}")
    if not 0 < seconds <= 86400:
        raise UserError(f"--seconds {seconds:g} is not a time for one program: give more than 0, at most a day")
    writable_apart(("--write", args.write), ("--page", args.page))
    results: Sequence[Result]
    if args.shipped:
        results = shipped_results() if args.work is None else beside_shipped(args.work)
    else:
        folder = args.work if args.work is not None else default_work(args.paper)
        make_folder(folder, "--work")
        results = run_aloud(folder, parts, seconds=seconds, jobs=args.workers or 2, say=say)
    shown = SHOWN if args.part is None else parts
    return _Shown(sections(results, shown), text(results, shown), partial(plots, results), results)
