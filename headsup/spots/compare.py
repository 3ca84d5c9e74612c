"""Two solved spots side by side: what was asked, what they are worth, and where they play differently.

- **Why they may differ**, in words: menus, ranges, chips, locks, how far each is from an equilibrium, method and store.
- **Values**. In a game without rake, let v be its value. If the strategies of a solution are worth w to the player out
  of position, who could gain g by a best reply while the other could gain h, then w - h <= v <= w + g. So the values of
  two solutions of one game differ by at most the greater of g + h' and g' + h. A record keeps `epsilon`, the greater
  of its two gains, so `epsilon + epsilon'` is what is allowed; that is at most twice the sum of the two
  exploitabilities, which are averages of two gains. With a rake, with locks, or between two games there is no bound.
- **Lines**. Decisions to which the same actions lead and both come, over all boards: how often each action is taken.
  What is different there counts by how often the hand comes there: `moved` is the share of all deals that go another
  way at this decision, half the sum of the differences in frequency times the mean of both reaches.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np

from headsup.cards.combos import counted
from headsup.cards.ranges import Range
from headsup.common.arrays import Floats
from headsup.common.checks import door, with_calls
from headsup.games.holdem.spot import Spot
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.walk import Policy
from headsup.solve.holdem.warm import decisions_reached, same_decisions
from headsup.solve.records.locks import Locks
from headsup.solve.records.solution import Solution
from headsup.spots.view import PLAYERS, View

SAME = 1e-9
"""Differences below this are rounding."""


class Solved(Protocol):
    """What is asked of a solved spot: `headsup.spots.solve.SpotSolution` is this."""

    @property
    def spot(self) -> Spot: ...
    @property
    def solution(self) -> Solution: ...
    @property
    def game(self) -> VectorGame: ...
    @property
    def locks(self) -> Locks: ...
    @property
    def value_oop(self) -> float: ...
    @property
    def value_ip(self) -> float: ...
    @property
    def exploitability_pot(self) -> float: ...
    @property
    def exploitability_locked_pot(self) -> float | None: ...
    @property
    def taken(self) -> Mapping[int, Floats]: ...
    def at(self, line: str = "") -> View: ...


@dataclass(frozen=True)
class LineDifference:
    """A decision that both spots have, and how often each action is taken there; nan where one has no such action."""

    line: str
    player: str
    actions: tuple[str, ...]
    first: tuple[float, ...]
    second: tuple[float, ...]
    reach: tuple[float, float]
    """How often the hand comes there, of all deals."""
    moved: float
    """The share of all deals that go another way here."""

    def as_dict(self) -> dict[str, Any]:
        """As plain JSON values."""
        told = {one.name: getattr(self, one.name) for one in fields(self)}
        shares = {key: [None if x != x else x for x in told[key]] for key in ("first", "second")}
        return {**told, **shares, "actions": list(self.actions), "reach": list(self.reach)}


@dataclass(frozen=True, repr=False)
class Comparison:
    """What two solutions have in common, and what not."""

    reasons: tuple[str, ...]
    """What was different from the start, each in a few words."""
    values: tuple[tuple[float, float], tuple[float, float]]
    """Of each solution: chips that oop and ip win from the pot."""
    allowed: float | None
    """How far the values of oop may be apart in chips; None where nothing bounds that."""
    lines: tuple[LineDifference, ...]
    """Where they play differently, the largest differences first."""

    @property
    def difference(self) -> float:
        """What oop wins in the second solution beyond the first, in chips."""
        return self.values[1][0] - self.values[0][0]

    @property
    def agrees(self) -> bool | None:
        """Whether the values are as near as both exploitabilities say they must be; None where nothing says so."""
        return None if self.allowed is None else abs(self.difference) <= self.allowed + SAME

    def __repr__(self) -> str:
        verdict = {True: "within what both exploitabilities allow", False: "more than both allow", None: "no bound"}
        why = "; ".join(self.reasons) or "the same question"
        return (
            f"<Comparison: {why}; oop {self.difference:+.3f}, {verdict[self.agrees]}; {len(self.lines)} lines differ>"
        )

    def summary(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            "reasons": list(self.reasons),
            "values": [list(pair) for pair in self.values],
            "difference": self.difference,
            "allowed": self.allowed,
            "agrees": self.agrees,
            "lines": [one.as_dict() for one in self.lines],
        }


@door(first=with_calls("a solved spot", "at"), second=with_calls("a solved spot", "at"))
def compare(first: Solved, second: Solved) -> Comparison:
    """Two solutions side by side."""
    values = (first.value_oop, first.value_ip), (second.value_oop, second.value_ip)
    return Comparison(tuple(_reasons(first, second)), values, _allowed(first, second), tuple(_lines(first, second)))


def hands_apart(first: Solved, second: Solved, line: str) -> list[dict[str, Any]]:
    """The hands that both have at a decision, those first that play most differently for how often they come there.

    For each: its name, its weight (the mean of both), frequencies and expected values by action in both, and `moved`,
    half the sum of the differences in frequency.
    """
    views = [one.at(line) for one in (first, second)]
    places = [{int(combo): i for i, combo in enumerate(view.combos)} for view in views]
    found = []
    for combo in places[0].keys() & places[1].keys():
        at = [place[combo] for place in places]
        shares = [
            dict(zip(v.actions, v.frequencies[:, i].tolist(), strict=True)) for v, i in zip(views, at, strict=True)
        ]
        values = [dict(zip(v.actions, v.ev[:, i].tolist(), strict=True)) for v, i in zip(views, at, strict=True)]
        told = [{action: None if value != value else value for action, value in one.items()} for one in values]
        moved = sum(abs(shares[0].get(a, 0.0) - shares[1].get(a, 0.0)) for a in {**shares[0], **shares[1]}) / 2.0
        weight = float(sum(v.weights[i] for v, i in zip(views, at, strict=True)) / 2.0)
        found.append(
            {"hand": views[0].hands[at[0]], "weight": weight, "moved": moved, "frequencies": shares, "ev": told}
        )
    return sorted(found, key=lambda one: (-one["weight"] * one["moved"], one["hand"]))


def _reasons(first: Solved, second: Solved) -> list[str]:
    """What was different before anything was solved."""
    a, b, found = first.spot, second.spot, []
    for key in ("board", "dead", "pot", "stack", "rake"):
        if getattr(a, key) != getattr(b, key):
            found.append(f"{key}: {_told(a, key)} against {_told(b, key)}")
    for seat, key in enumerate(PLAYERS):
        if a.board == b.board and not np.array_equal(a.ranges[seat].weights, b.ranges[seat].weights):
            found.append(_range_difference(key, a.ranges[seat], b.ranges[seat]))
    if a.menu_text != b.menu_text:
        sizes = [f"{sum(spot.tree.decisions()):,}" for spot in (a, b)]
        found.append(f"menu: {a.menu_text} against {b.menu_text} ({sizes[0]} and {sizes[1]} decisions of the betting)")
    if first.locks.checksum() != second.locks.checksum():
        said = ["; ".join(one.locks.texts) or "none" for one in (first, second)]
        found.append(f"locks: {said[0]} against {said[1]}")
    near = [
        one.exploitability_pot if not one.locks else one.exploitability_locked_pot or 0.0 for one in (first, second)
    ]
    if max(near) > 2.0 * min(near):
        found.append(f"how far they were solved: to {near[0]:.3%} of the pot against {near[1]:.3%}")
    for name, said in (
        ("method", [one.solution.method for one in (first, second)]),
        ("store", [str(one.solution.params.get("store", "float32")) for one in (first, second)]),
    ):
        if said[0] != said[1]:
            found.append(f"{name}: {said[0]} against {said[1]}")
    return found


def _told(spot: Spot, key: str) -> str:
    value = getattr(spot, key)
    return " and ".join(f"{chips:,}" for chips in value) if isinstance(value, tuple) else str(value) or "none"


def _range_difference(key: str, first: Range, second: Range) -> str:
    only = [int(((x.weights > 0.0) & (y.weights == 0.0)).sum()) for x, y in ((first, second), (second, first))]
    if not any(only):
        return f"{key}: other weights of the same hands"
    return f"{key}: {counted(only[0])} in the first alone, {only[1]:,} in the second alone"


def _allowed(first: Solved, second: Solved) -> float | None:
    a, b = first.solution, second.solution
    if first.game.checksum != second.game.checksum or first.game.betting.total is None:
        return None
    return None if first.locks or second.locks else a.epsilon + b.epsilon


def _lines(first: Solved, second: Solved) -> list[LineDifference]:
    """The decisions that both trees have and that are not played alike."""
    trees, taken = (first.game.betting, second.game.betting), (first.taken, second.taken)
    found = []
    for node, was in enumerate(same_decisions(*trees[::-1])):
        if was < 0 or node not in taken[0]:
            continue
        both = taken[0][node], taken[1][int(was)]
        names = trees[0].actions(node), trees[1].actions(int(was))
        every = list(dict.fromkeys((*names[0], *names[1])))
        reach = float(both[0].sum()), float(both[1].sum())
        if min(reach) <= SAME:
            continue  # where one never comes, it plays nothing
        shares = [
            {name: share / total for name, share in zip(known, row.tolist(), strict=True)}
            for known, row, total in zip(names, both, reach, strict=True)
        ]
        rows = [tuple(one.get(name, np.nan) for name in every) for one in shares]
        moved = float(np.abs(np.nan_to_num(rows[0]) - np.nan_to_num(rows[1])).sum()) / 2.0 * sum(reach) / 2.0
        if moved > SAME:
            player = PLAYERS[int(trees[0].player[node])]
            found.append(LineDifference(trees[0].line(node), player, tuple(every), rows[0], rows[1], reach, moved))
    return sorted(found, key=lambda one: -one.moved)


def actions_taken(game: VectorGame, policy: Policy) -> dict[int, Floats]:
    """For each decision, how often the hand comes there and each action is taken, over all boards."""
    found: dict[int, Floats] = {}
    for place in decisions_reached(game, policy):
        s = int(game.betting.street[place.node])
        boards = game.boards.levels[s].count[place.boards] * float(game.chance[s]) / game.mass  # type: ignore[attr-defined]
        here = np.einsum("b,bh,bah->a", boards, place.reach * place.met, place.shares)
        found[place.node] = found.get(place.node, np.zeros(len(here))) + here
    return found
