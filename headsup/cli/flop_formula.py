"""`headsup flop-formula`: the few features of a flop that tell a hand's equity, with the error and what is proved."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headsup.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.distil.flops.formula import Formula

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
    size.add_argument("--error", metavar="E", help="the most percentage points of error, such as 2.5")
    parser.add_argument(
        "--objective", metavar="WHICH", default="average", help="which error counts: average (default) or max"
    )
    parser.add_argument("--round", metavar="P", help="weights in whole multiples of P points, such as 5")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="time limit (default 60)")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw estimated against true equity")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Find the formula and print it; 130 if Ctrl-C ended the search."""
    from headsup.distil.flops.formula import check_limits, one_hand

    error, step = percentage(args.error, "--error"), percentage(args.round, "--round")
    check_limits(args.features, error, args.objective, step, args.seconds)
    hands = [word for word in args.hand.replace(" ", "").split(",") if word]
    if not hands:
        raise UserError("a formula needs a hand: write for example  headsup flop-formula AKs RML")
    for hand in hands:
        one_hand(hand, args.range)  # a mistake is told before the kernels are loaded
    if args.svg is not None:
        if len(hands) > 1:
            raise UserError("--svg draws one hand: leave it out, or give one hand")
        _check_writable(args.svg)
    asked: dict[str, Any] = {"features": args.features, "error": error, "objective": args.objective, "step": step}
    with ctrl_c_noted() as stopped, progress_line() as watch:
        found = _find(hands, args.range, asked | {"seconds": args.seconds, "watch": watch})
    if args.svg is not None:
        from headsup.distil.flops.formula import picture

        args.svg.write_text(picture(found[0]), encoding="utf-8")
    if args.json:
        print(json.dumps(_as_dict(found)))
    else:
        from headsup.cli.console import make_console

        show(make_console(), found)
    return 130 if stopped else 0


def _find(hands: list[str], villain: str, asked: dict[str, Any]) -> list[Formula]:
    from headsup.distil.flops.formula import flop_formula

    if len(hands) == 1:
        return [flop_formula(hands[0], villain, **asked)]
    from headsup.distil.flops.formula import family_formulas

    return list(family_formulas(hands, villain, **asked))


def percentage(text: str | None, option: str) -> float | None:
    """A fraction from percentage points, `2.5` or `2.5%`; nothing from nothing."""
    if text is None:
        return None
    try:
        return float(text.strip().removesuffix("%")) / 100
    except ValueError:
        raise UserError(f"{option} got '{text}', which is not a number of points: write for example 2.5") from None


def _check_writable(path: Path) -> None:
    """See that the drawing has a place before time is spent on what it shows."""
    if path.is_dir() or not path.parent.is_dir():
        raise UserError(f"{path} cannot be written: give the name of a file in a folder that is there")


@contextmanager
def ctrl_c_noted() -> Iterator[list[bool]]:
    """A list that gets an entry when Ctrl-C comes; solvers end early on it and give what they have."""
    noted: list[bool] = []
    if threading.current_thread() is not threading.main_thread():
        yield noted
        return
    before = signal.getsignal(signal.SIGINT)

    def note(number: int, frame: Any) -> None:
        noted.append(True)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, note)
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def progress_line() -> Iterator[Callable[[str], None] | None]:
    """One line on standard error that is written over, when that is a terminal; it goes away at the end."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.status import Status

    from headsup.cli.console import make_console

    with Status("counting boards", console=make_console(stderr=True)) as status:
        yield lambda text: status.update(text)


def _as_dict(found: list[Formula]) -> dict[str, Any]:
    from headsup.distil.flops.held_out import held_out

    one = [formula.as_dict() | {"held_out": held_out(formula).as_dict()} for formula in found]
    if len(found) == 1:
        return one[0]
    shared = ("range", "objective", "bound", "bound_of", "proved", "seconds", "nodes", "how", "step")
    return {"hands": [formula.hand for formula in found]} | {name: one[0][name] for name in shared} | {"formulas": one}


def show(console: Console, found: list[Formula]) -> None:
    """The formulas for people."""
    from headsup.distil.flops.formula import points
    from headsup.distil.flops.held_out import held_out

    for formula in found:
        count = f"{len(formula.terms)} feature{'s' * (len(formula.terms) != 1)}"
        title = f"{formula.hand} against {formula.villain}, {count}"
        console.print(title, style="bold", markup=False, soft_wrap=True)
        console.print(formula.sentence(), markup=False)
        within = ", ".join(
            f"{level} within {points(error)}" for level, error in formula.quantiles.items() if level != "worst"
        )
        console.print(
            f"Error in points: {100 * formula.average_error:.2f} on average; {within}; "
            f"worst {points(formula.max_error)}."
        )
        worst = ", ".join(f"{one.flop} {one.equity:.1%} (estimate {one.estimate:.1%})" for one in formula.worst)
        console.print(f"Worst flops{_as_cards(formula)}: {worst}.", markup=False)
        held = held_out(formula)
        console.print(
            f"Weights fitted to four fifths of the flops: {100 * held.average_error:.2f} on average on the other fifth."
        )
    console.print(verdict(found), style="green" if found[0].proved else "yellow")


def _as_cards(formula: Formula) -> str:
    cards = formula.problem.hand
    return "" if cards == formula.hand else f" (as {cards})"


def verdict(found: list[Formula]) -> str:
    """One sentence: what is proved, on which flops, and the time it took."""
    one = found[0]
    flops = f"Exact equities on {one.flops:,} flops"
    flops += f" ({one.problem.left_out:,} leave the range no hand)" if one.problem.left_out else ""
    spent = f"{one.seconds:.1f} s"
    if one.bound_of == "number of features":
        bound = f"{one.bound:.0f} feature{'s' * (one.bound != 1)}"
        proof = "no fewer features will do" if one.proved else f"{bound} may do, no fewer will"
    else:
        best = f"no {len(one.terms)} of the 73 features have a smaller {one.bound_of}"
        proof = best if one.proved else f"whether {100 * one.bound:.2f} points can be reached is open, less cannot"
    return f"{flops}. {'Proved' if one.proved else 'Not proved'}: {proof} ({spent})."
