"""`headsup matchup`: two Omaha hands, or two hand classes over all suit alignments, before the flop, exactly."""

from __future__ import annotations

import argparse
from typing import Any

from headsup.cli.options import add_json
from headsup.common.display import json_line
from headsup.common.errors import UserError

HELP = "Exact counts of two Omaha hands, or hand classes, over every board before the flop."


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("first", metavar="HAND", help="four cards, for example AsAdQsJd")
    parser.add_argument("second", metavar="HAND", help="four cards, for example 5h4s3c2h")
    parser.add_argument("--game", default="omaha8", metavar="GAME", help="omaha8, hi-lo (default), or omaha, high only")
    parser.add_argument(
        "--classes",
        action="store_true",
        help="treat both as hand classes: all suit alignments of the two, suits as written or not",
    )
    parser.add_argument("--dead", default="", metavar="CARDS", help="cards that no board can have")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Run the verb."""
    from headsup.cards.cards import cards_name, parse_cards
    from headsup.cards.games import OMAHA_GAMES, check_game

    check_game(args.game, OMAHA_GAMES)
    from headsup.equity.omaha.eval8 import class_grid, matchup_grid
    from headsup.equity.results import EquityResult, as_grid, high_only

    hands = [_hand(text) for text in (args.first, args.second)]
    texts = (cards_name(hands[0]), cards_name(hands[1]))
    extra: dict[str, Any] = {}
    if args.classes:
        if args.dead:
            raise UserError("dead cards name suits and hand classes do not: leave out --dead or --classes")
        from headsup.cards.classes import omaha_class, omaha_class_name

        rows = [omaha_class(hand) for hand in hands]
        texts = (omaha_class_name(rows[0]), omaha_class_name(rows[1]))
        number, counts = class_grid(rows[0], rows[1])
        if not number:
            raise UserError(
                f"{texts[0]} and {texts[1]} never meet: every hand of one shares a card with every hand of the other"
            )
        extra = {"classes": rows, "alignments": number}
    else:
        counts = matchup_grid(hands[0], hands[1], parse_cards(args.dead))
    grid = as_grid(counts.tolist())
    result = EquityResult(args.game, texts, grid if args.game == "omaha8" else high_only(grid), "factorisation")
    if args.json:
        print(json_line(result.as_dict() | extra))
    else:
        from headsup.cli.console import make_console
        from headsup.cli.equity import show

        console = make_console()
        show(console, result, dead=args.dead)
        if extra:
            number = extra["alignments"]
            console.print(f"One hand of the first class against the {number} hands of the second that it can meet.")
    return 0


def _hand(text: str) -> tuple[int, ...]:
    from headsup.cards.cards import parse_cards

    cards = parse_cards(text)
    if len(cards) != 4:
        raise UserError(f"'{text}' has {len(cards)} cards: an Omaha hand has four, for example AsAdQsJd")
    return cards
