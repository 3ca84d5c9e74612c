"""`headsup look FILE`: the strategy of a solved spot at one decision, hand by hand."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_json, print_answer, probability, refuse_with_json
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from headsup.spots.view import SpotView

HELP = """Show a decision of a solved spot: frequencies, values and equities of all hands, hand categories and blockers.

FILE was written by `headsup spot --save`. --line gives the actions and cards that lead to the decision, such as
'check, bet 94, call, 7c'; without it the first decision is shown."""

SHOWN, FEW, MOST = 20, 3, 1326


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a solved spot")
    parser.add_argument("--line", default="", metavar="L", help="actions and cards from the start: 'check, bet 94, call, 7c'")  # noqa: E501  # fmt: skip
    parser.add_argument("--hand", metavar="H", help="one or more hands: AhKh, AKs, or any range; --list then has only these")  # noqa: E501  # fmt: skip
    parser.add_argument("--list", action="store_true", help="a list of hands instead of the chart")
    parser.add_argument("--extremes", action="store_true", help="the best and the worst hands of each action, by equity")  # noqa: E501  # fmt: skip
    parser.add_argument("--by", choices=("category",), metavar="category", help="totals by made hand and by draw instead of the chart")  # noqa: E501  # fmt: skip
    parser.add_argument("--blockers", action="store_true", help="how holding each card changes the opponent's range and responses")  # noqa: E501  # fmt: skip
    parser.add_argument("--rare", type=probability, metavar="P", help="mark decisions that fewer deals reach, as a fraction (default: 0.1%%)")  # noqa: E501  # fmt: skip
    add_json(parser, ", with every hand")


def run(args: argparse.Namespace) -> int:
    refuse_with_json(args, "list", "by")
    from headsup.spots.groups import extremes
    from headsup.spots.reach import RARE, rare_actions
    from headsup.spots.solve import SpotSolution

    view = SpotSolution.load(args.file, regrets=False).at(args.line)
    chosen = view.hand(args.hand) if args.hand is not None else None
    rare = RARE if args.rare is None else args.rare

    def answer() -> dict[str, Any]:
        more: dict[str, Any] = {"hand": chosen} if chosen else {}
        more |= {"blockers": view.blockers(args.hand)} if args.blockers else {}
        more |= {"extremes": extremes(view)} if args.extremes else {}
        rarely = {"rare": view.reached < rare, "rare_actions": rare_actions(view, rare)}
        return {"file": args.file, **view.as_dict(), **rarely, **more}

    return print_answer(args, answer, lambda console: _print(console, args, view, chosen, rare))


def _print(console: Any, args: argparse.Namespace, view: SpotView, chosen: dict[str, Any] | None, rare: float) -> None:
    from headsup.cli.console import print_charts

    console.print(_head(view, rare))
    if chosen is not None:
        console.print(_hand(view, chosen))
    if args.blockers:
        _print_blockers(console, view, args.hand)
    plain = not (chosen or args.blockers or args.by or args.list or args.extremes)
    omaha = plain and view.game != "holdem"  # no chart has its classes
    if args.by or omaha:
        _print_categories(console, view)
    if args.extremes or omaha:
        _print_extremes(console, view)
    if args.list:
        _print_list(console, view, args.hand)
    if plain and not omaha:
        print_charts(console, view.actions, view.grid())


def _head(view: SpotView, rare: float) -> Any:
    from headsup.cli.console import make_facts, percentages
    from headsup.spots.reach import rare_actions

    totals = view.totals
    table = make_facts()
    table.add_row("board", f"{view.board}, pot {view.pot:,}")
    table.add_row("line", view.line or "none: the first decision")
    table.add_row("to act", f"{view.player} with {totals['combos']:.1f} combos")
    table.add_row("plays", percentages(view.actions, totals["frequencies"]))
    if view.reached < rare:
        share = f"{view.reached:.3g}" if view.reached else "none"
        table.add_row("rare", f"{share} of the deals on this board come here, fewer than {rare:.3g}: play off the path")
        table.add_row("", "is arbitrary unless the spot was solved with --tremble")
    elif seldom := rare_actions(view, rare):
        table.add_row("rare", f"play seldom comes to what follows {', '.join(seldom)}")
    if not totals["equity"] >= 0.0:
        table.add_row("", "the strategies never reach this decision: its figures mean little")
        return table
    table.add_row("value", f"{totals['ev']:z.2f} chips, {totals['ev'] / view.pot:z.1%} of the pot")
    realised = f", {totals['ev'] / (totals['equity'] * view.pot):.1%} of it realised" if totals["equity"] else ""
    table.add_row("equity", f"{totals['equity']:.2%}{realised}")
    return table


def _cell(value: float, form: str) -> str:
    return "-" if value != value else format(value, f"z{form}")  # nan where the opponent has no hand left


def _hand(view: SpotView, chosen: dict[str, Any]) -> Any:
    from headsup.cards.combos import counted
    from headsup.cli.console import make_facts

    table = make_facts()
    table.add_row()
    table.add_row("hand", f"{chosen['hand']}, {counted(chosen['combos'])}, reach {chosen['reach']:.3g}")
    for action in view.actions:
        table.add_row(action, f"{chosen['frequencies'][action]:.1%}, worth {_cell(chosen['ev'][action], '.2f')}")
    table.add_row("value", f"{_cell(chosen['value'], '.2f')} chips")
    table.add_row("equity", f"{_cell(chosen['equity'], '.2%')}, realised {_cell(chosen['realised'], '.1%')}")
    if len(chosen["categories"]) <= FEW:
        table.add_row("on this board", " or ".join(chosen["categories"]))
    return table


def _print_categories(console: Any, view: SpotView) -> None:
    from headsup.cli.console import make_table, print_table

    for kind, head in (("made", "made hand"), ("low", "low"), ("draw", "draw")):
        rows = [row for row in view.categories() if row["kind"] == kind]
        if not rows:
            continue
        table = make_table(head, "combos", "share", *view.actions, "value", "equity", "realised")
        for row in rows:
            shares = (_cell(share, ".1%") for share in row["frequencies"].values())
            figures = (_cell(row["value"], ".2f"), _cell(row["equity"], ".1%"), _cell(row["realised"], ".1%"))
            table.add_row(row["category"], f"{row['combos']:.1f}", f"{row['share']:.1%}", *shares, *figures)
        console.print()
        print_table(console, table)
    if rows:
        console.print("\na hand may count as a made hand and as several draws")


def _print_blockers(console: Any, view: SpotView, hand: str | None) -> None:
    """What the opponent holds and answers with nothing known, and how each card changes it."""
    from rich.table import Table

    from headsup.cli.console import print_table

    known, rows = view.opponent.frequencies(), view.blockers(hand)
    other = "ip" if view.player == "oop" else "oop"
    table = Table(box=None, pad_edge=False)
    answers = [(action, name) for action, answer in view.opponent.answers.items() for name in answer.actions]
    heads = ("held", "blocked", *(f"{action}: {name}" for action, name in answers), f"{other} holds more", "and less")
    for i, head in enumerate(heads):
        table.add_column(head, justify="right" if 0 < i < 2 + len(answers) else "left")
    if known["holds"] is None:
        console.print(f"\n{other} never reaches this decision: there is nothing to block")
        return
    table.add_row("nothing", "0.0%", *(f"{known['answers'][action][name]:.1%}" for action, name in answers), "", "")
    for row in rows[:SHOWN]:
        if row["holds"] is None:
            table.add_row(row["cards"], "100.0%", *("-" for _ in answers), "", "")
            continue
        changes = [f"{row['answers'][action][name]:+.1%}" for action, name in answers]
        order = sorted(row["holds"], key=lambda name: row["holds"][name])
        more, less = (f"{name} {row['holds'][name]:+.1%}" for name in (order[-1], order[0]))
        table.add_row(row["cards"], f"{row['blocked']:.1%}", *changes, more, less)
    console.print()
    print_table(console, table)
    if len(rows) > SHOWN:
        console.print(f"\nthe {SHOWN} of {len(rows)} with the largest effect; --json has all")


def _print_extremes(console: Any, view: SpotView) -> None:
    from headsup.cli.console import make_table, print_table
    from headsup.spots.groups import extremes

    for row in extremes(view):
        for which in ("best", "worst"):
            if not row[which]:
                continue
            table = make_table(f"{which} of {row['action']}", "combos", "often", "ev", "equity", "on this board")
            for hand in row[which]:
                figures = (f"{hand['combos']:.1f}", f"{hand['frequency']:.1%}", f"{hand['ev']:z.2f}")
                table.add_row(hand["hand"], *figures, f"{hand['equity']:.1%}", hand["category"])
            console.print()
            print_table(console, table)
    console.print("\nhands that take an action at least half of the time; those of the same ranks and category are one")


def _print_list(console: Any, view: SpotView, hand: str | None) -> None:
    """One row a hand, the most frequent classes together as in the chart's order."""
    from headsup.cli.console import LEAST, make_table, print_table

    values = (f"ev {action}" for action in view.actions)
    table = make_table("hand", *view.actions, *values, "equity", "realised", "reach")
    realised = view.realised
    listed = range(len(view.hands)) if hand is None else view.chosen(hand).tolist()
    shown = [i for i in listed if view.reach[i] >= LEAST][::-1]
    if len(shown) > MOST:
        raise UserError(f"these are {len(shown):,} hands, and a list has at most {MOST:,}: name some with --hand RANGE")
    for i in shown:
        shares = (f"{often:.1%}" for often in view.frequencies[:, i])
        worth = (_cell(value, ".2f") for value in view.ev[:, i])
        figures = (_cell(view.equity[i], ".1%"), _cell(realised[i], ".1%"), f"{view.reach[i]:.3f}")
        table.add_row(view.hands[i], *shares, *worth, *figures)
    console.print()
    print_table(console, table)
    if len(shown) < len(listed):
        console.print(f"\n{len(listed) - len(shown)} hands with a reach below {LEAST:g} are left out")
