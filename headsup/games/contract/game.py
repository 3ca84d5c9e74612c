"""The contract between games and everything that solves them: eight methods, chance included.

A game is a set of rules over immutable, hashable states of the author's own choosing. Chance is a third player.

    root()                 where play starts
    player(state)          0, 1, CHANCE or TERMINAL
    actions(state)         what can happen next, as short names: a player's choices, or the outcomes of chance
    next(state, i)         the state after the i-th of those
    chance(state)          how likely each outcome is, at a chance state
    infoset(state)         what the player to move knows, as text; equal text means the states look the same to them
    payoff(state)          what player 0 wins at the end, in the game's own chips; player 1 wins the negative
    unit                   how many of those chips make one big blind (1 where the game has no blinds)

That chance adds up to one and that both players have perfect recall is checked when a game is flattened. Games in which
all but private hands is public should extend `headsup.games.contract.public.PublicGame`.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

CHANCE = -1
TERMINAL = -2

State = Any  # a game's own immutable value; only the game that made it looks inside


class Game(ABC):
    """The rules of a two-player zero-sum game of perfect recall."""

    name: str = "game"
    params: dict[str, Any]
    unit: float = 1.0

    @abstractmethod
    def root(self) -> State:
        """The state where play starts."""

    @abstractmethod
    def player(self, state: State) -> int:
        """The player to move: 0, 1, CHANCE, or TERMINAL when the game is over."""

    @abstractmethod
    def actions(self, state: State) -> Sequence[str]:
        """The names of what can happen next; at least one unless the game is over."""

    @abstractmethod
    def next(self, state: State, index: int) -> State:
        """The state after the action or outcome at this index of `actions(state)`."""

    @abstractmethod
    def chance(self, state: State) -> Sequence[float]:
        """The probability of each outcome of a chance state, in the order of `actions(state)`."""

    @abstractmethod
    def infoset(self, state: State) -> str:
        """What the player to move knows; two states with the same text are the same to them."""

    @abstractmethod
    def payoff(self, state: State) -> float:
        """What player 0 wins at the end; player 1 wins the negative of it."""

    def __str__(self) -> str:
        params = getattr(self, "params", {})
        return self.name + (":" + ",".join(f"{key}={value}" for key, value in params.items()) if params else "")

    def __repr__(self) -> str:
        return f"<Game {self}>"
