"""One decision before the flop: frequencies and values of the 169 hand classes.

A `Tables` holds [rows, 169] for each seat: the rows of its decisions one after another in the order of the betting
tree, a row for each action. Nothing here is compiled, so that a chart is shown at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from headsup.cards.classes import (
    class_means,
    holdem_class_name,
    holdem_class_of_combo,
    holdem_class_sizes,
    parse_holdem_class,
)
from headsup.cards.combos import holdem_combos
from headsup.common.arrays import Floats
from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.line import parse_line
from headsup.games.betting.rules import DEAL, FOLD
from headsup.games.betting.stakes import CHIPS, SEATS

DEALS = 1326 * 1225
"""Pairs of hands."""
Tables = tuple[Floats, Floats]
NEVER = 1e-3
"""A smaller reach counts as never: averages of solvers are never quite 0."""
LEAST_SHOWN = 1e-5
RARE = 0.005
"""A decision that a smaller share of deals reaches is marked."""
WRONG = 10.0
"""A decision where the mix loses more mbb by its own values is marked."""


@dataclass(frozen=True)
class PreflopView:
    """One decision: the strategy of each of the 169 classes, and its values."""

    line: str
    player: str  # `sb` or `bb`
    actions: tuple[str, ...]
    reach: Floats  # [169] how many hands of a class come here
    weights: Floats  # [169] the share of each class among those that come here; they add up to 1
    reached: float  # the share of deals that come here
    frequencies: Floats  # [actions, 169]
    ev: Floats
    """[actions, 169] big blinds won or lost since the deal, if the action is taken once; nan if nobody comes here."""
    exact: bool = False
    """Whether the values are."""
    rough: str = ""
    """Why the values of single hands may be wrong in the whole solution; empty if they are not."""

    @property
    def totals(self) -> dict[str, float]:
        """The frequency of each action."""
        return dict(zip(self.actions, (self.frequencies @ self.weights).tolist(), strict=True))

    @property
    def value(self) -> Floats:
        """[169] what each class earns by its own mix, in big blinds."""
        return np.asarray(np.where(self.frequencies > 0.0, self.frequencies * self.ev, 0.0).sum(axis=0))

    @property
    def loss_mbb(self) -> float:
        """How much less the mix earns than the best action of every class, by the same values; 0 in an equilibrium."""
        here = self.weights > 0.0
        best, value = self.ev[:, here].max(axis=0), self.value[here]
        return float(1000.0 * self.weights[here] @ np.nan_to_num(best - value))

    @property
    def caution(self) -> str | None:
        """Why frequencies or values are less reliable here than elsewhere; None if they are not."""
        rare = rarely(self.reached, "this decision")
        wrong = f"the mix loses {self.loss_mbb:.1f} mbb here by its own values" if self.loss_mbb > WRONG else ""
        why = " and ".join(filter(None, (rare, wrong)))
        what = "frequencies" if self.exact and not rare else f"frequencies {'and' if rare else 'or'} values"
        here = f"{why}: {what} are less reliable" if why else ""
        return "; ".join(filter(None, (here, self.rough))) or None

    def hand(self, name: str) -> dict[str, Any]:
        """One class, such as A9s, as plain values; `best` is the action with the highest value."""
        number = parse_holdem_class(name)
        known = bool(np.isfinite(self.ev[:, number]).all())
        return {
            "hand": holdem_class_name(number),
            "reach": float(self.reach[number]),
            "never": bool(self.reach[number] < NEVER * holdem_class_sizes()[number]),
            "frequencies": dict(zip(self.actions, self.frequencies[:, number].tolist(), strict=True)),
            "ev": dict(zip(self.actions, self.ev[:, number].tolist(), strict=True)),
            "best": self.actions[int(self.ev[:, number].argmax())] if known else None,
            "loss_bb": float(self.ev[:, number].max() - self.value[number]) if known else None,
        }

    def table(self, hand: str | None = None) -> list[dict[str, Any]]:
        """Each action with its frequency and expected value, of a class or of the hands that take it."""
        if hand is not None:
            known = self.hand(hand)
            return [
                {"name": name, "frequency": known["frequencies"][name], "ev_bb": known["ev"][name]}
                for name in self.actions
            ]
        taken = self.frequencies * self.weights
        some = taken.sum(axis=1)
        earned = np.where(taken > 0.0, taken * self.ev, 0.0).sum(axis=1)
        return [
            {"name": name, "frequency": float(share), "ev_bb": float(total / share) if share > 0.0 else None}
            for name, share, total in zip(self.actions, some, earned, strict=True)
        ]

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values, by class."""
        names = [holdem_class_name(number) for number in range(len(self.reach))]
        figures: dict[str, Any] = {
            "line": self.line,
            "player": self.player,
            "actions": list(self.actions),
            "totals": self.totals,
        }
        figures |= {"reached": self.reached, "loss_mbb": self.loss_mbb, "caution": self.caution}
        shares = {name: self.frequencies[:, i].tolist() for i, name in enumerate(names)}
        return figures | {"frequencies": shares, "ev": {name: self.ev[:, i].tolist() for i, name in enumerate(names)}}


def view_at(
    betting: BettingTree, probabilities: Tables, line: str, ev: Floats, exact: bool = False, rough: str = ""
) -> PreflopView:
    """The decision after a line; `ev` has the rows of that decision."""
    node = node_after(betting, line)
    seat = int(betting.player[node])
    own, other = reach_of(betting, probabilities, node, seat), reach_of(betting, probabilities, node, 1 - seat)
    weights = pairs_reaching(own, other)
    return PreflopView(
        line=line.strip(),
        player=SEATS[seat],
        actions=tuple(in_blinds(action) for action in betting.actions(node)),
        reach=own,
        weights=weights / weights.sum() if weights.sum() > 0.0 else weights,
        reached=float(weights.sum()) / DEALS,
        frequencies=probabilities[seat][rows_at(betting, node)],
        ev=ev,
        exact=exact,
        rough=rough,
    )


def pairs_reaching(own: Floats, other: Floats) -> Floats:
    """[169] in how many pairs of hands each class comes to a place, by what both players bring there."""
    return np.asarray(own * hands_met(other))


def rarely(reached: float, place: str) -> str:
    """What is said of a place that few deals reach; empty for others."""
    share = f"only {reached:.3%}" if reached >= LEAST_SHOWN else f"less than {LEAST_SHOWN:.3%}"
    return f"{share} of deals reach {place}" if reached < RARE else ""


def rows_at(betting: BettingTree, node: int) -> slice:
    """Where the rows of a decision lie in the table of its player."""
    first = int(betting.count[:node][betting.player[:node] == betting.player[node]].sum())
    return slice(first, first + int(betting.count[node]))


def row_counts(betting: BettingTree) -> tuple[int, int]:
    """How many rows each player has before the flop."""
    first, second = (int(betting.count[betting.player == seat].sum()) for seat in (0, 1))
    return first, second


def reach_of(betting: BettingTree, probabilities: Tables, node: int, seat: int) -> Floats:
    """[169] how many hands of each class a seat has where a line leads, by its own actions."""
    reach = holdem_class_sizes().astype(np.float64)
    for above, choice in reversed(betting.choices_to(node)):
        if betting.player[above] == seat:
            reach *= probabilities[seat][rows_at(betting, above)][choice]
    return reach


def hands_met(reach: Floats) -> Floats:
    """[169] how many of the opponent's hands a hand of each class meets: those that share no card with it."""
    each, cards = (reach / holdem_class_sizes())[holdem_class_of_combo()], holdem_combos()
    with_card = np.bincount(cards.ravel(), np.repeat(each, 2), 52)
    return class_means(reach.sum() - with_card[cards].sum(axis=1) + each)


def sees_flop(betting: BettingTree, line: str) -> bool:
    """Whether a flop comes after a line."""
    return int(betting.player[node_after(betting, line, ended=True)]) not in (0, 1, FOLD)


def node_after(betting: BettingTree, line: str, ended: bool = False) -> int:
    """The node to which a line leads; one where nobody acts only if the hand may have `ended`.

    Players' words are read, too, in any case: a limp is the small blind's first call, a jam or shove is all-in.
    """
    node = 0
    for part in line.split(",") if line.strip() else ():
        word = re.sub(r"^(jam|shove|all ?in)\b", "all-in", part.strip().lower())
        try:
            for step in parse_line(in_chips("call" if word == "limp" and node == 0 else word)):
                node = betting.after(node, step)
        except UserError:
            offered = ", ".join(map(in_blinds, betting.actions(node)))
            why = f" here, where there is {offered}" if offered else f" then: {_ending(betting, node)}"
            raise UserError(f"'{part.strip()}' is not possible{why}") from None
    if betting.player[node] >= DEAL and not ended:
        raise UserError(f"after '{line.strip()}' {_ending(betting, node)}: leave out the last action")
    return node


def _ending(betting: BettingTree, node: int) -> str:
    """Why nobody acts at a node."""
    if betting.player[node] == FOLD:
        return "the hand is over and nobody acts"
    if int(betting.paid[node].max()) >= min(betting.rules.stacks):
        return "both players are all-in and nobody acts"
    return "the flop comes, where the chart ends"


def line_to(betting: BettingTree, node: int) -> str:
    """The line that leads to a node, in big blinds, without the amounts of all-ins: it also fits other stacks."""
    return re.sub(r"(all-in) [0-9.]+", r"\1", in_blinds(betting.line(node)))


def in_blinds(text: str) -> str:
    """Amounts of actions in big blinds: `raise 2500` -> `raise 2.5`."""
    return re.sub(r"(bet|raise|all-in) (\d+)", lambda m: f"{m[1]} {int(m[2]) / CHIPS:g}", text)


def in_chips(text: str) -> str:
    def chips(match: re.Match[str]) -> str:
        return f"{match[1]}{round(float(match[2]) * CHIPS)}"

    return re.sub(r"((?:bet|raise|all-in)\s+)([0-9]+(?:\.[0-9]+)?)(?:\s*bb)?", chips, text)
