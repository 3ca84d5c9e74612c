"""Showdowns of four-card hands against a count of all pairs, and against equities that are counted another way."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.cards.boards import BoardTree
from headsup.cards.cards import parse_cards
from headsup.cards.combos import colex, combo_masks, omaha_combos
from headsup.cards.ranges import parse_range
from headsup.common.errors import UserError
from headsup.equity.api import equity
from headsup.games.holdem.four import FourCardSorted
from headsup.games.holdem.spot import Spot
from headsup.games.walk.walk import shared_groups
from headsup.solve.holdem.vector import start_vector
from tests.naive import omaha_keys

BOARDS = {
    "no low": "As Jd Tc 5h Ks",
    "two low ranks": "As Ad 8c 8h Ks",
    "three low cards": "As Jd 8c 5h Ks",
    "five low cards": "As 2d 8c 5h 6s",
    "paired": "Ks Kd 8c 5h 2s",
    "four to a flush": "As Js 8s 5s 2d",
    "quads": "7s 7d 7c 7h 2s",
    "wheel": "As 2d 3c 4h 5s",
}


def some_hands(tree: BoardTree, number: int, rng: np.random.Generator) -> np.ndarray:
    return np.sort(rng.choice(np.asarray(tree.hands(), dtype=np.int64), number, replace=False))


def ranked(keys: list) -> np.ndarray:
    """A number for each key that orders them, 0 for None."""
    known = sorted({key for key in keys if key is not None})
    return np.array([0 if key is None else 1 + known.index(key) for key in keys])


def shares(board: list[int], hands: tuple[np.ndarray, np.ndarray], low: bool) -> tuple[np.ndarray, np.ndarray]:
    """[hands, hands] which pairs can be dealt on a board, and the part of the pot that the first player wins."""
    lists = [[tuple(map(int, omaha_combos()[h])) for h in listed] for listed in hands]
    keys = [omaha_keys(hand, board) for listed in lists for hand in listed]
    highs, lows = (np.split(ranked(list(column)), [len(hands[0])]) for column in zip(*keys, strict=True))
    apart = np.array([[len({*a, *b, *board}) == 8 + len(board) for b in lists[1]] for a in lists[0]])

    def part(values: list[np.ndarray]) -> np.ndarray:
        return (1.0 + np.sign(values[0][:, None] - values[1][None])) / 2.0

    split = low & ((lows[0][:, None] > 0) | (lows[1][None] > 0))
    return apart, np.where(split, (part(highs) + part(lows)) / 2.0, part(highs))


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("name", BOARDS)
def test_every_kind_of_board_is_counted_as_pair_by_pair(name: str, low: bool) -> None:
    cards, rng = parse_cards(BOARDS[name]), np.random.default_rng(len(name))
    tree = BoardTree(cards, (0,), held=4)
    first = some_hands(tree, 120, rng)
    hands = first, np.union1d(some_hands(tree, 70, rng), first[::2])  # some hands are in both lists
    showdown = FourCardSorted(tree, hands, low)
    apart, share = shares(list(cards), hands, low)
    for seat in (0, 1):
        weigh, won = (apart, share) if seat == 0 else (apart.T, 1.0 - share.T)
        for lines in (0, 1, 16, 17, 40):
            reach = rng.random((lines, len(hands[1 - seat]))) * (rng.random((lines, len(hands[1 - seat]))) < 0.7)
            for shown in {0, lines // 2, lines}:
                beaten, met = showdown.lines(seat, 0, 0, reach, shown)
                np.testing.assert_allclose(met, reach @ weigh.T, rtol=0.0, atol=1e-9)
                np.testing.assert_allclose(beaten[:shown], (reach @ (weigh * won).T)[:shown], rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("low", [pytest.param(False, marks=pytest.mark.long), True])
def test_a_reduced_deck_with_a_card_to_come(low: bool) -> None:
    """All hands of a deck of eleven ranks and two suits, on the turn and on every river."""
    cards = parse_cards("Ac Kc 4c 5d")
    tree = BoardTree(cards, (0, 1), ranks=11, suits=2, held=4)
    hands, rng = np.asarray(tree.hands(), dtype=np.int64), np.random.default_rng(3)
    listed = hands[rng.random(len(hands)) < 0.02], hands[rng.random(len(hands)) < 0.02]
    showdown = FourCardSorted(tree, listed, low)
    reach = rng.random((5, len(listed[1])))
    total, rivers = np.zeros((5, len(listed[0]))), tree.levels[1]
    assert len(rivers) == 22 - 4
    for board in range(len(rivers)):
        apart, share = shares(rivers.cards[board].tolist(), listed, low)
        beaten, met = showdown.lines(0, 1, board, reach, 5)
        np.testing.assert_allclose(met, reach @ apart.T, rtol=0.0, atol=1e-9)
        np.testing.assert_allclose(beaten, reach @ (apart * share).T, rtol=0.0, atol=1e-9)
        total += beaten
    below = np.stack([showdown.won_below(0, 0, 0, row) for row in reach])
    np.testing.assert_allclose(below, total / (22 - 4 - 8), rtol=0.0, atol=1e-9)
    masks = [combo_masks(4)[listed[seat]] for seat in (0, 1)]
    weights = rng.random(len(listed[0])), reach[0]
    slow = weights[0] @ ((masks[0][:, None] & masks[1]) == 0) @ weights[1]
    assert showdown.mass(weights) == pytest.approx(slow, abs=1e-9)
    np.testing.assert_array_equal(showdown.alive(0, 0, 0), np.arange(len(listed[0])))


@pytest.mark.parametrize("game", ["omaha", "omaha8"])
@pytest.mark.parametrize("board", ["As 8d 7c 3h Qs", pytest.param("As 8d 7c 3h", marks=pytest.mark.long)])
def test_the_equity_of_real_ranges_is_that_of_the_equity_module(game: str, board: str) -> None:
    cards, texts = parse_cards(board), ("AA,8877,A2$ds,5%@50", "25%!4%")
    ranges = [parse_range(text, game) for text in texts]
    tree = BoardTree(cards, (0, 1)[: 6 - len(cards)], ranges=[held.weights for held in ranges], held=4)
    possible = np.asarray(tree.hands(), dtype=np.int64)
    hands = [possible[held.weights[possible] > 0.0] for held in ranges]
    showdown = FourCardSorted(tree, (hands[0], hands[1]), game == "omaha8")
    weights = [held.weights[listed] for held, listed in zip(ranges, hands, strict=True)]
    right = equity(*texts, board, game=game)
    assert right.exact
    won = weights[0] @ showdown.won_below(0, 0, 0, weights[1])
    mass = showdown.mass((weights[0], weights[1]))
    assert won / mass == pytest.approx(right.equity, abs=1e-12)
    theirs = weights[1] @ showdown.won_below(1, 0, 0, weights[0])
    assert (won + theirs) / mass == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(
    ("mine", "theirs", "part"),
    [
        ("Ah2hKcKd", "Ac2c9d9h", 0.75),  # the better high, and the same low
        ("Ac2c9d9h", "Ah2hKcKd", 0.25),
        ("Ah2hQcTd", "KcKd9d9h", 0.5),  # the low alone
        ("KcKd9d9h", "QcQdTcTd", 1.0),  # no low: a scoop
        ("KcKh9d9h", "KdKsQdQh", 0.5),  # the same high and no low
        ("Ah2hKcKd", "QcQdTcTd", 1.0),  # high and low
    ],
)
def test_quarters_and_splits_by_hand(mine: str, theirs: str, part: float) -> None:
    tree = BoardTree(parse_cards("8s 5d 4h Js Jc"), (0,), held=4)
    hands = [np.array([colex(parse_cards(text))]) for text in (mine, theirs)]
    showdown = FourCardSorted(tree, (hands[0], hands[1]), low=True)
    for seat, right in ((0, part), (1, 1.0 - part)):
        won, met = showdown.lines(seat, 0, 0, np.ones((1, 1)), 1)
        assert (won.item(), met.item()) == (right, 1.0)


def test_hands_are_compared_on_five_cards() -> None:
    tree = BoardTree(parse_cards("8s 5d 4h Js"), (0,), held=4)
    hands = np.asarray(tree.hands()[:10])
    with pytest.raises(UserError, match="five board cards"):
        _ = FourCardSorted(tree, (hands, hands)).arrays
    with pytest.raises(UserError, match="two or four cards"):
        BoardTree((), (0,), held=3)


@pytest.mark.parametrize("name", ["omaha", "omaha8"])
def test_threads_share_the_lines_of_a_river(name: str) -> None:
    """The result is the same bit for bit, and the memory that was announced is taken."""
    game = Spot("As8d7c3hQs", "AA,KK,A2", "KK:QQ,76,A3", 60, 200, bets="50%, a", variant=name).game()
    assert shared_groups(game) == 2
    solvers = [start_vector(game, "dcfr", {"threads": threads}) for threads in (1, 2, 3)]
    for solver in solvers:
        solver.step(3)
    assert [solver.walker.threads for solver in solvers] == [1, 2, 2]
    expected = solvers[0].arrays()
    for solver in solvers[1:]:
        assert all(np.array_equal(array, expected[key]) for key, array in solver.arrays().items())
        assert solver.exploitability() == solvers[0].exploitability()
    more = solvers[1].walker._showdowns[0]  # type: ignore[attr-defined]
    taken = sum(array.nbytes for array in more if array.dtype == np.float32)
    assert solvers[1].memory.work - solvers[0].memory.work == taken
