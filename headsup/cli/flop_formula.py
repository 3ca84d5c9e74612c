"""`headsup flop-formula`: a few features of the flop that estimate a hand's equity, with the error and a proof."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_json, percentage, print_answer, show_progress, trouble_in
from headsup.common.errors import UserError
from headsup.common.progress import Progress, Watch, on_compile
from headsup.common.stop import until_stopped

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.distil.formulas.families import Family
    from headsup.distil.formulas.formula import Formula

LINES = 7  # from this many features on, one line each instead of one sentence

HELP = """Print a formula that estimates a hold'em hand's equity against a range from a few yes/no features of the flop.

Give the number of features (default 5) to minimise the error, or an error in percentage points to minimise the number
of features. HAND is a class such as AKs, two cards such as AsKs, or a list with commas, which shares its features.
Formulas that ship are printed at once, with their proofs; --solve searches again. Ctrl-C stops the search and prints
the best formula so far with the bound proved for it."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("hand", metavar="HAND", help="AKs, AsKs, or several hands such as AA,KK,QQ")
    parser.add_argument("range", metavar="RANGE", help="the opponent's range, such as RML, 15%% or 'TT+,AKs:0.5'")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--features", type=int, metavar="N", help="maximum number of features (default 5)")
    few = "maximum error in percentage points, such as 2.5; for several hands, their mean error"
    size.add_argument("--error", type=percentage, metavar="E", help=few)
    objective = "the error to minimise: average (default) or max"
    parser.add_argument("--objective", metavar="WHICH", default="average", help=objective)
    parser.add_argument("--round", type=percentage, metavar="P", help="weights as multiples of P points, such as 5")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="time limit (default 60)")
    parser.add_argument("--solve", action="store_true", help="search again, even if the formula ships with headsup")
    plot = "plot estimated against true equity"
    parser.add_argument("--plot", old="--svg", dest="svg", type=Path, metavar="FILE", help=plot)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from headsup.common.files import writable
    from headsup.distil.formulas.formula import check_limits, one_hand

    check_limits(args.features, args.error, args.objective, args.round, args.seconds)
    hands = [word for word in args.hand.replace(" ", "").split(",") if word]
    if not hands:
        raise UserError("a formula needs a hand: write for example  headsup flop-formula AKs RML")
    for hand in hands:
        one_hand(hand, args.range)  # errors come before the kernels are loaded
    if args.svg is not None:
        if len(hands) > 1:
            raise UserError("--plot is for one hand: leave it out, or give one hand")
        writable(args.svg)
    asked: dict[str, Any] = {name: getattr(args, name) for name in ("features", "error", "objective", "seconds")}
    answer = _family if len(hands) > 1 else _single
    return answer(args, hands, asked | {"step": args.round})


def _single(args: argparse.Namespace, hands: list[str], asked: dict[str, Any]) -> int:
    from headsup.common.files import write_text
    from headsup.distil.formulas.formula import flop_formula, picture
    from headsup.distil.formulas.held_out import held_out

    with until_stopped() as stop, progress_line() as watch:
        formula = flop_formula(hands[0], args.range, **asked, fresh=args.solve, watch=watch)

    def as_json() -> dict[str, Any]:
        return formula.as_dict() | {"held_out": held_out(formula).as_dict()}

    trouble = None if args.svg is None else trouble_in(lambda: write_text(args.svg, picture(formula)))
    return print_answer(args, as_json, lambda console: show(console, formula), trouble, stop.asked())


def _family(args: argparse.Namespace, hands: list[str], asked: dict[str, Any]) -> int:
    from headsup.distil.formulas.families import family_formulas

    with until_stopped() as stop, progress_line() as watch:
        family = family_formulas(hands, args.range, **asked, watch=watch)
    return print_answer(args, family.as_dict, lambda to: show_family(to, family), stopped=stop.asked())


@contextmanager
def progress_line() -> Iterator[Watch | None]:
    """Progress of the search; also reports when it waits for the compiler."""
    with show_progress("flop formula") as watch:
        if watch is None:
            yield None
            return
        with on_compile(lambda busy: watch(Progress(text="compiling, once" if busy else ""))):
            yield watch


def show(console: Console, formula: Formula) -> None:
    from headsup.distil.formulas.formula import points
    from headsup.distil.formulas.held_out import held_out

    _show_formula(console, formula)
    held = held_out(formula)
    unseen = f"{100 * held.average_error:.2f} points on average"
    if formula.objective == "max":
        unseen = f"{points(held.max_error)} points at most"
    console.print(f"Error on a held-out fifth of the flops: {unseen}.")
    _verdict(console, (formula,), formula.proved, formula.bound, len(formula.terms))
    made = f"{formula.seconds:.1f} s: {formula.outcome.how}."
    if formula.shipped:
        made = f"Ships with headsup (searched for {formula.seconds:,.1f} s of one core); --solve searches again."
    console.print(made, style="dim")


def show_family(console: Console, family: Family) -> None:
    for formula in family.formulas:
        _show_formula(console, formula)
    outcome, first = family.outcome, family.formulas[0]
    error = max(formula.max_error for formula in family.formulas)
    if first.objective == "average":
        error = sum(formula.average_error for formula in family.formulas) / len(family.formulas)
    which = f"{'on average' if first.objective == 'average' else 'at most'} over the {len(family.formulas)} hands"
    console.print(f"The same {_count(len(family.features))} for all: {100 * error:.2f} points {which}.")
    _verdict(console, family.formulas, outcome.proved, outcome.bound, len(family.features))
    console.print(f"{outcome.seconds:.1f} s: {outcome.how}.", style="dim")


def _show_formula(console: Console, formula: Formula) -> None:
    from headsup.distil.formulas.formula import points

    base, terms = formula.spoken()
    start = "" if base is None else ", including the constant" if terms else ", the constant"
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
        console.print(f"Sums above 100 % count as 100, sums below 0 % as 0, also in the errors: {cut}.")
    levels = [(level, error) for level, error in formula.quantiles.items() if level != "worst"]
    within = ", ".join(f"{level} within {points(error)}" for level, error in levels)
    average = f"{100 * formula.average_error:.2f} on average"
    console.print(f"Error in points: {average}; {within}; worst {points(formula.max_error)}.")
    worst = ", ".join(f"{flop.flop} {flop.equity:.1%} (estimate {flop.estimate:.1%})" for flop in formula.worst)
    cards = formula.problem.hand
    console.print(f"Worst flops{'' if cards == formula.hand else f' (as {cards})'}: {worst}.")


def _count(features: int) -> str:
    return f"{features} feature{'s' * (features != 1)}"


def _verdict(console: Console, formulas: Sequence[Formula], proved: bool, bound: float, features: int) -> None:
    first = formulas[0]
    flops = f"Exact equities on {first.flops:,} flops"
    flops += f" ({first.problem.left_out:,} leave no hand in the range)" if first.problem.left_out else ""
    if first.bound_of == "number of features":
        proof = "fewer features are not enough" if proved else f"the lower bound is {_count(round(bound))}"
    elif proved:
        others = f"{features} of the 73 features have" if features > 1 else "other of the 73 features has"
        proof = f"no {others} a smaller {first.bound_of}"
    else:
        proof = f"the lower bound is {100 * bound:.2f} points"
    if any(formula.outside for formula in formulas):
        here = f" ({100 * first.sum_error:.2f} points here)" if len(formulas) == 1 else ""
        proof += f", for sums that are not cut off at 0 and 100 %{here}"
    text = f"{flops}. {'Proved' if proved else 'Not proved'}: {proof}."
    console.print(text, style="green" if proved else "yellow")
