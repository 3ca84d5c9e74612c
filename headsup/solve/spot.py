"""`solve_spot(spot)`: an equilibrium of a spot with its exact exploitability, and what it says.

The solver is `headsup.solve.vector` in the loop of every other method, and the record is a `Solution` whose source is
the spot's text: a saved file can be loaded, measured and looked into anywhere. A `SpotSolution` is that record in a
player's words: values are expected chips won from the pot at the root, exploitability is a share of that pot.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from headsup.checks import positive
from headsup.equity.api import equity
from headsup.errors import DataError, UserError
from headsup.games.spot import Spot, is_spot
from headsup.games.vector import ArrayStrategy, VectorGame
from headsup.games.walk import Walker
from headsup.solve.cfr import PRESETS
from headsup.solve.loop import Progress
from headsup.solve.methods import solve
from headsup.solve.solution import Solution
from headsup.solve.store import MemoryPlan, plan
from headsup.solve.vector import planned
from headsup.solve.view import View, view_at

TARGET = 0.005
"""Of the pot: where players' solvers usually stop."""


def solve_spot(
    spot: Spot,
    target: float | None = TARGET,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    method: str = "dcfr",
    store: str = "float32",
    threads: int | None = None,
    device: str = "cpu",
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> SpotSolution:
    """Solve a spot until its exploitability is at most `target` of the pot, or so many iterations or seconds are over.

    `progress` is told the iteration, the seconds and the exploitability as a share of the pot. Ctrl-C raises `Stopped`
    (`headsup.solve`), whose `solution` makes a `SpotSolution` of how far it came, measured.
    """
    _check_method(method)
    told: Progress | None = None
    if progress is not None:
        show = progress

        def told(iteration: int, spent: float, exploitability: float) -> None:
            show(iteration, spent, exploitability / spot.pot)

    solution = solve(
        spot.game(),
        method,
        iterations=iterations,
        target=None if target is None else positive(target, "the target") * spot.pot,
        seconds=seconds,
        checkpoint=checkpoint,
        progress=told,
        **_place(store, threads, device),
    )
    return SpotSolution(spot, solution)


def spot_memory(
    spot: Spot, store: str = "float32", threads: int | None = None, device: str = "cpu", method: str = "dcfr"
) -> MemoryPlan:
    """The memory that solving a spot will take, or why it would not begin; none of it is taken."""
    _check_method(method)
    return planned(spot.game(), method, _place(store, threads, device))


def _check_method(method: str) -> None:
    if method not in PRESETS:
        raise UserError(f"spots are solved by {', '.join(PRESETS)}, not by '{method}'")


def _place(store: str, threads: int | None, device: str) -> dict[str, Any]:
    """Where numbers lie and who works, as options of the solver."""
    return {"store": store, "device": device} | ({} if threads is None else {"threads": threads})


@dataclass(frozen=True, repr=False)
class SpotSolution:
    """A solved spot."""

    spot: Spot
    solution: Solution

    @classmethod
    def of(cls, solution: Solution) -> SpotSolution:
        """The record of a solved spot in a player's words."""
        if not is_spot(solution.game) or solution.source is None:
            raise DataError(f"this is a solution of {solution.game}, not of a spot: solve one with  headsup spot")
        return cls(Spot.parse(solution.source), solution)

    @classmethod
    def load(cls, path: str | Path) -> SpotSolution:
        """Read what `save` wrote."""
        return cls.of(Solution.load(path))

    def save(self, path: str | Path) -> None:
        """Write the record to a file, with the spot in it."""
        self.solution.save(path)

    def __repr__(self) -> str:
        shares = ", ".join(f"{a} {f:.1%}" for a, f in zip(self.actions, self.frequencies, strict=True))
        return (
            f"<SpotSolution {self.spot.board}: oop wins {self.value_oop:.3f} and ip {self.value_ip:.3f} of "
            f"{self.spot.pot:,}, exploitability {self.exploitability_pot:.3%} of the pot; {shares}>"
        )

    @cached_property
    def game(self) -> VectorGame:
        """The game that was solved."""
        form = self.solution.played_form()
        if not isinstance(form, VectorGame):
            raise DataError("the strategies in this record do not fit its spot: solve it again")
        return form

    @cached_property
    def strategy(self) -> ArrayStrategy:
        """How both players play."""
        return ArrayStrategy(self.game, self.solution.strategy)

    @property
    def iterations(self) -> int:
        """How many iterations it took."""
        return self.solution.iterations

    @property
    def seconds(self) -> float:
        """How long they took; measuring on the way is not counted."""
        return self.solution.seconds

    @property
    def exploitability_pot(self) -> float:
        """What a best reply wins beyond the strategies, the average of both seats, as a share of the root's pot."""
        return self.solution.exploitability / self.spot.pot

    @cached_property
    def _values(self) -> tuple[float, float]:
        first, total = self.solution.value, self.game.betting.total
        return (first, total - first) if total is not None else Walker(self.game).values(self.strategy.policy)

    @property
    def value_oop(self) -> float:
        """Expected chips of the player out of position, won from the pot at the root."""
        return self._values[0]

    @property
    def value_ip(self) -> float:
        """The same in position; both together are the pot, less the rake."""
        return self._values[1]

    @cached_property
    def equity_oop(self) -> float:
        """The exact equity of one range against the other on the board."""
        return equity(*self.spot.ranges, self.spot.board, self.spot.dead).equity

    @cached_property
    def memory(self) -> MemoryPlan:
        """What solving it took."""
        params = self.solution.params
        threads, predictive = params.get("threads", os.cpu_count() or 1), PRESETS[self.solution.method].predictive
        return plan(self.game, params.get("store", "float32"), threads, predictive, params.get("device", "cpu"))

    @property
    def bytes(self) -> int:
        """All of that memory."""
        return self.memory.total

    @property
    def nodes(self) -> int:
        """Places of the betting times the boards on which they can be met, up to suits."""
        return sum(int(n) * b for n, b in zip(np.diff(self.game.betting.start), self.game.boards.sizes(), strict=True))

    @property
    def actions(self) -> list[str]:
        """What can be done at the root."""
        return self.game.betting.actions(0)

    @cached_property
    def frequencies(self) -> list[float]:
        """How often each of them is done, a hand counted by how often it is held: its weight times what it can meet."""
        game, seat = self.game, int(self.game.betting.player[0])
        met = game.showdown.lines(seat, 0, 0, game.weights[1 - seat][None], 0)[1][0]
        weights = game.weights[seat] * met
        return [float(x) for x in self.strategy.rows(0, game.board(0, 0)) @ weights / weights.sum()]

    def at(self, line: str = "") -> View:
        """The decision to which a line leads, such as `check, bet 94, call, 7c`; the root if it is empty."""
        return view_at(self.game, self.strategy, line, os.cpu_count() or 1)

    def summary(self) -> dict[str, Any]:
        """The figures as plain JSON values."""
        names = ("exploitability_pot", "value_oop", "value_ip", "equity_oop", "iterations", "seconds", "bytes", "nodes")
        told: dict[str, Any] = {name: getattr(self, name) for name in names}
        told |= {"actions": self.actions, "frequencies": self.frequencies, "method": self.solution.method}
        return {**told, "params": dict(self.solution.params), "spot": self.spot.text()}
