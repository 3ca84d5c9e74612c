"""`headsup visit slumbot|gtowizard`: an agent of ours plays at a public server."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_json, add_seed, print_answer, show_progress

if TYPE_CHECKING:
    from rich.console import Console

HELP = """Play an agent against Slumbot or GTO Wizard's benchmark over the network, at 200 big blinds.

slumbot is the public API of Slumbot; gtowizard is GTO Wizard's benchmark for researchers, which needs a key. Address
and key are options, or environment variables: HEADSUP_SLUMBOT_ADDRESS and HEADSUP_SLUMBOT_KEY, or
HEADSUP_GTOWIZARD_ADDRESS and HEADSUP_GTOWIZARD_KEY. They are never stored.
The result is the mean in big blinds per hand with a 95 % CI, and with AIVAT where the server reports it."""

HANDS = 100
SERVERS = ("slumbot", "gtowizard")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("server", choices=SERVERS, help="the server")
    parser.add_argument("agent", nargs="?", default="nolimit", metavar="AGENT", help="a headsup agent (default: nolimit)")  # noqa: E501  # fmt: skip
    parser.add_argument("--hands", type=int, default=HANDS, metavar="N", help=f"number of hands (default: {HANDS})")
    parser.add_argument("--address", metavar="URL", help="another address of the server, with a path if it has one")
    parser.add_argument("--key", metavar="KEY", help="the key of the benchmark, or the token of a login at Slumbot")
    add_seed(parser, "the agent's choices")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from headsup.play.protocols.visit import SERVERS as KNOWN
    from headsup.play.protocols.visit import variable, visit

    address = args.address or os.environ.get(variable(args.server, "ADDRESS"), "")
    key = args.key or os.environ.get(variable(args.server, "KEY"), "")
    server = KNOWN[args.server](address, key)
    with show_progress("playing") as watch:
        result = visit(server, args.agent, args.hands, args.seed, watch)
    summary = result.summary()
    status = print_answer(args, lambda: summary, lambda console: _print(console, summary))
    if result.trouble is not None:
        raise result.trouble
    return status


def _print(console: Console, summary: dict[str, Any]) -> None:
    from headsup.cli.console import make_facts
    from headsup.cli.play import figure

    facts = make_facts()
    facts.add_row("visit", f"{summary['agent']} at {summary['server']}, 200 big blinds")
    facts.add_row("hands", f"{summary['hands']:,}")
    for word, name in (("", ""), ("aivat_", " (AIVAT)")):
        low, high = summary[f"{word}interval_bb"]
        if summary[f"{word}mean_bb"] is not None:
            facts.add_row("mean", f"{figure(summary[f'{word}mean_bb'])} bb/hand{name}")
            facts.add_row("95 % CI", f"{figure(low)} to {figure(high)}{name}")
    console.print(facts)
