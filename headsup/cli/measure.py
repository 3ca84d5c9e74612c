"""`headsup measure STRATEGY`: its value, its best responses and its exploitability."""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headsup.cli.options import (
    add_device,
    add_json,
    add_shard,
    add_workers,
    check_workers,
    print_answer,
    print_shard,
    read_shard,
    refuse,
    refuse_with_json,
    show_progress,
)
from headsup.common.checks import whole
from headsup.common.display import number
from headsup.common.errors import DataError, UserError

if TYPE_CHECKING:
    from headsup.games import Profile, SequenceForm, VectorGame
    from headsup.games.holdem.vector import Strategy
    from headsup.measure import Measurement
    from headsup.play.statistics.duel import Duel

HELP = """Measure a strategy exactly: its expected value, the best responses to it, and its exploitability.

Exploitability is the average of what a best response gains in each seat; epsilon is the larger of the two gains.

STRATEGY is a solution that `headsup solve --save` or `headsup spot --save` wrote, the output of `headsup solve --json`,
or your own JSON:
{"game": NAME, "strategy": [{INFORMATION_SET: {ACTION: PROBABILITY}}, {...}]}
with one entry per player. With --game it may also be a table: CSV with the columns player,infoset,action,probability,
or JSON {INFORMATION_SET: {ACTION: PROBABILITY}}. Missing information sets play every action equally often.

STRATEGY may also be MODULE:NAME, a policy in Python: an OpenSpiel policy, an RLCard agent, or any object with a
method probabilities(view), as in docs/guides/price-my-bot.md. Its module is imported from the current folder or an
installed package. In small games it is measured exactly. With --game holdem-limit or holdem-nolimit it plays a match of
--hands hands against local best response, which gives a lower bound on its exploitability.

In limit and no-limit hold'em, STRATEGY may also be a name: always-fold, always-call, always-raise, uniform, mix:F,C,R
(probabilities of fold, call and raise), or shipped, the limit strategy that ships with headsup. The default game is
holdem-limit. All of these strategies except shipped ignore the cards, so each takes only about 75 seconds to measure on
one core. Named strategies and bucketed ones (from `headsup solve --buckets`) can be measured flop by flop: on a GPU
(--device), on a Ray cluster (--engine) or in several processes (--jobs). With --work a stopped run resumes."""


MARKS = {"never reached": "(never reached: not determined)", "untested": "(not tested by the opponent)"}
"""Notes on information sets whose strategy means little; see `SequenceForm.marks`."""

STREAMED = ("device", "engine", "address", "jobs", "folder", "shard")  # options of measuring flop by flop


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="STRATEGY", help="a saved solution, a table (JSON or CSV), MODULE:NAME, or the name of a strategy")  # noqa: E501  # fmt: skip
    parser.add_argument("--game", metavar="GAME", help="measure in this game instead of the game of the file")
    parser.add_argument("--stack", type=float, metavar="BB", help="for MODULE:NAME in no-limit hold'em: the stack of each player in big blinds")  # noqa: E501  # fmt: skip
    parser.add_argument("--hands", type=int, metavar="N", help="for MODULE:NAME in hold'em: number of hands against local best response (default: 1,000)")  # noqa: E501  # fmt: skip
    parser.add_argument("--seed", type=int, metavar="N", help="for MODULE:NAME in hold'em: random seed of the cards (default: 0)")  # noqa: E501  # fmt: skip
    parser.add_argument("--translation", metavar="HOW", help="with --game: how the strategy answers a bet that its own game lacks: nearest, linear or harmonic (as a bet of a size that it knows), and in limit hold'em call (it calls) or copy (as the last raise that it knows)")  # noqa: E501  # fmt: skip
    parser.add_argument(
        "--ranks", type=int, metavar="M", help="for a strategy given by name: use only the highest M ranks of the deck"
    )
    add_device(parser, "the device that measures named and bucketed strategies")
    add_workers(parser)
    parser.add_argument("--work", old="--folder", dest="folder", type=Path, metavar="DIR", help="save finished flops in this folder, and resume a stopped run from it")  # noqa: E501  # fmt: skip
    add_shard(parser)
    parser.add_argument("--value", action="store_true", help="on a GPU: also compute the value of the strategy against itself, which takes 50 %% longer")  # noqa: E501  # fmt: skip
    parser.add_argument("--check", type=int, metavar="HANDS", help="hold'em: also check each best response in a match of this many hands against the strategy")  # noqa: E501  # fmt: skip
    parser.add_argument(
        "--strategies",
        old="--table",
        dest="table",
        action="store_true",
        help="also print the strategies of both players",
    )
    parser.add_argument("--recorded", action="store_true", help="print the exploitability stored with the strategy, without measuring it again")  # noqa: E501  # fmt: skip
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from headsup.common.files import about_file
    from headsup.common.shards.shard import ShardDone
    from headsup.games.holdem.simple import is_simple
    from headsup.limit.shipped import SHIPPED
    from headsup.measure import measure

    check_workers(args)
    shard = read_shard(args)
    refuse_with_json(args, "table")
    if args.recorded:
        return _recorded(args)
    if args.device != "gpu":
        refuse(args, ("value",), "is for --device gpu; without it the value is always computed: leave it out")
    if not is_simple(args.file) and not Path(args.file).exists() and _is_module(args.file):
        return _policy(args)
    refuse(args, ("stack", "hands", "seed"), "is for a policy in Python, MODULE:NAME: leave it out")
    if _is_table(args):
        return _table(args)
    by_name = is_simple(args.file) or (args.file == SHIPPED and not Path(SHIPPED).exists())
    how = {name: getattr(args, name) for name in STREAMED if name in args.given}
    if shard is not None:
        how["shard"] = shard
    form, strategy, origin = _by_name(args) if by_name else _from_file(args)
    if args.file == SHIPPED and by_name:
        how["device"] = args.device
    match = _match(args, form, strategy)  # first: it raises at once if the game is too large
    by_flops = by_name or bool(how)
    about = nullcontext() if by_flops else about_file(args.file)
    with about, show_progress("best responses", by_flops and not args.json) as report:
        try:
            result = measure(form, strategy, value=args.value, progress=report, **how)
        except ShardDone as done:
            return print_shard(args, done)
    facts = {"strategy" if result.boards is not None else "file": args.file, **origin}
    return print_answer(
        args,
        lambda: {**facts, **result.summary(), **_match_json(match)},
        lambda console: _print(console, args, form, strategy, result, match, origin),
    )


def _recorded(args: argparse.Namespace) -> int:
    """What the strategy was measured at when it was saved."""
    from headsup.games import game
    from headsup.limit.shipped import SHIPPED
    from headsup.limit.shipped import shipped as shipped_limit
    from headsup.solve.records.solution import Solution

    measuring = ("stack", "hands", "seed", "translation", "ranks", "value", "check", "table", *STREAMED)
    refuse(args, measuring, "is for measuring, and --recorded measures nothing: leave it out")
    by_name = args.file == SHIPPED and not Path(SHIPPED).exists()
    if not by_name and _is_chart(args.file):
        raise UserError(f"{args.file} is a chart: headsup preflop {args.file} prints what it was measured at")
    solution = shipped_limit() if by_name else Solution.load(args.file, regrets=False, mapped=True)
    played = solution.played()
    if args.game is not None and game(args.game).name != played.name:
        raise UserError(f"{args.file} was measured in {played.name}, not in {args.game}: leave out --game")
    if not isfinite(solution.exploitability):
        raise UserError(f"{args.file} was saved without an exploitability: leave out --recorded to measure it")
    facts = {"strategy": args.file, "game": played.name, **solution.in_mbb(), "recorded": True}

    def show(console: Any) -> None:
        from headsup.cli.console import make_facts

        table = make_facts()
        table.add_row("game", played.name)
        table.add_row("strategy", args.file)
        table.add_row("exploitability", f"{number(facts['exploitability_mbb'])} mbb/g, exact, as recorded in the file")
        console.print(table)

    return print_answer(args, lambda: facts, show)


def _is_module(name: str) -> bool:
    from headsup.play.bridges.policies import MODULE

    return MODULE.fullmatch(name) is not None


def _is_table(args: argparse.Namespace) -> bool:
    """Whether the file is a table of information sets rather than a strategy that names its game."""
    name = str(args.file).lower()
    if name.endswith(".csv"):
        return True
    if args.game is None or not name.endswith(".json") or not Path(args.file).is_file():
        return False
    from headsup.common.files import read_text

    return not any(f'"{key}"' in read_text(args.file)[:10_000] for key in ("game", "strategy"))


def _table(args: argparse.Namespace) -> int:
    from headsup.common.files import about_file
    from headsup.measure import measure
    from headsup.play.bridges.policies import read_tables

    refuse(args, ("translation", "ranks", "check", *STREAMED), "is not for tables of information sets: leave it out")
    if args.game is None:
        raise UserError("a table of information sets does not name its game: add --game")
    with about_file(args.file):
        form, profile = read_tables(args.file, args.game)
    result = measure(form, profile)
    return print_answer(
        args,
        lambda: {"file": args.file, **result.summary()},
        lambda console: _print(console, args, form, profile, result, [], {}),
    )


def _policy(args: argparse.Namespace) -> int:
    from headsup.measure import Measurement
    from headsup.play.bridges.policies import HANDS, load_policy, measure_policy

    refuse(args, ("translation", "ranks", "check", "table", *STREAMED), "is not for policies in Python: leave it out")
    policy = load_policy(args.file)
    with show_progress("local best response", not args.json) as report:
        hands = HANDS if args.hands is None else args.hands
        result = measure_policy(policy, args.game, stack=args.stack, hands=hands, seed=args.seed or 0, progress=report)

    def show(console: Any) -> None:
        from headsup.cli.console import make_facts

        table, figures = make_facts(), result.summary()
        table.add_row("game", result.game)
        table.add_row("policy", args.file)
        if isinstance(result, Measurement):
            table.add_row("value", f"{number(result.value, 12, sign=True)} for the first player")
            table.add_row("exploitability", f"{number(result.exploitability)} ({number(result.mbb)} mbb/g), exact")
        else:
            low, high = result.mbb.low, result.mbb.high
            table.add_row("exploitability", f"at least {result.mbb.mean:.1f} mbb/g, 95 % CI {low:.1f} to {high:.1f}")
            table.add_row("method", f"local best response ({figures['method']}), {result.hands:,} hands")
        console.print(table)

    return print_answer(args, lambda: {"policy": args.file, **result.summary()}, show)


def _from_file(args: argparse.Namespace) -> tuple[SequenceForm | VectorGame, Any, dict[str, Any]]:
    """The game and the strategy of a file, and how it was translated."""
    from headsup.abstraction.bets.capped import ANSWERS
    from headsup.solve.records.strategy_file import read_strategy

    try:
        file = read_strategy(args.file)
    except DataError:
        if _is_chart(args.file):
            how = f"python -m headsup.preflop.all_flops {args.file} --work FOLDER"
            raise UserError(f"{args.file} is a chart with play after the flop: measure it with  {how}") from None
        raise
    streams = file.by_bucket and args.translation in (None, *ANSWERS)
    why = "is for strategies by name or by bucket, measured flop by flop: leave it out here"
    refuse(args, ("ranks",) if streams else ("ranks", *STREAMED), why)
    if args.game is None:
        refuse(args, ("translation",), "needs the game with more bet sizes: add --game")
    by_flops = streams and any(name in args.given for name in STREAMED)
    if by_flops:
        refuse(args, ("table",), "has no effect when a strategy is measured flop by flop: leave it out")
    form, strategy = file.placed(args.game, args.translation)
    if args.translation is None:
        return form, strategy, {}
    if by_flops:
        return form, strategy, {"translation": args.translation}
    return form, strategy, {"translated": {"from": file.game, "translation": args.translation}}


def _is_chart(path: str) -> bool:
    """Whether a file has a chart before the flop with play after it."""
    from headsup.common.archives import record_kind
    from headsup.preflop.chart import KIND

    try:
        return record_kind(path) == KIND
    except DataError:
        return False


def _by_name(args: argparse.Namespace) -> tuple[VectorGame, Strategy, dict[str, Any]]:
    from headsup.abstraction.hands.blind import BlindStrategy
    from headsup.games import game
    from headsup.games.holdem.vector import VectorGame
    from headsup.limit.shipped import SHIPPED
    from headsup.limit.shipped import shipped as shipped_limit

    refuse(args, ("translation", "table"), "is for solutions in files: leave it out, or name a file")
    played = game(
        "holdem-limit" if args.game is None else args.game, **({} if args.ranks is None else {"ranks": args.ranks})
    )
    if not isinstance(played, VectorGame):
        raise UserError(f"a strategy by name is measured in hold'em, such as holdem-limit, not in {played}")
    if args.file != SHIPPED:
        return played, BlindStrategy(played, args.file), {}
    solution = shipped_limit()
    if played.checksum != solution.content:
        raise UserError(f"the shipped strategy is for holdem-limit with all cards, not {played}: leave out --game")
    return played, solution.in_game(played), {}


def _print(
    console: Any,
    args: argparse.Namespace,
    form: SequenceForm | VectorGame,
    strategy: Any,
    result: Measurement,
    match: list[Duel],
    origin: dict[str, Any],
) -> None:
    from headsup.cli.console import make_facts

    table, figures = make_facts(), result.summary()
    table.add_row("game", result.game)
    if result.boards is not None:
        table.add_row("strategy", f"{args.file}, {args.translation}" if args.translation else args.file)
        sb, bb, mean = (number(figures[f"{name}_mbb"]) for name in ("reply_sb", "reply_bb", "exploitability"))
        table.add_row("best response", f"wins {sb} mbb/g in the small blind, {bb} in the big blind")
        table.add_row("exploitability", f"{mean} mbb/g (average of both seats), exact")
        if result.valued:
            value = number(figures["value_mbb"], sign=True)
            table.add_row("value", f"{value} mbb/g for the small blind, against itself")
        _add_match(table, match)
        table.add_row("walked", f"{result.boards:,} boards up to suit isomorphism in {result.seconds:.1f} s")
        console.print(table)
        return
    if args.translation:
        table.add_row("translated", f"from {origin['translated']['from']}, {args.translation}")
    table.add_row("value", value_text(result.value, form))
    for seat, name in enumerate(seat_names(form)):
        best = number(figures["best_replies"][seat], 12, sign=True)
        table.add_row(f"best response of {name}", f"{best} (gains {number(result.gains[seat])})")
    table.add_row("exploitability", f"{number(result.exploitability)} ({_meaning(result)}; {_small(result, form)})")
    table.add_row("epsilon", f"{number(result.epsilon)} (at most twice the exploitability)")
    _add_match(table, match)
    console.print(table)
    if args.table:
        print_strategies(console, form, strategy)


def _match(args: argparse.Namespace, form: Any, strategy: Any) -> list[Duel]:
    """Both best responses in matches against the strategy, if requested."""
    if args.check is None:
        return []
    from headsup.games.holdem.vector import ArrayStrategy, VectorGame
    from headsup.play.statistics.duel import duel

    hands = whole(args.check, "--check", 2)
    if not isinstance(form, VectorGame):
        raise UserError(f"--check is for hold'em, such as holdem-limit with few ranks, not {form.name}: leave it out")
    victim = ArrayStrategy(form, strategy) if isinstance(strategy, tuple) else strategy
    return [duel(form, victim, seat, hands) for seat in (0, 1)]


def _match_json(match: list[Duel]) -> dict[str, Any]:
    return {"match": [duel.summary() for duel in match]} if match else {}


def _add_match(table: Any, match: list[Duel]) -> None:
    for duel in match:
        result, verdict = duel.match_mbb, "agrees" if duel.agrees else "does not agree"
        interval = f"99 % CI {result.low:.6g} to {result.high:.6g}"
        text = f"{duel.hands:,} hands: {result.mean:.6g} mbb/g, {interval}; {verdict} with {duel.exact_mbb:.6g}"
        table.add_row(f"match of {('sb', 'bb')[duel.seat]}", text)


def _meaning(result: Measurement) -> str:
    """What the exploitability says, where a rake makes a difference."""
    return "average of both seats' gains; general-sum" if result.general_sum else "average of both seats"


def seat_names(form: SequenceForm | VectorGame) -> tuple[str, str]:
    """Names of the seats: by position in a spot, by blind if the game has blinds, else by order."""
    from headsup.games.holdem.spot import is_spot

    if is_spot(form.name):
        return "oop", "ip"
    return ("the small blind", "the big blind") if form.unit > 1.0 else ("the first player", "the second player")


def value_text(value: float, form: SequenceForm | VectorGame) -> str:
    """What the first seat wins, in mbb/g as well where the game counts in big blinds."""
    mbb = f" ({number(1000.0 * value / form.unit, sign=True)} mbb/g)" if form.unit > 1.0 else ""
    return f"{number(value, 12, sign=True)} for {seat_names(form)[0]}{mbb}"


def _small(result: Measurement, form: SequenceForm | VectorGame) -> str:
    """The exploitability in mbb/g; a spot has no blinds, so there as a fraction of the pot."""
    from headsup.games.holdem.spot import is_spot
    from headsup.games.holdem.vector import VectorGame

    if is_spot(result.game) and isinstance(form, VectorGame):
        return f"{result.exploitability / form.betting.rules.pot:z.4%} of the pot"
    return f"{number(result.mbb)} mbb/g"


def print_strategies(console: Any, form: SequenceForm | VectorGame, profile: Profile | Strategy) -> None:
    from headsup.cli.console import beside
    from headsup.games.holdem.vector import ArrayStrategy, VectorGame, tables

    if isinstance(form, VectorGame):
        strategies = tables(form, ArrayStrategy(form, profile) if isinstance(profile, tuple) else profile)
        marks: tuple[dict[str, str], dict[str, str]] = ({}, {})
    else:
        assert isinstance(profile, tuple)
        strategies = form.seats[0].table(profile[0]), form.seats[1].table(profile[1])
        marks = form.marks(profile)
    for seat in (0, 1):
        console.print(f"\n{seat_names(form)[seat]}")
        for name, row in strategies[seat].items():
            parts = [f"{action} {100 * probability:6.2f}%" for action, probability in row.items()]
            parts += [MARKS[mark] for mark in (marks[seat].get(name),) if mark in MARKS]
            console.print(beside(f"  {name:<16} ", parts, console.width))
