"""Renamings of the suits, their orbits and stabilisers, and boards up to symmetry."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.cards.cards import cards_in, mask_of, parse_mask
from headsup.cards.combos import combo_masks, combos
from headsup.cards.suits import (
    IDENTITY,
    SUIT_PERMUTATIONS,
    canonical,
    canonical_boards,
    canonical_masks,
    permute_card,
    permute_cards,
    permute_mask,
    permute_masks,
    permuted_combos,
    stabiliser,
)
from headsup.common.errors import UserError

masks = st.integers(0, (1 << 52) - 1)
renamings = st.sampled_from(SUIT_PERMUTATIONS)
SWAP_RED = ((0, 1, 2, 3), (0, 2, 1, 3))


@given(masks, renamings)
def test_the_three_ways_to_rename_agree(mask: int, one: tuple[int, ...]) -> None:
    by_cards = mask_of(permute_cards(cards_in(mask), one).tolist())
    by_definition = mask_of(4 * (c // 4) + one[c % 4] for c in cards_in(mask))
    by_array = int(permute_masks(np.array([mask], dtype=np.uint64), one)[0])
    assert permute_mask(mask, one) == by_cards == by_definition == by_array


@given(st.lists(masks, min_size=1, max_size=3), renamings)
def test_the_canonical_form_does_not_see_the_names_of_suits(sets: list[int], one: tuple[int, ...]) -> None:
    form, size = canonical(sets)
    assert canonical([permute_mask(mask, one) for mask in sets]) == (form, size)
    assert canonical(form) == (form, size)
    assert size * len(stabiliser(*sets)) == 24


@given(st.lists(masks, min_size=1, max_size=8))
def test_canonical_masks_of_an_array(some: list[int]) -> None:
    assert canonical_masks(np.array(some, dtype=np.uint64)).tolist() == [canonical([mask])[0][0] for mask in some]


def test_the_canonical_form_starts_with_spades() -> None:
    assert canonical([parse_mask("AcKdQc")]) == ((parse_mask("AsKhQs"),), 12)


def test_permuted_combos() -> None:
    for one in SUIT_PERMUTATIONS[::5]:
        assert (combo_masks(2)[permuted_combos(2, one)] == permute_masks(combo_masks(2), one)).all()
        assert (combo_masks(4)[permuted_combos(4, one)] == permute_masks(combo_masks(4), one)).all()


def test_stabiliser_of_masks() -> None:
    assert stabiliser() == SUIT_PERMUTATIONS
    assert stabiliser(parse_mask("AsKs"), parse_mask("QhQd")) == SWAP_RED
    assert stabiliser(parse_mask("2c3d4h5s")) == IDENTITY
    assert len(stabiliser(parse_mask("AsAh"), parse_mask("KdKc"))) == 4
    assert len(stabiliser(parse_mask("AsAhKdKc"), permutations=SWAP_RED)) == 1


@pytest.mark.parametrize("n", [2, 4])
def test_stabiliser_of_weights(n: int) -> None:
    aces = (combos(n) >= 48).sum(axis=1) / 4
    assert stabiliser(aces) == SUIT_PERMUTATIONS
    spades = (combos(n) % 4 == 3).all(axis=1).astype(float)
    assert len(stabiliser(spades)) == 6
    assert stabiliser(spades, parse_mask("7c")) == SWAP_RED
    one_combo = np.zeros(len(combos(n)))
    one_combo[0] = 0.25
    assert stabiliser(one_combo) == stabiliser(mask_of(combos(n)[0].tolist()))


def test_stabiliser_wants_one_weight_a_combo() -> None:
    with pytest.raises(UserError, match="1326"):
        stabiliser(np.zeros(169))


@pytest.mark.parametrize(
    ("n", "boards", "deals"), [(0, 1, 1), (1, 13, 52), (3, 1755, 22100), (4, 16432, 270725), (5, 134459, 2598960)]
)
def test_boards_up_to_every_renaming(n: int, boards: int, deals: int) -> None:
    rows, weights = canonical_boards(n)
    assert rows.shape == (boards, n)
    assert rows.dtype == np.uint8
    assert weights.dtype == np.int64
    assert weights.sum() == deals


def naive_boards(n: int, dead: int, group: tuple[tuple[int, ...], ...]) -> dict[int, int]:
    """Collect the orbits one board after another."""
    orbits: dict[frozenset[int], int] = {}
    for board in combinations([c for c in range(52) if not dead >> c & 1], n):
        orbit = frozenset(permute_mask(mask_of(board), one) for one in group)
        orbits[orbit] = orbits.get(orbit, 0) + 1
    assert all(len(orbit) == count for orbit, count in orbits.items())
    return {max(orbit): len(orbit) for orbit in orbits}


@pytest.mark.parametrize("dead", ["", "AsAh", "AsKs7d", "2c3c4c5c", "AsAhAdAc"])
@pytest.mark.parametrize("n", [1, 2])
def test_boards_against_orbits_collected_one_by_one(dead: str, n: int) -> None:
    mask = parse_mask(dead)
    group = stabiliser(mask)
    rows, weights = canonical_boards(n, mask, group)
    found = {mask_of(row): weight for row, weight in zip(rows.tolist(), weights.tolist(), strict=True)}
    assert found == naive_boards(n, mask, group)


def test_without_symmetry_every_board_is_listed() -> None:
    rows, weights = canonical_boards(3, parse_mask("AsKd"), IDENTITY)
    assert len(rows) == 19600
    assert (weights == 1).all()


def test_boards_stand_for_all_boards_of_a_sum_that_sees_no_suits() -> None:
    """A sum over orbits equals the sum over all boards when what is summed keeps the symmetry."""
    hand = parse_mask("AsKs")
    group = stabiliser(hand)
    rows, weights = canonical_boards(3, hand, group)
    free = combos(3)[(combo_masks(3) & np.uint64(hand)) == 0]

    def score(boards: np.ndarray) -> np.ndarray:
        return ((boards & 3 == 3).sum(axis=1) * 100 + (boards >> 2).sum(axis=1)).astype(np.int64)

    assert (score(rows) * weights).sum() == score(free).sum()


def test_boards_refuse_what_is_not_a_symmetry() -> None:
    with pytest.raises(UserError, match="not a group"):
        canonical_boards(3, 0, SUIT_PERMUTATIONS[:5])
    with pytest.raises(UserError, match="not a group"):
        canonical_boards(3, 0, ())
    with pytest.raises(UserError, match="moves the dead cards"):
        canonical_boards(3, parse_mask("As"))


def test_one_card_is_renamed_as_many_are() -> None:
    for permutation in SUIT_PERMUTATIONS:
        assert [permute_card(card, permutation) for card in range(52)] == permute_cards(range(52), permutation).tolist()


def test_the_permutations_are_all_24() -> None:
    assert len(set(SUIT_PERMUTATIONS)) == 24
    assert set(SUIT_PERMUTATIONS) == {p for p in product(range(4), repeat=4) if len(set(p)) == 4}
