"""Two solutions side by side."""

from __future__ import annotations

import json

import numpy as np
import pytest

from headsup.spots.compare import hands_apart
from headsup.spots.solve import SpotSolution, solve_spot
from tests.solve import compiled
from tests.spots.test_solve import RIVER, SMALL, TINY

pytestmark = compiled


@pytest.fixture(scope="module")
def rough() -> SpotSolution:
    return solve_spot(TINY, 0.02)


@pytest.fixture(scope="module")
def fine() -> SpotSolution:
    return solve_spot(TINY, 0.001, method="cfr+", store="float64")


def test_a_solution_is_like_itself(rough: SpotSolution) -> None:
    same = rough.compare(rough)
    assert (same.reasons, same.lines, same.difference, same.agrees) == ((), (), 0.0, True)
    assert all(one["moved"] == 0.0 for one in hands_apart(rough, rough, "check"))


def test_values_are_as_near_as_both_allow(rough: SpotSolution, fine: SpotSolution) -> None:
    found = rough.compare(fine)
    assert found.agrees
    assert 0.0 < abs(found.difference) <= found.allowed
    assert found.allowed == pytest.approx(rough.solution.epsilon + fine.solution.epsilon)
    assert found.allowed <= 2 * (rough.exploitability_pot + fine.exploitability_pot) * TINY.pot + 1e-9
    assert [reason.split(":")[0] for reason in found.reasons] == ["how far they were solved", "method", "store"]
    assert rough.compare(solve_spot(TINY.with_(rake="5%/1"), 0.02)).agrees is None
    json.dumps(found.summary())


def test_lines_are_counted_as_the_views_have_them(rough: SpotSolution, fine: SpotSolution) -> None:
    found = {one.line: one for one in rough.compare(fine).lines}
    assert list(found[""].first) == pytest.approx(rough.frequencies)
    assert list(found[""].second) == pytest.approx(fine.frequencies)
    assert found[""].reach == pytest.approx((1.0, 1.0))
    check = found["check"]
    assert check.reach == pytest.approx((rough.frequencies[0], fine.frequencies[0]))
    for view, row in ((rough.at("check"), check.first), (fine.at("check"), check.second)):
        assert list(row) == pytest.approx(view.totals["frequencies"])
    apart = sum(abs(a - b) for a, b in zip(check.first, check.second, strict=True)) / 2
    assert check.moved == pytest.approx(apart * sum(check.reach) / 2)
    moved = [one.moved for one in rough.compare(fine).lines]
    assert moved == sorted(moved, reverse=True)


def test_a_river_over_all_boards(rough: SpotSolution, fine: SpotSolution) -> None:
    """How often a river is bet: the views of all twelve cards, each weighed by how often it comes with those hands."""
    line = {one.line: one for one in rough.compare(fine).lines}["check, check"]
    total = np.zeros(3)
    for card in (rank + suit for rank in "AKQ3" for suit in "cdh"):
        view = rough.at(f"check, check, {card}")
        mass = _weight_of(rough, card)
        total += mass * np.array(view.totals["frequencies"])
    assert list(line.first) == pytest.approx(total / total.sum())


def _weight_of(found: SpotSolution, card: str) -> float:
    """The weight of all pairs of hands that check twice and leave a card."""
    mine, theirs = found.at(f"check, check, {card}"), found.at(f"check, check, {card}, check")
    cards = [{name[:2], name[2:]} for name in mine.hands]
    others = [{name[:2], name[2:]} for name in theirs.hands]
    return sum(mine.reach[i] * theirs.reach[j] for i, a in enumerate(cards) for j, b in enumerate(others) if not a & b)


def test_other_questions_are_told_in_words() -> None:
    found = solve_spot(SMALL, 0.02)
    other = found.resume(0.02, bets="50%", oop="AA,KK,T9s,KJs", pot=22, locks=["check | all: check"])
    told = found.compare(other)
    assert told.agrees is None
    assert told.allowed is None
    assert "pot: 20 against 22" in told.reasons
    assert "oop: 4 combos in the first alone, 6 in the second alone" in told.reasons
    assert "locks: none against check | all: check" in told.reasons
    assert any(reason.startswith("menu: 50%, a; 3x against 50%; 3x (") for reason in told.reasons)
    assert "no bound" in repr(told)
    weights = found.compare(solve_spot(SMALL.with_(oop="AA:0.5,T9s,KJs,87s"), 0.02))
    assert "oop: other weights of the same hands" in weights.reasons


def test_hands_that_play_differently() -> None:
    found = solve_spot(RIVER, 0.01)
    locked = found.lock("check | QQ: all-in")
    hands = hands_apart(found, locked, "check")
    assert {one["hand"] for one in hands if one["moved"] > 1e-9} == {"QhQd", "QsQd", "QsQh"}
    assert hands[0]["frequencies"][1]["all-in 900"] == 1.0
    assert hands[0]["moved"] == pytest.approx(1.0 - hands[0]["frequencies"][0]["all-in 900"])
    json.dumps(hands)
