"""Jam/fold answers as plain data, as `headsup jamfold --json` prints and `/api/jamfold` sends them."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

from headsup.common.arrays import Floats
from headsup.games.betting.stakes import PLAYS, Stakes
from headsup.jamfold.answer import JamFoldAnswer
from headsup.jamfold.hands import class_name
from headsup.jamfold.shipped import stacks_played

if TYPE_CHECKING:
    from headsup.jamfold.game import Certificate
    from headsup.jamfold.locked import Locked

ROUNDING = 1e-12  # numbers nearer to zero than this are float64 rounding, in big blinds


def answer_dict(
    answer: JamFoldAnswer, stakes: Stakes, seat: str, hand: int | None = None, locked: Locked | None = None
) -> dict[str, Any]:
    """The whole chart of both seats, or one hand."""
    result: dict[str, Any] = {
        "game": answer.game,
        "stack": stakes.effective,
        "source": answer.source,
        "solved_stack": stakes.effective if answer.payoffs == stakes.payoffs else answer.payoffs.stack,
        "value_sb": _clean(answer.value_sb),
        "exploitability_mbb": _clean(answer.exploitability_mbb),
        "jam_frequency": answer.jam_frequency,
        "call_frequency": answer.call_frequency,
    }
    if answer.from_stacks is not None:
        result |= {"from_stacks": list(answer.from_stacks), "rounding_mbb": answer.rounding_mbb}
    if hand is None:
        result |= {"jam": _chart(answer.game, answer.jam), "call": _chart(answer.game, answer.call)}
        if answer.game == "holdem":
            from headsup.jamfold.ranges import strategy_range

            for side, play in PLAYS.items():
                result[f"{play}_range"] = str(strategy_range(answer.game, answer.played(side)))
    else:
        result |= _hand(answer, stakes, seat, hand)
    if locked is not None:
        result["lock"] = _lock(answer.game, locked, hand)
    return result


def _chart(game: str, played: Floats) -> dict[str, float]:
    return {class_name(game, index): frequency for index, frequency in enumerate(played.tolist())}


def _hand(answer: JamFoldAnswer, stakes: Stakes, seat: str, hand: int) -> dict[str, Any]:
    play, frequency = PLAYS[seat], float(answer.played(seat)[hand])
    known = stacks_played(answer.game, stakes, seat, hand)
    return {
        "seat": seat,
        "hand_class": class_name(answer.game, hand),
        "action": play if frequency >= 0.5 else "fold",
        "frequency": frequency,
        f"ev_{play}": _clean(float(answer.ev(seat)[hand])),
        "ev_fold": _clean(answer.ev_fold(seat)),
        "indifferent": answer.close(seat, hand),
        "played_at": None if known is None else known.at,
        "mixed_at": None if known is None else known.mixed,
    }


def _lock(game: str, locked: Locked, hand: int | None) -> dict[str, Any]:
    """Both strategies against a fixed opponent, each whole or with its action for one hand."""
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
    """A number for JSON: null for nan, and zero for rounding."""
    if isnan(value):
        return None
    return value if abs(value) >= ROUNDING else 0.0


def proof_dict(game: str, stakes: Stakes, proof: Certificate) -> dict[str, Any]:
    """Two given strategies, measured."""
    listed = [
        {
            "seat": mistake.seat,
            "hand_class": class_name(game, mistake.hand),
            "frequency": mistake.frequency,
            "gain_of_playing": _clean(mistake.gain_of_playing),
            "cost": mistake.cost,
        }
        for mistake in proof.mistakes()
    ]
    return {
        "game": game,
        "stack": stakes.effective,
        "value_sb": _clean(proof.value_sb),
        "best_response_sb": _clean(proof.most_sb),
        "best_response_bb": _clean(-proof.sure_sb),
        **proof.measurement.in_mbb(),
        "exploitability_mbb": _clean(proof.exploitability_mbb),
        "jam_frequency": proof.jam_frequency,
        "call_frequency": proof.call_frequency,
        "mistakes": listed,
    }
