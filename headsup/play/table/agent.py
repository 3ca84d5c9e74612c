"""What can play: one method, `act(view) -> Action`, and three more that most need not have.

    class Caller(Player):
        name = "caller"
        def act(self, view: View) -> Action:
            return CALLS

`view` is what the player sees (`PlayerView`): cards, board, what was done, what is legal. Chance
comes from `self.dice`, which the referee sets before every hand, so that a seed repeats a match. An agent that says how
often it takes each action (`shares`) instead of taking one is a `Mixed`: it can be measured by AIVAT, which takes the
luck of its own choices out, and priced by LBR.

Agents are named in text, `name` or `name:rest`; `make_agent` finds who makes them. A maker is registered by name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from headsup.cards.combos import combos
from headsup.common.arrays import Floats
from headsup.common.checks import as_text, door, of_kind
from headsup.common.errors import UserError
from headsup.play.table.dice import Dice
from headsup.play.table.rules import Action, PlayerView, Table

if TYPE_CHECKING:
    from headsup.play.table.record import HandRecord


class Disconnected(Exception):
    """An agent's program has ended or does not answer any more: it loses this hand and is asked no more."""


class TimedOut(Exception):
    """An agent's answer did not come within its time: it loses this hand."""


@runtime_checkable
class Agent(Protocol):
    """What the referee calls; all but `act` may do nothing."""

    name: str
    dice: Dice
    """Where the agent's chance comes from; set before every hand."""
    memory: bool
    """Whether it learns from hand to hand. If not, hands may be played in any order and on any process."""

    def start(self, table: Table) -> None:
        """A session begins: what was learned is forgotten. The table may have other stacks from hand to hand."""

    def act(self, view: PlayerView) -> Action:
        """It is my turn."""

    def end(self, record: HandRecord, seat: int) -> None:
        """A hand is over; the other's cards are in the record only if they were shown. I sat in this seat."""

    def close(self) -> None:
        """Nothing more will be asked."""


PATIENCE = 1.0
"""Seconds that a person waits for a move."""


class Player(ABC):
    """An agent that needs only `act`."""

    name = "player"
    memory = False
    dice = Dice(0)
    seconds: float | None = None
    """What a move may take; for who can do with less, and then does not play quite the same on every machine."""

    def start(self, table: Table) -> None:  # noqa: B027
        """Nothing to prepare."""

    @abstractmethod
    def act(self, view: PlayerView) -> Action:
        """It is my turn."""

    def end(self, record: HandRecord, seat: int) -> None:  # noqa: B027
        """Nothing to learn."""

    def close(self) -> None:  # noqa: B027
        """Nothing to tidy up."""


ActionProbabilities = Sequence[tuple[Action, float]]
"""Actions, each once, and how often each is taken: above 0, together 1."""


class Mixed(Player):
    """An agent that says how often it takes each action; the dice choose."""

    blind = False
    """Whether it never looks at its cards, so that all hands are played alike."""

    @abstractmethod
    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        """How often I take each action here; the same whenever it is asked."""

    def hand_probabilities(self, view: PlayerView, action: Action) -> Floats:
        """[1326] how often each two-card hand would take an action that was taken here; for who reckons with ranges."""
        if self.blind:
            return np.full(len(combos(2)), dict(self.probabilities(view)).get(action, 0.0))
        views = (view._replace(hole=tuple(hole)) for hole in combos(2).tolist())
        return np.array([dict(self.probabilities(seen)).get(action, 0.0) for seen in views])

    def act(self, view: PlayerView) -> Action:
        """By the dice."""
        shares = self.probabilities(view)
        return shares[0][0] if len(shares) == 1 else shares[self.dice.pick([share for _, share in shares])][0]


Maker = Callable[[str, Table], Agent]
"""Makes an agent from what follows the colon of its name, for a table; a UserError if it cannot."""
MAKERS: dict[str, Maker] = {}
"""Who makes the agents of each name."""
HOMES = (
    *(f"play.agents.{name}" for name in ("baseline", "chart", "style", "strategy", "resolving", "discard", "lbr")),
    *(f"papers.{name}" for name in ("andersson2006.bot.agent", "ectomynx.bot.agent", "ectomynx.bot.advice")),
)
"""Modules that register agents when they are imported; they import what is heavy when an agent is made."""


def maker(name: str) -> Callable[[Maker], Maker]:
    """Register a maker under a name."""

    def register(make: Maker) -> Maker:
        MAKERS[name] = make
        return make

    return register


def nothing_after(name: str, rest: str) -> None:
    """Refuse what follows the name of an agent that takes nothing."""
    if rest:
        raise UserError(f"the agent {name} takes nothing after its name: leave out ':{rest}'")


@door(text=as_text, table=of_kind(Table))
def make_agent(text: str, table: Table) -> Agent:
    """The agent of this name, at this table."""
    for home in HOMES:
        import_module(f"headsup.{home}")
    name, _, rest = text.partition(":")
    if name not in MAKERS:
        raise UserError(f"'{text}' is not an agent: choose one of {', '.join(sorted(MAKERS))}")
    return MAKERS[name](rest, table)


def make_pair(first: str, second: str, table: Table) -> tuple[Agent, Agent]:
    """Two agents that meet at a table; who plays against a known opponent (`meet`) is told whom."""
    pair = make_agent(first, table), make_agent(second, table)
    for agent, other in (pair, pair[::-1]):
        meet = getattr(agent, "meet", None)
        if meet is not None:
            meet(other)
    return pair
