"""Names are right, different for different hands, and `rank` says what the kernels say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup import evaluate
from headsup.cards.cards import RANK_WORDS, cards_name, parse_cards
from headsup.common.errors import UserError
from headsup.evaluate.classes import CATEGORIES, CLASSES, LOWS
from tests import naive

few = settings(max_examples=50, deadline=None)
DECK = st.permutations(range(52))


@pytest.mark.parametrize(
    ("cards", "name", "used"),
    [
        ("AsKsQsJsTs9s8s", "royal flush", "AsKsQsJsTs"),
        ("5h4h3h2hAhKdKc", "straight flush, five high", "5h4h3h2hAh"),
        ("9s9h9d9c2sKdKh", "four of a kind, nines with K", "9s9h9d9cKd"),
        ("9s9h9d7c7s2h", "full house, nines over sevens", "9s9h9d7c7s"),
        ("6s6h6d7c7s7h", "full house, sevens over sixes", "7c7s7h6s6h"),
        ("AdJd9d5d3d2c2s", "flush, A-J-9-5-3", "AdJd9d5d3d"),
        ("As2d3h4c5s", "straight, five high", "5s4c3h2dAs"),
        ("TsJdQhKcAs", "straight, ace high", "AsKcQhJdTs"),
        ("7s7h7dAcKs", "three of a kind, sevens with A-K", "7s7h7dAcKs"),
        ("AsAhKdKcQsQh9c", "two pair, aces and kings with Q", "AsAhKdKcQs"),
        ("2s2h5d4c3s", "pair, deuces with 5-4-3", "2s2h5d4c3s"),
        ("AsKd9h5c3s", "high card, A-K-9-5-3", "AsKd9h5c3s"),
        ("6s6h", "pair, sixes", "6s6h"),
        ("As2s3s4s", "high card, A-4-3-2", "As4s3s2s"),
        ("8c", "high card, 8", "8c"),
    ],
)
def test_names(cards: str, name: str, used: str) -> None:
    result = evaluate.rank(cards)
    assert result.name == name
    assert cards_name(result.cards) == used
    assert name.startswith(result.category) or name == "royal flush"
    if len(result.cards) == 5:
        assert result.category == CATEGORIES[naive.best_key(parse_cards(cards))[0]]
    assert result.low is None


def test_every_value_has_a_name_of_its_own() -> None:
    names = [evaluate.name(value) for value in range(1, CLASSES + 1)]
    assert len(set(names)) == CLASSES
    for value, name in enumerate(names, start=1):
        assert name.startswith(evaluate.category(value)) or name == "royal flush"
    lows = [evaluate.low_name(value) for value in range(LOWS + 1)]
    assert len(set(lows)) == LOWS + 1
    assert (lows[0], lows[1], lows[-1]) == ("no low", "8-7-6-5-4 low", "5-4-3-2-A low")
    assert len(RANK_WORDS) == 13


@few
@given(DECK, st.integers(1, 7), st.sampled_from([0, 3, 4, 5]))
def test_rank_agrees_with_the_kernels(deck: list[int], size: int, on_board: int) -> None:
    split = size - on_board if on_board <= size else size
    result = evaluate.rank(deck[:split], deck[split:size])
    assert result.value == evaluate.rank_hands([deck[:size]])[0]
    assert set(result.cards) <= set(deck[:size])
    if size >= 5:
        assert naive.best_key(result.cards) == naive.best_key(deck[:size])
        assert (result.name, result.category) == (evaluate.name(result.value), evaluate.category(result.value))


@few
@given(DECK)
def test_omaha_rank_agrees_with_the_kernels(deck: list[int]) -> None:
    hand, board = deck[:4], deck[4:9]
    high, low = evaluate.omaha_on_board([hand], np.array(board))
    result = evaluate.rank(hand, board, "omaha8")
    assert result.value == high[0]
    assert (result.low.value if result.low else 0) == low[0]
    for used in (result.cards, result.low.cards if result.low else result.cards):
        assert len(set(used) & set(hand)) == 2
        assert len(set(used) & set(board)) == 3
    if result.low:
        assert naive.low_key([naive.DECK[card] for card in result.low.cards]) == naive.omaha_keys(hand, board)[1]
    plain = evaluate.rank(hand, board, "omaha")
    assert (plain.value, plain.low) == (result.value, None)


def test_omaha_needs_two_from_the_hand() -> None:
    assert evaluate.rank("As2d3h4c", "KsQsJsTs9s", "omaha").category == "high card"
    assert evaluate.rank("As2d3h4c", "8s6h5c").category == "straight"
    low = evaluate.rank("As2dKhKc", "8s6h4cQdQs", "omaha8").low
    assert low is not None
    assert (low.name, cards_name(low.cards)) == ("8-6-4-2-A low", "8s6h4c2dAs")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("AsAs",), "As twice"),
        (("AsKs", "KsQd2c"), "Ks is there twice"),
        (("AsKs", "2c3c4c5c6c7c"), "a board has 0, 3, 4 or 5 cards, not 6"),
        (("AsKs", "2c3c"), "a board has 0, 3, 4 or 5 cards, not 2"),
        (("",), "one to seven cards"),
        (("2c3c4c5c6c7c8c9c",), "one to seven cards"),
        (("AsKs", "", "stud"), "'stud' is not a game"),
        (("AsKs", "2c3c4c", "omaha"), "four cards, not 2"),
        (("AsKsQsJs", "2c3c", "omaha8"), "three to five"),
        (((51, 52),), "52 in the hand is not a card"),
    ],
)
def test_mistakes_get_one_sentence(arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(UserError, match=words):
        evaluate.rank(*arguments)


@pytest.mark.parametrize("value", [-1, 0, CLASSES + 1])
def test_values_out_of_range(value: int) -> None:
    with pytest.raises(UserError, match="1 to 7462"):
        evaluate.name(value)
    with pytest.raises(UserError, match="1 to 56"):
        evaluate.low_name(57)
