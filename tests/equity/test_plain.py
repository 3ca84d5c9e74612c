"""Small questions without the compiler: the same integers as by the compiled routes, and as by counting plainly."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from headsup.common.archives import read_archive
from headsup.equity import equity
from headsup.equity.api import is_quicker
from headsup.equity.holdem.preflop import DATA, factors, packed, pair_counts
from headsup.equity.holdem.preflop_kernels import compute_factors, hand_counts
from headsup.equity.omaha.eval8 import matchup_grid
from headsup.equity.plain import matchup, plain_grid
from headsup.equity.question import read_question
from tests import naive
from tests.equity import compiled

HANDS = {
    "holdem": (["AsAh", "5s4s", "Th9h"], ["KhKd", "AsTs", "6c6d"]),
    "omaha": (["AsAhKs2d", "5s4s3h2h"], ["KhKdQsJs", "AdTs9s8c", "6c6d7c7d"]),
    "omaha8": (["AsAhKs2d", "5s4s3h2h"], ["KhKdQsJs", "Ad3s4c5c", "6c6d7c7d"]),
}


@pytest.mark.parametrize("game", HANDS)
@pytest.mark.parametrize("board", ["7s8s9sTd", "8c7d3cQh", "2c2s4d4h8d"])
def test_boards_against_the_naive_count(game: str, board: str) -> None:
    a, b = (
        [hand for hand in hands if not {*naive.split_cards(hand)} & {*naive.split_cards(board)}]
        for hands in HANDS[game]
    )
    question = read_question(",".join(a), ",".join(b), board, "3d", game)
    assert plain_grid(question) == naive.equity_grid(game, a, b, board, "3d")


def test_weights_and_both_ways_round() -> None:
    a, b = "AsAh:0.5,5s4s:0.25,Th9h,QQ", "KhKd,AsTs:0.3"
    grid = plain_grid(read_question(a, b, "7s8s2d"))
    mirrored = plain_grid(read_question(b, a, "7s8s2d"))
    assert [row[0] for row in grid] == [row[0] for row in mirrored][::-1]
    assert sum(map(sum, grid)) == read_question(a, b, "7s8s2d").deals


@compiled
@pytest.mark.parametrize("dead", [0, 1, 6])
def test_two_hands_against_the_kernels(dead: int) -> None:
    rng = np.random.default_rng(dead)
    for _ in range(6):
        deck = rng.permutation(52).tolist()
        # one deck in two has few suits, so that flushes meet
        cards = deck if rng.random() < 0.5 else sorted(deck, key=lambda card: card & 3 > 1)
        a, b, out = tuple(cards[:4]), tuple(cards[4:8]), tuple(cards[8 : 8 + dead])
        expected = matchup_grid(a, b, out)
        assert np.array_equal(matchup("omaha8", a, b, out), expected)
        assert np.array_equal(matchup("omaha", a, b, out)[:, 0], expected.sum(axis=1))
        counts = matchup("holdem", a[:2], b[:2], out)[:, 0]
        assert tuple(counts.tolist()) == hand_counts(a[:2], b[:2], sum(1 << card for card in out))


def test_the_factors_that_ship_are_packed_whole() -> None:
    stored, sealed = read_archive(DATA)
    assert sealed
    for name, array in packed(*factors()).items():
        assert np.array_equal(array, stored[name])


def test_the_factors_that_ship_count_every_board() -> None:
    """Wins, ties and losses of pairs that share no card are all boards; a pair's wins are the other's losses."""
    some = np.array([0, 17, 300, 901, 1325], dtype=np.int32)
    others = np.array([5, 77, 450, 1100, 1200], dtype=np.int32)
    wins, ties = pair_counts(some, others)
    back, same = pair_counts(others, some)
    assert (wins + ties + back.T == 1712304).all()
    assert (ties == same.T).all()


@pytest.mark.long
@compiled
def test_the_factors_that_ship_are_those_that_are_computed() -> None:
    assert all(np.array_equal(one, other) for one, other in zip(factors(), compute_factors(), strict=True))


def test_when_it_is_quicker(monkeypatch: pytest.MonkeyPatch) -> None:
    flop = read_question("QQ+", "A2s+", "Ks7d2c")
    wide = read_question("random", "random", "Ks7d2c")
    hands = read_question("AsQsAdJd", "5h4s3c2h", game="omaha8")
    assert not is_quicker(flop, "sweep")  # kernels are there in this process
    monkeypatch.delitem(sys.modules, "numba")
    assert is_quicker(flop, "sweep")
    assert not is_quicker(wide, "sweep")
    assert is_quicker(hands, "factorisation")
    assert not is_quicker(hands, "sweep")


def test_the_answer_reports_how_it_was_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled_answer = equity("QQ+", "A2s+", "Ks7d2c", method="enumeration")
    monkeypatch.delitem(sys.modules, "numba")
    plain = equity("QQ+", "A2s+", "Ks7d2c")
    assert (plain.method, plain.cells) == ("enumeration", compiled_answer.cells)
    assert equity("AsQsAdJd", "5h4s3c2h", game="omaha8").method == "factorisation"
