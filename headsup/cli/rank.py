"""`headsup rank`: the rank of a poker hand."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_cards, add_json, print_answer

if TYPE_CHECKING:
    from rich.table import Table

    from headsup.evaluate import Rank

HELP = "Evaluate a hand: its rank, its category and its name."


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("cards", metavar="CARDS", help="the hand, for example AsKh, or AsKhQdJc in Omaha")
    parser.add_argument("--board", default="", metavar="CARDS", help="the board, for example 9d7c7s")
    add_cards(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from headsup.cards.cards import card_name, parse_cards
    from headsup.evaluate import rank

    result = rank(args.cards, args.board, args.game)

    def answer() -> dict[str, Any]:
        cards, board = ([card_name(card) for card in parse_cards(text)] for text in (args.cards, args.board))
        return {"game": args.game, "cards": cards, "board": board, **result.as_dict()}

    return print_answer(args, answer, lambda console: console.print(_table(args.game, result)))


def _table(game: str, result: Rank) -> Table:
    from rich.table import Table

    from headsup.evaluate.classes import CLASSES, LOWS

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold")
    table.add_column()
    table.add_row("hand", result.name)
    table.add_row("cards", _cards(result.cards))
    table.add_row("category", result.category)
    table.add_row("value", f"{result.value:,} of {CLASSES:,}")
    if game == "omaha8":
        table.add_row("low", result.low.name if result.low else "no low")
        if result.low:
            table.add_row("low cards", _cards(result.low.cards))
            table.add_row("low value", f"{result.low.value} of {LOWS}")
    return table


def _cards(cards: tuple[int, ...]) -> str:
    from headsup.cards.cards import card_name

    return " ".join(card_name(card) for card in cards)
