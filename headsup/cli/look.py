"""`headsup look FILE`: what a solved spot does at one decision, hand by hand."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from headsup.solve.view import View

HELP = """Look into a solved spot: frequencies, expected values and equities of every hand at any decision.

FILE is what `headsup spot --save` wrote. --line says how the betting went and which cards came, such as
'check, bet 94, call, 7c'; without it the first decision is shown."""

LEAST = 0.001
"""Hands with less weight are left out of the list; an action that no class of hands takes as often has no chart."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("file", metavar="FILE", help="a solved spot")
    parser.add_argument("--line", default="", metavar="L", help="actions and cards from the root: 'check, bet 94, call, 7c'")  # noqa: E501  # fmt: skip
    parser.add_argument("--hand", metavar="H", help="one hand or some: AhKh, AKs, or any range text")
    parser.add_argument("--list", action="store_true", help="a list of hands instead of the chart")
    parser.add_argument("--json", action="store_true", help="print one JSON object, with every hand")


def run(args: argparse.Namespace) -> int:
    """Load, look and print."""
    from headsup.solve.spot import SpotSolution

    view = SpotSolution.load(args.file, regrets=False).at(args.line)
    chosen = view.hand(args.hand) if args.hand is not None else None
    if args.json:
        print(json.dumps({"file": args.file, **view.as_dict(), **({"hand": chosen} if chosen else {})}))
        return 0
    from headsup.cli.console import make_console

    console = make_console()
    console.print(_head(view))
    if chosen is not None:
        console.print(_hand(view, chosen))
    elif args.list:
        _print_list(console, view)
    else:
        _print_charts(console, view)
    return 0


def _head(view: View) -> Any:
    """Where this is, and the range as a whole."""
    from headsup.cli.console import make_facts

    totals = view.totals
    table = make_facts()
    table.add_row("board", f"{view.board}, pot {view.pot:,}")
    table.add_row("line", view.line or "none: the first decision")
    table.add_row("to act", f"{view.player} with {totals['combos']:.1f} combos")
    shares = zip(view.actions, totals["frequencies"], strict=True)
    table.add_row("plays", ", ".join(f"{action} {share:.1%}" for action, share in shares))
    if not totals["equity"] >= 0.0:
        table.add_row("", "the strategies never come here: what follows says little")
        return table
    table.add_row("value", f"{totals['ev']:.2f} chips, {totals['ev'] / view.pot:.1%} of the pot")
    realised = f", of which {totals['ev'] / (totals['equity'] * view.pot):.1%} is realised" if totals["equity"] else ""
    table.add_row("equity", f"{totals['equity']:.2%}{realised}")
    return table


def _said(value: float, form: str) -> str:
    return "-" if value != value else format(value, form)  # nan where the opponent has no hand left


def _hand(view: View, chosen: dict[str, Any]) -> Any:
    from headsup.cli.console import make_facts

    table = make_facts()
    table.add_row()
    table.add_row("hand", f"{chosen['hand']}, {chosen['combos']} combos, {chosen['reach']:.3g} of them come here")
    for action in view.actions:
        table.add_row(action, f"{chosen['frequencies'][action]:.1%}, worth {_said(chosen['ev'][action], '.2f')}")
    table.add_row("value", f"{_said(chosen['value'], '.2f')} chips")
    table.add_row("equity", _said(chosen["equity"], ".2%"))
    return table


def _print_list(console: Any, view: View) -> None:
    """One row a hand, the most frequent classes together as in the chart's order."""
    from rich.table import Table

    from headsup.cli.console import print_table

    table = Table(box=None, pad_edge=False)
    for i, head in enumerate(("hand", *view.actions, *(f"ev {one}" for one in view.actions), "equity", "reach")):
        table.add_column(head, justify="right" if i else "left")
    shown = [i for i in range(len(view.hands)) if view.reach[i] >= LEAST][::-1]
    for i in shown:
        shares = (f"{share:.1%}" for share in view.frequencies[:, i])
        values = (_said(value, ".2f") for value in view.ev[:, i])
        table.add_row(view.hands[i], *shares, *values, _said(view.equity[i], ".1%"), f"{view.reach[i]:.3f}")
    console.print()
    print_table(console, table)
    if len(shown) < len(view.hands):
        console.print(f"\n{len(view.hands) - len(shown)} hands come here hardly ever and are left out")


def _print_charts(console: Any, view: View) -> None:
    """A chart for each action that is taken."""
    from rich.text import Text

    from headsup.cli.console import small_grid

    for action, shares in zip(view.actions, view.grid(), strict=True):
        if not (shares >= LEAST).any():
            continue
        console.print(Text.assemble("\n", (action, "bold")))
        console.print(small_grid(1.0 if share > 0.9995 else 0.0 if share < 0.0005 else share for share in shares))
