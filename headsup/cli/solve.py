"""`headsup solve GAME`: compute an equilibrium and its exploitability."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from headsup.cli.options import (
    add_device,
    add_json,
    add_limits,
    add_method,
    add_seed,
    add_workers,
    print_answer,
    refuse,
    refuse_with_json,
    say,
    say_stopped,
    show_progress,
    trouble_in,
)
from headsup.common.checks import parse_float, parse_int, quoted
from headsup.common.display import number
from headsup.common.errors import DataError, UserError

if TYPE_CHECKING:
    from pathlib import Path

    from rich.table import Table

    from headsup.games import SequenceForm, VectorGame
    from headsup.measure.measurement import Measurement
    from headsup.solve import Solution
    from headsup.solve.holdem.stored import Stored

HELP = """Solve a game by linear programming or regret minimisation, and report the exploitability of the solution.

GAME is a name from `headsup games`, with parameters such as leduc:ranks=4,suits=4, or the path of an .efg file.
`headsup measure` reads files written by --save and the output of --json."""

MOST_NUMBERS = 100_000  # a strategy of more is no reading matter: --json then leaves it to --save


OWN = {
    name: f"write --{name} {{}}"
    for name in (
        *("method", "target", "iterations", "seconds", "seed", "checkpoint", "buckets", "sample", "bits"),
        *("work", "engine", "address", "jobs"),
    )
}
OWN |= {name: f"write --{name}" for name in ("save", "plot", "strategies", "json", "set", "help")}
OWN |= {"out": "write --save", "table": "write --strategies"}
OWN |= {"game": "write the game right after  headsup solve", "progress": "it is always shown on a terminal"}
"""What `--set` does not set, and what to write instead."""


WORKERS = ("engine", "address", "jobs")  # options of solving with stored subgames


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game's name, name:key=value,..., or an .efg file")
    from headsup.solve.records.settings import METHODS

    add_method(parser, METHODS, "cfr+")
    add_limits(parser, ", in chips of the game")
    add_seed(parser, "the sampling methods")
    add_device(parser, "the device to solve hold'em on; of the largest games a gpu keeps the first street only")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="options", help="an option of the method, such as algorithm=interior, averaging=quadratic, strategy=current, form=vector")  # noqa: E501  # fmt: skip
    parser.add_argument("--buckets", metavar="TEXT|FILE", help="solve with a card abstraction (hold'em games): a text such as 169-20-20-20:ehs, * (suit isomorphism only), none, or a file")  # noqa: E501  # fmt: skip
    parser.add_argument("--sample", metavar="K", help="with --buckets: sample K boards per iteration instead of visiting all, or K,L,.. with L below each (deals for --method external)")  # noqa: E501  # fmt: skip
    parser.add_argument("--bits", type=int, choices=(4, 8, 16), help="with --buckets and --save: bits per saved probability (default: 16)")  # noqa: E501  # fmt: skip
    parser.add_argument("--rounds", metavar="STREET", help="split the hand before the flop, turn or river: solve the streets before it, then the rest with the ranges that result")  # noqa: E501  # fmt: skip
    parser.add_argument("--work", old="--stored", dest="stored", metavar="DIR", help="hold'em with cfr+: keep the subgames in files there and resume from them, for games larger than memory (all machines of a Ray cluster must see DIR); with --device gpu, the checkpoint of the run")  # noqa: E501  # fmt: skip
    add_workers(parser, when="with --work: ")
    parser.add_argument("--checkpoint", metavar="FILE", help="save progress to this file, resume from it if it exists")
    parser.add_argument("--save", old="--out", dest="out", metavar="FILE", help="save the solution")
    parser.add_argument("--plot", nargs="?", const="-", metavar="FILE.svg", help="plot exploitability against iterations: in the terminal, or to a file (and a second file against seconds)")  # noqa: E501  # fmt: skip
    parser.add_argument("--strategies", old="--table", dest="table", action="store_true", help="print both strategies")
    add_json(parser, ", with the strategy")


def run(args: argparse.Namespace) -> int:
    from headsup.common.files import writable_apart
    from headsup.common.plot import svg_files
    from headsup.games import VectorGame, game
    from headsup.solve import solve
    from headsup.solve.records.settings import PROGRAMS

    _check(args)
    if args.plot and args.method in PROGRAMS:
        raise UserError(f"{args.method} does not iterate, so there is no curve to draw: leave out --plot")
    drawings = svg_files(args.plot, "seconds")
    places = [("--save", args.out), ("--checkpoint", args.checkpoint), *(("--plot", path) for path in drawings)]
    writable_apart(*places, keep=args.game if args.game.endswith(".efg") else None)
    chosen = game(args.game)
    if args.device == "gpu" and not isinstance(chosen, VectorGame):
        raise UserError(f"--device gpu is for games of betting and boards, and {args.game} is none: leave it out")
    options = _with_device(args, _options(args.options)) | _buckets(args, chosen)
    options |= _rounded(args, options)
    if _takes_trunk(args, chosen, options):
        return _run_large(args, chosen, options)
    if args.stored is not None:
        return _run_stored(args, chosen, options)
    if args.rounds is not None:
        return _run_rounds(args, chosen, options)
    _say_memory(chosen, args.method, options)
    limits = {"iterations": args.iterations, "target": args.target, "seconds": args.seconds}
    with show_progress("solving", not args.json) as progress:
        solution = solve(
            chosen, args.method, **limits, seed=args.seed, checkpoint=args.checkpoint, progress=progress, **options
        )
    if args.plot and not any(t > 0 and x > 0 for t, _, x in solution.history):
        say("headsup solve: --plot has nothing to draw: no point is above 0 on both axes")
        args.plot, drawings = None, []
    loss = ""
    if args.buckets and args.out and "bits" not in options:
        exact, bits = solution.exploitability, args.bits or 16
        solution = solution.packed(bits)
        loss = f"rounding to {bits} bits changed the exploitability by {solution.exploitability - exact:+.3g}"
    _finish(solution, args, drawings, loss, solution.unsaved)
    if solution.stopped:
        say_stopped("solve", solution.iterations, args.out, args.checkpoint)
    return 130 if solution.stopped else 0


def _check(args: argparse.Namespace) -> None:
    from headsup.solve.records.settings import SAMPLERS

    refuse_with_json(args, "table", *(("plot",) if args.plot == "-" else ()))
    if args.stored is None:
        refuse(args, WORKERS, "is for subgames stored in files: add --work DIR")
    if args.buckets is None:
        refuse(args, ("sample", "bits"), "is for solving with buckets: add --buckets, such as --buckets none")
    if args.out is None:
        refuse(args, ("bits",), "changes what --save writes: add --save FILE, or leave it out")
    samples = args.method in SAMPLERS or args.sample is not None
    if not samples or args.stored is not None or args.rounds is not None:
        refuse(args, ("seed",), "is for sampling methods, and nothing is sampled here: leave it out")


def _buckets(args: argparse.Namespace, game: Any) -> dict[str, Any]:
    if args.buckets is None:
        return {}
    from headsup.abstraction.hands.named import read_buckets
    from headsup.solve.holdem.bucketed import check_counts
    from headsup.solve.records.solution import vector_game

    played = vector_game(game)
    if _with_device(args, _options(args.options)).get("device") != "gpu":
        check_counts(played, args.buckets)
    options: dict[str, Any] = {"buckets": read_buckets(args.buckets, played)}
    if args.sample is not None:
        try:
            counts = tuple(parse_int(part) for part in args.sample.split(","))
        except ValueError:
            raise UserError(f"--sample takes whole numbers such as 10 or 10,2, not {quoted(args.sample)}") from None
        options["sample"] = counts[0] if len(counts) == 1 else counts
    return options


def _rounded(args: argparse.Namespace, options: dict[str, Any]) -> dict[str, Any]:
    """On a GPU, where a measurement takes minutes, only the rounded strategy that is saved is measured."""
    return {"bits": args.bits or 16} if args.buckets and args.out and options.get("device") == "gpu" else {}


def _run_rounds(args: argparse.Namespace, game: Any, options: dict[str, Any]) -> int:
    from headsup.games.betting.rules import STREETS
    from headsup.solve.rounds import solve_rounds

    if args.rounds not in STREETS[1:]:
        raise UserError(f"--rounds takes flop, turn or river, not '{args.rounds}'")
    why = "has no effect with --rounds, which solves many small games: leave one of them out"
    refuse(args, ("seconds", "checkpoint", "plot", "buckets"), why)
    if "street" in options:
        raise UserError("--set street is the same as --rounds: leave it out")
    limits = {"iterations": args.iterations, "target": args.target}
    solution = solve_rounds(game, STREETS.index(args.rounds), method=args.method, **limits, **options)
    _finish(solution, args)
    return 0


def _without_record(args: argparse.Namespace, why: str) -> None:
    for name in ("checkpoint", "plot", "buckets", "rounds", "table", "out"):
        if getattr(args, name):
            raise UserError(why.format(args.given[name]))


def _run_stored(args: argparse.Namespace, game: Any, options: dict[str, Any]) -> int:
    from headsup.solve.holdem.store import in_bytes
    from headsup.solve.holdem.stored import solve_stored
    from headsup.solve.records.solution import vector_game

    _without_record(args, "with --work the strategy stays in that folder, and runs resume from it: leave out {}")
    limits = {"iterations": args.iterations, "target": args.target, "seconds": args.seconds}
    how = {name: getattr(args, name) for name in WORKERS}
    with show_progress("stored", not args.json) as watch:
        stored = solve_stored(vector_game(game), args.stored, args.method, **limits, watch=watch, **how, **options)

    def answer() -> dict[str, Any]:
        return {**stored.summary(), "strategy": None, "strategy_left_out": f"it is in {args.stored}"}

    def show(console: Any) -> None:
        table = _facts(stored, stored.measurement, vector_game(game))
        table.add_row("stored", f"{stored.values:,} numbers of {stored.subgames:,} subgames in {in_bytes(stored.bytes)}, {stored.bytes_a_value:.2f} bytes each")  # noqa: E501  # fmt: skip
        console.print(table)

    status = print_answer(args, answer, show, stopped=stored.stopped)
    if stored.stopped:
        say(f"headsup solve: stopped after {stored.iterations:,} iterations; run the same command to resume")
    return status


def _with_device(args: argparse.Namespace, options: dict[str, Any]) -> dict[str, Any]:
    if "device" not in args.given:
        return options
    if "device" in options:
        raise UserError("--set device is the same as --device: leave one of them out")
    return options if args.device == "cpu" else options | {"device": args.device}


def _takes_trunk(args: argparse.Namespace, game: Any, options: dict[str, Any]) -> bool:
    """Whether a game is solved as a first street and boards below it, on a GPU that holds all of it."""
    from headsup.games import VectorGame
    from headsup.solve import PRESETS

    if options.get("form") == "trunk":
        return True
    other = args.buckets is not None or args.rounds is not None or "form" in options or args.method not in PRESETS
    if other or options.get("device") != "gpu" or not isinstance(game, VectorGame):
        return False
    from headsup.solve.holdem.large import is_large

    return args.stored is not None or is_large(game)


def _run_large(args: argparse.Namespace, game: Any, options: dict[str, Any]) -> int:
    from headsup.limit.first_street import first_street
    from headsup.solve.holdem.large import METHOD, large_plan, solve_large
    from headsup.solve.records.loop import in_unit
    from headsup.solve.records.solution import vector_game

    _without_record(
        args,
        "a game of this size has no record of its whole strategy: leave out {} "
        "(--work DIR keeps a checkpoint, --json prints what is known of the solution)",
    )
    refuse(args, WORKERS, "is for subgames on CPU cores: leave it out, or leave out --device gpu")
    played, method = vector_game(game), args.method if "method" in args.given else METHOD
    options = {key: value for key, value in options.items() if key != "form"}
    limits = {"iterations": args.iterations, "target": args.target, "seconds": args.seconds}
    say(f"headsup solve: {large_plan(played, method, **options)}")
    with show_progress("solving", not args.json) as progress:
        watch = in_unit(progress, played.unit / 1000.0, "{:.3g} mbb/g", None)
        solution = solve_large(played, method, folder=args.stored, **limits, watch=watch, **options)
    known = first_street(played, solution.first_street)
    kept = f"it is in {args.stored}" if args.stored else "it was not kept: add --work DIR"

    def answer() -> dict[str, Any]:
        return {**solution.summary(), "preflop": known, "strategy": None, "strategy_left_out": kept}

    def show(console: Any) -> None:
        from headsup.cli.console import make_facts

        table = make_facts()
        table.add_row("game", played.name)
        table.add_row("method", method + "".join(f" {key}={value}" for key, value in solution.params.items()))
        table.add_row("iterations", f"{solution.iterations:,} in {solution.seconds:.3f} s")
        measured = solution.measurement
        table.add_row("value", f"{number(measured.value_mbb)} mbb/g for the dealer")
        best = ", ".join(f"{seat} {number(mbb)}" for seat, mbb in measured.best_response_mbb.items())
        table.add_row("exploitability", f"{number(measured.mbb)} mbb/g, exact (best responses win {best})")
        table.add_row("dealer", ", ".join(f"{name} {known[name]:.2%}" for name in ("folds", "limps", "raises")))
        table.add_row("preflop", f"all raises made {known['caps']:.2%}, a flop is dealt {known['sees_flop']:.2%}")
        console.print(table)
        for decision in known["decisions"]:
            console.print(_chart(decision))

    status = print_answer(args, answer, show, solution.unsaved, stopped=solution.stopped)
    if solution.stopped:
        say(f"headsup solve: stopped after {solution.iterations:,} iterations" + (args.stored is not None) * "; run the same command to resume")  # noqa: E501  # fmt: skip
    return status


def _chart(decision: dict[str, Any]) -> Table:
    """A decision before the flop: a line for each hand class."""
    from rich.table import Table

    line = decision["line"] or "first decision"
    chart = Table(title=f"{decision['player']}: {line} ({decision['probability']:.2%} of hands)", title_justify="left")
    chart.add_column("hand")
    for action, often in decision["actions"].items():
        chart.add_column(f"{action} {often:.1%}", justify="right")
    for hand, shares in decision["hands"].items():
        chart.add_row(hand, *(f"{share:.1%}" for share in shares.values()))
    return chart


def _say_memory(game: Any, method: str, options: dict[str, Any]) -> None:
    from headsup.games import VectorGame
    from headsup.solve import PRESETS
    from headsup.solve.holdem.vector import planned

    if "buckets" in options:
        from headsup.solve.holdem.bucketed import bucket_planned
        from headsup.solve.records.solution import vector_game

        say(f"headsup solve: needs {bucket_planned(vector_game(game), method, options)} of memory")
    elif isinstance(game, VectorGame) and method in PRESETS and options.get("form") in (None, "vector"):
        need = planned(game, method, {key: value for key, value in options.items() if key != "form"})
        say(f"headsup solve: needs {need} of memory")


def _finish(
    solution: Solution,
    args: argparse.Namespace,
    drawings: Sequence[Path] = (),
    loss: str = "",
    trouble: DataError | None = None,
) -> None:
    unsaved = trouble_in(lambda: solution.save(args.out)) if args.out else None
    if unsaved is not None:
        args.out = None  # there is no file to name
    elif drawings:
        unsaved = trouble_in(lambda: _draw(solution, drawings))
    print_answer(
        args,
        lambda: {**solution.summary(), **_strategy(solution)},
        lambda console: _print(console, solution, args, loss),
        unsaved or trouble,
    )


def _strategy(solution: Solution) -> dict[str, Any]:
    """Both strategies as `headsup measure` reads them; for a large game only how to get them."""
    numbers = sum(map(len, solution.strategy))
    if solution.buckets is not None:
        return {"strategy": None, "strategy_left_out": "the strategy is stored by bucket: save it with --save FILE"}
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
        raise UserError(
            f"--set is for options of the method, and {key} is not one: {OWN[key].format(shlex.quote(value))}"
        )
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


def _facts(solution: Solution | Stored, result: Solution | Measurement, form: SequenceForm | VectorGame) -> Table:
    """The game, the method and the result, as rows to which more may be added."""
    from headsup.cli.console import make_facts
    from headsup.cli.measure import value_text

    table = make_facts()
    table.add_row("game", solution.game)
    table.add_row("method", solution.method + "".join(f" {key}={value}" for key, value in solution.params.items()))
    table.add_row("iterations", f"{solution.iterations:,} in {solution.seconds:.3f} s")
    table.add_row("value", value_text(result.value, form))
    mbb = number(1000.0 * result.exploitability / form.unit)
    table.add_row("exploitability", f"{number(result.exploitability)} (average of both seats; {mbb} mbb/g)")
    table.add_row("epsilon", f"{number(result.epsilon)} (at most twice the exploitability)")
    return table


def _print(console: Any, solution: Solution, args: argparse.Namespace, loss: str) -> None:
    table = _facts(solution, solution, solution.played_form())
    if args.out:
        table.add_row("saved", args.out)
        if loss:
            table.add_row("", loss)
        table.add_row("", f"measure it: headsup measure {shlex.quote(args.out)}")
    console.print(table)
    if args.plot == "-" and solution.history:
        from headsup.common.plot import loglog_text

        curve = {solution.method: [(t, x) for t, _, x in solution.history]}
        width = max(10, min(64, console.width - 26))  # room for the axis labels
        console.print(loglog_text(curve, "iterations", "exploitability", width))
    if args.table:
        from headsup.cli.measure import print_strategies
        from headsup.games import VectorGame

        form = solution.played_form()
        print_strategies(console, form, solution.in_game(form) if isinstance(form, VectorGame) else solution.strategy)
