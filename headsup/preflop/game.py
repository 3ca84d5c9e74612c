"""Hold'em before the flop with a bet menu; pots that see a flop are checked down.

The small blind acts first: fold, limp, or raise by the menu. There is no betting after the flop: a called pot is
settled by the exact equity of both hands over all boards. So this is one street of betting on the 169 hand classes with
`Classes` as showdown; jam or fold is its smallest case.

It is a first approximation: it ignores playability and position, so calls and limps are worth too much or too little.
Raises that leave no play after the flop are right.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from headsup.common.checks import as_text, as_truth, door, finite
from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import BettingTree, betting_tree
from headsup.games.betting.menu import parse_menu
from headsup.games.betting.rules import DEAL, Betting
from headsup.games.betting.stakes import CHIPS, MAX_STACK_BB

if TYPE_CHECKING:
    from headsup.games.holdem.vector import VectorGame

MENU = "2.5x, a; a"  # the first raise to two and a half big blinds or all-in, the next one all-in
NO_LIMP = "- call"


@door(stack=finite, small_blind=finite, ante=finite, limp=as_truth, menu=as_text)
def preflop_betting(stack: float, small_blind: float, ante: float, limp: bool, menu: str) -> BettingTree:
    """The betting, with stacks and blinds in big blinds; a chip is a thousandth of one."""
    for what, value, least in (("stack", stack, 1.0), ("small_blind", small_blind, 0.0), ("ante", ante, 0.0)):
        if not isfinite(value) or not least <= value <= MAX_STACK_BB:
            raise UserError(f"{what}: {value:g} big blinds make no sense: from {least:g} to {MAX_STACK_BB:g}")
    if small_blind > 1.0:
        raise UserError(f"small_blind: {small_blind:g} is more than the big blind: write 0.5")
    parse_menu(menu)  # says where a mistake is before more is added to it
    chips, small, dead = (round(CHIPS * value) for value in (stack, small_blind, ante))
    rules = Betting(first=(0,), stacks=(chips, chips), blinds=(small, CHIPS), antes=(dead, dead))
    tree = betting_tree(rules, menu if limp else f"{menu} | {NO_LIMP}")
    if tree.player[0] >= DEAL:
        raise UserError("nobody has a decision to make: both are all-in once blinds and antes are posted")
    if tree.count[0] == 1:
        raise UserError("the small blind can only fold: allow the limp, or add a size of the first raise, as 2x or a")
    return tree


def preflop_game(name: str, stack: float, small_blind: float, ante: float, limp: bool, menu: str) -> VectorGame:
    """The game on the 169 hand classes: the betting of `preflop_betting`, with pots checked down."""
    from headsup.games.holdem.boardlist import PlainBoards
    from headsup.games.holdem.classes import holdem_classes
    from headsup.games.holdem.vector import VectorGame

    tree, table = preflop_betting(stack, small_blind, ante, limp, menu), holdem_classes()
    weights = table.class_sizes.astype(np.float64)
    return VectorGame(name, tree, PlainBoards(()), table, (weights, weights), np.ones(1), float(CHIPS))
