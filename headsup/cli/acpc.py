"""`headsup acpc dealer|client`: matches over sockets by the protocol of the Annual Computer Poker Competition."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_json, add_seed, refuse
from headsup.cli.replay import add_stakes_options, stakes
from headsup.cli.streams import say
from headsup.common.display import json_line

if TYPE_CHECKING:
    from headsup.play.protocols.host import Host, Hosted

HELP = """Play over sockets by the ACPC protocol 2.0.0, as the dealer or as a client.

`headsup acpc dealer acpc:Alice caller` waits for a program at a port and lets it play against an agent of ours; both
may be programs, or neither. `headsup acpc client jamfold localhost 18791` takes an agent of ours to somebody's dealer.
The log of a match is the competition's; `headsup replay` referees it again."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    sides = parser.add_subparsers(title="sides", dest="side", metavar="SIDE", required=True)
    dealer = sides.add_parser("dealer", help="host a match", description="Host a match for programs that connect.")
    add_host_options(dealer, "acpc")
    add_stakes_options(dealer)
    dealer.add_argument("--log", metavar="FILE", help="write the match log")
    dealer.add_argument("--answer", type=float, metavar="S", help="seconds for an answer (default: 600)")
    dealer.add_argument("--per-hand", type=float, metavar="S", help="seconds for all answers of a hand (default: 600)")
    dealer.add_argument("--average", type=float, metavar="S", help="seconds for a hand on average over the match (default: 7)")  # noqa: E501  # fmt: skip
    client = sides.add_parser("client", help="play at a dealer", description="Take an agent of ours to a dealer.")
    add_visit_options(client)
    add_stakes_options(client)


def add_host_options(parser: argparse.ArgumentParser, word: str) -> None:
    """What hosts of all protocols have in common."""
    program = f"an agent of ours, or {word}:NAME for a program that connects"
    parser.add_argument("first", metavar="A", help=f"{program}; the result is its own")
    parser.add_argument("second", metavar="B", help=program)
    parser.add_argument("--hands", type=int, default=1000, metavar="N", help="how many hands (default: 1,000)")
    add_seed(parser, "cards and choices")
    parser.add_argument("--port", type=int, action="append", default=[], metavar="P", help="for a program; once for each that connects (default: any free)")  # noqa: E501  # fmt: skip
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen at (default: this machine alone)")
    parser.add_argument("--wait", type=float, metavar="S", help="give up if a program does not connect for so long")
    add_json(parser)


def add_visit_options(parser: argparse.ArgumentParser) -> None:
    """What clients of all protocols have in common."""
    parser.add_argument("agent", metavar="AGENT", help="an agent of ours")
    parser.add_argument("host", metavar="HOST", help="where the dealer or engine listens")
    parser.add_argument("port", metavar="PORT", type=int, help="at which port")
    add_seed(parser, "the agent's choices")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Host or visit."""
    from headsup.play.protocols.acpc.log import competition

    there = stakes(args) or competition("holdem-nolimit")
    if args.side == "client":
        from headsup.common.checks import check_seed
        from headsup.play.protocols.acpc.client import play_client

        return print_visit(args, play_client(args.agent, there, args.host, args.port, check_seed(args.seed)).summary())
    from headsup.cli.progress import show_progress
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
            found = dealer.play(progress=watch) if args.log is None else dealer.play_logged(args.log, watch)
    except Unlogged as ended:
        found, trouble = ended.result, ended
    status = print_hosted(args, found)
    if trouble is not None:
        raise trouble
    return status


def check_programs(args: argparse.Namespace, word: str, *names: str) -> None:
    """Refuse options about programs that connect, and those of `names`, where none does."""
    if all(name.partition(":")[0] != word for name in (args.first, args.second)):
        why = f"is for programs that connect, and none does: leave it out, or write {word}:NAME for a player"
        refuse(args, ("port", "host", "wait", *names), why)


def host_options(args: argparse.Namespace) -> dict[str, Any]:
    """Where to listen and for how long."""
    from headsup.common.checks import positive

    patience = None if args.wait is None else positive(args.wait, "the seconds to wait")
    return {"ports": tuple(args.port), "host": args.host, "patience": patience}


def tell_ports(host: Host, name: str) -> None:
    """Say where programs are waited for."""
    for player, listener in enumerate(host.listeners):
        if listener is not None:
            say(f"{name}: {host.names[player]} connects to port {listener.getsockname()[1]}")


def print_hosted(args: argparse.Namespace, found: Hosted) -> int:
    """What a hosted match came to."""
    told = found.summary()
    if args.json:
        print(json_line(told))
        return 130 if found.stopped else 0
    from headsup.cli import one_line
    from headsup.cli.console import make_console, make_facts
    from headsup.cli.play import figure

    console, facts = make_console(), make_facts()
    facts.add_row("match", f"{found.names[0]} against {found.names[1]}, {told['game']}, seed {found.seed}")
    facts.add_row("hands", f"{told['hands']:,}")
    low, high = told["interval_bb"]
    facts.add_row("mean", f"{figure(told['mean_bb'])} bb a hand for {found.names[0]}")
    facts.add_row("95 %", f"{figure(low)} to {figure(high)}")
    for name, chips, faults in zip(found.names, found.chips, told["faults"], strict=True):
        facts.add_row(name, f"{chips:+,} chips" + (f", lost {faults:,} hands by faults" if faults else ""))
    console.print(facts)
    for one in found.faults[:3]:
        print(one_line(f"hand {one['hand']}: {found.names[one['player']]}, {one['kind']}: {one['text']}"))
    return 130 if found.stopped else 0


def print_visit(args: argparse.Namespace, told: dict[str, Any]) -> int:
    """How it went for an agent of ours."""
    if args.json:
        print(json_line(told))
        return 0
    from headsup.cli.console import make_console, make_facts
    from headsup.cli.play import figure

    console, facts = make_console(), make_facts()
    facts.add_row("agent", str(told["agent"]))
    facts.add_row("hands", f"{told['hands']:,}")
    facts.add_row("won", f"{told['chips']:+,} chips, {figure(told['mean_bb'])} bb a hand")
    console.print(facts)
    return 0
