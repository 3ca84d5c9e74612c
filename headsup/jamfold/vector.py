"""Jam or fold as a game of the hold'em layer: a betting tree of two decisions, no boards, and `Classes` as showdown.

`Charts`, one frequency for each class and seat, is a `Strategy` of it. `headsup.jamfold.game` gives the same numbers.
"""

from dataclasses import dataclass, replace
from functools import cache, lru_cache

import numpy as np

from headsup.games.betting.bettingtree import BettingTree, betting_tree
from headsup.games.betting.rules import Betting
from headsup.games.betting.stakes import CHIPS, Payoffs, Stakes
from headsup.games.holdem.boardlist import PlainBoards
from headsup.games.holdem.classes import Classes
from headsup.games.holdem.vector import VectorGame
from headsup.jamfold.game import JamFoldGame


@dataclass(frozen=True, eq=False, repr=False)
class JamFold(VectorGame, JamFoldGame):
    """One jam/fold game: a `VectorGame` in mbb, with gains and certificates in big blinds; made by `jamfold_game`."""

    showdown: Classes


def jamfold_game(table: Classes, stakes: Stakes | Payoffs) -> JamFold:
    """Jam or fold with the hands of a table."""
    game = JamFoldGame.of(table, stakes)
    weights = table.class_sizes.astype(np.float64)
    return JamFold(
        name=game.name,
        betting=_betting(game.payoffs),
        boards=_no_board(),
        showdown=table,
        weights=(weights, weights),
        chance=np.ones(1),
        unit=float(CHIPS),
        payoffs=game.payoffs,
    )


@cache
def _no_board() -> PlainBoards:
    return PlainBoards(())


@cache
def _shape() -> BettingTree:
    """Five nodes: the small blind's decision, its fold, the big blind's decision, its fold, the showdown."""
    return betting_tree(Betting(first=(0,), stacks=(4, 4), blinds=(1, 2), jam_or_fold=True))


@lru_cache(maxsize=512)  # prices come back to the same stacks again and again
def _betting(payoffs: Payoffs) -> BettingTree:
    """The betting of these payoffs. What ends pay is as exact as the payoffs; chips paid are rounded to whole ones.

    Both decisions are there even if posting has left nobody a choice, so that a chart always has its two sides.
    """
    stack, small, big = (max(1, round(CHIPS * part)) for part in payoffs[:3])
    rules = Betting(first=(0,), stacks=(stack, stack), blinds=(small, big), jam_or_fold=True)
    paid = np.array([(small, big), (small, big), (stack, big), (stack, big), (stack, stack)])
    stake = np.array([0.0, payoffs.small, 0.0, payoffs.big, payoffs.stack])[:, None]
    gift = np.outer([0.0, 1.0, 0.0, 1.0, 1.0], [payoffs.gift, -payoffs.gift])  # at ends only
    return replace(
        _shape(),
        rules=rules,
        paid=paid,
        amount=np.array([0, small, stack, big, stack]),
        win=CHIPS * (gift + stake),
        lose=CHIPS * (gift - stake),
    )
