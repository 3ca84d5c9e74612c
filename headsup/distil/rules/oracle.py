"""ORACLE, the rule of ho-2015 section 4.3 for Omaha Hi-Lo.

Play if the power level exceeds 10 R, R the smaller stack in big blinds before posting; calibrated for R up to 11.25.
Where the thesis leaves a choice, this is what we read:

- a card is unpaired if it is the only one of its rank, so three of a kind is neither paired nor unpaired;
- low cards are two to eight, and their face values count once each, paired or not (the regression that the points come
  from counts unpaired ones only, but section 4.3 says "each different face value");
- a lone low card is a 2, 3 or 4 without any other low card, so that the hand has no second low rank;
- the distance counts both ends (two for neighbours), the ace is high: aces reach this line only with nines to kings.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import RANKS
from headsup.cards.omaha import omaha_cards
from headsup.distil.features import features, plural
from headsup.distil.rules.points import PointRule, Points

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
