"""`headsup rule`: the advice of a point-count rule for a hand, and what the rule costs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from headsup.cli.options import add_json, print_answer, refuse, refuse_all_but, refuse_with_json, trouble_in
from headsup.common.checks import read_number
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.distil.price import Prices
    from headsup.distil.rules.points import Advice, PointRule

HELP = """Apply a point-count rule to a hand: SAGE, ORACLE, a count by Hutchison, or a rule card of `headsup distil`.

RULE is card (from `headsup distil`, for hold'em and Omaha hi-lo), oracle or hutchison8 (Omaha hi-lo), sage (hold'em) or
hutchison (Omaha). Stacks are in big blinds, before the blinds are posted. --explain shows the points line by line;
--price prints what the rule loses against the equilibrium and against a best response, at every stack."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rule", metavar="RULE", help="card, oracle, sage, hutchison or hutchison8")
    parser.add_argument("hand", nargs="?", metavar="HAND", help="four cards in Omaha, A9s or AsKd in hold'em")
    parser.add_argument("--stack", metavar="S", help="the smaller stack in big blinds, before the blinds are posted")
    parser.add_argument("--seat", choices=("sb", "bb"), default="sb", help="small blind (default) or big blind")
    parser.add_argument("--explain", action="store_true", help="show the points line by line")
    parser.add_argument("--game", metavar="GAME", help="card: holdem or omaha8 (default: the game of the hand)")
    parser.add_argument("--rules", type=int, metavar="K", help="card: the number of lines (default 4)")
    parser.add_argument("--threshold", choices=("row", "sum"), help="card: one threshold per stack, or a formula")
    parser.add_argument("--price", action="store_true", help="the cost of the rule at every stack")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="with --price: plot it as SVG")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    rule = _rule(args)
    if args.price:
        _check_price(args)
        return _price(args, rule)
    refuse(args, ("plot",), "plots the cost: add --price")
    refuse_with_json(args, "explain")
    if args.hand is None or args.stack is None:
        example = {"holdem": "K7o --stack 8"}.get(rule.game, "KsQh7d6d --stack 8")
        raise UserError(f"a rule needs a hand and a stack: write for example  headsup rule {args.rule} {example}")
    from headsup.distil.rules.coach import as_dict
    from headsup.jamfold.hands import parse_class

    advice = rule.advise(parse_class(rule.game, args.hand), read_number(args.stack, "--stack"), args.seat)
    return print_answer(args, lambda: as_dict(advice), lambda console: show(console, advice, args.explain))


def _rule(args: argparse.Namespace) -> PointRule:
    from headsup.distil.rules.catalogue import RULES
    from headsup.distil.shipped import find_rule

    if args.rule in RULES:
        why = f"is for cards, not for {args.rule}: leave it out, or write  headsup rule card"
        refuse(args, ("game", "rules", "threshold"), why)
    looks_like = "omaha8" if len(args.hand or "") >= 8 else "holdem"
    return find_rule(args.rule, looks_like if args.game is None else args.game, args.rules, args.threshold != "sum")


def _check_price(args: argparse.Namespace) -> None:
    """A price is that of every hand and stack; a hand may still say which game the card is of."""
    from headsup.distil.rules.catalogue import RULES

    names = ["rule", "price", "plot", "json", "game", "rules", "threshold"]
    names += ["hand"] if args.rule not in RULES and args.game is None else []
    refuse_all_but(args, names, "is for one hand, and --price covers all hands and stacks: leave one of them out")


def show(console: Console, advice: Advice, explain: bool) -> None:
    from rich.text import Text

    from headsup.distil.rules.coach import advice_lines, blinds
    from headsup.distil.scorecards.drawing import WIDTH, wrapped
    from headsup.games.betting.stakes import SEAT_NAMES

    rule = advice.rule
    seat = SEAT_NAMES[advice.seat] + (", facing a jam" if advice.seat == "bb" else "")
    title = rule.title[0].upper() + rule.title[1:]
    about = f" ({rule.source}): {advice.hand_class}, {seat}, {blinds(advice.stack)}"
    console.print(Text.assemble((title, "bold"), about))
    for line in advice_lines(advice, explain):
        style = "bold" if line.startswith(tuple(f"{verb}:" for verb in ("Jam", "Call", "Fold"))) else ""
        if console.width < WIDTH and line.startswith(" "):  # on a narrow screen the points stand alone at the left
            line = "\n".join(wrapped(line, console.width, hang=8))
        console.print(line, style=style)


def _price(args: argparse.Namespace, rule: PointRule) -> int:
    from headsup.common.files import writable, write_text
    from headsup.common.plot import svg_file
    from headsup.distil.price import THESIS_CHIPS, chart, prices_of

    if args.plot is not None:
        writable(svg_file(args.plot))
    prices = prices_of(rule)
    thesis = THESIS_CHIPS if rule.name == "oracle" else None
    trouble = None
    if args.plot is not None:
        trouble = trouble_in(lambda: write_text(args.plot, chart(prices, rule.title, thesis)))
    print_answer(args, prices.as_dict, lambda console: show_price(console, rule, prices), trouble)
    if args.plot is not None and not args.json:
        print(f"wrote {args.plot}")
    return 0


def show_price(console: Console, rule: PointRule, prices: Prices) -> None:
    """One table: both seats, both opponents, whole stacks; then the costliest stacks."""
    from rich.text import Text

    from headsup.cli.console import make_table, print_table
    from headsup.distil.price import CHIPS, THESIS_CHIPS
    from headsup.games.betting.stakes import SEAT_NAMES

    title = Text.assemble("Losses of ", (rule.title, "bold"), " in mbb/g (in chips at blinds 200/400) by stack")
    console.print(title)
    names = ("sb to equilibrium", "sb to best response", "bb to equilibrium", "bb to best response", "exploitability")
    table = make_table("stack", *names, words=0)
    whole = {price.stack for price in prices.prices if price.stack % 1 == 0}
    for stack in sorted(whole | {prices.prices[-1].stack}):
        sb, bb = prices.at(stack, "sb"), prices.at(stack, "bb")
        numbers = (sb.equilibrium, sb.best, bb.equilibrium, bb.best, (sb.best + bb.best) / 2)
        table.add_row(f"{stack:g}", *(_money(number) for number in numbers))
    print_table(console, table)
    for seat, name in SEAT_NAMES.items():
        fixed, best = prices.worst(seat, best=False), prices.worst(seat)
        console.print(
            f"{name}, at worst: {fixed.equilibrium:.2f} mbb ({fixed.chips[0]:.2f} chips) to the equilibrium "
            f"at {fixed.stack:g} bb, {best.best:.2f} ({best.chips[1]:.2f}) to a best response at {best.stack:g} bb"
        )
        if rule.name == "oracle":
            console.print("  the thesis: " + " and ".join(_money(chips / CHIPS) for chips in THESIS_CHIPS[seat]))


def _money(mbb: float) -> str:
    from headsup.distil.price import CHIPS

    return f"{mbb:.2f} ({CHIPS * mbb:.2f})"
