"""`headsup compare A B`: two solved spots side by side."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_json, refuse_with_json
from headsup.common.display import json_line

if TYPE_CHECKING:
    from headsup.spots.compare import Comparison

HELP = """Compare two solved spots: what was asked, values, and the lines that are played differently.

A and B are what `headsup spot --save` wrote. With --line, the decision there is compared hand by hand."""

LINES = 12
"""How many lines or hands are shown."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("first", metavar="A", help="a solved spot")
    parser.add_argument("second", metavar="B", help="another one")
    parser.add_argument("--line", metavar="L", help="compare one decision hand by hand: 'check, bet 94, call, 7c'")
    parser.add_argument("--most", type=int, default=LINES, metavar="N", help=f"show so many rows (default: {LINES})")
    add_json(parser, ", with all rows")


def run(args: argparse.Namespace) -> int:
    """Load, compare and print."""
    refuse_with_json(args, "most")
    from headsup.common.checks import whole
    from headsup.spots.compare import hands_apart
    from headsup.spots.solve import SpotSolution

    most = whole(args.most, "--most", least=1)
    first, second = (SpotSolution.load(path, regrets=False) for path in (args.first, args.second))
    found = first.compare(second)
    hands = None if args.line is None else hands_apart(first, second, args.line)
    if args.json:
        told = {"files": [args.first, args.second], **found.summary()}
        print(json_line(told if hands is None else {**told, "hands": hands}))
        return 0
    from headsup.cli.console import make_console

    console = make_console()
    console.print(_head(found))
    if hands is None:
        _print_lines(console, found, most)
    else:
        _print_hands(console, hands, most)
    return 0


def _head(found: Comparison) -> Any:
    from headsup.cli.console import make_facts

    table = make_facts()
    for i, reason in enumerate(found.reasons or ("nothing: the same spot, method and store",)):
        table.add_row("" if i else "different", reason)
    (a, b), (c, d) = found.values
    table.add_row("value", f"oop {a:z.3f} and {c:z.3f} ({found.difference:+z.3f}), ip {b:z.3f} and {d:z.3f} chips")
    if found.allowed is None:
        table.add_row("", "two games, locks or a rake: nothing says how near these must be")
    else:
        verdict = "within" if found.agrees else "MORE THAN"
        table.add_row("", f"{verdict} the {found.allowed:z.3f} chips that both exploitabilities allow")
    return table


def _share(value: float) -> str:
    return "-" if value != value else f"{value:.1%}"


def _print_lines(console: Any, found: Comparison, most: int) -> None:
    """A block of rows for each line: its actions in both."""
    from headsup.cli.console import make_table, print_table

    console.print()
    if not found.lines:
        console.print("every line that both have is played alike")
        return
    table = make_table("line", "action", "A", "B", "reach A", "reach B", "moved", words=2)
    for one in found.lines[:most]:
        for i, (action, first, second) in enumerate(zip(one.actions, one.first, one.second, strict=True)):
            head = f"{one.line or 'the first decision'} ({one.player})" if i == 0 else ""
            tail = (_share(one.reach[0]), _share(one.reach[1]), f"{one.moved:.2%}") if i == 0 else ("", "", "")
            table.add_row(head, action, _share(first), _share(second), *tail)
    print_table(console, table)
    if len(found.lines) > most:
        console.print(f"\n{len(found.lines) - most} more lines differ by less")


def _print_hands(console: Any, hands: list[dict[str, Any]], most: int) -> None:
    """A row a hand: how often each action is taken in both."""
    from headsup.cli.console import make_table, print_table

    actions = list(dict.fromkeys(action for one in hands for shares in one["frequencies"] for action in shares))
    table = make_table("hand", "weight", *(f"{action} {side}" for action in actions for side in "AB"), "moved")
    apart = [one for one in hands if one["moved"] > 0.0005]
    for one in apart[:most]:
        pairs = (_share(shares.get(action, float("nan"))) for action in actions for shares in one["frequencies"])
        table.add_row(one["hand"], f"{one['weight']:.2%}", *pairs, f"{one['moved']:.1%}")
    console.print()
    if not apart:
        console.print("every hand that both have there is played alike")
        return
    print_table(console, table)
    if len(apart) > most:
        console.print(f"\n{len(apart) - most} more hands differ by less")
