"""Rules that a person can use at the table: add up points, compare with a number, play or fold.

A `PointRule` has kinds of hand that are always played, lines that each look at one thing and give points for it, and a
threshold that depends on the stack and the seat.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import RANK_WORDS, RANKS, plural_rank, with_article
from headsup.common.arrays import Floats
from headsup.common.checks import as_number, as_numbers, at_least, door
from headsup.common.display import brief
from headsup.common.errors import UserError
from headsup.games.betting.stakes import PLAYS, check_seat
from headsup.jamfold.hands import Mask, class_name

RANK_NAMES = dict(zip(RANKS, ("Two", *(word.capitalize() for word in RANK_WORDS[1:])), strict=True))
Column = npt.NDArray[np.bool_] | npt.NDArray[np.integer]


@dataclass(frozen=True, eq=False)
class Points:
    """One line of a rule: `each` points for every unit of something in a hand."""

    section: str
    text: str
    each: float
    amount: Column  # how many units each class has
    why: str = ""  # why it counts, for `--explain`

    __repr__ = brief


@dataclass(frozen=True, eq=False)
class PointRule:
    """A rule of points for one jam/fold game."""

    name: str
    title: str
    game: str
    source: str
    lines: tuple[Points, ...]
    threshold: Callable[[float, str], float]
    """(stack in big blinds before posting, seat) -> the number that the score is compared with."""
    threshold_text: Callable[[float, str], str]
    min_stack: float
    max_stack: float  # the stacks that the rule is made for, in big blinds before posting
    always: tuple[tuple[str, Mask], ...] = ()
    """Kinds of hand that are played at any stack, each with the classes it has."""
    seat_points: dict[str, int] = field(default_factory=lambda: {"sb": 0, "bb": 0})
    inclusive: bool = True  # whether a score equal to the threshold plays
    own_threshold: bool = True
    """Whether the threshold is part of the rule; else it is the best one for each stack, which takes time to find."""

    def __repr__(self) -> str:
        return f"<PointRule {self.title}: {self.game}, {self.min_stack:g} to {self.max_stack:g} bb>"

    @property
    def whole(self) -> bool:
        return all(line.each % 1 == 0 for line in self.lines)

    def scores(self, seat: str) -> Floats:
        """The points of every class in a seat: whole numbers or halves, so the sums are exact."""
        total = sum(line.each * line.amount for line in self.lines)
        return np.asarray(total + self.seat_points[check_seat(seat)], dtype=np.float64)

    def certain(self) -> Mask:
        decided = np.zeros(len(self.lines[0].amount), dtype=np.bool_)
        for _, mask in self.always:
            decided |= mask
        return decided

    def strategy(self, stack: float, seat: str) -> Floats:
        """The frequency of each class at a stack: 0 or 1."""
        check_stack(stack)
        enough = self.reaches(self.scores(seat), self.threshold(stack, seat))
        return np.asarray(enough | self.certain(), dtype=np.float64)

    @door(score=as_numbers, threshold=as_numbers)
    def reaches(self, score: Floats | float, threshold: Floats | float) -> Mask:
        """Whether a score, or each of several, is enough."""
        return np.asarray(np.greater_equal(score, threshold) if self.inclusive else np.greater(score, threshold))

    @door(hand=at_least(0))
    def advise(self, hand: int, stack: float, seat: str) -> Advice:
        """The rule's advice on one hand, with every line that counts."""
        check_stack(stack)
        counted = [
            Counted(line.section, line.text, int(line.amount[hand]), float(line.each * line.amount[hand]), line.why)
            for line in self.lines
            if line.amount[hand]
        ]
        if self.seat_points[check_seat(seat)]:
            counted.append(
                Counted("Seat", "in the big blind", 1, self.seat_points[seat], "where a jam has shown strength")
            )
        always = [text for text, mask in self.always if mask[hand]]
        score, threshold = sum(line.points for line in counted), float(self.threshold(stack, seat))
        return Advice(
            rule=self,
            hand=hand,
            stack=stack,
            seat=seat,
            always=always,
            counted=counted,
            score=float(score),
            threshold=threshold,
            plays=bool(always) or bool(self.reaches(score, threshold)),
        )


@dataclass(frozen=True)
class Counted:
    """A line that gave points to a hand."""

    section: str
    text: str
    amount: int
    points: float
    why: str


@dataclass(frozen=True, eq=False)
class Advice:
    """A rule applied to one hand."""

    rule: PointRule
    hand: int
    stack: float
    seat: str
    always: list[str]
    counted: list[Counted]
    score: float
    threshold: float
    plays: bool

    @property
    def action(self) -> str:
        return PLAYS[self.seat] if self.plays else "fold"

    @property
    def hand_class(self) -> str:
        return class_name(self.rule.game, self.hand)


def plural(rank: str) -> str:
    """`Sixes`, `Kings`."""
    return plural_rank(RANK_NAMES[rank])


def named(rank: str) -> str:
    """`a King`, `an Ace`."""
    return with_article(RANK_NAMES[rank])


def check_stack(stack: float) -> float:
    number = as_number(stack, "stack")
    if not 0 < number <= 1000:
        raise UserError(f"a stack of {number:g} big blinds is not possible: write a number above 0 and up to 1000")
    return stack


def off_the_end(what: str, end: int, below: bool) -> str:
    """Which number of a row applies to a stack beyond its ends."""
    order, verb = ("first", "begins") if below else ("last", "ends")
    return f"the {what}'s {order} number: the {what} {verb} at R = {end}"
