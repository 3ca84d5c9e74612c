"""`headsup compare A B`: two solved spots side by side."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_json, print_answer, refuse_with_json
from headsup.common.checks import whole

if TYPE_CHECKING:
    from headsup.spots.compare import Comparison

HELP = """Compare two solved spots: how the spots differ, their values, and the lines that are played differently.

A and B were written by `headsup spot --save`. --line compares one decision hand by hand."""

LINES = 12  # how many lines or hands are shown


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("first", metavar="A", help="a solved spot")
    parser.add_argument("second", metavar="B", help="another one")
    parser.add_argument("--line", metavar="L", help="compare one decision hand by hand: 'check, bet 94, call, 7c'")
    parser.add_argument("--most", type=int, default=LINES, metavar="N", help=f"rows to show (default: {LINES})")
    add_json(parser, ", with all rows")


def run(args: argparse.Namespace) -> int:
    refuse_with_json(args, "most")
    from headsup.spots.compare import hands_apart
    from headsup.spots.solve import SpotSolution

    most = whole(args.most, "--most", least=1)
    first, second = (SpotSolution.load(path, regrets=False) for path in (args.first, args.second))
    comparison = first.compare(second)
    hands = None if args.line is None else hands_apart(first, second, args.line)

    def answer() -> dict[str, Any]:
        more = {} if hands is None else {"hands": hands}
        return {"files": [args.first, args.second], **comparison.summary(), **more}

    def show(console: Any) -> None:
        console.print(_head(comparison))
        if hands is None:
            _print_lines(console, comparison, most)
        else:
            _print_hands(console, hands, most)

    return print_answer(args, answer, show)


def _head(comparison: Comparison) -> Any:
    from headsup.cli.console import make_facts

    table = make_facts()
    for i, reason in enumerate(comparison.reasons or ("nothing: the same spot, method and store",)):
        table.add_row("" if i else "different", reason)
    (a, b), (c, d) = comparison.values
    table.add_row("value", f"oop {a:z.3f} and {c:z.3f} ({comparison.difference:+z.3f}), ip {b:z.3f} and {d:z.3f} chips")
    if comparison.allowed is None:
        table.add_row("", "the games differ, or there are locks or rake: no bound on the difference")
    else:
        verdict = "within" if comparison.agrees else "MORE THAN"
        table.add_row("", f"{verdict} the {comparison.allowed:z.3f} chips that both exploitabilities allow")
    return table


def _percent(value: float) -> str:
    return "-" if value != value else f"{value:.1%}"


def _print_lines(console: Any, comparison: Comparison, most: int) -> None:
    from headsup.cli.console import make_table, print_table

    console.print()
    if not comparison.lines:
        console.print("no differences in the lines that both have")
        return
    table = make_table("line", "action", "A", "B", "reach A", "reach B", "moved", words=2)
    for line in comparison.lines[:most]:
        for i, (action, first, second) in enumerate(zip(line.actions, line.first, line.second, strict=True)):
            head = f"{line.line or 'the first decision'} ({line.player})" if i == 0 else ""
            tail = (_percent(line.reach[0]), _percent(line.reach[1]), f"{line.moved:.2%}") if i == 0 else ("", "", "")
            table.add_row(head, action, _percent(first), _percent(second), *tail)
    print_table(console, table)
    if len(comparison.lines) > most:
        console.print(f"\n{len(comparison.lines) - most} more lines differ by less")


def _print_hands(console: Any, hands: list[dict[str, Any]], most: int) -> None:
    from headsup.cli.console import make_table, print_table

    actions = list(dict.fromkeys(action for hand in hands for often in hand["frequencies"] for action in often))
    table = make_table("hand", "weight", *(f"{action} {side}" for action in actions for side in "AB"), "moved")
    apart = [hand for hand in hands if hand["moved"] > 0.0005]
    for hand in apart[:most]:
        pairs = (_percent(often.get(action, float("nan"))) for action in actions for often in hand["frequencies"])
        table.add_row(hand["hand"], f"{hand['weight']:.2%}", *pairs, f"{hand['moved']:.1%}")
    console.print()
    if not apart:
        console.print("no differences in the hands that both have")
        return
    print_table(console, table)
    if len(apart) > most:
        console.print(f"\n{len(apart) - most} more hands differ by less")
