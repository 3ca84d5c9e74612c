"""Which variant of CFR takes the fewest iterations: the presets and other exponents on ten hold'em spots.

Iterations to 0.5, 0.3 and 0.1 % of the pot, looked at every ten, on a GPU where there is one; on a CPU the flops take
minutes each, so they are left out. `peer` is the rule of postflop-solver: dcfr with exponents 1.5 and 0.5, a cubic
average that starts again at every power of four.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

import numpy as np

from benchmarks.ten_spots import ten_spots
from headsup.common.arrays import Floats
from headsup.common.backend import gpu_present
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.records.settings import PRESETS, Settings

TARGETS = (0.005, 0.003, 0.001)
MOST = 400


@dataclass(frozen=True)
class Anew(Settings):
    """An average that starts again at every power of four: what came before counts next to nothing."""

    def schedule(self, after: int, n: int) -> Floats:
        """As without it, but for the weights."""
        rows = super().schedule(after, n)
        for row, t in zip(rows, range(after + 1, after + n + 1), strict=True):
            begun = 4 ** int(np.log2(t) / 2 + 1e-9)
            row[2] = (t - begun + 1.0) ** 3 * begun**6.0
        return rows


def run(quick: bool) -> None:
    """Print a line for each variant and spot, and the sums."""
    device = "gpu" if gpu_present() else "cpu"
    dcfr = PRESETS["dcfr"]
    variants = {
        **PRESETS,
        "peer": Anew(positive=1.5, negative=0.5),
        "dcfr, cubic": replace(dcfr, averaging=3.0),
        "dcfr, power 5": replace(dcfr, averaging=5.0),
        "1.3, 0.25, power 5": Settings(positive=1.3, negative=0.25, averaging=5.0),
        "1.1, 0.5, cubic": Settings(positive=1.1, negative=0.5, averaging=3.0),
        "2.3, floored, predictive, power 5": Settings(positive=2.3, negative=-inf, averaging=5.0, predictive=True),
    }
    sums = {name: np.zeros(len(TARGETS), dtype=int) for name in variants}
    late = dict.fromkeys(variants, 0)
    for spot_name, spot in ten_spots().items():
        if (device == "cpu" and spot_name.startswith("flop")) or (quick and not spot_name.startswith("river")):
            continue
        game = spot.game()
        for name, settings in variants.items():
            solver, needed, left = VectorCfr(game, settings, device=device), [], list(TARGETS)
            while left and solver.iterations < MOST:
                solver.step(10)
                share = solver.exploitability() / spot.pot
                while left and share <= left[0]:
                    needed.append(solver.iterations)
                    left.pop(0)
            late[name] += len(left)
            needed += [MOST] * len(left)
            sums[name] += needed
            print(f"  {spot_name:15} {name:34} {needed}" + (" or more" if left else ""), flush=True)
    print(f"  iterations to {', '.join(f'{target:.1%}' for target in TARGETS)} of the pot, all spots together:")
    for name in sorted(sums, key=lambda variant: int(sums[variant][-1])):
        more = f"; {late[name]} targets not reached in {MOST}, counted as that" if late[name] else ""
        print(f"  {name:34} {', '.join(f'{n:,}' for n in sums[name])}{more}")
