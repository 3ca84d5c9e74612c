"""`headsup range`: the hands of a range."""

from __future__ import annotations

import argparse
import os
import re
from typing import TYPE_CHECKING

from headsup.cli.options import add_cards, add_json, print_answer, refuse, refuse_with_json, say
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from headsup.cards.ranges import Range

HELP = """Explain a range: its combos, its percentage of all hands, and a chart.

Hold'em: 22+, A2s+, KTo+, 77-55, AKs-ATs, AsKh, random, 15%, 5%-10%, 55:0.5 or 55@50, RML. Omaha: AA, AA**, xxyy, RROO,
[A-J], KQJT-T987, KK+, with , for or, : for and, ! for not, parentheses and macros such as $ds. See docs/ranges.md.
Ranges of other programs are recognised: PioSOLVER's 1,326 weights, [50]AKs[/50], HRC, TexasSolver, wasm-postflop."""


CHART = 2 + 13 * 5  # how wide the chart is
FORMATS = ("headsup", "list", "pio", "gto+", "hrc", "texassolver", "wasm-postflop")
FOREIGN = re.compile(r"\n|\{|\[[0-9/]|^[0-9.]+%[,;: ]|[0-9]\s+[0-9]")  # may be the text of another program
LONGEST_NAME = 4096  # bytes that a path has at most


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT|FILE", help="the range, in quotes if it contains special characters; if a file with that name exists, it is read")  # noqa: E501  # fmt: skip
    formats = ", ".join(FORMATS)
    parser.add_argument("--read", metavar="FORMAT", help=f"the format of the text: {formats}, or spot, to write a spot for another program (default: recognised)")  # noqa: E501  # fmt: skip
    parser.add_argument("--part", default="", metavar="NAME", help="which range of a file that has several: oop, ip, a name or an action")  # noqa: E501  # fmt: skip
    parser.add_argument("--write", metavar="FORMAT", help="print the range in this format; spot prints the whole spot of a script or configuration")  # noqa: E501  # fmt: skip
    add_cards(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from headsup.cards.ranges.words import as_dict

    refuse_with_json(args, "write")
    text = _content(args.text)
    if args.write == "spot":
        from headsup.spots.foreign import spot_text

        print(spot_text(text, args.read, args.part), end="")
        return 0
    if args.read == "spot":
        from headsup.spots.foreign import write_spot

        if args.write is None:
            raise UserError("a spot is written for another program: add --write pio, texassolver or wasm-postflop")
        written = write_spot(text, args.write)
        if written.note:
            say(f"headsup range: {written.note}")
        print(written.text, end="")
        return 0
    hands = _read(text, args)
    if args.write is not None:
        from headsup.cards.ranges.formats import write_range

        print(write_range(hands, args.write))
        return 0
    return print_answer(args, lambda: as_dict(hands), lambda console: show(console, hands))


def _content(text: str) -> str:
    """The text of a file, if there is one of that name."""
    if len(text) > LONGEST_NAME or not os.path.isfile(text):
        return text
    from headsup.common.files import read_text

    return read_text(text)


def _read(text: str, args: argparse.Namespace) -> Range:
    """The range; range text alone does not load the other formats."""
    from headsup.cards.ranges import parse_range

    plain = args.read is None and not args.part and not FOREIGN.search(text)
    if args.game != "holdem" or plain:
        refuse(args, ("read", "part"), "is for hold'em ranges of other programs: leave it or --game out")
        return parse_range(text, args.game)
    from headsup.cards.ranges.formats import read_range

    return read_range(text, args.read, args.part).hands


def show(console: Console, hands: Range) -> None:
    from rich.text import Text

    from headsup.cards.games import GAME_NAMES
    from headsup.cards.ranges import range_text
    from headsup.cards.ranges.words import class_weights, describe
    from headsup.cli.console import at_commas, print_table, small_grid

    text = range_text(hands)
    longest = 400
    if len(text) > longest:
        text = f"{text[:longest]}... ({len(text):,} characters)"
    name = GAME_NAMES[hands.game]
    text = at_commas(f"{name}: {text}", console.width)
    console.print(Text.assemble((name, "bold"), text.removeprefix(name)))
    weighted = "" if hands.weighted_combos == hands.combos else f" of weight {hands.weighted_combos:,.10g}"
    noun = "combo" if hands.combos == 1 else "combos"
    combos, share = (f"{hands.combos:,}", "bold"), (f"{hands.share:.4%}", "bold")
    console.print(Text.assemble(combos, f" {noun}{weighted}, ", share, f" of all {len(hands.weights):,} hands"))
    console.print(describe(hands))
    console.print()
    coloured = console.color_system is not None and not console.no_color
    if hands.game != "holdem":
        print_table(console, categories(hands))
    elif console.width < CHART:
        console.print(small_grid(class_weights(hands)))
    else:
        console.print(grid(hands, coloured))


def grid(hands: Range, coloured: bool) -> Text:
    """The 13 x 13 chart: names of hands in the range, percentages for partial ones, dots for others without colours."""
    from rich.text import Text

    from headsup.cards.cards import RANKS
    from headsup.cards.classes import holdem_class_name
    from headsup.cards.ranges.words import class_weights

    ranks = RANKS[::-1]
    picture = Text() if coloured else Text("  " + "".join(f"{rank:^5}" for rank in ranks) + "\n")
    for index, mean in enumerate(class_weights(hands)):
        if index % 13 == 0 and not coloured:
            picture.append(f"{ranks[index // 13]} ")
        absent = holdem_class_name(index) if coloured else "·"
        part = f"{max(1, min(99, round(100 * mean)))}%"
        cell = holdem_class_name(index) if mean == 1 else absent if mean == 0 else part
        picture.append(f"{cell:^5}", style=_style(index, mean))
        if index % 13 == 12:
            picture.append("\n")
    picture.append("suited above the diagonal, offsuit below", style="dim")
    return picture


def _style(index: int, mean: float) -> str:
    if mean == 0:
        return "dim"
    row, column = divmod(index, 13)
    red, green, blue = (70, 130, 60) if row == column else (50, 100, 150) if row < column else (150, 90, 50)
    shade = 0.35 + 0.65 * mean
    return f"white on rgb({int(red * shade)},{int(green * shade)},{int(blue * shade)})"


def categories(hands: Range) -> Table:
    """Omaha hands by suits and by ranks: combos, percentage of the range and of all hands."""
    from headsup.cards.ranges.words import breakdown
    from headsup.cli.console import make_table

    table = make_table("", "combos", "of the range", "of all hands")
    for heading, sorts in breakdown(hands).items():
        table.add_row(f"by {heading}", style="bold")
        for name, (inside, everywhere) in sorts.items():
            share = inside / hands.combos if hands.combos else 0.0
            row = (name, f"{inside:,}", f"{share:.2%}", f"{everywhere / len(hands.weights):.2%}")
            table.add_row(*row, style="dim" if inside == 0 else None)
    return table
