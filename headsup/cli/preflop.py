"""`headsup preflop`: hold'em before the flop, with pots checked down after it."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_json, add_limits, add_method, print_answer, refuse_all_but
from headsup.cli.streams import say, trouble_in
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from headsup.preflop.solve import PreflopSolution, PreflopView

HELP = """Solve hold'em before the flop with limps, raises and jams, if there is no betting after the flop.

Pots that see a flop are checked down: each hand gets its exact equity, as in an all-in. This is an approximation: what
hands win or lose by betting after the flop is not included. Stacks and amounts are in big blinds."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="look into a saved solution instead of solving")
    parser.add_argument("--stack", metavar="S", help="stack of both players, before the blinds: 15 or 15bb")
    parser.add_argument("--bets", metavar="SIZES", help="sizes of the first raise: '2.5x, a' (the default)")
    parser.add_argument("--raises", metavar="SIZES", help="sizes of later raises, separated by semicolons: '3x; a' (default: a)")  # noqa: E501  # fmt: skip
    parser.add_argument("--no-limp", action="store_true", help="the small blind may not limp")
    parser.add_argument("--small-blind", type=float, default=0.5, metavar="B", help="the small blind (default 0.5)")
    parser.add_argument("--ante", type=float, default=0.0, metavar="A", help="ante of both players, in big blinds")
    add_limits(parser, ", in mbb/g (default 1)")
    from headsup.solve.records.settings import PRESETS

    add_method(parser, ("lp", *PRESETS), "dcfr")
    parser.add_argument("--line", default="", metavar="L", help="the decision to show: 'raise 2.5, all-in'")
    parser.add_argument("--hand", metavar="H", help="one class of hands: A9s")
    parser.add_argument("--save", metavar="FILE", help="save the solution")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from headsup.common.files import writable_apart
    from headsup.preflop.solve import PreflopSolution

    if args.file is not None:
        looks = ("file", "line", "hand", "save", "json")
        refuse_all_but(args, looks, "is for solving, and FILE is already solved: leave one of them out")
    writable_apart(("--save", args.save), keep=args.file)
    solution = PreflopSolution.load(args.file) if args.file is not None else _solved(args)
    trouble = trouble_in(lambda: solution.save(args.save)) if args.save else None
    view = solution.at(args.line)
    chosen = view.hand(args.hand) if args.hand is not None else None
    more = {"hand": chosen} if chosen else {}
    return print_answer(
        args,
        lambda: {**solution.summary(), **view.as_dict(), **more},
        lambda console: _print(console, solution, view, chosen, None if trouble else args.save),
        trouble,
    )


def _solved(args: argparse.Namespace) -> PreflopSolution:
    from headsup.cli.progress import show_progress
    from headsup.preflop.solve import TARGET, solve_preflop

    if args.stack is None:
        raise UserError("--stack is missing: write --stack 15, or name a file with a solution")
    match = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*(?:bb)?\s*", args.stack, re.ASCII)
    if not match:
        raise UserError(f"--stack '{args.stack}' is not a stack: write big blinds, as 15 or 15bb")
    menu = None
    if args.bets is not None or args.raises is not None:
        menu = "; ".join(("2.5x, a" if args.bets is None else args.bets, "a" if args.raises is None else args.raises))
    target = args.target
    if target is None and args.iterations is None and args.seconds is None:
        target = TARGET
    names = ("iterations", "seconds", "method", "small_blind", "ante")
    given = {name: getattr(args, name) for name in names}
    stack, limp = float(match[1]), not args.no_limp
    with show_progress("solving", not args.json) as progress:
        found = solve_preflop(stack, menu, limp=limp, target=target, progress=progress, **given)
    if found.solution.stopped:
        say(f"headsup preflop: stopped after {found.solution.iterations:,} iterations")
    return found


def _print(
    console: Any, solution: PreflopSolution, view: PreflopView, chosen: dict[str, Any] | None, saved: str | None
) -> None:
    from headsup.cli.console import make_facts, percentages, print_charts
    from headsup.jamfold.vector import CHIPS
    from headsup.preflop.solve import NOTE

    table = make_facts()
    table.add_row("game", f"{solution.solution.game}, {solution.game.betting.rules.stacks[0] / CHIPS:g} bb")
    table.add_row("value", f"{solution.value_sb:+.4f} bb/game for the small blind")
    table.add_row("exploitability", f"{solution.exploitability_mbb:.3f} mbb/g in this game, exact")
    table.add_row("note", NOTE)
    table.add_row("line", view.line or "none: the first decision")
    table.add_row("to act", f"{view.player}: {percentages(view.totals, view.totals.values())}")
    if saved:
        table.add_row("saved", saved)
    if chosen is not None:
        table.add_row("hand", chosen["hand"])
        for action in view.actions:
            ev = chosen["ev"][action]
            value = "-" if ev != ev else f"{ev:+.3f} bb"
            table.add_row("", f"{action} {chosen['frequencies'][action]:.1%}, expected value {value}")
    console.print(table)
    if chosen is None:
        print_charts(console, view.actions, view.frequencies)
