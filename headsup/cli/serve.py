"""`headsup serve`: the web interface."""

import argparse
import os
from pathlib import Path

HELP = """Serve the web interface: charts, equities, rules, papers, solved spots, play and training.

It listens on 127.0.0.1 only. With --host other machines can connect, and they need a token: that of --token, that
of the environment variable HEADSUP_TOKEN, or a random one that is printed with the address. Solved spots are kept in
the folder of --work."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=8000, metavar="N", help="port (default 8000; 0: any free port)")
    parser.add_argument("--host", default="127.0.0.1", metavar="H", help="address to listen on (default 127.0.0.1)")
    parser.add_argument("--token", metavar="T", help="access token of at least 16 letters and digits")
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="folder of solved spots (default: user data)")


def run(args: argparse.Namespace) -> int:
    from headsup.web.server import serve

    serve(args.port, args.host, args.token or os.environ.get("HEADSUP_TOKEN") or None, args.work)
    return 0
