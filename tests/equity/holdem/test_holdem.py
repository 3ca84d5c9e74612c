"""Hold'em: the same questions through every route, and counts that others have published."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.cards.cards import cards_name
from headsup.cards.suits import SUIT_PERMUTATIONS, permute_cards
from headsup.common.errors import UserError
from headsup.equity import equity
from tests import naive
from tests.equity import compiled

TWENTY_PERCENT = "66+,A4s+,K8s+,Q9s+,J9s+,T9s,A9o+,KTo+,QTo+,JTo"


def counts(result) -> tuple[int, int, int]:
    return result.win, result.lose, result.tie


@compiled
@pytest.mark.parametrize("method", [None, "factorisation", "table", "sweep", "enumeration"])
def test_aces_against_kings(method: str | None) -> None:
    """poker-eval's counts of AdAc against KhKs: wins, losses, ties."""
    result = equity("AdAc", "KhKs", method=method)
    assert counts(result) == (1388072, 317694, 6538)
    assert result.exact
    assert result.deals == 1712304


@compiled
@pytest.mark.parametrize("method", ["factorisation", "table", "sweep"])
def test_all_aces_against_all_kings(method: str) -> None:
    """OMPEval's counts over all 36 suit pairings."""
    assert counts(equity("AA", "KK", method=method)) == (50371344, 10986372, 285228)


@compiled
def test_kings_against_king_deuce_sharing_a_suit() -> None:
    result = equity("KdKh", "Kc2d")
    assert (result.win, result.tie) == (1612287, 26192)


@compiled
@pytest.mark.parametrize(
    ("a", "b", "dead"),
    [
        pytest.param("AhKh", "QcQd", "", marks=pytest.mark.long),
        pytest.param("AhKh", "QcQd", "Qh Qs 2h", marks=pytest.mark.long),
        pytest.param("9s8s", "9h8h", "TsJsThJh", marks=pytest.mark.long),
        ("5c4c", "AcKc", "2c 3c 6c 7c 8c"),
        ("AsAh:0.5,KsQs", "JsTs,9h9d:0.3", "2c 3c 4d 5d 6h 2s 3s 7c"),  # fewer boards for each pair of hands
    ],
)
def test_preflop_routes_agree(a: str, b: str, dead: str) -> None:
    answers = {
        method: equity(a, b, dead=dead, method=method).grid for method in ("factorisation", "sweep", "enumeration")
    }
    if not dead:
        answers["table"] = equity(a, b, method="table").grid
    assert len(set(answers.values())) == 1, answers


@compiled
@pytest.mark.parametrize("board", ["Ks7d2c", "KsQsJs", "7d7c7s", "Ks7d2c7s", "2s3s4s5s6s", "AsKsQsJsTs", "9c9d9h9s2c"])
def test_board_routes_agree(board: str) -> None:
    a, b = "66+,A9s+:0.5,KQs", "22-99,AJo+:0.25,JTs,5s4s,AsKd"
    sweep = equity(a, b, board, method="sweep")
    brute = equity(a, b, board, method="enumeration")
    assert sweep.grid == brute.grid
    assert sweep.unit == brute.unit
    assert equity(a, a, board, method="sweep").grid == equity(a, a, board, method="enumeration").grid


@compiled
def test_twenty_percent_against_itself_on_a_flop() -> None:
    sweep = equity(TWENTY_PERCENT, TWENTY_PERCENT, "Ks7d2c")
    assert sweep.method == "sweep"
    assert sweep.win == sweep.lose
    assert sweep.grid == equity(TWENTY_PERCENT, TWENTY_PERCENT, "Ks7d2c", method="enumeration").grid


@compiled
def test_range_preflop_by_table_and_by_sweep() -> None:
    a, b = "QQ+,AKs:0.5", "99-77,A5s,KQo:0.1"
    assert equity(a, b, method="table").grid == equity(a, b, method="sweep").grid


@pytest.mark.parametrize("board", ["Ks7d2c9s", "KsQsJs2s4d", "7d7c7s2h", "AcKdQhJsTc"])
@pytest.mark.parametrize("method", ["sweep", "enumeration"])
def test_small_boards_against_the_naive_count(board: str, method: str) -> None:
    hands_a, hands_b = ["AsAh", "5s4s", "Th9h"], ["KhKd", "AsTs", "6c6d"]
    result = equity(",".join(hands_a), ",".join(hands_b), board, "3h", method=method)
    assert result.grid == naive.equity_grid("holdem", hands_a, hands_b, board, "3h")


def test_a_route_that_cannot_answer_says_so() -> None:
    with pytest.raises(UserError, match="factorisation answers preflop"):
        equity("AsKs", "QhQd", "2c3c4c", method="factorisation")
    with pytest.raises(UserError, match="without dead cards"):
        equity("AsKs", "QhQd", dead="2c", method="table")
    with pytest.raises(UserError, match="'guess' is not a method"):
        equity("AsKs", "QhQd", method="guess")


cards = st.lists(st.integers(0, 51), min_size=9, max_size=9, unique=True)


@compiled
@settings(max_examples=40, deadline=None)
@given(cards, st.integers(0, 5), st.sampled_from(SUIT_PERMUTATIONS))
def test_preflop_swap_and_suits(deal: list[int], n_dead: int, permutation) -> None:
    a, b, dead = deal[:2], deal[2:4], deal[4 : 4 + n_dead]
    result = equity(a, b, dead=dead)
    swapped = equity(b, a, dead=dead)
    assert (result.win, result.tie, result.lose) == (swapped.lose, swapped.tie, swapped.win)
    renamed = [permute_cards(part, permutation).tolist() for part in (a, b, dead)]
    assert equity(renamed[0], renamed[1], dead=renamed[2]).grid == result.grid


@compiled
@settings(max_examples=15, deadline=None)
@given(cards, st.sampled_from([3, 4, 5]))
def test_board_sweep_is_brute_force(deal: list[int], n_board: int) -> None:
    a, b, board = deal[:2], deal[2:4], deal[4 : 4 + n_board]
    wide = f"{cards_name(b)},TT+,A9s+,76s"
    assert equity(a, wide, board, method="sweep").grid == equity(a, wide, board, method="enumeration").grid
