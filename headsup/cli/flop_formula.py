"""`headsup flop-formula`: the few features of a flop that tell a hand's equity, with the error and what is proved."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_json, percentage, print_answer
from headsup.common.errors import UserError
from headsup.common.progress import Progress, Watch, on_compile
from headsup.common.stop import until_stopped

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.distil.formulas.families import Family
    from headsup.distil.formulas.formula import Formula

LINES = 7
"""So many features to add are told in a line each, fewer in one sentence."""

HELP = """A few yes/no features of the flop, with weights, whose sum tells a hold'em hand's equity against a range.

Give a number of features (default 5) to make the error small, or an error in percentage points to use few features.
HAND is a class such as AKs, two cards such as AsKs, or several with commas between, which then share their features.
Stop it with Ctrl-C at any moment: it prints the best formula so far, and the bound that it had proved."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("hand", metavar="HAND", help="AKs, AsKs, or several hands such as AA,KK,QQ")
    parser.add_argument("range", metavar="RANGE", help="the opponent's range, such as RML, 15%% or 'TT+,AKs:0.5'")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--features", type=int, metavar="N", help="the most features (default 5)")
    few = "the most points of error, such as 2.5; for several hands, on their mean"
    size.add_argument("--error", type=percentage, metavar="E", help=few)
    parser.add_argument(
        "--objective", metavar="WHICH", default="average", help="which error counts: average (default) or max"
    )
    parser.add_argument(
        "--round", type=percentage, metavar="P", help="weights in whole multiples of P points, such as 5"
    )
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="time limit (default 60)")
    parser.add_argument(
        "--plot", old="--svg", dest="svg", type=Path, metavar="FILE", help="draw estimated against true equity"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Find the formula and print it; 130 if Ctrl-C ended the search."""
    from headsup.common.files import writable
    from headsup.distil.formulas.formula import check_limits, one_hand

    check_limits(args.features, args.error, args.objective, args.round, args.seconds)
    hands = [word for word in args.hand.replace(" ", "").split(",") if word]
    if not hands:
        raise UserError("a formula needs a hand: write for example  headsup flop-formula AKs RML")
    for hand in hands:
        one_hand(hand, args.range)  # a mistake is told before the kernels are loaded
    if args.svg is not None:
        if len(hands) > 1:
            raise UserError("--plot draws one hand: leave it out, or give one hand")
        writable(args.svg)
    asked: dict[str, Any] = {name: getattr(args, name) for name in ("features", "error", "objective", "seconds")}
    answer = _family if len(hands) > 1 else _single
    return 130 if answer(args, hands, asked | {"step": args.round}) else 0


def _single(args: argparse.Namespace, hands: list[str], asked: dict[str, Any]) -> bool:
    """Answer for one hand; whether Ctrl-C ended the search."""
    from headsup.common.files import write_text
    from headsup.distil.formulas.formula import flop_formula, picture
    from headsup.distil.formulas.held_out import held_out

    with until_stopped() as stop, progress_line() as watch:
        formula = flop_formula(hands[0], args.range, **asked, watch=watch)

    def told() -> dict[str, Any]:
        return formula.as_dict() | {"held_out": held_out(formula).as_dict()}

    try:
        if args.svg is not None:
            write_text(args.svg, picture(formula))
    finally:  # what was searched for long is not lost with a full disk
        print_answer(args, told, lambda console: show(console, formula))
    return stop.asked()


def _family(args: argparse.Namespace, hands: list[str], asked: dict[str, Any]) -> bool:
    """Answer for several hands; whether Ctrl-C ended the search."""
    from headsup.distil.formulas.families import family_formulas

    with until_stopped() as stop, progress_line() as watch:
        family = family_formulas(hands, args.range, **asked, watch=watch)
    print_answer(args, family.as_dict, lambda console: show_family(console, family))
    return stop.asked()


@contextmanager
def progress_line() -> Iterator[Watch | None]:
    """A line on how the search stands, which also says when it only waits for the compiler."""
    from headsup.cli.progress import show_progress

    with show_progress("flop formula") as watch:
        if watch is None:
            yield None
            return
        with on_compile(lambda busy: watch(Progress(text="compiling, once" if busy else ""))):
            yield watch


def show(console: Console, formula: Formula) -> None:
    """One formula for people."""
    from headsup.distil.formulas.formula import points
    from headsup.distil.formulas.held_out import held_out

    _show_formula(console, formula)
    held = held_out(formula)
    unseen = f"{100 * held.average_error:.2f} on average"
    if formula.objective == "max":
        unseen = f"{points(held.max_error)} at worst"
    console.print(f"Weights fitted to four fifths of the flops: {unseen} on the other fifth.")
    _verdict(console, (formula,), formula.proved, formula.bound, len(formula.terms))
    console.print(f"{formula.seconds:.1f} s: {formula.outcome.how}.", style="dim")


def show_family(console: Console, family: Family) -> None:
    """The formulas of several hands for people."""
    for formula in family.formulas:
        _show_formula(console, formula)
    found, first = family.outcome, family.formulas[0]
    error = max(one.max_error for one in family.formulas)
    if first.objective == "average":
        error = sum(one.average_error for one in family.formulas) / len(family.formulas)
    which = f"{'on average' if first.objective == 'average' else 'at most'} over the {len(family.formulas)} hands"
    console.print(f"The same {_count(len(family.features))} for all: {100 * error:.2f} points {which}.")
    _verdict(console, family.formulas, found.proved, found.bound, len(family.features))
    console.print(f"{found.seconds:.1f} s: {found.how}.", style="dim")


def _show_formula(console: Console, formula: Formula) -> None:
    from headsup.distil.formulas.formula import points

    base, terms = formula.spoken()
    start = "" if base is None else ", one of them the start" if terms else ", the start"
    title = f"{formula.hand} against {formula.villain}, {_count(len(formula.terms))}{start}"
    console.print(title, style="bold")
    if len(terms) < LINES:
        console.print(formula.sentence())
    else:
        console.print("Add up:" if base is None else f"Start with {points(base)} %, and add:")
        for term in terms:
            console.print(f"{points(term.weight, sign=True):>6}  {term.text}")
    if formula.outside:
        cut = f"{formula.outside:,} flop{'s have' if formula.outside > 1 else ' has'} such a sum"
        console.print(f"Read a sum above 100 % as 100, one below 0 % as 0: {cut}; the errors are so read.")
    levels = [(level, error) for level, error in formula.quantiles.items() if level != "worst"]
    within = ", ".join(f"{level} within {points(error)}" for level, error in levels)
    average = f"{100 * formula.average_error:.2f} on average"
    console.print(f"Error in points: {average}; {within}; worst {points(formula.max_error)}.")
    worst = ", ".join(f"{one.flop} {one.equity:.1%} (estimate {one.estimate:.1%})" for one in formula.worst)
    cards = formula.problem.hand
    console.print(f"Worst flops{'' if cards == formula.hand else f' (as {cards})'}: {worst}.")


def _count(features: int) -> str:
    return f"{features} feature{'s' * (features != 1)}"


def _verdict(console: Console, formulas: Sequence[Formula], proved: bool, bound: float, features: int) -> None:
    """What is proved, and on which flops."""
    one = formulas[0]
    flops = f"Exact equities on {one.flops:,} flops"
    flops += f" ({one.problem.left_out:,} leave the range no hand)" if one.problem.left_out else ""
    if one.bound_of == "number of features":
        proof = "no fewer features will do" if proved else f"{_count(round(bound))} may do, no fewer will"
    elif proved:
        others = f"{features} of the 73 features have" if features > 1 else "other of the 73 features has"
        proof = f"no {others} a smaller {one.bound_of}"
    else:
        proof = f"whether {100 * bound:.2f} points can be reached is open, less cannot"
    if any(formula.outside for formula in formulas):
        proof += ", of sums as they are" + (f" ({100 * one.sum_error:.2f} points here)" if len(formulas) == 1 else "")
    text = f"{flops}. {'Proved' if proved else 'Not proved'}: {proof}."
    console.print(text, style="green" if proved else "yellow")
