"""A hand between an agent and a guest, whose moves arrive one at a time from outside.

    setup = HandSetup(table, secret, number)
    now = begin(setup, agent)                  # the agent has moved as far as it can
    now = move(now, agent, Action("c"))        # Illegal if the rules forbid it
    text, dice = now.betting, now.dice         # all that must be kept besides the setup
    now = resume(setup, text, dice)            # the same hand again, maybe in another process

Each hand has its own seed, made from the match's secret by SHA-256, so past seeds do not reveal future ones.
"""

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
    """Represents the guest where two agents are needed."""

    name = GUEST

    def act(self, view: PlayerView) -> Action:
        raise NotImplementedError("a guest's moves come from outside")


def hand_seed(secret: bytes, number: int) -> int:
    """64 bits of a hash of the match's secret and the hand's number."""
    return int.from_bytes(sha256(secret + number.to_bytes(8, "big")).digest()[:8], "big")


@dataclass(frozen=True)
class HandSetup:
    """Which hand of which match: fixes its cards, the seats and the agent's dice."""

    table: Table
    secret: bytes
    number: int
    duplicate: bool = False  # whether hands 2k and 2k + 1 have the same cards, the seats changed

    @property
    def seat(self) -> int:
        """The guest's seat: the dealer's (0) in every second hand."""
        return self.number % 2

    @cached_property
    def deal(self) -> Deal:
        dealt = self.number // 2 if self.duplicate else self.number
        return self.table.deal_number(hand_seed(self.secret, dealt), dealt)

    @property
    def first_dice(self) -> int:
        """The state of the agent's dice when the hand begins."""
        return Dice(hand_seed(self.secret, self.number), self.number, SECOND).state


@dataclass(frozen=True)
class GuestHand:
    """A hand with a guest, at the guest's turn or over."""

    setup: HandSetup
    hand: TableHand
    dice: int  # where the agent's dice stand
    fault: Fault | None = None  # what ended it, if something did that is no move

    @property
    def betting(self) -> str:
        """The actions in short."""
        return betting_text(self.hand.steps, self._faults)

    @property
    def _faults(self) -> tuple[Fault, ...]:
        return () if self.fault is None else (self.fault,)

    def record(self, guest: str, agent: str) -> HandRecord:
        names = (guest, agent) if self.setup.seat == 0 else (agent, guest)
        return record(self.hand, self.setup.number, names, self._faults)


def begin(setup: HandSetup, agent: Agent) -> GuestHand:
    """Deal a hand; the agent moves until the guest's turn."""
    return answered(GuestHand(setup, setup.table.hand(setup.deal), setup.first_dice), agent)


def resume(setup: HandSetup, betting: str, dice: int, fault: Fault | None = None) -> GuestHand:
    hand = setup.table.hand(setup.deal)
    for action in parse_betting(betting):
        if action.kind == "x":
            hand.forfeit()
        else:
            hand.act(action)
    return GuestHand(setup, hand, dice, fault)


def moved(now: GuestHand, action: Action) -> GuestHand:
    """Apply the guest's move; `Illegal` if forbidden, with the hand unchanged."""
    now.hand.act(action)
    return now


def answered(now: GuestHand, agent: Agent) -> GuestHand:
    """The agent's moves until the guest's turn or the end; a fault forfeits the hand."""
    hand, fault = now.hand, None
    agent.dice = Dice.standing(now.dice)
    while not hand.over and hand.player != now.setup.seat:
        fault = turn(agent, hand)
        if fault is not None:
            hand.forfeit()
    return GuestHand(now.setup, hand, agent.dice.state, fault or now.fault)


def move(now: GuestHand, agent: Agent, action: Action) -> GuestHand:
    """The guest's move and the agent's answer."""
    return answered(moved(now, action), agent)


def given_up(now: GuestHand, why: str) -> GuestHand:
    """The guest has left: the agent wins the pot."""
    fault = Fault(now.setup.seat, "gone", why)
    now.hand.forfeit()
    return GuestHand(now.setup, now.hand, now.dice, fault)
