"""Features against brute force: one card, one opponent and one run-out at a time."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.abstraction.hands.features import Features
from headsup.cards import BoardTree, holdem_class_of_combo, parse_cards
from headsup.cards.combos import colex
from headsup.common.errors import UserError
from tests.naive_holdem import strength

DECKS = [
    BoardTree(ranks=3, suits=4),
    BoardTree(ranks=4, suits=3, streets=(0, 3, 1), dead=parse_cards("Ac")),
    BoardTree(parse_cards("AcKdQc"), (0, 1, 1), ranks=4, suits=4),
]
FEATURES = [Features(deck) for deck in DECKS]
places = st.sampled_from(FEATURES).flatmap(
    lambda f: st.integers(0, f.last).flatmap(
        lambda street: st.tuples(
            st.just(f), st.just(street), st.integers(0, len(f.sets(street)) - 1), st.integers(0, len(f.hands) - 1)
        )
    )
)


def key(hand: tuple[int, ...], board: tuple[int, ...]) -> tuple[object, ...]:
    return strength(tuple(sorted((*hand, *board))))


class Naive:
    """A hand on a board: everything counted one by one."""

    def __init__(self, features: Features, street: int, board: int, hand: int) -> None:
        tree = features.tree
        self.board = tuple(features.sets(street).cards[board].tolist())
        self.hand = tuple(features.cards[hand].tolist())
        deck = [c for c in range(52) if tree.deck_mask >> c & 1 and c not in tree.dead]
        self.left = [c for c in deck if c not in self.board and c not in self.hand]
        self.new = sum(tree.streets[street + 1 :])

    def strength(self, board: tuple[int, ...]) -> int:
        """Twice what is beaten, once what is tied with."""
        mine, result = key(self.hand, board), 0
        for other in combinations([c for c in self.left if c not in board], 2):
            theirs = key(other, board)
            result += 2 * (mine > theirs) + (mine == theirs)
        return result

    def strengths(self) -> list[int]:
        return [self.strength((*self.board, *new)) for new in combinations(self.left, self.new)]


@settings(max_examples=15)
@given(places)
def test_sums_are_those_of_every_run_out(place: tuple[Features, int, int, int]) -> None:
    features, street, board, hand = place
    sums = features.sums_on(street, board, bins=7)
    if not features.alive(features.sets(street), board, board + 1)[0, hand]:
        assert sums.total[0, hand] == sums.histogram[0, hand].sum() == 0
        return
    wanted = Naive(features, street, board, hand).strengths()
    assert len(wanted) == features.run_outs(street)
    assert sums.total[0, hand] == sum(wanted)
    assert sums.square[0, hand] == sum(value * value for value in wanted)
    bins = [min(6, value * 7 // features.scale) for value in wanted]
    assert sums.histogram[0, hand].tolist() == [bins.count(i) for i in range(7)]


@pytest.mark.parametrize("features", FEATURES, ids=lambda features: repr(features.tree))
def test_all_boards_at_once_have_the_sums_of_each(features: Features) -> None:
    for street in range(features.last + 1):
        boards = features.sets(street)
        every = features.sums(street, bins=5)
        alive = features.alive(boards)
        assert (every.histogram.sum(axis=2) == alive * features.run_outs(street)).all()
        equity = features.ehs(street, every.total)
        np.testing.assert_allclose(equity.sum(axis=1), alive.sum(axis=1) / 2)  # what one wins another loses
        assert (features.ehs2(street, every.square) >= equity**2 - 1e-12).all()
        for board in range(0, len(boards), 1 + len(boards) // 6):
            for table, other in zip(every, features.sums_on(street, board, bins=5), strict=True):
                assert (table[board] == other[0]).all()
        now = features.now(street)
        assert now[alive].max() <= features.scale_now(street)


@settings(max_examples=10)
@given(places, st.integers(0, 99))
def test_equity_against_ranges(place: tuple[Features, int, int, int], seed: int) -> None:
    features, street, board, hand = place
    if (street == 0 and not features.tree.root) or not features.alive(features.sets(street), board, board + 1)[0, hand]:
        return
    ranges = np.random.default_rng(seed).integers(0, 3, size=(2, 1326)).astype(float)
    group = features.images(features.tree.group)  # ranges that tell no suits apart, as the tree takes them to be
    weights = ranges.T[features.hands]
    weights = sum(weights[image] for image in group)
    naive = Naive(features, street, board, hand)
    won, met = np.zeros(2), np.zeros(2)
    numbers = {int(number): i for i, number in enumerate(features.hands)}
    for new in combinations(naive.left, naive.new):
        whole = (*naive.board, *new)
        for other in combinations([c for c in naive.left if c not in new], 2):
            weight = weights[numbers[colex(other)]]
            mine, theirs = key(naive.hand, whole), key(other, whole)
            won, met = won + weight * (1 + (mine > theirs) - (mine < theirs)) / 2, met + weight
    equities = features.against(street, board, board + 1, weights)[0, hand]
    np.testing.assert_allclose(equities, np.where(met > 0, won / np.where(met > 0, met, 1), 0.5))


@pytest.mark.parametrize(("hand", "board"), [("AsKs", "Qs7h2d9c3s"), ("7c2d", "7d7h2cAsAh"), ("5h4h", "AhKhQdTh9c")])
def test_rivers_of_the_whole_deck(hand: str, board: str) -> None:
    features = Features(BoardTree())
    cards = np.array([parse_cards(board)], dtype=np.uint8)
    mine, left = tuple(parse_cards(hand)), [c for c in range(52) if c not in parse_cards(hand + board)]
    wanted = 0
    for other in combinations(left, 2):
        a, b = key(mine, tuple(parse_cards(board))), key(other, tuple(parse_cards(board)))
        wanted += 2 * (a > b) + (a == b)
    assert features.scale == 1980
    assert features.strengths_on(cards)[0, colex(parse_cards(hand))] == wanted


@pytest.mark.long
def test_the_whole_deck() -> None:
    """Published equities against a random hand: 85.204 % for aces, 32.303 % for 3-2 offsuit."""
    features = Features(BoardTree())
    assert [len(features.sets(street)) for street in range(4)] == [1, 1755, 16432, 134459]
    equity = features.ehs(0, features.sums(0).total)[0]
    assert equity[colex(parse_cards("AsAh"))] == pytest.approx(0.85204, abs=5e-6)
    assert equity[colex(parse_cards("3s2h"))] == pytest.approx(0.32303, abs=5e-6)
    assert len(np.unique(features.sums(0).total)) <= 169
    flops = features.sums(1, 30)
    direct = features.sums_on(1, 700, 30)
    assert (flops.histogram[700] == direct.histogram[0]).all()
    weight = features.sets(1).count[:, None] * features.alive(features.sets(1))
    classes = holdem_class_of_combo()  # boards stand for others, so hands do for those of their class
    won = np.bincount(classes, weights=(features.ehs(1, flops.total) * weight).sum(axis=0))
    np.testing.assert_allclose((won / np.bincount(classes, weights=weight.sum(axis=0)))[classes], equity)


def test_decks_that_are_too_small() -> None:
    with pytest.raises(UserError, match="too small"):
        Features(BoardTree(ranks=2, suits=4, streets=(0, 5)))
    with pytest.raises(UserError, match="1 to 255 bins"):
        FEATURES[0].sums_on(1, 0, 256)
