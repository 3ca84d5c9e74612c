"""Make the charts that ship: the betting before the flop, solved with as many flops as memory holds.

    python -m headsup.preflop.make 10 12 --flops 95 --seconds 170 --device gpu --out preflop-{}.headsup

solves one stack after another. Averages are kept before the flop alone, so twice as many flops fit as for
`headsup preflop --solve`; the charts are not measured. `headsup.preflop.all_flops CHART --save FILE` does that, flop by
flop. `--correct FILE` pays what the subset lacks (`headsup.preflop.correct`).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

import numpy as np

from headsup.cards.classes import class_means
from headsup.common.checks import DEVICES
from headsup.common.display import json_line
from headsup.common.errors import plainly
from headsup.common.stop import until_stopped
from headsup.games.walk.trunk import LinePayments, open_lines
from headsup.preflop.chart import PreflopChart, Setting
from headsup.preflop.correct import Correction
from headsup.preflop.flops import class_values, subset_error, subset_game
from headsup.solve.holdem.trunk import TrunkCfr
from headsup.solve.records.settings import PRESETS

SHALLOW, DEEP = "2x, a; a", "2x, a; 2.5x, a; a"
"""Menus before the flop up to 12 big blinds, and above."""
STEPS = 5
"""Iterations between two looks at the clock."""


def solve_trunk(
    setting: Setting,
    *,
    flops: int,
    iterations: int | None = None,
    seconds: float | None = None,
    device: str = "cpu",
    reserve: int = 0,
    correction: Correction | None = None,
    report: Callable[[int, float], None] | None = None,
) -> PreflopChart:
    """A chart that is not measured: the average strategy before the flop, with play after it on a subset of flops.

    Values of actions are means over the iterations, which learn what pays at every decision.

    `report` receives the iterations and seconds so far; `reserve` is how many bytes of a GPU other programs use.
    """
    if correction is not None:
        correction.check(setting, flops)
    part = subset_game(setting.game, flops)
    added: list[LinePayments] = [subset_error(setting.game, part)] if open_lines(part) else []
    if correction is not None:
        added.append(correction.payments(part))
    how = PRESETS["dcfr-holdem"]
    solver = TrunkCfr(part, how, store="int16", device=device, added=added, averages=False, reserve=reserve)
    began, spent = time.perf_counter(), 0.0
    with until_stopped() as stop:
        while not (stop.asked() or spent >= (seconds or np.inf) or solver.iterations >= (iterations or np.inf)):
            solver.step(STEPS if iterations is None else min(STEPS, iterations - solver.iterations))
            spent = time.perf_counter() - began
            if report is not None:
                report(solver.iterations, spent)
    about = {
        **{name: getattr(setting, name) for name in Setting.__dataclass_fields__},
        "flops": flops,
        "iterations": solver.iterations,
        "seconds": round(spent, 3),
        "value_sb_bb": None,
        "exploitability_mbb": None,
        "exact": False,
    } | _corrected(correction)
    first, second = (class_means(solver.average(seat)) for seat in (0, 1))
    ev = [class_values(setting, part, seat, *solver.sums[seat]) for seat in (0, 1)]
    return PreflopChart(about, (first, second), (ev[0], ev[1]), stop.asked())


def _corrected(correction: Correction | None) -> dict[str, float]:
    if correction is None:
        return {}
    return {"corrected_by": correction.solved, "corrected_at": correction.setting.stack}


def run(args: argparse.Namespace) -> None:
    """Solve and save the charts."""
    for stack in args.stacks:
        correction = None if args.correct is None else Correction.load(args.correct.replace("{}", f"{stack:g}"))
        menu = args.menu or (SHALLOW if stack <= 12.0 else DEEP)
        chart = solve_trunk(
            Setting(stack, menu, ante=args.ante, limp=not args.no_limp),
            flops=args.flops,
            iterations=args.iterations,
            seconds=args.seconds,
            device=args.device,
            reserve=int(args.reserve * 1e9),
            correction=correction,
            report=lambda done, spent: print(json_line({"iterations": done, "seconds": round(spent, 1)}), flush=True),
        )
        chart.save(args.out.replace("{}", f"{stack:g}"))
        print(json_line({**chart.about, "stopped": chart.stopped}), flush=True)


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m headsup.preflop.make", description=__doc__)
    parser.add_argument("stacks", metavar="STACK", type=float, nargs="+", help="in big blinds")
    parser.add_argument("--flops", type=int, default=25, metavar="N", help="size of the subset of flops")
    parser.add_argument("--menu", metavar="SIZES", help="raises before the flop, as in  2x, a; a")
    parser.add_argument("--ante", type=float, default=0.0, metavar="A", help="of each player, in big blinds")
    parser.add_argument("--no-limp", action="store_true", help="the small blind raises or folds")
    parser.add_argument("--iterations", type=int, metavar="N", help="stop after so many")
    parser.add_argument("--seconds", type=float, metavar="S", help="stop after this long")
    parser.add_argument("--correct", metavar="FILE", help="pay what the subset lacks; {} stands for the stack")
    parser.add_argument("--reserve", type=float, default=0.0, metavar="GB", help="memory of the GPU to leave free")
    parser.add_argument("--out", required=True, metavar="FILE", help="{} stands for the stack")
    parser.add_argument("--device", choices=DEVICES, default="cpu")
    args = parser.parse_args(words)
    if args.iterations is None and args.seconds is None:
        parser.error("say how long: give --seconds or --iterations")
    plainly(lambda: run(args))


if __name__ == "__main__":
    main()
