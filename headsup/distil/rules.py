"""Rules that a person can use at the table: add up points, compare with a number, play or fold.

A `PointRule` has three parts, and everything is made from them: the strategy of all hands, the score of one hand, and
the advice line by line.

1. Some kinds of hand are always played, whatever the stack.
2. Each line looks at one thing in the hand and gives points for it; the seat may add some.
3. The score is compared with a threshold that depends on the stack and the seat.

**ORACLE** (ho-2015 section 4.3, Omaha Hi-Lo). Play if the power level exceeds 10 R, R the smaller stack in big blinds
before posting; calibrated for R up to 11.25. Where the thesis leaves a choice, this is what we read:

- a card is unpaired if it is the only one of its rank, so three of a kind is neither paired nor unpaired;
- low cards are two to eight, and their face values count once each, paired or not (the regression that the points come
  from counts unpaired ones only, but section 4.3 says "each different face value");
- a lone low card is a 2, 3 or 4 without any other low card, so that the hand has no second low rank;
- the distance counts both ends (two for neighbours), the ace is high: aces reach this line only with nines to kings.

**SAGE** (Jones 2006, hold'em). Power index 2 x high + low with A = 15, K = 13, Q = 12, J = 11, plus 22 for a pair,
plus 2 if suited; jam or call from a number in a table on, for R = 1..7 big blinds in the shorter stack *after* posting.
With equal stacks the shorter one after posting is the big blind's, so R is the stack less one. Between the rows the
nearest one is used (halves down: of the four ways to round, the cheapest at worst), beyond the table its last row;
neither is in the source.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from math import ceil

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import RANKS
from headsup.distil.features import features, omaha_cards, plural
from headsup.errors import UserError
from headsup.games.arrays import Floats
from headsup.games.jamfold import PLAYS
from headsup.games.jamfold_hands import Mask, class_name


@dataclass(frozen=True, eq=False)
class Points:
    """One line of a rule: `each` points for every unit that a hand has of something."""

    section: str
    text: str
    each: float
    amount: npt.NDArray[np.int64]
    """How many units each class has."""
    why: str = ""
    """Why it counts, for `--explain`."""


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
    max_stack: float
    """The stacks that the rule is made for, in big blinds before posting."""
    always: tuple[tuple[str, Mask], ...] = ()
    """Kinds of hand that are played at any stack, each with the classes it has."""
    seat_points: dict[str, int] = field(default_factory=lambda: {"sb": 0, "bb": 0})
    inclusive: bool = True
    """Whether a score equal to the threshold plays."""
    own_threshold: bool = True
    """Whether the threshold is part of the rule; else it is the best one for each stack, which takes time to find."""

    @property
    def whole(self) -> bool:
        """Whether all points are whole numbers."""
        return all(line.each % 1 == 0 for line in self.lines)

    def scores(self, seat: str) -> Floats:
        """The points of every class in a seat: whole numbers or halves, so the sums are exact."""
        total = sum(line.each * line.amount for line in self.lines)
        return np.asarray(total + self.seat_points[check_seat(seat)], dtype=np.float64)

    def certain(self) -> Mask:
        """The classes that are always played."""
        found = np.zeros(len(self.lines[0].amount), dtype=np.bool_)
        for _, mask in self.always:
            found |= mask
        return found

    def strategy(self, stack: float, seat: str) -> Floats:
        """How often each class is played at a stack: 0 or 1."""
        check_stack(stack)
        enough = self.reaches(self.scores(seat), self.threshold(stack, seat))
        return np.asarray(enough | self.certain(), dtype=np.float64)

    def reaches(self, score: Floats | float, threshold: Floats | float) -> Mask:
        """Whether a score, or each of several, is enough."""
        return np.asarray(np.greater_equal(score, threshold) if self.inclusive else np.greater(score, threshold))

    def advise(self, hand: int, stack: float, seat: str) -> Advice:
        """What the rule says about one hand, with every line that counts."""
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
        score, threshold = sum(one.points for one in counted), float(self.threshold(stack, seat))
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
        """`jam`, `call` or `fold`."""
        return PLAYS[self.seat] if self.plays else "fold"

    @property
    def hand_class(self) -> str:
        """The name of the hand."""
        return class_name(self.rule.game, self.hand)


def check_seat(seat: str) -> str:
    """The seat, if it is one."""
    if seat not in PLAYS:
        raise UserError(f"'{seat}' is not a seat: choose sb or bb")
    return seat


def check_stack(stack: float) -> float:
    """The stack, if it can be one."""
    if not 0 < stack <= 1000:
        raise UserError(f"a stack of {stack:g} big blinds is not possible: write a number above 0 and up to 1000")
    return stack


_TWO = "since only two of a suit can be used"
_HALF = "which bring the low half of the pot within reach"
_SPENT = "low cards that stand in each other's way"
_CLOSE = "close enough for straights"


@cache
def oracle() -> PointRule:
    """ORACLE, for Omaha Hi-Lo."""
    seen, cards = features("omaha8"), omaha_cards()

    def has(name: str) -> npt.NDArray[np.int64]:
        return seen.column(name).astype(np.int64)

    def kinds(ranks: str) -> npt.NDArray[np.int64]:
        return cards.kinds(ranks) * (low >= 2)

    def paired(ranks: str) -> npt.NDArray[np.int64]:
        return np.asarray(sum(has(f"hasPair{rank}") for rank in ranks), dtype=np.int64)

    def lone(ranks: str) -> npt.NDArray[np.int64]:
        return np.asarray(sum(((cards.count(r) == 1) & (low_cards == 1)) for r in ranks), dtype=np.int64)

    low = cards.kinds("2345678")
    low_cards = cards.of_rank[:, : RANKS.index("9")].sum(axis=1)
    single = has("single_suited")
    spread = cards.spread
    lines = (
        Points("Suits", "no two cards of one suit", 16, has("rainbow")),
        Points("Suits", "one suit", 40, single, "which may make a flush"),
        Points("Suits", "two suits, two cards each", 75, has("double_suited"), "which may make two flushes"),
        Points("Suits", "for each card outside the suit", 6, single * (4 - cards.pattern[:, 0]), _TWO),
        Points("Cards", "a single Ace", 46, has("one_ace"), "the best card both ways"),
        Points("Cards", "a single King", 12, has("hasK")),
        Points("Cards", "a single Queen", 6, has("hasQ")),
        Points("Cards", "a single Nine", -12, has("has9"), "of no use for a low and little for a high"),
        Points("Cards", "a lone low card, Two to Four", -5, lone("234"), "which makes no low alone"),
        Points("Low", "four different low ranks", 10, (low == 4) * 1, "good for a low, seldom for a high"),
        Points("Low", "two or three different low ranks", 48, ((low == 2) | (low == 3)) * 1, _HALF),
        Points("Low", "for each rank from Two to Five", 15, kinds("2345"), "the makings of the best lows"),
        Points("Low", "a Six", 10, kinds("6")),
        Points("Low", "an Eight", -8, kinds("8"), "whose lows are the first to be beaten"),
        *(
            Points("Pairs", f"a pair of {plural(rank)}", points, has(f"hasPair{rank}"), why)
            for rank, (points, why) in {"2": (-16, _SPENT), "3": (-8, _SPENT), "5": (15, "")}.items()
        ),
        Points("Pairs", "for each pair of Sixes to Nines", 20, paired("6789")),
        *(
            Points(
                "Pairs", f"a pair of {plural(rank)}", points, has(f"hasPair{rank}"), "which often wins the high alone"
            )
            for rank, points in {"T": 45, "J": 60, "Q": 75}.items()
        ),
        Points("Structure", "exactly one pair", -6, has("is_one_pair"), "one card less to work with"),
        Points("Structure", "three of a kind", -32, has("is_trips"), "of which only two can be used"),
        Points("Straights", "two ranks from top to bottom", 10, (spread == 2) * 1, _CLOSE),
        Points("Straights", "three ranks from top to bottom", 20, (spread == 3) * 1, _CLOSE),
        Points("Straights", "four or five ranks from top to bottom", 15, ((spread == 4) | (spread == 5)) * 1, _CLOSE),
        Points("Straights", "six or seven ranks from top to bottom", 5, ((spread == 6) | (spread == 7)) * 1, _CLOSE),
    )
    ace = cards.count("A") > 0
    return PointRule(
        name="oracle",
        title="ORACLE",
        game="omaha8",
        source="ho-2015, section 4.3",
        always=(
            ("two or more Aces", cards.count("A") >= 2),
            ("exactly two Kings", cards.count("K") == 2),
            ("an Ace and a low card", ace & (low > 0)),
            ("an Ace, double-suited", ace & (has("double_suited") > 0)),
        ),
        lines=lines,
        seat_points={"sb": 0, "bb": -5},
        threshold=lambda stack, seat: 10 * stack,
        inclusive=False,
        threshold_text=lambda stack, seat: f"ten times the stack of {stack:g} big blinds",
        min_stack=0.5,
        max_stack=11.25,
    )


SAGE_RANKS = {"A": 15, "K": 13, "Q": 12, "J": 11, "T": 10} | {str(rank): rank for rank in range(2, 10)}
SAGE_JAM = (17, 21, 22, 23, 24, 25, 26)
SAGE_CALL = (0, 17, 24, 26, 28, 29, 30)
"""From R = 1 on; with R = 1 any hand calls."""


def sage_row(stack: float) -> int:
    """R of the table, 1..7, for a stack before posting."""
    return min(7, max(1, ceil(stack - 1 - 0.5)))


def _sage_text(stack: float) -> str:
    row, given = sage_row(stack), stack - 1
    if abs(given - row) <= 0.5:
        return f"the table's number for R = {row}, the stack after the big blind"
    return f"{off_the_end('table', row, row > given)}, and you have R = {given:g} after the big blind"


def off_the_end(what: str, end: int, below: bool) -> str:
    """Which number of a row stands in for a stack that the row has none for."""
    order, verb = ("first", "begins") if below else ("last", "ends")
    return f"the {what}'s {order} number: the {what} {verb} at R = {end}"


@cache
def sage() -> PointRule:
    """SAGE, for hold'em."""
    seen = features("holdem")
    value = np.array([SAGE_RANKS[rank] for rank in RANKS])
    high, low = (value[seen.column(name).astype(np.int64) - 2] for name in ("high", "low"))
    lines = (
        Points("Cards", "twice the value of the higher card", 2, high, "with A 15, K 13, Q 12, J 11"),
        Points("Cards", "the value of the lower card", 1, low),
        Points("Pair", "a pair", 22, seen.column("pair").astype(np.int64), "already a made hand"),
        Points("Suits", "suited", 2, seen.column("suited").astype(np.int64), "a flush now and then"),
    )
    table = {"sb": SAGE_JAM, "bb": SAGE_CALL}
    return PointRule(
        name="sage",
        title="SAGE",
        game="holdem",
        source="Jones 2006",
        lines=lines,
        threshold=lambda stack, seat: float(table[seat][sage_row(stack) - 1]),
        threshold_text=lambda stack, seat: _sage_text(stack),
        min_stack=2.0,
        max_stack=8.0,
    )
