"""Solve hold'em before the flop with real play after it.

The betting before the flop (the trunk) is solved together with the betting on a weighted subset of flops, every turn
and every river, by CFR without any abstraction of hands (`headsup.solve.holdem.trunk`). All-in pots are settled by
exact equities over all boards, so a menu of jams alone gives the jam-or-fold equilibrium.

The exploitability that a solution reports is that of the solved game, in which only the flops of the subset come.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from headsup.cards.classes import HOLDEM_CLASSES, class_means, holdem_class_of_combo
from headsup.common.arrays import Floats
from headsup.common.checks import as_call, as_text, check_device, door, of_kind, positive, whole
from headsup.common.progress import Watch
from headsup.equity.holdem.flop_subsets import flop_subset
from headsup.games.betting.stakes import CHIPS
from headsup.games.holdem.packet import board_packet, board_subset
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.trunk import RunOuts, TrunkWalker
from headsup.games.walk.walk import BEST
from headsup.preflop.chart import PreflopChart, Setting
from headsup.solve.holdem.store import MemoryPlan, plan
from headsup.solve.holdem.trunk import TrunkCfr
from headsup.solve.records.loop import Limits, SolverRun, in_unit
from headsup.solve.records.settings import PRESETS

FLOPS = 25
TARGET = 5.0
"""In mbb a game."""
PARTS = 4
"""Weights of flops are rounded to so many parts of the boards that a flop stands for up to suits."""


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
        announce(plan(part, store, threads or 1, device=device, fused=True))
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
    """For each seat [rows, classes]: the probability of each action, and what it earns in big blinds.

    The hand goes on by a best response to the opponent's strategy: where a hand never comes, its own strategy has
    learned nothing, and would lose far more than the action itself.
    """
    game, classes = solver.game, holdem_class_of_combo()
    chart, rounds = setting.chart, game.rounds
    average = solver.average(0), solver.average(1)
    policy = average[0].ravel(), average[1].ravel()
    tables: list[tuple[Floats, Floats]] = []
    for seat in (0, 1):
        dealt, walk = solver.dealt(seat, best=True), TrunkWalker(game, None)
        walk.enter(seat, BEST, policy)
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
