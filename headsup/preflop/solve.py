"""`solve_preflop(stack, menu)`: an equilibrium before the flop with pots checked down (`headsup.preflop.game`).

The exploitability is exact in that game; no number here includes play after the flop.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from headsup.cards.classes import holdem_class_name, parse_holdem_class
from headsup.common.arrays import Floats
from headsup.common.checks import as_call, as_text, door, positive
from headsup.common.errors import DataError, UserError
from headsup.common.progress import Watch
from headsup.games.betting.line import parse_line
from headsup.games.betting.rules import DEAL
from headsup.games.betting.stakes import SEATS
from headsup.games.catalogue.names import game
from headsup.games.holdem.vector import ArrayStrategy, Place, VectorGame
from headsup.games.walk.walk import look_inside
from headsup.jamfold.vector import CHIPS
from headsup.solve.methods import solve
from headsup.solve.records.loop import in_unit
from headsup.solve.records.solution import Solution

TARGET = 1.0  # in mbb a game
NOTE = "a first answer: pots that see a flop are checked down, by exact equities"


@door(method=as_text, progress=as_call)
def solve_preflop(
    stack: float,
    menu: str | None = None,
    *,
    limp: bool = True,
    small_blind: float = 0.5,
    ante: float = 0.0,
    target: float | None = TARGET,
    iterations: int | None = None,
    seconds: float | None = None,
    method: str = "dcfr",
    progress: Watch | None = None,
) -> PreflopSolution:
    """Solve hold'em before the flop, checked down after it, to an exploitability of `target` mbb a game.

    Stacks are in big blinds; the menu has the sizes of the first raise, then of the next one, and so on.
    """
    given = {"stack": stack, "small_blind": small_blind, "ante": ante, "limp": limp}
    played = game("preflop", **given, **({} if menu is None else {"menu": menu}))
    limits = {"iterations": iterations, "seconds": seconds}
    if method == "lp":
        return PreflopSolution(solve(played, method))
    aim = None if target is None else positive(target, "the target") * CHIPS / 1000.0
    options = {"store": "float64"}
    shown = in_unit(progress, CHIPS / 1000.0, "{:.3f} mbb/g", target)
    return PreflopSolution(solve(played, method, target=aim, progress=shown, **limits, **options))  # type: ignore[arg-type]


class NamedStrategy:
    """A strategy by name, from a linear program of the flat game; hands without a name play uniformly."""

    def __init__(self, game: VectorGame, tables: tuple[Mapping[str, Mapping[str, float]], ...]) -> None:
        self.game, self.tables = game, tables

    def rows(self, decision: int, board: Place) -> Floats:
        betting = self.game.betting
        seat, line, actions = int(betting.player[decision]), betting.line(decision), betting.actions(decision)
        uniform = dict.fromkeys(actions, 1.0 / len(actions))
        names = (f"{hand}|{self.game.board_name(board)}|{line}" for hand in self.game.showdown.names(seat))
        hands = [self.tables[seat].get(name, uniform) for name in names]
        return np.array([[hand[action] for hand in hands] for action in actions])


@dataclass(frozen=True)
class PreflopView:
    """One decision: the strategy of each of the 169 classes, and its values."""

    line: str
    player: str  # `sb` or `bb`
    actions: tuple[str, ...]
    reach: Floats  # [169] how many hands of a class come here
    weights: Floats  # [169] the share of each class among those that come here; they add up to 1
    frequencies: Floats  # [actions, 169]
    ev: Floats
    """[actions, 169] big blinds won or lost since the deal, if the action is taken once; nan if nobody comes here."""

    @property
    def totals(self) -> dict[str, float]:
        """The frequency of each action."""
        return dict(zip(self.actions, (self.frequencies @ self.weights).tolist(), strict=True))

    def hand(self, name: str) -> dict[str, Any]:
        """One class, such as A9s, as plain values."""
        number = parse_holdem_class(name)
        return {
            "hand": holdem_class_name(number),
            "reach": float(self.reach[number]),
            "frequencies": dict(zip(self.actions, self.frequencies[:, number].tolist(), strict=True)),
            "ev": dict(zip(self.actions, self.ev[:, number].tolist(), strict=True)),
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
        figures = {"line": self.line, "player": self.player, "actions": list(self.actions), "totals": self.totals}
        shares = {name: self.frequencies[:, i].tolist() for i, name in enumerate(names)}
        return figures | {"frequencies": shares, "ev": {name: self.ev[:, i].tolist() for i, name in enumerate(names)}}


@dataclass(frozen=True, repr=False)
class PreflopSolution:
    """A solved game before the flop."""

    solution: Solution

    def __post_init__(self) -> None:
        if self.solution.game.partition(":")[0] != "preflop":
            raise DataError(f"this is a solution of {self.solution.game}: solve one with  headsup preflop")

    @classmethod
    def load(cls, path: str | Path) -> PreflopSolution:
        return cls(Solution.load(path))

    def save(self, path: str | Path) -> None:
        self.solution.save(path)

    def __repr__(self) -> str:
        shares = ", ".join(f"{action} {share:.1%}" for action, share in self.at("").totals.items())
        return f"<PreflopSolution: sb {self.value_sb:+.4f} bb, {self.exploitability_mbb:.3f} mbb/g; {shares}; {NOTE}>"

    @cached_property
    def game(self) -> VectorGame:
        played = self.solution.played()
        assert isinstance(played, VectorGame)
        return played

    @cached_property
    def strategy(self) -> ArrayStrategy:
        if ArrayStrategy.fits(self.game, self.solution.strategy):
            return ArrayStrategy(self.game, self.solution.strategy)
        return ArrayStrategy.of(self.game, NamedStrategy(self.game, self.solution.table()))

    note = NOTE

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.solution.game

    @property
    def stack(self) -> float:
        """In big blinds."""
        return self.game.betting.rules.stacks[0] / CHIPS

    @property
    def value_sb(self) -> float:
        """The value for the small blind, in big blinds a game."""
        return self.solution.value / CHIPS

    @property
    def exploitability_mbb(self) -> float:
        return self.solution.exploitability * 1000.0 / CHIPS

    @property
    def exploitability_text(self) -> str:
        return f"{self.exploitability_mbb:.3f} mbb/g in this game, exact"

    def at(self, line: str = "") -> PreflopView:
        """The decision after a line, such as `raise 2.5, all-in`; amounts are in big blinds."""
        return view_of(self.game, self.strategy, line)

    def summary(self) -> dict[str, Any]:
        """The figures as plain JSON values."""
        figures: dict[str, Any] = {"stack": self.stack, "value_sb_bb": self.value_sb, "value_sb": self.value_sb}
        figures |= {"exploitability_mbb": self.exploitability_mbb, "exact": True, "note": NOTE}
        return figures | {key: getattr(self.solution, key) for key in ("game", "method", "iterations", "seconds")}


def node_after(game: VectorGame, line: str, ended: bool = False) -> int:
    """The node to which a line leads; one where nobody acts only if the hand may have `ended`."""
    betting, node = game.betting, 0
    for step in parse_line(in_chips(line)) if line.strip() else ():
        try:
            node = betting.after(node, step)
        except UserError as error:
            raise UserError(in_blinds(str(error))) from None
    if betting.player[node] >= DEAL and not ended:
        raise UserError(f"after '{line.strip()}' the hand is over and nobody acts: leave out the last action")
    return node


def view_of(game: VectorGame, strategy: ArrayStrategy, line: str, ev: Floats | None = None) -> PreflopView:
    """The decision after a line. `ev` is what each action earns, [actions, 169]; by default pots are checked down."""
    betting, node = game.betting, node_after(game, line)
    seat = int(betting.player[node])
    seen = look_inside(game, strategy, seat, [0])
    own, other = seen.reach[seat][node], seen.reach[1 - seat][node]
    met = game.showdown.lines(seat, 0, 0, other[None], 0)[1][0]
    first, count = int(betting.child[node]), int(betting.count[node])
    if ev is None:
        with np.errstate(invalid="ignore", divide="ignore"):
            ev = np.where(met > 0.0, seen.values[first : first + count] * game.mass / met, np.nan) / CHIPS
    weights = own * met
    return PreflopView(
        line=line.strip(),
        player=SEATS[seat],
        actions=tuple(in_blinds(action) for action in betting.actions(node)),
        reach=own,
        weights=weights / weights.sum() if weights.sum() > 0.0 else weights,
        frequencies=strategy.rows(node, game.board(0, 0)),
        ev=ev,
    )


def in_blinds(text: str) -> str:
    """Amounts of actions in big blinds: `raise 2500` -> `raise 2.5`."""
    return re.sub(r"(bet|raise|all-in) (\d+)", lambda m: f"{m[1]} {int(m[2]) / CHIPS:g}", text)


def in_chips(text: str) -> str:
    def chips(match: re.Match[str]) -> str:
        return f"{match[1]}{round(float(match[2]) * CHIPS)}"

    return re.sub(r"((?:bet|raise|all-in)\s+)([0-9]+(?:\.[0-9]+)?)(?:\s*bb)?", chips, text)
