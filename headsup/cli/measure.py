"""`headsup measure FILE`: what a saved strategy wins, and what a best response wins against it."""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_device, add_json, add_workers, check_workers, refuse, refuse_with_json
from headsup.common.display import json_line
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from headsup.games import Profile, SequenceForm, VectorGame
    from headsup.games.holdem.vector import Strategy
    from headsup.measure import Measurement
    from headsup.play.statistics.duel import Duel

HELP = """Measure a saved strategy exactly: expected value, best responses, exploitability and epsilon.

FILE is a solution from `headsup solve --save`, what `headsup solve --json` prints, or JSON of your own:
{"game": NAME, "strategy": [{SET: {ACTION: SHARE}}, {...}]}.
The list has one entry a player; information sets that are left out play every action equally often.

In limit and no-limit hold'em it may also be the name of a strategy: always-fold, always-call, always-raise, uniform,
mix:F,C,R (shares of fold, call and raise), or shipped, the limit strategy of this package (in holdem-limit if --game is
left out). All but the last look at no cards, and take seconds with all cards. With --device, --engine, --jobs or
--work they too are measured flop by flop, by a GPU, a Ray cluster or processes; with --work a run that was stopped
goes on."""


MARKS = {
    "never reached": "(never reached: not determined)",
    "untested": "(not put to the test by the opponent)",
}
"""What a table adds to information sets where the strategies say little; see `SequenceForm.marks`."""

STREAMED = ("device", "engine", "address", "jobs", "folder")
"""Options of measuring flop by flop."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("file", metavar="STRATEGY", help="a saved solution, a strategy as JSON, or a strategy's name")
    parser.add_argument("--game", metavar="GAME", help="measure it in this game instead of the one the file names")
    parser.add_argument("--translation", metavar="HOW", help="the file's game has fewer bets than --game: read the bets that it lacks as nearest, linear or harmonic; in limit, where it has fewer raises, call them or copy its answer to its last one")  # noqa: E501  # fmt: skip
    parser.add_argument("--ranks", type=int, metavar="M", help="of hold'em: a deck of the highest M ranks")
    add_device(parser, "where strategies by name or by bucket are walked")
    add_workers(parser)
    parser.add_argument("--work", old="--folder", dest="folder", type=Path, metavar="DIR", help="keep what is done flop by flop there, and go on from it")  # noqa: E501  # fmt: skip
    parser.add_argument("--value", action="store_true", help="on a GPU: also what the strategy earns against itself, in half as long again")  # noqa: E501  # fmt: skip
    parser.add_argument("--check", type=int, metavar="HANDS", help="of hold'em: play so many hands of each best response against it, too")  # noqa: E501  # fmt: skip
    parser.add_argument("--strategies", old="--table", dest="table", action="store_true", help="print both strategies")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Load, measure and print."""
    from headsup.cli.progress import show_progress
    from headsup.common.files import about_file
    from headsup.games.holdem.simple import is_simple
    from headsup.limit.shipped import SHIPPED
    from headsup.measure import measure

    check_workers(args)
    refuse_with_json(args, "table")
    if args.device != "gpu":
        refuse(args, ("value",), "is for --device gpu, and without that the value is always there: leave it out")
    by_name = is_simple(args.file) or (args.file == SHIPPED and not Path(SHIPPED).exists())
    how = {name: getattr(args, name) for name in STREAMED if name in args.given}
    form, strategy, origin = _by_name(args) if by_name else _from_file(args)
    if args.file == SHIPPED and by_name:
        how["device"] = args.device
    match = _match(args, form, strategy)  # first, since it reports at once what is too large for it
    by_flops = by_name or bool(how)
    about = nullcontext() if by_flops else about_file(args.file)
    with about, show_progress("best responses", by_flops and not args.json) as report:
        result = measure(form, strategy, value=args.value, progress=report, **how)
    facts = {"strategy" if result.boards is not None else "file": args.file, **origin}
    if args.json:
        print(json_line({**facts, **result.summary(), **_match_json(match)}))
    else:
        _print(args, form, strategy, result, match, origin)
    return 0


def _from_file(args: argparse.Namespace) -> tuple[SequenceForm | VectorGame, Any, dict[str, Any]]:
    """The game and the strategy of a file, and how it was translated."""
    from headsup.abstraction.bets.capped import ANSWERS
    from headsup.solve.records.strategy_file import read_strategy

    file = read_strategy(args.file)
    streams = file.by_bucket and args.translation in (None, *ANSWERS)
    why = "is for strategies by name or by bucket, flop by flop: leave it out here"
    refuse(args, ("ranks",) if streams else ("ranks", *STREAMED), why)
    if args.game is None:
        refuse(args, ("translation",), "is from a game with few bets to one with more: name that with --game")
    by_flops = streams and any(name in args.given for name in STREAMED)
    if by_flops:
        refuse(args, ("table",), "has no effect where a strategy is measured flop by flop: leave it out")
    form, strategy = file.placed(args.game, args.translation)
    if args.translation is None:
        return form, strategy, {}
    if by_flops:
        return form, strategy, {"translation": args.translation}
    return form, strategy, {"translated": {"from": file.game, "translation": args.translation}}


def _by_name(args: argparse.Namespace) -> tuple[VectorGame, Strategy, dict[str, Any]]:
    """The game and the strategy of a name."""
    from headsup.abstraction.hands.blind import BlindStrategy
    from headsup.games import game
    from headsup.games.holdem.vector import VectorGame
    from headsup.limit.shipped import SHIPPED, shipped_limit

    refuse(args, ("translation", "table"), "is for solutions in files: leave it out, or give a file")
    played = game(
        "holdem-limit" if args.game is None else args.game, **({} if args.ranks is None else {"ranks": args.ranks})
    )
    if not isinstance(played, VectorGame):
        raise UserError(f"a strategy by name is measured in hold'em, such as holdem-limit, not in {played}")
    if args.file != SHIPPED:
        return played, BlindStrategy(played, args.file), {}
    solution = shipped_limit()
    if played.checksum != solution.content:
        raise UserError(f"the shipped strategy is of holdem-limit with all cards, not of {played}: leave out --game")
    return played, solution.in_game(played), {}


def _print(
    args: argparse.Namespace,
    form: SequenceForm | VectorGame,
    strategy: Any,
    result: Measurement,
    match: list[Duel],
    origin: dict[str, Any],
) -> None:
    from headsup.cli.console import make_console, make_facts

    console, table, figures = make_console(), make_facts(), result.summary()
    table.add_row("game", result.game)
    if result.boards is not None:
        table.add_row("strategy", f"{args.file}, {args.translation}" if args.translation else args.file)
        table.add_row("best response", f"wins {figures['reply_sb_mbb']:.6g} mbb/g in the small blind, {figures['reply_bb_mbb']:.6g} in the big blind")  # noqa: E501  # fmt: skip
        table.add_row("exploitability", f"{figures['exploitability_mbb']:.6g} mbb/g (average of both seats), exact")
        if result.valued:
            table.add_row("value", f"{figures['value_mbb']:+.6g} mbb/g for the small blind, against itself")
        _add_match(table, match)
        table.add_row("walked", f"{result.boards:,} boards up to suits in {result.seconds:.1f} s")
        console.print(table)
        return
    if args.translation:
        table.add_row("translated", f"from {origin['translated']['from']}, {args.translation}")
    table.add_row("value", value_text(result.value, form))
    for seat, name in enumerate(seat_names(form)):
        best = f"{figures['best_replies'][seat]:+.12g} (gains {result.gains[seat]:.6g})"
        table.add_row(f"best response of {name}", best)
    table.add_row("exploitability", f"{result.exploitability:.6g} ({_meaning(result)}; {_small(result, form)})")
    table.add_row("epsilon", f"{result.epsilon:.6g} (at most twice the exploitability)")
    _add_match(table, match)
    console.print(table)
    if args.table:
        print_strategies(console, form, strategy)


def _match(args: argparse.Namespace, form: Any, strategy: Any) -> list[Duel]:
    """Both best responses in matches against the strategy, if requested."""
    if args.check is None:
        return []
    from headsup.common.checks import whole
    from headsup.games.holdem.vector import ArrayStrategy, VectorGame
    from headsup.play.statistics.duel import duel

    hands = whole(args.check, "--check", 2)
    if not isinstance(form, VectorGame):
        raise UserError(f"--check plays hold'em, such as holdem-limit with few ranks, not {form.name}: leave it out")
    victim = ArrayStrategy(form, strategy) if isinstance(strategy, tuple) else strategy
    return [duel(form, victim, seat, hands) for seat in (0, 1)]


def _match_json(match: list[Duel]) -> dict[str, Any]:
    return {"match": [one.summary() for one in match]} if match else {}


def _add_match(table: Any, match: list[Duel]) -> None:
    for one in match:
        low, high, says = one.match_mbb.low, one.match_mbb.high, "agrees" if one.agrees else "does not agree"
        table.add_row(f"match of {('sb', 'bb')[one.seat]}", f"{one.hands:,} hands: {one.match_mbb.mean:.6g} mbb/g, 99 % between {low:.6g} and {high:.6g}; {says} with {one.exact_mbb:.6g}")  # noqa: E501  # fmt: skip


def _meaning(result: Measurement) -> str:
    """What the exploitability says, where a rake makes a difference."""
    return "average of both seats' gains; general-sum" if result.general_sum else "average of both seats"


def seat_names(form: SequenceForm | VectorGame) -> tuple[str, str]:
    """What the two seats are called: by position in a spot, by the blinds where a game has them, else by order."""
    from headsup.games.holdem.spot import is_spot

    if is_spot(form.name):
        return "oop", "ip"
    return ("the small blind", "the big blind") if form.unit > 1.0 else ("the first player", "the second player")


def value_text(value: float, form: SequenceForm | VectorGame) -> str:
    """What the first seat wins, in mbb/g as well where the game counts in big blinds."""
    small = f" ({1000.0 * value / form.unit:+.6g} mbb/g)" if form.unit > 1.0 else ""
    return f"{value:+.12g} for {seat_names(form)[0]}{small}"


def _small(result: Measurement, form: SequenceForm | VectorGame) -> str:
    """The exploitability in the unit of the game: a spot knows no blinds, but a pot."""
    from headsup.games.holdem.spot import is_spot
    from headsup.games.holdem.vector import VectorGame

    if is_spot(result.game) and isinstance(form, VectorGame):
        return f"{result.exploitability / form.betting.rules.pot:z.4%} of the pot"
    return f"{result.mbb:.6g} mbb/g"


def print_strategies(console: Any, form: SequenceForm | VectorGame, profile: Profile | Strategy) -> None:
    """Both strategies as tables of percentages."""
    from headsup.cli.console import beside
    from headsup.games.holdem.vector import ArrayStrategy, VectorGame, tables

    if isinstance(form, VectorGame):
        found = tables(form, ArrayStrategy(form, profile) if isinstance(profile, tuple) else profile)
        marks: tuple[dict[str, str], dict[str, str]] = ({}, {})
    else:
        assert isinstance(profile, tuple)
        found = form.seats[0].table(profile[0]), form.seats[1].table(profile[1])
        marks = form.marks(profile)
    for seat in (0, 1):
        console.print(f"\n{seat_names(form)[seat]}")
        for name, row in found[seat].items():
            parts = [f"{action} {100 * probability:6.2f}%" for action, probability in row.items()]
            parts += [MARKS[mark] for mark in (marks[seat].get(name),) if mark in MARKS]
            console.print(beside(f"  {name:<16} ", parts, console.width))
