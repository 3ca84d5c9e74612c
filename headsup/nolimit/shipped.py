"""Shipped blueprints of no-limit hold'em at 15 and 20 big blinds: a small menu in buckets, 8 bits per probability.

The menu has the sizes of andersson-2006: half the pot, the pot, twice the pot and all-in; every raise after the flop is
all-in, and before it a raise of three quarters of the pot exists too. The buckets are those of the shipped limit
strategy. `headsup.nolimit.make` makes these files; their exploitability inside the menu is exact.

`headsup.play.agents.resolving` plays them before and on the flop, and re-solves turn and river at the table.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from headsup.common.checks import door, whole
from headsup.common.errors import UserError
from headsup.games.catalogue.names import game
from headsup.games.holdem.vector import VectorGame
from headsup.solve.records.solution import Solution

MENU = "50%, 100%, 200%, a; a | preflop 50%, 100%, a; 75%, a; a"
STACKS = (15, 20)  # in big blinds, those that ship
DATA = Path(__file__).parent / "data"


def nolimit_game(stack: int, menu: str = MENU) -> VectorGame:
    """No-limit hold'em with all cards and the blueprints' menu."""
    played = game("holdem-nolimit", stack=stack, menu=menu)
    assert isinstance(played, VectorGame)
    return played


def shipped_path(stack: int) -> Path:
    return DATA / f"nolimit-{stack}.headsup"


@door(stack=whole)
@cache
def shipped_nolimit(stack: int) -> Solution:
    """The shipped record of a stack: `in_game(nolimit_game(stack))` is its strategy."""
    path = shipped_path(stack)
    if not path.exists():
        known = ", ".join(str(other) for other in STACKS if shipped_path(other).exists()) or "none"
        raise UserError(f"no blueprint ships for {stack} big blinds: take a stack of {known}, or give a file")
    return Solution.load(path)
