"""`headsup distil`: rules that fit on a card, what they cost, and what is proved about them."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.distil.frontier import Record
    from headsup.games.jamfold_table import ClassTable

HELP = """Rules that fit on a card: lines of points and a threshold for each seat, with their price.

Without --rules: the cards that ship with headsup, the number of lines against the price. With --rules K: the card of K
lines. --seconds S searches anew for so long (Omaha cards are priced only where the matchup table is); stop it with
Ctrl-C at any moment."""


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
    parser.add_argument("--max-stack", type=float, metavar="R", help="search anew for stacks up to R big blinds")
    parser.add_argument("--seconds", type=float, metavar="S", help="search anew for this long")
    parser.add_argument("--prove", type=float, metavar="S", help="bound the card by an integer program for S seconds")
    parser.add_argument("--table", type=Path, metavar="FOLDER", help="the folder of the matchup table (Omaha)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--card", type=Path, metavar="FILE", help="also draw the card as SVG")


def run(args: argparse.Namespace) -> int:
    """Show the frontier or one card."""
    from headsup.distil.cardrule import shipped_card
    from headsup.distil.frontier import shipped_cards
    from headsup.distil.lines import pool

    lines = len(pool(args.game))
    _check(args, lines)
    if args.rules is None:
        return _frontier(args, list(shipped_cards(args.game)))
    if args.seconds is not None or args.max_stack is not None:
        found = _search(args)
    else:
        found = shipped_card(args.game, args.rules, args.threshold == "row")
    proof = None if args.prove is None else _proof(found, args.prove)
    if args.card is not None:
        _draw(args.card, found)
    if args.json:
        from headsup.distil.card import SOURCE

        said = {"game": args.game, "data": SOURCE, "stacks": [1, found.card.max_stack], **found.as_dict()}
        print(json.dumps(said | ({"program": proof} if proof else {})))
        return 0
    from headsup.cli.console import make_console

    _show(make_console(), found, proof)
    return 0


def _check(args: argparse.Namespace, lines: int) -> None:
    from headsup.errors import UserError

    if args.rules is not None and not 1 <= args.rules <= lines:
        raise UserError(f"--rules {args.rules} is out of reach: a {args.game} card has 1 to {lines} lines")
    if args.rules is None and (args.seconds or args.max_stack or args.card or args.prove):
        raise UserError("say how many lines the card may have: add for example  --rules 4")
    for name, value in (("--seconds", args.seconds), ("--prove", args.prove)):
        if value is not None and not 0 < value <= 86400:
            raise UserError(f"{name} {value:g} is not a time: give seconds above 0, at most a day")
    if args.max_stack is not None and not (2 <= args.max_stack <= 15 and (8 * args.max_stack) % 1 == 0):
        raise UserError(f"--max-stack {args.max_stack:g} is not possible: give 2 to 15 big blinds, in eighths")


def _search(args: argparse.Namespace) -> Record:
    from headsup.distil.frontier import MAX_STACK, make
    from headsup.games.jamfold_table import class_table

    table: ClassTable | None
    if args.game == "holdem":
        table = class_table("holdem")
    else:
        from headsup.errors import UserError

        try:
            table = class_table(args.game, folder=args.table)
        except UserError:
            if args.table is not None:
                raise
            table = None
            print("no matchup table here: the card is measured against the equilibrium only", file=sys.stderr)

    def watch(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    reach = args.max_stack if args.max_stack is not None else MAX_STACK[args.game]
    seconds = args.seconds if args.seconds is not None else 60.0
    return make(args.game, args.rules, reach, seconds=seconds, row=args.threshold == "row", table=table, watch=watch)


def _proof(found: Record, seconds: float) -> dict[str, Any]:
    """Bound the average loss of cards with these lines at a few stacks."""
    from headsup.distil.integer import mean_loss, solve

    card = found.card
    stacks = tuple(float(stack) for stack in (4, 8) if stack <= card.max_stack)

    def watch(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    program = solve(
        card.game, list(card.points), found.lines, stacks, row=card.row, seconds=seconds, start=card, watch=watch
    )
    return {
        "stacks": list(stacks),
        "card": round(mean_loss(card, stacks), 4),
        "found": round(program.loss, 4),
        "proved": round(program.bound, 4),
        "optimal": program.optimal,
        "status": program.status,
    }


def _draw(path: Path, found: Record) -> None:
    from headsup.distil.card import card_svg
    from headsup.errors import UserError

    try:
        path.write_text(card_svg(found), encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path} cannot be written ({error.strerror}): give another file") from error


def _show(console: Console, found: Record, proof: dict[str, Any] | None) -> None:
    from headsup.distil.card import card_text

    console.print(card_text(found), soft_wrap=True)
    floor = f"{found.floor:.1f}" if found.floor > 0.05 else "0"
    console.print(
        f"Its aim, both seats' mean of worst and average loss, is {found.aim:.1f} mbb; "
        f"with {found.lines} of these lines none gets below {floor}.",
        soft_wrap=True,
    )
    if proof is not None:
        stacks = " and ".join(f"{stack:g}" for stack in proof["stacks"])
        verdict = "and that is the best possible" if proof["optimal"] else f"and none is below {proof['proved']:.2f}"
        console.print(
            f"At stacks {stacks} it loses {proof['card']:.2f} mbb on average; the integer program for its lines "
            f"found {proof['found']:.2f}, {verdict}.",
            soft_wrap=True,
        )


def _frontier(args: argparse.Namespace, known: list[Record]) -> int:
    if args.json:
        print(json.dumps({"game": args.game, "cards": [one.as_dict() for one in known]}))
        return 0
    from rich.table import Table

    from headsup.cli.console import make_console

    table = Table(box=None, pad_edge=False)
    for name in ("lines", "threshold", "numbers", "worst price sb", "bb", "worst loss sb", "bb", "aim", "floor"):
        table.add_column(name, justify="right")
    for one in known:
        paid = ("", "") if one.worst_price is None else (f"{price:.1f}" for price in one.worst_price)
        lost = (f"{loss:.1f}" for loss in one.worst_loss)
        low = f"{one.floor:.1f}" if one.floor > 0.05 else "0"
        kind = "row" if one.card.row else "sum"
        table.add_row(str(one.lines), kind, str(one.card.numbers), *paid, *lost, f"{one.aim:.1f}", low)
    console = make_console()
    reach = known[0].card.max_stack if known else 0
    console.print(f"{args.game} cards for stacks of 1 to {reach:g} big blinds, in mbb per game")
    console.print(table)
    console.print("price: lost to a best responder; loss: to the equilibrium; floor: no such card has a lower aim")
    return 0
