"""`headsup spot`: solve a hold'em or Omaha spot from the flop, the turn or the river on."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import is_zipfile

from headsup.cli.options import (
    add_device,
    add_json,
    add_limits,
    add_method,
    pot_fraction,
    print_answer,
    probability,
    refuse,
    say,
    say_stopped,
    show_progress,
    trouble_in,
)
from headsup.common.errors import DataError, UserError

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.games.holdem.spot import Spot
    from headsup.spots.solve import SpotSolution

HELP = """Solve a hold'em or Omaha spot (board, ranges, pot, stacks and bet sizes), and report the exact exploitability.

Give the spot by options or as a text FILE; options override the file. --from resumes from a saved solution, to
reach a tighter target or to solve the spot with new locks, ranges or bet sizes. `headsup look` shows any decision of a
saved solution, `headsup exploit` computes best responses to it, and `headsup measure` measures its exploitability
again. --remote solves on another machine where `headsup serve` runs."""

GAMES = {"holdem": "", "holdem-discard": "in turn", "omaha": "", "omaha8": ""}
"""The games that have spots, and how cards are swapped in each."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="a text file with the spot, in the format of --write")
    parser.add_argument("--from", dest="start", metavar="FILE", help="resume from a solution that --save wrote")
    parser.add_argument("--lock", action="append", default=[], metavar="L", help="fix the strategy of some hands, as 'LINE | HANDS: MIX', such as 'check | AA: bet 94 70%%, check' (after a check, AA bets 94 chips 70%% of the time and otherwise checks); may be repeated; docs/spots.md has more forms")  # noqa: E501  # fmt: skip
    parser.add_argument("--unlock", action="store_true", help="remove the locks of the solution given by --from")
    parser.add_argument("--board", metavar="CARDS", help="three to five cards: QsJh2h")
    add_spot_options(parser)
    _add_solving(parser)


def add_spot_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--oop", metavar="RANGE", help="range of the player out of position")
    parser.add_argument("--ip", metavar="RANGE", help="range of the player in position")
    parser.add_argument("--pot", metavar="N", help="the pot, in whole chips")
    parser.add_argument("--stack", metavar="N[,N]", help="chips behind: one number for both players, or oop,ip")
    parser.add_argument("--bets", metavar="SIZES", help="bet sizes on every street: '33%%, pot, a' (a is all-in)")
    parser.add_argument("--raises", metavar="SIZES", help="raise sizes: '2.5x' (default: the bet sizes)")
    for street in ("flop", "turn", "river"):
        parser.add_argument(
            f"--{street}",
            metavar="MENU",
            help=f"bet sizes and raise sizes on the {street}, separated by a semicolon: '50%%, a; 3x'",
        )
    parser.add_argument(
        "--menu", metavar="MENU", help="more clauses of the bet menu (see docs/games.md): 'donk 50%% | cap 3'"
    )
    parser.add_argument("--rake", metavar="P%[/CAP]", help="the rake and its cap in chips: 5%%/30")
    parser.add_argument("--dead", metavar="CARDS", help="cards removed from the deck")
    parser.add_argument("--swaps", metavar="HOW", help="hold'em with discards: players may replace hole cards, 'in turn' or 'together' (at the same time)")  # noqa: E501  # fmt: skip
    parser.add_argument(
        "--game",
        metavar="G",
        help="holdem (default), omaha, omaha8 (Hi-Lo), or holdem-discard, which means --swaps 'in turn'",
    )
    parser.add_argument(
        "--betting", metavar="B", help="no-limit or pot-limit (default: no-limit in hold'em, pot-limit in Omaha)"
    )


def _add_solving(parser: argparse.ArgumentParser) -> None:
    target = ", as a fraction of the pot: 0.5%% or 0.005 (default: 0.5%%)"
    add_limits(parser, target, pot_fraction, ", including those of --from")
    from headsup.solve.records.settings import PRESETS

    add_method(parser, tuple(PRESETS), "dcfr-holdem, or that of --from", always=False)
    parser.add_argument(
        "--store",
        metavar="S",
        help="number format of regrets and strategies: float32, or int16 for half the memory "
        "(default: float32, or that of --from)",
    )
    parser.add_argument("--tremble", type=probability, default=0.0, metavar="P", help="while solving, take every action with at least this probability, such as 0.1%%, so that lines that are hardly ever reached get a sensible strategy too")  # noqa: E501  # fmt: skip
    parser.add_argument("--threads", type=int, metavar="N", help="number of threads (default: one per core)")
    add_device(parser, "the device to solve on")
    parser.add_argument("--remote", metavar="URL", help="solve on the server at this address, which runs `headsup serve`; after an interruption, the same command fetches the result")  # noqa: E501  # fmt: skip
    parser.add_argument("--token", metavar="T", help="with --remote: the token of the server (default: the environment variable HEADSUP_TOKEN, or the token in the URL)")  # noqa: E501  # fmt: skip
    parser.add_argument("--checkpoint", metavar="F", help="save progress to this file, and resume from it if it exists")
    parser.add_argument("--save", metavar="FILE", help="save the solution")
    parser.add_argument("--small", action="store_true", help="save without regrets: the file is a third smaller, and --from has to estimate them")  # noqa: E501  # fmt: skip
    parser.add_argument("--write", metavar="FILE", help="write the spot as a text file")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from headsup.common.files import writable_apart

    if args.remote is not None:
        return _remote(args)
    refuse(args, ("token",), "is for a server: add --remote URL")
    start = _start(args)
    spot = read_spot(args, start)
    target = read_target(args)
    places = (("--save", args.save), ("--checkpoint", args.checkpoint), ("--write", args.write))
    writable_apart(*places, keep=args.file if start is None else None)
    if args.write:
        spot.write(args.write)
    from headsup.spots.solve import solve_spot, spot_memory

    need = spot_memory(spot, args.store, args.threads, args.device, args.method)
    say(f"headsup spot: needs {need} of memory")
    if args.tremble:
        refuse(args, ("start", "lock"), "has no effect on trembles: leave --tremble out, or this")
    names = ("iterations", "seconds", "method", "store", "threads", "device", "checkpoint", "tremble")
    options = {name: getattr(args, name) for name in names}
    with show_progress("solving", not args.json) as progress:
        solution = solve_spot(spot, target, **options, progress=progress, locks=args.lock, start=start)
    stopped, trouble = solution.solution.stopped, solution.solution.unsaved
    if args.save and (unsaved := trouble_in(lambda: solution.save(args.save, regrets=not args.small))):
        args.save, trouble = None, unsaved
    status = print_answer(args, solution.summary, lambda console: _print(console, solution, args), trouble, stopped)
    if stopped:
        say_stopped("spot", solution.iterations, args.save, args.checkpoint)
    return status


HERE = ("start", "unlock", "iterations", "method", "tremble", "threads", "device", "checkpoint", "small")
"""Options of solving on this machine."""


def _remote(args: argparse.Namespace) -> int:
    """Have the spot solved by a server."""
    import os

    from headsup.common.archives import cache_dir
    from headsup.common.files import writable_apart
    from headsup.spots.remote import LIMITS, SolvingServer, solve_remote

    refuse(args, HERE, "is for solving on this machine: leave it out with --remote")
    remote = SolvingServer.parse(args.remote, args.token or os.environ.get("HEADSUP_TOKEN", ""))
    spot = read_spot(args)
    writable_apart(("--save", args.save), ("--write", args.write), keep=args.file)
    if args.write:
        spot.write(args.write)
    if remote.token and remote.is_open:
        say("headsup spot: the token travels unencrypted; use https or an SSH tunnel outside a trusted network")
    try:
        with show_progress("solving", not args.json) as progress:
            answer = solve_remote(
                spot,
                remote,
                records=cache_dir() / "remote",
                target=LIMITS[0] if args.target is None else float(args.target),
                seconds=LIMITS[1] if args.seconds is None else args.seconds,
                store=args.store or "float32",
                locks=tuple(args.lock),
                save=args.save,
                progress=progress,
                say=lambda text: say(f"headsup spot: {text}"),
            )
    except KeyboardInterrupt:
        say(f"headsup spot: stopped waiting; {remote.url} continues, and the same command fetches the result")
        return 130
    summary = dict(answer.get("summary") or {})
    facts = {"remote": remote.url, "job": answer["id"], "state": answer["state"], **summary}
    return print_answer(args, lambda: facts, lambda console: _print_remote(console, facts, args))


def _print_remote(console: Console, facts: dict[str, Any], args: argparse.Namespace) -> None:
    from headsup.cli.console import add_saved, make_facts
    from headsup.spots.remote import LIMITS

    table = make_facts()
    table.add_row("server", f"{facts['remote']}, job {facts['job']}, {facts['state']}")
    if isinstance(share := facts.get("exploitability_pot"), float):
        late = share > (LIMITS[0] if args.target is None else float(args.target))
        table.add_row("exploitability", f"{share:z.4%} of the pot" + (", the time limit came first" if late else ""))
    if isinstance(facts.get("value_oop"), float) and isinstance(facts.get("value_ip"), float):
        table.add_row("value", f"oop {facts['value_oop']:z.3f}, ip {facts['value_ip']:z.3f} chips")
    if facts.get("iterations") is not None:
        table.add_row("iterations", f"{facts['iterations']:,}")
    add_saved(table, args.save)
    console.print(table)


def _start(args: argparse.Namespace) -> SpotSolution | None:
    """The solution to resume from; its method and store become the defaults."""
    from headsup.spots.solve import METHOD

    start, usual = None, {"method": METHOD, "store": "float32"}
    if args.start is None and args.unlock:
        raise UserError("--unlock drops the locks of a solution: name one with --from")
    if args.small and not args.save:
        raise UserError("--small changes what --save writes: add --save FILE, or leave it out")
    if args.start is not None:
        from headsup.solve.records.settings import PRESETS
        from headsup.spots.solve import SpotSolution

        if args.file is not None:
            raise UserError(f"--from {args.start} already contains a spot: leave {args.file} out")
        start = SpotSolution.load(args.start)
        start = start.unlock() if args.unlock else start
        if start.solution.method in PRESETS:
            usual["method"] = start.solution.method
        usual["store"] = str(start.solution.params.get("store", usual["store"]))
        if not start.solution.regrets:
            say(f"headsup spot: {args.start} has no regrets: resuming from its strategies alone")
    for key, value in usual.items():
        if getattr(args, key) is None:
            setattr(args, key, value)
    return start


def read_spot(args: argparse.Namespace, start: SpotSolution | None = None) -> Spot:
    """The spot of a file, a solution to resume from, or the options alone."""
    from headsup.games.holdem.spot import FIELDS, Spot

    given = {key: getattr(args, key) for key in FIELDS if key != "variant"}
    if args.game not in (None, *GAMES):
        raise UserError(f"--game '{args.game}' has no spots: write {' or '.join(GAMES)}")
    if args.swaps is not None:
        refuse(args, ("game",), "and --swaps mean the same: leave one of them out")
    elif args.game is not None:
        given["swaps"] = GAMES[args.game]
        given["variant"] = args.game.partition("-")[0]
    base = start.spot if start is not None else _read(args.file) if args.file is not None else None
    return Spot.from_fields(given, base, hint="add options such as --board QsJh2h, or give a file with the spot")


def _read(file: str) -> Spot:
    """The spot of a text file; for a solution the error names --from."""
    from headsup.games.holdem.spot import Spot

    try:
        return Spot.read(file)
    except DataError:
        if Path(file).is_file() and is_zipfile(file):
            raise DataError(f"{file} is a solution, not a text file: resume from it with --from {file}") from None
        raise


def read_target(args: argparse.Namespace) -> float | None:
    """The target as a fraction of the pot; None if only other limits were given."""
    from headsup.spots.solve import TARGET

    if args.target is None and args.iterations is None and args.seconds is None:
        return TARGET
    return None if args.target is None else float(args.target)


def _print(console: Console, solution: SpotSolution, args: argparse.Namespace) -> None:
    from headsup.cli.console import add_saved, make_facts, percentages
    from headsup.solve.holdem.store import in_bytes

    spot, table = solution.spot, make_facts()
    table.add_row("spot", f"{spot.board}, pot {spot.pot:,}, stack {' and '.join(map(str, dict.fromkeys(spot.stacks)))}")
    if solution.locks:
        for text in solution.locks.texts:
            table.add_row("locked", text)
        table.add_row("exploitability", f"{solution.exploitability_locked_pot:z.4%} of the pot, within the locks")
        table.add_row("", f"{solution.exploitability_pot:z.4%} of the pot, if both players may break the locks")
    else:
        table.add_row("exploitability", f"{solution.exploitability_pot:z.4%} of the pot")
    if tremble := solution.solution.params.get("floor"):
        table.add_row("trembles", f"{tremble:.3%} for every action while solving; taken out of the strategies")
    if spot.swaps:
        table.add_row("swaps", f"{spot.swaps}; hands do not remember discarded cards")
    rake = spot.pot - solution.value_oop - solution.value_ip
    table.add_row("value", f"oop {solution.value_oop:z.3f}, ip {solution.value_ip:z.3f}" + (f", rake {rake:z.3f} chips" if spot.rake else " chips"))  # noqa: E501  # fmt: skip
    if spot.swaps and not spot.rake:
        table.add_row("", f"values add up to {-rake:+.3f} chips too many: discarded cards are not remembered")
    table.add_row("equity", f"oop {solution.equity_oop:.4%}" + (" if nobody swaps" if spot.swaps else ""))
    table.add_row("oop first", percentages(solution.actions, solution.frequencies))
    began = solution.solution.params.get("began")
    since = f", {solution.iterations - began:,} of them now," if began is not None else ""
    table.add_row("iterations", f"{solution.iterations:,}{since} in {solution.seconds:.2f} s")
    table.add_row("tree", f"{solution.nodes:,} nodes, {in_bytes(solution.bytes)}")
    add_saved(table, args.save)
    console.print(table)
