"""Hutchison's point count for Omaha Hi-Lo, published in Canadian Poker Monthly, December 1997.

Its author's page is ehutchison.homestead.com/omahasystem.html; the four steps with all of their numbers are also listed
on iomahaindicator.com/hpoints.html, which is what is followed here. Other retellings agree with it where they overlap,
but for one number (a six or a ten as a kicker, 4 on one of them).

A hand whose cards are all tens or higher is played for the high alone if it has two pairs, or a pair and two cards of
a suit, or two suits, and no three of a kind. Any other hand counts:

1. the two lowest ranks, the ace low: points for eight combinations, A-2 to 4-5, and none for the others;
2. each other rank once: 9 for a three, 6 for a four, 4 for a five, 2 for a jack, queen or king, 1 for a six or a ten;
3. each pair by its rank; half of it for three of a kind, none for four;
4. each suit with two cards by its highest card; half of it for three of a suit, none for four.

It was made for ten players: more than 20 points play and more than 30 may raise. It names no stack, so it gets the best
threshold for each here, as the count for Omaha does. Hands for the high alone are always played, as it says.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from headsup.cards.cards import RANKS
from headsup.cards.omaha import omaha_cards
from headsup.distil.rules.hutchison import SPARE, count, rank_lines, suit_lines
from headsup.distil.rules.points import PointRule, Points, named

LOW_ORDER = "A23456789TJQK"
LOWEST_TWO = {"A2": 20, "A3": 17, "A4": 13, "A5": 10, "23": 15, "24": 12, "34": 11, "45": 8}
KICKERS = {"3": 9, "4": 6, "5": 4, "6": 1, "T": 1, "J": 2, "Q": 2, "K": 2}
PAIRS = {"A": 8, "K": 6, "Q": 5, "J": 2, "T": 1, "4": 1, "3": 1, "2": 3}
SUITS = {"A": 4, "K": 3, "Q": 2, "J": 2, "T": 1, "9": 1, "8": 1}


@cache
def hutchison8() -> PointRule:
    """The count as a rule for Omaha Hi-Lo, with the best threshold for each stack and seat."""
    cards = omaha_cards()
    has = np.stack([cards.count(rank) > 0 for rank in LOW_ORDER], axis=1)
    place = has.cumsum(axis=1)
    # a rank is one of the two lowest if it is there and at most one lower rank is
    lowest = {rank: has[:, at] & (place[:, at] <= 2) for at, rank in enumerate(LOW_ORDER)}
    other = {rank: has[:, at] & (place[:, at] > 2) for at, rank in enumerate(LOW_ORDER)}
    lines = (
        *(
            Points("Low", f"{two[0]}-{two[1]} as the two lowest cards", points, lowest[two[0]] & lowest[two[1]])
            for two, points in LOWEST_TWO.items()
        ),
        *(Points("Kickers", f"{named(rank)} beside them", points, other[rank]) for rank, points in KICKERS.items()),
        *rank_lines("a pair of {}", PAIRS, 2),
        *rank_lines("three {}", _halves(PAIRS), 3, SPARE),
        *suit_lines("for each two of a suit with {} on top", SUITS, (2,)),
        *suit_lines("three of a suit with {} on top", _halves(SUITS), (3,), SPARE),
    )  # fmt: skip
    two_suits, pairs = cards.pattern[:, 1] == 2, cards.pairs
    shaped = (pairs == 2) | ((pairs == 1) & (cards.pattern[:, 0] >= 2)) | two_suits
    high = (cards.ranks.min(axis=1) >= RANKS.index("T")) & (cards.of_rank.max(axis=1) < 3)
    return count(
        "hutchison8",
        "Hutchison's Hi-Lo count",
        "omaha8",
        "Canadian Poker Monthly, December 1997",
        lines,
        always=(("four cards from Ten up with pairs or suits, for the high alone", shaped & high),),
    )


def _halves(points: Mapping[str, float]) -> dict[str, float]:
    return {rank: each / 2 for rank, each in points.items()}
