"""Flop features: the paper's examples, a second implementation, partitions, and that suits and order do not matter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.cards.cards import DECK, card_name, parse_cards
from headsup.distil.formulas.features import FEATURES, feature_matrix
from tests.distil.formulas import naive_features

deals = st.lists(st.sampled_from(list(DECK)), min_size=5, max_size=5, unique=True)


def seen(hand: str, flop: str) -> set[int]:
    """The numbers of the features of one hand on one flop."""
    row = feature_matrix(parse_cards(hand), np.array([parse_cards(flop)], dtype=np.uint8))[0]
    return {int(column) + 1 for column in np.flatnonzero(row)}


@pytest.mark.parametrize(
    ("flop", "expected"),
    [
        ("Kh8c3d", {3, 4, 9, 12, 15, 18, 22, 23, 27, 38}),
        ("6c6h2h", {3, 6, 9, 12, 15, 17, 21, 26, 31, 32, 37}),
    ],
)
def test_examples_of_the_flop_alone(flop: str, expected: set[int]) -> None:
    """Section 2.2, after the list of F1-F38."""
    assert {number for number in seen("AsQs", flop) if number <= 38} == expected


@pytest.mark.parametrize(
    ("flop", "expected"),
    # The paper prints F46 for the pair of tens, which its own list calls F47; the rest is as printed.
    [("Jh9c7c", {39, 54, 57, 63}), ("AcQcTc", {40, 47, 51, 55, 62, 67, 71})],
)
def test_examples_of_flop_and_hand(flop: str, expected: set[int]) -> None:
    """Section 2.2, after the list of F39-F73: our hand is KcTh."""
    assert {number for number in seen("KcTh", flop) if number >= 39} == expected


@pytest.mark.parametrize(
    ("hand", "flop", "has", "has_not"),
    [
        ("9c5d", "3h6s7s", {63}, {60, 61, 62, 66}),  # footnote 7: a four or an eight
        ("AsAh", "7c7d2h", {53, 54, 58}, {46, 47, 48, 52}),  # the pair on the flop is not ours
        ("AsAh", "7c7d7h", {44, 46, 48}, {45, 47, 53}),
        ("AsAh", "Ac7d2h", {45, 46, 48, 49, 52}, {44, 47, 50, 51}),
        ("9s8s", "9c8d2h", {48, 49, 50, 52}, {46, 47, 51}),
        ("9s8s", "9c7d7h", {49, 53}, {46, 47, 48}),
        ("9s8s", "9c9d2h", {45, 46, 48, 49, 53}, {47, 50}),
        ("9s8s", "7c7d7h", set(), {44, 45, 46, 47, 48, 52, 53}),
        ("9s8s", "TcJdQh", {46, 48, 59, 66}, {60, 61, 62, 63}),
        ("9s8s", "As5s2s", {16, 43, 46, 48}, {40, 41}),
        ("9s8s", "Ac5c2c", {16, 41}, {40, 42, 43}),
        ("9s8s", "Ac5c2s", {17, 39, 42}, {18, 40}),  # three spades, but the clubs are not ours
        ("9s8s", "TcJd2h", {60}, {61, 62}),  # the bottom end is ours
        ("9s8s", "7c6d2h", {61}, {60, 62}),
        ("AsKs", "QcJd2h", {62, 69}, {60, 61}),
        ("As2s", "3c4dKh", {62, 68}, {60, 61, 63}),
        ("5s5h", "2c3d4h", {58, 61}, {60, 62}),
        ("KsQs", "As7s7c", {19, 40}, {72, 73}),
        ("KsQs", "Ts7s7c", {40, 73}, {19, 72}),
        ("As2d", "KhQcJc", {29, 34, 62}, {35}),
        ("KsQs", "Ah2c3d", {34}, {35, 36, 38}),
        ("KsQs", "Ah2c6d", {37}, {36, 38}),
        ("KsQs", "Ah7c6d", {38}, {36, 37}),
        ("9s8s", "KhTc5d", {65}, {64}),
        ("KsKh", "8c5d4h", {64}, {65}),  # all three on the flop, and no other straight has them
        ("KsKh", "5c4d2h", {65}, {64}),  # 6-5-4-3-2, and 5-4-3-2-A with an ace to come
        ("AsAh", "7c3d2h", set(), {64, 65}),  # an ace is not low here
        ("AsAh", "Kc7d3h", set(), {64, 65}),
        ("AsAh", "KcQd3h", {64}, {65}),
    ],
)
def test_readings(hand: str, flop: str, has: set[int], has_not: set[int]) -> None:
    found = seen(hand, flop)
    assert has <= found
    assert not has_not & found


@given(deals)
@settings(max_examples=400, deadline=None)
def test_agrees_with_sets_and_lists(cards: list[int]) -> None:
    names = [card_name(card) for card in cards]
    expected = naive_features.features(names[:2], names[2:])
    assert seen("".join(names[:2]), "".join(names[2:])) == expected


def test_agrees_with_sets_and_lists_in_bulk() -> None:
    """Random deals leave straights and full houses rare, so many deals from few ranks are looked at too."""
    rng = np.random.default_rng(7)
    for low, high in ((0, 52), (20, 52), (0, 28), (36, 52), (12, 36)):
        for _ in range(150):
            cards = rng.choice(np.arange(low, high), 5, replace=False)
            names = [card_name(int(card)) for card in cards]
            assert seen("".join(names[:2]), "".join(names[2:])) == naive_features.features(names[:2], names[2:]), names


@given(deals, st.permutations(range(4)), st.permutations(range(3)), st.booleans())
@settings(max_examples=200, deadline=None)
def test_suits_and_order_do_not_matter(cards: list[int], suits: list[int], order: list[int], swap: bool) -> None:
    hand, flop = cards[:2], cards[2:]
    moved = [4 * (card >> 2) + suits[card & 3] for card in cards]
    other_hand = moved[1::-1] if swap else moved[:2]
    other_flop = [moved[2:][place] for place in order]
    one = feature_matrix(hand, np.array([flop], dtype=np.uint8))
    other = feature_matrix(other_hand, np.array([other_flop], dtype=np.uint8))
    assert (one == other).all()


@given(st.lists(st.sampled_from(list(DECK)), min_size=2, max_size=2, unique=True))
@settings(max_examples=12, deadline=None)
def test_partitions(hand: list[int]) -> None:
    """Exactly one feature of each group holds on every flop, or on every flop of a kind."""
    left = np.array([card for card in DECK if card not in hand], dtype=np.uint8)
    rng = np.random.default_rng(sum(hand))
    flops = np.array([rng.choice(left, 3, replace=False) for _ in range(3000)])
    matrix = feature_matrix(hand, flops).astype(int)

    def total(*numbers: int) -> np.ndarray:
        return matrix[:, [number - 1 for number in numbers]].sum(axis=1)

    for group in ((1, 2, 3), (4, 5, 6), (7, 8, 9), (10, 11, 12), (13, 14, 15), (16, 17, 18), (20, 21, 22)):
        assert (total(*group) == 1).all()
    assert (total(23, 24, 32) == 1).all()
    assert (total(26, 27, 28, 29) == 1).all()
    assert (total(54, 55, 56) == 1).all()
    assert (total(34, 35, 36, 37, 38)[matrix[:, 21] == 1] == 1).all()
    assert (total(67, 68, 69) == total(62)).all()
    assert (total(59, 60, 61, 62, 63, 64, 65) <= 1).all()
    if hand[0] & 3 == hand[1] & 3:
        assert (total(16, 18, 40, 42) == 1).all()
    if hand[0] >> 2 == hand[1] >> 2:
        assert (total(46, 47, 53) == 1).all()


def test_numbers_and_texts() -> None:
    assert [feature.number for feature in FEATURES] == list(range(1, 74))
    assert len({feature.text for feature in FEATURES}) == 73


def test_the_hand_may_come_from_an_array() -> None:
    flops = np.array([parse_cards("Kh8c3d")], dtype=np.uint8)
    assert (feature_matrix(np.array([51, 50], dtype=np.uint8).tolist(), flops) == feature_matrix((51, 50), flops)).all()
