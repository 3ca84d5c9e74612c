"""`headsup endgame`: the probability of winning a heads-up endgame of jam or fold."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headsup.cli.jamfold import add_source_options
from headsup.cli.options import add_cards, print_answer, show_progress, trouble_in
from headsup.common.checks import quoted
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.endgame.shipped import EndgameRecord

HELP = """Compute the probability of winning a jam-or-fold endgame, played until one player has all the chips.

Prints the probability with proved bounds, its difference from the fraction of the chips (the chip-EV model), what
playing every hand for chips would cost, and the hands that are played differently from the chip-EV chart. Without
--blinds, chips are big blinds. Levels of --blinds are SB/BB, with /ANTE for an ante and xHANDS for the number of hands
at a level: 100/200x10,200/400/50. An endless match counts as one half."""

SHOWN = 12  # listed hands per seat; --json has all


def configure(parser: argparse.ArgumentParser) -> None:
    add_cards(parser)
    parser.add_argument("--chips", required=True, metavar="N", help="chips of both players together")
    parser.add_argument("--stack", required=True, metavar="S", help="my chips, before the blinds are posted")
    parser.add_argument("--button", choices=("me", "opponent"), help="who has the button (default: average)")
    parser.add_argument("--blinds", default="0.5/1", metavar="LEVELS", help="blinds, fixed or rising (default 0.5/1)")
    parser.add_argument("--ante", default="0", metavar="A", help="posted by both players before the blinds")
    parser.add_argument("--bb-ante", default="0", metavar="A", help="posted by the big blind alone, for both")
    parser.add_argument("--unit", metavar="U", help="the smallest chip (default: half of the first small blind)")
    parser.add_argument("--payouts", metavar="FIRST/SECOND", help="prizes for first and second place, such as 65/35")
    parser.add_argument("--free", action="store_true", help="also bounds for unrestricted no-limit, with limps, raises and play after the flop; takes a minute or more unless shipped")  # noqa: E501  # fmt: skip
    parser.add_argument("--plot", nargs="?", const="-", metavar="FILE.svg", help="the value for every stack: as a table, or plotted to a file (and the difference to the fraction of chips to a second file)")  # noqa: E501  # fmt: skip
    add_source_options(parser)


def run(args: argparse.Namespace) -> int:
    from headsup.common.files import writable_apart
    from headsup.common.plot import svg_files
    from headsup.endgame.rules import endgame
    from headsup.endgame.shipped import answer

    rules = endgame(args.game, args.chips, blinds=args.blinds, ante=args.ante, bb_ante=args.bb_ante, unit=args.unit)
    stack = rules.units(args.stack, "--stack")
    if not 0 < stack < rules.chips:
        raise UserError(f"--stack is {args.stack}: it must be between 0 and --chips, {args.chips}")
    pays = _payouts(args.payouts)
    drawings = svg_files(args.plot, "share")
    writable_apart(*(("--plot", path) for path in drawings))
    with show_progress("solving", not args.json) as progress:
        record = answer(rules, folder=args.table, device=args.device, fresh=args.solve, free=args.free, watch=progress)
    figures = record.as_dict(stack, args.button, pays)
    if args.free and "free_low" not in figures:
        raise UserError(
            f"--stack is {args.stack}: bounds for an opponent who may limp and raise ship for stacks in whole small "
            "blinds: give such a stack, or leave out --free"
        )
    trouble = trouble_in(lambda: _draw(record, drawings)) if drawings else None
    return print_answer(
        args,
        lambda: figures | ({"curve": record.curve()} if args.plot else {}),
        lambda console: _show(console, record, figures, args),
        trouble,
    )


def _payouts(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    from headsup.endgame.rules import exact

    places = text.split("/")
    if len(places) != 2:
        raise UserError(f"--payouts is {quoted(text)}: write the prizes of both places, as in 65/35")
    pays = float(exact(places[0], "--payouts")), float(exact(places[1], "--payouts"))
    if not pays[0] > pays[1] >= 0:
        raise UserError(
            f"--payouts is {quoted(text)}: the first prize must be the larger one, and none negative, as in 65/35"
        )
    return pays


def _draw(record: EndgameRecord, paths: list[Path]) -> None:
    from headsup.cards.games import GAME_NAMES
    from headsup.common.files import write_text
    from headsup.common.plot import line_chart

    curve, chips = record.curve(), record.rules.chips * float(record.rules.unit)
    names = {"averaged": "value", "on the button": "on_button", "in the big blind": "off_button"}
    title = f"{GAME_NAMES[record.rules.game]}, {chips:g} chips in total"
    plain = {name: list(zip(curve["stack"], curve[key], strict=True)) for name, key in names.items()}
    less = {name: [(x, 100 * (y - x / chips)) for x, y in points] for name, points in plain.items()}
    write_text(paths[0], line_chart(plain, title=f"Probability of winning: {title}", x="my chips", y="probability"))
    write_text(
        paths[1], line_chart(less, title=f"Minus the fraction of chips: {title}", x="my chips", y="percentage points")
    )


def _show(console: Console, record: EndgameRecord, figures: dict[str, Any], args: argparse.Namespace) -> None:
    from rich.text import Text

    from headsup.cards.games import GAME_NAMES
    from headsup.games.betting.stakes import PLAYS, SEAT_NAMES

    blinds = "" if args.blinds == "0.5/1" else f", blinds {args.blinds}"
    about = f", endgame of jam or fold, {figures['chips']:g} chips in total{blinds}, smallest chip {figures['unit']:g}"
    console.print(Text.assemble((GAME_NAMES[record.rules.game], "bold"), about))
    where = {"me": "on the button", "opponent": "in the big blind", None: "averaged over the button"}[figures["button"]]
    stack = f"with {figures['stack']:g} chips, {where}: "
    console.print(Text.assemble(stack, (_percent(figures["value"]), "bold"), " to win the match"))
    console.print(f"on the button {_percent(figures['on_button'])}, in the big blind {_percent(figures['off_button'])}")
    width = figures["high"] - figures["low"]
    gap = "less than 1e-9" if width < 1e-9 else f"{width:.1e}"
    console.print(f"bounds: the proved upper and lower bound are {gap} apart ({record.source})")
    less = _signed(100 * figures["value_minus_share"])
    console.print(
        f"fraction of the chips: {_percent(figures['share'])}; the probability of winning differs by {less} points"
    )
    loss = f"{100 * figures['chip_play_loss']:.4f} points, {figures['chip_play_loss_bb']:.5f} big blinds"
    console.print(f"playing every hand for chips loses at most {loss}")
    if "free_low" in figures:
        console.print(
            f"unrestricted no-limit: between {_percent(figures['free_low'])} and {_percent(figures['free_high'])}; "
            f"jam or fold guarantees {_percent(figures['jam_or_fold_low'])}"
        )
    if "payout" in figures:
        console.print(f"expected payout: {figures['payout']:.4f} of {args.payouts}")
    for seat, name in SEAT_NAMES.items():
        listed = [hand for hand in figures["differences"] if hand["seat"] == seat]
        if figures["button"] is not None and (figures["button"] == "me") != (seat == "sb"):
            continue
        if not listed:
            console.print(f"{name}: every hand as in the chip-EV chart")
            continue
        total = figures["differ"][seat]
        count = f"{total} hand{'s' * (total != 1)} played differently from the chip-EV chart"
        if total > SHOWN:
            higher, lower = record.counts(round(figures["stack"] / figures["unit"]), seat)
            rest = ", --json has all" * (len(listed) == total)
            count += f", {higher} more often, {lower} less often; {SHOWN} shown{rest}"
        console.print(f"{name}: {count}")
        for hand in listed[:SHOWN]:
            console.print(
                f"  {hand['hand_class']}: {PLAYS[seat]} {hand['chips']:.0%} for chips, {hand['endgame']:.0%} here "
                f"({PLAYS[seat]} gains {_signed(100 * hand['gain'])} points)"
            )
    if args.plot == "-":
        _print_curve(console, record)


def _percent(chance: float) -> str:
    return f"{100 * chance:.4f} %"


def _signed(points: float) -> str:
    return f"{points:+z.4f}"


def _print_curve(console: Any, record: EndgameRecord) -> None:
    from rich.table import Table

    from headsup.cli.console import print_table

    table, curve, chips = Table(), record.curve(), record.rules.chips
    for name in ("chips", "averaged", "on the button", "in the big blind", "minus fraction (points)"):
        table.add_column(name, justify="right")
    for at in sorted({round(k * chips / 20) for k in range(1, 20)} - {0, chips}):
        row = [curve[name][at] for name in ("value", "on_button", "off_button")]
        cells = [f"{100 * chance:.3f} %" for chance in row]
        table.add_row(f"{curve['stack'][at]:g}", *cells, _signed(100 * (row[0] - at / chips)))
    print_table(console, table)
