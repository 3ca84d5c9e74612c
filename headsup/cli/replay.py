"""`headsup replay LOG`: every hand of a log refereed again."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from headsup.cli.options import add_json, print_answer
from headsup.cli.streams import trouble_in
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.play.coach.replay import Replay
    from headsup.play.table.rules import Table

HELP = """Referee every hand of a log again, and tell where its pots, winners and chips are not those of the rules.

Reads the logs of `headsup play --log`, match logs of the ACPC, hand histories in PHH, and the texts of the rooms that
PokerKit reads (the extra `histories`). Hands that cannot be read are left out, counted and explained. The status is 0
whether or not there are differences; --json counts them."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("log", metavar="LOG", help="the file")
    add_stakes_options(parser, "for an ACPC log that does not say it: ")
    parser.add_argument("--phh", metavar="FILE", help="write the hands in PHH")
    add_json(parser)


def add_stakes_options(parser: argparse.ArgumentParser, when: str = "") -> None:
    """What is played, for those who speak the ACPC protocol."""
    parser.add_argument("--game", metavar="G", help=f"{when}holdem-limit or holdem-nolimit, with the stakes of the competition")  # noqa: E501  # fmt: skip
    parser.add_argument("--stack", type=float, metavar="BB", help="big blinds that both have at the start of a hand")
    parser.add_argument("--definition", metavar="FILE", help=f"{when}the dealer's game definition")


def stakes(args: argparse.Namespace) -> Table | None:
    """The table that these options give, if any."""
    from headsup.common.files import read_text
    from headsup.play.protocols.acpc.definition import check_speakable, read_definition
    from headsup.play.protocols.acpc.log import competition
    from headsup.play.table.rules import table

    if args.definition is not None:
        if args.game is not None or args.stack is not None:
            raise UserError("a definition says the game and the stack itself: leave out --game and --stack")
        return read_definition(read_text(args.definition, most=1 << 16))
    if args.game is None and args.stack is None:
        return None
    game = "holdem-nolimit" if args.game is None else args.game
    return check_speakable(table(game, args.stack) if args.stack is not None else competition(game))


def run(args: argparse.Namespace) -> int:
    """Replay and print."""
    from headsup.common.files import writable_apart, write_text
    from headsup.play.coach.replay import read_hands, replay_log

    writable_apart(("--phh", args.phh), keep=args.log)
    there = stakes(args)
    found, trouble = replay_log(args.log, there), None
    if args.phh is not None:
        from headsup.play.table.histories import phh_text

        records = (told.record() for told in read_hands(args.log, there)[1])
        text = phh_text(one for one in records if one is not None and not one.faults)
        trouble = trouble_in(lambda: write_text(args.phh, text))
    print_answer(args, found.summary, lambda console: _print(console, found))
    if trouble is not None:
        raise trouble
    return 0


def _print(console: Console, found: Replay) -> None:
    from headsup.cli import one_line
    from headsup.cli.console import make_facts

    facts = make_facts()
    facts.add_row("log", found.kind)
    facts.add_row("hands", f"{found.hands:,}" + (f", {found.left_out:,} left out" if found.left_out else ""))
    facts.add_row("differences", f"{found.differences:,}")
    for name, chips in found.won.items():
        facts.add_row(one_line(name) or "player", f"{chips:+,} chips")
    console.print(facts)
    for line in (*found.examples, *(f"left out, {reason}" for reason in found.reasons)):
        print(one_line(line))
