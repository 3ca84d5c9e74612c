"""The attributes of ho-2015 table 3.4, under the thesis's own names; low cards are those from ace to eight.

| names                                       | the attribute                                                          |
|---------------------------------------------|------------------------------------------------------------------------|
| has9 .. hasK                                | exactly one card of this rank                                          |
| hasBareA, hasBare2 .. hasBare8              | exactly one, and the hand has fewer than two different low ranks       |
| hasLowA, hasLow2 .. hasLow8                 | exactly one, and the hand has two or more, so that it can make a low   |
| hasPairA, hasPair2 .. hasPairK              | exactly two cards of this rank                                         |
| is_one_pair, is_two_pair, is_trips, is_quads | the structure; three of a kind is no pair                             |
| suited_AABB, _AABC, _AAAB, _AAAA, _ABCD     | how the suits are distributed                                          |
| low_card_2 .. low_card_4                    | exactly this many different low ranks                                  |
| suitedA .. suitedJ                          | the highest of two or more cards of one suit                           |
| c65 .. cKQ, c65s .. cKQs                    | two neighbouring ranks, of one suit                                    |
| range2 .. range7                            | from highest to lowest card, both counted, the ace high                |
"""

from __future__ import annotations

from functools import cache

from headsup.cards.cards import RANKS
from headsup.cards.omaha import LOW, omaha_cards
from headsup.jamfold.hands import Mask


@cache
def attributes() -> dict[str, Mask]:
    """Which hand classes have each attribute, in the order of figure 4.4."""
    cards = omaha_cards()
    can_low = cards.low_ranks >= 2
    single, pair = ({rank: cards.count(rank) == number for rank in RANKS} for number in (1, 2))
    steps = [(high, low) for low, high in zip("56789TJQ", "6789TJQK", strict=True)]
    return {
        **{f"suited_{letters}": cards.suited_as(letters) for letters in ("AABB", "AABC", "AAAB", "AAAA", "ABCD")},
        **{f"hasBare{rank}": single[rank] & ~can_low for rank in LOW},
        **{f"has{rank}": single[rank] for rank in "9TJQK"},
        **{f"hasLow{rank}": single[rank] & can_low for rank in LOW},
        **{f"hasPair{rank}": pair[rank] for rank in "A23456789TJQK"},
        "is_one_pair": cards.pairs == 1,
        "is_two_pair": cards.pairs == 2,
        "is_trips": (cards.of_rank == 3).any(axis=1),
        "is_quads": (cards.of_rank == 4).any(axis=1),
        **{f"low_card_{number}": cards.low_ranks == number for number in (2, 3, 4)},
        **{f"suited{rank}": cards.suited_under(rank) for rank in "AKQJ"},
        **{f"c{high}{low}": (cards.count(high) > 0) & (cards.count(low) > 0) for high, low in steps},
        **{f"c{high}{low}s": cards.suited(high, low) for high, low in steps},
        **{f"range{number}": cards.spread == number for number in range(2, 8)},
    }
