"""Classes of hold'em hands, flops and Omaha hands."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.cards.cards import cards_name, mask_of, parse_cards
from headsup.cards.classes import (
    HOLDEM_CLASSES,
    card_classes,
    flop_class_name,
    holdem_class,
    holdem_class_name,
    holdem_class_of_combo,
    holdem_class_reps,
    holdem_class_sizes,
    omaha_class,
    omaha_class_name,
    omaha_class_of_combo,
    omaha_class_reps,
    omaha_class_sizes,
    omaha_class_starts,
    parse_flop_class,
    parse_holdem_class,
    parse_omaha_class,
    rank_multiset_index,
)
from headsup.cards.combos import colex, combo_masks, combos, holdem_combos, omaha_combos, row_masks
from headsup.cards.suits import SUIT_PERMUTATIONS, canonical, canonical_masks, permute_cards, permuted_combos
from headsup.common.errors import UserError


def test_holdem_classes_are_the_chart() -> None:
    names = [holdem_class_name(i) for i in range(HOLDEM_CLASSES)]
    assert len(set(names)) == 169
    assert names[:4] == ["AA", "AKs", "AQs", "AJs"]
    assert names[13:15] == ["AKo", "KK"]
    assert names[-1] == "22"
    sizes = dict(zip(names, holdem_class_sizes().tolist(), strict=True))
    assert {size for name, size in sizes.items() if len(name) == 2} == {6}
    assert {size for name, size in sizes.items() if name.endswith("s")} == {4}
    assert {size for name, size in sizes.items() if name.endswith("o")} == {12}


def test_holdem_class_of_every_combo_by_its_name() -> None:
    for (low, high), number in zip(holdem_combos().tolist(), holdem_class_of_combo().tolist(), strict=True):
        letters = cards_name((high, low))
        kind = "" if letters[0] == letters[2] else "s" if letters[1] == letters[3] else "o"
        assert holdem_class_name(number) == letters[0] + letters[2] + kind
        assert parse_holdem_class(letters) == number


@pytest.mark.parametrize("index", range(0, HOLDEM_CLASSES))
def test_holdem_names_parse_back(index: int) -> None:
    name = holdem_class_name(index)
    assert parse_holdem_class(name) == parse_holdem_class(name.lower()) == index
    assert parse_holdem_class(name[1] + name[0] + name[2:]) == index
    assert holdem_class(holdem_class_reps()[index].tolist()) == index


@pytest.mark.parametrize("text", ["AK", "AAs", "77o", "AKx", "1Ks", "", "A", "AKsQ", "AsAs", "AKss", "AsKhQd"])
def test_wrong_holdem_classes_are_told(text: str) -> None:
    with pytest.raises(UserError):
        parse_holdem_class(text)


@pytest.mark.parametrize("call", [holdem_class_name, omaha_class_name, flop_class_name])
@pytest.mark.parametrize("index", [-1, 16432])
def test_wrong_class_numbers_are_told(call, index: int) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UserError, match="run from 0"):
        call(index)


@pytest.mark.parametrize(("n", "classes", "hands"), [(2, 169, 1326), (3, 1755, 22100), (4, 16432, 270725)])
def test_counts_and_sizes(n: int, classes: int, hands: int) -> None:
    found = card_classes(n)
    assert found.reps.shape == (classes, n)
    assert found.of_combo.max() == classes - 1
    assert np.array_equal(np.bincount(found.of_combo), found.sizes)
    assert found.sizes.sum() == hands
    assert (found.of_combo[[colex(rep) for rep in found.reps.tolist()]] == np.arange(classes)).all()


@pytest.mark.parametrize("n", [2, 3, 4])
def test_a_renaming_never_changes_the_class(n: int) -> None:
    of_combo = card_classes(n).of_combo
    for one in SUIT_PERMUTATIONS:
        assert np.array_equal(of_combo[permuted_combos(n, one)], of_combo)


@pytest.mark.parametrize("n", [3, 4])
def test_representatives_are_canonical_and_sizes_are_orbits(n: int) -> None:
    found = card_classes(n)
    for index in range(0, len(found.reps), 17):
        mask = mask_of(found.reps[index].tolist())
        assert canonical([mask]) == ((mask,), found.sizes[index])


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_classes_are_those_found_by_sorting_all_canonical_masks(n: int) -> None:
    masks, multisets = canonical_masks(combo_masks(n)), rank_multiset_index(combos(n) >> 2)
    _, first, of_mask, sizes = np.unique(masks, return_index=True, return_inverse=True, return_counts=True)
    order = np.lexsort((masks[first], multisets[first]))
    found = card_classes(n)
    assert np.array_equal(np.argsort(order)[of_mask], found.of_combo)
    assert np.array_equal(masks[first[order]], row_masks(found.reps))
    assert np.array_equal(sizes[order], found.sizes)
    assert np.array_equal(np.searchsorted(multisets[first[order]], np.arange(multisets.max() + 2)), found.starts)


def test_omaha_order_is_rank_multiset_first() -> None:
    multisets = rank_multiset_index(omaha_class_reps() >> 2)
    assert (np.diff(multisets) >= 0).all()
    starts = omaha_class_starts()
    assert len(starts) == 1820 + 1
    assert starts[0] == 0
    assert starts[-1] == 16432
    assert np.array_equal(np.repeat(np.arange(1820), np.diff(starts)), multisets)
    assert np.array_equal(rank_multiset_index(omaha_combos() >> 2), multisets[omaha_class_of_combo()])


def test_suit_patterns_come_in_the_same_order_for_ranks_of_the_same_kind() -> None:
    """All 715 sets of four different ranks have the same 36 classes of suit patterns, in the same order."""
    reps, starts = omaha_class_reps(), omaha_class_starts()
    patterns = set()
    for first, last in pairwise(starts.tolist()):
        if len(set((reps[first] >> 2).tolist())) == 4:
            patterns.add((reps[first:last] & 3).tobytes())
    assert len(patterns) == 1


def test_rank_multisets_are_dense() -> None:
    every = np.unique(np.sort(omaha_combos() >> 2, axis=1), axis=0)
    assert sorted(rank_multiset_index(every).tolist()) == list(range(1820))
    assert rank_multiset_index([[2, 0, 1]]).tolist() == rank_multiset_index([[0, 1, 2]]).tolist()


@given(st.lists(st.integers(0, 51), min_size=4, max_size=4, unique=True), st.sampled_from(SUIT_PERMUTATIONS))
def test_omaha_text_to_class_and_back(cards: list[int], one: tuple[int, ...]) -> None:
    index = omaha_class(cards)
    assert parse_omaha_class(cards_name(cards)) == index
    assert parse_omaha_class(omaha_class_name(index)) == index
    assert omaha_class(permute_cards(cards, one).tolist()) == index
    assert omaha_class_sizes()[index] == canonical([mask_of(cards)])[1]


def test_names_are_readable() -> None:
    assert omaha_class_name(parse_omaha_class("Kd Qc Ad Jc")) == "AsKsQhJh"
    assert omaha_class_name(16431) == "AsAhAdAc"
    assert flop_class_name(parse_flop_class("7c Ad Kd")) == "AsKs7h"


@pytest.mark.parametrize("index", range(0, 1755, 50))
def test_flop_names_parse_back(index: int) -> None:
    assert parse_flop_class(flop_class_name(index)) == index
    assert card_classes(3).of_combo[colex(card_classes(3).reps[index].tolist())] == index


def test_flop_sizes() -> None:
    sizes = card_classes(3).sizes
    assert sizes.sum() == 22100
    # One suit 4, two suits 12, three suits 24, less where ranks pair (12) or trip (4).
    assert set(sizes.tolist()) == {4, 12, 24}
    assert sizes[parse_flop_class("7s7h7d")] == 4
    assert len(combos(3)) == len(card_classes(3).of_combo)


def test_wrong_hands_are_told() -> None:
    with pytest.raises(UserError, match="write 4"):
        parse_omaha_class("AsKs")
    with pytest.raises(UserError, match="write 3"):
        parse_flop_class("AsKs")
    with pytest.raises(UserError, match="four cards"):
        omaha_class(parse_cards("AsKs"))
    with pytest.raises(UserError, match="two cards"):
        holdem_class(parse_cards("AsKsQs"))
    with pytest.raises(UserError, match="1 to 4 cards"):
        card_classes(5)
