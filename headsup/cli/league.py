"""`headsup league A B C ...`: a round robin with a cross-table and three rankings."""

from __future__ import annotations

import argparse
from math import isfinite
from typing import TYPE_CHECKING

from headsup.cli.options import print_answer, say, show_progress
from headsup.cli.play import add_match_options, make_match
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.play.arena.league import League

HELP = """Play a round robin between agents, and rank them by total bankroll, instant runoff and rating.

Agents, games and options are those of `headsup play`; every pair plays the same deals. Results are in big blinds per
hand for the agent of the row, with the half-width of the 95 % CI. With --work a stopped league resumes."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("agents", nargs="+", metavar="AGENT", help="two or more agents")
    add_match_options(parser)


def run(args: argparse.Namespace) -> int:
    from headsup.play.arena.league import play_league

    if "me" in args.agents:
        raise UserError("you cannot play in a league: use  headsup play me AGENT")
    if args.to_the_end:
        raise UserError("in a league every hand starts with full stacks: leave out --to-the-end")
    match = make_match(args, args.agents[0], args.agents[-1])
    with show_progress("playing") as watch:
        league = play_league(args.agents, match, args.out, args.jobs, watch, args.engine, args.address)
    summary = league.summary()
    if summary["stopped"]:
        say("headsup league: stopped" + ("; run the same command to resume" if args.out else ""))
    return print_answer(args, lambda: summary, lambda console: _print(console, league), stopped=summary["stopped"])


def _print(console: Console, league: League) -> None:
    from headsup.cli.console import make_table, print_table

    table = make_table("", *league.agents, "bankroll", "rating")
    rated, misfit = league.ratings()
    order = sorted(range(len(league.agents)), key=lambda i: -league.bankroll[i])
    for i in order:
        here = zip(league.mean[i], league.half[i], strict=True)
        cells = ["" if i == j else _figure(mean, half) for j, (mean, half) in enumerate(here)]
        money = _figure(league.bankroll[i], league.bankroll_half[i])
        table.add_row(league.agents[i], *cells, money, _figure(rated[i]))
    print_table(console, table)
    console.print()
    ranked = [league.agents[i] for i in league.runoff()]
    console.print(f"instant runoff: {', '.join(ranked)}")
    if len(league.agents) > 2:
        console.print(f"misfit of the ratings: {misfit:.2f} (about 1 if the results are transitive)")
    for (i, j), result in league.results.items():
        if result.interval.low <= 0.0 <= result.interval.high:
            word = "undecided" if result.interval.half > 1e-9 else "even"
            console.print(f"{word}: {league.agents[i]} against {league.agents[j]}")


def _figure(mean: float, half: float | None = None) -> str:
    """A signed mean with the half-width of its interval; a dash if one sample gives none."""
    return f"{mean:+z.3f}" + ("" if half is None else f" ±{half:.3f}" if isfinite(half) else " ±-")
