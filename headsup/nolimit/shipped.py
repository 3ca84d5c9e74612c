"""Blueprints of no-limit hold'em at 15 and 20 big blinds: a small menu in buckets, 8 bits a share, one file a stack.

The menu has the sizes of andersson-2006, half the pot, the pot, twice the pot and all-in, with every raise after the
flop all-in; before it a raise of three quarters of the pot is known too. The buckets are those of the shipped limit
strategy, 169 - 500 - 500 - 300, which know nothing of bets. `headsup.nolimit.make` makes such files, and their
exploitability is exact: best replies that see every card, inside the menu.

`headsup.play.agents.resolving` plays them before and on the flop, and solves turn and river anew at the table.
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
STACKS = (15, 20)
"""In big blinds, those that ship."""
DATA = Path(__file__).parent / "data"


def nolimit_game(stack: int, menu: str = MENU) -> VectorGame:
    """No-limit hold'em with all cards and the blueprints' menu."""
    found = game("holdem-nolimit", stack=stack, menu=menu)
    assert isinstance(found, VectorGame)
    return found


def shipped_path(stack: int) -> Path:
    """Where the blueprint of a stack lies."""
    return DATA / f"nolimit-{stack}.headsup"


@door(stack=whole)
@cache
def shipped_nolimit(stack: int) -> Solution:
    """The record of a stack: `in_game(nolimit_game(stack))` is the strategy, `exploitability` its price."""
    path = shipped_path(stack)
    if not path.exists():
        known = ", ".join(str(one) for one in STACKS if shipped_path(one).exists()) or "none"
        raise UserError(f"no blueprint ships for {stack} big blinds: take a stack of {known}, or give a file")
    return Solution.load(path)
