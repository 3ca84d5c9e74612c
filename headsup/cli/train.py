"""`headsup train WHAT`: questions at the terminal, scored by what an answer loses."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, TextIO

from headsup.cli.options import add_cards, refuse_all_but, say
from headsup.common.display import json_line
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from headsup.play.coach.decks import QuestionDeck

HELP = """Practise decisions at the terminal; answers that lose less than a threshold (--within) count as correct.

WHAT is jamfold (with --game, --stack, --seat), preflop (decisions before the flop, with --stack and --seat), spot FILE
(a solved spot), hands FILE (a file for `headsup review`), flops (estimate equities, with --hand and --range) or card
(add up the points of a rule card, with --game and --rules).
Answer with the first letters or the number of a choice, a mix such as `fold 40, jam 60`, or a number; q quits. Missed
questions are repeated. `headsup serve` offers the same training in a browser and keeps the progress."""

WHATS = {
    "jamfold": ("game", "stack", "seat", "within"),
    "preflop": ("stack", "seat", "within"),
    "spot": ("file",),
    "hands": ("file", "player"),
    "flops": ("hand", "range"),
    "card": ("game", "rules"),
}
"""What can be trained, with the arguments of each."""
ALWAYS = ("what", "questions", "seed", "json")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=WHATS, metavar="WHAT", help=", ".join(WHATS))
    parser.add_argument("file", nargs="?", metavar="FILE", help="a solved spot, or a hand history")
    add_cards(parser)
    parser.add_argument("--stack", type=float, default=10.0, metavar="BB", help="big blinds before the blinds are posted (default: 10)")  # noqa: E501  # fmt: skip
    parser.add_argument("--seat", choices=["sb", "bb", "both"], default="both", help="which seat (default: both)")
    parser.add_argument("--within", type=float, default=0.01, metavar="BB", help="jamfold and preflop: what a correct answer may lose (default: 0.01, preflop: 0.05)")  # noqa: E501  # fmt: skip
    parser.add_argument("--hand", default="AKs", metavar="H", help="the hand of a shipped flop formula (default: AKs)")
    parser.add_argument("--range", default="RS", metavar="R", help="the opponent's range: RUS, RS (default), RML or ATC")  # noqa: E501  # fmt: skip
    parser.add_argument("--rules", old="--lines", type=int, metavar="K", help="lines of the rule card (default: 4)")
    parser.add_argument("--player", metavar="NAME", help="train only decisions of this player")
    parser.add_argument("--questions", type=int, default=20, metavar="N", help="number of questions (default: 20)")
    parser.add_argument("--seed", type=int, help="seed, to repeat the same questions")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object at the end")


def run(args: argparse.Namespace) -> int:
    from random import SystemRandom

    from headsup.play.coach.trainer import train_at_terminal

    if args.questions < 1:
        raise UserError(f"--questions {args.questions} is too small: give 1 or more")
    deck = make_deck(args)
    seed = SystemRandom().getrandbits(32) if args.seed is None else args.seed
    out = sys.stderr if args.json else sys.stdout
    result = train_at_terminal(
        deck, args.questions, seed, lambda text: _ask(text, out), lambda text: print(text, file=out)
    )
    if args.json:
        print(json_line({"deck": deck.name, **result}))
    elif result["answers"]:
        lost = f"{result['mean_lost']:.3g} {result['unit']} lost on average"
        print(f"{result['right']} of {result['answers']} correct, {lost}")
    return 0


def _ask(text: str, out: TextIO) -> str:
    """A line from standard input; with --json the questions go to standard error."""
    if out.isatty():
        print(text, end="", file=out, flush=True)
    else:
        print(text.rstrip(), file=out, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def make_deck(args: argparse.Namespace) -> QuestionDeck:
    from headsup.play.coach.decks import CardDeck, FlopDeck, HandsDeck, JamFoldDeck, PreflopDeck, SpotDeck

    if (args.what in ("spot", "hands")) != (args.file is not None):
        raise UserError(f"spot and hands need a file, the others take none: see `headsup train {args.what} --help`")
    refuse_all_but(args, (*ALWAYS, *WHATS[args.what]), f"has no effect on {args.what}: leave it out")
    if args.what == "jamfold":
        return JamFoldDeck(args.game, args.stack, args.seat, args.within)
    if args.what == "preflop":
        deck = PreflopDeck(args.stack, args.seat, *((args.within,) if "within" in args.given else ()))
        if deck.chart.stack != args.stack:
            nearest = f"{deck.chart.stack:g} bb, the nearest"
            say(f"headsup train: nothing ships for {args.stack:g} bb; questions are from the chart for {nearest}")
        return deck
    if args.what == "flops":
        return FlopDeck(args.hand, args.range)
    if args.what == "card":
        return CardDeck(args.game, args.rules)
    if args.what == "spot":
        from headsup.spots.solve import SpotSolution

        return SpotDeck(SpotSolution.load(args.file, regrets=False), args.file)
    from headsup.play.coach.replay import read_hands
    from headsup.play.coach.review import review

    return HandsDeck(review(read_hands(args.file)[1]).of(args.player), args.file)
