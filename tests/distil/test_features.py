"""What can be seen in a hand: the thesis's own examples, known counts, and a second way of looking at the cards."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.cards.cards import DECK, RANKS, cards_name
from headsup.cards.classes import (
    omaha_class,
    omaha_class_reps,
    omaha_class_sizes,
    parse_holdem_class,
    parse_omaha_class,
)
from headsup.distil.features import features, thesis_names
from headsup.distil.rules.regression import kept_classes
from headsup.errors import UserError

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
    seen = features("omaha8")
    row = parse_omaha_class(hand)
    assert {name: int(seen.column(name)[row]) for name in expected} == expected


def test_suit_patterns_have_their_known_sizes() -> None:
    # known-values: 36,504 / 158,184 / 44,616 / 2,860 / 28,561 hands by suits
    seen, sizes = features("omaha8"), omaha_class_sizes()
    found = [int(seen.column(f"suited_{code}") @ sizes) for code in ("AABB", "AABC", "AAAB", "AAAA", "ABCD")]
    assert found == [36504, 158184, 44616, 2860, 28561]


def test_the_regression_keeps_the_classes_that_the_thesis_keeps() -> None:
    assert 2 * int(kept_classes().sum()) == 23345 + 67  # ho-2015 figure 4.4: degrees of freedom, residual and model


def test_names_are_unique_and_described() -> None:
    for game, classes in (("holdem", 169), ("omaha", 16432), ("omaha8", 16432)):
        seen = features(game)
        assert seen.matrix.shape == (classes, len(seen.names)) == (classes, len(seen.descriptions))
        assert len(set(seen.names)) == len(seen.names)
        assert all(seen.descriptions)
        assert (seen.matrix.max(axis=0) > seen.matrix.min(axis=0)).all(), "a feature that never changes says nothing"
    assert len(thesis_names()) == 72
    assert set(thesis_names()) <= set(features("omaha8").names)


@given(st.lists(st.sampled_from(DECK), min_size=4, max_size=4, unique=True), st.permutations("cdhs"))
def test_features_as_text_shows_them_whatever_the_suits_are_called(cards: list[int], suits: list[str]) -> None:
    text = cards_name(cards)
    renamed = "".join(suits["cdhs".index(letter)] if letter in "cdhs" else letter for letter in text)
    hand = parse_omaha_class(renamed)
    assert hand == omaha_class(sorted(cards))
    found = features("omaha8").of(hand)
    ranks, letters = text[0::2], text[1::2]
    low = set(ranks) & set("A2345678")
    for rank in RANKS:
        times = ranks.count(rank)
        if rank in "9TJQK":
            assert found.get(f"has{rank}", 0) == (times == 1)
        else:
            assert found.get(f"hasBare{rank}", 0) == (times == 1 and len(low) < 2)
            assert found.get(f"hasLow{rank}", 0) == (times == 1 and len(low) >= 2)
        assert found.get(f"hasPair{rank}", 0) == (times == 2)
    by_suit = {
        letter: [RANKS.index(r) for r, s in zip(ranks, letters, strict=True) if s == letter] for letter in "cdhs"
    }
    tops = [RANKS[max(held)] for held in by_suit.values() if len(held) > 1]
    assert [found.get(f"suited{rank}", 0) for rank in "AKQJ"] == [int(rank in tops) for rank in "AKQJ"]
    assert found.get("suits", 0) == len(tops)
    places = [RANKS.index(rank) for rank in ranks]
    assert found["spread"] == max(places) - min(places) + 1
    assert found.get("low_ranks", 0) == len(low)
    assert found.get("aces", 0) == ranks.count("A")
    assert found.get("cKQs", 0) == any({11, 10} <= set(held) for held in by_suit.values())


def test_two_cards() -> None:
    seen = features("holdem")

    def of(hand: str) -> list[int]:
        return [int(seen.column(name)[parse_holdem_class(hand)]) for name in ("high", "low", "pair", "suited", "gap")]

    assert of("AA") == [14, 14, 1, 0, 0]
    assert of("AKs") == [14, 13, 0, 1, 0]
    assert of("T7o") == [10, 7, 0, 0, 2]


def test_selecting() -> None:
    seen = features("omaha8").select(["ace", "pairs"])
    assert seen.names == ["ace", "pairs"]
    assert seen.matrix.shape == (16432, 2)
    assert np.array_equal(seen.column("ace"), (omaha_class_reps() >= 48).any(axis=1))
    with pytest.raises(UserError, match="'aec' is not a feature"):
        features("omaha8").select(["aec"])
    with pytest.raises(UserError, match="not a game"):
        features("stud")
