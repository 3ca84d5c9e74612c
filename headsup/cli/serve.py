"""`headsup serve`: the page, for a browser."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = """The page: charts, equities, rules, papers and solved spots in a browser, from this machine.

It listens on 127.0.0.1 alone. With --host it can be reached from elsewhere, and then whoever asks needs a token: that
of --token, or one that is made up and printed with the address. Solved spots are kept in --work."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--port", type=int, default=8000, metavar="N", help="where it listens (default 8000; 0: any)")
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="H", help="the address it listens on (default 127.0.0.1)"
    )
    parser.add_argument("--token", metavar="T", help="16 or more letters and digits that whoever asks must know")
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="where solved spots are kept (default: user data)")


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from headsup.web.server import serve

    serve(args.port, args.host, args.token, args.work)
    return 0
