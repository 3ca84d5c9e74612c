"""Jam or fold against an opponent whose strategy is fixed: the equilibrium and the best response, side by side."""

from __future__ import annotations

from dataclasses import dataclass

from headsup.common.arrays import Floats
from headsup.common.display import brief
from headsup.games.holdem.classes import Classes
from headsup.jamfold.answer import Answer
from headsup.jamfold.certificate import Certificate, best_reply, certify
from headsup.jamfold.gains import JamFoldGains, jamfold_gains


@dataclass(frozen=True, eq=False)
class Choice:
    """One of my strategies, measured from my seat, in big blinds."""

    strategy: Floats
    frequency: float
    against_locked: float
    """What it is worth against the fixed opponent."""
    against_equilibrium: float
    at_worst: float
    """What it is worth against the opponent who answers it best."""
    gain: float
    """Against the fixed opponent, over the value of the game."""
    risk: float
    """At worst, below the value of the game."""

    __repr__ = brief


@dataclass(frozen=True, eq=False)
class Locked:
    """My choices against an opponent whose strategy is fixed."""

    seat: str
    value: float
    """Of the game, to me."""
    locked_frequency: float
    equilibrium: Choice
    best_response: Choice
    ev: Floats
    """Of playing each class against the fixed opponent (given a jam, from the big blind)."""

    __repr__ = brief


def against_locked(table: Classes, found: Answer, seat: str, locked: Floats) -> Locked:
    """Equilibrium and best response of one seat against a fixed strategy of the other."""
    game = jamfold_gains(table, found.payoffs)
    mine, theirs = found.played(seat), found.played("bb" if seat == "sb" else "sb")
    reply = best_reply(game, seat, locked)
    sign = 1.0 if seat == "sb" else -1.0
    value = sign * found.value_sb

    def measured(strategy: Floats) -> tuple[Choice, Certificate]:
        first, second = (_proof(game, seat, strategy, other) for other in (locked, theirs))
        worst = first.sure_sb if seat == "sb" else -first.most_sb
        now = sign * first.value_sb
        frequency = first.jam_frequency if seat == "sb" else first.call_frequency
        return Choice(strategy, frequency, now, sign * second.value_sb, worst, now - value, value - worst), first

    (balanced, proof), (best, _) = measured(mine), measured(reply.strategy)
    other_frequency = proof.call_frequency if seat == "sb" else proof.jam_frequency
    return Locked(seat, value, other_frequency, balanced, best, proof.ev_jam if seat == "sb" else proof.ev_call)


def _proof(game: JamFoldGains, seat: str, mine: Floats, theirs: Floats) -> Certificate:
    return certify(game, mine, theirs) if seat == "sb" else certify(game, theirs, mine)
