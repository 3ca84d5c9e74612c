"""Flat trees: a game becomes arrays once, and everything after works on arrays.

Nodes are numbered breadth-first: the children of node `v` are `child[v] .. child[v+1]-1`, and one loop upwards is a
walk down the tree. `walk(game)` visits any game of the contract and checks that chance adds up to one, that states that
look the same offer the same actions, and that players have perfect recall.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from headsup.common.arrays import Bytes, Floats, Ints
from headsup.common.errors import UserError
from headsup.games.contract.game import CHANCE, TERMINAL, Game, State
from headsup.games.trees.sequence import Labels, ListLabels, SequenceForm, assemble

if TYPE_CHECKING:
    from collections.abc import Sequence

NODE_LIMIT = 2**31 - 2
MOST_PAYOFF = 1e100  # so that what solvers add up and multiply stays within what a float can hold


def levels(child: Ints) -> Iterator[tuple[int, int]]:
    """The ranges of nodes at depth 0, 1, 2, ..."""
    low, high = 0, 1
    while low < high:
        yield low, high
        low, high = int(child[low]), int(child[high])


@dataclass(frozen=True)
class Tree:
    """A game as arrays over its nodes, breadth-first."""

    name: str
    unit: float
    player: Bytes  # [nodes] 0, 1, CHANCE or TERMINAL
    infoset: Ints  # [nodes] the mover's information set, -1 at chance and at the end
    child: Ints  # [nodes + 1] the children of v are child[v] .. child[v + 1] - 1
    chance: Floats  # [nodes] the product of chance's probabilities on the way here
    payoff: Floats  # [nodes] what player 0 wins here; 0 inside the tree
    firsts: tuple[Ints, Ints]  # [infosets + 1] each player's sequences by information set
    parents: tuple[Ints, Ints]  # [infosets] each player's last own sequence before an information set
    labels: tuple[Labels, Labels]

    def __repr__(self) -> str:
        return (
            f"<Tree of {self.name}: {self.n_nodes:,} nodes, {np.count_nonzero(self.player == TERMINAL):,} of them ends>"
        )

    @property
    def n_nodes(self) -> int:
        return len(self.player)

    @property
    def nbytes(self) -> int:
        return sum(a.nbytes for a in (self.player, self.infoset, self.child, self.chance, self.payoff))

    def levels(self) -> Iterator[tuple[int, int]]:
        """The ranges of nodes at depth 0, 1, 2, ..."""
        return levels(self.child)

    def own_sequences(self, seat: int) -> Ints:
        """One player's sequence at every node: the last of their own actions above it."""
        return own_sequences(self.player, self.infoset, self.child, self.firsts[seat], seat)

    def sequence_form(self) -> SequenceForm:
        """The payoffs by pairs of sequences, chance multiplied in."""
        ends = np.flatnonzero(self.player == TERMINAL)
        rows, cols = (self.own_sequences(seat)[ends] for seat in (0, 1))
        values = self.chance[ends] * self.payoff[ends]
        return assemble(self.name, self.unit, self.firsts, self.parents, self.labels, (rows, cols, values))


def own_sequences(player: Bytes, infoset: Ints, child: Ints, first: Ints, seat: int) -> Ints:
    """Carry a player's last sequence down the levels of a breadth-first tree."""
    out = np.zeros(len(player), dtype=np.int32)
    low, high = 0, 1
    while low < high:
        counts = np.diff(child[low : high + 1])
        begin, end = int(child[low]), int(child[high])
        mine = player[low:high] == seat
        base = np.where(mine, first[np.where(mine, infoset[low:high], 0)], out[low:high]).astype(np.int32)
        out[begin:end] = np.repeat(base, counts)
        nth = np.arange(begin, end, dtype=np.int32) - np.repeat(child[low:high], counts)
        out[begin:end] += np.where(np.repeat(mine, counts), nth, 0).astype(np.int32)
        low, high = begin, end
    return out


def own_parents(player: Bytes, infoset: Ints, sequence: Ints, labels: Labels, n: int, seat: int) -> Ints:
    """The parent sequence of each information set of a player, which must be the same at all its nodes."""
    nodes = np.flatnonzero(player == seat)
    parent = np.full(n, -1, dtype=np.int32)
    parent[infoset[nodes][::-1]] = sequence[nodes][::-1]
    forgets = np.flatnonzero(parent[infoset[nodes]] != sequence[nodes])
    if len(forgets):
        where = labels.infoset(int(infoset[nodes[forgets[0]]]))
        raise UserError(
            f"player {seat} forgets at information set '{where}' what they did before (imperfect recall): "
            "only games of perfect recall can be solved, so tell those states apart"
        )
    return parent


def walk(game: Game) -> Tree:
    """Visit every state through the eight methods of the contract, breadth-first: slow, and right for any game."""
    builder = _Builder(game)
    states: list[State] = [game.root()]
    chance = [1.0]
    at = 0
    while at < len(states):
        state, reach = states[at], chance[at]
        states[at] = None  # a visited state is no longer needed; big trees would hold all of them
        for child, probability in builder.visit(state):
            states.append(child)
            chance.append(reach * probability)
        at += 1
        if len(states) > NODE_LIMIT:
            raise UserError(f"{game} has more than {NODE_LIMIT:,} nodes: use a smaller game or an abstraction")
    return builder.tree(np.array(chance))


class _Builder:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.player: list[int] = []
        self.infoset: list[int] = []
        self.child: list[int] = [1]
        self.payoff: list[float] = []
        self.ids: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self.moves: tuple[list[Sequence[str]], list[Sequence[str]]] = ([], [])

    def visit(self, state: State) -> list[tuple[State, float]]:
        """Append one node and return its children with chance's probabilities (1 below a player)."""
        game, who = self.game, self.game.player(state)
        self.player.append(who)
        if who == TERMINAL:
            return self._end(game.payoff(state))
        moves = list(game.actions(state))
        if not moves:
            raise UserError(f"{game} offers no action at '{state}': such a state must be TERMINAL")
        self.child.append(self.child[-1] + len(moves))
        self.payoff.append(0.0)
        if who == CHANCE:
            self.infoset.append(-1)
            odds = self._odds(state, len(moves))
        elif who in (0, 1):
            self.infoset.append(self._infoset(who, state, moves))
            odds = [1.0] * len(moves)
        else:
            raise UserError(f"{game} has a player {who}: the players are 0 and 1, and chance is CHANCE")
        return [(game.next(state, i), odds[i]) for i in range(len(moves))]

    def _end(self, payoff: float) -> list[tuple[State, float]]:
        if not abs(payoff) <= MOST_PAYOFF:
            raise UserError(f"{self.game} has a payoff of {payoff:g}: payoffs must be finite, at most 1e100 in size")
        self.child.append(self.child[-1])
        self.infoset.append(-1)
        self.payoff.append(float(payoff))
        return []

    def _odds(self, state: State, n: int) -> list[float]:
        odds = [float(p) for p in self.game.chance(state)]
        if len(odds) != n or min(odds) < 0.0 or not abs(sum(odds) - 1.0) < 1e-9:
            raise UserError(
                f"chance in {self.game} at '{state}' must have {n} probabilities that add up to 1, not {odds}"
            )
        return odds

    def _infoset(self, who: int, state: State, moves: Sequence[str]) -> int:
        name = self.game.infoset(state)
        at = self.ids[who].setdefault(name, len(self.moves[who]))
        if at == len(self.moves[who]):
            self.moves[who].append(moves)
        elif list(self.moves[who][at]) != list(moves):
            raise UserError(
                f"information set '{name}' of {self.game} offers {list(moves)} in one state and "
                f"{list(self.moves[who][at])} in another: states that look the same must offer the same actions"
            )
        return at

    def tree(self, chance: Floats) -> Tree:
        """Close the columns into a tree, with each player's sequences and the recall check."""
        player = np.array(self.player, dtype=np.int8)
        infoset = np.array(self.infoset, dtype=np.int32)
        child = np.array(self.child, dtype=np.int32)
        firsts, parents, labels = [], [], []
        for seat in (0, 1):
            counts = [len(moves) for moves in self.moves[seat]]
            firsts.append(np.concatenate(([1], 1 + np.cumsum(counts))).astype(np.int32))
            labels.append(ListLabels(list(self.ids[seat]), self.moves[seat]))
            sequence = own_sequences(player, infoset, child, firsts[seat], seat)
            parents.append(own_parents(player, infoset, sequence, labels[seat], len(counts), seat))
        return Tree(
            name=str(self.game),
            unit=self.game.unit,
            player=player,
            infoset=infoset,
            child=child,
            chance=chance,
            payoff=np.array(self.payoff),
            firsts=(firsts[0], firsts[1]),
            parents=(parents[0], parents[1]),
            labels=(labels[0], labels[1]),
        )
