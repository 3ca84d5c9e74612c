"""`headsup replay LOG`: check every hand of a log against the rules."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from headsup.cli import one_line
from headsup.cli.options import add_json, print_answer, trouble_in
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.play.coach.replay import Replay
    from headsup.play.table.rules import Table

HELP = """Check every hand of a log against the rules, and report differences in pots, winners and chips.

Reads logs of `headsup play --log`, ACPC match logs, hand histories of PokerStars, GGPoker, Winamax, partypoker, 888,
iPoker, WPN, Ignition and Bovada, and the formats OHH and PHH (PHH needs the extra `histories`). Of hands with more
players, what two of them decide is read. Hands that cannot be read are skipped, counted and explained. The exit status
is 0 even if there are differences; --json counts them."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("log", metavar="LOG", help="the file")
    add_stakes_options(parser, "for an ACPC log without it: ")
    parser.add_argument("--phh", metavar="FILE", help="write the hands in PHH")
    add_json(parser)


def add_stakes_options(parser: argparse.ArgumentParser, when: str = "") -> None:
    """What is played, for those who speak the ACPC protocol."""
    parser.add_argument("--game", metavar="G", help=f"{when}holdem-limit or holdem-nolimit, with the stakes of the ACPC")  # noqa: E501  # fmt: skip
    parser.add_argument("--stack", type=float, metavar="BB", help="big blinds of each player at the start of a hand")
    parser.add_argument("--definition", metavar="FILE", help=f"{when}the dealer's game definition file")


def stakes(args: argparse.Namespace) -> Table | None:
    from headsup.common.files import read_text
    from headsup.play.protocols.acpc.definition import check_speakable, read_definition
    from headsup.play.protocols.acpc.log import competition
    from headsup.play.table.rules import table

    if args.definition is not None:
        if args.game is not None or args.stack is not None:
            raise UserError("--definition contains the game and the stack: leave out --game and --stack")
        return read_definition(read_text(args.definition, most=1 << 16))
    if args.game is None and args.stack is None:
        return None
    game = "holdem-nolimit" if args.game is None else args.game
    return check_speakable(table(game, args.stack) if args.stack is not None else competition(game))


def run(args: argparse.Namespace) -> int:
    from headsup.common.files import writable_apart, write_text
    from headsup.play.coach.replay import read_hands, replay_log

    writable_apart(("--phh", args.phh), keep=args.log)
    table = stakes(args)
    result, trouble = replay_log(args.log, table), None
    if args.phh is not None:
        from headsup.play.table.histories import has_phh, phh_text

        records = (hand.record() for hand in read_hands(args.log, table)[1])
        hands = [record for record in records if record is not None and has_phh(record)]
        if not hands:
            raise UserError(f"{args.log} has no hand that PHH can write: give heads-up hands of hold'em or Omaha")
        text = phh_text(hands)
        trouble = trouble_in(lambda: write_text(args.phh, text))
    return print_answer(args, result.summary, lambda console: _print(console, result), trouble)


def _print(console: Console, result: Replay) -> None:
    from headsup.cli.console import make_facts

    facts = make_facts()
    facts.add_row("log", result.kind)
    facts.add_row("hands", f"{result.hands:,}" + (f", {result.left_out:,} skipped" if result.left_out else ""))
    facts.add_row("differences", f"{result.differences:,}")
    for name, chips in result.won.items():
        facts.add_row(one_line(name) or "player", f"{chips:+,} chips")
    console.print(facts)
    for line in (*result.examples, *(f"skipped: {reason}" for reason in result.reasons)):
        print(one_line(line))
