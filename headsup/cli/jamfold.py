"""`headsup jamfold`: the jam-or-fold equilibrium of a stack."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_cards, add_json, add_table, print_answer, refuse

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.games.betting.stakes import Stakes
    from headsup.jamfold.answer import JamFoldAnswer
    from headsup.jamfold.locked import Locked

HELP = """Print the jam-or-fold equilibrium for a stack: the chart, or one hand with the expected value of each action.

The small blind jams or folds, and the big blind calls or folds. Stacks are counted before the blinds are posted;
without --blinds they are in big blinds. --lock fixes the opponent's range and compares the equilibrium strategy with
the best response to that range. --verify measures the exploitability of two ranges: the small blind's jams and the big
blind's calls. A range is a text such as 'QQ+,AKs', or the name of an existing file that contains one. The game is
no-limit, in Omaha too: under pot-limit rules, the small blind can jam only with three big blinds or fewer."""


def configure(parser: argparse.ArgumentParser) -> None:
    add_cards(parser)
    parser.add_argument("--stack", required=True, metavar="S", help="your stack, before the blinds are posted")
    parser.add_argument("--opponent-stack", metavar="S", help="the opponent's stack, if it differs")
    parser.add_argument(
        "--blinds", default="0.5/1", metavar="SB/BB", help="the blinds, in the unit of the stacks (default: 0.5/1)"
    )
    parser.add_argument("--ante", default="0", metavar="A", help="ante of each player")
    parser.add_argument("--bb-ante", default="0", metavar="A", help="ante that the big blind posts for both players")
    parser.add_argument("--hand", metavar="H", help="one hand: A9s or AsKd in hold'em, four cards in Omaha")
    parser.add_argument("--seat", choices=("sb", "bb"), help="your seat (default: sb)")
    parser.add_argument("--lock", metavar="RANGE", help="fix the opponent's range, given as text or as a file")
    parser.add_argument(
        "--verify", nargs=2, metavar=("JAMS", "CALLS"), help="measure these two ranges, given as text or as files"
    )
    parser.add_argument("--free", action="store_true", help="also print an upper bound on what the small blind gains if it may limp, raise and play flops too")  # noqa: E501  # fmt: skip
    add_source_options(parser)


def add_source_options(parser: argparse.ArgumentParser) -> None:
    """Whether to solve what ships already, from which table and where; and JSON."""
    parser.add_argument("--solve", action="store_true", help="solve again, even if the solution ships with headsup")
    add_table(parser, "implies --solve")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from headsup.games.betting.stakes import read_stakes
    from headsup.games.holdem.classes import check_source
    from headsup.jamfold.answer import answer
    from headsup.jamfold.as_json import answer_dict
    from headsup.jamfold.hands import parse_class
    from headsup.jamfold.limped import limp_bound

    if args.verify is not None:
        refuse(args, ("lock", "hand", "seat", "solve", "free"), "has no effect with --verify: leave one of them out")
    check_source(args.game, args.device, args.table)
    seat = args.seat or "sb"
    stakes = read_stakes(args.stack, args.blinds, args.ante, args.bb_ante, args.opponent_stack, seat)
    hand = parse_class(args.game, args.hand) if args.hand is not None else None
    if args.verify is not None:
        return _verify(args, stakes)
    locked = None
    if args.lock is not None:
        equilibrium, locked = _against_locked(args, stakes, seat)
    else:
        equilibrium = answer(args.game, stakes, folder=args.table, device=args.device, fresh=args.solve, hand=hand)

    free = limp_bound(args.game, stakes) if args.free else None

    def print_chart(console: Console) -> None:
        from headsup.cli.jamfold_show import show, show_free

        show(console, equilibrium, stakes, seat, hand, locked)
        if free is not None:
            show_free(console, free)

    def as_dict() -> dict[str, Any]:
        result = answer_dict(equilibrium, stakes, seat, hand, locked)
        return result if free is None else {**result, "free": free.as_dict()}

    return print_answer(args, as_dict, print_chart)


def _against_locked(args: argparse.Namespace, stakes: Stakes, seat: str) -> tuple[JamFoldAnswer, Locked]:
    from headsup.games.holdem.classes import class_table
    from headsup.jamfold.answer import solved
    from headsup.jamfold.locked import against_locked
    from headsup.jamfold.ranges import given_strategy

    lock = given_strategy(args.lock, args.game)
    # A fixed opponent must be measured with the table, so the equilibrium beside it is solved at the same stakes.
    table = class_table(args.game, device=args.device, folder=args.table)
    equilibrium = solved(table, stakes.payoffs)
    return equilibrium, against_locked(table, equilibrium, seat, lock)


def _verify(args: argparse.Namespace, stakes: Stakes) -> int:
    from headsup.games.holdem.classes import class_table
    from headsup.jamfold.as_json import proof_dict
    from headsup.jamfold.game import JamFoldGame
    from headsup.jamfold.ranges import given_strategy

    jams, calls = (given_strategy(text, args.game) for text in args.verify)
    table = class_table(args.game, device=args.device, folder=args.table)
    proof = JamFoldGame.of(table, stakes).certify(jams, calls)

    def print_proof(console: Console) -> None:
        from headsup.cli.jamfold_show import show_proof

        show_proof(console, args.game, stakes, proof, proof.mistakes())

    return print_answer(args, lambda: proof_dict(args.game, stakes, proof), print_proof)
