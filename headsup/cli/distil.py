"""`headsup distil`: rules that fit on a card, what they cost, and what is proved about them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_json, add_table, print_answer, refuse
from headsup.cli.streams import say
from headsup.common.stop import until_stopped

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.common.progress import Progress
    from headsup.distil.scorecards.records import CardRecord
    from headsup.games.holdem.classes import Classes

HELP = """Rules that fit on a card: lines of points and a threshold for each seat, with their price.

Without --rules: the cards that ship with headsup, the number of lines against the price. With --rules K: the card of K
lines. --seconds S searches anew for so long (Omaha cards are priced only where the matchup table is, on a GPU with
--device gpu); stop it with Ctrl-C at any moment. --all makes every card of a game, S seconds each, and keeps each in
the file of --save as soon as it is there. The same command goes on from that file: it searches each of its cards again,
S seconds each, and replaces a card only by a better one."""

SECONDS = 60.0
"""How long a search takes where nothing is said."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--game", default="holdem", metavar="GAME", help="holdem (default) or omaha8")
    parser.add_argument("--rules", type=int, metavar="K", help="the number of lines on the card")
    parser.add_argument(
        "--threshold",
        choices=("row", "sum"),
        default="row",
        help="a number for each whole stack (default), or one sum a + b R",
    )
    parser.add_argument(
        "--max-stack", type=float, metavar="R", help="search anew for stacks up to R big blinds (2 to 15)"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        metavar="S",
        help=f"search anew for this long (default with --max-stack and for each card of --all: {SECONDS:g})",
    )
    parser.add_argument("--prove", type=float, metavar="S", help="bound the card by integer programs for S seconds")
    parser.add_argument("--all", action="store_true", help="make the card of every length, both kinds of threshold")
    parser.add_argument("--most-lines", type=int, metavar="K", help="with --all: no more lines than this (default: 8)")
    parser.add_argument(
        "--save",
        old="--out",
        dest="out",
        type=Path,
        metavar="FILE",
        help="with --all: the file to write and to go on from",
    )
    add_table(parser)
    add_json(parser)
    parser.add_argument("--card", type=Path, metavar="FILE", help="also draw the card as SVG")


def run(args: argparse.Namespace) -> int:
    """Show the frontier or one card."""
    from headsup.distil.scorecards.lines import pool
    from headsup.distil.shipped import shipped_card, shipped_cards

    lines = len(pool(args.game))
    _check(args, lines)
    if args.all:
        return _make_all(args)
    if args.rules is None:
        return _frontier(args, list(shipped_cards(args.game)))
    stopped = False
    if args.seconds is not None or args.max_stack is not None:
        table = _table(args)
        with until_stopped() as stop:
            found = _search(args, table)
        stopped = stop.asked()
    else:
        found = shipped_card(args.game, args.rules, args.threshold == "row")
    proof = None
    if args.prove is not None and not stopped:
        from headsup.distil.scorecards.program import proof as prove

        with until_stopped() as stop:
            proof = prove(found.card, args.prove)
        stopped = stop.asked()
    try:
        if args.card is not None:
            _draw(args.card, found)
    finally:  # what was searched for long is not lost with a full disk
        _print(args, found, proof)
    return 130 if stopped else 0


def _print(args: argparse.Namespace, found: CardRecord, proof: dict[str, Any] | None) -> None:
    def told() -> dict[str, Any]:
        from headsup.distil.scorecards.drawing import SOURCE

        said = {"game": args.game, "data": SOURCE, "stacks": [1, found.card.max_stack], **found.as_dict()}
        return said | ({"program": proof} if proof else {})

    print_answer(args, told, lambda console: _show(console, found, proof))


def _check(args: argparse.Namespace, lines: int) -> None:
    from headsup.cards.cards import with_article
    from headsup.common.errors import UserError
    from headsup.common.files import writable
    from headsup.games.holdem.classes import check_source

    check_source(args.game, args.device, args.table)
    if args.rules is not None and not 1 <= args.rules <= lines:
        raise UserError(f"--rules {args.rules} is out of reach: {with_article(args.game)} card has 1 to {lines} lines")
    if args.all and (args.rules or args.max_stack or args.card or args.json):
        raise UserError("--all makes the card of every length: leave out --rules, --max-stack, --card and --json")
    if args.all and args.out is None:
        raise UserError("--all keeps its cards in a file: add for example  --save rules.json")
    if not args.all and (args.out or args.most_lines):
        raise UserError("--save and --most-lines are for --all: add it or leave them out")
    if args.most_lines is not None and not 1 <= args.most_lines <= lines:
        raise UserError(
            f"--most-lines {args.most_lines} is out of reach: {with_article(args.game)} card has 1 to {lines} lines"
        )
    if args.rules is None and not args.all and (args.seconds or args.max_stack or args.card or args.prove):
        raise UserError("say how many lines the card may have: add for example  --rules 4")
    if args.rules is None:
        why = "is of one card, and here are all of both kinds: add --rules K, or leave it out"
        refuse(args, ("threshold",), why)
    searches = args.all or args.seconds is not None or args.max_stack is not None
    if not searches:
        refuse(args, ("device", "table"), "is for a search: add for example  --seconds 60, or leave it out")
    for name, value in (("--seconds", args.seconds), ("--prove", args.prove)):
        if value is not None and not 0 < value <= 86400:
            raise UserError(f"{name} {value:g} is not a time: give seconds above 0, at most a day")
    if args.max_stack is not None and not (2 <= args.max_stack <= 15 and (8 * args.max_stack) % 1 == 0):
        raise UserError(f"--max-stack {args.max_stack:g} is not possible: give 2 to 15 big blinds, in eighths")
    for path in (args.out, args.card):
        if path is not None:
            writable(path)


def _table(args: argparse.Namespace) -> Classes | None:
    """The table to price with, or none where Omaha has none."""
    from headsup.common.errors import UserError
    from headsup.games.holdem.classes import class_table

    try:
        return class_table(args.game, device=args.device, folder=args.table)
    except UserError:
        if args.table is not None or args.device != "cpu":
            raise
        say("no matchup table here: cards are measured against the equilibrium only")
        return None


def _tell(step: Progress) -> None:
    """Every word on how a search stands is a line: a search of hours is read as a log."""
    say(step.text)


def _search(args: argparse.Namespace, table: Classes | None) -> CardRecord:
    from headsup.distil.scorecards.frontier import MAX_STACK, make

    reach = args.max_stack if args.max_stack is not None else MAX_STACK[args.game]
    seconds = args.seconds if args.seconds is not None else SECONDS
    row = args.threshold == "row"
    return make(args.game, args.rules, reach, seconds=seconds, row=row, table=table, watch=_tell)


def _make_all(args: argparse.Namespace) -> int:
    from headsup.distil.scorecards.frontier import MOST_LINES, make_all

    seconds = args.seconds if args.seconds is not None else SECONDS
    most = args.most_lines if args.most_lines is not None else MOST_LINES
    prove = args.prove if args.prove is not None else 0.0
    table = _table(args)
    with until_stopped() as stop:
        found = make_all(args.game, args.out, seconds=seconds, most_lines=most, prove=prove, table=table, watch=_tell)
    if found or not stop.asked():
        print(f"wrote {args.out}: {len(found)} {args.game} cards")
    if stop.asked():
        say("stopped; the same command goes on from here")
    return 130 if stop.asked() else 0


def _draw(path: Path, found: CardRecord) -> None:
    from headsup.common.files import write_text
    from headsup.distil.scorecards.drawing import card_svg

    write_text(path, card_svg(found))


def _show(console: Console, found: CardRecord, proof: dict[str, Any] | None) -> None:
    from headsup.distil.scorecards.drawing import WIDTH, card_text, wrapped

    width = min(WIDTH, console.width)
    console.print(card_text(found, width), soft_wrap=True)
    for text in (_share_text(found), *_proof_text(proof if proof is not None else found.program)):
        console.print("\n".join(wrapped(text, width, hang=4 * text.startswith(" "))), soft_wrap=True)


def _share_text(found: CardRecord) -> str:
    from headsup.distil.scorecards.records import rivals_price

    said = f"At worst that is {found.share:.2f} of {rivals_price(found.card.game)}."
    if found.proved is not None:
        said += (
            f" Proved: with these lines no card gets below {max(found.proved, found.floor):.2f}, whatever its points."
        )
    return said


def _proof_text(proof: dict[str, Any] | None) -> list[str]:
    """What the integer programs said, a sentence for each."""
    if proof is None:
        return []
    stacks = " and ".join(f"{stack:g}" for stack in proof["stacks"])
    said = []
    for name, where in (
        ("anywhere", f"Any points up to {proof['most_points']}"),
        ("near", f"Numbers at most {proof['reach']} from this card's"),
    ):
        one = proof[name]
        verdict = "the best possible" if one["optimal"] else f"none is below {one['proved']:.3f}"
        said.append(f"  {where}: found {one['found']:.3f}, {verdict}.")
    plural = "s" if len(proof["stacks"]) > 1 else ""
    return [
        f"Integer programs for these lines, average share at stack{plural} {stacks} (this card: {proof['card']:.3f})",
        *said,
    ]


def _frontier(args: argparse.Namespace, known: list[CardRecord]) -> int:
    def told() -> dict[str, Any]:
        return {"game": args.game, "cards": [one.as_dict() for one in known]}

    return print_answer(args, told, lambda console: _show_frontier(console, args.game, known))


def _show_frontier(console: Console, game: str, known: list[CardRecord]) -> None:
    from headsup.cli.console import make_table, print_table
    from headsup.distil.scorecards.records import RIVALS, rivals_price

    names = ("lines", "kind", "numbers", "largest", "worst sb", "bb", "mean sb", "bb")
    table = make_table(*names, f"of {RIVALS[game]}", "proved", "floor", words=0)
    table.collapse_padding = True
    for one in known:
        paid: tuple[str, ...] = ("",) * 4
        if one.worst_price is not None and one.mean_price is not None:
            paid = tuple(f"{price:.1f}" for price in (*one.worst_price, *one.mean_price))
        kind, largest = one.card.kind, one.card.largest
        proved = "" if one.proved is None else f"{one.proved:.2f}"
        low = f"{one.floor:.2f}"
        table.add_row(str(one.lines), kind, str(one.card.numbers), str(largest), *paid, f"{one.share:.2f}", proved, low)
    reach = known[0].card.max_stack if known else 0
    console.print(f"{game} cards for stacks of 1 to {reach:g} big blinds, prices in mbb per game")
    print_table(console, table)
    console.print(
        "worst, mean: what it loses to a best responder, over all stacks by eighths\n"
        f"of {RIVALS[game]}: at worst, beside {rivals_price(game)}\n"
        "proved: no card with these lines is lower\n"
        "floor: no card with so many lines of the pool is lower"
    )
