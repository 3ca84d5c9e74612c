"""Showdowns: hands in order with running sums, against matrices built one pair of hands at a time."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.cards.boards import BoardTree
from headsup.cards.cards import parse_cards
from headsup.cards.combos import holdem_combos
from headsup.common.errors import UserError
from headsup.games.holdem.showdown import Dense, Sorted
from tests.naive import five_card_order
from tests.naive_holdem import strength

BOARDS = {
    "high cards": "As Jd 8c 5h 2s",
    "paired": "Ks Kd 8c 5h 2s",
    "two pair": "Ks Kd 8c 8h 2s",
    "trips": "7s 7d 7c Qh 2s",
    "full house": "7s 7d 7c QhQs",
    "quads": "7s 7d 7c 7h 2s",
    "four to a flush": "As Js 8s 5s 2d",
    "flush": "As Js 8s 5s 3s",
    "straight": "9s 8d 7c 6h 5s",
    "wheel": "As 2d 3c 4h 5s",
    "board plays": "As Ks Qs Js Ts",
    "turn": "As Kd 8c 8h",
    "flop": "As Kd 8c",
}


def hands_of(tree: BoardTree, keep: float, rng: np.random.Generator) -> np.ndarray:
    """Some of the hands that can be held."""
    hands = np.asarray(tree.hands(), dtype=np.int64)
    return hands[rng.random(len(hands)) < keep]


def matrices(cards: list[int], hands: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Which pairs can be dealt on a board, and who wins, pair by pair."""
    held = [[tuple(map(int, holdem_combos()[h])) for h in one] for one in hands]
    apart, sign = np.zeros((len(hands[0]), len(hands[1]))), np.zeros((len(hands[0]), len(hands[1])))
    for i, mine in enumerate(held[0]):
        for j, theirs in enumerate(held[1]):
            if len({*mine, *theirs, *cards}) == 4 + len(cards):
                apart[i, j] = 1.0
                a, b = strength(tuple(sorted((*mine, *cards)))), strength(tuple(sorted((*theirs, *cards))))
                sign[i, j] = (a > b) - (a < b)
    return apart, sign


def reaches(rng: np.random.Generator, lines: int, hands: int) -> np.ndarray:
    """Random reach, much of it 0, and a line that is 0 throughout."""
    reach = rng.random((lines, hands)) * (rng.random((lines, hands)) < 0.7)
    reach[1::7] = 0.0
    return reach


def agree(one: Sorted, dense: Dense, street: int, board: int, rng: np.random.Generator, lines: int) -> None:
    """Both seats, all of the lines or a few of them at a showdown."""
    for seat in (0, 1):
        reach = reaches(rng, lines, one.sizes[1 - seat])
        np.testing.assert_array_equal(one.alive(seat, street, board), np.flatnonzero(dead_or_alive(one, seat, board)))
        for showdowns in {0, lines // 2, lines}:
            won, met = one.lines(seat, street, board, reach, showdowns)
            right_won, right_met = dense.lines(seat, 0, 0, reach, showdowns)
            np.testing.assert_allclose(met, right_met, rtol=0.0, atol=1e-9)
            np.testing.assert_allclose(won[:showdowns], right_won[:showdowns], rtol=0.0, atol=1e-9)


def dead_or_alive(one: Sorted, seat: int, board: int) -> list[bool]:
    """Whether a hand shares no card with a board of the last street."""
    cards = set(one.boards.levels[len(one.boards.streets) - 1].cards[board].tolist())
    return [not cards & set(map(int, holdem_combos()[h])) for h in one.hands[seat]]


@pytest.mark.parametrize("name", BOARDS)
def test_sorted_is_the_matrix_on_every_kind_of_board(name: str) -> None:
    cards, rng = parse_cards(BOARDS[name]), np.random.default_rng(len(name))
    tree = BoardTree(cards, (0,))
    hands = hands_of(tree, 0.06, rng), hands_of(tree, 0.09, rng)  # two lists: some hands are in one of them only
    apart, sign = matrices(list(cards), hands)
    one = Sorted(tree, hands)
    if name == "board plays":
        assert not sign.any()
    for lines in (0, 1, 15, 16, 17, 40):
        agree(one, Dense([apart[None]], sign[None]), 0, 0, rng, lines)


def test_ties_are_there() -> None:
    """The boards above have ties, wins, and hands that share one or both cards."""
    rng = np.random.default_rng(1)
    tree = BoardTree(parse_cards(BOARDS["paired"]), (0,))
    hands = hands_of(tree, 0.1, rng), hands_of(tree, 0.1, rng)
    apart, sign = matrices(list(tree.root), hands)
    assert min((apart * (sign == kind)).sum() for kind in (-1, 0, 1)) > 50
    assert np.intersect1d(*hands).size
    assert (apart == 0).sum() > len(np.intersect1d(*hands))


@pytest.mark.parametrize("name", ["high cards", "four to a flush", "board plays"])
def test_the_full_deck(name: str) -> None:
    """All hands that a river leaves, with strengths by a second evaluator, vectorised but as plain."""
    cards, rng = np.array(parse_cards(BOARDS[name])), np.random.default_rng(2)
    tree = BoardTree(cards, (0,))
    hands = np.asarray(tree.hands(), dtype=np.int64)
    assert len(hands) == 47 * 46 // 2
    held = holdem_combos()[hands]
    seven = np.concatenate([np.tile(cards, (len(hands), 1)), held], axis=1)
    value = np.max([five_card_order(np.delete(seven, two, axis=1)) for two in holdem_combos()[:21]], axis=0)
    apart = ~(held[:, None, :, None] == held[None, :, None, :]).any(axis=(2, 3))
    dense = Dense([apart[None].astype(float)], np.sign(value[:, None] - value[None, :])[None])
    one = Sorted(tree, (hands, hands))
    reach = reaches(rng, 17, len(hands))
    for got, right in zip(one.lines(0, 0, 0, reach, 17), dense.lines(0, 0, 0, reach, 17), strict=True):
        np.testing.assert_allclose(got, right, rtol=0.0, atol=1e-9)


def test_hands_that_the_board_blocks_count_for_nothing() -> None:
    """All 1,326 combos may be listed: those of the board's cards are dead on both sides."""
    hands, cards = np.arange(1326), parse_cards(BOARDS["paired"])
    one = Sorted(BoardTree(cards, (0,)), (hands, hands))
    won, met = one.lines(0, 0, 0, np.ones((3, 1326)), 3)
    blocked = (holdem_combos()[:, :, None] == np.array(cards)).any(axis=(1, 2))
    assert not won[:, blocked].any()
    assert not met[:, blocked].any()
    assert (met[:, ~blocked] == 45 * 44 / 2).all()
    assert len(one.alive(0, 0, 0)) == 1081
    again, _ = one.lines(1, 0, 0, np.where(blocked, 5.0, 1.0)[None], 1)  # weight on dead hands changes nothing
    np.testing.assert_allclose(again[0], won[0], rtol=0.0, atol=1e-9)


@cache
def tree_of(flop: int, ranks: int, suits: int, dead: int) -> BoardTree:
    """A reduced deck from a flop: a turn and a river to come."""
    deck = [4 * rank + suit for rank in range(13 - ranks, 13) for suit in range(suits)]
    shuffled = [int(c) for c in np.random.default_rng(flop).permutation(deck)]
    return BoardTree(shuffled[:3], (0, 1, 1), ranks=ranks, suits=suits, merged=False, dead=shuffled[3 : 3 + dead])


@settings(max_examples=25)
@given(
    flop=st.integers(0, 30),
    deck=st.sampled_from([(3, 4), (4, 3), (5, 2), (6, 2), (10, 1)]),
    dead=st.integers(0, 1),
    keep=st.sampled_from([0.3, 0.7, 1.0]),
    seed=st.integers(0, 1000),
    lines=st.integers(1, 20),
)
def test_random_boards_and_ranges(
    flop: int, deck: tuple[int, int], dead: int, keep: float, seed: int, lines: int
) -> None:
    tree, rng = tree_of(flop, *deck, dead), np.random.default_rng(seed)
    hands = hands_of(tree, keep, rng), hands_of(tree, keep, rng)
    if not min(map(len, hands)):
        return
    one, board = Sorted(tree, hands), int(rng.integers(len(tree.levels[2])))
    apart, sign = matrices(tree.levels[2].cards[board].tolist(), hands)
    agree(one, Dense([apart[None]], sign[None]), 2, board, rng, lines)


@pytest.mark.parametrize("street", [0, 1])
def test_before_the_last_street_hands_only_meet(street: int) -> None:
    tree, rng = tree_of(4, 5, 2, 1), np.random.default_rng(3)
    hands = hands_of(tree, 0.8, rng), hands_of(tree, 0.5, rng)
    one = Sorted(tree, hands)
    for board in range(len(tree.levels[street])):
        apart, _ = matrices(tree.levels[street].cards[board].tolist(), hands)
        reach = reaches(rng, 5, one.sizes[1])
        np.testing.assert_allclose(one.lines(0, street, board, reach, 0)[1], reach @ apart.T, rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("street", [0, 1, 2])
def test_leads_are_counted_board_by_board(street: int) -> None:
    tree, rng = tree_of(3, 6, 2, 1), np.random.default_rng(5)
    hands = hands_of(tree, 0.6, rng), hands_of(tree, 0.4, rng)
    one, last = Sorted(tree, hands), tree.levels[2].cards.shape[1]
    for board in rng.choice(len(tree.levels[street]), 2).tolist():
        here = tree.levels[street].cards[board].tolist()
        left = [card for card in range(52) if tree.deck_mask >> card & 1 and card not in (*here, *tree.dead)]
        boards = [matrices([*here, *rest], hands) for rest in combinations(left, last - len(here))]
        lead, count = one.leads(street, board)
        assert lead.tolist() == sum(sign for _, sign in boards).tolist()
        met = sum(apart for apart, _ in boards)
        assert {count} == set(met[met > 0].tolist())
    assert lead.any()


def test_mass_and_chance() -> None:
    """Summed over all boards of a street, a pair of hands is met as often as there are boards that it leaves."""
    tree, rng = tree_of(7, 4, 3, 1), np.random.default_rng(5)
    hands = hands_of(tree, 0.8, rng), hands_of(tree, 0.5, rng)
    one, weights = Sorted(tree, hands), (rng.random(len(hands[0])), rng.random(len(hands[1])))
    apart, _ = matrices([], hands)
    slow = sum(
        weights[0][i] * weights[1][j]
        for i in range(len(hands[0]))
        for j in range(len(hands[1]))
        if not set(holdem_combos()[hands[0][i]]) & set(holdem_combos()[hands[1][j]])
    )
    assert one.mass(weights) == pytest.approx(slow, abs=1e-9)
    assert Dense([apart[None]], apart[None]).mass(weights) == pytest.approx(slow, abs=1e-9)
    free = 12 - 3 - 1 - 4
    for street, ways in enumerate((1, free, free * (free - 1))):
        met = sum(
            one.lines(seat, street, board, weights[1 - seat][None], 0)[1][0] @ weights[seat]
            for board in range(len(tree.levels[street]))
            for seat in (0, 1)
        )
        assert met == pytest.approx(2 * ways * slow, abs=1e-9)


def test_dense_takes_matrices_that_fit() -> None:
    with pytest.raises(UserError, match="a dense showdown takes"):
        Dense([np.ones((2, 3))], np.ones((2, 3)))
    with pytest.raises(UserError, match="a dense showdown takes"):
        Dense([np.ones((1, 2, 3))], np.ones((2, 2, 3)))
    two = Dense([np.ones((1, 2, 3)), np.ones((2, 2, 3))], np.zeros((2, 2, 3)))
    assert two.sizes == (2, 3)
