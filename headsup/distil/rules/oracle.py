"""ORACLE, the rule of ho-2015 section 4.3 for Omaha Hi-Lo: play if the power level exceeds 10 R.

R is the smaller stack in big blinds before posting, up to 11.25. Where the thesis leaves a choice: three of a kind is
neither paired nor unpaired; low cards are two to eight, each different face value counts once; a lone low card is a 2,
3 or 4 without any other low rank; the distance counts both ends, the ace being high.
"""

from __future__ import annotations

from functools import cache

from headsup.cards.cards import RANKS
from headsup.cards.hands import omaha_cards
from headsup.distil.rules.points import Column, PointRule, Points, plural

_TWO = "since only two of a suit can be used"
_HALF = "which bring the low half of the pot within reach"
_SPENT = "low cards that stand in each other's way"
_ALONE = "which often wins the high alone"
_CLOSE = "close enough for straights"


@cache
def oracle() -> PointRule:
    cards = omaha_cards()

    def kinds(ranks: str) -> Column:
        return cards.kinds(ranks) * (low >= 2)

    low, spread, double = cards.kinds("2345678"), cards.spread, cards.suited_as("AABB")
    lone = (cards.kinds("234") == 1) & (cards.of_rank[:, : RANKS.index("9")].sum(axis=1) == 1)
    single = (cards.pattern[:, 0] >= 2) & ~double
    lines = (
        Points("Suits", "no two cards of one suit", 16, cards.suited_as("ABCD")),
        Points("Suits", "one suit", 40, single, "which may make a flush"),
        Points("Suits", "two suits, two cards each", 75, double, "which may make two flushes"),
        Points("Suits", "for each card outside the suit", 6, single * (4 - cards.pattern[:, 0]), _TWO),
        Points("Cards", "a single Ace", 46, cards.count("A") == 1, "the best card both ways"),
        Points("Cards", "a single King", 12, cards.count("K") == 1),
        Points("Cards", "a single Queen", 6, cards.count("Q") == 1),
        Points("Cards", "a single Nine", -12, cards.count("9") == 1, "of no use for a low and little for a high"),
        Points("Cards", "a lone low card, Two to Four", -5, lone, "which makes no low alone"),
        Points("Low", "four different low ranks", 10, low == 4, "good for a low, seldom for a high"),
        Points("Low", "two or three different low ranks", 48, (low == 2) | (low == 3), _HALF),
        Points("Low", "for each rank from Two to Five", 15, kinds("2345"), "the makings of the best lows"),
        Points("Low", "a Six", 10, kinds("6")),
        Points("Low", "an Eight", -8, kinds("8"), "whose lows are the first to be beaten"),
        *(
            Points("Pairs", f"a pair of {plural(rank)}", points, cards.count(rank) == 2, why)
            for rank, (points, why) in {"2": (-16, _SPENT), "3": (-8, _SPENT), "5": (15, "")}.items()
        ),
        Points("Pairs", "for each pair of Sixes to Nines", 20, (cards.of_rank[:, 4:8] == 2).sum(axis=1)),
        *(
            Points("Pairs", f"a pair of {plural(rank)}", points, cards.count(rank) == 2, _ALONE)
            for rank, points in {"T": 45, "J": 60, "Q": 75}.items()
        ),
        Points("Structure", "exactly one pair", -6, cards.pairs == 1, "one card less to work with"),
        Points("Structure", "three of a kind", -32, (cards.of_rank == 3).any(axis=1), "of which only two can be used"),
        Points("Straights", "two ranks from top to bottom", 10, spread == 2, _CLOSE),
        Points("Straights", "three ranks from top to bottom", 20, spread == 3, _CLOSE),
        Points("Straights", "four or five ranks from top to bottom", 15, (spread == 4) | (spread == 5), _CLOSE),
        Points("Straights", "six or seven ranks from top to bottom", 5, (spread == 6) | (spread == 7), _CLOSE),
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
            ("an Ace, double-suited", ace & double),
        ),
        lines=lines,
        seat_points={"sb": 0, "bb": -5},
        threshold=lambda stack, seat: 10 * stack,
        inclusive=False,
        threshold_text=lambda stack, seat: f"ten times the stack of {stack:g} big blinds",
        min_stack=0.5,
        max_stack=11.25,
    )
