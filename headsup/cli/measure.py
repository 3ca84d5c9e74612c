"""`headsup measure FILE`: what a saved strategy wins, and what a best reply wins against it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_device, add_json, add_workers, check_workers, refuse, refuse_with_json
from headsup.common.checks import quoted
from headsup.common.display import json_line
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from headsup.games import Profile, SequenceForm, VectorGame
    from headsup.games.holdem.vector import Strategy
    from headsup.measure import Measurement
    from headsup.play.statistics.duel import Duel
    from headsup.solve import Solution

HELP = """Measure a saved strategy exactly: expected value, best replies, exploitability and epsilon.

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
    parser.add_argument("--check", type=int, metavar="HANDS", help="of hold'em: play so many hands of each best reply against it, too")  # noqa: E501  # fmt: skip
    parser.add_argument("--strategies", old="--table", dest="table", action="store_true", help="print both strategies")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Load, measure and print."""
    from headsup.abstraction.bets.capped import ANSWERS, Capped
    from headsup.common.files import about_file
    from headsup.games import VectorGame, game, sequence_form
    from headsup.games.holdem.simple import is_simple
    from headsup.games.holdem.vector import ArrayStrategy
    from headsup.limit.shipped import SHIPPED
    from headsup.measure import measure
    from headsup.solve import Solution
    from headsup.solve.records.solution import solved_game, vector_game
    from headsup.solve.records.strategy_file import from_tables, read_strategy

    check_workers(args)
    refuse_with_json(args, "table")
    if args.device != "gpu":
        refuse(args, ("value",), "is for --device gpu, and without that the value is always there: leave it out")
    if is_simple(args.file) or (args.file == SHIPPED and not Path(SHIPPED).exists()):
        return _run_by_name(args)
    strategy, named = read_strategy(args.file)
    capped = args.translation in ANSWERS
    streams = isinstance(strategy, Solution) and strategy.buckets is not None and (capped or args.translation is None)
    why = "is for strategies by name or by bucket, flop by flop: leave it out here"
    refuse(args, ("ranks",) if streams else ("ranks", *STREAMED), why)
    if args.game is None:
        why = "is from a game with few bets to one with more: name that with --game"
        refuse(args, ("translation",), why)
    with about_file(args.file):
        solved = solved_game(*named) if args.translation is not None or args.game is None else None
    played = game(args.game) if solved is None or args.translation is not None else solved
    profile = strategy.strategy if isinstance(strategy, Solution) else strategy
    if args.translation is not None:
        small = solved
        if isinstance(small, VectorGame) and named[1] not in ("", small.checksum):
            raise UserError(f"'{args.file}' is of another game than the one that is called {small} now: solve it again")
        if streams and isinstance(played, VectorGame) and isinstance(small, VectorGame):
            profile = Capped(played, small, strategy.in_game(small), args.translation).bucketed()
        else:
            profile = _translated(played, small, profile, args.translation)
    form: SequenceForm | VectorGame
    if isinstance(strategy, Solution) and strategy.buckets is not None:
        form = vector_game(played)
        if args.translation is None:
            profile = _by_bucket(strategy, form, args.file)
        if any(name in args.given for name in STREAMED):
            refuse(args, ("table",), "has no effect where a strategy is measured flop by flop: leave it out")
            return _run_streamed(args, form, profile)
    elif isinstance(played, VectorGame) and isinstance(profile, tuple) and ArrayStrategy.fits(played, profile):
        form = played
    else:
        form = sequence_form(played)
        with about_file(args.file):
            profile = profile if isinstance(profile, tuple) else from_tables(form, profile)
    match = _match(args, form, profile)
    with about_file(args.file):
        result = measure(form, profile)
    if args.json:
        how = {"translated": {"from": named[0], "translation": args.translation}} if args.translation else {}
        print(json_line({"file": args.file, **how, **result.summary(), **_match_json(match)}))
        return 0
    from headsup.cli.console import make_console, make_facts

    console = make_console()
    table = make_facts()
    table.add_row("game", result.game)
    if args.translation:
        table.add_row("translated", f"from {named[0]}, {args.translation}")
    names, best = seat_names(form), result.summary()["best_replies"]
    table.add_row("value", value_text(result.value, form))
    for seat, name in enumerate(names):
        table.add_row(f"best reply of {name}", f"{best[seat]:+.12g} (gains {result.gains[seat]:.6g})")
    table.add_row("exploitability", f"{result.exploitability:.6g} ({_meaning(result)}; {_small(result, form)})")
    table.add_row("epsilon", f"{result.epsilon:.6g} (at most twice the exploitability)")
    _add_match(table, match)
    console.print(table)
    if args.table:
        print_strategies(console, form, profile)
    return 0


def _by_bucket(solution: Solution, form: VectorGame, file: str) -> Strategy:
    """The strategy of a file in a game, or one sentence that names the game that it is of."""
    try:
        return solution.in_game(form)
    except UserError:
        if not solution.content or solution.content == form.checksum:
            raise
    raise UserError(
        f"'{file}' is of {solution.game}, not of {form}: name that game, or one that differs in having more raises "
        "alone, with --translation call or copy"
    )


def _run_by_name(args: argparse.Namespace) -> int:
    """A strategy by name, flop by flop."""
    from headsup.games import game
    from headsup.games.holdem.simple import is_simple, simple
    from headsup.games.holdem.vector import VectorGame
    from headsup.limit.shipped import shipped_limit

    refuse(args, ("translation", "table"), "is for solutions in files: leave it out, or give a file")
    played = game(
        "holdem-limit" if args.game is None else args.game, **({} if args.ranks is None else {"ranks": args.ranks})
    )
    if not isinstance(played, VectorGame):
        raise UserError(f"a strategy by name is measured in hold'em, such as holdem-limit, not in {played}")
    strategy: Any = args.file
    if is_simple(args.file):
        simple(played, args.file)  # says what is wrong before any work
    else:
        solution = shipped_limit()
        if played.checksum != solution.content:
            raise UserError(
                f"the shipped strategy is of holdem-limit with all cards, not of {played}: leave out --game"
            )
        strategy = solution.in_game(played)
    return _run_streamed(args, played, strategy)


def _run_streamed(args: argparse.Namespace, played: VectorGame, strategy: Any) -> int:
    """Measure flop by flop (`headsup.measure.streamed`), or what looks at no cards at once, and print."""
    from headsup.abstraction.hands.blind import refusal, simple_replies
    from headsup.cli.console import make_console, make_facts
    from headsup.cli.progress import show_progress
    from headsup.games.holdem.simple import simple
    from headsup.measure.streamed import streamed

    if args.device == "gpu" and not isinstance(strategy, str):
        from headsup.abstraction.hands.gpu import strategy_on_device

        strategy = strategy_on_device(strategy)
    how = {"device": args.device, "engine": args.engine, "address": args.address, "jobs": args.jobs}
    match = _match(args, played, strategy)  # first, since it says at once what is too large for it
    asked = any(name in args.given for name in STREAMED)
    at_once = isinstance(strategy, str) and not asked and not refusal(played, simple(played, strategy))
    with show_progress("best replies", not args.json) as tell:
        if at_once:
            found = simple_replies(played, strategy, tell)
        else:
            found = streamed(played, strategy, folder=args.folder, progress=tell, value=args.value, **how)
    if args.json:
        more = {"translation": args.translation} if args.translation else {}
        print(json_line({"strategy": args.file, **more, **found.summary(), **_match_json(match)}))
        return 0
    table, figures = make_facts(), found.summary()
    table.add_row("game", played.name)
    table.add_row("strategy", f"{args.file}, {args.translation}" if args.translation else args.file)
    table.add_row("best reply", f"wins {figures['reply_sb_mbb']:.6g} mbb/g in the small blind, {figures['reply_bb_mbb']:.6g} in the big blind")  # noqa: E501  # fmt: skip
    table.add_row("exploitability", f"{figures['exploitability_mbb']:.6g} mbb/g (average of both seats), exact")
    if found.valued:
        table.add_row("value", f"{figures['value_mbb']:+.6g} mbb/g for the small blind, against itself")
    _add_match(table, match)
    table.add_row("walked", f"{found.boards:,} boards up to suits in {found.seconds:.1f} s")
    make_console().print(table)
    return 0


def _match(args: argparse.Namespace, form: Any, strategy: Any) -> list[Duel]:
    """Both best replies in matches against the strategy, if they were asked for."""
    if args.check is None:
        return []
    from headsup.common.checks import whole
    from headsup.games.holdem.simple import simple
    from headsup.games.holdem.vector import ArrayStrategy, VectorGame
    from headsup.play.statistics.duel import duel

    hands = whole(args.check, "--check", 2)
    if not isinstance(form, VectorGame):
        raise UserError(f"--check plays hold'em, such as holdem-limit with few ranks, not {form.name}: leave it out")
    if isinstance(strategy, str):
        strategy = simple(form, strategy)
    victim = ArrayStrategy(form, strategy) if isinstance(strategy, tuple) else strategy
    return [duel(form, victim, seat, hands) for seat in (0, 1)]


def _match_json(match: list[Duel]) -> dict[str, Any]:
    return {"match": [one.summary() for one in match]} if match else {}


def _add_match(table: Any, match: list[Duel]) -> None:
    for one in match:
        low, high, says = one.match_mbb.low, one.match_mbb.high, "agrees" if one.agrees else "does not agree"
        table.add_row(f"match of {('sb', 'bb')[one.seat]}", f"{one.hands:,} hands: {one.match_mbb.mean:.6g} mbb/g, 99 % between {low:.6g} and {high:.6g}; {says} with {one.exact_mbb:.6g}")  # noqa: E501  # fmt: skip


def _translated(played: Any, small: Any, profile: Any, method: str) -> Profile:
    """A strategy of a game with few bets in one with more, in arrays."""
    from headsup.abstraction import Capped, Translated
    from headsup.abstraction.bets.capped import ANSWERS
    from headsup.games.holdem.vector import ArrayStrategy, VectorGame

    if not isinstance(played, VectorGame) or not isinstance(small, VectorGame) or not isinstance(profile, tuple):
        raise UserError(
            "--translation is for games of betting and boards, such as holdem-nolimit, solved by CFR and saved (--save)"
        )
    if not ArrayStrategy.fits(small, profile):
        raise UserError(f"a strategy by bucket is translated by {' or '.join(ANSWERS)}, not by {quoted(method)}")
    strategy = ArrayStrategy(small, profile)
    how = Capped if method in ANSWERS else Translated
    return ArrayStrategy.of(played, how(played, small, strategy, method)).policy


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
