"""Cards in every form that a Python user tries, and one sentence for what is none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.cards import card_name, holdem_class, omaha_class, parse_holdem_class, parse_omaha_class, read_cards
from headsup.cards.ranges import parse_range
from headsup.common.errors import UserError
from headsup.equity import equity
from headsup.equity.omaha.eval8 import matchup_grid
from headsup.evaluate import rank

FORMS: tuple[Any, ...] = (
    *("AsKh", "As Kh", "As,Kh", ["As", "Kh"], ("As", "Kh"), [51, 46], (51, "Kh"), [" As", "K♥"]),
    *(np.array([51, 46]), np.array([51, 46], dtype=np.uint8), np.array(["As", "Kh"]), iter([51, 46])),
)


@pytest.mark.parametrize("cards", FORMS, ids=lambda one: type(one).__name__)
def test_every_form_is_the_same_cards(cards: Any) -> None:
    assert read_cards(cards) == (51, 46)


@given(st.lists(st.integers(0, 51), unique=True, max_size=10), st.data())
def test_names_and_numbers_mix(cards: list[int], data: st.DataObject) -> None:
    mixed = [card_name(card) if data.draw(st.booleans()) else card for card in cards]
    assert read_cards(mixed) == tuple(cards)
    assert set(read_cards(set(mixed))) == set(cards)


def test_no_cards() -> None:
    assert read_cards(None) == read_cards("") == read_cards([]) == ()


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        (51, "must be text such as AsKh or a list"),
        (b"AsKh", "must be text such as AsKh or a list"),
        ({"As": 1}, "must be text such as AsKh or a list"),
        ([3.7, 5], "3.7 in the board is not a card"),
        ([True, 5], "True in the board is not a card"),
        ([None], "None in the board is not a card"),
        ([52], "52 in the board is not a card"),
        ([-1], "-1 in the board is not a card"),
        ([[51, 46]], "in the board is not a card"),
        (np.array([[51, 46]]), "in the board is not a card"),
        (["AsKh"], "'AsKh' is not a card"),
        (["AA"], "'AA' is not a card"),
        (["As", 51], "the board have As twice"),
    ],
)
def test_what_is_no_cards(cards: Any, says: str) -> None:
    with pytest.raises(UserError, match=says):
        read_cards(cards, "board")


def test_equity_takes_lists() -> None:
    right = equity("AsKh", "QcQd", "2c3c4c5h", "9s")
    for hand, other, board, dead in (
        (["As", "Kh"], ["Qc", "Qd"], ["2c", "3c", "4c", "5h"], ["9s"]),
        ([51, 46], "QcQd", (0, 4, 8, 14), {31}),
        (np.array([51, 46]), np.array(["Qc", "Qd"]), np.array([0, 4, 8, 14], dtype=np.uint8), "9s"),
    ):
        assert equity(hand, other, board=board, dead=dead).grid == right.grid
    assert equity("AsKh", "QcQd", board=None, dead=None).grid == equity("AsKh", "QcQd").grid


def test_a_list_of_ranges_is_told_apart() -> None:
    with pytest.raises(UserError, match="'AA' is not a card"):
        equity(["AA", "KK"], "QcQd")
    with pytest.raises(UserError, match="a range is text such as 'QQ\\+,AKs'"):
        parse_range(["AA", "KK"])  # type: ignore[arg-type]


def test_the_rest_takes_lists_too() -> None:
    assert rank(["9s", "9h"], board=["9d", "7c", "7s"]) == rank("9s9h", "9d7c7s")
    assert rank(np.array([51, 46])) == rank("AsKh")
    assert holdem_class(["As", "Kh"]) == parse_holdem_class(["As", "Kh"]) == parse_holdem_class("AKo")
    four = ["As", "Kh", "Qd", "Jc"]
    assert omaha_class(four) == parse_omaha_class(four) == parse_omaha_class("AsKhQdJc")
    assert (matchup_grid(four, "5h4s3c2h", ["9s"]) == matchup_grid([51, 46, 41, 36], "5h4s3c2h", "9s")).all()


@pytest.mark.parametrize("card", [-1, 52, 10**5000], ids=["below", "above", "far"])
def test_only_cards_have_names(card: int) -> None:
    with pytest.raises(UserError, match="is not a card"):
        card_name(card)
