"""How far the values of a chart are from those on flops that were solved one by one below it.

    python -m headsup.preflop.all_flops chart.headsup --work flops --shard 2/2 --flops 85 --device gpu
    python -m headsup.preflop.value_errors chart.headsup --work flops --pairs pairs.npy

What each action earns on all flops is estimated from the flops (`headsup.preflop.estimate`). A line of the output is an
action of a decision: `off_bb` is how far the chart's values are from that, `error_bb` how far the estimate itself may
be off, both as root mean squares over the hands that come there. All-in pots are exact in both.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from headsup.common.arrays import AnyArray, Floats
from headsup.common.display import print_line
from headsup.common.errors import UserError, plainly
from headsup.games.betting.stakes import SEATS
from headsup.preflop.all_flops import (
    ITERATIONS,
    FlopResult,
    checked_down,
    dealt_values,
    every_flop,
    solved_flops,
    trunk_of,
)
from headsup.preflop.chart import PreflopChart
from headsup.preflop.flops import best_values
from headsup.preflop.pairs import read_pairs
from headsup.preflop.view import node_after, rows_at

LEAST = 4
"""Flops that an estimate and its error need."""


def value_errors(chart: PreflopChart, results: dict[int, FlopResult], pairs: AnyArray) -> Iterator[dict[str, Any]]:
    """Each action of every decision with the errors of its values, in big blinds; `results` in random order."""
    flops = list(results)
    if len(flops) < LEAST:
        raise UserError(f"{len(flops)} flops are solved below this chart with these iterations: solve {LEAST} or more")
    trunk = trunk_of(chart)
    known = [checked_down(trunk.game, trunk.policy, seat, pairs) for seat in (0, 1)]

    def estimate(some: list[int]) -> tuple[Floats, Floats]:
        solved = [results[flop] for flop in some]
        first, second = (dealt_values(trunk, seat, some, solved, known)[0] for seat in (0, 1))
        return best_values(chart.setting, trunk.game, trunk.policy, (first, second))

    every, *halves = (estimate(some) for some in (flops, flops[::2], flops[1::2]))
    betting = chart.setting.betting
    for name, line in chart.lines:
        view, seat, rows = chart.at(line), SEATS.index(name), rows_at(betting, node_after(betting, line))
        off = every[seat][rows] - chart.ev[seat][rows]
        error = (halves[0][seat][rows] - halves[1][seat][rows]) / 2.0
        for action, *both in zip(view.actions, off, error, strict=True):
            far, own = (float(np.sqrt(view.weights @ np.nan_to_num(table) ** 2)) for table in both)
            yield {"line": line, "action": action, "reached": view.reached, "off_bb": far, "error_bb": own}


def run(args: argparse.Namespace) -> None:
    chart = PreflopChart.load(args.chart)
    results = solved_flops(chart, args.work, args.iterations, args.store, every_flop(chart.setting))
    for line in value_errors(chart, results, read_pairs(args.pairs)):
        print_line(**line)


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m headsup.preflop.value_errors", description=__doc__)
    parser.add_argument("chart", metavar="CHART", help="the chart below which flops were solved")
    parser.add_argument("--work", required=True, metavar="DIR", help="folder of the flops that are solved")
    parser.add_argument("--iterations", type=int, default=ITERATIONS, metavar="N", help="those of every flop")
    parser.add_argument("--store", default="int16", choices=("float32", "int16"))
    parser.add_argument("--pairs", required=True, metavar="FILE", help="outcomes of pairs of hands on all flops")
    plainly(lambda: run(parser.parse_args(words)))


if __name__ == "__main__":
    main()
