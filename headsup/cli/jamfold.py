"""`headsup jamfold`: what to jam and what to call with, for any stack, with the proof."""

from __future__ import annotations

import argparse
import json
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headsup.errors import UserError

if TYPE_CHECKING:
    from headsup.games.arrays import Floats
    from headsup.games.jamfold import Stakes
    from headsup.solve.jamfold import Answer, Locked

ROUNDING = 1e-12
"""Numbers nearer to zero than this are float64 rounding, in big blinds."""

HELP = """The jam-or-fold equilibrium of a stack: the chart, or one hand with both expected values.

The small blind jams all-in or folds, the big blind calls or folds. Stacks count before the blinds are posted; without
--blinds they are in big blinds. --lock gives the opponent a fixed range and shows equilibrium and best response side by
side; --verify measures two ranges, the small blind's jams and the big blind's calls. A range is range text such as
'QQ+,AKs', or the name of a file of it: what is the name of a file that is there is read as a file.
The game is no-limit: at a pot-limit table nobody may jam first in with more than three big blinds."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--game", default="holdem", metavar="GAME", help="holdem (default), omaha or omaha8")
    parser.add_argument("--stack", required=True, metavar="S", help="my stack, counted before posting")
    parser.add_argument("--opponent-stack", metavar="S", help="the other stack, if it differs; the smaller one decides")
    parser.add_argument("--blinds", default="0.5/1", metavar="SB/BB", help="in the unit of the stacks (default 0.5/1)")
    parser.add_argument("--ante", default="0", metavar="A", help="posted by both players before the blinds")
    parser.add_argument("--bb-ante", default="0", metavar="A", help="posted by the big blind alone, for both")
    parser.add_argument("--hand", metavar="H", help="A9s or AsKd in hold'em, four cards in Omaha")
    parser.add_argument("--seat", choices=("sb", "bb"), help="whose chart or hand (default sb)")
    parser.add_argument("--lock", metavar="RANGE", help="the opponent's fixed range: range text, or a file of it")
    parser.add_argument(
        "--verify",
        nargs=2,
        metavar=("JAMS", "CALLS"),
        help="measure these two strategies instead of solving",
    )
    add_source_options(parser)


def add_source_options(parser: argparse.ArgumentParser) -> None:
    """Whether to solve what ships already, from which table and where; and JSON."""
    parser.add_argument("--solve", action="store_true", help="solve now, even if the answer is shipped")
    parser.add_argument("--table", type=Path, metavar="FOLDER", help="the folder of the Omaha table; solves now")
    parser.add_argument(
        "--device", choices=("cpu", "gpu"), default="cpu", help="where the Omaha table is summed; gpu solves now"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Answer and print."""
    from headsup.games.classes import check_source, class_table
    from headsup.games.jamfold_hands import given_strategy, parse_class
    from headsup.solve.jamfold import against_locked, answer, solved

    _check_options(args)
    check_source(args.game, args.device, args.table)
    stakes = read_stakes(args)
    hand = parse_class(args.game, args.hand) if args.hand is not None else None
    if args.verify is not None:
        return _verify(args, stakes)
    seat, locked = args.seat or "sb", None
    if args.lock is not None:
        lock = given_strategy(args.lock, args.game)
        # A fixed opponent must be measured with the table, so the equilibrium beside it is solved at the same stakes.
        table = class_table(args.game, device=args.device, folder=args.table)
        found = solved(table, stakes.payoffs)
        locked = against_locked(table, found, seat, lock)
    else:
        found = answer(args.game, stakes, folder=args.table, device=args.device, fresh=args.solve, hand=hand)
    if args.json:
        print(json.dumps(as_dict(found, stakes, seat, hand, locked)))
        return 0
    from headsup.cli.console import make_console
    from headsup.cli.jamfold_show import show

    show(make_console(), found, stakes, seat, hand, locked)
    return 0


def _check_options(args: argparse.Namespace) -> None:
    """Say so where one option leaves another nothing to do."""
    if args.verify is not None:
        for option in ("lock", "hand", "seat", "solve"):
            if getattr(args, option):
                raise UserError(f"--verify measures two whole strategies as they are: leave out --{option}")


def read_stakes(args: argparse.Namespace) -> Stakes:
    """Stacks, blinds and ante from the command line."""
    from headsup.games.jamfold import Stakes

    small, _, big = args.blinds.partition("/")
    try:
        blinds = float(small), float(big)
    except ValueError:
        raise UserError(
            f"--blinds got '{args.blinds}', which is not two numbers: write for example 0.5/1 or 200/400"
        ) from None
    mine = _number(args.stack, "--stack")
    other = mine if args.opponent_stack is None else _number(args.opponent_stack, "--opponent-stack")
    stacks = (other, mine) if args.seat == "bb" else (mine, other)
    antes = (
        _number(text, option, "0.1 or 50") for text, option in ((args.ante, "--ante"), (args.bb_ante, "--bb-ante"))
    )
    return Stakes(*stacks, *blinds, *antes)


def _number(text: str, option: str, example: str = "10 or 7.5") -> float:
    try:
        return float(text)
    except ValueError:
        raise UserError(f"{option} got '{text}', which is not a number: write for example {example}") from None


def as_dict(
    found: Answer, stakes: Stakes, seat: str, hand: int | None = None, locked: Locked | None = None
) -> dict[str, Any]:
    """What `--json` prints: the whole chart of both seats, or one hand."""
    from headsup.games.jamfold import PLAYS
    from headsup.games.jamfold_hands import strategy_range

    result: dict[str, Any] = {
        "game": found.game,
        "stack": stakes.effective,
        "source": found.source,
        "solved_stack": stakes.effective if found.payoffs == stakes.payoffs else found.payoffs.stack,
        "value_sb": _clean(found.value_sb),
        "exploitability_mbb": _clean(found.exploitability_mbb),
        "jam_frequency": found.jam_frequency,
        "call_frequency": found.call_frequency,
    }
    if hand is None:
        result |= {"jam": _chart(found.game, found.jam), "call": _chart(found.game, found.call)}
        if found.game == "holdem":
            for one, play in PLAYS.items():
                result[f"{play}_range"] = str(strategy_range(found.game, found.played(one)))
    else:
        result |= _hand(found, stakes, seat, hand)
    if locked is not None:
        result["lock"] = _lock(found.game, locked, hand)
    return result


def _chart(game: str, played: Floats) -> dict[str, float]:
    """How often each hand class is played."""
    from headsup.games.jamfold_hands import class_name

    return {class_name(game, index): often for index, often in enumerate(played.tolist())}


def _hand(found: Answer, stakes: Stakes, seat: str, hand: int) -> dict[str, Any]:
    from headsup.games.jamfold import PLAYS
    from headsup.games.jamfold_hands import class_name
    from headsup.solve.jamfold_data import stacks_played

    play, often = PLAYS[seat], float(found.played(seat)[hand])
    known = stacks_played(found.game, stakes, seat, hand)
    return {
        "seat": seat,
        "hand_class": class_name(found.game, hand),
        "action": play if often >= 0.5 else "fold",
        "frequency": often,
        f"ev_{play}": _clean(float(found.ev(seat)[hand])),
        "ev_fold": _clean(found.ev_fold(seat)),
        "indifferent": found.close(seat, hand),
        "played_at": None if known is None else known.at,
        "mixed_at": None if known is None else known.mixed,
    }


def _lock(game: str, locked: Locked, hand: int | None) -> dict[str, Any]:
    """Both choices against a fixed opponent, each with its whole strategy or what it does with one hand."""
    from headsup.games.jamfold import PLAYS

    play = PLAYS[locked.seat]
    result: dict[str, Any] = {"value": _clean(locked.value), "opponent_frequency": locked.locked_frequency}
    for name, choice in (("equilibrium", locked.equilibrium), ("best_response", locked.best_response)):
        result[name] = {
            "frequency": choice.frequency,
            "ev_against_lock": _clean(choice.against_locked),
            "ev_against_equilibrium": _clean(choice.against_equilibrium),
            "ev_at_worst": _clean(choice.at_worst),
            "gain": _clean(choice.gain),
            "risk": _clean(choice.risk),
        }
        if hand is None:
            result[name][play] = _chart(game, choice.strategy)
        else:
            result[name]["action"] = play if choice.strategy[hand] >= 0.5 else "fold"
    if hand is not None:
        result[f"ev_{play}"] = _clean(float(locked.ev[hand]))
    return result


def _clean(value: float) -> float | None:
    """A number for JSON: none for what is not a number, and zero for rounding."""
    if isnan(value):
        return None
    return value if abs(value) >= ROUNDING else 0.0


def _verify(args: argparse.Namespace, stakes: Stakes) -> int:
    from headsup.games.classes import class_table
    from headsup.games.jamfold import jamfold_game
    from headsup.games.jamfold_hands import class_name, given_strategy
    from headsup.measure.jamfold import certify, mistakes

    jams, calls = (given_strategy(text, args.game) for text in args.verify)
    proof = certify(jamfold_game(class_table(args.game, device=args.device, folder=args.table), stakes), jams, calls)
    wrong = mistakes(proof)
    if args.json:
        listed = [
            {
                "seat": one.seat,
                "hand_class": class_name(args.game, one.hand),
                "frequency": one.frequency,
                "gain_of_playing": _clean(one.gain_of_playing),
                "cost": one.cost,
            }
            for one in wrong
        ]
        result = {
            "game": args.game,
            "stack": stakes.effective,
            "value_sb": _clean(proof.value_sb),
            "best_response_sb": _clean(proof.most_sb),
            "best_response_bb": _clean(-proof.sure_sb),
            "exploitability_mbb": _clean(proof.exploitability_mbb),
            "jam_frequency": proof.jam_frequency,
            "call_frequency": proof.call_frequency,
            "mistakes": listed,
        }
        print(json.dumps(result))
        return 0
    from headsup.cli.console import make_console
    from headsup.cli.jamfold_show import show_proof

    show_proof(make_console(), args.game, stakes, proof, wrong)
    return 0
