"""`headsup endgame`: what chips are worth when hands follow each other until one player has them all."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headsup.cli.jamfold import add_source_options
from headsup.cli.options import add_cards
from headsup.cli.streams import trouble_in
from headsup.common.display import json_line
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from headsup.endgame.shipped import EndgameRecord

HELP = """The chance to win a heads-up endgame of jam or fold, hand after hand until one player has all chips.

Prints the value of --stack with proved bounds, how far it is from the share of the chips, what playing each hand for
chips would cost, and the hands that are played otherwise than in the chart for chips. Without --blinds, chips are big
blinds. Levels of --blinds are SB/BB, with /ANTE for an ante and xHANDS for how many hands one lasts:
100/200x10,200/400/50. Play that never ends counts one half."""

SHOWN = 12
"""Hands of a seat that are listed for people; --json has all."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_cards(parser)
    parser.add_argument("--chips", required=True, metavar="N", help="the chips of both players together")
    parser.add_argument("--stack", required=True, metavar="S", help="my chips, before posting")
    parser.add_argument("--button", choices=("me", "opponent"), help="who has it (default: the average of both)")
    parser.add_argument("--blinds", default="0.5/1", metavar="LEVELS", help="fixed or rising (default 0.5/1)")
    parser.add_argument("--ante", default="0", metavar="A", help="posted by both players before the blinds")
    parser.add_argument("--bb-ante", default="0", metavar="A", help="posted by the big blind alone, for both")
    parser.add_argument("--unit", metavar="U", help="the smallest chip (default: half of the first small blind)")
    parser.add_argument("--payouts", metavar="FIRST/SECOND", help="what the places pay, such as 65/35")
    parser.add_argument("--free", action="store_true", help="bounds against an opponent who may limp, raise and play on, too; a minute or more if they are not shipped")  # noqa: E501  # fmt: skip
    parser.add_argument("--plot", nargs="?", const="-", metavar="FILE.svg", help="value against chips: as a table, or drawn to a file (a second file has the difference to the share of the chips)")  # noqa: E501  # fmt: skip
    add_source_options(parser)


def run(args: argparse.Namespace) -> int:
    """Answer and print."""
    from headsup.common.files import writable_apart
    from headsup.common.plot import svg_files
    from headsup.endgame.rules import endgame
    from headsup.endgame.shipped import answer

    rules = endgame(args.game, args.chips, blinds=args.blinds, ante=args.ante, bb_ante=args.bb_ante, unit=args.unit)
    stack = rules.units(args.stack, "--stack")
    if not 0 < stack < rules.chips:
        raise UserError(f"--stack is {args.stack}: it must lie between 0 and the chips in all, {args.chips}")
    pays = _payouts(args.payouts)
    drawings = svg_files(args.plot, "share")
    writable_apart(*(("--plot", path) for path in drawings))
    found = answer(rules, folder=args.table, device=args.device, fresh=args.solve, free=args.free)
    told = found.as_dict(stack, args.button, pays)
    trouble = trouble_in(lambda: _draw(found, drawings)) if drawings else None
    if args.json:
        print(json_line(told | ({"curve": found.curve()} if args.plot else {})))
    else:
        _show(found, told, args)
    if trouble is not None:
        raise trouble
    return 0


def _payouts(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    from headsup.common.checks import quoted
    from headsup.endgame.rules import exact

    places = text.split("/")
    if len(places) != 2:
        raise UserError(f"--payouts got {quoted(text)}: write what the two places pay, as in 65/35")
    pays = float(exact(places[0], "--payouts")), float(exact(places[1], "--payouts"))
    if not pays[0] > pays[1] >= 0:
        raise UserError(
            f"--payouts got {quoted(text)}: the first place must pay more than the second, and no place less than "
            "nothing, as in 65/35"
        )
    return pays


def _draw(found: EndgameRecord, paths: list[Path]) -> None:
    from headsup.cards.games import GAME_NAMES
    from headsup.common.files import write_text
    from headsup.common.plot import line_chart

    curve, chips = found.curve(), found.rules.chips * float(found.rules.unit)
    names = {"averaged": "value", "on the button": "on_button", "in the big blind": "off_button"}
    title = f"{GAME_NAMES[found.rules.game]}, {chips:g} chips in all"
    plain = {name: list(zip(curve["stack"], curve[key], strict=True)) for name, key in names.items()}
    less = {name: [(x, 100 * (y - x / chips)) for x, y in points] for name, points in plain.items()}
    write_text(paths[0], line_chart(plain, title=f"Chance to win: {title}", x="my chips", y="chance"))
    write_text(paths[1], line_chart(less, title=f"Above the share of chips: {title}", x="my chips", y="points"))


def _show(found: EndgameRecord, told: dict[str, Any], args: argparse.Namespace) -> None:
    from rich.text import Text

    from headsup.cards.games import GAME_NAMES
    from headsup.cli.console import make_console
    from headsup.games.betting.stakes import PLAYS, SEAT_NAMES

    console = make_console()
    blinds = "" if args.blinds == "0.5/1" else f", blinds {args.blinds}"
    console.print(
        Text.assemble(
            (GAME_NAMES[found.rules.game], "bold"),
            f", endgame of jam or fold, {told['chips']:g} chips in all{blinds}, smallest chip {told['unit']:g}",
        )
    )
    who = {"me": "on the button", "opponent": "in the big blind", None: "averaged over the button"}[told["button"]]
    console.print(
        Text.assemble(f"with {told['stack']:g} of them, {who}: ", (_percent(told["value"]), "bold"), " to win it all")
    )
    console.print(f"on the button {_percent(told['on_button'])}, in the big blind {_percent(told['off_button'])}")
    width = told["high"] - told["low"]
    near = "less than 1e-9" if width < 1e-9 else f"{width:.1e}"
    console.print(f"certificate: proved bounds are {near} apart ({found.source})")
    less = 100 * told["value_minus_share"]
    console.print(f"share of the chips: {_percent(told['share'])}; the chance to win is {_signed(less)} points from it")
    console.print(
        f"playing each hand for chips loses at most {100 * told['chip_play_loss']:.4f} points, "
        f"{told['chip_play_loss_bb']:.5f} big blinds"
    )
    if "free_low" in told:
        console.print(
            f"unrestricted no-limit: between {_percent(told['free_low'])} and {_percent(told['free_high'])}; "
            f"jam or fold is sure of {_percent(told['jam_or_fold_low'])}"
        )
    if "payout" in told:
        console.print(f"worth {told['payout']:.4f} in payouts of {args.payouts}")
    for seat, name in SEAT_NAMES.items():
        listed = [one for one in told["differences"] if one["seat"] == seat]
        if told["button"] is not None and (told["button"] == "me") != (seat == "sb"):
            continue
        if not listed:
            console.print(f"{name}: every hand as in the chart for chips")
            continue
        count = f"{len(listed)} hand{'s' * (len(listed) != 1)} otherwise than in the chart for chips"
        if len(listed) > SHOWN:
            more = sum(one["endgame"] > one["chips"] for one in listed)
            count += f", {more} more often, {len(listed) - more} less; {SHOWN} are shown, all with --json"
        console.print(f"{name}: {count}")
        for one in listed[:SHOWN]:
            console.print(
                f"  {one['hand_class']}: {PLAYS[seat]} {one['chips']:.0%} for chips, {one['endgame']:.0%} here "
                f"({PLAYS[seat]} gains {_signed(100 * one['gain'])} points)"
            )
    if args.plot == "-":
        _print_curve(console, found)


def _percent(chance: float) -> str:
    return f"{100 * chance:.4f} %"


def _signed(points: float) -> str:
    return f"{points:+z.4f}"


def _print_curve(console: Any, found: EndgameRecord) -> None:
    from rich.table import Table

    from headsup.cli.console import print_table

    table, curve, chips = Table(), found.curve(), found.rules.chips
    for name in ("chips", "averaged", "on the button", "in the big blind", "above share (points)"):
        table.add_column(name, justify="right")
    for at in sorted({round(k * chips / 20) for k in range(1, 20)} - {0, chips}):
        row = [curve[name][at] for name in ("value", "on_button", "off_button")]
        cells = [f"{100 * one:.3f} %" for one in row]
        table.add_row(f"{curve['stack'][at]:g}", *cells, _signed(100 * (row[0] - at / chips)))
    print_table(console, table)
