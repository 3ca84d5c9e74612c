"""A hand as somebody's log tells it, and how that differs from what the rules make of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from headsup.play.table.record import Fault, HandRecord, record
from headsup.play.table.rules import TableHand

SHOWN = 20
"""How many differences, and hands that are left out, are explained in words."""


@dataclass(frozen=True)
class LoggedHand:
    """One hand of a log, refereed again. Pairs go by our seats, the dealer first."""

    label: str
    """What the log calls it."""
    hand: TableHand | None
    """The hand as the rules played it; None if they could not."""
    wrong: str = ""
    """What in it breaks the rules."""
    players: tuple[str, str] = ("", "")
    chips: tuple[Fraction, Fraction] | None = None
    """What the log says that each won; None if it does not say."""
    second: tuple[Fraction, Fraction] | None = None
    """What a second referee says, PokerKit's."""
    pot: int | None = None
    """What the log says was in the middle at the end, uncalled chips taken out."""
    winners: tuple[bool, bool] | None = None
    """Whom the log says that the pot, or a part of it, went to."""
    number: int = 0
    faults: tuple[Fault, ...] = ()
    is_hand: bool = True
    """False for what a log says beside its hands, such as a score."""
    left: str = ""
    """Why it is left out: it cannot be read, is a hand of another game, or cards of it are unknown."""

    def differences(self) -> list[str]:
        """A sentence for each thing that the log and the rules do not agree on."""
        if self.hand is None:
            return [self.unread]
        found = []
        chips = self.hand.chips
        if self.pot is not None and self.pot != self.hand.pot:
            found.append(f"{self.label}: the pot is {self.hand.pot} by the rules, and the log says {self.pot}")
        for who, claim in (("the log", self.chips), ("PokerKit", self.second)):
            if claim is not None and any(one != own for one, own in zip(claim, chips, strict=True)):
                told = " and ".join(str(one) for one in claim)
                found.append(f"{self.label}: {chips[0]} and {chips[1]} are won by the rules, and {who} says {told}")
        if self.winners is not None and self.winners != _winners(self.hand):
            seats = " and ".join(name for name, won in zip(self.players, _winners(self.hand), strict=True) if won)
            found.append(f"{self.label}: the pot goes to {seats} by the rules, and the log says otherwise")
        return found

    @property
    def unread(self) -> str:
        """In one sentence why there is no hand; empty where there is one."""
        return "" if self.hand is not None else f"{self.label}: {self.left or self.wrong}"

    def record(self) -> HandRecord | None:
        """The record of the hand, for analysis."""
        return None if self.hand is None else record(self.hand, self.number, self.players, self.faults)


def _winners(hand: TableHand) -> tuple[bool, bool]:
    """Who gets something of the pot."""
    return hand.chips[0] + hand.paid[0] > 0, hand.chips[1] + hand.paid[1] > 0


def total_won(told: Sequence[LoggedHand]) -> dict[str, int]:
    """Chips that each player has won by the rules over hands."""
    won: dict[str, int] = {}
    for one in told:
        if one.hand is not None:
            for name, chips in zip(one.players, one.hand.chips, strict=True):
                won[name] = won.get(name, 0) + chips
    return won
