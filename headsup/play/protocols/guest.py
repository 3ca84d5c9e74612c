"""A hand between an agent and a guest, whose moves come from outside, one at a time and whenever they like.

`headsup.play.table.referee` turns a hand in one go and asks both. Here the hand is put down whenever the guest is to
move, and taken up again from what was kept of it, maybe in another process:

    place = Place(table, secret, number)
    now = begin(place, agent)                  # the agent has moved as far as it can
    now = move(now, agent, Action("c"))        # Illegal if the rules forbid it, and then nothing has happened
    text, dice = now.betting, now.dice         # all that need be kept besides the place
    now = resume(place, text, dice)            # the same hand again

The same guest's moves make the same hand as the referee does with the same dice. Each hand has a seed of its own, made
of the match's secret by SHA-256: whoever has found out the seeds of all hands that were played knows none of the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from headsup.play.table.agent import Agent, Player
from headsup.play.table.dice import SECOND, Dice
from headsup.play.table.record import Fault, HandRecord, betting_text, parse_betting, record
from headsup.play.table.referee import turn
from headsup.play.table.rules import Action, Deal, PlayerView, Table, TableHand

GUEST = "guest"


class Guest(Player):
    """Stands for the guest where two agents are asked for; it says nothing of how it plays."""

    name = GUEST

    def act(self, view: PlayerView) -> Action:
        """Nobody asks."""
        raise NotImplementedError("a guest's moves come from outside")


def hand_seed(secret: bytes, number: int) -> int:
    """The seed of a hand: 64 bits of a hash of the match's secret and the hand's number."""
    return int.from_bytes(sha256(secret + number.to_bytes(8, "big")).digest()[:8], "big")


@dataclass(frozen=True)
class HandSetup:
    """Which hand of which match it is: what settles its cards, the seats and the agent's dice."""

    table: Table
    secret: bytes
    number: int
    duplicate: bool = False
    """Whether hands 2k and 2k + 1 have the same cards, the seats changed."""

    @property
    def seat(self) -> int:
        """Where the guest sits: the dealer's seat (0) in every second hand, the first among them."""
        return self.number % 2

    @cached_property
    def deal(self) -> Deal:
        """All cards of it."""
        dealt = self.number // 2 if self.duplicate else self.number
        return self.table.deal_number(hand_seed(self.secret, dealt), dealt)

    @property
    def first_dice(self) -> int:
        """Where the agent's dice stand when the hand begins."""
        return Dice(hand_seed(self.secret, self.number), self.number, SECOND).state


@dataclass(frozen=True)
class GuestHand:
    """A hand with a guest, at the guest's turn or over."""

    place: HandSetup
    hand: TableHand
    dice: int
    """Where the agent's dice stand."""
    fault: Fault | None = None
    """What ended it, if something did that is no move."""

    @property
    def betting(self) -> str:
        """What was done, in short."""
        return betting_text(self.hand.steps, self._faults)

    @property
    def _faults(self) -> tuple[Fault, ...]:
        return () if self.fault is None else (self.fault,)

    def record(self, guest: str, agent: str) -> HandRecord:
        """Of a hand that is over."""
        names = (guest, agent) if self.place.seat == 0 else (agent, guest)
        return record(self.hand, self.place.number, names, self._faults)


def begin(place: HandSetup, agent: Agent) -> GuestHand:
    """Deal a hand; the agent moves until the guest is to."""
    return answered(GuestHand(place, place.table.hand(place.deal), place.first_dice), agent)


def resume(place: HandSetup, betting: str, dice: int, fault: Fault | None = None) -> GuestHand:
    """A hand as it was put down."""
    hand = place.table.hand(place.deal)
    for action in parse_betting(betting):
        if action.kind == "x":
            hand.forfeit()
        else:
            hand.act(action)
    return GuestHand(place, hand, dice, fault)


def moved(now: GuestHand, action: Action) -> GuestHand:
    """The guest's move alone; `Illegal` if it is not allowed, and then nothing has happened."""
    now.hand.act(action)
    return now


def answered(now: GuestHand, agent: Agent) -> GuestHand:
    """The agent's moves, until the guest is to move or the hand is over; what it does wrong loses it the hand."""
    hand, fault = now.hand, None
    agent.dice = Dice.standing(now.dice)
    while not hand.over and hand.player != now.place.seat:
        fault = turn(agent, hand)
        if fault is not None:
            hand.forfeit()
    return GuestHand(now.place, hand, agent.dice.state, fault or now.fault)


def move(now: GuestHand, agent: Agent, action: Action) -> GuestHand:
    """The guest's move and the agent's answer."""
    return answered(moved(now, action), agent)


def given_up(now: GuestHand, why: str) -> GuestHand:
    """The guest has gone: the pot is the agent's."""
    fault = Fault(now.place.seat, "gone", why)
    now.hand.forfeit()
    return GuestHand(now.place, now.hand, now.dice, fault)
