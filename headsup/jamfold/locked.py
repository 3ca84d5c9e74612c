"""Jam or fold against an opponent whose strategy is fixed: the equilibrium and the best response, side by side."""

from dataclasses import dataclass

from headsup.common.arrays import Floats
from headsup.common.display import brief
from headsup.games.holdem.classes import Classes
from headsup.jamfold.answer import JamFoldAnswer
from headsup.jamfold.game import Certificate, JamFoldGame


@dataclass(frozen=True, eq=False)
class SeatStrategy:
    """A strategy of one seat, measured from that seat, in big blinds."""

    strategy: Floats
    frequency: float
    against_locked: float  # its value against the fixed opponent
    against_equilibrium: float
    at_worst: float  # its value against a best response
    gain: float  # against the fixed opponent, over the value of the game
    risk: float  # at worst, below the value of the game

    __repr__ = brief


@dataclass(frozen=True, eq=False)
class Locked:
    """The strategies of one seat against an opponent whose strategy is fixed."""

    seat: str
    value: float  # of the game, to the seat
    locked_frequency: float
    equilibrium: SeatStrategy
    best_response: SeatStrategy
    ev: Floats  # of playing each class against the fixed opponent (given a jam, from the big blind)

    __repr__ = brief


def against_locked(table: Classes, answer: JamFoldAnswer, seat: str, locked: Floats) -> Locked:
    """Equilibrium and best response of one seat against a fixed strategy of the opponent."""
    game, small_blind = JamFoldGame.of(table, answer.payoffs), seat == "sb"
    sign = 1.0 if small_blind else -1.0
    value = sign * answer.value_sb

    def certify(strategy: Floats, opponent: Floats) -> Certificate:
        return game.certify(strategy, opponent) if small_blind else game.certify(opponent, strategy)

    def measured(strategy: Floats) -> tuple[SeatStrategy, Certificate]:
        proof, balanced = certify(strategy, locked), certify(strategy, answer.played("bb" if small_blind else "sb"))
        worst = proof.sure_sb if small_blind else -proof.most_sb
        now = sign * proof.value_sb
        frequency = proof.jam_frequency if small_blind else proof.call_frequency
        against = now, sign * balanced.value_sb, worst
        return SeatStrategy(strategy, frequency, *against, now - value, value - worst), proof

    equilibrium, proof = measured(answer.played(seat))
    best_response, _ = measured(game.best_response(seat, locked).strategy)
    locked_frequency = proof.call_frequency if small_blind else proof.jam_frequency
    return Locked(seat, value, locked_frequency, equilibrium, best_response, proof.ev(seat))
