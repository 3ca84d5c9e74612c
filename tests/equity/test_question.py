"""Questions: what is read, what is refused and in which words, and how many deals there are."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.cards.cards import parse_cards
from headsup.cards.combos import combo_masks
from headsup.cards.ranges import Range, parse_range
from headsup.common.errors import UserError
from headsup.equity.question import Side, disjoint_weight, exact_sum, read_question


@pytest.mark.parametrize(
    ("question", "says"),
    [
        (("AsKs", "AsKh"), "As is in the first hand and in the second"),
        (("AsKs", "QhQd", "AsKd2c"), "As is in the hand AsKs and on the board"),
        (("AsKs", "QhQd", "", "Qd"), "Qd is in the hand QhQd and dead"),
        (("AsKs", "QhQd", "2c3c4c", "4c"), "4c is on the board and dead"),
        (("AsAs", "QhQd"), "As twice"),
        (("AsKs", "QhQd", "2c2c3d"), "2c twice"),
        (("AsKs", "QhQd", "2c3d"), "a board has 0, 3, 4 or 5 cards, not 2"),
        (("AsKs", "QhQd", "2c3d4d5d6d7d"), "a board has 0, 3, 4 or 5 cards, not 6"),
        (("AsKs", "QhQd", "2x3d4d"), "not a card"),
        (("AA", "KK", "AsAhAd"), "no hand of 'AA' is possible"),
        (("AsAh", "AsAd,AhAc"), "leave no possible deal"),
        (("AKs", "QQ+,"), "column"),
        (("AsKs", "QhQd", "", "", "stud"), "'stud' is not a game"),
        (("AsKsQs", "QhQd"), ""),
        ((parse_range("AA", "holdem"), "KKxx", "", "", "omaha"), "holdem range was given for omaha"),
        (((0, 1, 2), (4, 5)), "a holdem hand has 2 cards, not 3"),
        (((0, 52), (4, 5)), "52 in the hand is not a card"),
        (((0, 0), (4, 5)), "2c twice"),
        ((Range("holdem", np.zeros(1326)), "KK"), "holds no hand at all"),
    ],
)
def test_mistakes_are_told_in_one_sentence(question, says: str) -> None:
    with pytest.raises(UserError) as caught:
        read_question(*question)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_too_many_dead_cards() -> None:
    with pytest.raises(UserError, match="too many cards are dead"):
        read_question((0, 1), (2, 3), dead=range(8, 52))


def test_same_question_in_three_spellings() -> None:
    questions = [
        read_question("AsKh", "QQ", "Ks7d2c"),
        read_question(parse_cards("KhAs"), parse_range("QQ", "holdem"), parse_cards("2c7dKs")),
        read_question("As Kh", "QdQc,QhQs,QcQh,QcQs,QdQh,QdQs", "Ks 7d 2c"),
    ]
    assert {question.deals for question in questions} == {6 * comb(45, 2)}
    assert all(np.array_equal(question.b.combos, questions[0].b.combos) for question in questions)


def test_weights_become_small_integers() -> None:
    question = read_question("AA:0.5,KK:0.25", "QQ:0.3")
    assert set(question.a.weights.tolist()) == {2, 1}
    assert set(question.b.weights.tolist()) == {1}
    assert question.unit == Fraction(1, 4) * Fraction(3, 10)
    assert question.deals == (2 * 6 + 6) * 6 * comb(48, 5)


def test_combos_on_board_or_dead_are_gone() -> None:
    question = read_question("AA", "KK", "Ks7d2c", "Ac")
    assert len(question.a.combos) == 3
    assert len(question.b.combos) == 3
    assert question.deals == 9 * comb(52 - 3 - 1 - 4, 2)


@pytest.mark.parametrize("size", [2, 4])
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_disjoint_weight_is_what_pairs_say(size: int, data) -> None:
    # A few ranks only, so that hands share one, two, three and all cards.
    deck = 10 if size == 2 else 9
    every = np.flatnonzero(combo_masks(size) < (1 << deck))
    weights = [data.draw(st.lists(st.integers(0, 10000), min_size=len(every), max_size=len(every))) for _ in "ab"]
    a, b = (Side("", size, every.astype(np.int32), np.array(w, dtype=np.int64), Fraction(1)) for w in weights)
    many = Side("", size, np.tile(a.combos, 1200), np.tile(a.weights, 1200), Fraction(1))
    expected = [sum(w for w, m in zip(weights[1], b.masks, strict=True) if not m & mask) for mask in a.masks]
    assert disjoint_weight(a, b).tolist() == expected
    assert disjoint_weight(many, b)[: len(every)].tolist() == expected  # large enough for inclusion-exclusion


@given(st.lists(st.integers(-(2**62), 2**62), max_size=50))
def test_exact_sum_does_not_overflow(values: list[int]) -> None:
    assert exact_sum(np.array(values, dtype=np.int64)) == sum(values)


def test_boards_up_to_symmetry_stand_for_all() -> None:
    for a, b, board, dead in product(("AsAh", "AA"), ("KsKh", "KK"), ("", "2s3h4d"), ("", "7c")):
        if not board and a == "AsAh":
            continue
        question = read_question(a, b, board, dead)
        boards, sizes = question.boards()
        assert sizes.sum() == comb(52 - len(question.board) - len(question.dead), question.missing)
        assert len(boards) <= sizes.sum()
        assert (np.diff(boards.astype(int), axis=1) > 0).all()
