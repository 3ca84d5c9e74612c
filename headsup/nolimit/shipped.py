"""Shipped blueprints of no-limit hold'em in buckets, 8 bits per probability. There are three kinds:

- The older ones for 15 and 20 big blinds, with the sizes of andersson-2006: half the pot, the pot, twice the pot and
  all-in; every raise after the flop is all-in, and before it a raise of three quarters of the pot exists too. Their
  buckets are 169 - 500 - 500 - 300, in their files.
- `python -m headsup.nolimit.make STACK --preflop` makes those for 5 to 25 big blinds: play before the flop is that of
  the shipped equilibria (`headsup.preflop.shipped`), and flop, turn and river are learned below it, in the same menu,
  in buckets that all these stacks share. Where one ships, it replaces the older one of its stack.
- `python -m headsup.nolimit.make STACK --deep` makes those for 30, 50, 100 and 200 big blinds. All streets are learned,
  in one menu and in buckets of their own. Blinds are 50 and 100 chips.

A table plays the blueprint of the nearest stack. `headsup.play.agents.resolving` re-solves turn and river.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from headsup.abstraction.hands.named import bucket_checksum, load_buckets
from headsup.common.checks import door, whole
from headsup.common.errors import DataError, UserError
from headsup.games.catalogue.names import game
from headsup.games.holdem.bucketed import BucketStrategy
from headsup.games.holdem.vector import VectorGame
from headsup.preflop.shipped import shipped_preflop
from headsup.solve.records.solution import Solution

MENU = "50%, 100%, 200%, a; a | preflop 50%, 100%, a; 75%, a; a"
STACKS = (15, 20)  # in big blinds, the older blueprints
DEEP_MENU = (
    "preflop 50%, 100%, a; 100%, a; 100%, a; a | flop 33%, 75%, 200%, a; 100%, a; a | turn 75%, a; 100%, a; a"
    " | river 75%, a; a"
)
DEEP_STACKS = (30, 50, 100, 200)
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


def deep_game(stack: int, menu: str = DEEP_MENU) -> VectorGame:
    """No-limit hold'em with all cards and the menu of the deep blueprints."""
    played = game("holdem-nolimit", stack=stack, big_blind=DEEP_BLIND, menu=menu)
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
    buckets = load_buckets(DEEP_BUCKETS if deep else BUCKETS, played)
    checksum = record.buckets.checksum if record.buckets is not None else ""
    if record.content != played.checksum or checksum != bucket_checksum(played, buckets):
        raise DataError(f"{path.name} belongs to other data than what ships: reinstall headsup, or make it again")
    return BucketStrategy(played, buckets, record.strategy)


def exact_blueprints() -> dict[float, Path]:
    """The file that plays each stack for which it was made."""
    files = {stack: shipped_path(stack) for stack in STACKS} | {n: blueprint_path(n) for n in blueprint_stacks()}
    return {float(stack): files[stack] for stack in sorted(files) if files[stack].exists()}


def has_blueprint(stack: float) -> bool:
    """Whether a blueprint plays a stack, in big blinds."""
    return LEAST <= stack <= MOST


def nearest_stack(stack: float) -> int:
    """The stack of the blueprint that plays a stack, in big blinds: the one with the smallest ratio to it."""
    if not has_blueprint(stack):
        raise UserError(
            f"no blueprint plays {stack:g} big blinds: take a stack from {LEAST:g} to {MOST:g}, or give a file"
        )
    return int(min(exact_blueprints(), key=lambda other: max(other / stack, stack / other)))


def shipped_blueprint(stack: float) -> BucketStrategy:
    """The blueprint that plays a stack, in big blinds: the nearest one."""
    nearest = nearest_stack(stack)
    if nearest in blueprint_stacks():
        return load_blueprint(blueprint_path(nearest), nearest)
    older = shipped_nolimit(nearest).in_game(nolimit_game(nearest))
    assert isinstance(older, BucketStrategy)
    return older
