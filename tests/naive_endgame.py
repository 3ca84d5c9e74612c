"""Endgames the slow way: few hand classes, one state at a time, plain loops, nothing shared with what is tested.

`few_classes` merges the 169 hold'em classes into a few; a player then knows only the merged class. `CutEndgame` is the
endgame as a flat game that stops after so many hands, for the linear program of the whole tree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from headsup.endgame.rules import Endgame
from headsup.games.contract.game import CHANCE, TERMINAL, Game
from headsup.games.holdem.classes import Classes, holdem_classes


def few_classes(number: int, outcomes: int = 3) -> Classes:
    """Hold'em with its classes merged by strength; with five outcomes, parts of wins and losses become quarters."""
    table = holdem_classes()
    pots = table.sums(np.ones(169)).pots
    of = np.empty(169, dtype=int)
    of[np.argsort(pots)] = np.arange(169) * number // 169
    member = np.eye(number)[of]
    sizes = member.T @ table.class_sizes
    weighted = member * table.class_sizes[:, None]
    ways = np.einsum("ax,abk,by->xyk", weighted, table.outcomes, member) / sizes[:, None, None]
    if outcomes == 5:
        win, tie, lose = np.moveaxis(ways, 2, 0)
        ways = np.stack([0.6 * win, 0.3 * win, tie + 0.1 * (win + lose), 0.3 * lose, 0.6 * lose], axis=2)
    counts = ways.sum(axis=2) / table.boards
    share = np.linspace(1, 0, outcomes)
    return Classes("holdem", 4 * ways @ share, counts, sizes=sizes.astype(np.int64), boards=table.boards, outcomes=ways)


def pair_chances(table: Classes) -> Any:
    """[A, B, outcomes]: how likely two classes are dealt and end so."""
    return table.outcomes * table.class_sizes[:, None, None] / table.boards / table.hands / table.total


def least(table: Classes, rules: Endgame, jam: Any, call: Any, hands: int, after: float) -> tuple[Any, Any]:
    """My chance by chips on the button and off it against the best reply in so many hands, then worth `after`.

    Fixed blinds; plain loops over states, hands and outcomes.
    """
    n, level, chance = rules.chips, rules.levels[-1], pair_chances(table)
    kinds, ways = range(table.classes), range(chance.shape[2])
    button = [0.0] + [after] * (n - 1) + [1.0]
    big = list(button)
    for _ in range(hands):
        new_button, new_big = list(button), list(big)
        for chips in range(1, n):
            hand = rules.hand(level, chips)
            total = 0.0
            for b in kinds:  # the opponent is in the big blind with b
                fold = sum(chance[a, b].sum() * (1 - jam[chips - 1][a]) for a in kinds) * big[hand.ends[0]]
                met = [sum(chance[a, b, k] * jam[chips - 1][a] for a in kinds) for k in ways]
                called = sum(met[k] * big[hand.ends[2 + k]] for k in ways)
                total += fold + (called if hand.called else min(called, sum(met) * big[hand.ends[1]]))
            new_button[chips] = total
            total = 0.0
            for a in kinds:  # the opponent is on the button with a
                fold = chance[a].sum() * button[n - hand.ends[0]]
                jammed = sum(
                    chance[a, b].sum() * (1 - call[chips - 1][b]) * button[n - hand.ends[1]]
                    + sum(chance[a, b, k] * call[chips - 1][b] * button[n - hand.ends[2 + k]] for k in ways)
                    for b in kinds
                )
                total += jammed if hand.all_in else min(fold, jammed)
            new_big[n - chips] = total
        button, big = new_button, new_big
    return np.array(button), np.array(big)


class CutEndgame(Game):
    """An endgame that stops after so many hands; whoever has not won or lost by then gets `after` of the button."""

    name = "endgame"

    def __init__(self, table: Classes, rules: Endgame, chips: int, hands: int, after: Callable[[int], float]) -> None:
        self.params, self.rules, self.hands, self.after = {}, rules, hands, after
        self.classes, self.ways = table.classes, table.outcomes.shape[2]
        self.deals = pair_chances(table)
        self.start = chips

    # A state: (what was seen so far, chips of the button, hand number, class of the button, of the big blind, moves).
    def root(self) -> Any:
        return ((), self.start, 0, None, None, "")

    def player(self, state: Any) -> int:
        _, chips, number, mine, _, moves = state
        if chips in (0, self.rules.chips) or (number == self.hands and mine is None):
            return TERMINAL
        if mine is None or moves == "jc":
            return CHANCE
        return (number + len(moves)) % 2

    def _hand(self, state: Any) -> Any:
        level = self.rules.schedule[min(state[2], self.rules.rising)]
        return self.rules.hand(level, state[1])

    def actions(self, state: Any) -> Sequence[str]:
        _, _, _, mine, _, moves = state
        if mine is None:
            return [f"{a}{b}" for a in range(self.classes) for b in range(self.classes)]
        if moves == "jc":
            return [f"way {k}" for k in range(self.ways)]
        hand = self._hand(state)
        forced = hand.all_in if not moves else hand.called
        return ["play"] if forced else ["fold", "play"]

    def next(self, state: Any, index: int) -> Any:
        seen, chips, number, mine, theirs, moves = state
        if mine is None:
            return (seen, chips, number, index // self.classes, index % self.classes, "")
        ends = self._hand(state).ends
        if moves == "jc":
            return self._after(state, ends[2 + index], f"showdown {index}")
        if self.actions(state)[index] == "fold":
            return self._after(state, ends[1 if moves else 0], "taken" if moves else "folded")
        return (seen, chips, number, mine, theirs, "jc" if moves else "j")

    def _after(self, state: Any, left: int, what: str) -> Any:
        seen, _, number, mine, theirs, _ = state
        if left in (0, self.rules.chips):  # all is over: the winner is who had the button, or not
            return (seen, left, number, None, None, "")
        step = (mine, theirs, what) if number % 2 == 0 else (theirs, mine, what)
        return ((*seen, step), self.rules.chips - left, number + 1, None, None, "")

    def chance(self, state: Any) -> Sequence[float]:
        if state[3] is None:
            return [float(p) for p in self.deals.sum(axis=2).reshape(-1)]
        ways = self.deals[state[3], state[4]]
        return [float(p) for p in ways / ways.sum()]

    def infoset(self, state: Any) -> str:
        seen, chips, number, mine, theirs, moves = state
        player = self.player(state)
        past = [(step[player], step[2]) for step in seen]
        own = mine if not moves else theirs
        return f"{past} {chips} {number} {own} {moves}"

    def payoff(self, state: Any) -> float:
        _, chips, number, _, _, _ = state
        n = self.rules.chips
        button = 1.0 if chips == n else 0.0 if chips == 0 else self.after(chips)
        return (button - 0.5) if number % 2 == 0 else (0.5 - button)
