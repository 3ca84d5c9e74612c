"""`headsup review FILE`: the costliest decisions in a hand history."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from headsup.cli import one_line
from headsup.cli.options import add_json, print_answer, show_progress
from headsup.cli.replay import add_stakes_options, stakes
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.play.coach.review import Decision, Review

HELP = """List the decisions of played hands, the costliest first, compared with a reference strategy.

Reads the same files as `headsup replay`: logs of headsup and the ACPC, and hand histories of poker rooms, OHH and PHH.
There are reference strategies for jam or fold at any stack, limit hold'em, heads-up no-limit hold'em from 5 to 250 big
blinds, and for saved solutions of spots (--spot). No-limit answers come from charts before the flop; later streets are
re-solved with the ranges that these imply. Each answer names its source and says how far it can be trusted. The loss of
a decision, in big blinds, is the value of the reference strategy there minus the value of the action. On the flop of
limit hold'em values are estimates with an error; if only frequencies are known, the list says so."""

MOST = 20
FEWEST, MOST_RUNOUTS = 10, 10_000

WITHOUT = """without: no reference plays these stakes or this line. No-limit needs two players, 5 to 250 bb, no antes.
Of larger tables, `headsup serve` opens streets with two players left as spots (Hands)."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("log", metavar="FILE", help="the hand history")
    parser.add_argument("--player", metavar="NAME", help="only decisions of this player")
    parser.add_argument("--spot", metavar="SOLVED", action="append", default=[], help="a solved spot that hands may reach; may be repeated")  # noqa: E501  # fmt: skip
    parser.add_argument("--runouts", type=int, default=None, metavar="N", help="turns and rivers to sample for values on a flop of limit hold'em (default: 23); 0 skips these values, which is faster")  # noqa: E501  # fmt: skip
    parser.add_argument("--top", type=int, default=MOST, metavar="N", help=f"decisions to list (default: {MOST})")
    add_stakes_options(parser, "for an ACPC log without it: ")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from headsup.play.coach.judges import SpotJudge
    from headsup.play.coach.replay import read_hands
    from headsup.play.coach.review import LISTED, review
    from headsup.spots.solve import SpotSolution

    if args.top < 1:
        raise UserError(f"--top {args.top} lists nothing: give 1 or more")
    drawn = LISTED if args.runouts is None else args.runouts
    if drawn and not FEWEST <= drawn <= MOST_RUNOUTS:
        raise UserError(f"--runouts {drawn} is out of range: give 0 for none, or {FEWEST} to {MOST_RUNOUTS:,}")
    table = stakes(args)
    spots = [SpotJudge(SpotSolution.load(path, regrets=False), path) for path in args.spot]
    with show_progress("reviewing hands") as watch:
        reviewed = review(read_hands(args.log, table)[1], spots, watch, drawn)
    if reviewed.hands == reviewed.left_out:
        why = f" ({reviewed.reasons[0]})" if reviewed.reasons else ""
        raise UserError(f"{args.log} has no hand that can be replayed{why}: give a log with at least one")
    names = sorted({decision.player for decision in reviewed.decisions})
    if args.player is not None and args.player not in names:
        known = f"choose one of {', '.join(names)}" if names else "there are no such decisions at all"
        raise UserError(f"'{args.player}' has no decisions with a reference strategy: {known}")
    asked = args.player, args.top
    return print_answer(args, lambda: reviewed.summary(*asked), lambda console: _print(console, reviewed, *asked))


def _print(console: Console, reviewed: Review, player: str | None, most: int) -> None:
    from headsup.cli.console import make_facts

    facts, figures = make_facts(), reviewed.summary(player, 0)
    skipped = f", {figures['left_out']:,} skipped" if figures["left_out"] else ""
    facts.add_row("hands", f"{figures['hands']:,}{skipped}")
    more = f", {figures['unknown']:,} without" if figures["unknown"] else ""
    facts.add_row("decisions", f"{figures['decisions']:,} with a reference strategy{more}")
    facts.add_row("lost", f"{figures['lost_bb']:.3f} bb in {figures['valued']:,} decisions with known values")
    console.print(facts)
    if figures["unknown"]:
        print(WITHOUT)
    for reason in reviewed.reasons:
        print(one_line(f"skipped: {reason}"))
    for decision in reviewed.of(player)[:most]:
        print(one_line(sentence(decision)))


def sentence(decision: Decision) -> str:
    """A decision in one line: its cost, the situation, the action, and the reference strategy."""
    from headsup.play.coach.reference import NEVER, SURE

    cost = f"{decision.share:.0%} of it"
    if decision.lost is not None:
        sure = f" ± {decision.error:.2f}" if decision.error else ""
        right = "right" if decision.share >= NEVER else "no loss"
        cost = f"-{decision.lost:.3f} bb{sure}" if decision.lost >= SURE else right
    where = f"{decision.cards} on {decision.board}" if decision.board else decision.cards
    line = f" after {decision.before}" if decision.before else ""
    shares = ", ".join(f"{choice.name} {choice.share:.0%}" for choice in decision.listed)
    note = "".join(f" ({note.rstrip('.')})" for note in (decision.known.note, *decision.known.notes()) if note)
    did = f"{decision.label}, {decision.player}: {where}{line}, {decision.did}"
    trust = "" if decision.known.trust == "high" else f" (trust: {decision.known.trust})"
    return f"{cost:>10}  {did}; {decision.known.source}{trust}: {shares}{note}"
