"""`headsup reproduce`: a paper's results next to ours, as in docs/papers/."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from headsup.cli.options import add_device, add_json, refuse, say, show_progress, trouble_in
from headsup.cli.sweep import default_work, make_folder
from headsup.common.display import json_line
from headsup.common.errors import UserError
from headsup.papers import PAPERS

if TYPE_CHECKING:
    from headsup.distil.formulas.results import Result
    from headsup.papers.section import Section

HELP = """Print a paper's results next to ours as Markdown tables; --plots draws its figures.

Results come from the shipped data, except for dalpasso-lancia-2015, which solves its programs unless --shipped is
given. `headsup reproduce PAPER --help` lists the options of a paper."""

HO, DALPASSO, ANDERSSON = "ho-2015", "dalpasso-lancia-2015", "andersson-2006"
ABOUT = {
    HO: "Omaha hi-lo jam or fold, chapter 4: from the shipped equilibria, or solved without card removal.",
    DALPASSO: "Flop formulas, tables 3 and 4, figures 1 to 6: solves the integer programs, and resumes with the same "
    "command; --shipped shows the shipped results.",
    "bowling-2015": "Limit hold'em, the supplement: figure S1, play before the flop, and averaging in CFR+.",
    ANDERSSON: "No-limit hold'em: AggroBot, its model and its matches; --hands plays tables 5.1 and 5.2 again.",
    "ectomynx": "Hold'em with discards: its tables, its swap rule and its bot.",
}
TABLES = ("3", "4")
MANY = ("curves", "hands")
SECONDS = (600.0, 60.0)  # dalpasso-lancia-2015: default time limit of a program of the tables, and of parts with many


def configure(parser: argparse.ArgumentParser) -> None:
    papers = parser.add_subparsers(title="papers", dest="paper", metavar="PAPER", required=True)
    made = {name: papers.add_parser(name, help=ABOUT[name], description=ABOUT[name]) for name in PAPERS}
    for paper in made.values():
        paper.set_defaults(show=_view, page=None, write=None)
        paper.add_argument("--plots", type=Path, metavar="FOLDER", help="write the figures there as SVG")
        paper.add_argument("--page", type=Path, metavar="FILE", help="insert the tables into this Markdown page")
        add_json(paper)
    _configure_ho(made[HO])
    _configure_dalpasso(made[DALPASSO])
    _configure_andersson(made[ANDERSSON])


def _configure_ho(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(show=_ho)
    without = "solve the game without card removal, to see what it changes"
    parser.add_argument("--without-card-removal", action="store_true", help=without)
    parser.add_argument("--table", type=Path, metavar="FOLDER", help="the matchup table, for --without-card-removal")
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="keep finished work there, and resume from it")
    add_device(parser, "the device that sums the table")


def _configure_dalpasso(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(show=_dalpasso)
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="keep finished work there, and resume from it")
    parser.add_argument("--shipped", action="store_true", help="show the shipped results, merged with --work")
    limits = "time limit of a program (default 600; curves and hands 60)"
    parser.add_argument("--seconds", type=float, metavar="S", help=limits)
    parser.add_argument("--jobs", old="--workers", type=int, metavar="N", help="programs in parallel (default 2)")
    parser.add_argument(
        "--part", metavar="PART", help="3, 4 (default: both), curves, hands, largest, rounded or features"
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the results as one JSON file")


def _configure_andersson(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(show=_andersson)
    hands = "play tables 5.1 and 5.2 again with so many hands a row, and print them alone"
    parser.add_argument("--hands", type=int, metavar="N", help=hands)
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="keep finished sessions there, and resume from it")
    parser.add_argument("--jobs", type=int, metavar="N", help="sessions in parallel (default 1)")


class _Shown(NamedTuple):
    sections: list[Section]
    text: str
    plots: Callable[[], dict[str, str]]
    programs: Sequence[Result] | None = None  # those that dalpasso-lancia-2015 solves


def run(args: argparse.Namespace) -> int:
    if args.plots is not None:
        make_folder(args.plots, "--plots")
    from headsup.papers.section import records, split_page

    if args.page is not None:
        split_page(args.page, args.paper)
    try:
        shown: _Shown = args.show(args)
    except KeyboardInterrupt:
        if args.paper != DALPASSO:
            raise
        say("stopped; run the same command to resume")
        return 130
    trouble = trouble_in(lambda: _write(args, shown))
    if args.json:
        answer = {"paper": args.paper, "tables": records(shown.sections)}
        programs = {} if shown.programs is None else {"programs": [result.as_dict() for result in shown.programs]}
        print(json_line(answer | programs))
    else:
        print(shown.text, end="")
    if trouble is not None:
        raise trouble
    return 0


def _write(args: argparse.Namespace, shown: _Shown) -> None:
    from headsup.papers.section import fill_page, write_plots

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


def _view(args: argparse.Namespace) -> _Shown:
    from headsup.papers.section import markdown

    paper = import_module(f"headsup.papers.{PAPERS[args.paper]}")
    tables = paper.sections()
    return _Shown(tables, markdown(tables), paper.plots)


def _ho(args: argparse.Namespace) -> _Shown:
    if not args.without_card_removal:
        refuse(args, ("table", "work", "device"), "is for --without-card-removal: add that, or leave it out")
    if args.work is not None:
        make_folder(args.work, "--work")
    if not args.without_card_removal:
        return _view(args)
    from headsup.games.holdem.classes import class_table
    from headsup.papers.ho2015 import plots, sections, sweep_without_card_removal
    from headsup.papers.section import markdown

    table = class_table("omaha8", device=args.device, folder=args.table)
    tables = sections("equilibria", sweep_without_card_removal(table, args.work))
    return _Shown(tables, markdown(tables), plots)


def _andersson(args: argparse.Namespace) -> _Shown:
    if args.hands is None:
        refuse(args, ("work", "jobs"), "is for --hands: add that, or leave it out")
        return _view(args)
    refuse(args, ("page", "plots"), "shows the stored results, and --hands plays new ones: leave one of them out")
    if args.work is not None:
        make_folder(args.work, "--work")
    from headsup.papers.andersson2006.replay import compared, replay_rows
    from headsup.papers.section import markdown

    with show_progress("playing") as watch:
        tables = compared(replay_rows(args.hands, args.work, args.jobs or 1, watch, say))
    return _Shown(tables, markdown(tables), dict)


def _dalpasso(args: argparse.Namespace) -> _Shown:
    """dalpasso-lancia-2015: solve the missing programs, or show the shipped results.

    Programs run in parallel processes. Each finished one is a file in the working folder, so a stopped run resumes.
    """
    from headsup.common.distribute import check_jobs
    from headsup.common.files import writable_apart
    from headsup.distil.formulas.shipped import shipped_results
    from headsup.papers.dalpasso2015 import plots, sections, text
    from headsup.papers.dalpasso2015.study import beside_shipped, run_aloud
    from headsup.papers.dalpasso2015.tables import SHOWN

    parts = TABLES if args.part is None else (args.part,)
    seconds = SECONDS[parts[0] in MANY] if args.seconds is None else args.seconds
    check_jobs(args.jobs)
    if args.shipped and (args.seconds or args.jobs):
        raise UserError("--seconds and --jobs have no effect with --shipped: leave them out")
    if args.part is not None and args.part not in SHOWN:
        raise UserError(f"--part {args.part} is not a part of the paper: choose one of {', '.join(SHOWN)}")
    if not 0 < seconds <= 86400:
        raise UserError(f"--seconds {seconds:g} is out of range: give more than 0, at most a day")
    writable_apart(("--write", args.write), ("--page", args.page))
    results: Sequence[Result]
    if args.shipped:
        results = shipped_results() if args.work is None else beside_shipped(args.work)
    else:
        folder = args.work if args.work is not None else default_work(args.paper)
        make_folder(folder, "--work")
        results = run_aloud(folder, parts, seconds=seconds, jobs=args.jobs or 2, say=say)
    shown = SHOWN if args.part is None else parts
    return _Shown(sections(results, shown), text(results, shown), partial(plots, results), results)
