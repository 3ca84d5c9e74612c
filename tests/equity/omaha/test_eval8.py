"""Two hands and 35 splits by factorisation, against brute force and known values."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.cards import DECK, omaha_class, parse_cards, permute_cards
from headsup.cards.cards import cards_name
from headsup.cards.suits import SUIT_PERMUTATIONS
from headsup.common.errors import UserError
from headsup.equity.omaha.eval8 import SPLITS, class_grid, eval8, hand_against_all, matchup_grid
from headsup.equity.results import mirrored, outcomes, share_of
from tests import naive

ACES, WHEEL = parse_cards("AsAdQsJd"), parse_cards("5h4s3c2h")


def test_the_example_of_the_thesis():
    """ho-2015 prints 49.47 % / 50.53 %; the counts were checked against a sweep over all 1,086,008 boards."""
    grid = matchup_grid(ACES, WHEEL)
    assert grid.tolist() == [[394929, 0, 0, 284587], [0, 0, 0, 0], [106189, 0, 0, 300303]]
    assert round(100 * float(share_of(grid)), 4) == 49.4676
    assert outcomes(grid.tolist()) == {
        "scoop": 394929,
        "three_quarter": 0,
        "half": 284587,
        "quarter": 0,
        "lose": 406492,
    }


def _dead(left: int, rng: np.random.Generator, cards: list[int], ranks: int) -> list[int]:
    """Dead cards that leave so many for the board, all of the lowest ranks."""
    rest = [card for card in range(4 * ranks) if card not in cards]
    keep = set(rng.choice(rest, left, replace=False).tolist())
    return [card for card in DECK if card not in cards and card not in keep]


@pytest.mark.parametrize("seed", range(6))
def test_pairs_agree_with_brute_force(seed):
    """Few suits or few ranks, so that flushes, straight flushes, full houses and shared lows all occur."""
    rng = np.random.default_rng(seed)
    ranks = [13, 5, 7][seed % 3]
    pool = [card for card in range(4 * ranks) if seed % 2 == 0 or ranks < 7 or card % 4 < 2]
    cards = rng.choice(pool, 8, replace=False).tolist()
    dead = _dead(9, rng, cards, ranks)
    expected = naive.equity_grid("omaha8", [cards_name(cards[:4])], [cards_name(cards[4:])], dead=cards_name(dead))
    assert matchup_grid(cards[:4], cards[4:], dead).tolist() == [list(row) for row in expected]


@pytest.mark.parametrize("text", ["As2s3s4s5s6s7s8s", "AsAhAdAcKsKhKdKc", "As4s5sKh2h3h5h9c"])
def test_all_splits_agree_with_brute_force(text):
    cards = parse_cards(text)
    dead = _dead(7, np.random.default_rng(len(text)), list(cards), 13)
    assert (eval8(cards, dead) == naive.eval8(cards, dead)).all()


@given(st.permutations(DECK), st.sampled_from(SUIT_PERMUTATIONS), st.integers(0, 30))
@settings(max_examples=15, deadline=None)
def test_symmetries(deck, suits, n_dead):
    """The other player sees the mirrored grid, suits have no names, and every board is counted once."""
    a, b, dead = deck[:4], deck[4:8], deck[8 : 8 + n_dead]
    grid = matchup_grid(a, b, dead)
    left = 44 - n_dead
    assert grid.sum() == left * (left - 1) * (left - 2) * (left - 3) * (left - 4) // 120
    assert tuple(map(tuple, matchup_grid(b, a, dead).tolist())) == mirrored(grid.tolist())
    turned = [permute_cards(cards, suits) for cards in (a, b, dead)]
    assert (matchup_grid(*turned) == grid).all()


def test_splits_are_the_pairs():
    cards = sorted(ACES + WHEEL)
    grids = eval8(cards)
    assert grids.shape == (35, 3, 4)
    assert (grids.sum(axis=(1, 2)) == 1_086_008).all()
    for i in (0, 17, 34):
        a = [card for k, card in enumerate(cards) if SPLITS[i] >> k & 1]
        b = [card for card in cards if card not in a]
        assert (matchup_grid(a, b) == grids[i]).all()


def test_classes_add_up_their_alignments():
    number, grid = class_grid(omaha_class(ACES), omaha_class(WHEEL))
    assert number == 24
    assert grid.sum() == 24 * 1_086_008
    back, mirror = class_grid(omaha_class(WHEEL), omaha_class(ACES))
    assert share_of(grid) + share_of(mirror) == Fraction(1)
    assert back == 12  # 12 hands of the aces' class for each of 24, 24 of the other's for each of 12
    assert class_grid(omaha_class(parse_cards("AsAhAdAc")), omaha_class(ACES))[0] == 0


@pytest.mark.parametrize(
    ("a", "b", "dead", "words"),
    [
        ("AsAdQs", "5h4s3c2h", "", "four cards"),
        ("AsAdQsJd", "5h4s3cAs", "", "As is dealt twice"),
        ("AsAdQsJd", "5h4s3c2h", "2h", "2h is dealt twice"),
    ],
)
def test_mistakes_get_one_sentence(a, b, dead, words):
    with pytest.raises(UserError, match=words):
        matchup_grid(parse_cards(a), parse_cards(b), parse_cards(dead))


def test_too_many_dead_cards():
    with pytest.raises(UserError, match="4 cards are left for the board"):
        matchup_grid(range(4), range(4, 8), range(12, 52))
    with pytest.raises(UserError, match="4 cards are left for the board"):
        hand_against_all(range(4), range(12, 52))
    with pytest.raises(UserError, match="this hand has 3"):
        hand_against_all(range(3))
    with pytest.raises(UserError, match="eval8 splits eight cards"):
        eval8(range(7))
    with pytest.raises(UserError, match="52 in the second hand is not a card"):
        matchup_grid(range(4), (50, 51, 52, 4))
