"""`headsup pokerbots engine|player`: matches over sockets with the protocol of MIT Pokerbots 2017."""

import argparse

from headsup.cli.acpc import (
    add_host_options,
    add_visit_options,
    check_programs,
    host_options,
    print_hosted,
    print_visit,
    tell_ports,
)
from headsup.cli.options import show_progress
from headsup.common.checks import check_seed

HELP = """Play over sockets with the text protocol of MIT Pokerbots 2017, as the engine or as a player.

`headsup pokerbots engine pokerbots:mine random` waits for a program to connect and lets it play a headsup agent;
`headsup pokerbots player random localhost 3000` connects a headsup agent to an engine. The game is hold'em with
discards on the flop and the turn, or plain no-limit hold'em (holdem-nolimit)."""


def configure(parser: argparse.ArgumentParser) -> None:
    sides = parser.add_subparsers(title="sides", dest="side", metavar="SIDE", required=True)
    engine = sides.add_parser("engine", help="host a match", description="Host a match for programs that connect.")
    add_host_options(engine, "pokerbots")
    engine.add_argument("--stack", type=int, default=200, metavar="CHIPS", help="chips of each player at the start of a hand (default: 200)")  # noqa: E501  # fmt: skip
    engine.add_argument("--blind", type=int, default=2, metavar="CHIPS", help="the big blind (default: 2)")
    engine.add_argument("--seconds", old="--time", type=float, default=30.0, metavar="S", help="seconds per player for the whole match (default: 30)")  # noqa: E501  # fmt: skip
    player = sides.add_parser("player", help="play at an engine", description="Connect a headsup agent to an engine.")
    add_visit_options(player)
    for side in (engine, player):
        side.add_argument("--game", default="holdem-discard", metavar="G", help="holdem-discard (default) or holdem-nolimit")  # noqa: E501  # fmt: skip


def run(args: argparse.Namespace) -> int:
    if args.side == "player":
        from headsup.play.protocols.pokerbots.player import play_player

        seed = check_seed(args.seed)
        return print_visit(args, play_player(args.agent, args.game, args.host, args.port, seed).summary())
    from headsup.play.protocols.pokerbots.engine import Engine, pokerbots_table

    check_programs(args, "pokerbots", "seconds")
    there = pokerbots_table(args.game, args.stack, args.blind)
    players = (args.first, args.second)
    engine = Engine(there, players, args.hands, args.seed, args.seconds, **host_options(args))
    tell_ports(engine, "headsup pokerbots")
    with show_progress("playing") as watch:
        return print_hosted(args, engine.play(progress=watch))
