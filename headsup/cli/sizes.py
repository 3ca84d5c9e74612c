"""`headsup sizes`: the one or two bet sizes that cost least in a spot, and what they cost."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING

from headsup.cli.options import add_device, add_json, pot_fraction, print_answer
from headsup.cli.spot import add_spot_options, read_spot
from headsup.cli.streams import trouble_in

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.games.holdem.spot import Spot
    from headsup.spots.sizes import SimpleSizes

HELP = """Choose the one or two bet and raise sizes that cost least, and certify what they cost.

Sizes are chosen from a dense menu: 10 % to 200 % of the pot and all-in, or the menu of the options. One player at a
time has few sizes and still answers every size of the opponent. The cost is what that player's equilibrium value falls
by, in % of the pot; the interval follows from exact best responses to both solutions. --save solves the spot in which
both players have the chosen sizes, for `headsup look`."""

MENUS = ("bets", "raises", "flop", "turn", "river", "menu")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="a text file with the spot; its menu is replaced by the dense one")  # noqa: E501  # fmt: skip
    parser.add_argument("--board", metavar="CARDS", help="three to five cards: Td9d6hQc2s")
    add_spot_options(parser)
    parser.add_argument("--per", default="street", metavar="P", help="choose sizes per street (default) or per node")
    parser.add_argument("--count", type=int, default=2, metavar="N", help="the number of sizes of each list (default: 2)")  # noqa: E501  # fmt: skip
    parser.add_argument("--target", type=pot_fraction, metavar="X", help="exploitability of both solves, as a fraction of the pot (default: 0.03%%)")  # noqa: E501  # fmt: skip
    parser.add_argument("--seconds", type=float, metavar="S", help="time for the search and both solves; less time makes the interval wider")  # noqa: E501  # fmt: skip
    parser.add_argument("--threads", type=int, metavar="N", help="number of threads (default: one per core)")
    add_device(parser, "the device to solve on")
    parser.add_argument("--save", metavar="FILE", help="solve the spot with the chosen sizes, and save the solution")
    parser.add_argument("--write", metavar="FILE", help="write the spot with the chosen sizes as a text file")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from headsup.cli.options import show_progress
    from headsup.common.files import writable_apart
    from headsup.spots.sizes import TARGET, simplify_sizes
    from headsup.spots.solve import solve_spot

    spot = _read(args)
    writable_apart(("--save", args.save), ("--write", args.write), keep=args.file)
    target = TARGET if args.target is None else args.target
    limits = {"threads": args.threads, "device": args.device}
    with show_progress("choosing sizes", not args.json) as progress:
        simple = simplify_sizes(
            spot, args.count, per=args.per, target=target, seconds=args.seconds, **limits, progress=progress
        )
    if args.write:
        simple.spot.write(args.write)
    trouble = None
    if args.save:
        with show_progress("solving with these sizes", not args.json) as progress:
            solved = solve_spot(simple.spot, target, seconds=args.seconds, **limits, progress=progress)
        trouble = trouble_in(lambda: solved.save(args.save))
        args.save = None if trouble else args.save
    return print_answer(
        args, simple.summary, lambda console: _print(console, simple, args), trouble, stopped=simple.stopped
    )


def _read(args: argparse.Namespace) -> Spot:
    """The spot of the options, with the dense menu unless the options have one."""
    from headsup.spots.size_menu import dense_spot

    if any(getattr(args, name) is not None for name in MENUS):
        return read_spot(args)
    args.bets = "none"
    return dense_spot(read_spot(args))


def _print(console: Console, simple: SimpleSizes, args: argparse.Namespace) -> None:
    from headsup.cli.console import make_facts

    table, dense = make_facts(), simple.dense
    table.add_row("spot", f"{dense.board}, pot {dense.pot:,}, stack {' and '.join(map(str, dict.fromkeys(dense.stacks)))}")  # noqa: E501  # fmt: skip
    table.add_row("dense menu", dense.menu_text)
    table.add_row("", f"solved to {simple.exploitability_pot:.4%} of the pot")
    for player in simple.players:
        table.add_row()
        for choice in player.choices:
            where = f"after {choice.line}" if choice.line else choice.street
            table.add_row(player.player, f"{where}, {choice.kind}: {', '.join(choice.sizes)}")
        table.add_row("", f"costs {player.low:.3%} to {player.high:.3%} of the pot, against every size of the opponent")
        table.add_row("", f"solved to {player.exploitability_pot:.4%} of the pot")
    table.add_row()
    table.add_row("time", f"{simple.seconds:.1f} s")
    if args.write:
        table.add_row("written", f"{args.write}: solve it with  headsup spot {shlex.quote(args.write)}")
    if args.save:
        table.add_row("saved", args.save)
        table.add_row("", f"look into it: headsup look {shlex.quote(args.save)}")
    console.print(table)
