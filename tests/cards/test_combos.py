"""Colex indices and combo lists against their definition."""

import subprocess
import sys
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import headsup.cards
from headsup.cards.combos import (
    binomials,
    colex,
    colex_array,
    combo_masks,
    combos,
    combos_with_card,
    holdem_combos,
    holdem_index,
    omaha_combos,
    uncolex,
    uncolex_array,
)
from headsup.common.errors import UserError

card_sets = st.integers(0, 8).flatmap(lambda n: st.lists(st.integers(0, 51), min_size=n, max_size=n, unique=True))
indices = st.integers(0, 8).flatmap(lambda n: st.tuples(st.integers(0, comb(52, n) - 1), st.just(n)))


@given(card_sets)
def test_cards_to_index_and_back(cards: list[int]) -> None:
    assert uncolex(colex(cards), len(cards)) == tuple(sorted(cards))


@given(indices)
def test_index_to_cards_and_back(case: tuple[int, int]) -> None:
    index, n = case
    assert colex(uncolex(index, n)) == index


@given(st.integers(1, 8), st.data())
def test_colex_order_compares_the_highest_card_first(n: int, data: st.DataObject) -> None:
    one, two = (data.draw(st.lists(st.integers(0, 51), min_size=n, max_size=n, unique=True)) for _ in range(2))
    assert (colex(one) < colex(two)) == (sorted(one, reverse=True) < sorted(two, reverse=True))


@pytest.mark.parametrize("n", range(1, 9))
def test_arrays_agree_with_single_sets(n: int) -> None:
    rng = np.random.default_rng(n)
    rows = np.array([rng.choice(52, n, replace=False) for _ in range(200)])
    numbers = colex_array(rows)
    assert numbers.tolist() == [colex(row) for row in rows.tolist()]
    assert (uncolex_array(numbers, n) == np.sort(rows, axis=1)).all()
    ends = [0, comb(52, n) - 1]
    assert uncolex_array(ends, n).tolist() == [list(range(n)), list(range(52 - n, 52))]


def test_arrays_keep_their_shape() -> None:
    assert colex_array(holdem_combos().reshape(2, 663, 2)).shape == (2, 663)
    assert uncolex_array(np.zeros((2, 3), dtype=int), 4).shape == (2, 3, 4)
    assert uncolex_array([], 2).shape == (0, 2)
    assert uncolex_array(1325, 2).tolist() == [50, 51]


@pytest.mark.parametrize("n", range(6))
def test_the_list_of_combos_is_every_set_in_order(n: int) -> None:
    rows = combos(n)
    assert rows.shape == (comb(52, n), n)
    assert (colex_array(rows) == np.arange(len(rows))).all()
    assert (rows[:, 1:] > rows[:, :-1]).all()


def test_two_card_combos_against_the_plain_list() -> None:
    plain = sorted(combinations(range(52), 2), key=lambda pair: (pair[1], pair[0]))
    assert holdem_combos().tolist() == [list(pair) for pair in plain]
    assert holdem_combos().dtype == omaha_combos().dtype == np.uint8
    assert omaha_combos().shape == (270725, 4)


@pytest.mark.parametrize("n", [1, 2, 4])
def test_masks(n: int) -> None:
    masks = combo_masks(n)
    assert masks.dtype == np.uint64
    sample = np.random.default_rng(0).integers(0, len(masks), 300)
    assert [int(masks[i]) for i in sample] == [sum(1 << c for c in combos(n)[i].tolist()) for i in sample]


def test_index_maps() -> None:
    pairs = holdem_index()
    for number, (low, high) in enumerate(holdem_combos().tolist()):
        assert pairs[low, high] == pairs[high, low] == number
    assert (pairs.diagonal() == -1).all()


@pytest.mark.parametrize("n", [2, 4])
def test_combos_with_card(n: int) -> None:
    table = combos_with_card(n)
    assert table.shape == (52, comb(51, n - 1))
    for card in (0, 17, 51):
        assert (combos(n)[table[card]] == card).any(axis=1).all()
        assert (np.diff(table[card]) > 0).all()


def test_shared_arrays_are_read_only() -> None:
    for array in (holdem_combos(), combo_masks(2), holdem_index(), binomials(), combos_with_card(2)):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: colex([1, 1]), "2d appears twice"),
        (lambda: colex([-1, 3]), "-1 is not a card"),
        (lambda: colex([52]), "52 is not a card"),
        (lambda: colex(range(9)), "at most 8"),
        (lambda: uncolex(1326, 2), "0 to 1325"),
        (lambda: uncolex(-1, 2), "0 to 1325"),
        (lambda: uncolex(0, 9), "at most 8"),
        (lambda: colex_array([[1, 1]]), "same card twice"),
        (lambda: colex_array([[1, 52]]), "not a card"),
        (lambda: colex_array([[-1, 5]]), "not a card"),
        (lambda: colex_array([[0.5, 1.5]]), "integer array"),
        (lambda: uncolex_array([1326], 2), "end at 1325"),
        (lambda: uncolex_array([0.5], 2), "integers"),
        (lambda: combos(6), "at most 5"),
        (lambda: combos_with_card(0), "1 to 5"),
    ],
)
def test_mistakes_are_told(call, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UserError, match=message):
        call()


def test_the_light_half_of_cards_does_not_wait_for_the_compiler() -> None:
    """Importing Numba takes more than a second, which a command that only parses text must not pay."""
    code = "import sys, headsup.cards as c; c.street_indexer((2,)).index([0, 1]); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_every_public_name_is_there() -> None:
    assert all(hasattr(headsup.cards, name) for name in headsup.cards.__all__)
