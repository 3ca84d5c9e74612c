"""The attributes: the thesis's own examples, known counts, and a second way of looking at the cards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.cards.cards import DECK, RANKS, cards_name
from headsup.cards.classes import omaha_class, omaha_class_sizes, parse_omaha_class
from headsup.papers.ho2015.regression import attributes, kept_classes

TABLE_3_4 = [
    ("AsKsKhJc", {"hasK": 0, "hasJ": 1}),
    ("KsKhJc2s", {"hasBare2": 1}),
    ("AsAdKh3c", {"hasBareA": 0, "hasLowA": 0, "hasLow3": 1}),
    ("AsKsKh3c", {"hasPairK": 1, "is_one_pair": 1}),
    ("AsAcKsKh", {"is_one_pair": 0, "is_two_pair": 1}),
    ("AsKsKhKc", {"is_one_pair": 0, "is_trips": 1}),
    ("KsKhKdKc", {"is_one_pair": 0, "is_two_pair": 0, "is_trips": 0, "is_quads": 1}),
    ("AsKsQhJh", {"suited_AABB": 1, "cQJs": 1}),
    ("AsKsQsJs", {"suited_AAAA": 1}),
    ("AsKsQsJh", {"suited_AAAB": 1}),
    ("AsKsQhJc", {"suited_AABC": 1, "suitedA": 1, "suitedK": 0}),
    ("As4s3h3c", {"low_card_3": 1}),
    ("KsQhJhTd", {"cQJ": 1, "cJT": 1}),
    ("KsQhJh9d", {"range5": 1}),
]


@pytest.mark.parametrize(("hand", "expected"), TABLE_3_4, ids=[hand for hand, _ in TABLE_3_4])
def test_examples_of_table_3_4(hand: str, expected: dict[str, int]) -> None:
    row = parse_omaha_class(hand)
    assert {name: int(attributes()[name][row]) for name in expected} == expected


def test_suit_patterns_have_their_known_sizes() -> None:
    # known-values: 36,504 / 158,184 / 44,616 / 2,860 / 28,561 hands by suits
    seen, sizes = attributes(), omaha_class_sizes()
    found = [int(seen[f"suited_{code}"] @ sizes) for code in ("AABB", "AABC", "AAAB", "AAAA", "ABCD")]
    assert found == [36504, 158184, 44616, 2860, 28561]


def test_the_regression_keeps_the_classes_that_the_thesis_keeps() -> None:
    assert 2 * int(kept_classes().sum()) == 23345 + 67  # ho-2015 figure 4.4: degrees of freedom, residual and model


def test_there_are_as_many_as_in_the_thesis_and_each_says_something() -> None:
    assert len(attributes()) == 72
    assert all(seen.any() and not seen.all() for seen in attributes().values())


@given(st.lists(st.sampled_from(DECK), min_size=4, max_size=4, unique=True), st.permutations("cdhs"))
def test_features_as_text_shows_them_whatever_the_suits_are_called(cards: list[int], suits: list[str]) -> None:
    text = cards_name(cards)
    renamed = "".join(suits["cdhs".index(letter)] if letter in "cdhs" else letter for letter in text)
    hand = parse_omaha_class(renamed)
    assert hand == omaha_class(sorted(cards))
    found = {name: int(seen[hand]) for name, seen in attributes().items()}
    ranks, letters = text[0::2], text[1::2]
    low = set(ranks) & set("A2345678")
    for rank in RANKS:
        times = ranks.count(rank)
        if rank in "9TJQK":
            assert found[f"has{rank}"] == (times == 1)
        else:
            assert found[f"hasBare{rank}"] == (times == 1 and len(low) < 2)
            assert found[f"hasLow{rank}"] == (times == 1 and len(low) >= 2)
        assert found[f"hasPair{rank}"] == (times == 2)
    by_suit = {
        letter: [RANKS.index(r) for r, s in zip(ranks, letters, strict=True) if s == letter] for letter in "cdhs"
    }
    tops = [RANKS[max(held)] for held in by_suit.values() if len(held) > 1]
    assert [found[f"suited{rank}"] for rank in "AKQJ"] == [int(rank in tops) for rank in "AKQJ"]
    places = [RANKS.index(rank) for rank in ranks]
    assert [found[f"range{n}"] for n in range(2, 8)] == [max(places) - min(places) + 1 == n for n in range(2, 8)]
    assert [found[f"low_card_{n}"] for n in (2, 3, 4)] == [len(low) == n for n in (2, 3, 4)]
    assert found["cKQs"] == any({11, 10} <= set(held) for held in by_suit.values())
