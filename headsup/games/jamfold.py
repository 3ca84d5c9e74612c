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
`Charts`, one frequency a class and seat, is a `Strategy` of it. So it is walked and measured like every other game
(`headsup.games.walk.hand_values`); the equations above give the same numbers from one sum over the table for each seat,
where the walk takes three, and give them action by action, which is what charts and solvers want.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from math import isfinite
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.checks import quoted, read_number
from headsup.errors import UserError
from headsup.games.arrays import Floats
from headsup.games.betting import Betting
from headsup.games.bettingtree import BettingTree, betting_tree
from headsup.games.boardlist import PlainBoards
from headsup.games.classes import Classes, Sums
from headsup.games.vector import Place, VectorGame

SEATS = ("sb", "bb")
SEAT_NAMES = {"sb": "small blind", "bb": "big blind"}
PLAYS = {"sb": "jam", "bb": "call"}
"""What a seat does when it does not fold."""
CHIPS = 1000
"""Chips in a big blind where jam or fold is a game of the layer: a chip is one mbb."""
MAX_STACK_BB = 1000.0


class Payoffs(NamedTuple):
    """What is at stake, in big blinds: all that the equilibrium depends on."""

    stack: float
    """S, the effective stack."""
    small: float
    """s, what the small blind loses by folding."""
    big: float
    """b, what the big blind loses by folding to a jam."""
    gift: float = 0.0
    """g, what the big blind pays the small blind whatever happens: half of a big-blind ante."""

    @property
    def fold_sb(self) -> float:
        """The small blind's value of folding."""
        return self.gift - self.small

    @property
    def fold_bb(self) -> float:
        """The big blind's value of folding to a jam."""
        return -self.gift - self.big


@dataclass(frozen=True)
class Stakes:
    """Blinds, antes and both stacks in any one unit, stacks counted before posting; `payoffs` is in big blinds."""

    sb_stack: float
    bb_stack: float
    small_blind: float = 0.5
    big_blind: float = 1.0
    ante: float = 0.0
    bb_ante: float = 0.0
    """Posted by the big blind alone, for both, before the blind."""

    def __post_init__(self) -> None:
        for name, value in (
            ("small blind's stack", self.sb_stack),
            ("big blind's stack", self.bb_stack),
            ("small blind", self.small_blind),
            ("big blind", self.big_blind),
            ("ante", self.ante),
            ("big-blind ante", self.bb_ante),
        ):
            number: Any = value  # what a caller really gave
            if isinstance(number, bool) or not isinstance(number, Real) or not isfinite(number):
                raise UserError(f"the {name} is {quoted(number)}: write a finite number")
        if self.big_blind <= 0:
            raise UserError(f"the big blind is {self.big_blind:g}: it must be above zero")
        if not 0 <= self.small_blind <= self.big_blind:
            raise UserError(
                f"the small blind is {self.small_blind:g}: it must lie between 0 and the big blind, {self.big_blind:g}"
            )
        for name, value in (("ante", self.ante), ("big-blind ante", self.bb_ante)):
            if value < 0:
                raise UserError(f"the {name} is {value:g}: it must be zero or more")
        for seat, stack in (("small", self.sb_stack), ("big", self.bb_stack)):
            if stack <= 0:
                raise UserError(f"the {seat} blind's stack is {stack:g}: it must be above zero")
        if self.effective > MAX_STACK_BB:
            raise UserError(
                f"the effective stack is {self.effective:g} big blinds: the most that is solved is {MAX_STACK_BB:g}"
            )

    @classmethod
    def of(cls, stack: float, small_blind: float = 0.5, ante: float = 0.0) -> Stakes:
        """Both players with the same stack, in big blinds."""
        return cls(stack, stack, small_blind, 1.0, ante)

    @property
    def effective(self) -> float:
        """The smaller stack, in big blinds."""
        return min(self.sb_stack, self.bb_stack) / self.big_blind

    @property
    def payoffs(self) -> Payoffs:
        """Effective stack and forced chips in big blinds, none above the effective stack; see "Stakes" above."""
        dead = min(self.bb_ante, max(self.bb_stack - self.ante, 0.0))  # the big blind's ante, after the common one
        stack = min(self.sb_stack, self.bb_stack - dead)
        small, big = (min(self.ante + blind, stack) for blind in (self.small_blind, self.big_blind))
        stack, small, big = ((part + dead / 2) / self.big_blind for part in (stack, small, big))
        return Payoffs(stack, small, big, dead / 2 / self.big_blind)

    @property
    def standard(self) -> bool:
        """Whether blinds are 1:2 without any ante, as in the shipped sweep."""
        return self.ante == self.bb_ante == 0 and 2 * self.small_blind == self.big_blind


@dataclass(frozen=True, eq=False)
class Charts:
    """How often each class is jammed and called, float64[classes] each: a `Strategy` of jam or fold."""

    jam: Floats
    call: Floats

    def played(self, seat: str) -> Floats:
        """How often each class is played from a seat, sb or bb."""
        return self.jam if seat == "sb" else self.call

    def rows(self, decision: int, board: Place) -> Floats:
        """Fold and play, at the root (the small blind's) or facing a jam."""
        played = self.played(SEATS[int(decision > 0)])
        return np.stack([1.0 - played, played])


@dataclass(frozen=True, eq=False, repr=False)
class JamFold(VectorGame):
    """One jam/fold game: a `VectorGame` in mbb, and what its decisions gain in big blinds; made by `jamfold_game`."""

    showdown: Classes
    payoffs: Payoffs = field(kw_only=True)

    @property
    def table(self) -> Classes:
        """Its showdown."""
        return self.showdown

    @property
    def shares(self) -> Any:
        """Each class's share of all hands, in the table's array module."""
        return self.table.shares

    def jam_gain(self, against_calls: Sums) -> Any:
        """EV jam - EV fold of every class of the small blind, against the sums over the calling range."""
        stack, small, big, _ = self.payoffs
        net = against_calls.pots - 0.5 * against_calls.hands
        return (small + big) + (2 * stack * net - big * against_calls.hands) / self.table.total

    def call_gain(self, against_jams: Sums) -> Any:
        """The big blind's gain of calling over folding, from the deal on, against the sums over the jamming range."""
        stack, _, big, _ = self.payoffs
        net = against_jams.pots - 0.5 * against_jams.hands
        return (2 * stack * net + big * against_jams.hands) / self.table.total

    def call_ev(self, against_jams: Sums) -> Any:
        """EV call given a jam, for every class of the big blind; not a number where no jam is possible."""
        xp = self.table.xp
        net = against_jams.pots - 0.5 * against_jams.hands
        with np.errstate(invalid="ignore", divide="ignore"):
            won = 2 * self.payoffs.stack * net / against_jams.hands - self.payoffs.gift
            return xp.where(against_jams.hands > 0, won, xp.nan)

    def pair_matrix(self, jams: Sequence[int] | Any, calls: Sequence[int] | Any) -> Any:
        """float64[jams, calls]: what c(B) = 1 adds to jam_gain(A): (2 S e(A, B) - b n(A, B)) / T."""
        stack, _, big, _ = self.payoffs
        pots, hands = self.table.block(jams, calls)
        return (2 * stack * (pots - 0.5 * hands) - big * hands) / self.table.total


def jamfold_game(table: Classes, stakes: Stakes | Payoffs) -> JamFold:
    """Jam or fold with the hands of a table, for stakes or what they come to."""
    payoffs = stakes.payoffs if isinstance(stakes, Stakes) else stakes
    weights = table.class_sizes.astype(np.float64)
    return JamFold(
        name=f"{table.game} jam or fold, {payoffs.stack:g} bb",
        betting=_betting(payoffs),
        boards=_no_board(),
        showdown=table,
        weights=(weights, weights),
        chance=np.ones(1),
        unit=float(CHIPS),
        payoffs=payoffs,
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


def strategy(table: Classes, frequencies: npt.ArrayLike, what: str = "strategy") -> Any:
    """Check a strategy: one frequency 0..1 for each class; returned in the table's array module."""
    given = table.xp.asarray(frequencies, dtype=np.float64)
    if given.shape != (table.classes,):
        raise UserError(f"a {table.game} {what} has {table.classes} frequencies, not an array of shape {given.shape}")
    if not bool((given >= 0).all() and (given <= 1).all()):
        raise UserError(f"the frequencies of a {what} lie between 0 and 1")
    return given


def read_stakes(
    stack: str, blinds: str, ante: str = "0", bb_ante: str = "0", opponent: str | None = None, seat: str = "sb"
) -> Stakes:
    """Stakes from what a user typed; `stack` is that of the player in the seat."""
    small, _, big = blinds.partition("/")
    try:
        posted = float(small), float(big)
    except ValueError:
        raise UserError(
            f"--blinds got '{blinds}', which is not two numbers: write for example 0.5/1 or 200/400"
        ) from None
    mine = read_number(stack, "--stack")
    other = mine if opponent is None else read_number(opponent, "--opponent-stack")
    antes = (read_number(text, option, "0.1 or 50") for text, option in ((ante, "--ante"), (bb_ante, "--bb-ante")))
    return Stakes(*((other, mine) if seat == "bb" else (mine, other)), *posted, *antes)
