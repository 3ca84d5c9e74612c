"""Solve hold'em before the flop with real play after it.

The betting before the flop (the trunk) is solved together with the betting on a weighted subset of flops, every turn
and every river, by CFR without any abstraction of hands (`headsup.solve.holdem.trunk`). All-in pots are settled by
exact equities over all boards, so a menu of jams alone gives the jam-or-fold equilibrium, with exact figures.

The exploitability that a solution reports is that of the solved game, in which only the flops of the subset come. Pots
there are corrected so that hands that are checked down earn what they earn over all flops (`subset_error`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, cast

import numpy as np

from headsup.cards.boards import Boards
from headsup.cards.classes import HOLDEM_CLASSES, class_means, holdem_class_of_combo
from headsup.cards.combos import combo_masks
from headsup.cards.suits import SUIT_PERMUTATIONS
from headsup.common.arrays import Floats
from headsup.common.backend import gpu
from headsup.common.checks import as_call, as_text, check_device, cores, door, of_kind, positive, thread_count, whole
from headsup.common.display import duration
from headsup.common.progress import Watch
from headsup.equity.holdem.flop_pairs import flop_pairs
from headsup.equity.holdem.flop_subsets import flop_subset
from headsup.games.betting.stakes import CHIPS
from headsup.games.holdem.packet import board_packet, board_subset
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.trunk import CheckedDown, TrunkWalker, both_sides, open_lines, run_outs
from headsup.games.walk.walk import BEST, Policy
from headsup.preflop.chart import PreflopChart, Setting
from headsup.solve.holdem.store import MemoryPlan, check_room, plan
from headsup.solve.holdem.trunk import TrunkCfr
from headsup.solve.records.loop import Limits, SolverRun, in_unit
from headsup.solve.records.settings import PRESETS

FLOPS = 25
TARGET = 5.0
"""In mbb a game."""
JAM_TARGET = 0.05
"""The same where nobody can bet on the flop: such a game takes less than a second."""
LESS = "fewer flops (--flops 9), or fewer sizes after the flop, as --turn 'a; a' --river 'a; a'"
"""What to take where memory is short."""
NANOSECONDS = {"cpu": 7.0, "gpu": 0.008}
"""What an iteration takes for each stored number: of a core, or of an H200. Measured on x86 and ARM cores."""
PACE = (42, 32.0), (200, 2.8)
"""Iterations of two runs, and the mbb a game that they reached: what others take is estimated from these."""
PARTS = 4
"""Weights of flops are rounded to so many parts of the boards that a flop stands for up to suits."""


class SolvePlan(NamedTuple):
    """What a solve will take: memory is counted, time is estimated."""

    memory: MemoryPlan
    iterations: int
    each: float
    """Seconds of an iteration."""

    @classmethod
    def of(cls, memory: MemoryPlan, limits: Limits, device: str, threads: int) -> SolvePlan:
        """`limits` as the solver has them, with the target in chips."""
        each = NANOSECONDS[device] * 1e-9 * memory.values / (min(threads, cores()) if device == "cpu" else 1)
        (few, rough), (many, close) = PACE
        counts = [math.inf if limits.iterations is None else limits.iterations]
        if limits.target is not None:
            power = math.log(many / few) / math.log(rough / close)
            counts.append(few * (rough * CHIPS / 1000.0 / limits.target) ** power)
        if limits.seconds is not None:
            counts.append(limits.seconds / max(each, 1e-9))
        least = min(counts)
        return cls(memory, max(1, round(least)) if math.isfinite(least) else 0, each)

    @property
    def seconds(self) -> float:
        """Of all iterations."""
        return self.iterations * self.each

    def __str__(self) -> str:
        if not self.iterations:
            return f"{self.memory} and about {duration(self.each)} for an iteration"
        if self.seconds < 1.0:
            return f"{self.memory} and less than a second"
        iterations = f"{self.iterations:,} iteration{'s' * (self.iterations > 1)} of {duration(self.each)}"
        return f"{self.memory} and about {duration(self.seconds)}: {iterations}"


def subset_game(game: VectorGame, flops: int) -> VectorGame:
    """A game with a weighted subset of flops in place of all; with one flop where nobody can bet on it."""
    size = whole(flops, "flops", 1)
    flop_subset(size)  # refuses other sizes also where no flop is played
    if len(run_outs(game).lines) == int(game.rounds.deals[1]):
        return board_packet(game, 0).game
    return board_subset(game, *subset_flops(game, size))


def subset_flops(game: VectorGame, size: int) -> tuple[list[int], list[int]]:
    """The numbers of a subset's flops in a game, in order, and how many times each of them is counted."""
    subset, level = flop_subset(size), game.boards.levels[1]
    numbers = [game.boards.find([int(card) for card in cards]).numbers[1] for cards in subset.flops]  # type: ignore[attr-defined]
    times = [
        max(1, round(PARTS * weight / int(level.copies[number])))  # type: ignore[attr-defined]
        for number, weight in zip(numbers, subset.weights, strict=True)
    ]
    order = np.argsort(numbers)
    return [numbers[i] for i in order], [times[i] for i in order]


def subset_error(game: VectorGame, part: VectorGame) -> CheckedDown:
    """What a subset of flops pays too little or too much if everybody checks after the flop.

    Added to the subset's pots it makes checked-down hands exact, so that only what betting changes rests on the subset.
    """
    showdown, level = part.showdown, cast(Boards, part.boards.levels[1])
    assert isinstance(showdown, Sorted)
    deck, masks = showdown.boards.deck_mask.bit_count(), combo_masks(2)[showdown.hands[0]]
    disjoint = (masks[:, None] & masks) == 0
    met, beaten = np.zeros((2, *disjoint.shape))
    for number, copies in enumerate(level.copies.tolist()):
        left = (masks & level.masks[number]) == 0
        meet = copies * (disjoint & left & left[:, None])
        met += meet
        beaten += meet * (1.0 + _lead(showdown, number, deck)) / 2.0
    renamings = [showdown.renamed(0, r) for r in range(len(SUIT_PERMUTATIONS))]
    scale = (
        game.boards.totals()[1] / int(level.copies.sum()) / len(renamings) / math.comb(deck - 4, level.cards.shape[1])
    )
    met, beaten = (scale * sum(table[np.ix_(hands, hands)] for hands in renamings) for table in (met, beaten))
    meet, share = CheckedDown(game, []).pairs[0]
    return CheckedDown(part, open_lines(part), both_sides(meet - met, share - beaten))


def _lead(showdown: Sorted, flop: int, deck: int) -> Floats:
    """[hands, hands]: how much more often the first hand wins than the second over all turns and rivers."""
    if deck < 52:
        leads, boards = showdown.leads(1, flop)
        return np.asarray(leads / boards)
    known, lead = flop_pairs(showdown.boards.levels[1].cards[flop]), np.zeros(showdown.sizes)
    lead[np.ix_(known.hands, known.hands)] = known.lead
    return lead


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
    announce: Callable[[SolvePlan], None] | None = None,
) -> PreflopChart:
    """Solve hold'em before the flop with real play after it, to an exploitability of `target` mbb a game.

    `flops` is the size of the subset of flops. `announce` receives what the solve will take before it starts.
    Ctrl-C ends the run early; the result is then marked as `stopped`.
    """
    workers, unit = thread_count(threads), CHIPS / 1000.0
    limits = Limits(iterations, None if target is None else positive(target, "the target") * unit, seconds)
    xp = gpu() if check_device(device) == "gpu" else np
    part = subset_game(setting.game, flops)
    need = plan(part, store, workers, device=device, fused=True)
    check_room(need, mapped=False, xp=xp, way=LESS)
    played = bool(open_lines(part))
    if limits.target is not None and not played:
        limits.target = min(limits.target, JAM_TARGET * unit)
    if announce is not None:
        announce(SolvePlan.of(need, limits, device, workers))
    added = [subset_error(setting.game, part)] if played else []
    solver = TrunkCfr(part, PRESETS["dcfr-holdem"], store=store, threads=workers, device=device, added=added)
    run = SolverRun(solver, {"game": "preflop", "method": "dcfr-holdem", "params": {}})
    stopped = run.go(limits, progress=in_unit(progress, unit, "{:.2f} mbb/g", target))
    best = solver.dealt(0, best=True), solver.dealt(1, best=True)
    measured = solver.against(best)
    about = {
        **{name: getattr(setting, name) for name in Setting.__dataclass_fields__},
        "flops": flops,
        "iterations": solver.iterations,
        "seconds": round(run.seconds, 3),
        "value_sb_bb": measured.value / CHIPS,
        "exploitability_mbb": measured.mbb,
        "exact": not played,
    }
    average = solver.average(0), solver.average(1)
    ev = best_values(setting, part, (average[0].ravel(), average[1].ravel()), best)
    return PreflopChart(about, (class_means(average[0]), class_means(average[1])), ev, stopped)


def best_values(
    setting: Setting, game: VectorGame, policy: Policy, best: tuple[Floats, Floats]
) -> tuple[Floats, Floats]:
    """For each seat what each action before the flop earns (`class_values`).

    `best` has what hands earn where lines end, [lines, hands], by a best response to the opponent's strategy. Hands go
    on by a best response: where a hand never comes, its own strategy has learned nothing, and would lose far more
    than the action itself.
    """
    tables: list[Floats] = []
    for seat in (0, 1):
        walk = TrunkWalker(game, None)
        walk.enter(seat, BEST, policy)
        walk.close(0, 0, best[seat])
        tables.append(class_values(setting, game, seat, walk.workspace.value, walk.reach(0, 1 - seat)))
    return tables[0], tables[1]


def class_values(setting: Setting, game: VectorGame, seat: int, values: Floats, reach: Floats) -> Floats:
    """[rows, classes]: what each action before the flop earns a seat, in big blinds.

    `values` are [nodes, hands], `reach` the opponent's, [rows, hands]; both may be sums over iterations.
    """
    classes, chart, rounds = holdem_class_of_combo(), setting.chart, game.rounds
    ev = np.full((int(rounds.rows[seat, 0]), HOLDEM_CLASSES), np.nan)
    for node in range(int(rounds.start[1])):
        if rounds.player[node] != seat:
            continue
        assert (rounds.row[node], rounds.count[node]) == (chart.rounds.row[node], chart.rounds.count[node])
        met = game.showdown.lines(seat, 0, 0, reach[rounds.at[1 - seat, node]][None], 0)[1][0]
        child, rows = int(rounds.child[node]), slice(rounds.row[node], rounds.row[node] + rounds.count[node])
        worth = values[child : child + int(rounds.count[node]), : len(classes)] * game.mass / CHIPS
        weight = np.bincount(classes, met)
        with np.errstate(invalid="ignore", divide="ignore"):
            ev[rows] = [np.where(weight > 0.0, np.bincount(classes, row) / weight, np.nan) for row in worth]
    return ev
