"""`headsup reproduce`: a paper's figures beside ours, as the tables and plots that docs/papers/ shows."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from headsup.cli.streams import say
from headsup.cli.sweep import make_folder
from headsup.errors import UserError

if TYPE_CHECKING:
    from headsup.distil.formulas.results import Result, Task
    from headsup.solve.jamfold_data import Sweep

HELP = """A paper's figures beside ours, as Markdown tables; --plots draws its figures.

ho-2015 (Omaha hi-lo jam or fold, chapter 4), bowling-2015 (limit hold'em, the supplement), andersson-2006 (no-limit
hold'em, AggroBot) and ectomynx (hold'em with discards) come from the data that ships. dalpasso-lancia-2015 (flop
formulas, tables 3 and 4, figures 1 to 6) solves its programs, as long as it is let; with --shipped it shows the results
that ship."""

HO, DALPASSO, BOWLING, ANDERSSON, ECTOMYNX = PAPERS = (
    *("ho-2015", "dalpasso-lancia-2015", "bowling-2015"),
    *("andersson-2006", "ectomynx"),
)
VIEWS = {BOWLING: "bowling2015", ANDERSSON: "andersson2006", ECTOMYNX: "ectomynx"}
"""Papers whose module has all there is to show as `sections()` and `plots()`."""
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
    parser.add_argument("paper", metavar="PAPER", help=f"{', '.join(PAPERS[:-1])} or {PAPERS[-1]}")
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
    parser.add_argument("--page", type=Path, metavar="FILE", help="put the tables into this page (not of ho-2015)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


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
    return {HO: _ho, DALPASSO: _dalpasso}.get(args.paper, _view)(args)


def _ho(args: argparse.Namespace) -> int:
    """ho-2015: from the sweeps that ship, or from one without card removal."""
    for option in ("table", "work", "device"):
        if not args.without_card_removal and getattr(args, option) not in (None, "cpu"):
            raise UserError(f"--{option} is for --without-card-removal, which solves a game: leave it out or add that")
    if args.work is not None:
        make_folder(args.work, "--work")
    from headsup.cards.games import GAMES
    from headsup.papers.ho2015 import plots, rule_sections, sections
    from headsup.papers.section import markdown, records, write_plots
    from headsup.solve.jamfold_data import has_shipped, shipped

    if args.plots is not None:
        drawn = plots({game: shipped(game) for game in GAMES if has_shipped(game)})
        for path in write_plots(args.plots, drawn):
            if not args.json:
                print(f"wrote {path}")
    if args.without_card_removal:
        found = sections(_without_card_removal(args))
    else:
        found = [*sections(shipped("omaha8")), *rule_sections()]
    if args.json:
        print(json.dumps({"paper": args.paper, "tables": records(found)}))
    else:
        print(markdown(found), end="")
    return 0


def _without_card_removal(args: argparse.Namespace) -> Sweep:
    """The sweep of the game in which the players' hands come from decks of their own; single precision is enough."""
    from headsup.games.classes import class_table, without_card_removal
    from headsup.solve.jamfold import sweep

    table = without_card_removal(class_table("omaha8", device=args.device, folder=args.table))
    if args.work is not None:
        return sweep(table, args.work / "without-card-removal", target=0.01)
    with TemporaryDirectory() as scratch:
        return sweep(table, Path(scratch), target=0.01)


def _dalpasso(args: argparse.Namespace) -> int:
    """dalpasso-lancia-2015: solve what is missing, or take what ships; print, and write what is asked for.

    The programs are solved on processes side by side. Each finished one is a file in the working folder, so that a run
    can be stopped at any moment and the same command goes on.
    """
    from headsup.distil.formulas.study import shipped_results, tasks, write_results
    from headsup.papers.dalpasso2015 import SHOWN, markdown, plots, sections
    from headsup.papers.section import fill_page, records, write_plots

    parts = TABLES if args.part is None else (args.part,)
    seconds = SECONDS[parts == ("curves",)] if args.seconds is None else args.seconds
    workers = 2 if args.workers is None else args.workers
    _check_dalpasso(args, seconds)
    results: Sequence[Result]
    if args.shipped:
        results = shipped_results()
    else:
        folder = args.work if args.work is not None else _default_work(args.paper)
        make_folder(folder, "--work")
        try:
            results = _solve(folder, tasks(parts), seconds, workers)
        except KeyboardInterrupt:
            say("stopped; the same command goes on from here")
            return 130
    known, shown = {one.task: one for one in results}, SHOWN if args.part is None else parts
    if args.plots is not None:
        for path in write_plots(args.plots, plots(results)):
            say(f"wrote {path}")
    if args.write is not None:
        write_results(results, args.write)
        say(f"wrote {args.write}")
    if args.page is not None:
        fill_page(args.page, args.paper, markdown(known, shown))
        say(f"filled in {args.page}")
    if args.json:
        programs = [one.as_dict() for one in results]
        print(json.dumps({"paper": args.paper, "tables": records(sections(known, shown)), "programs": programs}))
    else:
        print(markdown(known, shown), end="")
    return 0


def _check_dalpasso(args: argparse.Namespace, seconds: float) -> None:
    from headsup.distribute import check_jobs
    from headsup.files import writable_apart
    from headsup.papers.dalpasso2015 import SHOWN
    from headsup.papers.section import split_page

    check_jobs(args.workers)
    if args.shipped and (args.seconds or args.workers or args.work):
        raise UserError("--shipped solves nothing: leave out --seconds, --workers and --work, or --shipped")
    if args.part is not None and args.part not in SHOWN:
        raise UserError(f"--part {args.part} is not a part of the paper: choose one of {', '.join(SHOWN)}")
    if not 0 < seconds <= 86400:
        raise UserError(f"--seconds {seconds:g} is not a time for one program: give more than 0, at most a day")
    if args.page is not None:
        split_page(args.page, args.paper)
    writable_apart(("--write", args.write), ("--page", args.page))


def _view(args: argparse.Namespace) -> int:
    """A paper whose comparison is made of what ships."""
    from headsup.papers.section import fill_page, markdown, records, split_page, write_plots

    paper = import_module(f"headsup.papers.{VIEWS[args.paper]}")
    if args.page is not None:
        split_page(args.page, args.paper)
    found = paper.sections()
    if args.plots is not None:
        for path in write_plots(args.plots, paper.plots()):
            say(f"wrote {path}")
    if args.page is not None:
        fill_page(args.page, args.paper, markdown(found))
        say(f"filled in {args.page}")
    print(json.dumps({"paper": args.paper, "tables": records(found)}) if args.json else markdown(found).rstrip())
    return 0


def _default_work(paper: str) -> Path:
    from headsup.cache import cache_dir

    return cache_dir() / paper


def _solve(folder: Path, wanted: Sequence[Task], seconds: float, workers: int) -> list[Result]:
    from headsup.distil.formulas.study import paper, read_folder, run_tasks
    from headsup.papers.dalpasso2015 import progress_text

    finished = [0, 0]
    printed = {one.task: one.value for one in paper()}

    def begin(todo: int, of: int) -> None:
        finished[1] = todo
        say(
            f"{of} programs, {todo} of them to do with {seconds:g} s each, {workers} at a time; results in {folder}. "
            "Ctrl-C stops, the same command goes on; --shipped shows the results that come with headsup."
        )

    def done(one: Result) -> None:
        finished[0] += 1
        text = progress_text(one, printed.get(one.task))
        say(f"{finished[0]:3}/{finished[1]}  {text}")

    run_tasks(folder, wanted, seconds=seconds, jobs=workers, begin=begin, done=done)
    return read_folder(folder)
