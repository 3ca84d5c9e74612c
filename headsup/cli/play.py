"""`headsup play A B`: a match between two agents, with confidence intervals."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_json, add_seed, add_workers, check_workers, print_answer, refuse, say, show_progress
from headsup.common.display import json_line, number

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.play.arena.match import Match, MatchResult

HELP = """Play a match between two agents, and report the mean in big blinds per hand with confidence intervals.

Agents are caller, folder, allin, raiser, random, mix:F,C,R, tight, average, loose-passive, loose-aggressive, jamfold,
adaptive, chart:JAM,CALL, rule:NAME, sklansky, limit, nolimit, nolimit:blueprint, aggrobot, discard, ectomynx, advice,
lbr, lbr:wide, spot:FILE, solution:FILE and me; small games also have uniform and equilibrium. Games are holdem-limit,
holdem-nolimit, holdem-jamfold, omaha-jamfold, omaha8-jamfold, omaha-potlimit, omaha8-potlimit, holdem-discard,
spot:FILE, and small games such as leduc. docs/arena.md describes the games, the agents and their variants. The same
seed repeats a match exactly, with any number of processes. With --work a stopped match resumes."""

HANDS = 1000
GAME = "holdem-nolimit"


def add_match_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", metavar="G", help=f"the game (default: {GAME}, or the spot of a spot:FILE agent)")
    parser.add_argument("--stack", type=float, metavar="BB", help="stack of each player in big blinds at the start of a hand (default: 100; jam or fold: 10; limit hold'em: unlimited)")  # noqa: E501  # fmt: skip
    parser.add_argument("--hands", type=int, metavar="N", help=f"number of hands (default: {HANDS:,}); with --to-the-end, the number of games (default: 100)")  # noqa: E501  # fmt: skip
    add_seed(parser, "cards and actions")
    parser.add_argument("--duplicate", action="store_true", help="play every deal twice, with the seats swapped")
    parser.add_argument("--equity", action="store_true", help="variance reduction: score all-in hands by their equity")
    parser.add_argument("--aivat", action="store_true", help="variance reduction by AIVAT, for the cards and for the actions of agents with known strategies")  # noqa: E501  # fmt: skip
    parser.add_argument("--to-the-end", action="store_true", help="play until one player has all the chips")
    parser.add_argument(
        "--seconds", type=float, metavar="S", help="time limit per action; an agent that exceeds it forfeits the hand"
    )
    parser.add_argument("--session", type=int, metavar="N", help="number of hands after which agents forget what they learned (default: 1,000)")  # noqa: E501  # fmt: skip
    add_workers(parser, jobs=1)
    work = "save finished sessions in this folder, and resume a stopped match from it"
    parser.add_argument("--work", old="--out", dest="out", metavar="FOLDER", help=work)
    add_json(parser)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("first", metavar="A", help="the first agent; results are from its point of view")
    parser.add_argument("second", metavar="B", help="the second agent")
    add_match_options(parser)
    parser.add_argument("--log", metavar="FILE", help="write every hand to this file as a line of JSON")


def make_match(args: argparse.Namespace, first: str, second: str, log: bool = False) -> Match:
    from headsup.play.arena.match import SESSION, Match
    from headsup.play.table.start import is_card_game

    check_workers(args)
    if args.to_the_end:
        refuse(args, ("session",), "counts hands, and --to-the-end counts games: leave one of them out")
    spots = [name for name in (first, second) if name.startswith("spot:")]
    hands = (100 if args.to_the_end else HANDS) if args.hands is None else args.hands
    same = ("stack", "seed", "duplicate", "equity", "aivat", "to_the_end", "seconds")
    match = Match(
        first,
        second,
        game=args.game if args.game is not None else spots[0] if spots else GAME,
        hands=hands,
        session=SESSION if args.session is None else args.session,
        log=log,
        **{name: getattr(args, name) for name in same},
    )
    if not is_card_game(match.game):
        refuse(
            args,
            ("seconds",),
            f"limits actions at a table, and {match.game} is played from strategy tables: leave it out",
        )
    return match


def run(args: argparse.Namespace) -> int:
    from headsup.common.files import Unlogged, logged, writable
    from headsup.play.arena.match import play
    from headsup.play.arena.person import play_at_terminal

    person = "me" in (args.first, args.second)
    if person:
        why = "has no effect when you play yourself: leave it out"
        refuse(args, ("jobs", "out", "engine", "address", "session"), why)
    if args.log is not None:
        writable(args.log)
    match = make_match(args, args.first, args.second, args.log is not None)

    def played(lines: Callable[[list[dict[str, Any]]], None] | None = None) -> MatchResult | None:
        if person:
            return play_at_terminal(match, lines=lines)
        with show_progress("playing") as watch:
            return play(match, args.out, args.jobs, watch, args.engine, args.address, lines)

    def played_logged(write: Callable[[bytes], None]) -> MatchResult | None:
        def lines(records: list[dict[str, Any]]) -> None:
            write("".join(json_line(record) + "\n" for record in records).encode())

        lines([{"headsup": "log", **match.arguments()}])
        return played(lines)

    trouble: Unlogged | None = None
    try:
        result = played() if args.log is None else logged(args.log, played_logged)
    except Unlogged as ended:
        result, trouble = ended.result, ended
    if result is None:
        return 0
    status = print_answer(args, result.summary, lambda console: _print(console, result), trouble, result.stopped)
    if result.stopped:
        more = "; run the same command to resume" if args.out else ""
        say(f"headsup play: stopped after {result.hands:,} hands{more}")
    return status


def figure(x: float | None) -> str:
    """Big blinds a hand, with a sign; more digits where they are few."""
    return "-" if x is None else f"{x:+.4f}" if abs(x) < 10 else f"{x:+.2f}"


def _print(console: Console, result: MatchResult) -> None:
    from headsup.cli.console import make_facts
    from headsup.play.agents.resolving import blueprint_note

    match, summary, table = result.match, result.summary(), make_facts()
    table.add_row("match", f"{match.first} against {match.second}")
    stack = "" if match.stack is None else f", {match.stack:g} big blinds"
    table.add_row("game", f"{match.game}{stack}, seed {match.seed}")
    notes = [] if match.stack is None else [blueprint_note(name, match.stack) for name in (match.first, match.second)]
    for note in dict.fromkeys(filter(None, notes)):
        table.add_row("blueprint", note)
    if result.won is not None:
        low, high = summary["won_interval"]
        games = f"{summary['games']:,} games to the end, {result.hands:,} hands"
        interval = "" if low is None else f" (95 % CI {low:.1%} to {high:.1%})"
        table.add_row("won", f"{summary['won']:.1%}{interval} of {games}")
    else:
        table.add_row("hands", f"{result.hands:,}" + (", duplicate" if match.duplicate else ""))
    low, high = summary["interval_bb"]
    table.add_row("mean", f"{figure(summary['mean_bb'])} bb/hand for {match.first} ({summary['method']})")
    table.add_row("95 % CI", f"{figure(low)} to {figure(high)} (fixed sample size)")
    if "anytime_bb" in summary:
        low, high = summary["anytime_bb"]
        table.add_row("95 % CI", f"{figure(low)} to {figure(high)} (anytime-valid, {summary['anytime_kind']})")
    for name, estimate in summary["estimates"].items():
        if len(summary["estimates"]) > 1 and estimate["sd_bb"] is not None:
            table.add_row(name, f"{figure(estimate['mean_bb'])}, standard deviation {number(estimate['sd_bb'], 4)}")
    names = (match.first, match.second)
    for name, count in zip(names, summary["faults"], strict=True):
        if count:
            first = next(fault for fault in result.faults if names[fault["player"]] == name)
            table.add_row("faults", f"{name} forfeited {count:,} hands, the first: {first['kind']}, {first['text']}")
    console.print(table)
