"""`headsup review FILE`: the costliest decisions of hands that were played."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from headsup.cli.options import add_json, print_answer
from headsup.cli.replay import add_stakes_options, stakes
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.play.coach.review import Decision, Review

HELP = """List the decisions of hands that were played, the costliest first, where headsup knows the answer.

Reads what `headsup replay` reads: logs of headsup and of the ACPC, hand histories in PHH, texts of rooms. Known are jam
or fold at any stack, limit hold'em and no-limit hold'em at 15 and 20 big blinds by the strategies that ship, and spots
that were solved and saved (--spot). A loss is measured against what that strategy itself is worth at the decision, in
big blinds; on the flop values are estimates, with their error; where only frequencies are known, the list says so."""

MOST = 20
FEWEST, MOST_RUNOUTS = 10, 10_000


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("log", metavar="FILE", help="the hands")
    parser.add_argument("--player", metavar="NAME", help="only the decisions of this player")
    parser.add_argument("--spot", metavar="SOLVED", action="append", default=[], help="a solved spot that hands may come to; may be given again")  # noqa: E501  # fmt: skip
    parser.add_argument("--runouts", type=int, default=None, metavar="N", help="turns and rivers to draw for values on a flop (default: 23); 0 leaves them out, which is quicker")  # noqa: E501  # fmt: skip
    parser.add_argument("--top", type=int, default=MOST, metavar="N", help=f"how many are listed (default: {MOST})")
    add_stakes_options(parser, "for an ACPC log that does not say it: ")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Review and print."""
    from headsup.cli.progress import show_progress
    from headsup.play.coach.judges import SpotJudge
    from headsup.play.coach.replay import read_hands
    from headsup.play.coach.review import LISTED, review
    from headsup.spots.solve import SpotSolution

    if args.top < 1:
        raise UserError(f"--top {args.top} lists nothing: give 1 or more")
    drawn = LISTED if args.runouts is None else args.runouts
    if drawn and not FEWEST <= drawn <= MOST_RUNOUTS:
        raise UserError(f"--runouts {drawn} is out of reach: give 0 for none, or {FEWEST} to {MOST_RUNOUTS:,}")
    there = stakes(args)
    spots = [SpotJudge(SpotSolution.load(path, regrets=False), path) for path in args.spot]
    with show_progress("looking at hands") as watch:
        found = review(read_hands(args.log, there)[1], spots, watch, drawn)
    if found.hands == found.left_out:
        why = f"that can be played again ({found.reasons[0]})" if found.reasons else "in it"
        raise UserError(f"{args.log} has no hand {why}: give a log with at least one")
    names = sorted({one.player for one in found.decisions})
    if args.player is not None and args.player not in names:
        raise UserError(f"nobody called '{args.player}' decides anything that is known here: {', '.join(names) or 'nobody does'}")  # noqa: E501  # fmt: skip
    asked = args.player, args.top
    return print_answer(args, lambda: found.summary(*asked), lambda console: _print(console, found, *asked))


def _print(console: Console, found: Review, player: str | None, most: int) -> None:
    from headsup.cli import one_line
    from headsup.cli.console import make_facts

    facts, told = make_facts(), found.summary(player, 0)
    facts.add_row("hands", f"{told['hands']:,}" + (f", {told['left_out']:,} left out" if told["left_out"] else ""))
    more = f", {told['unknown']:,} more without an answer here" if told["unknown"] else ""
    facts.add_row("decisions", f"{told['decisions']:,} with an answer{more}")
    facts.add_row("lost", f"{told['lost_bb']:.3f} bb in {told['valued']:,} decisions with known values")
    console.print(facts)
    for reason in found.reasons:
        print(one_line(f"left out, {reason}"))
    for one in found.of(player)[:most]:
        print(one_line(sentence(one)))


def sentence(one: Decision) -> str:
    """A decision in one line: what it cost, who did what where, and what the answer does."""
    from headsup.play.coach.reference import NEVER, SURE

    cost = f"{one.share:.0%} of it"
    if one.lost is not None:
        sure = f" ± {one.error:.2f}" if one.error else ""
        right = "right" if one.share >= NEVER else "no loss"
        cost = f"-{one.lost:.3f} bb{sure}" if one.lost >= SURE else right
    where = f"{one.cards} on {one.board}" if one.board else one.cards
    line = f" after {one.before}" if one.before else ""
    shares = ", ".join(f"{choice.name} {choice.share:.0%}" for choice in one.listed)
    note = "".join(f" ({note.rstrip('.')})" for note in (one.known.note, *one.known.notes()) if note)
    return f"{cost:>10}  {one.label}, {one.player}: {where}{line}, {one.did}; {one.known.source}: {shares}{note}"
