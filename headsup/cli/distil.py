"""`headsup distil`: rule cards, what they cost, and what is proved about them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_json, add_table, print_answer, refuse, say, trouble_in
from headsup.common.errors import UserError
from headsup.common.stop import until_stopped

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.common.progress import Progress
    from headsup.distil.scorecards.records import CardRecord
    from headsup.games.holdem.classes import Classes

HELP = """Print rule cards (point-count rules for jam or fold) with their exact cost, or search for better ones.

Without --rules, list the cards that ship with headsup and their costs. With --rules K, print the card with K lines.
--seconds S searches for a better card for S seconds; Ctrl-C stops it (measuring an Omaha card against its best
response needs the matchup table, on a GPU with --device gpu). --all searches every card of a game for S seconds each
and writes each to the file of --save; the same command resumes from that file and replaces a card only by a better
one."""

SECONDS = 60.0  # default duration of a search


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", default="holdem", metavar="GAME", help="holdem (default) or omaha8")
    parser.add_argument("--rules", type=int, metavar="K", help="the number of lines on the card")
    threshold = "a threshold for each whole stack (default), or one formula a + b R"
    parser.add_argument("--threshold", choices=("row", "sum"), default="row", help=threshold)
    parser.add_argument("--max-stack", type=float, metavar="R", help="search for stacks up to R big blinds (2 to 15)")
    seconds = f"search for this long (default with --max-stack and for each card of --all: {SECONDS:g})"
    parser.add_argument("--seconds", type=float, metavar="S", help=seconds)
    parser.add_argument("--prove", type=float, metavar="S", help="bound the card by integer programs for S seconds")
    parser.add_argument("--all", action="store_true", help="search cards of every length and both kinds of threshold")
    parser.add_argument("--most-lines", type=int, metavar="K", help="with --all: at most this many lines (default: 8)")
    save = "with --all: the file to write, and to resume from"
    parser.add_argument("--save", old="--out", dest="out", type=Path, metavar="FILE", help=save)
    add_table(parser)
    add_json(parser)
    parser.add_argument("--plot", old="--card", type=Path, metavar="FILE", help="also draw the card as SVG")


def run(args: argparse.Namespace) -> int:
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
            card = _search(args, table)
        stopped = stop.asked()
    else:
        card = shipped_card(args.game, args.rules, args.threshold == "row")
    proof = None
    if args.prove is not None and not stopped:
        from headsup.distil.scorecards.program import proof as prove

        with until_stopped() as stop:
            proof = prove(card.card, args.prove)
        stopped = stop.asked()

    def answer() -> dict[str, Any]:
        from headsup.distil.scorecards.drawing import SOURCE

        record = {"game": args.game, "data": SOURCE, "stacks": [1, card.card.max_stack], **card.as_dict()}
        return record | ({"program": proof} if proof else {})

    trouble = None if args.plot is None else trouble_in(lambda: _draw(args.plot, card))
    return print_answer(args, answer, lambda console: _show(console, card, proof), trouble, stopped)


def _check(args: argparse.Namespace, lines: int) -> None:
    from headsup.cards.cards import with_article
    from headsup.common.files import writable
    from headsup.games.holdem.classes import check_source

    check_source(args.game, args.device, args.table)
    if args.rules is not None and not 1 <= args.rules <= lines:
        raise UserError(f"--rules {args.rules} is out of range: {with_article(args.game)} card has 1 to {lines} lines")
    if args.all and (args.rules or args.max_stack or args.plot or args.json):
        raise UserError("--all searches cards of every length: leave out --rules, --max-stack, --plot and --json")
    if args.all and args.out is None:
        raise UserError("--all writes its cards to a file: add for example  --save rules.json")
    if not args.all and (args.out or args.most_lines):
        raise UserError("--save and --most-lines are for --all: add it or leave them out")
    if args.most_lines is not None and not 1 <= args.most_lines <= lines:
        raise UserError(
            f"--most-lines {args.most_lines} is out of range: {with_article(args.game)} card has 1 to {lines} lines"
        )
    if args.rules is None and not args.all and (args.seconds or args.max_stack or args.plot or args.prove):
        raise UserError("the number of lines is missing: add for example  --rules 4")
    if args.rules is None:
        refuse(args, ("threshold",), "is for one card: add --rules K, or leave it out")
    searches = args.all or args.seconds is not None or args.max_stack is not None
    if not searches:
        refuse(args, ("device", "table"), "is for a search: add for example  --seconds 60, or leave it out")
    for name, value in (("--seconds", args.seconds), ("--prove", args.prove)):
        if value is not None and not 0 < value <= 86400:
            raise UserError(f"{name} {value:g} is not a time: give seconds above 0, at most a day")
    if args.max_stack is not None and not (2 <= args.max_stack <= 15 and (8 * args.max_stack) % 1 == 0):
        raise UserError(f"--max-stack {args.max_stack:g} is not possible: give 2 to 15 big blinds, in eighths")
    for path in (args.out, args.plot):
        if path is not None:
            writable(path)


def _table(args: argparse.Namespace) -> Classes | None:
    from headsup.games.holdem.classes import class_table

    try:
        return class_table(args.game, device=args.device, folder=args.table)
    except UserError:
        if args.table is not None or args.device != "cpu":
            raise
        say("no matchup table: cards are measured against the equilibrium only")
        return None


def _report(step: Progress) -> None:
    """One line per report: a long search is read as a log."""
    say(step.text)


def _search(args: argparse.Namespace, table: Classes | None) -> CardRecord:
    from headsup.distil.scorecards.frontier import MAX_STACK, make

    reach = args.max_stack if args.max_stack is not None else MAX_STACK[args.game]
    seconds = args.seconds if args.seconds is not None else SECONDS
    row = args.threshold == "row"
    return make(args.game, args.rules, reach, seconds=seconds, row=row, table=table, watch=_report)


def _make_all(args: argparse.Namespace) -> int:
    from headsup.distil.scorecards.frontier import MOST_LINES, make_all

    seconds = args.seconds if args.seconds is not None else SECONDS
    most = args.most_lines if args.most_lines is not None else MOST_LINES
    prove = args.prove if args.prove is not None else 0.0
    table = _table(args)
    with until_stopped() as stop:
        cards = make_all(args.game, args.out, seconds=seconds, most_lines=most, prove=prove, table=table, watch=_report)
    if cards or not stop.asked():
        print(f"wrote {args.out}: {len(cards)} {args.game} cards")
    if stop.asked():
        say("stopped; run the same command to resume")
    return 130 if stop.asked() else 0


def _draw(path: Path, card: CardRecord) -> None:
    from headsup.common.files import write_text
    from headsup.distil.scorecards.drawing import card_svg

    write_text(path, card_svg(card))


def _show(console: Console, card: CardRecord, proof: dict[str, Any] | None) -> None:
    from headsup.distil.scorecards.drawing import WIDTH, card_text, wrapped

    width = min(WIDTH, console.width)
    console.print(card_text(card, width), soft_wrap=True)
    for text in (_share_text(card), *_proof_text(proof if proof is not None else card.program)):
        console.print("\n".join(wrapped(text, width, hang=4 * text.startswith(" "))), soft_wrap=True)


def _share_text(card: CardRecord) -> str:
    from headsup.distil.scorecards.records import rivals_price

    text = f"At worst that is {card.share:.2f} of {rivals_price(card.card.game)}."
    if card.proved is not None:
        text += f" Proved: no card with these lines is below {max(card.proved, card.floor):.2f}, whatever its points."
    return text


def _proof_text(proof: dict[str, Any] | None) -> list[str]:
    if proof is None:
        return []
    stacks = " and ".join(f"{stack:g}" for stack in proof["stacks"])
    bounds = []
    for name, where in (
        ("anywhere", f"All points up to {proof['most_points']}"),
        ("near", f"Numbers within {proof['reach']} of this card's"),
    ):
        result = proof[name]
        verdict = "optimal" if result["optimal"] else f"lower bound {result['proved']:.3f}"
        bounds.append(f"  {where}: found {result['found']:.3f}, {verdict}.")
    plural = "s" if len(proof["stacks"]) > 1 else ""
    return [
        f"Integer programs for these lines, average share at stack{plural} {stacks} (this card: {proof['card']:.3f})",
        *bounds,
    ]


def _frontier(args: argparse.Namespace, cards: list[CardRecord]) -> int:
    def answer() -> dict[str, Any]:
        return {"game": args.game, "cards": [card.as_dict() for card in cards]}

    return print_answer(args, answer, lambda console: _show_frontier(console, args.game, cards))


def _show_frontier(console: Console, game: str, cards: list[CardRecord]) -> None:
    from headsup.cli.console import make_table, print_table
    from headsup.distil.scorecards.records import RIVALS, rivals_price

    names = ("lines", "kind", "numbers", "largest", "worst sb", "bb", "mean sb", "bb")
    table = make_table(*names, f"of {RIVALS[game]}", "proved", "floor", words=0)
    table.collapse_padding = True
    for record in cards:
        card = record.card
        costs: tuple[str, ...] = ("",) * 4
        if record.worst_price is not None and record.mean_price is not None:
            costs = tuple(f"{price:.1f}" for price in (*record.worst_price, *record.mean_price))
        proved = "" if record.proved is None else f"{record.proved:.2f}"
        ends = f"{record.share:.2f}", proved, f"{record.floor:.2f}"
        table.add_row(str(record.lines), card.kind, str(card.numbers), str(card.largest), *costs, *ends)
    reach = cards[0].card.max_stack if cards else 0
    console.print(f"{game} cards for stacks of 1 to {reach:g} big blinds, costs in mbb/g")
    print_table(console, table)
    console.print(
        "worst, mean: loss to a best response, over all stacks in steps of 1/8 bb\n"
        f"of {RIVALS[game]}: worst cost relative to {rivals_price(game)}\n"
        "proved: lower bound for cards with the same lines\n"
        "floor: lower bound for cards with this number of lines"
    )
