"""Options that several verbs have, each declared once."""

from __future__ import annotations

import argparse
from pathlib import Path

from headsup.errors import UserError


def add_json(parser: argparse.ArgumentParser, more: str = "") -> None:
    """`--json`; `more` says what else is in it."""
    parser.add_argument("--json", action="store_true", help=f"print one JSON object{more}")


def add_cards(parser: argparse.ArgumentParser) -> None:
    """`--game` by its cards."""
    parser.add_argument("--game", default="holdem", metavar="GAME", help="holdem (default), omaha or omaha8")


def add_table(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Where the matchup table of Omaha lies, and what sums it; `more` says what giving one does."""
    folder, device = (f"; {more}", f"; gpu {more}") if more else ("", "")
    parser.add_argument("--table", type=Path, metavar="FOLDER", help=f"the folder of the matchup table (Omaha){folder}")
    where = f"where the Omaha table is summed{device}"
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu", help=where)


def add_workers(parser: argparse.ArgumentParser, jobs: int | None = None, when: str = "") -> None:
    """Processes of this machine or a Ray cluster; `jobs` is how many where nothing is said (none: all cores)."""
    engines = f"{when}this machine (default) or a Ray cluster"
    parser.add_argument("--engine", choices=["local", "ray"], default="local", help=engines)
    parser.add_argument("--address", help=f"{when}address of a running Ray cluster, such as auto or ray://host:10001")
    many = f"{when}processes, or Ray tasks at once (default: {jobs or 'all cores'})"
    parser.add_argument("--jobs", type=int, default=jobs, metavar="N", help=many)


def check_workers(args: argparse.Namespace) -> None:
    """An address is that of a cluster."""
    if args.address and args.engine != "ray":
        raise UserError("--address is that of a Ray cluster: add --engine ray")
