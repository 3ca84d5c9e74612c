"""Answers about jam or fold as plain data: what `headsup jamfold --json` prints and `/api/jamfold` sends."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

from headsup.common.arrays import Floats
from headsup.games.betting.stakes import PLAYS, Stakes
from headsup.jamfold.answer import Answer
from headsup.jamfold.hands import class_name
from headsup.jamfold.shipped import stacks_played

if TYPE_CHECKING:
    from headsup.jamfold.certificate import Certificate
    from headsup.jamfold.locked import Locked

ROUNDING = 1e-12
"""Numbers nearer to zero than this are float64 rounding, in big blinds."""


def answer_dict(
    found: Answer, stakes: Stakes, seat: str, hand: int | None = None, locked: Locked | None = None
) -> dict[str, Any]:
    """The whole chart of both seats, or one hand."""
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
            from headsup.jamfold.ranges import strategy_range

            for one, play in PLAYS.items():
                result[f"{play}_range"] = str(strategy_range(found.game, found.played(one)))
    else:
        result |= _hand(found, stakes, seat, hand)
    if locked is not None:
        result["lock"] = _lock(found.game, locked, hand)
    return result


def _chart(game: str, played: Floats) -> dict[str, float]:
    """How often each hand class is played."""
    return {class_name(game, index): often for index, often in enumerate(played.tolist())}


def _hand(found: Answer, stakes: Stakes, seat: str, hand: int) -> dict[str, Any]:
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


def proof_dict(game: str, stakes: Stakes, proof: Certificate) -> dict[str, Any]:
    """Two given strategies, measured."""
    from headsup.jamfold.certificate import mistakes

    listed = [
        {
            "seat": one.seat,
            "hand_class": class_name(game, one.hand),
            "frequency": one.frequency,
            "gain_of_playing": _clean(one.gain_of_playing),
            "cost": one.cost,
        }
        for one in mistakes(proof)
    ]
    return {
        "game": game,
        "stack": stakes.effective,
        "value_sb": _clean(proof.value_sb),
        "best_response_sb": _clean(proof.most_sb),
        "best_response_bb": _clean(-proof.sure_sb),
        "exploitability_mbb": _clean(proof.exploitability_mbb),
        "jam_frequency": proof.jam_frequency,
        "call_frequency": proof.call_frequency,
        "mistakes": listed,
    }
