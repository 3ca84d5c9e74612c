"""`headsup upi`: the solver behind PioSOLVER's text protocol."""

from __future__ import annotations

import argparse
import sys

from headsup.cli.options import add_device, refuse
from headsup.common.checks import thread_count

HELP = """Speak UPI, PioSOLVER's text protocol, on standard input and output.

Scripts and clients that start PioSOLVER can start headsup instead: `headsup upi --launcher FILE` writes a program that
they can call. Trees are solved by headsup and saved as its own files. `headsup upi --commands` lists the commands."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--threads", type=int, metavar="N", help="number of threads (default: one per core)")
    add_device(parser, "the device to solve on")
    parser.add_argument("--launcher", metavar="FILE", help="write a program that starts `headsup upi`, and exit")
    parser.add_argument("--commands", action="store_true", help="list the commands and what headsup does with them")


def run(args: argparse.Namespace) -> int:
    if args.commands:
        refuse(args, ("launcher", "threads", "device"), "starts nothing with --commands: leave one of them out")
        return _list_commands()
    thread_count(args.threads)
    if args.launcher is not None:
        _write_launcher(args)
        return 0
    from headsup.spots.upi.engine import serve

    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    try:
        serve(sys.stdin, sys.stdout, args.threads, args.device)
    except KeyboardInterrupt:
        return 130
    return 0


def _write_launcher(args: argparse.Namespace) -> None:
    """A program without arguments that starts the engine, for clients that take a path."""
    import shlex
    from pathlib import Path

    from headsup.common.files import write_text

    words = [sys.executable, "-m", "headsup", "upi", "--device", args.device]
    words += [] if args.threads is None else ["--threads", str(args.threads)]
    if sys.platform == "win32":
        line = " ".join(f'"{word}"' for word in words)
        write_text(args.launcher, f"@echo off\r\n{line}\r\n")
    else:
        write_text(args.launcher, f"#!/bin/sh\nexec {shlex.join(words)}\n")
        Path(args.launcher).chmod(0o755)
    print(f"headsup upi: wrote {args.launcher}")


def _list_commands() -> int:
    from headsup.cli.console import make_console, make_table, print_table
    from headsup.spots.upi.engine import command_table

    table = make_table("command", "status", "note", words=3)
    for row in command_table():
        table.add_row(*row)
    print_table(make_console(), table)
    return 0
