"""`headsup acpc dealer|client`: matches over sockets with the protocol of the Annual Computer Poker Competition."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from headsup.cli import one_line
from headsup.cli.options import add_json, add_seed, print_answer, refuse, say, show_progress
from headsup.cli.replay import add_stakes_options, stakes
from headsup.common.checks import check_seed, positive

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.common.errors import DataError
    from headsup.play.protocols.host import Host, Hosted

HELP = """Play over sockets with the protocol 2.0.0 of the Annual Computer Poker Competition, as dealer or client.

`headsup acpc dealer acpc:Alice caller` waits for a program to connect and lets it play a headsup agent; both players
may be programs, or neither. `headsup acpc client jamfold localhost 18791` connects a headsup agent to a dealer.
Match logs have the format of the competition; `headsup replay` checks them."""


def configure(parser: argparse.ArgumentParser) -> None:
    sides = parser.add_subparsers(title="sides", dest="side", metavar="SIDE", required=True)
    dealer = sides.add_parser("dealer", help="host a match", description="Host a match for programs that connect.")
    add_host_options(dealer, "acpc")
    add_stakes_options(dealer)
    dealer.add_argument("--log", metavar="FILE", help="write the match log")
    dealer.add_argument("--answer", type=float, metavar="S", help="seconds per action (default: 600)")
    dealer.add_argument("--per-hand", type=float, metavar="S", help="seconds per hand (default: 600)")
    dealer.add_argument("--average", type=float, metavar="S", help="seconds per hand, averaged over the match (default: 7)")  # noqa: E501  # fmt: skip
    client = sides.add_parser("client", help="play at a dealer", description="Connect a headsup agent to a dealer.")
    add_visit_options(client)
    add_stakes_options(client)


def add_host_options(parser: argparse.ArgumentParser, word: str) -> None:
    program = f"a headsup agent, or {word}:NAME for a program that connects"
    parser.add_argument("first", metavar="A", help=f"{program}; the result is from its side")
    parser.add_argument("second", metavar="B", help=program)
    parser.add_argument("--hands", type=int, default=1000, metavar="N", help="number of hands (default: 1,000)")
    add_seed(parser, "cards and choices")
    parser.add_argument("--port", type=int, action="append", default=[], metavar="P", help="port to listen on, once for each program that connects (default: any free port)")  # noqa: E501  # fmt: skip
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument("--wait", type=float, metavar="S", help="seconds to wait for a program to connect")
    add_json(parser)


def add_visit_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("agent", metavar="AGENT", help="a headsup agent")
    parser.add_argument("host", metavar="HOST", help="the host of the dealer or engine")
    parser.add_argument("port", metavar="PORT", type=int, help="its port")
    add_seed(parser, "the agent's choices")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from headsup.play.protocols.acpc.log import competition

    there = stakes(args) or competition("holdem-nolimit")
    if args.side == "client":
        from headsup.play.protocols.acpc.client import play_client

        return print_visit(args, play_client(args.agent, there, args.host, args.port, check_seed(args.seed)).summary())
    from headsup.common.files import Unlogged, writable
    from headsup.play.protocols.acpc.dealer import Dealer
    from headsup.play.protocols.host import TimeLimits

    if args.log is not None:
        writable(args.log)
    check_programs(args, "acpc", "answer", "per_hand", "average")
    given = {"answer": args.answer, "hand": args.per_hand, "average": args.average}
    limits = TimeLimits(**{name: seconds for name, seconds in given.items() if seconds is not None})
    dealer = Dealer(there, (args.first, args.second), args.hands, args.seed, limits, **host_options(args))
    tell_ports(dealer, "headsup acpc")
    trouble: Unlogged | None = None
    try:
        with show_progress("playing") as watch:
            result = dealer.play(progress=watch) if args.log is None else dealer.play_logged(args.log, watch)
    except Unlogged as ended:
        result, trouble = ended.result, ended
    return print_hosted(args, result, trouble)


def check_programs(args: argparse.Namespace, word: str, *names: str) -> None:
    """Refuse options for programs that connect, and those in `names`, if no player is one."""
    if all(name.partition(":")[0] != word for name in (args.first, args.second)):
        why = f"is for programs that connect: leave it out, or write {word}:NAME for a player"
        refuse(args, ("port", "host", "wait", *names), why)


def host_options(args: argparse.Namespace) -> dict[str, Any]:
    patience = None if args.wait is None else positive(args.wait, "the seconds to wait")
    return {"ports": tuple(args.port), "host": args.host, "patience": patience}


def tell_ports(host: Host, name: str) -> None:
    for player, listener in enumerate(host.listeners):
        if listener is not None:
            say(f"{name}: {host.names[player]} connects to port {listener.getsockname()[1]}")


def print_hosted(args: argparse.Namespace, result: Hosted, trouble: DataError | None = None) -> int:
    summary, names = result.summary(), result.names

    def show(console: Console) -> None:
        from headsup.cli.console import make_facts
        from headsup.cli.play import figure

        facts = make_facts()
        facts.add_row("match", f"{names[0]} against {names[1]}, {summary['game']}, seed {result.seed}")
        facts.add_row("hands", f"{summary['hands']:,}")
        low, high = summary["interval_bb"]
        facts.add_row("mean", f"{figure(summary['mean_bb'])} bb/hand for {names[0]}")
        facts.add_row("95 % CI", f"{figure(low)} to {figure(high)}")
        for name, chips, faults in zip(names, result.chips, summary["faults"], strict=True):
            facts.add_row(name, f"{chips:+,} chips" + (f", forfeited {faults:,} hands" if faults else ""))
        console.print(facts)
        for fault in result.faults[:3]:
            print(one_line(f"hand {fault['hand']}: {names[fault['player']]}, {fault['kind']}: {fault['text']}"))

    return print_answer(args, lambda: summary, show, trouble, result.stopped)


def print_visit(args: argparse.Namespace, summary: dict[str, Any]) -> int:
    def show(console: Console) -> None:
        from headsup.cli.console import make_facts
        from headsup.cli.play import figure

        facts = make_facts()
        facts.add_row("agent", str(summary["agent"]))
        facts.add_row("hands", f"{summary['hands']:,}")
        facts.add_row("won", f"{summary['chips']:+,} chips, {figure(summary['mean_bb'])} bb/hand")
        console.print(facts)

    return print_answer(args, lambda: summary, show)
