"""`headsup spot`: solve a hold'em spot from the flop, the turn or the river on."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import is_zipfile

from headsup.cli.options import add_device, add_json, add_limits, add_method, refuse, share
from headsup.cli.streams import say, say_stopped, trouble_in
from headsup.common.display import json_line
from headsup.common.errors import DataError, UserError

if TYPE_CHECKING:
    from headsup.games.holdem.spot import Spot
    from headsup.spots.solve import SpotSolution

HELP = """Solve a hold'em spot: a board, two ranges, a pot, stacks and a bet menu, with the exact exploitability.

Give the spot by options or as a text FILE; options then change what the file says. With --from, a saved solution is
gone on with: to a tighter target, with hands locked, or in a spot that the other options change. `headsup look` shows
any decision of a saved solution, `headsup exploit` the best reply to it, `headsup measure` measures it again."""

GAMES = {"holdem": "", "holdem-discard": "in turn"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="a spot as text, as --write writes it")
    parser.add_argument("--from", dest="start", metavar="FILE", help="go on from this solution, as --save wrote it")
    parser.add_argument("--lock", action="append", default=[], metavar="L", help="hands that play as told, 'LINE | HANDS: MIX': 'check | AA: bet 94 70%%, check', 'check | bet 94 30%%', 'check | as is'; may be given again")  # noqa: E501  # fmt: skip
    parser.add_argument("--unlock", action="store_true", help="forget the locks of --from")
    parser.add_argument("--board", metavar="CARDS", help="three to five cards: QsJh2h")
    add_spot_options(parser)
    _add_solving(parser)


def add_spot_options(parser: argparse.ArgumentParser) -> None:
    """What a spot is besides its board."""
    parser.add_argument("--oop", metavar="RANGE", help="the range out of position")
    parser.add_argument("--ip", metavar="RANGE", help="the range in position")
    parser.add_argument("--pot", metavar="N", help="whole chips in the middle")
    parser.add_argument("--stack", metavar="N[,N]", help="chips behind: of both, or out of position and in position")
    parser.add_argument("--bets", metavar="SIZES", help="sizes of bets on every street: '33%%, 75%%, a'")
    parser.add_argument("--raises", metavar="SIZES", help="sizes of raises: '2.5x'; left out, those of bets")
    for street in ("flop", "turn", "river"):
        parser.add_argument(f"--{street}", metavar="MENU", help=f"bets; raises on the {street}: '50%%, a; 3x'")
    parser.add_argument("--menu", metavar="MENU", help="whatever else a menu can say: 'donk 50%% | cap 3'")
    parser.add_argument("--rake", metavar="P%[/CAP]", help="the share of the house and its cap in chips: 5%%/30")
    parser.add_argument("--dead", metavar="CARDS", help="cards that nobody holds and that never come")
    parser.add_argument("--swaps", metavar="HOW", help="hold'em with discards, where hole cards are changed 'in turn' or together")  # noqa: E501  # fmt: skip
    parser.add_argument("--game", metavar="G", help="holdem, or holdem-discard: the same as --swaps 'in turn'")


def _add_solving(parser: argparse.ArgumentParser) -> None:
    """How it is solved, and what becomes of it."""
    add_limits(parser, ", a share of the pot: 0.5%% or 0.005 (default: 0.5%%)", share, ", those of --from counted")
    from headsup.solve.records.settings import PRESETS

    add_method(parser, tuple(PRESETS), "dcfr-holdem, or that of --from", always=False)
    parser.add_argument(
        "--store", metavar="S", help="float32, or int16 for half the memory (default: float32, or that of --from)"
    )
    parser.add_argument("--threads", type=int, metavar="N", help="how many threads (default: one a core)")
    add_device(parser, "what solves")
    parser.add_argument("--checkpoint", metavar="F", help="go on from this file if it exists, and keep it up to date")
    parser.add_argument("--save", metavar="FILE", help="save the solution")
    parser.add_argument("--small", action="store_true", help="save it without regrets, which only --from needs: a third smaller")  # noqa: E501  # fmt: skip
    parser.add_argument("--write", metavar="FILE", help="write the spot as text, to be read and changed")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Solve, save and print."""
    from headsup.cli.progress import show_progress
    from headsup.common.files import writable_apart

    start = _start(args)
    spot = read_spot(args, start)
    target = read_target(args)
    places = (("--save", args.save), ("--checkpoint", args.checkpoint), ("--write", args.write))
    writable_apart(*places, keep=args.file if start is None else None)
    if args.write:
        spot.write(args.write)
    from headsup.solve import Stopped, Unsaved
    from headsup.spots.solve import SpotSolution, solve_spot, spot_memory

    need = spot_memory(spot, args.store, args.threads, args.device, args.method)
    say(f"headsup spot: this takes {need} of memory")
    stopped = False
    trouble: DataError | None = None
    names = ("iterations", "seconds", "method", "store", "threads", "device", "checkpoint")
    try:
        options = {name: getattr(args, name) for name in names}
        with show_progress("solving", not args.json) as progress:
            found = solve_spot(spot, target, **options, progress=progress, locks=args.lock, start=start)
    except Stopped as ended:
        found, stopped = SpotSolution(spot, ended.solution), True
    except Unsaved as ended:
        found, trouble = SpotSolution(spot, ended.solution), ended
    if args.save and (unsaved := trouble_in(lambda: found.save(args.save, regrets=not args.small))):
        args.save, trouble = None, unsaved
    if args.json:
        print(json_line(found.summary()))
    else:
        _print(found, args)
    if trouble is not None:
        raise trouble
    if stopped:
        say_stopped("spot", found.iterations, args.save, args.checkpoint)
    return 130 if stopped else 0


def _start(args: argparse.Namespace) -> SpotSolution | None:
    """The solution to go on from, whose method and store are then the usual ones."""
    from headsup.spots.solve import METHOD

    start, usual = None, {"method": METHOD, "store": "float32"}
    if args.start is None and args.unlock:
        raise UserError("--unlock forgets the locks of a solution: name one with --from")
    if args.small and not args.save:
        raise UserError("--small is about the file of --save: name one, or leave it out")
    if args.start is not None:
        from headsup.solve.records.settings import PRESETS
        from headsup.spots.solve import SpotSolution

        if args.file is not None:
            raise UserError(f"--from {args.start} has a spot in it: leave {args.file} out")
        start = SpotSolution.load(args.start)
        start = start.unlock() if args.unlock else start
        if start.solution.method in PRESETS:
            usual["method"] = start.solution.method
        usual["store"] = str(start.solution.params.get("store", usual["store"]))
        if not start.solution.regrets:
            say(f"headsup spot: {args.start} has no regrets, so it goes on from its strategies alone")
    for key, value in usual.items():
        if getattr(args, key) is None:
            setattr(args, key, value)
    return start


def read_spot(args: argparse.Namespace, start: SpotSolution | None = None) -> Spot:
    """The spot of the file, or of the solution to go on from, and the options."""
    from headsup.games.holdem.spot import FIELDS, Spot

    given = {key: getattr(args, key) for key in FIELDS}
    if args.game not in (None, *GAMES):
        raise UserError(f"--game '{args.game}' is not played from a spot: write {' or '.join(GAMES)}")
    if args.swaps is not None:
        refuse(args, ("game",), "and --swaps both say whether cards are changed: leave one of them out")
    elif args.game is not None:
        given["swaps"] = GAMES[args.game]
    base = start.spot if start is not None else _read(args.file) if args.file is not None else None
    return Spot.from_fields(given, base, hint="add options such as --board QsJh2h, or give a file with the spot")


def _read(file: str) -> Spot:
    """The spot of a text file; who names a solution by mistake is told the option for it."""
    from headsup.games.holdem.spot import Spot

    try:
        return Spot.read(file)
    except DataError:
        if Path(file).is_file() and is_zipfile(file):
            raise DataError(f"{file} is a solution and no text: go on from it with --from {file}") from None
        raise


def read_target(args: argparse.Namespace) -> float | None:
    """A share of the pot; none where only other limits were given."""
    from headsup.spots.solve import TARGET

    if args.target is None and args.iterations is None and args.seconds is None:
        return TARGET
    return None if args.target is None else float(args.target)


def _print(found: SpotSolution, args: argparse.Namespace) -> None:
    from headsup.cli.console import make_console, make_facts
    from headsup.solve.holdem.store import in_bytes

    console, spot = make_console(), found.spot
    table = make_facts()
    table.add_row("spot", f"{spot.board}, pot {spot.pot:,}, stack {' and '.join(map(str, dict.fromkeys(spot.stacks)))}")
    if found.locks:
        for text in found.locks.texts:
            table.add_row("locked", text)
        table.add_row("exploitability", f"{found.exploitability_locked_pot:z.4%} of the pot, with the locks kept")
        table.add_row("", f"{found.exploitability_pot:z.4%} of the pot, if they need not be")
    else:
        table.add_row("exploitability", f"{found.exploitability_pot:z.4%} of the pot")
    if spot.swaps:
        table.add_row("swaps", f"{spot.swaps}, hands forget what was thrown away")
    rake = spot.pot - found.value_oop - found.value_ip
    table.add_row("value", f"oop {found.value_oop:z.3f}, ip {found.value_ip:z.3f}" + (f", rake {rake:z.3f} chips" if spot.rake else " chips"))  # noqa: E501  # fmt: skip
    if spot.swaps and not spot.rake:
        table.add_row("", f"{-rake:+.3f} chips too many together: the price of forgetting")
    table.add_row("equity", f"oop {found.equity_oop:.4%}" + (" if nobody swaps" if spot.swaps else ""))
    shares = zip(found.actions, found.frequencies, strict=True)
    table.add_row("oop first", ", ".join(f"{action} {share:.1%}" for action, share in shares))
    began = found.solution.params.get("began")
    since = f", {found.iterations - began:,} of them" if began is not None else ""
    table.add_row("iterations", f"{found.iterations:,}{since} in {found.seconds:.2f} s")
    table.add_row("tree", f"{found.nodes:,} nodes, {in_bytes(found.bytes)}")
    if args.save:
        table.add_row("saved", args.save)
        table.add_row("", f"look into it: headsup look {shlex.quote(args.save)}")
    console.print(table)
