"""Seats and stakes of jam or fold: what was posted, what can be lost, and what that comes to in big blinds.

`headsup.jamfold.game` explains why four numbers (`Payoffs`) are all that the equilibrium depends on.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from numbers import Real
from typing import Any, NamedTuple

from headsup.common.checks import as_text, as_truth, door, parse_float, quoted, read_number
from headsup.common.errors import UserError

SEATS = ("sb", "bb")
SEAT_NAMES = {"sb": "small blind", "bb": "big blind"}
PLAYS = {"sb": "jam", "bb": "call"}  # what a seat does when it does not fold
MAX_STACK_BB = 1000.0
CHIPS = 1000  # chips in a big blind, in betting trees of games whose stacks are in big blinds: a chip is one mbb


def check_seat(seat: str) -> str:
    if not isinstance(seat, str) or seat not in SEATS:
        raise UserError(f"{quoted(seat)} is not a seat: choose sb or bb")
    return seat


class Payoffs(NamedTuple):
    """What is at stake, in big blinds: all that the equilibrium depends on."""

    stack: float  # S, the effective stack
    small: float  # s, what the small blind loses by folding
    big: float  # b, what the big blind loses by folding to a jam
    gift: float = 0.0  # g, what the big blind always pays the small blind: half of a big-blind ante

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
    bb_ante: float = 0.0  # posted by the big blind alone, for both, before the blind

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
        """Effective stack and forced chips in big blinds, none above the effective stack; see `jamfold`."""
        dead = min(self.bb_ante, max(self.bb_stack - self.ante, 0.0))  # the big blind's ante, after the common one
        stack = min(self.sb_stack, self.bb_stack - dead)
        small, big = (min(self.ante + blind, stack) for blind in (self.small_blind, self.big_blind))
        stack, small, big = ((part + dead / 2) / self.big_blind for part in (stack, small, big))
        return Payoffs(stack, small, big, dead / 2 / self.big_blind)

    @property
    def standard(self) -> bool:
        """Whether blinds are 1:2 without any ante, as in the shipped sweep."""
        return self.ante == self.bb_ante == 0 and 2 * self.small_blind == self.big_blind


@door(
    stack=as_text, blinds=as_text, ante=as_text, bb_ante=as_text, opponent=as_text, seat=as_text, in_big_blinds=as_truth
)
def read_stakes(
    stack: str,
    blinds: str,
    ante: str = "0",
    bb_ante: str = "0",
    opponent: str | None = None,
    seat: str = "sb",
    in_big_blinds: bool = False,
) -> Stakes:
    """Stakes from what a user typed; `stack` is that of the player in the seat, in the unit of the blinds or in big
    blinds.
    """
    check_seat(seat)
    small, _, big = blinds.partition("/")
    try:
        posted = parse_float(small), parse_float(big)
    except ValueError:
        raise UserError(
            f"--blinds got '{blinds}', which is not two numbers: write for example 0.5/1 or 200/400"
        ) from None
    unit = posted[1] if in_big_blinds and posted[1] > 0 else 1.0
    mine = unit * read_number(stack, "--stack")
    other = mine if opponent is None else unit * read_number(opponent, "--opponent-stack")
    antes = (read_number(text, option, "0.1 or 50") for text, option in ((ante, "--ante"), (bb_ante, "--bb-ante")))
    return Stakes(*((other, mine) if seat == "bb" else (mine, other)), *posted, *antes)
