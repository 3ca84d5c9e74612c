"""Compare two answers to the same decision before the flop, hand by hand.

`compare_checked_down(chart)` measures what play after the flop changes: how far each hand class moves from the answer
with pots checked down, and what that answer costs where the pot is played to the river. `compare_solutions` compares
two solutions of the same game before the flop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from headsup.cards.classes import holdem_class_name
from headsup.common.arrays import Floats
from headsup.common.checks import as_text, door, of_kind, whole
from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.stakes import CHIPS
from headsup.preflop.chart import PreflopChart
from headsup.preflop.view import PreflopView

if TYPE_CHECKING:
    from headsup.preflop.solve import PreflopSolution


@dataclass(frozen=True)
class PreflopComparison:
    """A decision by a chart, and the same decision by another answer."""

    view: PreflopView
    other: PreflopView

    def __post_init__(self) -> None:
        if self.view.actions != self.other.actions:
            here, there = (", ".join(view.actions) for view in (self.view, self.other))
            raise UserError(f"the actions differ, {here} and {there}: compare solutions with the same stack and menu")

    @property
    def change(self) -> Floats:
        """[169] how often a class acts differently: half the sum of the differences of its frequencies."""
        return np.asarray(np.abs(self.view.frequencies - self.other.frequencies).sum(axis=0) / 2.0)

    @property
    def cost(self) -> Floats:
        """[169] big blinds that a class loses by the other answer at this decision, by the values of the chart."""
        return np.asarray(((self.view.frequencies - self.other.frequencies) * self.view.ev).sum(axis=0))

    def summary(self) -> dict[str, Any]:
        """The whole range, in plain JSON values."""
        weights, cost = self.view.weights, np.where(self.view.weights > 0.0, self.cost, 0.0)
        return {
            "change": float(weights @ self.change),
            "cost_mbb": float(1000.0 * weights @ cost),
            "totals": self.view.totals,
            "other_totals": dict(zip(self.view.actions, (self.other.frequencies @ weights).tolist(), strict=True)),
        }

    def hands(self, most: int | None = None) -> list[dict[str, Any]]:
        """Hand classes in plain JSON values, those that lose most first; classes that never come are left out."""
        cost, change = self.cost, self.change
        order = [int(hand) for hand in np.argsort(-cost, kind="stable") if self.view.weights[hand] > 0.0]
        return [
            {
                "hand": holdem_class_name(hand),
                "cost_bb": float(cost[hand]),
                "change": float(change[hand]),
                "actions": [
                    {"name": name, "frequency": float(here), "other_frequency": float(there), "ev_bb": float(ev)}
                    for name, here, there, ev in zip(
                        self.view.actions,
                        self.view.frequencies[:, hand],
                        self.other.frequencies[:, hand],
                        self.view.ev[:, hand],
                        strict=True,
                    )
                ],
            }
            for hand in order[: None if most is None else whole(most, "most", 1)]
        ]


def compare_solutions(
    solution: PreflopSolution | PreflopChart, other: PreflopSolution | PreflopChart, line: str = ""
) -> PreflopComparison:
    """Compare a decision of two solutions of the same game: stack, blinds, ante and menu before the flop."""
    if not same_betting(solution.betting, other.betting):
        raise UserError(
            f"the games differ, {_game(solution)} and {_game(other)}: compare solutions with the same stack and menu "
            "before the flop, and the same blinds and ante"
        )
    return PreflopComparison(solution.at(line), other.at(line))


def same_betting(first: BettingTree, second: BettingTree) -> bool:
    """Whether two bettings have the same rules and actions."""
    names = ("parent", "player", "paid")
    return first.rules == second.rules and all(np.array_equal(getattr(first, n), getattr(second, n)) for n in names)


def _game(solution: PreflopSolution | PreflopChart) -> str:
    rules, menu = solution.betting.rules, solution.menu.partition(" before the flop")
    limp = "" if "no limp" not in menu[2] else ", no limp"
    ante = f", ante {rules.antes[0] / CHIPS:g}" if any(rules.antes) else ""
    return f"{solution.stack:g} bb ({menu[0]}{limp}; small blind {rules.blinds[0] / CHIPS:g}{ante})"


@door(chart=of_kind(PreflopChart), line=as_text)
def compare_checked_down(chart: PreflopChart, line: str = "", *, target: float = 0.5) -> PreflopComparison:
    """Compare a decision of a chart with the answer of the same game where pots are checked down after the flop.

    That game is solved to an exploitability of `target` mbb.
    """
    from headsup.preflop.solve import solve_preflop

    view, setting = chart.at(line), chart.setting
    game: dict[str, Any] = {"limp": setting.limp, "small_blind": setting.small_blind, "ante": setting.ante}
    other = solve_preflop(setting.stack, setting.menu, **game, target=target)
    return PreflopComparison(view, other.at(line))
