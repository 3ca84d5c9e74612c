"""Games in which private hands are dealt first and all the rest is public, and their public trees.

A vector over private hands at a node of the small *public tree* replaces as many nodes of the plain tree as there are
hands. A `PublicGame` answers the contract by itself, from

    hands(seat)            the names of a player's private hands
    deal()                 how often each pair of hands is dealt, as a matrix of weights; 0 where two hands clash
    public_root()          the public state after the deal
    public_player(p)       0, 1, CHANCE or TERMINAL
    public_actions(p)      bets, or the public cards that may come
    public_next(p, i)      the public state after the i-th of those
    public_text(p)         what has happened in public, as text
    public_cards(p)        what chance has shown so far: any hashable value
    weight(cards)          the probability that chance shows that, for each pair of hands, as a matrix
    public_end(p)          how it ended: a number to multiply with, and a hashable key for ...
    result(key, cards)     ... the matrix of player 0's winnings by pair of hands

Where suits can be renamed, `twins` (how many public cards an outcome stands for) and `alike` (which hands a renaming
exchanges) let `public_tree(game, up_to_suits=True)` deal public cards only up to suits, without loss.
"""

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from headsup.common.arrays import Floats, Ints
from headsup.games.contract.game import CHANCE, Game, State

Public = Any  # a game's own public state


class PublicGame(Game):
    """A game of private hands and public moves; see the module's text for the eleven questions it answers."""

    @abstractmethod
    def hands(self, seat: int) -> Sequence[str]:
        """The names of the private hands that this player may hold."""

    @abstractmethod
    def deal(self) -> Floats:
        """The weight of each pair of hands, [hands of 0, hands of 1]; 0 where both cannot be held at once."""

    @abstractmethod
    def public_root(self) -> Public:
        """The public state right after the deal."""

    @abstractmethod
    def public_player(self, public: Public) -> int:
        """The player to move: 0, 1, CHANCE or TERMINAL."""

    @abstractmethod
    def public_actions(self, public: Public) -> Sequence[str]:
        """What can happen next in public."""

    @abstractmethod
    def public_next(self, public: Public, index: int) -> Public:
        """The public state after the action or card at this index."""

    @abstractmethod
    def public_text(self, public: Public) -> str:
        """All that has happened in public, as text."""

    @abstractmethod
    def public_end(self, public: Public) -> tuple[float, Hashable]:
        """At the end: a factor and the key of the result matrix it multiplies."""

    @abstractmethod
    def result(self, key: Hashable, cards: Hashable) -> Floats:
        """What player 0 wins for each pair of hands when play ends in this way with these public cards."""

    def public_cards(self, public: Public) -> Hashable:
        """What chance has shown in public so far."""
        return ()

    def weight(self, cards: Hashable) -> Floats:
        """The probability, for each pair of hands, that chance shows these public cards."""
        return np.ones_like(self.deal(), dtype=np.float64)

    def twins(self, public: Public) -> Sequence[int] | None:
        """At a chance state: how many outcomes each one stands for up to suits, 0 where another one stands for it."""
        return None

    def alike(self, public: Public) -> Ints | None:
        """A number for each hand; hands of one number differ only by a renaming that leaves the public cards alone."""
        return None

    # The eight methods of the contract follow from those above. A state is (), (hand of 0,) or (hand, hand, public).

    def root(self) -> State:
        return ()

    def player(self, state: State) -> int:
        """Chance deals twice; then the player of the public state."""
        return CHANCE if len(state) < 3 else self.public_player(state[2])

    def actions(self, state: State) -> Sequence[str]:
        """The hands that can be dealt, or what can happen in public."""
        if len(state) < 2:
            return [self.hands(len(state))[h] for h in self._dealt(state)[0]]
        return [self.public_actions(state[2])[i] for i in self._open(state)]

    def next(self, state: State, index: int) -> State:
        if len(state) < 2:
            hand = int(self._dealt(state)[0][index])
            return (*state, hand) if not state else (*state, hand, self.public_root())
        return (state[0], state[1], self.public_next(state[2], int(self._open(state)[index])))

    def chance(self, state: State) -> Sequence[float]:
        """The odds of the deal, or of the public cards given both hands."""
        if len(state) < 2:
            return list(self._dealt(state)[1])
        now = self._weight_at(state[2])[state[0], state[1]]
        return [
            float(self._weight_at(self.public_next(state[2], int(i)))[state[0], state[1]] / now)
            for i in self._open(state)
        ]

    def infoset(self, state: State) -> str:
        seat = self.public_player(state[2])
        return f"{self.hands(seat)[state[seat]]}|{self.public_text(state[2])}"

    def payoff(self, state: State) -> float:
        scale, key = self.public_end(state[2])
        return scale * float(self.result(key, self.public_cards(state[2]))[state[0], state[1]])

    def _dealt(self, state: State) -> tuple[Ints, Floats]:
        weights = self.deal().sum(axis=1) if not state else self.deal()[state[0]]
        some = np.flatnonzero(weights)
        return some.astype(np.int32), weights[some] / weights.sum()

    def _open(self, state: State) -> Sequence[int]:
        n = len(self.public_actions(state[2]))
        if self.public_player(state[2]) != CHANCE:
            return range(n)
        nexts = (self.public_next(state[2], i) for i in range(n))
        return [i for i, p in enumerate(nexts) if self._weight_at(p)[state[0], state[1]] > 0.0]

    def _weight_at(self, public: Public) -> Floats:
        return self.weight(self.public_cards(public))
