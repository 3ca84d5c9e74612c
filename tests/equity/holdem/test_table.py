"""The tables of all hold'em matchups before the flop."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from headsup.cards.classes import holdem_class_of_combo, parse_holdem_class
from headsup.cards.combos import colex
from headsup.common.backend import JIT_DISABLED
from headsup.common.errors import UserError
from headsup.equity import combo_table, equity, holdem_table
from headsup.equity.holdem.preflop_kernels import hand_counts

if JIT_DISABLED:
    pytest.skip("two billion look-ups: too slow without compilation", allow_module_level=True)


def test_class_table_adds_up() -> None:
    table = holdem_table()
    assert table.wins.shape == (169, 169)
    assert (table.wins + table.wins.T + table.ties == table.deals).all()
    assert (table.ties == table.ties.T).all()
    assert (table.deals == table.deals.T).all()
    assert table.deals.sum() == comb(52, 2) * comb(50, 2) * comb(48, 5)
    assert np.allclose(table.equities() + table.equities().T, 1)
    assert (np.diag(table.wins) * 2 + np.diag(table.ties) == np.diag(table.deals)).all()


def test_aces_against_kings() -> None:
    """OMPEval's counts over all 36 suit pairings."""
    table = holdem_table()
    cell = parse_holdem_class("AA"), parse_holdem_class("KK")
    assert (table.wins[cell], table.losses[cell], table.ties[cell]) == (50371344, 10986372, 285228)
    assert table.equity("AA", "KK") == Fraction(2 * 50371344 + 285228, 2 * 61642944)


@pytest.mark.parametrize(("a", "b"), [("AKs", "QQ"), ("AKo", "AKs"), ("72o", "32s"), ("JTs", "22"), ("55", "55")])
def test_cells_against_the_sweep(a: str, b: str) -> None:
    table, swept = holdem_table(), equity(a, b, method="sweep")
    cell = parse_holdem_class(a), parse_holdem_class(b)
    assert (table.wins[cell], table.ties[cell], table.deals[cell]) == (swept.win, swept.tie, swept.deals)


def test_classes_are_the_sums_over_their_combos() -> None:
    combos, classes, of_combo = combo_table(), holdem_table(), holdem_class_of_combo()
    for name in ("wins", "ties", "deals"):
        sums = np.zeros((169, 169), dtype=np.int64)
        np.add.at(sums, (of_combo[:, None], of_combo[None, :]), getattr(combos, name))
        assert np.array_equal(getattr(classes, name), sums)


def test_combo_table_against_single_hands() -> None:
    table = combo_table()
    rng = np.random.default_rng(7)
    for _ in range(200):
        a, b, c, d = (int(card) for card in rng.choice(52, 4, replace=False))
        win, tie, lose = hand_counts((a, b), (c, d))
        one, two = colex((a, b)), colex((c, d))
        assert (table.wins[one, two], table.ties[one, two], table.wins[two, one]) == (win, tie, lose)


def test_shared_cards_count_nothing() -> None:
    table = combo_table()
    assert not np.diag(table.wins).any()
    assert table.wins[colex((0, 1)), colex((1, 2))] == 0


def test_combos_have_what_classes_have() -> None:
    """README's first example: AhKh against QcQd, 787,966 wins, 6,732 ties, 917,606 losses."""
    table = combo_table()
    one, two = table.index("AhKh"), table.index("Qd Qc")
    assert (table.wins[one, two], table.ties[one, two], table.losses[one, two]) == (787966, 6732, 917606)
    assert table.equity("KhAh", "QcQd") == Fraction(2 * 787966 + 6732, 2 * comb(48, 5))
    assert table.equity("AhKh", "QcQd") == equity("AhKh", "QcQd").fraction
    assert (table.labels[one], table.labels[two]) == ("AhKh", "QdQc")
    assert (table.deals > 0).sum() == comb(52, 2) * comb(50, 2)
    assert (table.losses == table.wins.T).all()
    equities = table.equities()
    assert np.isnan(equities[one, one])
    assert equities[one, two] == float(table.equity("AhKh", "QcQd"))


@pytest.mark.parametrize(
    ("a", "b", "complaint"),
    [("AhKh", "AhQh", "never meet"), ("AKs", "QQ", "not a list of cards"), ("AhKhQh", "2c2d", "not one hold'em hand")],
)
def test_combos_that_are_none(a: str, b: str, complaint: str) -> None:
    with pytest.raises(UserError, match=complaint):
        combo_table().equity(a, b)
