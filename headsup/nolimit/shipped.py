"""Shipped blueprints of no-limit hold'em in buckets, 8 bits per probability. There are three kinds:

- `python -m headsup.nolimit.make STACK --preflop` makes those for 5 to 25 big blinds: play before the flop is that of
  the shipped equilibria (`headsup.preflop.shipped`), and flop, turn and river are learned below it, in the same menu,
  in buckets that all these stacks share. At the table the chart of the nearest stack plays before the flop, and the
  nearest of these blueprints with the same menu before the flop plays below it.
- `python -m headsup.nolimit.make STACK --deep` makes those for 30, 50, 100 and 200 big blinds. All streets are learned,
  in buckets of their own. Blinds are 50 and 100 chips. They are learned in two steps: all streets by players who learn
  against each other, then the later streets again below that first street (`--before`).
- The older ones for 15 and 20 big blinds, with the sizes of andersson-2006: half the pot, the pot, twice the pot and
  all-in; every raise after the flop is all-in, and before it a raise of three quarters of the pot exists too. Their
  buckets are 169 - 500 - 500 - 300, in their files. They play no table any more: the paper's bot is compared with them.

A table plays the blueprint of the nearest stack. `headsup.play.agents.resolving` solves flop, turn and river again.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from headsup.abstraction.hands.named import bucket_checksum, load_buckets
from headsup.cards.classes import holdem_class_of_combo
from headsup.common.checks import door, whole
from headsup.common.errors import DataError, UserError
from headsup.games.catalogue.names import game
from headsup.games.holdem.bucketed import Buckets, BucketStrategy
from headsup.games.holdem.vector import VectorGame
from headsup.preflop.chart import PreflopChart
from headsup.preflop.shipped import nearest_of, shipped_preflop, shipped_stacks
from headsup.solve.records.solution import Solution

if TYPE_CHECKING:
    from headsup.solve.holdem.bucket_solver import FirstStreet

MENU = "50%, 100%, 200%, a; a | preflop 50%, 100%, a; 75%, a; a"
STACKS = (15, 20)  # in big blinds, the older blueprints
_THREE_BETS, _TWO_BETS = "flop 33%, 75%, 200%, a; 100%, a; a", "flop 50%, 100%, a; 100%, a; a"
_LAST = "turn 75%, a; a | river 75%, a; a"
_DEEPEST = f"preflop 50%, 100%, 250%, 700%, a; 100%, 300%, a; 100%, a; a | {_TWO_BETS} | {_LAST}"
DEEP_MENUS = {
    30: f"preflop 50%, 100%, 250%, a; 100%, a; a | {_THREE_BETS} | {_LAST}",
    50: f"preflop 50%, 100%, 250%, a; 100%, 200%, a; 100%, a; a | {_THREE_BETS} | {_LAST}",
    100: _DEEPEST,
    200: _DEEPEST,
}
"""The menus of the deep blueprints, by their stack."""
DEEP_STACKS = tuple(DEEP_MENUS)
DEEP_BLIND = 100  # chips in a big blind
LEAST, MOST = 5.0, 250.0
"""Stacks in big blinds that the nearest blueprint plays."""
DATA = Path(__file__).parent / "data"
BUCKETS, DEEP_BUCKETS = DATA / "buckets.npz", DATA / "deep-buckets.npz"
"""The buckets of the blueprints below equilibria, and of the deep ones: what `build_buckets` makes of the text that the
file holds, as `save_buckets` writes it (`headsup.abstraction.hands`)."""


def nolimit_game(stack: int, menu: str = MENU) -> VectorGame:
    """No-limit hold'em with all cards and the menu of the older blueprints."""
    played = game("holdem-nolimit", stack=stack, menu=menu)
    assert isinstance(played, VectorGame)
    return played


def deep_game(stack: int, menu: str | None = None) -> VectorGame:
    """No-limit hold'em with all cards and the menu of the deep blueprint of a stack, or another one."""
    played = game("holdem-nolimit", stack=stack, big_blind=DEEP_BLIND, menu=menu or DEEP_MENUS[stack])
    assert isinstance(played, VectorGame)
    return played


def shipped_path(stack: int) -> Path:
    return DATA / f"nolimit-{stack}.headsup"


@door(stack=whole)
@cache
def shipped_nolimit(stack: int) -> Solution:
    """The older record of a stack: `in_game(nolimit_game(stack))` is its strategy."""
    path = shipped_path(stack)
    if not path.exists():
        known = ", ".join(str(other) for other in STACKS if shipped_path(other).exists()) or "none"
        raise UserError(f"no blueprint ships for {stack} big blinds: take a stack of {known}, or give a file")
    return Solution.load(path)


def blueprint_path(stack: int) -> Path:
    return DATA / f"blueprint-{stack}.headsup"


def blueprint_stacks() -> list[int]:
    """The stacks of the blueprints that ship beside the older ones, in big blinds."""
    return sorted(int(path.stem.partition("-")[2]) for path in DATA.glob("blueprint-*.headsup"))


@cache
def load_blueprint(path: Path, stack: int) -> BucketStrategy:
    """A deep blueprint, or one below the shipped equilibrium of a stack, with the shipped buckets."""
    deep = stack in DEEP_STACKS
    record, played = Solution.load(path), deep_game(stack) if deep else shipped_preflop(stack).setting.game
    strategy = in_shipped_buckets(record, played)
    if record.content != played.checksum or strategy is None:
        raise DataError(f"{path.name} belongs to other data than what ships: reinstall headsup, or make it again")
    return strategy


def game_below_chart(record: Solution) -> VectorGame | None:
    """The game of a record made with `--preflop`, which is that of a shipped equilibrium; None for other records."""
    if record.game != "preflop" or record.buckets is None:
        return None
    for stack in shipped_stacks():
        played = shipped_preflop(stack).setting.game
        if played.checksum == record.content:
            return played
    raise DataError(f"{record.file} belongs to other data than what ships: reinstall headsup, or make it again")


def in_shipped_buckets(record: Solution, played: VectorGame) -> BucketStrategy | None:
    """A record's strategy if it names buckets that ship, which would take minutes to make again; else None."""
    named = record.buckets
    if named is None or named.parts:
        return None
    for path in (BUCKETS, DEEP_BUCKETS):
        with suppress(UserError):  # those of a game with other cards
            buckets = load_buckets(path, played)
            if bucket_checksum(played, buckets) == named.checksum:
                return BucketStrategy(played, buckets, record.strategy)
    return None


def first_street_of(chart: PreflopChart, buckets: Buckets) -> FirstStreet:
    """What a chart does before the flop, by bucket; hands of a class must share one."""
    classes, numbers = holdem_class_of_combo(), []
    for seat, rows in enumerate(chart.probabilities):
        bucket = np.asarray(buckets.rows(seat, 0, 0, 1)[0], dtype=np.int64)
        held = np.unique(np.stack([bucket, classes]), axis=1)
        if held.shape[1] != buckets.sizes[0][0]:
            raise UserError("a chart has 169 hand classes: take buckets that keep them apart before the flop")
        numbers.append(rows[:, held[1]].ravel())
    return numbers[0], numbers[1]


def chart_stacks() -> dict[int, int]:
    """The stacks whose chart plays before the flop, each with that of the blueprint below it: the nearest one with the
    same menu before the flop.
    """
    menus = {stack: shipped_preflop(stack).setting.menu for stack in shipped_stacks()}
    made = [stack for stack in blueprint_stacks() if stack in menus]
    alike = {stack: [other for other in made if menus[other] == menus[stack]] for stack in menus}
    return {stack: nearest_of(stack, others) for stack, others in alike.items() if others}


def below_chart(strategy: BucketStrategy, chart: PreflopChart) -> BucketStrategy:
    """A blueprint in 8 bits with the play of a chart before the flop."""
    numbers = []
    for known, first, layout in zip(
        strategy.numbers, first_street_of(chart, strategy.buckets), strategy.layouts, strict=True
    ):
        assert first is not None
        assert known.dtype == np.uint8
        assert len(first) == layout.first[layout.row_at[1]]  # the same decisions before the flop
        numbers.append(np.concatenate([np.rint(255.0 * first).astype(np.uint8), known[len(first) :]]))
    return BucketStrategy(strategy.game, strategy.buckets, (numbers[0], numbers[1]))


def has_blueprint(stack: float) -> bool:
    """Whether a blueprint plays a stack, in big blinds."""
    return LEAST <= stack <= MOST


def nearest_stack(stack: float) -> int:
    """The stack of the chart or blueprint that plays a stack before the flop, in big blinds."""
    if not has_blueprint(stack):
        raise UserError(
            f"no blueprint plays {stack:g} big blinds: take a stack from {LEAST:g} to {MOST:g}, or give a file"
        )
    return nearest_of(stack, [*blueprint_stacks(), *chart_stacks()])


def flop_stack(stack: float) -> int:
    """The stack of the blueprint that plays a stack after the flop, in big blinds."""
    nearest = nearest_stack(stack)
    return chart_stacks().get(nearest, nearest)


def opening_path(stack: int) -> Path:
    return DATA / f"opening-{stack}.headsup"


def shipped_opening(stack: float) -> PreflopChart | None:
    """The chart above the blueprint of a deep stack, in a tree of its own; None for a stack of the equilibria."""
    nearest = nearest_stack(stack)
    return load_opening(nearest) if opening_path(nearest).exists() else None


@cache
def load_opening(stack: int) -> PreflopChart:
    return PreflopChart.load(opening_path(stack))


def shipped_blueprint(stack: float) -> BucketStrategy:
    """The blueprint that plays a stack, in big blinds: the nearest one, before the flop with the nearest chart."""
    nearest, made = nearest_stack(stack), flop_stack(stack)
    return _blueprint(nearest, blueprint_path(made), made)


@cache
def _blueprint(first: int, path: Path, later: int) -> BucketStrategy:
    """The blueprint of a stack with the play of another one before the flop; every table shares it."""
    strategy = load_blueprint(path, later)
    return below_chart(strategy, shipped_preflop(first)) if first in chart_stacks() else strategy
