"""`headsup report`: a spot on all flops, or on a representative subset, by texture."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from headsup.cli.options import (
    ProgressBars,
    add_device,
    add_json,
    add_method,
    add_shard,
    add_workers,
    check_workers,
    pot_fraction,
    print_answer,
    print_shard,
    read_shard,
    say,
    trouble_in,
)
from headsup.cli.spot import add_spot_options, read_spot, read_target
from headsup.common.errors import DataError

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.spots.report import Report

HELP = """Solve a spot on all 1,755 flops, or on a weighted subset of them: frequencies and values by texture.

Give the spot as for `headsup spot`, by options or as a text FILE; its board is ignored. The folder receives flops and
textures as CSV and two charts. A run that was stopped or killed resumes with the same command."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="a spot as text")
    parser.add_argument("--flops", default="all", metavar="F", help="all, a subset of 9, 25, 49, 95 or 184, or a file of flops")  # noqa: E501  # fmt: skip
    work = "folder of the report and the solved flops"
    parser.add_argument("--work", old="--out", dest="out", required=True, metavar="FOLDER", help=work)
    parser.add_argument("--line", default="", metavar="L", help="report a later decision on the flop, such as check")
    add_spot_options(parser)
    parser.add_argument("--target", type=pot_fraction, metavar="X", help="solve to this exploitability, a fraction of the pot (default: 0.5%%)")  # noqa: E501  # fmt: skip
    parser.add_argument("--iterations", type=int, metavar="N", help="at most this many iterations")
    from headsup.solve.records.settings import PRESETS

    add_method(parser, tuple(PRESETS), "dcfr-holdem", always=False)
    parser.add_argument("--store", default="float32", metavar="S", help="float32, or int16 for half the memory")
    add_device(parser, "the device to solve on")
    add_workers(parser)
    add_shard(parser)
    parser.add_argument("--parquet", action="store_true", help="write Parquet files too (needs pyarrow)")
    add_json(parser)
    parser.set_defaults(board=None, seconds=None)  # options of a spot that a report lacks


def run(args: argparse.Namespace) -> int:
    from headsup.cards.games import OMAHA_GAMES
    from headsup.common.files import Unlogged
    from headsup.common.shards.shard import ShardDone
    from headsup.spots.report import flop_list, make_report, parquet_module
    from headsup.spots.solve import METHOD, spot_memory

    check_workers(args)
    shard = read_shard(args)
    if args.parquet:
        parquet_module()
    if args.file is None:  # a spot needs some board; read_spot reports missing ranges
        known = args.oop and args.ip
        variant = args.game if args.game in OMAHA_GAMES else ""
        listed = flop_list(args.oop, args.ip, args.dead or "", args.flops, variant) if known else None
        args.board = listed.names[0] if listed else "2c2d2h"
    spot, target = read_spot(args), read_target(args)
    args.method = METHOD if args.method is None else args.method
    how = {name: getattr(args, name) for name in ("line", "iterations", "method", "store", "device")}
    work = {**{name: getattr(args, name) for name in ("engine", "jobs", "address")}, "shard": shard}
    flops = flop_list(spot.oop, spot.ip, spot.dead, args.flops, spot.variant).names
    need = spot_memory(spot.with_(board=flops[0]), args.store, 1, args.device, args.method)
    say(f"headsup report: {len(flops):,} flops, {need} of memory for each while it is solved")
    trouble: DataError | None = None
    with ProgressBars(show=not args.json) as bars:
        try:
            report = make_report(spot, args.out, args.flops, target=target, **how, **work, progress=bars.watch)
        except ShardDone as done:
            bars.close()
            return print_shard(args, done)
        except Unlogged as error:
            report, trouble = error.result, error
        except KeyboardInterrupt:
            bars.close()
            say("headsup report: stopped; run the same command to resume")
            return 130
    if args.parquet and trouble is None and not report.stopped:
        trouble = trouble_in(lambda: report.write_parquet(Path(args.out)))
    status = print_answer(
        args,
        lambda: {"folder": args.out, **report.as_dict()},
        lambda console: _print(console, report, None if report.stopped or trouble else args.out),
        trouble,
        report.stopped,
    )
    if report.stopped:
        say(f"headsup report: stopped after {report.done}; run the same command to resume")
    return status


def _print(console: Console, report: Report, folder: str | None) -> None:
    from headsup.cli.console import make_table, print_table

    pot = report.spot.pot
    plays = (f"{report.player} {action}" for action in report.actions)
    table = make_table("flops", "number", "share", "equity oop", "value oop", *plays)
    group = "all"
    for row in report.textures():
        if row["group"] != group:
            table.add_row()
            group = row["group"]
        frequencies = [row[f"frequency {action}"] for action in report.actions]
        cells = ("-" if often != often else f"{often:.1%}" for often in frequencies)
        value = f"{row['value_oop']:.2f} ({row['value_oop'] / pot:.1%})"
        figures = (f"{row['flops']:,}", f"{row['share']:.1%}", f"{row['equity_oop']:.2%}", value)
        table.add_row(row["texture"], *figures, *cells)
    print_table(console, table)
    console.print()
    for sentence in report.accuracy():
        console.print(sentence)
    if folder is not None:
        console.print(f"flops.csv, textures.csv, frequency.svg, value.svg and report.json are in {folder}")
