"""What can play: one method, `act(view) -> Action`, and three optional ones.

    class Caller(Player):
        name = "caller"
        def act(self, view: PlayerView) -> Action:
            return CALLS

`view` is what the player sees: cards, board, past actions, legal actions. Random numbers come from `self.dice`, which
the referee sets before every hand, so a seed repeats a match. An agent that returns action probabilities is a `Mixed`:
AIVAT can remove the variance of its own choices, and LBR can measure it.

Agents have names, `name` or `name:options`; `make_agent` finds their makers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
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
    """An agent's program has ended or no longer answers: the agent forfeits this hand and all that follow."""


class TimedOut(Exception):
    """An agent did not answer in time: it loses this hand."""


@runtime_checkable
class Agent(Protocol):
    """What the referee calls."""

    name: str
    dice: Dice  # the agent's random numbers; the referee sets them before every hand
    memory: bool  # Whether the agent learns between hands. If not, hands may be played in any order.

    def start(self, table: Table) -> None:
        """Start a session and forget what was learned. Stacks may differ from hand to hand."""

    def act(self, view: PlayerView) -> Action:
        """Choose an action."""

    def end(self, record: HandRecord, seat: int) -> None:
        """Learn from a finished hand. The opponent's cards are in the record only if they were shown."""

    def close(self) -> None:
        """Release resources."""


PATIENCE = 1.0  # seconds per move when playing a person


class Player(ABC):
    """An agent that needs only `act`."""

    name = "player"
    memory = False
    dice = Dice(0)
    seconds: float | None = None  # Time limit per move. An agent that uses it may play differently on slower machines.

    def start(self, table: Table) -> None:  # noqa: B027
        ...

    @abstractmethod
    def act(self, view: PlayerView) -> Action: ...

    def end(self, record: HandRecord, seat: int) -> None:  # noqa: B027
        ...

    def close(self) -> None:  # noqa: B027
        ...


ActionProbabilities = Sequence[tuple[Action, float]]  # distinct actions with positive probabilities that sum to 1


def merge_actions(actions: Iterable[Action], probabilities: Iterable[float]) -> dict[Action, float]:
    """Sum the probabilities of equal actions; actions with probability 0 are dropped."""
    merged: dict[Action, float] = {}
    for action, probability in zip(actions, probabilities, strict=True):
        if probability > 0.0:
            merged[action] = merged.get(action, 0.0) + probability
    return merged


def row_of(action: Action, actions: Sequence[Action], rows: Floats) -> Floats:
    """[hands] the probability of an action, given [actions, hands] those of a list with repetitions."""
    return np.asarray(
        sum((row for other, row in zip(actions, rows, strict=True) if other == action), np.zeros(rows.shape[1]))
    )


def merge_rows(actions: Sequence[Action], rows: Floats) -> dict[Action, Floats]:
    """[hands] the probability of each action, given [actions, hands] those of a list with repetitions."""
    return {action: row_of(action, actions, rows) for action in dict.fromkeys(actions)}


class Mixed(Player):
    """An agent that returns the probability of each action; the dice choose."""

    blind = False  # whether the agent ignores its cards
    ranged = False  # whether `range_probabilities` takes about as long as `probabilities`

    @abstractmethod
    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        """The probability of each action here; deterministic."""

    def range_probabilities(self, view: PlayerView) -> dict[Action, Floats]:
        """[1326] for every action that some two-card hand takes here, the probability that each hand takes it."""
        if self.blind:
            return {action: np.full(len(combos(2)), p) for action, p in self.probabilities(view)}
        rows: dict[Action, Floats] = {}
        for i, hole in enumerate(combos(2).tolist()):
            for action, probability in self.probabilities(view._replace(hole=tuple(hole))):
                rows.setdefault(action, np.zeros(len(combos(2))))[i] = probability
        return rows

    def hand_probabilities(self, view: PlayerView, action: Action) -> Floats:
        """[1326] the probability that each two-card hand takes an action here."""
        row = self.range_probabilities(view).get(action)
        return np.zeros(len(combos(2))) if row is None else row

    def narrow(self, view: PlayerView, action: Action, reach: Floats) -> Floats:
        """[1326] the weights of a range after it takes an action here."""
        return reach * self.hand_probabilities(view, action)

    def act(self, view: PlayerView) -> Action:
        options = self.probabilities(view)
        return options[0 if len(options) == 1 else self.dice.pick([p for _, p in options])][0]


Maker = Callable[[str, Table], Agent]
"""Makes an agent from the text after the colon of its name; UserError if it cannot."""
MAKERS: dict[str, Maker] = {}
AGENTS = ("baseline", "chart", "adaptive", "style", "strategy", "resolving", "limit", "discard_resolving", "lbr")
HOMES = (
    *(f"play.agents.{name}" for name in AGENTS),
    *(f"papers.{name}" for name in ("andersson2006.bot.agent", "ectomynx.bot.agent", "ectomynx.bot.advice")),
)  # Modules that register agents on import. They import heavy code only when an agent is made.


def maker(name: str) -> Callable[[Maker], Maker]:
    """Register a maker under a name."""

    def register(make: Maker) -> Maker:
        MAKERS[name] = make
        return make

    return register


def nothing_after(name: str, rest: str) -> None:
    """Raise if text follows the name of an agent that takes no options."""
    if rest:
        raise UserError(f"the agent {name} takes nothing after its name: leave out ':{rest}'")


@door(text=as_text, table=of_kind(Table))
def make_agent(text: str, table: Table) -> Agent:
    for home in HOMES:
        import_module(f"headsup.{home}")
    name, _, rest = text.partition(":")
    if name not in MAKERS:
        raise UserError(f"'{text}' is not an agent: choose one of {', '.join(sorted(MAKERS))}")
    return MAKERS[name](rest, table)


def make_pair(first: str, second: str, table: Table) -> tuple[Agent, Agent]:
    """Two agents that play each other."""
    return introduced(make_agent(first, table), make_agent(second, table))


def introduced(first: Agent, second: Agent) -> tuple[Agent, Agent]:
    """Two agents that play each other; an agent with `meet` learns its opponent."""
    pair = first, second
    for agent, other in (pair, pair[::-1]):
        meet = getattr(agent, "meet", None)
        if meet is not None:
            meet(other)
    return pair
