"""Matches on small games: any `headsup.games.contract.game.Game`, played by strategies that are known in full.

Kuhn, Leduc and similar games have information sets instead of a table, so expected values can be summed exactly and
compared with a match.

    uniform        every action with the same probability; `random` is the same
    caller, folder, raiser    check or call, check or fold, bet or raise, where the actions have such names
    equilibrium    solved by linear programming first
    solution:FILE  saved by `headsup solve --save`

AIVAT uses the exact value of every node under both policies (`SmallGame.values`).
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
"""For each seat and information set, the probability of each action."""
FIRST_LETTERS = {"caller": "ck", "folder": "fck", "raiser": "arbc"}
"""First letters of the actions that simple players choose, in order (k check, a all-in)."""
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
        """[nodes] the probability of a chance node's child."""
        self._chance = self.chance.tolist()

    def policy(self, text: str) -> Policy:
        """The policy with this name."""
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
            first, second = ([[1.0 / len(actions)] * len(actions) for _, actions in sets] for sets in self.sets)
        else:
            first, second = ([_pick(name, actions) for _, actions in sets] for sets in self.sets)
        return first, second

    def _from_table(self, table: Sequence[Mapping[str, Mapping[str, float]]], name: str) -> Policy:
        policy: list[list[list[float]]] = []
        for mine, sets in zip(table, self.sets, strict=True):
            if missing := [key for key, actions in sets if set(mine.get(key, ())) != set(actions)]:
                raise UserError(f"{name} does not belong to {self.game}: it lacks the decision '{missing[0]}'")
            policy.append([[mine[key][action] for action in actions] for key, actions in sets])
        return policy[0], policy[1]

    def probabilities(self, seats: Sequence[Policy | None]) -> Floats:
        """[nodes] the probability of each node given its parent; nan if the policy is unknown."""
        tree, probabilities = self.tree, self.chance.copy()
        for seat, policy in enumerate(seats):
            for node in np.flatnonzero(tree.player == seat):
                first, last = int(tree.child[node]), int(tree.child[node + 1])
                probabilities[first:last] = np.nan if policy is None else policy[seat][int(tree.infoset[node])]
        return probabilities

    def values(self, seats: tuple[Policy, Policy]) -> Floats:
        """[nodes] the value to seat 0."""
        probabilities, worth = self.probabilities(seats), self.tree.payoff.copy()
        for low, high in reversed(list(self.tree.levels())):
            for node in range(low, high):
                first, last = self._child[node], self._child[node + 1]
                if last > first:
                    worth[node] = float(probabilities[first:last] @ worth[first:last])
        return worth

    def corrections(self, seats: Sequence[Policy | None], worth: Floats) -> Floats:
        """[nodes] the AIVAT correction for reaching a node: its value minus the mean of its siblings; 0 where
        unknown.
        """
        probabilities = self.probabilities(seats)
        parent = np.maximum(self.parent, 0)
        expected = np.bincount(parent[1:], (probabilities * worth)[1:], self.tree.n_nodes)
        corrections = worth - expected[parent]
        corrections[0] = 0.0
        return np.where(np.isnan(corrections), 0.0, corrections)

    def play(self, policies: tuple[Policy, Policy], seed: int, number: int, deal: int, dealer: int) -> list[int]:
        """The nodes of one hand. `policies` are in player order; `dealer` is the player in seat 0."""
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
