"""Every fast evaluator against the slow one, and the counts that everyone knows."""

import itertools
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup import evaluate
from headsup.common.backend import JIT_DISABLED
from headsup.common.errors import UserError
from headsup.evaluate.classes import CATEGORIES, classes
from tests import naive

GOLDEN = Path(__file__).parent.parent / "golden" / "category_counts.txt"
needs_jit = pytest.mark.skipif(JIT_DISABLED, reason="millions of hands need the compiler")
few = settings(max_examples=60, deadline=None)


def deals(size: int) -> st.SearchStrategy[list[int]]:
    return st.permutations(range(52)).map(lambda deck: deck[:size])


def random_deals(n: int, size: int, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.argsort(rng.random((n, 52)), axis=1)[:, :size].astype(np.uint8)


def as_naive(value: int) -> tuple:
    """The slow evaluator's key for a value: that of any five cards of its class."""
    one = classes()[value - 1]
    flush = one.category in (5, 8)
    return naive.best_key(4 * rank + (0 if flush else i % 4) for i, rank in enumerate(one.ranks))


def low_of(value: int) -> tuple | None:
    """The slow evaluator's key for a low's value."""
    keys = sorted(tuple(-rank for rank in reversed(five)) for five in itertools.combinations(range(8), 5))
    return keys[value - 1] if value else None


@needs_jit
def test_all_five_card_hands_agree_with_the_naive_evaluator() -> None:
    hands = np.fromiter(itertools.chain.from_iterable(itertools.combinations(range(52), 5)), dtype=np.uint8)
    hands = hands.reshape(-1, 5)
    assert len(hands) == 2_598_960
    _, place = np.unique(naive.five_card_order(hands), return_inverse=True)
    assert place.max() + 1 == 7462
    assert (evaluate.rank_hands(hands) == place + 1).all()


def test_the_vectorised_naive_order_is_the_naive_order() -> None:
    hands = np.concatenate([random_deals(400, 5), [[48, 0, 4, 8, 12], [48, 1, 4, 8, 12], [16, 0, 4, 8, 12]]])
    order = naive.five_card_order(hands.astype(np.uint8)).tolist()
    slow = [naive.best_key(hand) for hand in hands.tolist()]
    by_fast, by_slow = sorted(zip(order, slow, strict=True)), sorted(zip(slow, order, strict=True))
    assert by_fast == [(a, b) for b, a in by_slow]


@pytest.mark.parametrize(
    "size", [1, 2, 3, pytest.param(4, marks=needs_jit), *(pytest.param(n, marks=needs_jit) for n in (5, 6, 7))]
)
def test_category_counts(size: int) -> None:
    golden = {}
    for line in GOLDEN.read_text().splitlines():
        if not line.startswith("#"):
            cards, *counts = map(int, line.split())
            golden[cards] = counts
    assert sum(golden[size]) == comb(52, size)
    values = evaluate.count_values(size)
    category = np.array([0, *(one.category for one in classes())])
    counted = np.bincount(category, weights=values, minlength=9).astype(np.int64).tolist()
    assert counted == golden[size], dict(zip(CATEGORIES, counted, strict=True))
    if size == 5:
        assert (values[1:] > 0).all(), "every one of the 7,462 values is reached"


def test_counts_of_few_cards_are_ranks_times_suits() -> None:
    assert np.flatnonzero(evaluate.count_values(1)).size == 9  # 2..7 alone may all end as 7-5-4-3-2
    two = evaluate.count_values(2)
    hands = np.array(list(itertools.combinations(range(52), 2)), dtype=np.uint8)
    assert (np.bincount(evaluate.rank_hands(hands), minlength=7463) == two).all()
    three = evaluate.count_values(3)
    hands = np.array(list(itertools.combinations(range(52), 3)), dtype=np.uint8)
    assert (np.bincount(evaluate.rank_hands(hands), minlength=7463) == three).all()


@needs_jit
def test_the_walk_over_six_cards_counts_what_rank_hands_says() -> None:
    hands = np.fromiter(itertools.chain.from_iterable(itertools.combinations(range(26, 52), 6)), dtype=np.uint8)
    best = np.bincount(evaluate.rank_hands(hands.reshape(-1, 6)), minlength=7463)
    assert (best <= evaluate.count_values(6)).all()


@few
@given(deals(7), st.integers(5, 7))
def test_best_of_five_six_and_seven(deal: list[int], size: int) -> None:
    (value,) = evaluate.rank_hands([deal[:size]])
    assert as_naive(value) == naive.best_key(deal[:size])


def test_seven_cards_of_one_suit_and_other_rare_hands() -> None:
    clubs = np.array([[4 * rank for rank in seven] for seven in itertools.combinations(range(13), 7)], dtype=np.uint8)
    for hand, value in zip(clubs[::29], evaluate.rank_hands(clubs)[::29], strict=True):
        assert as_naive(value) == naive.best_key(hand)
    for text in (
        [51, 50, 49, 48, 47, 46, 45],
        [0, 4, 8, 12, 48, 49, 50],
        [0, 4, 8, 12, 16, 21, 48],
        [0, 1, 2, 4, 5, 6, 8],
    ):
        assert as_naive(evaluate.rank_hands([text])[0]) == naive.best_key(text)


@few
@given(deals(7), st.permutations(range(7)), st.permutations(range(4)))
def test_neither_order_nor_the_names_of_suits_matter(deal: list[int], order: list[int], suits: list[int]) -> None:
    moved = [4 * (deal[i] // 4) + suits[deal[i] % 4] for i in order]
    assert evaluate.rank_hands([deal])[0] == evaluate.rank_hands([moved])[0]


@few
@given(st.lists(st.integers(0, 12), min_size=5, max_size=7).filter(lambda ranks: max(map(ranks.count, ranks)) <= 4))
def test_rank_ranks_is_the_best_five_without_flushes(ranks: list[int]) -> None:
    (value,) = evaluate.rank_ranks([ranks])
    fives = itertools.combinations(ranks, 5)
    rainbow = [[4 * rank + i % 4 for i, rank in enumerate(sorted(five))] for five in fives]
    assert as_naive(value) == max(map(naive.best_key, rainbow))


SUITED = [
    [0, 4, 8, 13, 17],
    [0, 4, 8, 12, 17],
    [0, 4, 8, 12, 20],
    [48, 44, 40, 36, 33],
    [0, 1, 2, 3, 4],
    [1, 5, 9, 50, 51],
]


@pytest.mark.parametrize("board", SUITED + random_deals(6 if JIT_DISABLED else 200, 5).tolist())
def test_all_combos_on_a_board(board: list[int]) -> None:
    (row,) = evaluate.rank_combos([board])
    combos = [(first, second) for second in range(52) for first in range(second)]
    assert len(row) == len(combos) == 1326
    live = np.array([not set(combo) & set(board) for combo in combos])
    assert not row[~live].any()
    assert live.sum() == comb(47, 2)
    sevens = np.array([[*combo, *board] for combo in combos])[live]
    assert (evaluate.rank_hands(sevens) == row[live]).all()


@few
@given(deals(9))
def test_omaha_agrees_with_the_naive_evaluator(deal: list[int]) -> None:
    hand, board = deal[:4], deal[4:]
    (high,), (low,) = evaluate.omaha_high([hand], [board]), evaluate.omaha_low([hand], [board])
    assert (as_naive(high), low_of(low)) == naive.omaha_keys(hand, board)
    assert evaluate.omaha_on_board([hand], board)[0][0] == high
    assert evaluate.omaha_on_board([hand], board)[1][0] == low


@few
@given(st.permutations(range(13)), st.permutations(range(13, 52)), st.integers(3, 5), st.integers(0, 4))
def test_omaha_flushes_take_two_from_the_hand(club_ranks: list[int], rest: list[int], on_board: int, held: int) -> None:
    clubs = [4 * rank for rank in club_ranks]
    others = [4 * (one % 13) + one // 13 for one in rest]
    board = clubs[:on_board] + others[: 5 - on_board]
    hand = clubs[on_board : on_board + held] + others[5 : 9 - held]
    (high,) = evaluate.omaha_high([hand], [board])
    assert as_naive(high) == naive.omaha_keys(hand, board)[0]
    assert evaluate.omaha_on_board([hand], board)[0][0] == high


@pytest.mark.parametrize("board", SUITED + random_deals(4, 5, seed=9).tolist())
def test_many_omaha_hands_on_one_board(board: list[int]) -> None:
    hands = random_deals(50 if JIT_DISABLED else 5000, 4, seed=5)
    high, low = evaluate.omaha_on_board(hands, board)
    live = ~np.isin(hands, board).any(axis=1)
    boards = np.tile(np.array(board), (int(live.sum()), 1))
    assert not high[~live].any()
    assert not low[~live].any()
    assert (high[live] == evaluate.omaha_high(hands[live], boards)).all()
    assert (low[live] == evaluate.omaha_low(hands[live], boards)).all()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: evaluate.rank_hands([[0, 0, 1, 2, 3]]), "twice"),
        (lambda: evaluate.rank_hands([[0, 1, 2, 3, 52]]), "0 to 51"),
        (lambda: evaluate.rank_hands([[-1, 1, 2, 3, 5]]), "0 to 51"),
        (lambda: evaluate.rank_hands(np.array([[0, 1], [2, 52]], dtype=np.uint8)), "row 1 has 52"),
        (lambda: evaluate.rank_hands(np.array([[0, 1], [2, 255]], dtype=np.uint8)), "row 1 has 255"),
        (lambda: evaluate.rank_hands(np.array([[0, 1], [3, 67]], dtype=np.uint8)), "row 1 has 67"),
        (lambda: evaluate.rank_hands([[0, 1], [51, 51]]), "row 1 has As twice"),
        (lambda: evaluate.rank_ranks(np.array([[0, 13]], dtype=np.uint8)), "0 to 12"),
        (lambda: evaluate.rank_hands([list(range(8))]), "1 to 7"),
        (lambda: evaluate.rank_hands([0, 1, 2]), "two-dimensional"),
        (lambda: evaluate.rank_hands([[0.5, 1.0]]), "integers"),
        (lambda: evaluate.rank_ranks([[3, 3, 3, 3, 3]]), "four of each"),
        (lambda: evaluate.rank_combos([[0, 1, 2, 3]]), "5 in a row"),
        (lambda: evaluate.omaha_high([[0, 1, 2, 3]], [[3, 4, 5, 6, 7]]), "twice"),
        (lambda: evaluate.omaha_low([[0, 1, 2, 3]], np.zeros((0, 5), dtype=np.uint8)), "1 hands but 0 boards"),
        (lambda: evaluate.omaha_on_board([[0, 1, 2, 3]], [4, 4, 5, 6, 7]), "twice"),
        (lambda: evaluate.count_values(8), "1 to 7"),
    ],
)
def test_mistakes_get_one_sentence(call: object, words: str) -> None:
    with pytest.raises(UserError, match=words):
        call()  # type: ignore[operator]


def test_no_hands_give_no_values() -> None:
    assert evaluate.rank_hands(np.zeros((0, 7), dtype=np.uint8)).shape == (0,)
    assert evaluate.rank_combos(np.zeros((0, 5), dtype=np.uint8)).shape == (0, 1326)
