"""Endgames solved: against the linear program of the whole tree cut off, and what must hold whatever the rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.common.errors import DataError
from headsup.endgame.make import _kept, unquartered
from headsup.endgame.measure import Floor, confirm, floor
from headsup.endgame.rules import BlindLevel, Endgame, endgame
from headsup.endgame.shipped import read, record, shipped, shortened, write
from headsup.endgame.solve import solve_endgame
from headsup.endgame.solve_free import simple_free, solve_free
from headsup.games.holdem.classes import holdem_classes
from headsup.solve import solve
from tests.naive_endgame import CutEndgame, few_classes

TINY = Endgame("holdem", 6, (BlindLevel(1, 2),))


def tree_value(table: object, rules: Endgame, chips: int, hands: int, after: object) -> float:
    """The value of the cut tree to the first button, as a chance."""
    return solve(CutEndgame(table, rules, chips, hands, after), "lp").value + 0.5


@pytest.mark.parametrize(
    ("rules", "outcomes"),
    [
        (TINY, 3),
        (Endgame("omaha8", 6, (BlindLevel(1, 2),)), 5),
        (Endgame("holdem", 7, (BlindLevel(1, 2, 1),)), 3),
        (Endgame("holdem", 8, (BlindLevel(1, 2, 0, 0, 1), BlindLevel(1, 3))), 3),
    ],
    ids=["hold'em", "five outcomes", "ante", "rising"],
)
def test_the_tree_cut_at_a_depth(rules: Endgame, outcomes: int) -> None:
    table = few_classes(2, outcomes)
    found = solve_endgame(table, rules)
    assert found.bounds.gap < 1e-9
    worth = found.bounds.value
    for chips in (2, rules.chips // 2):
        cuts = {}
        for hands in (1, 2):
            low, high = (
                tree_value(
                    table, rules, chips, hands, lambda _, cut=cut, hands=hands: cut if hands % 2 == 0 else 1 - cut
                )
                for cut in (0.0, 1.0)
            )
            assert low - 1e-7 <= worth[0][chips] <= high + 1e-7
            cuts[hands] = high - low
        assert cuts[2] < cuts[1]
        # what is cut off is worth what we say it is
        for hands in (1, 2):
            rest = worth[min(hands, rules.rising)]
            exact = tree_value(table, rules, chips, hands, lambda left, rest=rest: float(rest[left]))
            assert exact == pytest.approx(worth[0][chips], abs=1e-7)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(4, 16),
    st.integers(1, 3),
    st.integers(0, 3),
    st.integers(0, 2),
    st.sampled_from([(2, 3), (4, 3), (3, 5)]),
)
def test_what_holds_in_every_endgame(chips: int, small: int, more: int, ante: int, kind: tuple[int, int]) -> None:
    classes, outcomes = kind
    table = few_classes(classes, outcomes)
    rules = Endgame("omaha8" if outcomes == 5 else "holdem", chips, (BlindLevel(small, small + more, ante),))
    found = solve_endgame(table, rules)
    value, low, high = (row[0] for row in found.bounds)
    assert found.bounds.gap < 1e-8
    assert (low <= value + 1e-12).all()
    assert (value <= high + 1e-12).all()
    assert confirm(table, found.plan, Floor(low[None], 1 - high[None, ::-1])) < 1e-12
    if chips % 2 == 0:
        assert record(table, found, full=False).worth(chips // 2)[0] == 0.5
    # nothing to decide and no odd chips: more chips are better, in either seat
    if outcomes == 3 and 2 * (small + ante) >= chips:
        assert (np.diff(value) >= -1e-12).all()
    # a player for chips is sure of no more than the value
    assert (found.chip_floor.button[0] <= high + 1e-12).all()


def test_monotone_in_chips_in_real_hold_em() -> None:
    value = solve_endgame(holdem_classes(), endgame("holdem", "8")).bounds.value[0]
    assert (np.diff(value) > 0).all()


def test_a_finer_unit_changes_nothing_in_hold_em() -> None:
    table = few_classes(4)
    coarse, fine = (solve_endgame(table, endgame("holdem", "8", unit=unit)) for unit in ("0.5", "0.25"))
    np.testing.assert_allclose(fine.bounds.value[0][::2], coarse.bounds.value[0], atol=1e-9)


def test_rising_blinds_that_do_not_rise_are_fixed_ones() -> None:
    table = few_classes(4)
    fixed = solve_endgame(table, Endgame("holdem", 12, (BlindLevel(1, 2),)))
    rising = solve_endgame(table, Endgame("holdem", 12, (BlindLevel(1, 2, hands=3), BlindLevel(1, 2))))
    for row in rising.bounds.value:
        np.testing.assert_allclose(row, fixed.bounds.value[0], atol=1e-9)
    assert confirm(table, rising.plan, floor(table, rising.plan)) < 1e-12


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    table, rules = holdem_classes(), endgame("holdem", "5")
    solved = solve_endgame(table, rules)
    kept = record(table, solved)
    write(tmp_path / "one.npz", [kept])
    (back,) = read(tmp_path / "one.npz")
    assert back.rules == rules
    for name, row in kept.rows.items():
        np.testing.assert_array_equal(back.rows[name], row)
    for chips in range(1, rules.chips):
        assert back.worth(chips) == kept.worth(chips)
        assert back.worth(chips)[0] == pytest.approx((back.worth(chips, True)[0] + back.worth(chips, False)[0]) / 2)
        assert back.loss(chips) >= back.loss(chips, against="match") - 1e-9
        assert back.loss(chips) >= -1e-9
    # chip charts and differences together are the plan
    for at, seat in enumerate(("sb", "bb")):
        played = solved.chip_plan.charts[0][at].copy()
        for state in range(1, rules.chips):
            for one in back.differences(state if seat == "sb" else rules.chips - state, seat):
                played[state - 1, one.hand] = one.endgame
                assert abs(one.endgame - one.chip) > 1e-6
        np.testing.assert_allclose(played, solved.plan.charts[0][at], atol=1e-6)
    (tmp_path / "one.npz").write_bytes(b"nothing")
    with pytest.raises(DataError, match="make it again"):
        read(tmp_path / "one.npz")


def test_without_quartering_a_hand_wins_as_much() -> None:
    table = few_classes(3, 5)
    table.outcomes = np.rint(table.outcomes).astype(np.uint32)
    other = unquartered(table)
    every = np.arange(3)
    whole, halves = table.way_block(every, every), other.way_block(every, every)
    np.testing.assert_allclose(whole @ [1, 0.75, 0.5, 0.25, 0], halves @ [1, 0.5, 0], rtol=1e-12)
    rules = Endgame("omaha8", 8, (BlindLevel(1, 2),))
    assert solve_endgame(other, replace(rules, game="omaha")).bounds.gap < 1e-9


def test_plans_against_a_free_opponent() -> None:
    table, rules = few_classes(6), Endgame("holdem", 24, (BlindLevel(1, 2),))
    solved = solve_endgame(table, rules)
    charts, sure = solved.plan.charts[0], floor(table, solved.plan)
    simple = simple_free(table, rules, charts, solved.bounds.value[0])
    learned = solve_free(table, rules, charts, solved.bounds.value[0], iterations=200)
    for found in (simple, learned):
        low, high = found.interval()
        assert (low <= solved.bounds.value[0] + 1e-9).all()
        assert (solved.bounds.value[0] <= high + 1e-9).all()
        assert (found.floor.big <= sure.big + 1e-9).all()
    assert learned.floor.mean.mean() > simple.floor.mean.mean()


def test_a_file_of_another_endgame_is_solved_again(tmp_path: Path) -> None:
    table = few_classes(2, 5)
    small, large = (Endgame("omaha8", chips, (BlindLevel(1, 2),)) for chips in (6, 8))
    right = _kept(table, small, tmp_path, None)
    _kept(table, large, tmp_path, None)
    first, second = sorted(tmp_path.iterdir())
    for foreign in (second.read_bytes(), first.read_bytes()[:-9]):
        first.write_bytes(foreign)
        found = _kept(table, small, tmp_path, None)
        assert found.rules == small
        assert np.array_equal(found.rows["value"], right.rows["value"])


def test_a_shortened_list_keeps_the_hands_that_matter_and_the_numbers(tmp_path: Path) -> None:
    whole = next(known for known in shipped("omaha8") if known.rules.big_blinds == 20)
    write(tmp_path / "short.npz", [shortened(whole, 3)])
    (short,) = read(tmp_path / "short.npz")
    for chips in range(1, whole.rules.chips):
        every, few = (known.as_dict(chips)["differences"] for known in (whole, short))
        for seat in ("sb", "bb"):
            own = [hand for hand in every if hand["seat"] == seat]
            assert [hand for hand in few if hand["seat"] == seat] == own[:3]
            assert short.counts(chips, seat) == whole.counts(chips, seat)
            assert sum(short.counts(chips, seat)) == len(own)
