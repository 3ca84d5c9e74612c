"""Equilibria before the flop with real play after it, for 5 to 25 big blinds without ante.

Each file is a `headsup.preflop.chart.PreflopChart` that was solved on a GPU: those for 5 and 8 big blinds by
`headsup preflop --solve`, the others by `headsup.preflop.make`. `headsup.preflop.all_flops` measured them: over all
flops for 10 big blinds, else from some. `correction-*.headsup` is for `make --correct`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from headsup.common.checks import door, finite
from headsup.common.errors import UserError
from headsup.preflop.chart import PreflopChart

DATA = Path(__file__).parent / "data"
LEAST, MOST = 4.0, 30.0
"""Stacks in big blinds that are answered, from the nearest one that ships."""


def shipped_stacks() -> list[int]:
    """The stacks that ship, in big blinds."""
    return sorted(int(path.stem.partition("-")[2]) for path in DATA.glob("preflop-*.headsup"))


@door(stack=finite)
def shipped_preflop(stack: float) -> PreflopChart:
    """The shipped equilibrium nearest to a stack, in big blinds; its `stack` is the one that was solved."""
    stacks = shipped_stacks()
    if not LEAST <= stack <= MOST:
        listed = ", ".join(str(known) for known in stacks)
        raise UserError(
            f"no equilibrium ships for {stack:g} big blinds: give a stack from {LEAST:g} to {MOST:g} (those that ship: "
            f"{listed})"
        )
    return _load(nearest_of(stack, stacks))


def nearest_of(stack: float, known: Iterable[float]) -> int:
    """The one with the smallest ratio to a stack."""
    return int(min(known, key=lambda other: max(other / stack, stack / other)))


@cache
def _load(stack: int) -> PreflopChart:
    return PreflopChart.load(DATA / f"preflop-{stack}.headsup")
