"""Two solved spots side by side: how the spots differ, their values, and where they play differently.

If a solution is worth w to the player out of position, and best responses gain g (out of position) and h (in position),
then w - h <= v <= w + g. So without rake the values of two solutions of one game differ by at most max(g + h', g' + h).
With rake, locks, or between two games there is no bound. `moved` is the fraction of all deals that take another action
at a decision: half the sum of the differences in frequency times the mean reach.
"""

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
from headsup.solve.records.solution import Locks, Solution
from headsup.spots.view import PLAYERS, SpotView

SAME = 1e-9  # differences below this are rounding


class SolvedSpot(Protocol):
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
    def at(self, line: str = "") -> SpotView: ...


@dataclass(frozen=True)
class LineDifference:
    """A decision of both spots, with the frequency of each action; nan where a spot lacks the action."""

    line: str
    player: str
    actions: tuple[str, ...]
    first: tuple[float, ...]
    second: tuple[float, ...]
    reach: tuple[float, float]  # how often the hand comes there, of all deals
    moved: float  # the share of all deals that go another way here

    def as_dict(self) -> dict[str, Any]:
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        shares = {key: [None if x != x else x for x in values[key]] for key in ("first", "second")}
        return {**values, **shares, "actions": list(self.actions), "reach": list(self.reach)}


@dataclass(frozen=True, repr=False)
class Comparison:
    """What two solutions have in common, and how they differ."""

    reasons: tuple[str, ...]  # what was different from the start, each in a few words
    values: tuple[tuple[float, float], tuple[float, float]]  # of each solution: chips that oop and ip win from the pot
    allowed: float | None  # how far the values of oop may be apart in chips; None where nothing bounds that
    lines: tuple[LineDifference, ...]  # where they play differently, the largest differences first

    @property
    def difference(self) -> float:
        """What oop wins in the second solution beyond the first, in chips."""
        return self.values[1][0] - self.values[0][0]

    @property
    def agrees(self) -> bool | None:
        """Whether the values are as close as both exploitabilities require; None where there is no bound."""
        return None if self.allowed is None else abs(self.difference) <= self.allowed + SAME

    def __repr__(self) -> str:
        verdict = {True: "within what both exploitabilities allow", False: "more than both allow", None: "no bound"}
        why = "; ".join(self.reasons) or "the same question"
        return (
            f"<Comparison: {why}; oop {self.difference:+.3f}, {verdict[self.agrees]}; {len(self.lines)} lines differ>"
        )

    def summary(self) -> dict[str, Any]:
        return {
            "reasons": list(self.reasons),
            "values": [list(pair) for pair in self.values],
            "difference": self.difference,
            "allowed": self.allowed,
            "agrees": self.agrees,
            "lines": [line.as_dict() for line in self.lines],
        }


@door(first=with_calls("a solved spot", "at"), second=with_calls("a solved spot", "at"))
def compare(first: SolvedSpot, second: SolvedSpot) -> Comparison:
    values = (first.value_oop, first.value_ip), (second.value_oop, second.value_ip)
    return Comparison(tuple(_reasons(first, second)), values, _allowed(first, second), tuple(_lines(first, second)))


def hands_apart(first: SolvedSpot, second: SolvedSpot, line: str) -> list[dict[str, Any]]:
    """The hands that both have at a decision, those first that play most differently for how often they come there.

    For each: its name, its weight (the mean of both), frequencies and expected values by action in both, and `moved`,
    half the sum of the differences in frequency.
    """
    views = [solved.at(line) for solved in (first, second)]
    places = [{int(combo): i for i, combo in enumerate(view.combos)} for view in views]
    hands = []
    for combo in places[0].keys() & places[1].keys():
        at = [place[combo] for place in places]
        shares = [
            dict(zip(v.actions, v.frequencies[:, i].tolist(), strict=True)) for v, i in zip(views, at, strict=True)
        ]
        values = [dict(zip(v.actions, v.ev[:, i].tolist(), strict=True)) for v, i in zip(views, at, strict=True)]
        evs = [
            {action: None if value != value else value for action, value in by_action.items()} for by_action in values
        ]
        moved = sum(abs(shares[0].get(a, 0.0) - shares[1].get(a, 0.0)) for a in {**shares[0], **shares[1]}) / 2.0
        weight = float(sum(v.weights[i] for v, i in zip(views, at, strict=True)) / 2.0)
        hands.append(
            {"hand": views[0].hands[at[0]], "weight": weight, "moved": moved, "frequencies": shares, "ev": evs}
        )
    return sorted(hands, key=lambda hand: (-hand["weight"] * hand["moved"], hand["hand"]))


def _reasons(first: SolvedSpot, second: SolvedSpot) -> list[str]:
    a, b, reasons = first.spot, second.spot, []
    for key in ("board", "dead", "pot", "stack", "rake"):
        if getattr(a, key) != getattr(b, key):
            reasons.append(f"{key}: {_told(a, key)} against {_told(b, key)}")
    for seat, key in enumerate(PLAYERS):
        if a.board == b.board and not np.array_equal(a.ranges[seat].weights, b.ranges[seat].weights):
            reasons.append(_range_difference(key, a.ranges[seat], b.ranges[seat]))
    if a.menu_text != b.menu_text:
        sizes = [f"{sum(spot.tree.decisions()):,}" for spot in (a, b)]
        reasons.append(
            f"menu: {a.menu_text} against {b.menu_text} ({sizes[0]} and {sizes[1]} decisions of the betting)"
        )
    if first.locks.checksum() != second.locks.checksum():
        texts = ["; ".join(solved.locks.texts) or "none" for solved in (first, second)]
        reasons.append(f"locks: {texts[0]} against {texts[1]}")
    near = [
        solved.exploitability_pot if not solved.locks else solved.exploitability_locked_pot or 0.0
        for solved in (first, second)
    ]
    if max(near) > 2.0 * min(near):
        reasons.append(f"how far they were solved: to {near[0]:.3%} of the pot against {near[1]:.3%}")
    for name, texts in (
        ("method", [solved.solution.method for solved in (first, second)]),
        ("store", [str(solved.solution.params.get("store", "float32")) for solved in (first, second)]),
    ):
        if texts[0] != texts[1]:
            reasons.append(f"{name}: {texts[0]} against {texts[1]}")
    return reasons


def _told(spot: Spot, key: str) -> str:
    value = getattr(spot, key)
    return " and ".join(f"{chips:,}" for chips in value) if isinstance(value, tuple) else str(value) or "none"


def _range_difference(key: str, first: Range, second: Range) -> str:
    only = [int(((x.weights > 0.0) & (y.weights == 0.0)).sum()) for x, y in ((first, second), (second, first))]
    if not any(only):
        return f"{key}: other weights of the same hands"
    return f"{key}: {counted(only[0])} in the first alone, {only[1]:,} in the second alone"


def _allowed(first: SolvedSpot, second: SolvedSpot) -> float | None:
    a, b = first.solution, second.solution
    if first.game.checksum != second.game.checksum or first.game.betting.total is None:
        return None
    return None if first.locks or second.locks else a.epsilon + b.epsilon


def _lines(first: SolvedSpot, second: SolvedSpot) -> list[LineDifference]:
    """The decisions of both trees that are played differently."""
    trees, taken = (first.game.betting, second.game.betting), (first.taken, second.taken)
    differences = []
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
        rows = [tuple(known.get(name, np.nan) for name in every) for known in shares]
        moved = float(np.abs(np.nan_to_num(rows[0]) - np.nan_to_num(rows[1])).sum()) / 2.0 * sum(reach) / 2.0
        if moved > SAME:
            player = PLAYERS[int(trees[0].player[node])]
            differences.append(
                LineDifference(trees[0].line(node), player, tuple(every), rows[0], rows[1], reach, moved)
            )
    return sorted(differences, key=lambda line: -line.moved)


def actions_taken(game: VectorGame, policy: Policy) -> dict[int, Floats]:
    """For each decision, the probability over all boards of reaching it and taking each action."""
    taken: dict[int, Floats] = {}
    for place in decisions_reached(game, policy):
        s = int(game.betting.street[place.node])
        boards = game.boards.levels[s].count[place.boards] * float(game.chance[s]) / game.mass  # type: ignore[attr-defined]
        here = np.einsum("b,bh,bah->a", boards, place.reach * place.met, place.probabilities)
        taken[place.node] = taken.get(place.node, np.zeros(len(here))) + here
    return taken
