"""Omaha high and hi-lo: the same questions through every route."""

from math import comb
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.cards.cards import cards_name
from headsup.cards.cards import parse_cards as cards_of
from headsup.cards.classes import omaha_class_sizes
from headsup.cards.combos import colex
from headsup.cards.ranges import Range
from headsup.cards.suits import SUIT_PERMUTATIONS, permute_cards
from headsup.common.errors import UserError
from headsup.equity import equity
from headsup.equity.omaha import preflop as omaha_preflop
from headsup.equity.omaha.eval8 import class_grid
from headsup.equity.question import read_question
from headsup.equity.results import high_only, mirrored
from headsup.equity.results import outcomes as five
from tests import naive
from tests.equity import compiled

GAMES = ("omaha", "omaha8")


@compiled
def test_thesis_example() -> None:
    """ho-2015: As Ad Qs Jd against 5h 4s 3c 2h, 49.47 %; exactly 49.4676 %."""
    result = equity("AsQsAdJd", "5h4s3c2h", game="omaha8")
    assert result.method == "factorisation"
    assert result.deals == comb(44, 5)
    assert round(100 * result.equity, 4) == 49.4676
    assert equity("AsQsAdJd", "5h4s3c2h", game="omaha8", method="enumeration").grid == result.grid
    assert equity("AsQsAdJd", "5h4s3c2h", game="omaha").grid == high_only(result.grid)


@compiled
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("board", ["5s6h9s", "5s6h9s8d", "5s6h9s8dAd", "2s3s4s5s6s", "KsQhJd"])
def test_board_routes_agree(game: str, board: str) -> None:
    a, b = "AsA23,KhQhJT@50,8s7sTT", "A234,AA45@25,KK7s7"
    sweep = equity(a, b, board, "3c", game, "sweep")
    assert sweep.grid == equity(a, b, board, "3c", game, "enumeration").grid
    if game == "omaha8":
        assert high_only(sweep.grid) == equity(a, b, board, "3c", "omaha", "sweep").grid


@compiled
@pytest.mark.parametrize("game", GAMES)
def test_range_against_itself(game: str) -> None:
    text = "A2KK,AA2x@30,7654"
    sweep = equity(text, text, "2s5h9sKd", game=game, method="sweep")
    assert sweep.grid == equity(text, text, "2s5h9sKd", game=game, method="enumeration").grid
    assert sweep.grid == mirrored(sweep.grid)


@compiled
@pytest.mark.parametrize("game", GAMES)
def test_preflop_pairs_up_to_suits(game: str) -> None:
    a, b = "AsAhKdQd,AsAdKhQh@50", "JJTT$ds,5432$ds@20"
    question = read_question(a, b, dead="2s", game=game)
    pairs, weights = omaha_preflop.canonical_pairs(question)
    assert sum(weights) == question.pair_weight
    assert len(pairs) < len(question.a.combos) * len(question.b.combos)
    result = equity(a, b, dead="2s", game=game, method="factorisation")
    one_by_one = np.zeros((3, 4), dtype=object)
    for i, x in enumerate(question.a.cards):
        for j, y in enumerate(question.b.cards):
            if not set(x.tolist()) & set(y.tolist()):
                weight = int(question.a.weights[i] * question.b.weights[j])
                one_by_one += weight * np.array(equity(x.tolist(), y.tolist(), dead="2s", game=game).grid, dtype=object)
    assert [list(row) for row in result.grid] == one_by_one.tolist()


@compiled
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2, 3))])
def test_a_hand_against_all_is_the_sum_of_its_matchups(seed: int) -> None:
    """On random decks of 16 to 19 cards, two suits of which may be long: flushes, lows and equal suits all occur."""
    deck = np.random.default_rng(seed).permutation(52)[: 16 + seed]
    if seed % 2:
        deck = np.array([card for card in range(52) if card & 3 < 2][: 16 + seed])
    dead = sorted(set(range(52)) - set(deck.tolist()))
    for a, b in (("random", deck[:4].tolist()), (f"{cards_name(deck[:4])},{cards_name(deck[6:10])}@30", "random")):
        question = read_question(a, b, dead=dead, game="omaha8")
        assert omaha_preflop.random_cost(question) < float("inf")
        assert omaha_preflop.against_random_grid(question) == omaha_preflop.pairs_grid(question)


@compiled
def test_a_hand_against_a_random_one_is_exact() -> None:
    """In a deck of ten ranks; docs/equity.md has the whole one."""
    dead = "".join(rank + suit for rank in "9TJ" for suit in "cdhs")
    result = equity("AsAd2s3d", "random", game="omaha8", dead=dead)
    assert result.exact
    assert result.deals == comb(36, 4) * comb(32, 5)
    estimate = equity("AsAd2s3d", "random", game="omaha8", dead=dead, method="sampling", samples=20_000, seed=3)
    assert estimate.interval is not None
    assert abs(result.equity - estimate.equity) < 1.5 * estimate.interval.margin


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("method", ["sweep", "enumeration"])
@pytest.mark.parametrize("board", ["5s6h9s8d", "2s3s4s7hKd"])
def test_small_boards_against_the_naive_count(game: str, method: str, board: str) -> None:
    hands_a, hands_b = ["AsAh2d3c", "KsQsJhTh"], ["Ac2c3d4d", "8s7s6d6c"]
    result = equity(",".join(hands_a), ",".join(hands_b), board, "9c", game, method)
    assert result.grid == naive.equity_grid(game, hands_a, hands_b, board, "9c")


@compiled
@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 51), min_size=13, max_size=13, unique=True), st.sampled_from([0, 3, 4, 5]), st.data())
def test_swap_and_suits(deal: list[int], n_board: int, data) -> None:
    a, b, board = deal[:4], deal[4:8], deal[8 : 8 + n_board]
    permutation = data.draw(st.sampled_from(SUIT_PERMUTATIONS))
    result = equity(a, b, board, game="omaha8")
    assert equity(b, a, board, game="omaha8").grid == mirrored(result.grid)
    renamed = [permute_cards(part, permutation).tolist() if part else [] for part in (a, b, board)]
    assert equity(*renamed, game="omaha8").grid == result.grid
    assert equity(a, b, board, game="omaha").grid == high_only(result.grid)


@compiled
@pytest.mark.parametrize("game", [pytest.param("omaha", marks=pytest.mark.long), "omaha8"])
def test_weights_too_large_for_narrow_counters(game: str) -> None:
    """All hands at 9999 and one at 10000 is 9999 times all hands, plus that hand once."""
    board, hand = "5s6h9s8dKd", colex(cards_of("AsAh2d3c"))
    weights = np.full(270725, 0.9999)
    weights[hand] = 1
    heavy = equity(Range(game, weights), "KKQx,A2xx", board, game=game, method="sweep")
    everyone = equity("random", "KKQx,A2xx", board, game=game, method="sweep")
    alone = equity("AsAh2d3c", "KKQx,A2xx", board, game=game, method="sweep")
    assert heavy.grid == tuple(
        tuple(9999 * x + y for x, y in zip(*rows, strict=True)) for rows in zip(everyone.grid, alone.grid, strict=True)
    )


def test_the_table_knows_whole_classes_only() -> None:
    with pytest.raises(UserError, match="holds a class of hands in part"):
        equity("AsAhKsKh", "KKxx", game="omaha8", method="table")


@compiled
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("a", "b"), [("AKQJ$ds", "7654$ss"), ("AA22@50,3333", "AAK2,3322"), ("9987$rb", "9987$ds")])
def test_rank_sets_agree_with_pairs_of_hands(game: str, a: str, b: str) -> None:
    """The part of the table that the ranges need, computed, against one factorised matchup for each pair of hands."""
    fast, slow = (equity(a, b, game=game, method=method) for method in ("table", "factorisation"))
    assert fast.deals == slow.deals
    assert [player.counts for player in fast.players] == [player.counts for player in slow.players]


def test_class_weights_need_whole_classes() -> None:
    whole = read_question("AAKK", "QQJJ", game="omaha").a
    part = read_question("AsAhKsKh", "QQJJ", game="omaha").a
    weights = omaha_preflop.class_weights(whole)
    assert weights is not None
    assert set(weights.tolist()) == {0, 1}
    assert omaha_preflop.class_weights(part) is None


class FewRows:
    """outcomes[row] of the classes a question needs, from the factorisation; the whole array would take gigabytes."""

    def __init__(self, game: str, columns: np.ndarray) -> None:
        self.game, self.columns = game, columns
        self.shape = (16432, 16432, 5 if game == "omaha8" else 3)

    def __getitem__(self, row: int) -> np.ndarray:
        outcomes = np.zeros(self.shape[1:], dtype=np.uint32)
        for column in self.columns:
            grid = class_grid(row, int(column))[1].tolist()
            outcomes[column] = list(five(grid).values() if self.game == "omaha8" else map(sum, grid))
        return outcomes


@compiled
@pytest.mark.parametrize("game", GAMES)
def test_sum_over_a_table_of_matchups(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = "AAKK@50,AAAK", "QQJJ@25,KQJT$ds"
    question = read_question(a, b, game=game)
    columns = np.flatnonzero(omaha_preflop.class_weights(question.b))
    table = SimpleNamespace(game=game, sizes=omaha_class_sizes(), outcomes=FewRows(game, columns))
    monkeypatch.setattr(omaha_preflop, "outcome_table", lambda game: table)
    exact = equity(a, b, game=game, method="factorisation")
    summed = equity(a, b, game=game, method="table")
    assert summed.exact
    assert summed.deals == exact.deals
    assert summed.players[0].counts == exact.players[0].counts
    assert summed.players[1].counts == exact.players[1].counts
    assert summed.fraction == exact.fraction
    assert "high" not in summed.as_dict()["players"][0]


@compiled
def test_long_questions_are_sampled_and_say_so() -> None:
    result = equity("20%", "random", game="omaha8", samples=20000, seed=3)
    assert not result.exact
    assert result.method == "sampling"
    assert result.note is not None
    assert "would take about" in result.note
