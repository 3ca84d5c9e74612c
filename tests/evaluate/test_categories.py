"""Hands in words: against a slow definition with cards as text, and against words that players would use."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.cards.cards import parse_cards
from headsup.evaluate.categories import DRAWS, MADE, hand_categories
from tests.naive import DECK, five_card_key, split_cards

RANKS = "23456789TJQKA"
FIVES = {8: "straight flush", 7: "quads", 6: "full house", 5: "flush", 4: "straight"}


def naive_made(hand: list[str], board: list[str]) -> str:
    category = max(five_card_key(five) for five in combinations(hand + board, 5))[0]
    if category in FIVES:
        return FIVES[category]
    return naive_ranks(hand, board)


def naive_ranks(hand: list[str], board: list[str]) -> str:
    """What two cards are on a board by their ranks, straights and better hands left out."""
    mine = [RANKS.index(card[0]) for card in hand]
    theirs = [RANKS.index(card[0]) for card in board]
    kinds = set(theirs)
    if mine[0] == mine[1]:
        if mine[0] in kinds:
            return "set"
        above = sum(rank > mine[0] for rank in kinds)
        if above == len(kinds):
            return "underpair"
        return ["overpair", "second pair", "third pair", "low pair", "low pair"][above]
    if any(theirs.count(rank) == 2 for rank in mine):
        return "trips"
    pairs = [rank for rank in mine if theirs.count(rank) == 1]
    if len(pairs) == 2:
        return "two pair"
    if pairs:
        return ["top pair", "second pair", "third pair", "low pair", "low pair"][sum(rank > pairs[0] for rank in kinds)]
    return "ace high" if 12 in mine else "no made hand"


def best_straight(cards: list[str]) -> int:
    """The top of the best straight in some cards: 5 for the wheel, 14 for an ace; 0 for none."""
    ranks = {RANKS.index(card[0]) + 2 for card in cards}
    ranks |= {1} if 14 in ranks else set()
    return max((top for top in range(5, 15) if set(range(top - 4, top + 1)) <= ranks), default=0)


def naive_draws(hand: list[str], board: list[str]) -> set[str]:
    if len(board) == 5:
        return set()
    made, found = naive_made(hand, board), set()
    worse = MADE[MADE.index("straight") :]
    for suit in "cdhs":
        own, every = (sum(card[1] == suit for card in cards) for cards in (hand, hand + board))
        if own and made in worse:
            found |= (
                {"flush draw"} if every == 4 else {"backdoor flush draw"} if every == 3 and len(board) == 3 else set()
            )
    if made in worse[1:]:
        outs = {card[0] for card in DECK if best_straight([*hand, *board, card]) > best_straight([*board, card])}
        found |= {"open-ended"} if len(outs) > 1 else {"gutshot"} if outs else set()
    if made in MADE[-2:] and all(RANKS.index(a[0]) > RANKS.index(b[0]) for a in hand for b in board):
        found.add("overcards")
    return found


def words(hand: str, board: str) -> str:
    return hand_categories(parse_cards(board), [parse_cards(hand)]).words(0)


@given(st.lists(st.sampled_from(DECK), min_size=5, max_size=7, unique=True))
def test_any_hand_against_the_slow_definition(cards: list[str]) -> None:
    board, hand = cards[2:], cards[:2]
    found = hand_categories(parse_cards("".join(board)), [parse_cards("".join(hand))])
    assert MADE[found.made[0]] == naive_made(hand, board)
    assert {DRAWS[i] for i in np.flatnonzero(found.draws[0])} == naive_draws(hand, board)


@given(st.lists(st.sampled_from([card for card in DECK if card[0] in "56789T"]), min_size=5, max_size=7, unique=True))
def test_close_ranks_against_the_slow_definition(cards: list[str]) -> None:
    test_any_hand_against_the_slow_definition.hypothesis.inner_test(cards)  # type: ignore[attr-defined]


def test_many_hands_at_once_are_those_one_by_one() -> None:
    board = split_cards("9h8h2c")
    hands = [list(two) for two in combinations([card for card in DECK if card not in board], 2)][::7]
    found = hand_categories(parse_cards("".join(board)), [parse_cards("".join(two)) for two in hands])
    for i, hand in enumerate(hands):
        drawn = naive_draws(hand, board)
        assert found.words(i) == ", ".join([naive_made(hand, board), *(one for one in DRAWS if one in drawn)])


@pytest.mark.parametrize(
    ("hand", "board", "said"),
    [
        ("JhTh", "9h8h2c", "no made hand, flush draw, open-ended, overcards"),
        ("AcAd", "9h8h2c", "overpair"),
        ("Ah9c", "9h8h2c", "top pair, backdoor flush draw"),
        ("9c9d", "9h8h2c", "set"),
        ("KsQd", "Kh9h9c", "top pair"),
        ("9sAd", "Kh9h9c", "trips"),
        ("AsKd", "7h7s7c", "ace high, overcards"),
        ("8c8d", "KhJh9c", "underpair"),
        ("TcTd", "KhJh9c", "third pair, gutshot"),
        ("QcJd", "9h8h6c5s", "no made hand, gutshot, overcards"),  # a seven is a straight of the board alone
        ("7c4d", "9h8h6c5s", "straight"),
        ("Ac2d", "KhKd5c4s3h", "straight"),
        ("9h2h", "9c8h2c5s3h", "two pair"),
        ("AhJh", "QhTh8c", "ace high, flush draw, open-ended"),  # 9 and K: a double gutshot
    ],
)
def test_words_that_players_use(hand: str, board: str, said: str) -> None:
    assert words(hand, board) == said
