"""`headsup matchup`: exact counts for two Omaha hands, or two hand classes, before the flop."""

import argparse
from typing import Any

from headsup.cli.options import add_json, print_answer
from headsup.common.errors import UserError

HELP = "Count wins, ties and losses of two Omaha hands, or hand classes, over all boards."


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("first", metavar="HAND", help="four cards, for example AsAdQsJd")
    parser.add_argument("second", metavar="HAND", help="four cards, for example 5h4s3c2h")
    parser.add_argument("--game", default="omaha8", metavar="GAME", help="omaha8, hi-lo (default), or omaha, high only")
    classes = "compare the hand classes of both hands: all assignments of suits"
    parser.add_argument("--classes", action="store_true", help=classes)
    parser.add_argument("--dead", default="", metavar="CARDS", help="cards removed from the deck")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
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
            raise UserError("dead cards have suits and hand classes do not: leave out --dead or --classes")
        from headsup.cards.classes import omaha_class, omaha_class_name

        rows = [omaha_class(hand) for hand in hands]
        texts = (omaha_class_name(rows[0]), omaha_class_name(rows[1]))
        number, counts = class_grid(rows[0], rows[1])
        if not number:
            raise UserError(
                f"{texts[0]} and {texts[1]} cannot be dealt together: every hand of one shares a card with each of "
                "the other"
            )
        extra = {"classes": rows, "alignments": number}
    else:
        counts = matchup_grid(hands[0], hands[1], parse_cards(args.dead))
    grid = as_grid(counts.tolist())
    result = EquityResult(args.game, texts, grid if args.game == "omaha8" else high_only(grid), "factorisation")

    def show(console: Any) -> None:
        from headsup.cli.equity import show as show_equity

        show_equity(console, result, dead=args.dead)
        if extra:
            number = extra["alignments"]
            console.print(f"One hand of the first class against the {number} hands of the second it can be dealt with.")

    return print_answer(args, lambda: result.as_dict() | extra, show)


def _hand(text: str) -> tuple[int, ...]:
    from headsup.cards.cards import parse_cards

    cards = parse_cards(text)
    if len(cards) != 4:
        raise UserError(f"'{text}' has {len(cards)} cards: an Omaha hand has four, for example AsAdQsJd")
    return cards
