"""`headsup solve GAME`: find an equilibrium and say how good it is."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_json, add_limits, add_method, add_seed, add_workers, refuse, refuse_with_json
from headsup.cli.streams import say, say_stopped, trouble_in
from headsup.common.checks import parse_float, parse_int, quoted
from headsup.common.display import json_line
from headsup.common.errors import DataError, UserError

if TYPE_CHECKING:
    from pathlib import Path

    from rich.table import Table

    from headsup.games import SequenceForm, VectorGame
    from headsup.measure.measurement import Measurement
    from headsup.solve import Solution
    from headsup.solve.holdem.stored import Stored

HELP = """Solve a game: an equilibrium by linear programming or regret minimisation, with its exploitability.

GAME is a name from `headsup games`, one with parameters such as leduc:ranks=4,suits=4, or the path of an .efg file.
`headsup measure` reads both a file from --save and what --json prints."""

MOST_NUMBERS = 100_000
"""A strategy of more is no reading matter: --json then leaves it to --save."""


OWN = {
    name: f"write --{name} {{}}"
    for name in (
        *("method", "target", "iterations", "seconds", "seed", "checkpoint", "buckets", "sample", "bits"),
        *("work", "engine", "address", "jobs"),
    )
}
OWN |= {name: f"write --{name}" for name in ("save", "plot", "strategies", "json", "set", "help")}
OWN |= {"out": "write --save", "table": "write --strategies"}
OWN |= {"game": "write the game right after  headsup solve", "progress": "it is shown wherever there is a terminal"}
"""What `--set` does not set, and how it is said instead."""


WORKERS = ("engine", "address", "jobs")
"""Options of solving with stored subgames."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("game", metavar="GAME", help="a game's name, name:key=value,..., or an .efg file")
    from headsup.solve.records.settings import METHODS

    add_method(parser, METHODS, "cfr+")
    add_limits(parser)
    add_seed(parser, "the sampling methods")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="options", help="an option of the method, such as algorithm=interior, averaging=quadratic, strategy=current, form=vector")  # noqa: E501  # fmt: skip
    parser.add_argument("--buckets", metavar="TEXT|FILE", help="hands that play alike, in a game of betting and boards: a text such as 169-20-20-20:ehs, * (up to suits), none, or a file")  # noqa: E501  # fmt: skip
    parser.add_argument("--sample", metavar="K", help="with --buckets: see K boards below the root an iteration instead of all, or K,L,.. with L below each (deals of --method external)")  # noqa: E501  # fmt: skip
    parser.add_argument("--bits", type=int, choices=(8, 16), help="with --buckets and --save: bits of a saved share (default: 16)")  # noqa: E501  # fmt: skip
    parser.add_argument("--rounds", metavar="STREET", help="cut the hand before the flop, turn or river: solve what comes before without the last street's bets, then what follows with the ranges that it implies")  # noqa: E501  # fmt: skip
    parser.add_argument("--work", old="--stored", dest="stored", metavar="DIR", help="of hold'em by cfr+: keep the subgames below the first streets in files there, and go on from them; for games that no memory holds (all machines of a Ray cluster must see DIR)")  # noqa: E501  # fmt: skip
    add_workers(parser, when="with --work: ")
    parser.add_argument(
        "--checkpoint", metavar="FILE", help="go on from this file if it exists, and keep it up to date"
    )
    parser.add_argument("--save", old="--out", dest="out", metavar="FILE", help="save the solution")
    parser.add_argument("--plot", nargs="?", const="-", metavar="FILE.svg", help="draw exploitability against iterations: in the terminal, or to a file (a second file against seconds)")  # noqa: E501  # fmt: skip
    parser.add_argument("--strategies", old="--table", dest="table", action="store_true", help="print both strategies")
    add_json(parser, ", with the strategy")


def run(args: argparse.Namespace) -> int:
    """Solve, save, draw and print."""
    from headsup.cli.progress import show_progress
    from headsup.common.files import writable_apart
    from headsup.common.plot import svg_files
    from headsup.games import game
    from headsup.solve import Stopped, Unsaved, solve
    from headsup.solve.records.settings import PROGRAMS

    _check(args)
    if args.plot and args.method in PROGRAMS:
        raise UserError(f"{args.method} solves a game in one go and has no curve to draw: leave out --plot")
    drawings = svg_files(args.plot, "seconds")
    places = [("--save", args.out), ("--checkpoint", args.checkpoint), *(("--plot", path) for path in drawings)]
    writable_apart(*places, keep=args.game if args.game.endswith(".efg") else None)
    chosen = game(args.game)
    options = _options(args.options) | _buckets(args, chosen)
    options |= _rounded(args, options)
    if args.stored is not None:
        return _run_stored(args, chosen, options)
    if args.rounds is not None:
        return _run_rounds(args, chosen, options)
    _say_memory(chosen, args.method, options)
    limits = {"iterations": args.iterations, "target": args.target, "seconds": args.seconds}
    stopped = False
    trouble: DataError | None = None
    try:
        with show_progress("solving", not args.json) as progress:
            solution = solve(
                chosen, args.method, **limits, seed=args.seed, checkpoint=args.checkpoint, progress=progress, **options
            )
    except Stopped as ended:
        solution, stopped = ended.solution, True
    except Unsaved as ended:
        solution, trouble = ended.solution, ended
    if args.plot and not any(t > 0 and x > 0 for t, _, x in solution.history):
        say("headsup solve: --plot has nothing to draw: no point lies above 0 on both axes")
        args.plot, drawings = None, []
    loss = ""
    if args.buckets and args.out and "bits" not in options:
        exact, bits = solution.exploitability, args.bits or 16
        solution = solution.packed(bits)
        loss = f"{bits} bits a share cost {solution.exploitability - exact:+.3g} of exploitability"
    _finish(solution, args, drawings, loss, trouble)
    if stopped:
        say_stopped("solve", solution.iterations, args.out, args.checkpoint)
    return 130 if stopped else 0


def _check(args: argparse.Namespace) -> None:
    """Refuse options that have nothing to do."""
    from headsup.solve.records.settings import SAMPLERS

    refuse_with_json(args, "table", *(("plot",) if args.plot == "-" else ()))
    if args.stored is None:
        refuse(args, WORKERS, "is for games whose subgames are stored in files: give --work too")
    if args.buckets is None:
        why = "is for solving in buckets: give --buckets too, such as --buckets none"
        refuse(args, ("sample", "bits"), why)
    if args.out is None:
        refuse(args, ("bits",), "is about the file of --save: name one, or leave it out")
    samples = args.method in SAMPLERS or args.sample is not None
    if not samples or args.stored is not None or args.rounds is not None:
        refuse(args, ("seed",), "is of methods that sample, and nothing is sampled here: leave it out")


def _buckets(args: argparse.Namespace, game: Any) -> dict[str, Any]:
    """The options of solving in buckets."""
    if args.buckets is None:
        return {}
    from headsup.abstraction.hands.named import read_buckets
    from headsup.solve.holdem.bucketed import check_counts
    from headsup.solve.records.solution import vector_game

    played = vector_game(game)
    if _options(args.options).get("device") != "gpu":
        check_counts(played, args.buckets)
    found: dict[str, Any] = {"buckets": read_buckets(args.buckets, played)}
    if args.sample is not None:
        try:
            counts = tuple(parse_int(part) for part in args.sample.split(","))
        except ValueError:
            raise UserError(f"--sample takes whole numbers between commas, such as 10 or 10,2, not {quoted(args.sample)}") from None  # noqa: E501  # fmt: skip
        found["sample"] = counts[0] if len(counts) == 1 else counts
    return found


def _rounded(args: argparse.Namespace, options: dict[str, Any]) -> dict[str, Any]:
    """On a GPU, where all boards take minutes, only the rounded shares that will be saved are measured."""
    return {"bits": args.bits or 16} if args.buckets and args.out and options.get("device") == "gpu" else {}


def _run_rounds(args: argparse.Namespace, game: Any, options: dict[str, Any]) -> int:
    """The hand in two rounds (`headsup.solve.rounds`)."""
    from headsup.games.betting.rules import STREETS
    from headsup.solve.rounds import solve_rounds

    if args.rounds not in STREETS[1:]:
        raise UserError(f"--rounds cuts a hand before the flop, the turn or the river, not before '{args.rounds}'")
    for name in ("seconds", "checkpoint", "plot", "buckets"):
        if getattr(args, name) is not None:
            raise UserError(f"--rounds solves many small games one after the other: leave out --{name}")
    if "street" in options:
        raise UserError("--set street is --rounds itself: leave it out")
    limits = {"iterations": args.iterations, "target": args.target}
    solution = solve_rounds(game, STREETS.index(args.rounds), method=args.method, **limits, **options)
    _finish(solution, args)
    return 0


def _run_stored(args: argparse.Namespace, game: Any, options: dict[str, Any]) -> int:
    """The game with its subgames in files (`headsup.solve.holdem.stored`)."""
    from headsup.cli.console import make_console
    from headsup.cli.progress import show_progress
    from headsup.solve.holdem.store import in_bytes
    from headsup.solve.holdem.stored import solve_stored
    from headsup.solve.records.solution import vector_game

    for name in ("checkpoint", "plot", "buckets", "rounds", "table", "out"):
        if getattr(args, name):
            raise UserError(
                f"with --work the strategy stays in its folder, from which runs go on: leave out {args.given[name]}"
            )
    limits = {"iterations": args.iterations, "target": args.target, "seconds": args.seconds}
    how = {name: getattr(args, name) for name in WORKERS}
    with show_progress("stored", not args.json) as watch:
        found = solve_stored(vector_game(game), args.stored, args.method, **limits, watch=watch, **how, **options)
    if args.json:
        print(json_line({**found.summary(), "strategy": None, "strategy_left_out": f"it lies in {args.stored}"}))
    else:
        table = _facts(found, found.measurement, vector_game(game))
        table.add_row("stored", f"{found.values:,} numbers of {found.subgames:,} subgames in {in_bytes(found.bytes)}, {found.bytes_a_value:.2f} bytes each")  # noqa: E501  # fmt: skip
        make_console().print(table)
    if found.stopped:
        say(f"headsup solve: stopped after {found.iterations:,} iterations, the same command goes on")
    return 130 if found.stopped else 0


def _say_memory(game: Any, method: str, options: dict[str, Any]) -> None:
    """What a game of betting and boards takes, before any of it is taken."""
    from headsup.games import VectorGame
    from headsup.solve import PRESETS
    from headsup.solve.holdem.vector import planned

    if "buckets" in options:
        from headsup.solve.holdem.bucketed import bucket_planned
        from headsup.solve.records.solution import vector_game

        say(f"headsup solve: this takes {bucket_planned(vector_game(game), method, options)} of memory")
    elif isinstance(game, VectorGame) and method in PRESETS and options.get("form") in (None, "vector"):
        need = planned(game, method, {key: value for key, value in options.items() if key != "form"})
        say(f"headsup solve: this takes {need} of memory")


def _finish(
    solution: Solution,
    args: argparse.Namespace,
    drawings: Sequence[Path] = (),
    loss: str = "",
    trouble: DataError | None = None,
) -> None:
    """Write what is asked for and print; `trouble` is what went wrong before."""
    unsaved = trouble_in(lambda: solution.save(args.out)) if args.out else None
    if unsaved is not None:
        args.out = None  # nothing is there to be measured
    elif drawings:
        unsaved = trouble_in(lambda: _draw(solution, drawings))
    if args.json:
        print(json_line({**_figures(solution), **solution.summary(), **_strategy(solution)}))
    else:
        _print(solution, args, loss)
    trouble = unsaved or trouble
    if trouble is not None:
        raise trouble


def _figures(solution: Solution) -> dict[str, Any]:
    names = ("game", "method", "iterations", "seconds", "value", "exploitability", "epsilon")
    return {name: getattr(solution, name) for name in names}


def _strategy(solution: Solution) -> dict[str, Any]:
    """Both strategies as `headsup measure` reads them, with a file's game; of a large game only where to get them."""
    numbers = sum(map(len, solution.strategy))
    if solution.buckets is not None:
        return {"strategy": None, "strategy_left_out": "the strategy lies by bucket: save it with --save FILE"}
    if numbers <= MOST_NUMBERS:
        held = {"content": solution.content, "source": solution.source} if solution.game.endswith(".efg") else {}
        return {**held, "strategy": solution.table(), "marks": solution.marks()}
    why = f"the strategy has {numbers:,} numbers, more than {MOST_NUMBERS:,}: save it with --save FILE"
    return {"strategy": None, "strategy_left_out": why}


def _options(texts: Sequence[str]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for text in texts:
        key, value = _option(text)
        if key in options:
            raise UserError(f"--set gives {key} twice: leave one of them out")
        options[key] = value
    return options


def _option(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise UserError(f"'{text}' is not an option: write --set key=value")
    if key in OWN:
        raise UserError(f"--set is for options of the method, and {key} is none: {OWN[key].format(shlex.quote(value))}")
    if value.lower() in ("true", "false"):
        return key, value.lower() == "true"
    for kind in (parse_int, parse_float):
        try:
            return key, kind(value)
        except ValueError:
            continue
    return key, value


def _draw(solution: Solution, paths: Sequence[Path]) -> None:
    from headsup.common.files import write_text
    from headsup.common.plot import line_chart

    title = f"{solution.game}, {solution.method}"
    for file, column, name in zip(paths, (0, 1), ("iterations", "seconds"), strict=True):
        curve = [(point[column], point[2]) for point in solution.history]
        chart = line_chart({solution.method: curve}, title=title, x=name, y="exploitability", log_x=True, log_y=True)
        write_text(file, chart)


def _facts(found: Solution | Stored, result: Solution | Measurement, form: SequenceForm | VectorGame) -> Table:
    """What was solved, how, and what was found, as rows to which more may be added."""
    from headsup.cli.console import make_facts
    from headsup.cli.measure import value_text

    table = make_facts()
    table.add_row("game", found.game)
    table.add_row("method", found.method + "".join(f" {key}={value}" for key, value in found.params.items()))
    table.add_row("iterations", f"{found.iterations:,} in {found.seconds:.3f} s")
    table.add_row("value", value_text(result.value, form))
    small = 1000.0 * result.exploitability / form.unit
    table.add_row("exploitability", f"{result.exploitability:.6g} (average of both seats; {small:.6g} mbb/g)")
    table.add_row("epsilon", f"{result.epsilon:.6g} (at most twice the exploitability)")
    return table


def _print(solution: Solution, args: argparse.Namespace, loss: str) -> None:
    from headsup.cli.console import make_console

    console, table = make_console(), _facts(solution, solution, solution.played_form())
    if args.out:
        table.add_row("saved", args.out)
        if loss:
            table.add_row("", loss)
        table.add_row("", f"measure it: headsup measure {shlex.quote(args.out)}")
    console.print(table)
    if args.plot == "-" and solution.history:
        from headsup.common.plot import loglog_text

        curve = {solution.method: [(t, x) for t, _, x in solution.history]}
        width = max(10, min(64, console.width - 26))  # beside the plot stand the numbers and the name of an axis
        console.print(loglog_text(curve, "iterations", "exploitability", width))
    if args.table:
        from headsup.cli.measure import print_strategies
        from headsup.games import VectorGame

        form = solution.played_form()
        print_strategies(console, form, solution.in_game(form) if isinstance(form, VectorGame) else solution.strategy)
