"""Make the play before the flop of a deep stack: a chart with many sizes, above a blueprint that plays on.

    python -m headsup.nolimit.make_opening 200 --boards 1000 --work later-200 --out opening-200.headsup

1. Sample what pairs of hands earn after each line into the flop if both follow the blueprint
   (`headsup.nolimit.later_play`). The sums are kept in the folder `--work`, from which a run resumes.
2. Solve the betting before the flop by CFR, with more sizes than the blueprint has. A line into the flop pays what the
   blueprint's line with the same last raiser and the most similar depth pays, in fractions of the pot. Hands that are
   all-in have their exact equity.
3. Measure what best responses before the flop win. Of charts that were solved with half of the boards it is also
   measured with the other half, which shows how much the sample matters.

Every step prints a line of JSON.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from headsup.common.arrays import AnyArray, Floats
from headsup.common.display import print_line
from headsup.common.errors import UserError, plainly
from headsup.games.betting.cut import street_tree
from headsup.games.betting.rules import DEAL
from headsup.games.betting.stakes import CHIPS
from headsup.games.holdem.boardlist import PlainBoards
from headsup.games.holdem.bucketed import BucketStrategy
from headsup.games.holdem.classes import holdem_classes
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.plain import PlainWalker
from headsup.games.walk.walk import BEST
from headsup.limit.shipped import board_by_board
from headsup.measure.measurement import by_walk
from headsup.nolimit.later_play import LaterPlay, RunoutSampler, class_equities, class_pairs
from headsup.nolimit.opening import depth_at, flop_lines, last_raiser, nearest_line
from headsup.nolimit.shipped import DEEP_STACKS, shipped_blueprint
from headsup.preflop.chart import PreflopChart, Setting
from headsup.preflop.view import rows_at
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.records.settings import PRESETS

MENU = "2x, 2.5x, 3x, 4x, 5x, 7x, 11x, a; 50%, 75%, 100%, 150%, 200%, 300%, 500%, a; 75%, 150%, a; 100%, a; a"
"""More sizes than a blueprint has, so that few raises lie far from all of them."""
ITERATIONS = 600
SAVED_EACH = 50  # boards
STEPS = 250  # of a probability in the file


def opening_setting(stack: float, menu: str = MENU) -> Setting:
    """The game of an opening; after the flop the blueprint's menu counts."""
    return Setting(stack, menu, "none", "none", "none")


def opening_game(setting: Setting) -> VectorGame:
    """The betting before the flop on the 169 classes; where the flop is dealt, nodes have no children."""
    tree = street_tree(setting.game.betting, 0, range(1), streets=1)
    table = holdem_classes()
    weights = table.class_sizes.astype(np.float64)
    return VectorGame("opening", tree, PlainBoards(()), table, (weights, weights), np.ones(1), float(CHIPS))


class LaterShares(NamedTuple):
    """What the small blind gets of the pot where the flop is dealt."""

    table: Floats
    """[tables, 169, 169] for each pair of classes."""
    of_deal: AnyArray
    """[deals] the table of each deal of an opening."""


class OpeningWalker(PlainWalker):
    """Walks an opening; where the flop is dealt, pairs of hands have a share of the pot."""

    def __init__(self, game: VectorGame, shares: LaterShares) -> None:
        super().__init__(game)
        meet = class_pairs() / game.showdown.class_sizes / game.mass  # type: ignore[attr-defined]
        own = shares.table, 1.0 - shares.table.transpose(0, 2, 1)
        self._met, self._got = meet.T.copy(), [(share * meet).transpose(0, 2, 1).copy() for share in own]
        self._groups = [(t, np.flatnonzero(shares.of_deal == t)) for t in np.unique(shares.of_deal).tolist()]
        self._paid = game.betting.paid[self._deals(0)].astype(np.float64)

    def below(self, s: int, b: int) -> None:
        """The values of the deals."""
        deals, seat = self._deals(0), self.seat
        reach = self.reach(0, 1 - seat)[self.rounds.at[1 - seat, deals]]
        values = -self._paid[:, seat, None] * (reach @ self._met)
        for table, members in self._groups:
            values[members] += self._paid[members].sum(axis=1)[:, None] * (reach[members] @ self._got[seat][table])
        self.workspace.value[deals, : self.sizes[seat]] = values


def shares_of(game: VectorGame, strategy: BucketStrategy, play: LaterPlay) -> LaterShares:
    """What later play pays after each line of an opening; all-in hands have their equity."""
    tree, lines = game.betting, flop_lines(strategy.game.betting)
    number, of_deal = {line: i for i, line in enumerate(lines)}, []
    for node in np.flatnonzero(tree.player == DEAL).tolist():
        depth = depth_at(tree, node)
        of_deal.append(number[nearest_line(lines, last_raiser(tree, node), depth)] if depth > 0.0 else len(lines))
    return LaterShares(np.concatenate([play.share, class_equities()[None]]), np.array(of_deal))


def solve_opening(
    setting: Setting, strategy: BucketStrategy, play: LaterPlay, iterations: int = ITERATIONS
) -> VectorCfr:
    """A solver after these iterations; its walker knows what later play pays."""
    game = opening_game(setting)
    solver = VectorCfr(game, PRESETS["dcfr"], store="float64")
    solver.walker = OpeningWalker(game, shares_of(game, strategy, play))
    solver.step(iterations)
    return solver


def opening_chart(
    setting: Setting, strategy: BucketStrategy, play: LaterPlay, iterations: int = ITERATIONS
) -> PreflopChart:
    """The chart, with what best responses before the flop win if later streets pay what was sampled."""
    began = time.monotonic()
    solver = solve_opening(setting, strategy, play, iterations)
    measured = by_walk(solver.walker, solver.policy())
    about = {
        **{name: getattr(setting, name) for name in Setting.__dataclass_fields__},
        "boards": play.boards,
        "blueprint": play.strategy,
        "iterations": iterations,
        "seconds": round(time.monotonic() - began, 3),
        "value_sb_bb": measured.value / CHIPS,
        "exploitability_mbb": measured.mbb,
        "exact": False,
    }
    solution = solver.strategy()
    place = solver.game.board(0, 0)
    first, second = (solution.whole_street(seat, place) for seat in (0, 1))
    return PreflopChart(about, (first, second), (_values(solver, 0), _values(solver, 1)))


def _values(solver: VectorCfr, seat: int) -> Floats:
    """[rows, 169] what each action earns in big blinds, if a best response before the flop follows."""
    walk, game = solver.walker, solver.game
    assert isinstance(walk, OpeningWalker)
    walk.walk(seat, BEST, solver.policy(), solver.stores.seats)
    rounds = walk.rounds
    ev = np.full((int(rounds.rows[seat, 0]), game.showdown.sizes[seat]), np.nan)
    for node in np.flatnonzero(rounds.player == seat).tolist():
        row, count, child = int(rounds.row[node]), int(rounds.count[node]), int(rounds.child[node])
        reach = walk.reach(0, 1 - seat)[rounds.at[1 - seat, node]]
        met = class_pairs() @ (reach / game.showdown.class_sizes)  # type: ignore[attr-defined]
        worth = walk.workspace.value[child : child + count, : game.showdown.sizes[seat]] * game.mass / CHIPS
        ev[row : row + count] = np.where(met > 0.0, worth / np.where(met > 0.0, met, 1.0), np.nan)
    return ev


def sampled(strategy: BucketStrategy, boards: int, folder: Path, seed: int) -> tuple[LaterPlay, LaterPlay]:
    """Sums over boards of even and of odd number; what lies in the folder is not sampled again."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.npz" for name in ("even", "odd")]
    first, second = (
        LaterPlay.load(path, strategy, seed) if path.exists() else LaterPlay.none(strategy, seed) for path in paths
    )
    halves, began, sampler = [first, second], time.monotonic(), RunoutSampler(strategy, seed)
    waiting = [number for number in range(boards) if number >= 2 * halves[number % 2].boards]

    def save() -> None:
        for half, path in zip(halves, paths, strict=True):
            half.save(path)
        print_line(step="sampled", boards=sum(half.boards for half in halves), seconds=time.monotonic() - began)

    try:
        for done, number in enumerate(waiting, start=1):
            halves[number % 2] += sampler.on(sampler.board(number))
            if done % SAVED_EACH == 0:
                save()
    finally:  # an interrupted run keeps all its boards
        if waiting:
            save()
    return halves[0], halves[1]


def unseen_mbb(setting: Setting, strategy: BucketStrategy, halves: Sequence[LaterPlay], iterations: int) -> float:
    """What best responses win from charts that were solved with one half of the boards, measured with the other."""
    total = 0.0
    for play, other in (halves, halves[::-1]):
        solver = solve_opening(setting, strategy, play, iterations)
        game = solver.game
        total += by_walk(OpeningWalker(game, shares_of(game, strategy, other)), solver.policy()).mbb
    return total / 2.0


def rounded(chart: PreflopChart) -> PreflopChart:
    """Probabilities in whole steps that add up to 1, and values in hundredths of a big blind: a small file."""
    betting, tables = chart.setting.betting, [rows.copy() for rows in chart.probabilities]
    for node in np.flatnonzero(betting.player < DEAL).tolist():
        rows = tables[int(betting.player[node])][rows_at(betting, node)]
        rows[:] = np.diff(np.rint(STEPS * np.cumsum(rows, axis=0)), axis=0, prepend=0.0) / STEPS
    probabilities, ev = _single(*tables), _single(*(np.round(rows, 2) for rows in chart.ev))
    return replace(chart, probabilities=probabilities, ev=ev)


def _single(first: AnyArray, second: AnyArray) -> tuple[AnyArray, AnyArray]:
    return first.astype(np.float32), second.astype(np.float32)


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m headsup.nolimit.make_opening", description=__doc__)
    parser.add_argument("stack", type=int, choices=DEEP_STACKS, help="in big blinds")
    parser.add_argument("--menu", default=MENU, help="the sizes before the flop")
    parser.add_argument("--boards", type=int, default=1000, help="how many are sampled")
    parser.add_argument("--iterations", type=int, default=ITERATIONS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, required=True, metavar="DIR", help="folder of the sums, to resume from")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the chart")
    args = parser.parse_args(given)
    if args.boards < 2:
        raise UserError("two boards are needed at least, one for each half: say --boards 1000")
    strategy = board_by_board(shipped_blueprint(args.stack))
    assert isinstance(strategy, BucketStrategy)
    setting = opening_setting(args.stack, args.menu)
    halves = sampled(strategy, args.boards, args.work, args.seed)
    chart = opening_chart(setting, strategy, halves[0] + halves[1], args.iterations)
    unseen = unseen_mbb(setting, strategy, halves, args.iterations // 3)
    chart = rounded(replace(chart, about={**chart.about, "unseen_mbb": unseen}))
    chart.save(args.out)
    print_line(step="solved", **chart.about)


if __name__ == "__main__":
    plainly(main)
