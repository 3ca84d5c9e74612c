"""`headsup train WHAT`: questions at the terminal, scored by what an answer loses."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, TextIO

from headsup.cli.options import add_cards, refuse_all_but
from headsup.common.display import json_line
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from headsup.play.coach.decks import QuestionDeck

HELP = """Train decisions and guesses at the terminal: any answer that loses hardly anything is right.

WHAT is jamfold (with --game, --stack, --seat), spot FILE (a solved one), hands FILE (what `headsup review` reads),
flops (equities to guess, with --hand and --range) or card (points of a rule card to add up, with --game and --lines).
Answers are choices by their first letters or numbers, mixes such as `fold 40, jam 60`, or numbers; q leaves. What was
missed comes again. The page of `headsup serve` trains the same and keeps the progress."""

WHATS = {
    "jamfold": ("game", "stack", "seat", "within"),
    "spot": ("file",),
    "hands": ("file", "player"),
    "flops": ("hand", "range"),
    "card": ("game", "lines"),
}
"""What can be trained, and the arguments that each of them has."""
ALWAYS = ("what", "questions", "seed", "json")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("what", choices=WHATS, metavar="WHAT", help=", ".join(WHATS))
    parser.add_argument("file", nargs="?", metavar="FILE", help="of a solved spot, or of hands")
    add_cards(parser)
    parser.add_argument("--stack", type=float, default=10.0, metavar="BB", help="big blinds before posting (default: 10)")  # noqa: E501  # fmt: skip
    parser.add_argument("--seat", choices=["sb", "bb", "both"], default="both", help="which seat (default: both)")
    parser.add_argument("--within", type=float, default=0.01, metavar="BB", help="what a right answer may lose in jam or fold (default: 0.01)")  # noqa: E501  # fmt: skip
    parser.add_argument("--hand", default="AKs", metavar="H", help="the hand of a flop formula that ships (default: AKs)")  # noqa: E501  # fmt: skip
    parser.add_argument("--range", default="RS", metavar="R", help="the range against it: RUS, RS (default), RML or ATC")  # noqa: E501  # fmt: skip
    parser.add_argument("--lines", type=int, metavar="N", help="lines of the rule card (default: 4)")
    parser.add_argument("--player", metavar="NAME", help="whose decisions of the hands are trained")
    parser.add_argument("--questions", type=int, default=20, metavar="N", help="how many (default: 20)")
    parser.add_argument("--seed", type=int, help="for the same questions again")
    parser.add_argument("--json", action="store_true", help="print how it went as one JSON object at the end")


def run(args: argparse.Namespace) -> int:
    """Ask, and tell how it went."""
    from random import SystemRandom

    from headsup.play.coach.trainer import train_at_terminal

    if args.questions < 1:
        raise UserError(f"--questions {args.questions} asks nothing: give 1 or more")
    deck = make_deck(args)
    seed = SystemRandom().getrandbits(32) if args.seed is None else args.seed
    out = sys.stderr if args.json else sys.stdout
    went = train_at_terminal(deck, args.questions, seed, lambda text: _ask(text, out), lambda text: _say(text, out))
    if args.json:
        print(json_line({"deck": deck.name, **went}))
    elif went["answers"]:
        print(f"{went['right']} of {went['answers']} right, {went['mean_lost']:.3g} lost on average")
    return 0


def _say(text: str, out: TextIO) -> None:
    print(text, file=out)


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
    """The deck that the options describe."""
    from headsup.play.coach.decks import CardDeck, FlopDeck, HandsDeck, JamFoldDeck, SpotDeck

    if (args.what in ("spot", "hands")) != (args.file is not None):
        raise UserError(f"a file goes with spot and hands, and with them alone: see  headsup train {args.what} --help")
    refuse_all_but(args, (*ALWAYS, *WHATS[args.what]), f"has no effect on {args.what}: leave it out")
    if args.what == "jamfold":
        return JamFoldDeck(args.game, args.stack, args.seat, args.within)
    if args.what == "flops":
        return FlopDeck(args.hand, args.range)
    if args.what == "card":
        return CardDeck(args.game, args.lines)
    if args.what == "spot":
        from headsup.spots.solve import SpotSolution

        return SpotDeck(SpotSolution.load(args.file, regrets=False), args.file)
    from headsup.play.coach.replay import read_hands
    from headsup.play.coach.review import review

    return HandsDeck(review(read_hands(args.file)[1]).of(args.player), args.file)
