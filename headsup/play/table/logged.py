"""A hand of a log, and how it differs from what the rules make of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from headsup.play.table.record import AssumedRanges, Fault, HandRecord, record
from headsup.play.table.rules import TableHand

SHOWN = 20  # how many differences and skipped hands are explained


@dataclass(frozen=True)
class LoggedHand:
    """A hand of a log, replayed by the rules. Pairs are in seat order, the dealer first."""

    label: str
    hand: TableHand | None  # the replayed hand; None if it breaks the rules
    wrong: str = ""  # which rule it breaks
    players: tuple[str, str] = ("", "")
    chips: tuple[Fraction, Fraction] | None = None  # what each player won according to the log, if it reports that
    second: tuple[Fraction, Fraction] | None = None  # what each player won according to PokerKit
    pot: int | None = None  # the final pot according to the log, without uncalled chips
    winners: tuple[bool, bool] | None = None  # who won chips according to the log
    number: int = 0
    faults: tuple[Fault, ...] = ()
    is_hand: bool = True  # false for other lines, such as a score
    left: str = ""  # why it is skipped: unreadable, another game, or unknown cards
    betting: TableHand | None = None  # what was played, if only the cards of its showdown are unknown
    assumed: AssumedRanges | None = None  # where two players of a larger table are left

    def differences(self) -> list[str]:
        """A sentence for each disagreement between the log and the rules."""
        if self.hand is None:
            return [self.unread]
        sentences = []
        chips = self.hand.chips
        if self.pot is not None and self.pot != self.hand.pot:
            sentences.append(f"{self.label}: the pot is {self.hand.pot} by the rules, but the log reports {self.pot}")
        for who, claim in (("the log", self.chips), ("PokerKit", self.second)):
            if claim is not None and any(won != own for won, own in zip(claim, chips, strict=True)):
                amounts = " and ".join(str(won) for won in claim)
                sentences.append(f"{self.label}: the rules pay {chips[0]} and {chips[1]}, but {who} reports {amounts}")
        if self.winners is not None and self.winners != _winners(self.hand):
            seats = " and ".join(name for name, won in zip(self.players, _winners(self.hand), strict=True) if won)
            sentences.append(f"{self.label}: the pot goes to {seats} by the rules, but the log reports otherwise")
        return sentences

    @property
    def unread(self) -> str:
        """Why the hand could not be replayed; empty if it could."""
        return "" if self.hand is not None else f"{self.label}: {self.left or self.wrong}"

    def record(self) -> HandRecord | None:
        if self.hand is None:
            return None
        return replace(record(self.hand, self.number, self.players, self.faults), assumed=self.assumed)


def _winners(hand: TableHand) -> tuple[bool, bool]:
    return hand.chips[0] + hand.paid[0] > 0, hand.chips[1] + hand.paid[1] > 0


def total_won(hands: Sequence[LoggedHand]) -> dict[str, int]:
    """Chips that each player has won by the rules."""
    won: dict[str, int] = {}
    for logged in hands:
        if logged.hand is not None:
            for name, chips in zip(logged.players, logged.hand.chips, strict=True):
                won[name] = won.get(name, 0) + chips
    return won
