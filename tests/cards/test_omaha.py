"""What is seen in Omaha hands, against the letters of their names."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from headsup.cards.cards import DECK, RANK_WORDS, RANKS, cards_name, plural_rank
from headsup.cards.classes import omaha_class
from headsup.cards.hands import LOW, omaha_cards


@given(st.lists(st.sampled_from(DECK), min_size=4, max_size=4, unique=True))
def test_ranks_suits_and_lows_are_those_of_the_letters(cards: list[int]) -> None:
    seen, hand = omaha_cards(), omaha_class(sorted(cards))
    ranks, suits = cards_name(cards)[0::2], cards_name(cards)[1::2]
    assert [int(seen.count(rank)[hand]) for rank in RANKS] == [ranks.count(rank) for rank in RANKS]
    assert sorted(seen.pattern[hand].tolist()) == sorted(Counter("cdhs" + suits)[suit] - 1 for suit in "cdhs")
    assert seen.low_ranks[hand] == len(set(ranks) & set(LOW))
    assert seen.pairs[hand] == list(Counter(ranks).values()).count(2)
    for rank in "AKQ":
        tops = [
            max(places)
            for suit in "cdhs"
            if len(places := [RANKS.index(r) for r, s in zip(ranks, suits, strict=True) if s == suit]) > 1
        ]
        assert seen.suited_under(rank)[hand] == (RANKS.index(rank) in tops)


def test_rank_words() -> None:
    assert [plural_rank(RANK_WORDS[rank]) for rank in (0, 4, 12)] == ["deuces", "sixes", "aces"]
