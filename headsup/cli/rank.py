"""`headsup rank`: what a hand is worth, in a number and in words."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headsup.evaluate import Rank

HELP = "What a hand is worth: its value, its category and its name in plain English."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("cards", metavar="CARDS", help="the hand, for example AsKh, or AsKhQdJc in Omaha")
    parser.add_argument("--board", default="", metavar="CARDS", help="the board, for example 9d7c7s")
    parser.add_argument("--game", default="holdem", metavar="GAME", help="holdem (the default), omaha or omaha8")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Rank the hand and print it."""
    from headsup.evaluate import rank

    result = rank(args.cards, args.board, args.game)
    if args.json:
        _print_json(args, result)
    else:
        _print_table(args.game, result)
    return 0


def _print_json(args: argparse.Namespace, result: Rank) -> None:
    import json

    from headsup.cards.cards import card_name, parse_cards

    low = result.low
    print(
        json.dumps(
            {
                "game": args.game,
                "cards": [card_name(one) for one in parse_cards(args.cards)],
                "board": [card_name(one) for one in parse_cards(args.board)],
                "value": result.value,
                "category": result.category,
                "name": result.name,
                "used": [card_name(one) for one in result.cards],
                "low": low and {"value": low.value, "name": low.name, "used": [card_name(one) for one in low.cards]},
            }
        )
    )


def _print_table(game: str, result: Rank) -> None:
    from rich.table import Table

    from headsup.cli.console import make_console
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
    make_console().print(table)


def _cards(cards: tuple[int, ...]) -> str:
    from headsup.cards.cards import card_name

    return " ".join(card_name(one) for one in cards)
