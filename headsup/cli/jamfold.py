"""`headsup jamfold`: what to jam and what to call with, for any stack, with the proof."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from headsup.games.jamfold import Stakes
    from headsup.measure.jamfold_answer import Answer, Locked

HELP = """The jam-or-fold equilibrium of a stack: the chart, or one hand with both expected values.

The small blind jams all-in or folds, the big blind calls or folds. Stacks count before the blinds are posted; without
--blinds they are in big blinds. --lock gives the opponent a fixed range (a file of range text) and shows equilibrium
and best response side by side; --verify measures two such files, the small blind's jams and the big blind's calls."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--game", default="holdem", metavar="GAME", help="holdem (default), omaha or omaha8")
    parser.add_argument("--stack", required=True, metavar="S", help="my stack, counted before posting")
    parser.add_argument("--opponent-stack", metavar="S", help="the other stack, if it differs; the smaller one decides")
    parser.add_argument("--blinds", default="0.5/1", metavar="SB/BB", help="in the unit of the stacks (default 0.5/1)")
    parser.add_argument("--ante", default="0", metavar="A", help="posted by both players before the blinds")
    parser.add_argument("--hand", metavar="H", help="A9s or AsKd in hold'em, four cards in Omaha")
    parser.add_argument("--seat", choices=("sb", "bb"), default="sb", help="whose chart or hand (default sb)")
    parser.add_argument("--lock", type=Path, metavar="FILE", help="the opponent's fixed range, as range text")
    parser.add_argument(
        "--verify",
        nargs=2,
        type=Path,
        metavar=("JAMS", "CALLS"),
        help="measure these two strategies instead of solving",
    )
    parser.add_argument("--solve", action="store_true", help="solve now, even if the answer is shipped")
    parser.add_argument("--table", type=Path, metavar="FOLDER", help="the folder of the Omaha matchup table")
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu", help="where the table is summed")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Answer and print."""
    from headsup.games.jamfold_hands import parse_class, read_strategy
    from headsup.games.jamfold_table import check_game, class_table
    from headsup.measure.jamfold_answer import against_locked, answer

    stakes = read_stakes(args)
    hand = parse_class(check_game(args.game), args.hand) if args.hand is not None else None
    if args.verify is not None:
        return _verify(args, stakes)
    lock = read_strategy(args.lock, args.game) if args.lock is not None else None
    # A fixed opponent must be measured with the table, so the equilibrium beside it is solved at the same stakes.
    table = class_table(args.game, device=args.device, folder=args.table) if lock is not None else None
    found = answer(args.game, stakes, folder=args.table, device=args.device, fresh=args.solve or lock is not None)
    locked = against_locked(table, found, args.seat, lock) if table is not None and lock is not None else None
    if args.json:
        print(json.dumps(as_dict(found, stakes, args.seat, hand, locked)))
        return 0
    from rich.console import Console

    from headsup.cli.jamfold_show import show

    show(Console(highlight=False), found, stakes, args.seat, hand, locked)
    return 0


def read_stakes(args: argparse.Namespace) -> Stakes:
    """Stacks, blinds and ante from the command line."""
    from headsup.games.jamfold import Stakes

    small, slash, big = args.blinds.partition("/")
    blinds = (_number(small, "--blinds"), _number(big if slash else "", "--blinds", "0.5/1 or 200/400"))
    mine = _number(args.stack, "--stack")
    other = mine if args.opponent_stack is None else _number(args.opponent_stack, "--opponent-stack")
    stacks = (mine, other) if args.seat == "sb" else (other, mine)
    return Stakes(*stacks, *blinds, _number(args.ante, "--ante"))


def _number(text: str, option: str, example: str = "10 or 7.5") -> float:
    from headsup.errors import UserError

    try:
        return float(text)
    except ValueError:
        raise UserError(f"{option} got '{text}', which is not a number: write for example {example}") from None


def as_dict(
    found: Answer, stakes: Stakes, seat: str, hand: int | None = None, locked: Locked | None = None
) -> dict[str, Any]:
    """What `--json` prints."""
    from headsup.games.jamfold_hands import class_name

    result: dict[str, Any] = {
        "game": found.game,
        "stack": stakes.payoffs.stack,
        "source": found.source,
        "solved_stack": found.payoffs.stack,
        "value_sb": found.value_sb,
        "exploitability_mbb": found.exploitability_mbb,
        "jam_frequency": found.jam_frequency,
        "call_frequency": found.call_frequency,
    }
    play = "jam" if seat == "sb" else "call"
    if hand is not None:
        often = float(found.played(seat)[hand])
        result |= {
            "seat": seat,
            "hand_class": class_name(found.game, hand),
            "action": play if often >= 0.5 else "fold",
            "frequency": often,
            f"ev_{play}": _json_number(float(found.ev(seat)[hand])),
            "ev_fold": found.ev_fold(seat),
            "indifferent": found.close(seat, hand),
            "played_at": intervals(found.game, stakes, seat, hand),
        }
        if result["played_at"] is not None:
            result["mixed_at"] = mixed_at(found.game, seat, hand)
    if locked is not None:
        result["lock"] = {"value": locked.value, "opponent_frequency": locked.locked_frequency} | {
            name: {
                "frequency": choice.frequency,
                "ev_against_lock": choice.against_locked,
                "ev_against_equilibrium": choice.against_equilibrium,
                "ev_at_worst": choice.at_worst,
                "gain": choice.gain,
                "risk": choice.risk,
            }
            | ({"action": play if choice.strategy[hand] >= 0.5 else "fold"} if hand is not None else {})
            for name, choice in (("equilibrium", locked.equilibrium), ("best_response", locked.best_response))
        }
        if hand is not None:
            result["lock"][f"ev_{play}"] = _json_number(float(locked.ev[hand]))
    return result


def intervals(game: str, stakes: Stakes, seat: str, hand: int) -> list[list[float]] | None:
    """The stacks of the shipped sweep, as [first, last], at which a hand is played; None for other blinds."""
    from headsup.solve.jamfold_data import changes, has_shipped, shipped

    if not stakes.standard or not has_shipped(game):
        return None
    sweep = shipped(game)
    return [list(pair) for pair in changes(sweep.stacks, sweep.played(seat)[:, hand])]


def mixed_at(game: str, seat: str, hand: int) -> list[list[float]]:
    """The stacks of the shipped sweep at which a hand mixes, each with how often it is played."""
    from headsup.solve.jamfold_data import shipped

    sweep = shipped(game)
    often = sweep.played(seat)[:, hand]
    return [[float(stack), float(one)] for stack, one in zip(sweep.stacks, often, strict=True) if 0 < one < 1]


def _json_number(value: float) -> float | None:
    return value if value == value else None


def _verify(args: argparse.Namespace, stakes: Stakes) -> int:
    from headsup.games.jamfold import JamFold
    from headsup.games.jamfold_hands import class_name, read_strategy
    from headsup.games.jamfold_table import class_table
    from headsup.measure.jamfold import certify, mistakes

    jams, calls = (read_strategy(path, args.game) for path in args.verify)
    proof = certify(JamFold(class_table(args.game, device=args.device, folder=args.table), stakes.payoffs), jams, calls)
    wrong = mistakes(proof)
    if args.json:
        listed = [
            {
                "seat": one.seat,
                "hand_class": class_name(args.game, one.hand),
                "frequency": one.frequency,
                "gain_of_playing": one.gain_of_playing,
                "cost": one.cost,
            }
            for one in wrong
        ]
        result = {
            "game": args.game,
            "stack": stakes.payoffs.stack,
            "value_sb": proof.value_sb,
            "best_response_sb": proof.most_sb,
            "best_response_bb": -proof.sure_sb,
            "exploitability_mbb": proof.exploitability_mbb,
            "jam_frequency": proof.jam_frequency,
            "call_frequency": proof.call_frequency,
            "mistakes": listed,
        }
        print(json.dumps(result))
        return 0
    from rich.console import Console

    from headsup.cli.jamfold_show import show_proof

    show_proof(Console(highlight=False), args.game, stakes, proof, wrong)
    return 0
