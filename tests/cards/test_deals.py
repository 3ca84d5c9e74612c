"""Eight-card deals and their thirty suit patterns, against the golden table."""

from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.cards.cards import parse_cards
from headsup.cards.deals import (
    DEAL_CLASSES,
    DEAL_PATTERNS,
    deal_indexer,
    deal_pattern,
    deal_patterns,
    deal_patterns_of_sets,
    suit_sets,
)
from headsup.common.backend import JIT_DISABLED
from headsup.common.errors import UserError

GOLDEN = Path(__file__).parents[1] / "golden" / "eight_card_patterns.txt"
slow_without_jit = pytest.mark.skipif(JIT_DISABLED, reason="millions of deals need the compiled kernel")


def golden() -> list[tuple[str, int, int, int]]:
    lines = [line.split() for line in GOLDEN.read_text().splitlines() if line and not line.startswith("#")]
    return [(code, int(classes), int(duplicates), int(total)) for code, classes, duplicates, total in lines]


def test_the_golden_table_adds_up() -> None:
    assert len(golden()) == 30
    assert sum(classes for _, classes, _, _ in golden()) == DEAL_CLASSES == 32_819_436
    assert sum(total for *_, total in golden()) == comb(52, 8) == 752_538_150


def test_every_pattern_has_its_golden_counts() -> None:
    assert [(one.code, one.classes, one.duplicates, one.total) for one in DEAL_PATTERNS] == golden()


def test_the_indexer_has_as_many_classes_as_the_patterns() -> None:
    assert deal_indexer().size == sum(one.classes for one in DEAL_PATTERNS)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("AsKsQsJsTs9s8s7s", "C_A8B0C0D0"),
        ("AsKsQsJsTs9sAhAd", "C_A6B1C1D0m0"),
        ("AsKsQsJsTs9sAh2d", "C_A6B1C1D0m1"),
        ("AcKcQcJcTc8h8d3s", "C_A5B1C1D1m1"),
        ("AcKcQcJcTc3h8d8s", "C_A5B1C1D1m1"),
        ("AsKsQsJsTs8h8d8c", "C_A5B1C1D1m2"),
        ("AsKsQsJsAdKdQdJd", "C_A4B4C0D0m1"),
        ("AsKsQsAhKhQhJdJc", "C_A3B3C1D1mb"),
        ("AsKsQsAhKhQhJdTc", "C_A3B3C1D1m3"),
        ("AsKsQsAhKhThJdJc", "C_A3B3C1D1m1"),
        ("AsKsQsAhKhThJdTc", "C_A3B3C1D1m0"),
        ("AsKsAhKhAdKdAcKc", "C_A2B2C2D2m4"),
        ("AsKsAhKhAdKdQcKc", "C_A2B2C2D2m3"),
        ("AsKsAdQdAhKhAcQc", "C_A2B2C2D2m2p"),
        ("AsKsAhKhAdQdQcJc", "C_A2B2C2D2m1"),
        ("AsKsKhQhAdQdQcJc", "C_A2B2C2D2m0"),
    ],
)
def test_examples_of_the_table(text: str, code: str) -> None:
    assert deal_pattern(parse_cards(text)).code == code


def naive_blocks(cards: list[int]) -> list[tuple[int, int]]:
    """(ranks, suits) of the different rank sets, straight from the definition."""
    sets = [frozenset(card // 4 for card in cards if card % 4 == suit) for suit in range(4)]
    return sorted((len(one), sets.count(one)) for one in set(sets) if one)


few_ranks = st.lists(st.integers(0, 15), min_size=8, max_size=8, unique=True)
any_cards = st.lists(st.integers(0, 51), min_size=8, max_size=8, unique=True)


@given(few_ranks | any_cards)
def test_the_pattern_is_told_by_the_equal_rank_sets(cards: list[int]) -> None:
    pattern = deal_pattern(cards)
    assert sorted(pattern.blocks) == naive_blocks(cards)
    assert deal_indexer().class_size(deal_indexer().index(cards)) == pattern.duplicates


def test_patterns_differ() -> None:
    assert len({tuple(sorted(one.blocks)) for one in DEAL_PATTERNS}) == 30


@slow_without_jit
@pytest.mark.parametrize("shapes", [(8, 0, 0, 0), (7, 1, 0, 0), (6, 1, 1, 0), (5, 1, 1, 1), (4, 4, 0, 0), (2, 2, 2, 2)])
def test_patterns_of_all_classes_of_a_suit_distribution(shapes: tuple[int, ...]) -> None:
    count_and_compare([shapes])


@pytest.mark.long
def test_patterns_of_all_classes() -> None:
    count_and_compare([tuple(n for (n,) in one.shapes) for one in deal_indexer().configurations])


def count_and_compare(distributions: list[tuple[int, ...]]) -> None:
    """Un-index every class of the distributions and count patterns: a second way to the golden numbers."""
    indexer = deal_indexer()
    found = np.zeros(30, dtype=np.int64)
    for one in indexer.configurations:
        if tuple(n for (n,) in one.shapes) in distributions:
            for start in range(one.offset, one.offset + one.size, 1 << 20):
                numbers = np.arange(start, min(one.offset + one.size, start + (1 << 20)))
                patterns = deal_patterns(indexer.unindex_array(numbers))
                duplicates = np.array([pattern.duplicates for pattern in DEAL_PATTERNS])[patterns]
                assert np.array_equal(duplicates, indexer.class_size_array(numbers))
                found += np.bincount(patterns, minlength=30)
    expected = [
        classes if tuple(int(code[i]) for i in (3, 5, 7, 9)) in distributions else 0 for code, classes, _, _ in golden()
    ]
    assert found.tolist() == expected


def test_suit_sets() -> None:
    sets = suit_sets(np.array([parse_cards("AsKs2h3h4h5h2c3c")]))
    assert sets.tolist() == [[0b11, 0, 0b1111, 0b11 << 11]]
    assert deal_patterns_of_sets(sets).tolist() == [[one.code for one in DEAL_PATTERNS].index("C_A4B2C2D0m0")]


@pytest.mark.parametrize("cards", [list(range(7)), [0, 0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6, 52], [0.5] * 8])
def test_mistakes_are_told(cards: list[int]) -> None:
    with pytest.raises(UserError):
        deal_patterns(np.array([cards]))
