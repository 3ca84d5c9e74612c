"""`headsup play A B`: a match between two agents, and how sure its result is."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_json, add_seed, add_workers, check_workers, print_answer, refuse
from headsup.cli.streams import say
from headsup.common.display import json_line

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.play.arena.match import Match, MatchResult

HELP = """Play a match between two agents: the mean in big blinds a hand, and an interval that says how sure it is.

Agents are caller, folder, allin, raiser, random, mix:F,C,R, tight, average, loose-passive, loose-aggressive, jamfold,
chart:JAM,CALL, rule:NAME, sklansky, limit, nolimit, aggrobot, discard, ectomynx, advice, lbr, lbr:wide, spot:FILE,
solution:FILE and me. Games are holdem-limit, holdem-nolimit, holdem-jamfold, omaha-jamfold, omaha8-jamfold,
omaha-potlimit, omaha8-potlimit, holdem-discard, spot:FILE, and small ones such as leduc. A seed repeats a match to the
last card, whatever --jobs says. With --work the match may be stopped; the same command goes on from there."""

HANDS = 1000
GAME = "holdem-nolimit"


def add_match_options(parser: argparse.ArgumentParser) -> None:
    """What a match and a league have in common."""
    parser.add_argument("--game", metavar="G", help=f"what is played (default: {GAME}, or an agent's spot)")
    parser.add_argument("--stack", type=float, metavar="BB", help="big blinds that both have at the start of a hand")
    parser.add_argument("--hands", type=int, metavar="N", help=f"how many hands (default: {HANDS:,}); with --to-the-end how many games (default: 100)")  # noqa: E501  # fmt: skip
    add_seed(parser, "cards and choices")
    parser.add_argument("--duplicate", action="store_true", help="every deal twice, the second time with seats changed")
    parser.add_argument("--equity", action="store_true", help="take the luck of cards after an all-in out")
    parser.add_argument("--aivat", action="store_true", help="take the luck of all cards, and of choices that are known, out")  # noqa: E501  # fmt: skip
    parser.add_argument("--to-the-end", action="store_true", help="stacks are kept until one has all the chips")
    parser.add_argument("--seconds", type=float, metavar="S", help="a move that takes longer loses the hand")
    parser.add_argument("--session", type=int, metavar="N", help="hands after which agents forget what they learned (default: 1000)")  # noqa: E501  # fmt: skip
    add_workers(parser, jobs=1)
    parser.add_argument(
        "--work", old="--out", dest="out", metavar="FOLDER", help="keep finished sessions there, and go on from those"
    )
    add_json(parser)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("first", metavar="A", help="an agent; the result is its own")
    parser.add_argument("second", metavar="B", help="the other agent")
    add_match_options(parser)
    parser.add_argument("--log", metavar="FILE", help="write every hand as a line of JSON")


def make_match(args: argparse.Namespace, first: str, second: str, log: bool = False) -> Match:
    """The match that the options describe."""
    from headsup.play.arena.match import SESSION, Match
    from headsup.play.table.start import is_card_game

    check_workers(args)
    if args.to_the_end:
        refuse(args, ("session",), "counts hands, and --to-the-end counts games: leave one of them out")
    spots = [name for name in (first, second) if name.startswith("spot:")]
    hands = (100 if args.to_the_end else HANDS) if args.hands is None else args.hands
    match = Match(
        first,
        second,
        game=args.game if args.game is not None else spots[0] if spots else GAME,
        stack=args.stack,
        hands=hands,
        seed=args.seed,
        duplicate=args.duplicate,
        equity=args.equity,
        aivat=args.aivat,
        to_the_end=args.to_the_end,
        session=SESSION if args.session is None else args.session,
        seconds=args.seconds,
        log=log,
    )
    if not is_card_game(match.game):
        refuse(args, ("seconds",), f"limits moves at a table, and {match.game} is played by tables: leave it out")
    return match


def run(args: argparse.Namespace) -> int:
    """Play and print."""
    from headsup.cli.progress import show_progress
    from headsup.common.files import Unlogged, logged, writable
    from headsup.play.arena.match import play

    if "me" in (args.first, args.second):
        return _play_me(args)
    if args.log is not None:
        writable(args.log)
    match = make_match(args, args.first, args.second, args.log is not None)

    def played(lines: Callable[[list[dict[str, Any]]], None] | None = None) -> MatchResult:
        with show_progress("playing") as watch:
            return play(match, args.out, args.jobs, watch, args.engine, args.address, lines)

    def played_logged(write: Callable[[bytes], None]) -> MatchResult:
        def lines(records: list[dict[str, Any]]) -> None:
            write("".join(json_line(one) + "\n" for one in records).encode())

        lines([{"headsup": "log", **match.arguments()}])
        return played(lines)

    trouble: Unlogged | None = None
    try:
        result = played() if args.log is None else logged(args.log, played_logged)
    except Unlogged as ended:
        result, trouble = ended.result, ended
    print_answer(args, result.summary, lambda console: _print(console, result))
    if trouble is not None:
        raise trouble
    if result.stopped:
        more = "; the same command goes on from here" if args.out else ""
        say(f"headsup play: stopped after {result.hands:,} hands{more}")
    return 130 if result.stopped else 0


def figure(x: float | None) -> str:
    """Big blinds a hand, with a sign; more digits where they are few."""
    return "-" if x is None else f"{x:+.4f}" if abs(x) < 10 else f"{x:+.2f}"


def _print(console: Console, result: MatchResult) -> None:
    from headsup.cli.console import make_facts

    match, told, table = result.match, result.summary(), make_facts()
    table.add_row("match", f"{match.first} against {match.second}")
    stack = "" if match.stack is None else f", {match.stack:g} big blinds"
    table.add_row("game", f"{match.game}{stack}, seed {match.seed}")
    if result.won is not None:
        low, high = told["won_interval"]
        games = f"{told['games']:,} games to the end, {result.hands:,} hands"
        said = "" if low is None else f" ({low:.1%} to {high:.1%})"
        table.add_row("won", f"{told['won']:.1%}{said} of {games}")
    else:
        table.add_row("hands", f"{result.hands:,}" + (" in pairs with the same cards" if match.duplicate else ""))
    low, high = told["interval_bb"]
    table.add_row("mean", f"{figure(told['mean_bb'])} bb a hand for {match.first} ({told['method']})")
    table.add_row("95 %", f"{figure(low)} to {figure(high)}, the number of hands being fixed beforehand")
    if "anytime_bb" in told:
        low, high = told["anytime_bb"]
        table.add_row("any time", f"{figure(low)} to {figure(high)}, however often one looks ({told['anytime_kind']})")
    for name, one in told["estimates"].items():
        if len(told["estimates"]) > 1 and one["sd_bb"] is not None:
            table.add_row(name, f"{figure(one['mean_bb'])}, standard deviation {one['sd_bb']:.4g}")
    for name, count in zip((match.first, match.second), told["faults"], strict=True):
        if count:
            last = next(one for one in result.faults if (match.first, match.second)[one["player"]] == name)
            table.add_row("faults", f"{name} lost {count:,} hands, the first: {last['kind']}, {last['text']}")
    console.print(table)


def _play_me(args: argparse.Namespace) -> int:
    from headsup.play.arena.person import play_at_terminal

    why = "has no effect where a person plays, one hand after the other: leave it out"
    refuse(args, ("jobs", "out", "log", "engine", "address", "session"), why)
    match = make_match(args, args.first, args.second)
    result = play_at_terminal(match)
    if result is not None:
        print_answer(args, result.summary, lambda console: _print(console, result))
    return 0
