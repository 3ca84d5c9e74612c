"""`headsup rule`: what a rule that fits in the head says about a hand, and what the rule costs."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.distil.price import Prices
    from headsup.distil.rules import Advice, PointRule

HELP = """A rule that fits in the head, applied to a hand: oracle (Omaha hi-lo), sage (hold'em), hutchison (Omaha).

Stacks are in big blinds, counted before the blinds are posted. --explain adds the score up line by line; --price shows
what the rule loses against the equilibrium and against an opponent who knows it, at every stack."""

SEAT_NAMES = {"sb": "small blind", "bb": "big blind"}
THESIS_CHIPS = {"sb": (8.7, 8.96), "bb": (6.0, 6.87)}
"""ho-2015 section 4.4: ORACLE's largest losses in chips at 200/400, to the equilibrium and to a best responder."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("rule", metavar="RULE", help="oracle, sage or hutchison")
    parser.add_argument("hand", nargs="?", metavar="HAND", help="four cards in Omaha, A9s or AsKd in hold'em")
    parser.add_argument("--stack", metavar="S", help="the smaller stack in big blinds, before posting")
    parser.add_argument("--seat", choices=("sb", "bb"), default="sb", help="small blind (default) or big blind")
    parser.add_argument("--explain", action="store_true", help="add the score up line by line")
    parser.add_argument("--price", action="store_true", help="what the rule costs at every stack it is made for")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="with --price: draw it as SVG")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Advise, or price."""
    from headsup.distil.rules import rule
    from headsup.errors import UserError

    found = rule(args.rule)
    if args.price:
        return _price(args, found)
    if args.plot is not None:
        raise UserError("--plot draws the prices: add --price")
    if args.hand is None or args.stack is None:
        example = {"holdem": "K7o --stack 8"}.get(found.game, "KsQh7d6d --stack 8")
        raise UserError(f"a rule needs a hand and a stack: write for example  headsup rule {found.name} {example}")
    from headsup.games.jamfold_hands import parse_class

    try:
        stack = float(args.stack)
    except ValueError:
        raise UserError(f"--stack got '{args.stack}', which is not a number: write for example 10 or 7.5") from None
    advice = found.advise(parse_class(found.game, args.hand), stack, args.seat)
    if args.json:
        print(json.dumps(advice_dict(advice)))
        return 0
    from headsup.cli.console import make_console

    show(make_console(), advice, args.explain)
    return 0


def advice_dict(advice: Advice) -> dict[str, Any]:
    """What `--json` prints."""
    rule = advice.rule
    near, often, gain = equilibrium(advice)
    return {
        "rule": rule.name,
        "game": rule.game,
        "source": rule.source,
        "hand_class": advice.hand_class,
        "stack": advice.stack,
        "seat": advice.seat,
        "always": advice.always,
        "lines": [{"section": one.section, "text": one.text, "points": one.points} for one in advice.counted],
        "score": advice.score,
        "threshold": advice.threshold,
        "inclusive": rule.inclusive,
        "action": advice.action,
        "made_for": [rule.min_stack, rule.max_stack],
        "equilibrium": {"stack": near, "frequency": often, "gain_of_playing": gain},
    }


def equilibrium(advice: Advice) -> tuple[float, float, float]:
    """The nearest shipped stack, how often the equilibrium plays the hand there, and what playing gains in bb."""
    from headsup.solve.jamfold_data import one_hand

    found = one_hand(advice.rule.game, advice.seat, advice.hand)
    at = int(abs(found.stacks - advice.stack).argmin())
    return float(found.stacks[at]), float(found.played[at]), round(float(found.gain[at]), 6)


def show(console: Console, advice: Advice, explain: bool) -> None:
    """The advice for people."""
    rule = advice.rule
    seat = SEAT_NAMES[advice.seat] + (", facing a jam" if advice.seat == "bb" else "")
    console.print(f"[bold]{rule.title}[/] ({rule.source}): {advice.hand_class}, {seat}, {advice.stack:g} big blinds")
    if explain and not advice.always:
        _lines(console, advice)
    verb = advice.action.capitalize()
    needed = f"{advice.threshold:g} or more" if rule.inclusive else f"more than {advice.threshold:g}"
    if advice.always:
        console.print(
            f"[bold]{verb}[/]: always played, at any stack, for it has {' and '.join(advice.always)}. No need to count."
        )
    else:
        have = "has" if advice.plays else "has only"
        console.print(f"[bold]{verb}[/]: it takes {needed} points, and this hand {have} {advice.score}.")
    if explain and not advice.always:
        console.print(f"The {advice.threshold:g} is {rule.threshold_text(advice.stack, advice.seat)}.")
    near, often, gain = equilibrium(advice)
    play = "jam" if advice.seat == "sb" else "call"
    does = f"{play}s" if often == 1 else "folds" if often == 0 else f"{play}s {often:.0%} of the time"
    more = f"{abs(gain):.3f} bb {'more' if gain >= 0 else 'less'} than a fold"
    where = "" if abs(near - advice.stack) < 1e-9 else f" at {near:g} big blinds"
    agrees = "too" if (often >= 0.5) == advice.plays else "instead"
    console.print(f"The equilibrium{where} {does} {agrees}: a {play} is worth {more}.")
    if not rule.min_stack <= advice.stack <= rule.max_stack:
        console.print(
            f"[yellow]The rule is made for {rule.min_stack:g} to {rule.max_stack:g} big blinds[/]; "
            "this stack is outside."
        )


def _lines(console: Console, advice: Advice) -> None:
    section = ""
    for one in advice.counted:
        heading = one.section if one.section != section else ""
        section = one.section
        each = f" ({one.amount} x {one.points // one.amount})" if one.amount > 1 and "each" in one.text else ""
        console.print(f"  {heading:<10} {one.points:+4d}  {one.text}{each}")
    console.print(f"  {'Total':<10} {advice.score:4d}")


def _price(args: argparse.Namespace, rule: PointRule) -> int:
    from headsup.distil.price import chart, shipped_prices

    prices = shipped_prices()[rule.name].between(rule.min_stack, rule.max_stack)
    if args.plot is not None:
        args.plot.write_text(chart(prices), encoding="utf-8")
    if args.json:
        print(json.dumps(price_dict(prices)))
        return 0
    from headsup.cli.console import make_console

    show_price(make_console(), rule, prices)
    if args.plot is not None:
        print(f"wrote {args.plot}")
    return 0


def price_dict(prices: Prices) -> dict[str, Any]:
    """What `--price --json` prints."""
    return {
        "rule": prices.rule,
        "game": prices.game,
        "source": prices.source,
        "unit": "mbb per game",
        "worst": {seat: _both(prices, seat) for seat in SEAT_NAMES},
        "prices": [
            {"stack": one.stack, "seat": one.seat, "equilibrium": one.equilibrium, "best_response": one.best}
            for one in prices.prices
        ],
    }


def _both(prices: Prices, seat: str) -> dict[str, dict[str, float]]:
    fixed, best = prices.worst(seat, best=False), prices.worst(seat)
    return {
        "equilibrium": {"mbb": fixed.equilibrium, "chips_200_400": fixed.chips[0], "stack": fixed.stack},
        "best_response": {"mbb": best.best, "chips_200_400": best.chips[1], "stack": best.stack},
    }


def show_price(console: Console, rule: PointRule, prices: Prices) -> None:
    """One table: both seats, both opponents, whole stacks; then the dearest of all stacks."""
    from rich.table import Table

    console.print(f"What [bold]{rule.title}[/] loses, in mbb per game, by the stack in big blinds")
    names = ("sb to equilibrium", "sb to best reply", "bb to equilibrium", "bb to best reply", "exploitability")
    table = Table("stack", *names, box=None, pad_edge=False)
    for column in table.columns:
        column.justify = "right"
    for stack in sorted({one.stack for one in prices.prices if one.stack % 1 == 0} | {prices.prices[-1].stack}):
        sb, bb = prices.at(stack, "sb"), prices.at(stack, "bb")
        numbers = (sb.equilibrium, sb.best, bb.equilibrium, bb.best, (sb.best + bb.best) / 2)
        table.add_row(f"{stack:g}", *(f"{number:.2f}" for number in numbers))
    console.print(table)
    for seat, name in SEAT_NAMES.items():
        fixed, best = prices.worst(seat, best=False), prices.worst(seat)
        console.print(
            f"{name}, at worst: {fixed.equilibrium:.2f} mbb ({fixed.chips[0]:.2f} chips at 200/400) to the equilibrium "
            f"at {fixed.stack:g} bb, {best.best:.2f} ({best.chips[1]:.2f}) to a best reply at {best.stack:g} bb",
            soft_wrap=True,
        )
        if rule.name == "oracle":
            chips = THESIS_CHIPS[seat]
            console.print(
                f"  the thesis: {chips[0] / 0.4:.2f} ({chips[0]:.2f}) and {chips[1] / 0.4:.2f} ({chips[1]:.2f})"
            )
