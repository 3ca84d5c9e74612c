"""Solve hold'em before the flop with real play after it.

The betting before the flop (the trunk) is solved together with the betting on a weighted subset of flops, every turn
and every river, by CFR without any abstraction of hands (`headsup.solve.holdem.trunk`). All-in pots are settled by
exact equities over all boards, so a menu of jams alone gives the jam-or-fold equilibrium.

The exploitability that a solution reports is that of the solved game, in which only the flops of the subset come.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from headsup.cards.classes import HOLDEM_CLASSES, class_means, holdem_class_of_combo
from headsup.cards.ranges.model import Range, range_text
from headsup.common import contents
from headsup.common.archives import read_archive
from headsup.common.arrays import Floats
from headsup.common.checks import as_call, as_text, check_device, door, of_kind, positive, whole
from headsup.common.errors import UserError
from headsup.common.files import parsed
from headsup.common.progress import Watch
from headsup.equity.holdem.flop_subsets import flop_subset
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.rules import FOLD
from headsup.games.holdem.packet import board_packet, board_subset
from headsup.games.holdem.vector import ArrayStrategy, VectorGame, holdem_game
from headsup.games.walk.trunk import RunOuts, TrunkWalker
from headsup.games.walk.walk import MIX
from headsup.jamfold.vector import CHIPS
from headsup.preflop.game import MENU, NO_LIMP, preflop_game
from headsup.preflop.solve import PreflopSolution, PreflopView, node_after, view_of
from headsup.solve.holdem.store import MemoryPlan, plan
from headsup.solve.holdem.trunk import TrunkCfr
from headsup.solve.records.loop import Limits, SolverRun, in_unit
from headsup.solve.records.settings import PRESETS
from headsup.solve.records.solution import load_record, save_record

KIND = "headsup-preflop"
FLOP_MENU = "75%, a; a"
"""One bet size and all-in on every later street; raises are all-in."""
FLOPS = 25
TARGET = 5.0
"""In mbb a game."""
PARTS = 4
"""Weights of flops are rounded to so many parts of the boards that a flop stands for up to suits."""
STREETS = ("flop", "turn", "river")


@dataclass(frozen=True)
class Setting:
    """A game before the flop with a menu for every street; stacks and blinds are in big blinds."""

    stack: float
    menu: str = MENU
    flop: str = FLOP_MENU
    turn: str = FLOP_MENU
    river: str = FLOP_MENU
    small_blind: float = 0.5
    ante: float = 0.0
    limp: bool = True

    @cached_property
    def chart(self) -> VectorGame:
        """The betting before the flop on the 169 hand classes."""
        return preflop_game("preflop", self.stack, self.small_blind, self.ante, self.limp, self.menu)

    @cached_property
    def game(self) -> VectorGame:
        """All four streets with all cards."""
        rules = replace(self.chart.betting.rules, first=(0, 1, 1, 1))
        menus = {"preflop": self.menu, **{street: getattr(self, street) for street in STREETS}}
        parts = [f"{street} {menu}" for street, menu in menus.items()] + ([] if self.limp else [NO_LIMP])
        return holdem_game("preflop", betting_tree(rules, " | ".join(parts)), unit=float(CHIPS))


def subset_game(game: VectorGame, flops: int) -> VectorGame:
    """A game with a weighted subset of flops in place of all; with one flop where nobody can bet on it."""
    size = whole(flops, "flops", 1)
    if len(RunOuts(game).lines) == int(game.rounds.deals[1]):
        return board_packet(game, 0).game
    subset, level = flop_subset(size), game.boards.levels[1]
    numbers = [game.boards.find([int(card) for card in cards]).numbers[1] for cards in subset.flops]  # type: ignore[attr-defined]
    times = [
        max(1, round(PARTS * weight / int(level.copies[number])))  # type: ignore[attr-defined]
        for number, weight in zip(numbers, subset.weights, strict=True)
    ]
    order = np.argsort(numbers)
    return board_subset(game, [numbers[i] for i in order], [times[i] for i in order])


@door(setting=of_kind(Setting), flops=whole, store=as_text, device=as_text, progress=as_call)
def solve_flops(
    setting: Setting,
    *,
    flops: int = FLOPS,
    target: float | None = TARGET,
    iterations: int | None = None,
    seconds: float | None = None,
    store: str = "int16",
    threads: int | None = None,
    device: str = "cpu",
    progress: Watch | None = None,
    announce: Callable[[MemoryPlan], None] | None = None,
) -> PreflopChart:
    """Solve hold'em before the flop with real play after it, to an exploitability of `target` mbb a game.

    `flops` is the size of the subset of flops. `announce` receives the memory that the solver takes before it starts.
    Ctrl-C ends the run early; the result is then marked as `stopped`.
    """
    check_device(device)
    part = subset_game(setting.game, flops)
    if announce is not None:
        announce(plan(part, store, threads or 1, device=device))
    solver = TrunkCfr(part, PRESETS["dcfr-holdem"], store=store, threads=threads, device=device)
    aim = None if target is None else positive(target, "the target") * CHIPS / 1000.0
    run = SolverRun(solver, {"game": "preflop", "method": "dcfr-holdem", "params": {}})
    stopped = run.go(
        Limits(iterations, aim, seconds), progress=in_unit(progress, CHIPS / 1000.0, "{:.2f} mbb/g", target)
    )
    measured = solver.measure()
    about = {
        **{name: getattr(setting, name) for name in Setting.__dataclass_fields__},
        "flops": flops,
        "iterations": solver.iterations,
        "seconds": round(run.seconds, 3),
        "value_sb_bb": measured.value / CHIPS,
        "exploitability_mbb": measured.mbb,
        "exact": False,
    }
    probabilities, ev = _by_class(setting, solver)
    return PreflopChart(about, probabilities, ev, stopped)


def _by_class(setting: Setting, solver: TrunkCfr) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """For each seat [rows, classes]: the probability of each action, and what it earns in big blinds."""
    game, classes = solver.game, holdem_class_of_combo()
    chart, rounds = setting.chart, game.rounds
    average = solver.average(0), solver.average(1)
    policy = average[0].ravel(), average[1].ravel()
    tables: list[tuple[Floats, Floats]] = []
    for seat in (0, 1):
        dealt, walk = solver.dealt(seat, best=False), TrunkWalker(game, None)
        walk.enter(seat, MIX, policy)
        walk.close(0, 0, dealt)
        ev = np.full((len(average[seat]), HOLDEM_CLASSES), np.nan)
        for node in range(int(rounds.start[1])):
            if rounds.player[node] != seat:
                continue
            assert (rounds.row[node], rounds.count[node]) == (chart.rounds.row[node], chart.rounds.count[node])
            reach = walk.reach(0, 1 - seat)[rounds.at[1 - seat, node]]
            met = game.showdown.lines(seat, 0, 0, reach[None], 0)[1][0]
            child, rows = int(rounds.child[node]), slice(rounds.row[node], rounds.row[node] + rounds.count[node])
            worth = walk.workspace.value[child : child + int(rounds.count[node]), : len(classes)] * game.mass / CHIPS
            weight = np.bincount(classes, met)
            with np.errstate(invalid="ignore", divide="ignore"):
                ev[rows] = [np.where(weight > 0.0, np.bincount(classes, row) / weight, np.nan) for row in worth]
        tables.append((class_means(average[seat]), ev))
    return (tables[0][0], tables[1][0]), (tables[0][1], tables[1][1])


@dataclass(frozen=True, repr=False)
class PreflopChart:
    """An equilibrium before the flop with play after it, by hand class."""

    about: Mapping[str, Any]
    """The setting and the figures, as plain JSON values."""
    probabilities: tuple[Floats, Floats]
    """For each seat [rows, 169], the rows of all its decisions."""
    ev: tuple[Floats, Floats]
    """What each action earns in big blinds since the deal, if it is taken once; nan where the opponent never comes."""
    stopped: bool = False
    """Whether the run was interrupted before it met a limit."""

    @cached_property
    def setting(self) -> Setting:
        """The game that was solved."""
        return Setting(**{name: self.about[name] for name in Setting.__dataclass_fields__})

    name = "preflop"

    @property
    def stack(self) -> float:
        """In big blinds."""
        return self.setting.stack

    @property
    def value_sb(self) -> float:
        """The value for the small blind, in big blinds a game."""
        return float(self.about["value_sb_bb"])

    @property
    def exploitability_mbb(self) -> float:
        """In thousandths of a big blind a game; `note` says in which game."""
        return float(self.about["exploitability_mbb"])

    @property
    def exploitability_text(self) -> str:
        """The exploitability, and whether it is exact."""
        low, high = self.about.get("low_mbb"), self.about.get("high_mbb")
        how = "exact" if self.about["exact"] else "estimated" if low is None else f"estimated: {low:.1f} to {high:.1f}"
        return f"{self.exploitability_mbb:.3f} mbb/g, {how}"

    @property
    def note(self) -> str:
        """How far the figures can be trusted."""
        solved = f"solved with {self.about['flops']} flops that stand for all; exploitability"
        measured = self.about.get("measured_flops")
        return f"{solved} within that game" if measured is None else f"{solved} on {measured:,} of 1,755 flops"

    @cached_property
    def strategy(self) -> ArrayStrategy:
        """The probabilities as a strategy of the game before the flop."""
        return ArrayStrategy(self.setting.chart, (self.probabilities[0].ravel(), self.probabilities[1].ravel()))

    def __repr__(self) -> str:
        actions = ", ".join(f"{action} {share:.1%}" for action, share in self.at("").totals.items())
        figures = f"sb {self.value_sb:+.4f} bb, {self.exploitability_mbb:.2f} mbb/g"
        return f"<PreflopChart: {self.setting.stack:g} bb, {figures}; {actions}>"

    def at(self, line: str = "") -> PreflopView:
        """The decision after a line, such as `raise 2.5, all-in`; amounts are in big blinds."""
        game = self.setting.chart
        node = node_after(game, line)
        seat, row, n = int(game.betting.player[node]), int(game.rounds.row[node]), int(game.rounds.count[node])
        return view_of(game, self.strategy, line, self.ev[seat][row : row + n])

    def sees_flop(self, line: str) -> bool:
        """Whether a flop comes after a line."""
        game = self.setting.chart
        return int(game.betting.player[node_after(game, line, ended=True)]) not in (0, 1, FOLD)

    def ranges(self, line: str) -> tuple[str, str]:
        """Both ranges where a line reaches the flop, small blind first, as range text."""
        game = self.setting.chart
        if not self.sees_flop(line):
            raise UserError(f"after '{line.strip()}' no flop comes: add a call or a check, or leave out the fold")
        node, walk, classes = node_after(game, line, ended=True), TrunkWalker(game, None), holdem_class_of_combo()
        walk.enter(0, MIX, self.strategy.policy)
        texts = []
        for seat in (0, 1):
            reach = walk.reach(0, seat)[game.rounds.at[seat, node]] / game.weights[seat]
            texts.append(range_text(Range("holdem", np.round(reach[classes], 2))))
        return texts[0], texts[1]

    def summary(self) -> dict[str, Any]:
        """The setting and the figures as plain JSON values."""
        return {**self.about, "note": self.note, "stopped": self.stopped}

    def save(self, path: str | Path) -> None:
        """Write the chart to a file."""
        arrays = {"probabilities": self.probabilities, "ev": self.ev}
        save_record(path, KIND, self.about, {f"{name}{p}": arrays[name][p] for name in arrays for p in (0, 1)})

    @classmethod
    def load(cls, path: str | Path) -> PreflopChart:
        """Read what `save` wrote."""
        meta, arrays = load_record(path, KIND)
        return parsed(path, lambda: cls._read(meta, arrays), "a preflop chart")

    @classmethod
    def _read(cls, meta: dict[str, Any], arrays: Mapping[str, Any]) -> PreflopChart:
        about = {name: value for name, value in meta.items() if not name.startswith("format")}
        chart = cls(about, (arrays["probabilities0"], arrays["probabilities1"]), (arrays["ev0"], arrays["ev1"]))
        for seat in (0, 1):
            shape = (int(chart.setting.chart.rounds.rows[seat, 0]), HOLDEM_CLASSES)
            contents.chances(chart.probabilities[seat], "a probability", 2)
            if chart.probabilities[seat].shape != shape or chart.ev[seat].shape != shape:
                raise ValueError(f"a chart of this game has {shape} numbers")
        return chart


def load_preflop(path: str | Path) -> PreflopSolution | PreflopChart:
    """Read a saved solution of either kind: with play after the flop, or checked down."""
    about = read_archive(path, "a solution")[0].get("solution.json")
    is_chart = isinstance(about, bytes) and f'"format": "{KIND}"'.encode() in about
    return PreflopChart.load(path) if is_chart else PreflopSolution.load(path)
