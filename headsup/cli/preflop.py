"""`headsup preflop`: hold'em before the flop, from shipped equilibria with play after it, or solved again."""

from __future__ import annotations

import argparse
import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from headsup.cli.options import (
    add_device,
    add_json,
    add_limits,
    add_method,
    print_answer,
    refuse,
    refuse_all_but,
    refuse_with_json,
    say,
    show_progress,
    trouble_in,
)
from headsup.common.checks import whole
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from headsup.games.betting.bettingtree import BettingTree
    from headsup.preflop.chart import PreflopChart, Setting
    from headsup.preflop.solve import PreflopSolution

HELP = """Show what to do before the flop, heads-up, at 4 to 30 big blinds.

The answer comes from a shipped equilibrium that includes play on the flop, turn and river. Seven stacks from 5 to 25
ship; other stacks get the answer for the nearest one. --solve solves your own game, with your bet sizes, on a weighted
subset of flops. This takes minutes and gigabytes of memory; the command prints how much of both before it starts.
--checked-down is a quick approximation without betting on the flop, turn and river. Without --solve, options that
change the game, such as --bets and --ante, imply --checked-down. Stacks and amounts are in big blinds."""

AFTER = ("flops", "flop", "turn", "river", "device", "threads")
"""Options of the streets after the flop."""
OWN = ("bets", "raises", "no_limp", "small_blind", "ante", "checked_down")
"""Options of a game that does not ship: it is solved."""
MENUS = ("bets", "raises", "flop", "turn", "river")
"""Options that are menus."""
RUN = ("target", "iterations", "seconds", "method")
"""Options of solving alone."""
CHECKED_DOWN = "checked-down"
HANDS = 12
WORTH_SAYING = 0.02
"""In big blinds: if a mix earns so much less than the best action, the answer says so."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="show this saved solution instead of a shipped one")
    parser.add_argument("--stack", metavar="S", help="stack of each player, before the blinds are posted: 15 or 15bb")
    parser.add_argument("--bets", metavar="SIZES", help="sizes of the first raise (default: '2.5x, a'; a is all-in)")
    parser.add_argument("--raises", metavar="SIZES", help="sizes of the second raise, the third and so on, separated by semicolons: '3x; a' (default: a)")  # noqa: E501  # fmt: skip
    parser.add_argument(
        "--checked-down", action="store_true", help="solve your own game, without betting on the flop, turn and river"
    )
    parser.add_argument(
        "--solve", action="store_true", help="solve your own game, with betting on the flop, turn and river"
    )
    parser.add_argument("--flops", type=int, metavar="N", help="with --solve: number of flops in the subset: 9, 25, 49, 95 or 184 (default: 25)")  # noqa: E501  # fmt: skip
    for street in ("flop", "turn", "river"):
        parser.add_argument(f"--{street}", metavar="MENU", help=f"with --solve: bet sizes and raise sizes on the {street}, separated by a semicolon (default: '75%%, a; a')")  # noqa: E501  # fmt: skip
    add_device(parser, "with --solve: the device to solve on")
    parser.add_argument(
        "--threads", type=int, metavar="N", help="with --solve: number of threads (default: one per core)"
    )
    parser.add_argument("--no-limp", action="store_true", help="the small blind may not limp")
    parser.add_argument(
        "--small-blind", type=float, default=0.5, metavar="B", help="size of the small blind (default: 0.5)"
    )
    parser.add_argument("--ante", type=float, default=0.0, metavar="A", help="ante of each player")
    add_limits(parser, ", in mbb/g (default: 0.05, or 5 with --solve)")
    from headsup.solve.records.settings import PRESETS

    add_method(parser, ("lp", *PRESETS), "dcfr", when="with --checked-down: ")
    parser.add_argument(
        "--line", default="", metavar="L", help="show the decision after these actions: 'raise 2, all-in'"
    )
    parser.add_argument("--hand", metavar="H", help="one hand class to show: A9s")
    parser.add_argument("--compare", metavar="WITH", help="compare the decision hand by hand with another solution: the word checked-down, or a saved FILE")  # noqa: E501  # fmt: skip
    parser.add_argument("--most", type=int, metavar="N", help=f"with --compare: number of hands to list (default: {HANDS})")  # noqa: E501  # fmt: skip
    parser.add_argument("--save", metavar="FILE", help="save the solution")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from headsup.common.files import writable_apart
    from headsup.preflop.chart import answer_dict, load_preflop

    if args.compare is None:
        refuse(args, ["most"], "is for a comparison: add --compare checked-down")
    else:
        refuse(args, ["hand", "save", "checked_down"], "does not go with --compare: leave one of them out")
        refuse_with_json(args, "most")
    if args.file is not None:
        looks = ("file", "line", "hand", "compare", "most", "save", "json")
        refuse_all_but(args, looks, "is for solving, and FILE is already solved: leave one of them out")
    writable_apart(("--save", args.save), keep=args.file)
    stack = None if args.file is not None else _stack(args)
    solution = _solved(args, stack) if stack is not None else load_preflop(args.file)
    trouble = trouble_in(lambda: solution.save(args.save)) if args.save else None
    if args.compare is not None:
        return _compared(args, solution, stack)
    answer = answer_dict(solution, args.line, args.hand, stack)
    return print_answer(
        args, lambda: answer, lambda console: _print(console, solution, answer, None if trouble else args.save), trouble
    )


def _compared(args: argparse.Namespace, solution: PreflopSolution | PreflopChart, stack: float | None) -> int:
    """Print how a decision differs from that of another answer."""
    from headsup.cli.console import make_facts, make_table, percentages, print_table
    from headsup.preflop.chart import PreflopChart, load_preflop
    from headsup.preflop.compare import compare_checked_down, compare_solutions

    most = HANDS if args.most is None else whole(args.most, "--most", least=1)
    if args.compare != CHECKED_DOWN:
        comparison = compare_solutions(solution, load_preflop(args.compare), args.line)
    elif isinstance(solution, PreflopChart):
        comparison = compare_checked_down(solution, args.line)
    else:
        raise UserError(f"--compare {CHECKED_DOWN}: this solution is checked down itself: name one with play after it")
    summary, view = comparison.summary(), comparison.view.as_dict()
    decision = {key: view[key] for key in ("line", "player", "reached", "loss_mbb", "caution")}

    def show(console: Any) -> None:
        facts = make_facts()
        _add_figures(facts, solution, comparison.view.line)
        totals, others = summary["totals"], summary["other_totals"]
        facts.add_row("to act", f"{comparison.view.player}: {percentages(totals, totals.values())}")
        _add_reached(facts, decision)
        facts.add_row(args.compare, percentages(others, others.values()))
        facts.add_row("change", f"{summary['change']:.1%} of the hands that come here act differently")
        facts.add_row("cost", f"{summary['cost_mbb']:.1f} mbb for a hand that comes here, by the values of this chart")
        console.print(facts)
        console.print()
        table = make_table("hand", "here", args.compare, "change", "cost", words=3)
        for hand in comparison.hands(most):
            here, there = (_mix(hand["actions"], key) for key in ("frequency", "other_frequency"))
            table.add_row(hand["hand"], here, there, f"{hand['change']:.0%}", f"{hand['cost_bb']:.3f} bb")
        print_table(console, table)

    facts = {**solution.summary(), **decision}
    facts |= {"compared_with": args.compare, **summary, **({} if stack is None else {"asked_stack": stack})}
    return print_answer(args, lambda: {**facts, "actions": comparison.view.table(), "hands": comparison.hands()}, show)


def _mix(actions: list[dict[str, Any]], key: str) -> str:
    """The actions that a hand takes, the most frequent first."""
    taken = sorted((action for action in actions if action[key] >= 0.005), key=lambda action: -action[key])
    return ", ".join(f"{action['name']} {action[key]:.0%}" for action in taken)


def _stack(args: argparse.Namespace) -> float:
    if args.stack is None:
        raise UserError("--stack is missing: write --stack 15, or name a file with a solution")
    match = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*(?:bb)?\s*", args.stack.lower(), re.ASCII)
    if not match:
        raise UserError(f"--stack '{args.stack}' is not a stack: write big blinds, as 15 or 15bb")
    return float(match[1])


def _nearest(stack: float) -> Setting | None:
    """The game of the shipped chart that answers for a stack."""
    from headsup.preflop.shipped import LEAST, MOST, shipped_preflop

    return shipped_preflop(stack).setting if LEAST <= stack <= MOST else None


def _ships(args: argparse.Namespace, stack: float, menu: str | None) -> bool:
    """Whether the options ask for what the nearest chart has, however its menu is written."""
    from headsup.preflop.compare import same_betting

    there = None if args.checked_down else _nearest(stack)
    if there is None or there.limp == args.no_limp or (there.small_blind, there.ante) != (args.small_blind, args.ante):
        return False
    known = replace(there, stack=stack)
    return menu is None or same_betting(known.betting, replace(known, menu=menu).betting)


def _solved(args: argparse.Namespace, stack: float) -> PreflopSolution | PreflopChart:
    menu = None
    if args.bets is not None or args.raises is not None:
        menu = "; ".join(("2.5x, a" if args.bets is None else args.bets, "a" if args.raises is None else args.raises))
    limp = not args.no_limp
    if not args.solve:
        refuse(args, [name for name in AFTER if name in args.given], "is for play after the flop: add --solve")
    for name in MENUS:
        _check_menu(name, getattr(args, name))
    if args.bets is not None:
        _check_raises(args.bets, stack, args.ante)
    if args.solve:
        refuse(args, [name for name in ("checked_down", "method") if name in args.given], "does not go with --solve")
        return _with_flops(args, stack, menu, limp)
    own = [name for name in OWN if name in args.given]
    if not own or _ships(args, stack, menu):
        refuse(args, RUN, "is for solving: add --solve or --checked-down")
        return _shipped(stack)
    from headsup.preflop.game import MENU, preflop_betting
    from headsup.preflop.solve import TARGET, solve_preflop

    betting = preflop_betting(stack, args.small_blind, args.ante, limp, MENU if menu is None else menu)
    _check_question(args, betting, flop=False)
    if "checked_down" not in own:
        option, there = args.given[own[0]], _nearest(stack)
        has = ""
        if there is not None and own[0] in ("bets", "raises"):
            first, _, more = there.menu.partition("; ")
            has = f" (the one for {there.stack:g} bb has --bets '{first}' --raises '{more}')"
        say(
            f"headsup preflop: no chart ships with {option}{has}; pots are checked down, --solve adds play after the "
            "flop"
        )
    names = ("iterations", "seconds", "method", "small_blind", "ante")
    given = {name: getattr(args, name) for name in names}
    with show_progress("solving", not args.json) as progress:
        solution = solve_preflop(stack, menu, limp=limp, target=_target(args, TARGET), progress=progress, **given)
    if solution.solution.stopped:
        say(f"headsup preflop: stopped after {solution.solution.iterations:,} iterations")
    return solution


def _check_menu(name: str, text: str | None) -> None:
    """Refuse a menu that cannot be read, by the name of its option."""
    from headsup.games.betting.menu import parse_menu

    if text is not None:
        if not text.strip():
            raise UserError(f"--{name} is empty: write sizes such as 75%, a, or none")
        try:
            parse_menu(text)
        except UserError as error:
            raise UserError(f"--{name}: {error}") from None


def _check_question(args: argparse.Namespace, betting: BettingTree, flop: bool) -> None:
    """Refuse a line or a hand that a solution, with or without a `flop`, could not answer, before it is solved."""
    from headsup.cards.classes import parse_holdem_class
    from headsup.preflop.chart import check_no_hand
    from headsup.preflop.view import node_after, sees_flop

    if args.hand is not None:
        parse_holdem_class(args.hand)
    if flop and sees_flop(betting, args.line):
        check_no_hand(args.line, args.hand)
    else:
        node_after(betting, args.line)


def _check_raises(bets: str, stack: float, ante: float) -> None:
    """Refuse first raises that the rules would change: below two big blinds, or above the stack."""
    from headsup.games.betting.menu import parse_menu

    most = stack - ante
    for clause in parse_menu(bets.partition(";")[0]).clauses:
        for size in clause.lists[0]:
            if size.unit == "c":
                raise UserError(f"--bets {size.text} counts chips, and stacks here are in big blinds: write 2x or 50%")
            if size.unit not in ("x", "%"):
                continue
            to = size.value if size.unit == "x" else 1.0 + 2.0 * (1.0 + ante) * size.value
            if to > most:
                raise UserError(
                    f"--bets {size.text} is more than the stack, {most:g} bb after the ante: write a for all-in"
                )
            if to < min(2.0, most):
                raise UserError(f"--bets {size.text} is too small, a raise is to 2 bb or more: write 2x")


def _shipped(stack: float) -> PreflopChart:
    from headsup.preflop.shipped import shipped_preflop

    try:
        chart = shipped_preflop(stack)
    except UserError as error:
        raise UserError(f"{error}, or add --solve or --checked-down") from None
    if chart.stack != stack:
        say(f"headsup preflop: no equilibrium ships for {stack:g} bb; this is the nearest, for {chart.stack:g} bb")
    return chart


def _target(args: argparse.Namespace, usual: float) -> float | None:
    """The target of a run; the usual one if nothing else limits it."""
    limited = args.iterations is not None or args.seconds is not None
    return usual if args.target is None and not limited else args.target


def _with_flops(args: argparse.Namespace, stack: float, menu: str | None, limp: bool) -> PreflopChart:
    from headsup.preflop.chart import STREETS, Setting
    from headsup.preflop.flops import FLOPS, TARGET, solve_flops

    menus = {street: getattr(args, street) for street in STREETS if getattr(args, street) is not None}
    if menu is not None:
        menus["menu"] = menu
    setting = Setting(stack, **menus, limp=limp, small_blind=args.small_blind, ante=args.ante)
    _check_question(args, setting.betting, flop=True)
    flops = FLOPS if args.flops is None else args.flops
    with show_progress("solving", not args.json) as progress:
        chart = solve_flops(
            setting, flops=flops, target=_target(args, TARGET), iterations=args.iterations, seconds=args.seconds,
            device=args.device, threads=args.threads, progress=progress,
            announce=lambda need: say(f"headsup preflop: needs {need}"),
        )  # fmt: skip
    if chart.stopped:
        say(f"headsup preflop: stopped after {chart.about['iterations']:,} iterations")
    return chart


def _print(console: Any, solution: PreflopSolution | PreflopChart, answer: dict[str, Any], saved: str | None) -> None:
    from headsup.cli.console import make_facts, percentages, print_charts

    table = make_facts()
    _add_figures(table, solution, answer["line"])
    if "ranges" in answer:
        pot, behind = answer["pot_bb"], answer["behind_bb"]
        table.add_row("pot", f"{pot:g} bb, {behind:g} bb behind")
        if behind > 0.0:
            table.add_row("as a spot", f"--pot {100 * pot:g} --stack {100 * behind:g}: 100 chips are a big blind")
        for seat, text in answer["ranges"].items():
            table.add_row(f"range of {seat}", text)
    else:
        table.add_row("to act", f"{answer['player']}: {percentages(answer['totals'], answer['totals'].values())}")
    _add_reached(table, answer)
    if saved:
        table.add_row("saved", saved)
    if "hand" in answer:
        never = ": this hand never gets here" if answer["hand"]["never"] else ""
        table.add_row("hand", f"{answer['hand']['hand']}{never}")
        for action in answer["actions"]:
            ev = action["ev_bb"]
            value = "-" if ev != ev else f"{ev:+.3f} bb"
            table.add_row("", f"{action['name']} {action['frequency']:.1%}, expected value {value}")
        hand = answer["hand"]
        if hand["best"] is not None and hand["loss_bb"] > WORTH_SAYING and not hand["never"]:
            table.add_row("", f"by these values {hand['best']} earns {hand['loss_bb']:.3f} bb more than this mix")
    console.print(table)
    if answer["actions"] and "hand" not in answer:
        view = solution.at(answer["line"])
        print_charts(console, view.actions, view.frequencies)


def _add_reached(table: Any, decision: dict[str, Any]) -> None:
    """How many deals come here, and why the decision is less reliable if it is."""
    table.add_row("reached", f"by {decision['reached']:.2%} of deals")
    if decision["caution"]:
        table.add_row("caution", decision["caution"])


def _add_figures(table: Any, solution: PreflopSolution | PreflopChart, line: str) -> None:
    table.add_row("game", f"preflop, {solution.stack:g} bb")
    table.add_row("menu", solution.menu)
    if math.isfinite(solution.value_sb):
        table.add_row("value", f"{solution.value_sb:+.4f} bb/game for the small blind")
    table.add_row("exploitability", solution.exploitability_text)
    table.add_row("note", solution.note)
    table.add_row("line", line or "none: the first decision")
