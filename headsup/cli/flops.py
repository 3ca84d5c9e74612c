"""`headsup flops`: a hold'em hand against a range on all 19,600 flops at once, exactly."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_json, print_answer, show_progress, trouble_in

if TYPE_CHECKING:
    from rich.console import Console

HELP = """Compute a hold'em hand's exact equity against a range on every flop: distribution, best and worst flops.

--csv FILE.csv writes all 19,600 flops with their counts."""
SHOWN = 3


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("hand", metavar="HAND", help="one hold'em hand, such as AsKs")
    parser.add_argument("range", metavar="RANGE", help="the opponent's range, such as RML, 15%% or random")
    csv = "write every flop with its counts"
    parser.add_argument("--csv", old="--out", dest="out", type=Path, metavar="FILE.csv", help=csv)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from headsup.common.files import writable, write_text
    from headsup.equity import flop_equities

    if args.out is not None:
        writable(args.out)
    with show_progress("counting boards") as progress:
        equities = flop_equities(args.hand, args.range, progress)
    summary = {"hand": args.hand, "range": args.range, **equities.summary(SHOWN)}
    trouble = None if args.out is None else trouble_in(lambda: write_text(args.out, equities.csv()))
    return print_answer(args, lambda: summary, lambda console: _show(console, summary), trouble)


def _show(console: Console, summary: dict[str, Any]) -> None:
    title = f"{summary['hand']} against {summary['range']} on {summary['flops']:,} flops"
    console.print(title, style="bold")
    parts = ", ".join(f"{name.replace('_', ' ')} {value:.2%}" for name, value in summary["quantiles"].items())
    console.print(f"equity {summary['equity']:.4%}; by flop: {parts}")
    for name in ("best", "worst"):
        console.print(f"{name}: " + ", ".join(f"{flop['flop']} {flop['equity']:.2%}" for flop in summary[name]))
    console.print(f"Exact: {summary['deals']:,} deals.", style="green")
