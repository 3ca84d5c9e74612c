"""Shipped blueprints of no-limit hold'em in buckets, 8 bits per probability.

Those for 15 and 20 big blinds ship. They have the sizes of andersson-2006: half the pot, the pot, twice the pot and
all-in; every raise after the flop is all-in, and before it a raise of three quarters of the pot exists too. Their
buckets are those of the shipped limit strategy.

`python -m headsup.nolimit.make STACK --preflop` makes others for 5 to 25 big blinds: play before the flop is that of
the shipped equilibria (`headsup.preflop.shipped`), and flop, turn and river are learned below it, in the same menu, in
buckets that all stacks share. Once such files are beside the older ones, they are played instead, the nearest for each
stack. `headsup.play.agents.resolving` plays blueprints and re-solves turn and river at the table.
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
LEAST, MOST = 5.0, 25.0
"""Stacks in big blinds that the nearest blueprint plays."""
DATA = Path(__file__).parent / "data"
BUCKETS = DATA / "buckets.npz"
"""The buckets of all these blueprints: what `build_buckets` makes of the text that the file holds, as `save_buckets`
writes it (`headsup.abstraction.hands`)."""


def nolimit_game(stack: int, menu: str = MENU) -> VectorGame:
    """No-limit hold'em with all cards and the menu of the older blueprints."""
    played = game("holdem-nolimit", stack=stack, menu=menu)
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
    """The stacks of the blueprints that ship, in big blinds."""
    return sorted(int(path.stem.partition("-")[2]) for path in DATA.glob("blueprint-*.headsup"))


@cache
def load_blueprint(path: Path, stack: int) -> BucketStrategy:
    """A blueprint below the shipped equilibrium of a stack, with the shipped buckets."""
    record, played = Solution.load(path), shipped_preflop(stack).setting.game
    buckets = load_buckets(BUCKETS, played)
    checksum = record.buckets.checksum if record.buckets is not None else ""
    if record.content != played.checksum or checksum != bucket_checksum(played, buckets):
        raise DataError(f"{path.name} belongs to other data than what ships: reinstall headsup, or make it again")
    return BucketStrategy(played, buckets, record.strategy)


def exact_blueprints() -> dict[float, Path]:
    """The file that plays each stack for which it was made."""
    known = blueprint_stacks()
    return {float(stack): blueprint_path(stack) if known else shipped_path(stack) for stack in known or STACKS}


def has_blueprint(stack: float) -> bool:
    """Whether a blueprint plays a stack, in big blinds."""
    return LEAST <= stack <= MOST if blueprint_stacks() else stack in STACKS


def shipped_blueprint(stack: float) -> BucketStrategy:
    """The blueprint that plays a stack, in big blinds: the nearest one."""
    known = blueprint_stacks()
    if not has_blueprint(stack):
        those = f"from {LEAST:g} to {MOST:g}" if known else f"of {' or '.join(map(str, STACKS))}"
        raise UserError(f"no blueprint ships for {stack:g} big blinds: take a stack {those}, or give a file")
    if not known:
        older = shipped_nolimit(int(stack)).in_game(nolimit_game(int(stack)))
        assert isinstance(older, BucketStrategy)
        return older
    nearest = min(known, key=lambda other: abs(other - stack))
    return load_blueprint(blueprint_path(nearest), nearest)
