"""`headsup sizes`: the one or two bet sizes that cost least in a spot, and what they cost."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING

from headsup.cli.options import (
    ProgressBars,
    add_device,
    add_json,
    pot_fraction,
    print_answer,
    refuse,
    say,
    show_progress,
    trouble_in,
)
from headsup.cli.spot import add_spot_options, read_spot
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.games.holdem.spot import Spot
    from headsup.spots.size_report import SizeReport
    from headsup.spots.sizes import SimpleSizes

HELP = """Reduce a spot to the one or two bet and raise sizes that cost least, with bounds on the cost.

Sizes are chosen from a dense menu: 10 % to 200 % of the pot and all-in, or the menu of the options. One player at a
time has few sizes and still answers every size of the opponent. The cost is what that player's equilibrium value falls
by, in % of the pot; the interval follows from exact best responses to both solutions. --save solves the spot in which
both players have the chosen sizes, for `headsup look`. --flops prices single flop bets on many flops: one size to
remember for each texture."""

MENUS = ("bets", "raises", "flop", "turn", "river", "menu")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="a text file with the spot; its menu is replaced by the dense one")  # noqa: E501  # fmt: skip
    parser.add_argument("--board", metavar="CARDS", help="three to five cards: Td9d6hQc2s")
    add_spot_options(parser)
    parser.add_argument("--per", default="street", metavar="P", help="choose sizes per street (default) or per node")
    parser.add_argument("--count", type=int, default=2, metavar="N", help="the number of sizes of each list (default: 2)")  # noqa: E501  # fmt: skip
    parser.add_argument("--target", type=pot_fraction, metavar="X", help="exploitability of solves, as a fraction of the pot; intervals are up to four times as wide (default: 0.03%%, with --flops 0.1%%)")  # noqa: E501  # fmt: skip
    parser.add_argument("--seconds", type=float, metavar="S", help="time for the search and both solves; less time makes the interval wider")  # noqa: E501  # fmt: skip
    parser.add_argument("--threads", type=int, metavar="N", help="number of threads (default: one per core)")
    add_device(parser, "the device to solve on")
    parser.add_argument("--flops", metavar="F", help="which single flop bet to remember for each texture: a subset of 9, 25, 49, 95 or 184 flops, all, or a file of flops; needs --work")  # noqa: E501  # fmt: skip
    parser.add_argument("--work", metavar="FOLDER", help="with --flops: folder of the priced flops; the same command resumes")  # noqa: E501  # fmt: skip
    parser.add_argument("--seat", metavar="P", help="with --flops: whose bet, oop or ip (default: ip)")
    parser.add_argument("--jobs", type=int, metavar="N", help="with --flops: number of processes (default: all cores)")
    parser.add_argument("--save", metavar="FILE", help="solve the spot with the chosen sizes, and save the solution")
    parser.add_argument("--write", metavar="FILE", help="write the spot with the chosen sizes as a text file")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from headsup.common.files import writable_apart
    from headsup.spots.sizes import TARGET, simplify_sizes
    from headsup.spots.solve import solve_spot

    if args.flops is not None:
        return _run_flops(args)
    refuse(args, ("work", "seat", "jobs"), "is for many flops: add --flops 25, or leave it out")
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


def _run_flops(args: argparse.Namespace) -> int:
    """One size for each texture."""
    from headsup.spots.report import flop_list
    from headsup.spots.size_report import TARGET, make_size_report

    single = ("per", "count", "seconds", "threads", "save", "write", "board")
    refuse(args, single, "is for one board: leave it out, or leave --flops out")
    if args.work is None:
        raise UserError("--flops keeps the priced flops in a folder: add --work FOLDER")
    if args.file is None:
        known = args.oop and args.ip
        args.board = flop_list(args.oop, args.ip, args.dead or "", args.flops).names[0] if known else "2c2d2h"
    spot = _read(args)
    how = {"player": args.seat or "ip", "device": args.device, "jobs": args.jobs}
    target = TARGET if args.target is None else args.target
    with ProgressBars(show=not args.json) as bars:
        try:
            report = make_size_report(spot, args.work, args.flops, target=target, **how, progress=bars.watch)
        except KeyboardInterrupt:
            bars.close()
            say("headsup sizes: stopped; run the same command to resume")
            return 130
    status = print_answer(
        args,
        lambda: {"folder": args.work, **report.as_dict()},
        lambda console: _print_flops(console, report),
        stopped=report.stopped,
    )
    if report.stopped:
        done = len(report.prices)
        say(f"headsup sizes: stopped after {done:,} of {done + report.left:,} flops; run the same command to resume")
    return status


def _print_flops(console: Console, report: SizeReport) -> None:
    from headsup.cli.console import make_table, print_table

    table = make_table("flops", "number", "share", f"{report.player} bets", "costs, % of the pot")
    group = "all"
    for row in report.textures():
        if row["group"] != group:
            table.add_row()
            group = row["group"]
        cost = f"{100 * row['cost_pot']['low']:.3f} to {100 * row['cost_pot']['high']:.3f}"
        table.add_row(row["texture"], f"{row['flops']:,}", f"{row['share']:.1%}", row["size"], cost)
    print_table(console, table)


def _read(args: argparse.Namespace) -> Spot:
    """The spot of the options, with the dense menu unless the options have one."""
    from headsup.spots.size_menu import dense_spot

    if any(getattr(args, name) is not None for name in MENUS):
        return read_spot(args)
    args.bets = "none"
    return dense_spot(read_spot(args))


def _print(console: Console, simple: SimpleSizes, args: argparse.Namespace) -> None:
    from headsup.cli.console import add_saved, make_facts

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
    add_saved(table, args.save)
    console.print(table)
