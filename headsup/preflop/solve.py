"""`solve_preflop(stack, menu)`: an equilibrium before the flop with pots checked down (`headsup.preflop.game`).

The exploitability is exact in that game; no number here includes play after the flop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from headsup.common.arrays import Floats
from headsup.common.checks import as_call, as_text, door, positive
from headsup.common.errors import DataError
from headsup.common.progress import Watch
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.stakes import CHIPS
from headsup.games.catalogue.names import game
from headsup.games.holdem.vector import ArrayStrategy, Place, VectorGame
from headsup.games.walk.walk import look_inside
from headsup.preflop.game import NO_LIMP
from headsup.preflop.view import PreflopView, node_after, view_at
from headsup.solve.methods import solve
from headsup.solve.records.loop import in_unit
from headsup.solve.records.solution import Solution

TARGET = 0.05  # in mbb a game
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
    def betting(self) -> BettingTree:
        """The betting before the flop."""
        return self.game.betting

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.solution.game

    @property
    def stack(self) -> float:
        """In big blinds."""
        return self.game.betting.rules.stacks[0] / CHIPS

    @property
    def menu(self) -> str:
        """The sizes of raises, in words."""
        text = self.game.betting.menu.text  # type: ignore[union-attr]
        sizes, bar, _ = text.partition(f" | {NO_LIMP}")
        return f"{sizes} before the flop{', no limp' if bar else ''} | checked down after it"

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
        game, strategy, board = self.game, self.strategy, self.game.board(0, 0)
        betting, node = game.betting, node_after(game.betting, line)
        seat, first, count = int(betting.player[node]), int(betting.child[node]), int(betting.count[node])
        seen = look_inside(game, strategy, seat, [0])
        met = game.showdown.lines(seat, 0, 0, seen.reach[1 - seat][node][None], 0)[1][0]
        with np.errstate(invalid="ignore", divide="ignore"):
            ev = np.where(met > 0.0, seen.values[first : first + count] * game.mass / met, np.nan) / CHIPS
        return view_at(betting, (strategy.whole_street(0, board), strategy.whole_street(1, board)), line, ev)

    def summary(self) -> dict[str, Any]:
        """The figures as plain JSON values."""
        figures: dict[str, Any] = {"stack": self.stack, "value_sb_bb": self.value_sb, "value_sb": self.value_sb}
        figures |= {"exploitability_mbb": self.exploitability_mbb, "exact": True, "note": NOTE}
        return figures | {key: getattr(self.solution, key) for key in ("game", "method", "iterations", "seconds")}
