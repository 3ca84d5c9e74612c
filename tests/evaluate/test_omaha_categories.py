"""Omaha hands in words: against a slow definition with cards as text, and against words that players would use."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.evaluate.categories import MADE
from headsup.evaluate.omaha_categories import LOWS, OMAHA_DRAWS, OMAHA_MADE, omaha_categories
from tests.evaluate.test_categories import FIVES, naive_ranks
from tests.naive import DECK, five_card_key, low_key

WORDS = [
    ("Ks 7s 2d", "KhKdQcJc", "nuts"),
    ("Ks 7s 2d", "7h7dQcJc", "set"),
    ("Ks 7s 2d 7h", "7d5c4c3d", "trips"),
    ("Ks 7s 2d", "AsQsJdTd", "no made hand, nut flush draw"),
    ("Ks 7s 2d", "QsJsAd3d", "no made hand, flush draw"),
    ("9s 8d 2c", "JhTc7d6h", "no made hand, wrap, 13 or more outs"),
    ("9s 8d 2c", "QhJcTdAh", "no made hand, wrap, 13 or more outs"),
    ("Ks 9d 2c", "QhJcTd3h", "no made hand, wrap, 9 to 12 outs"),
    ("9s 8d 2c", "JhTcAdAh", "overpair, straight draw, 5 to 8 outs"),
    ("9s 8d 2c", "QhJcAdAh", "overpair, straight draw, up to 4 outs"),
    ("9s 8d 2c", "QhTcAdAh", "overpair, straight draw, up to 4 outs"),
    ("As Ks Qs Js 2d", "Ts8d7d5d", "no made hand"),  # one ten is neither a straight nor a flush
]
LOW_WORDS = [
    ("8s 7d 3c", "Ah2hKcKd", "overpair, nut low"),
    ("8s 7d 3c", "2h4hKcKd", "overpair, low"),
    ("8s 7d 3c", "3h7hKcKd", "two pair, counterfeited low"),
    ("8s Td 3c", "Ah2hKcKd", "overpair, nut low draw"),
    ("8s Td 3c", "4h5hKcKd", "overpair, low draw"),
    ("8s Td Jc", "Ah2hKcKd", "overpair, straight draw, up to 4 outs"),
]


@pytest.mark.parametrize(("board", "hand", "words"), WORDS)
def test_words_for_the_high(board: str, hand: str, words: str) -> None:
    assert omaha_categories(parse_cards(board), [parse_cards(hand)]).words(0) == words


@pytest.mark.parametrize(("board", "hand", "words"), LOW_WORDS)
def test_words_for_high_and_low(board: str, hand: str, words: str) -> None:
    assert omaha_categories(parse_cards(board), [parse_cards(hand)], low=True).words(0) == words


def keys(hand: list[str], board: list[str]) -> list[tuple]:
    return [five_card_key((*two, *three)) for two in combinations(hand, 2) for three in combinations(board, 3)]


def lows(hand: list[str], board: list[str]) -> list[tuple]:
    fives = [(*two, *three) for two in combinations(hand, 2) for three in combinations(board, 3)]
    return [key for five in fives if (key := low_key(five)) is not None]


def naive_words(hand: list[str], board: list[str]) -> set[str]:
    """The made hand, and the straight draw by its outs."""
    best, left = max(keys(hand, board)), [card for card in DECK if card not in board]
    ranks = min((naive_ranks(list(two), board) for two in combinations(hand, 2)), key=MADE.index)
    words = {FIVES.get(best[0], "no made hand" if ranks == "ace high" else ranks)}
    if max(max(keys(list(two), board)) for two in combinations(left, 2)) == best:
        words = {"nuts"}
    if len(board) < 5 and best[0] < 4:
        outs = sum(_straight(hand, [*board, card]) for card in left if card not in hand)
        sizes = zip(OMAHA_DRAWS[2:6], ((13, 52), (9, 12), (5, 8), (1, 4)), strict=True)
        words |= {name for name, (least, most) in sizes if least <= outs <= most}
    return words


def _straight(hand: list[str], board: list[str]) -> bool:
    """Whether a straight is among the fives, maybe below a flush or a full house."""
    return any(key[0] in (4, 8) for key in keys(hand, board))


@pytest.mark.parametrize("size", [3, pytest.param(4, marks=pytest.mark.long), 5])
def test_random_hands_by_a_slow_definition(size: int) -> None:
    rng, seen = np.random.default_rng(size), set()
    for _ in range(12):
        cards = rng.choice(52, 4 + size, replace=False)
        hand, board = [DECK[card] for card in cards[:4]], [DECK[card] for card in cards[4:]]
        kinds = omaha_categories(cards[4:].tolist(), [cards[:4]], low=True)
        made, slow = OMAHA_MADE[kinds.made[0]], naive_words(hand, board)
        assert made in slow
        drawn = {name for name, has in zip(OMAHA_DRAWS[2:6], kinds.draws[0, 2:6], strict=True) if has}
        assert drawn == {name for name in slow if name in OMAHA_DRAWS}
        mine = lows(hand, board)
        left = [card for card in DECK if card not in board]
        low = LOWS[kinds.low[0]]
        assert (low in ("low", "nut low")) == bool(mine)
        if mine:
            best = max(key for two in combinations(left, 2) for key in lows(list(two), board))
            assert (low == "nut low") == (max(mine) == best)
        seen |= {made, low, *drawn}
    assert len(seen) > 8
