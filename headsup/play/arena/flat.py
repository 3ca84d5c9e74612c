"""Matches on small games: any `headsup.games.contract.game.Game`, played by strategies that are known in full.

Kuhn, Leduc and their like have no deck and no table; they have information sets. A policy says for each of them how
often each action is taken, so every expected value can be summed exactly, and a match can be held against it.

    uniform        every action equally often; `random` is the same
    caller, folder, raiser    check or call, check or fold, bet or raise, where the actions have such names
    equilibrium    solved by linear programming first
    solution:FILE  what `headsup solve --save` saved

AIVAT (`headsup.play.statistics.values` tells what it is) has here the best value function there is, the exact value of
every node under both policies (`SmallGame.values`); any other array over the nodes may be given instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from headsup.common.arrays import Floats
from headsup.common.errors import UserError
from headsup.games.catalogue.forms import flatten
from headsup.games.contract.game import CHANCE, TERMINAL, Game
from headsup.play.table.dice import DECK, FIRST, Dice

Policy = tuple[Sequence[Sequence[float]], Sequence[Sequence[float]]]
"""For each seat, by the number of the information set, how often each action is taken."""
FIRST_LETTERS = {"caller": "ck", "folder": "fck", "raiser": "arbc"}
"""What simple players look for among the actions, in order: by their first letters (k for a check, a for all-in)."""
NAMES = (*FIRST_LETTERS, "uniform", "random", "equilibrium")


class SmallGame:
    """A small game as the arrays of its flat tree, ready to be played."""

    def __init__(self, game: Game) -> None:
        self.game, self.tree = game, flatten(game)
        tree = self.tree
        self.unit = float(tree.unit)
        self.sets = tuple(
            [(labels.infoset(i), list(labels.actions(i))) for i in range(len(first) - 1)]
            for labels, first in zip(tree.labels, tree.firsts, strict=True)
        )
        self._player, self._child, self._infoset = (a.tolist() for a in (tree.player, tree.child, tree.infoset))
        self._payoff = tree.payoff.tolist()
        counts = np.diff(tree.child)
        self.parent = np.concatenate([[-1], np.repeat(np.arange(tree.n_nodes), counts)])
        above = tree.chance[np.maximum(self.parent, 0)]
        self.chance = np.where(above > 0.0, tree.chance / np.where(above > 0.0, above, 1.0), 0.0)
        """[nodes] of a chance node's child, how likely it is there."""
        self._chance = self.chance.tolist()

    def policy(self, text: str) -> Policy:
        """The policy of this name."""
        name, colon, rest = text.partition(":")
        if name == "solution" and rest:
            from headsup.solve.records.solution import Solution

            return self._from_table(Solution.load(rest).table(), rest)
        if colon or name not in NAMES:
            known = ", ".join((*NAMES, "solution:FILE"))
            raise UserError(f"'{text}' does not play {self.game}: choose one of {known}")
        if name == "equilibrium":
            from headsup.solve.methods import solve

            return self._from_table(solve(self.game, "lp").table(), "the solution")
        if name in ("uniform", "random"):
            first, second = ([[1.0 / len(actions)] * len(actions) for _, actions in one] for one in self.sets)
        else:
            first, second = ([_pick(name, actions) for _, actions in one] for one in self.sets)
        return first, second

    def _from_table(self, table: Sequence[Mapping[str, Mapping[str, float]]], name: str) -> Policy:
        found: list[list[list[float]]] = []
        for mine, sets in zip(table, self.sets, strict=True):
            if missing := [key for key, actions in sets if set(mine.get(key, ())) != set(actions)]:
                raise UserError(f"{name} does not belong to {self.game}: it lacks the decision '{missing[0]}'")
            found.append([[mine[key][action] for action in actions] for key, actions in sets])
        return found[0], found[1]

    def probabilities(self, seats: Sequence[Policy | None]) -> Floats:
        """[nodes] how often the way from its parent is taken, by chance or by the policies of the seats; nan where it
        is not known.
        """
        tree, found = self.tree, self.chance.copy()
        for seat, policy in enumerate(seats):
            for node in np.flatnonzero(tree.player == seat):
                first, last = int(tree.child[node]), int(tree.child[node + 1])
                found[first:last] = np.nan if policy is None else policy[seat][int(tree.infoset[node])]
        return found

    def values(self, seats: tuple[Policy, Policy]) -> Floats:
        """[nodes] what each is worth to seat 0."""
        shares, worth = self.probabilities(seats), self.tree.payoff.copy()
        for low, high in reversed(list(self.tree.levels())):
            for node in range(low, high):
                first, last = self._child[node], self._child[node + 1]
                if last > first:
                    worth[node] = float(shares[first:last] @ worth[first:last])
        return worth

    def luck(self, seats: Sequence[Policy | None], worth: Floats) -> Floats:
        """[nodes] what AIVAT takes off the result of a hand that goes through a node: its value less the mean of those
        beside it; 0 where nobody knows how often it is chosen.
        """
        shares = self.probabilities(seats)
        parent = np.maximum(self.parent, 0)
        meant = np.bincount(parent[1:], (shares * worth)[1:], self.tree.n_nodes)
        found = worth - meant[parent]
        found[0] = 0.0
        return np.where(np.isnan(found), 0.0, found)

    def play(self, policies: tuple[Policy, Policy], seed: int, number: int, deal: int, dealer: int) -> list[int]:
        """The nodes that one hand goes through. `policies` go by player; `dealer` is the player in seat 0."""
        chance = Dice(seed, deal, DECK)
        dice = [Dice(seed, number, FIRST + player) for player in (0, 1)]
        node, path = 0, [0]
        while (seat := self._player[node]) != TERMINAL:
            first, last = self._child[node], self._child[node + 1]
            if seat == CHANCE:
                chosen = chance.pick(self._chance[first:last])
            else:
                player = seat ^ dealer
                chosen = dice[player].pick(policies[player][seat][self._infoset[node]])
            node = first + chosen
            path.append(node)
        return path

    def payoff(self, path: Sequence[int]) -> float:
        """What seat 0 won."""
        return float(self._payoff[path[-1]])


def _pick(name: str, actions: Sequence[str]) -> list[float]:
    for letter in FIRST_LETTERS[name]:
        for i, action in enumerate(actions):
            if action[:1].lower() == letter:
                return [float(i == j) for j in range(len(actions))]
    there = ", ".join(actions)
    raise UserError(f"{name} needs actions that begin with one of '{FIRST_LETTERS[name]}', and here are {there}")
