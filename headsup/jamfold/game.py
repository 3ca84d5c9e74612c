"""Heads-up jam or fold: the rules, and what every hand gains, with card removal.

The small blind and the big blind post (antes first, if any). The small blind jams all-in or folds; facing a jam, the
big blind calls or folds. After a call both hands go to showdown. Nothing else happens, so a strategy is one frequency
for each hand class: j(A), how often the small blind jams A, and c(B), how often the big blind calls with B.

**Stakes.** Only chips that both players have can be lost, so the effective stack S is the smaller of the two stacks,
counted before anything is posted. The small blind's forced chips are s = min(ante + small blind, S), the big blind's
b = min(ante + big blind, S); what a player posts beyond S comes back. In big blinds, (S, s, b) then decides the hand:

    small blind folds                 -s  to the small blind
    jam, big blind folds              +b
    jam, call, equity E of the pot    2 S (E - 1/2)

**A big-blind ante.** The big blind may post an ante X for both, before the blind. It is dead: whoever wins the pot wins
it, and the big blind has only its stack less X to play with. So with m, the least of the small blind's stack and the
big blind's stack less X, and s, b = min(ante + blind, m) as before, the three ends are worth -s, X + b and
(2 m + X) E - m to the small blind. Each of them is X/2 more than in a game without X in which both post X/2 more:

    S = m + X/2    s + X/2    b + X/2      and the gift g = X/2, from the big blind to the small blind, whatever happens

A gift changes no decision. So a big-blind ante is played as an ante of half of it each, and every value of the small
blind is g higher, every one of the big blind g lower. All formulas below are without g.

At the edges this is still right without a special case. If S <= s, both players are all-in from posting and nothing
is left to decide: jamming is worth at least -S = -s, whatever the cards, so no best response folds. If s < S <= b the
small blind decides and the big blind has nothing left to call: a call is worth more than -S = -b with every hand that
has any equity at all. A jam for less than the big blind is the same case.

**Card removal.** Let w(A) be the number of hands in class A, n(A, B) the number of hands of class B that one hand of
class A leaves in the deck, T = sum over B of n(A, B) (the same for every A), and

    e(A, B) = sum over those n(A, B) hands of (A's share of the pot - 1/2)

Both come from integers, Q(A, B) = 4 x boards x (pots won): e = Q / (4 boards) - n / 2. They are symmetric once
weighted: w(A) n(A, B) = w(B) n(B, A) and w(A) e(A, B) = -w(B) e(B, A). All sums below are over classes.

    EV jam(A)  = 1/T sum_B [(1 - c(B)) b n(A, B) + c(B) 2 S e(A, B)]
               = b + 1/T sum_B c(B) [2 S e(A, B) - b n(A, B)]
    EV fold(A) = -s
    EV call(B) = 2 S [sum_A j(A) e(B, A)] / [sum_A j(A) n(B, A)]      given that the small blind jammed
    EV fold(B) = -b

The gain of jamming over folding is `jam_gain` = EV jam + s. The gain of calling over folding counts from the deal,
where a jam comes with probability sum_A j(A) n(B, A) / T: `call_gain` = 1/T sum_A j(A) [2 S e(B, A) + b n(B, A)].
With W the number of all hands, the small blind's value is

    v = -s + 1/W sum_A w(A) j(A) jam_gain(A)
      = -s + 1/W sum_A w(A) j(A) (b + s) - 1/W sum_B w(B) c(B) call_gain(B)

so against a given opponent every hand is played or folded by the sign of its own gain, and the game is zero-sum and
bilinear: everything needs only the sums of n and of pots won against a strategy, which `Classes` makes.
(The thesis's equations 3.4 and 3.6 drop the frequencies from one sum and take the half pot from the folded part too;
the ones above are what its `solver` must have meant.)

**In the hold'em layer** this is a `VectorGame`: a betting tree of two decisions, no boards, and `Classes` as showdown.
`Charts` (`jamfold_hands`), one frequency a class and seat, is a `Strategy` of it. So it is walked and measured like
every other game (`headsup.games.walk.walk.hand_values`); the equations above give the same numbers from one sum over
the table for each seat, where the walk takes three, and give them action by action, which is what charts and solvers
want.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache

import numpy as np

from headsup.games.betting.bettingtree import BettingTree, betting_tree
from headsup.games.betting.rules import Betting
from headsup.games.betting.stakes import Payoffs, Stakes
from headsup.games.holdem.boardlist import PlainBoards
from headsup.games.holdem.classes import Classes
from headsup.games.holdem.vector import VectorGame
from headsup.jamfold.gains import JamFoldGains, jamfold_gains

CHIPS = 1000
"""Chips in a big blind where jam or fold is a game of the layer: a chip is one mbb."""


@dataclass(frozen=True, eq=False, repr=False)
class JamFold(VectorGame, JamFoldGains):
    """One jam/fold game: a `VectorGame` in mbb, and what its decisions gain in big blinds; made by `jamfold_game`."""

    showdown: Classes


def jamfold_game(table: Classes, stakes: Stakes | Payoffs) -> JamFold:
    """Jam or fold with the hands of a table, for stakes or what they come to."""
    gains = jamfold_gains(table, stakes)
    weights = table.class_sizes.astype(np.float64)
    return JamFold(
        name=gains.name,
        betting=_betting(gains.payoffs),
        boards=_no_board(),
        showdown=table,
        weights=(weights, weights),
        chance=np.ones(1),
        unit=float(CHIPS),
        payoffs=gains.payoffs,
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
