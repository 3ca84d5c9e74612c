"""Realisation plans and behaviour strategies, both ways; strategies as text; what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.common.errors import UserError
from headsup.games import Seat, flatten, game, sequence_form
from headsup.games.trees.sequence import ListLabels, distinct_names

FORM = sequence_form(game("leduc:merged=true"))
SEATS = st.sampled_from(
    [*FORM.seats, *sequence_form(game("kuhn")).seats, *sequence_form(game("numbers:n=3,stack=4")).seats]
)


def some_behaviour(seat: Seat, seed: int, pure: float) -> np.ndarray:
    """A random behaviour strategy in which some actions have probability exactly 0."""
    random = np.random.default_rng(seed)
    out = np.ones(seat.n_sequences)
    for i in range(seat.n_infosets):
        weights = random.random(seat.first[i + 1] - seat.first[i])
        weights[random.random(len(weights)) < pure] = 0.0
        weights[random.integers(len(weights))] += 0.1
        out[seat.first[i] : seat.first[i + 1]] = weights / weights.sum()
    return out


@settings(max_examples=60, deadline=None)
@given(SEATS, st.integers(0, 2**32), st.sampled_from([0.0, 0.5]))
def test_plans_and_behaviours_are_one_thing(seat: Seat, seed: int, pure: float) -> None:
    sigma = some_behaviour(seat, seed, pure)
    plan = seat.plan(sigma)
    assert plan[0] == 1.0
    for i in range(seat.n_infosets):  # C x = c of andersson-2006
        assert plan[seat.first[i] : seat.first[i + 1]].sum() == pytest.approx(plan[seat.parent[i]], abs=1e-12)
    back = seat.behaviour(plan)
    assert np.allclose(seat.plan(back), plan, atol=1e-12)
    reached = np.repeat(plan[seat.parent] > 0, np.diff(seat.first))
    assert np.allclose(back[1:][reached], sigma[1:][reached], atol=1e-9)
    assert seat.check(back) is not None


@settings(max_examples=20, deadline=None)
@given(SEATS, st.integers(0, 2**32))
def test_tables_lead_back(seat: Seat, seed: int) -> None:
    sigma = some_behaviour(seat, seed, 0.3)
    assert np.array_equal(seat.from_table(seat.table(sigma)), sigma)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_value_is_bilinear_and_zero_sum(seed: int) -> None:
    """Both seats see the same value, and an average of plans is worth the average of their values."""
    plans = [FORM.seats[0].plan(some_behaviour(FORM.seats[0], seed + k, 0.3)) for k in (0, 1)]
    other = FORM.seats[1].plan(some_behaviour(FORM.seats[1], seed, 0.3))
    values = [FORM.value((plan, other)) for plan in plans]
    assert FORM.value((0.25 * plans[0] + 0.75 * plans[1], other)) == pytest.approx(0.25 * values[0] + 0.75 * values[1])
    assert other @ FORM.seats[1].utility(plans[0]) == pytest.approx(-values[0], abs=1e-12)
    best = FORM.best_values((plans[0], other))
    assert best[0] >= values[0] - 1e-12
    assert best[1] >= -values[0] - 1e-12


def test_parallel_rows_are_the_serial_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = FORM.seats[1].plan(FORM.seats[1].uniform())
    serial = FORM.seats[0].utility(plan)
    monkeypatch.setattr("headsup.games.trees.sequence.PARALLEL_ENTRIES", 0)
    assert np.array_equal(FORM.seats[0].utility(plan), serial)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"K|": {"jump": 1.0}}, "no action 'jump'"),
        ({"X|": {"c": 1.0}}, "no information set 'X"),
        ({"K|": {"c": 0.5}}, "add up to 1"),
        ({"K|": {"c": 0.333, "r": 0.666}}, "add up to 0.999, and must add up to 1 within 1e-09: give them more"),
        ({"K|": {"c": float("nan")}}, "must be a finite number, not nan"),
        ({"K|": {"c": 1.5, "r": -0.5}}, "at least 0"),
    ],
)
def test_wrong_strategies_get_one_sentence(table: dict[str, dict[str, float]], words: str) -> None:
    with pytest.raises(UserError, match=words):
        FORM.seats[0].from_table(table)


def test_names_are_games() -> None:
    assert sequence_form("kuhn:ranks=4").name == sequence_form(game("kuhn", ranks=4)).name == "kuhn:ranks=4"
    assert flatten("leduc").n_nodes == flatten(game("leduc")).n_nodes
    for nonsense in (5, None, ["kuhn"]):
        with pytest.raises(UserError, match="a game is its name, such as 'leduc:ranks=4', or a Game, not "):
            sequence_form(nonsense)  # type: ignore[arg-type]


def test_wrong_length_gets_one_sentence() -> None:
    with pytest.raises(UserError, match="one a sequence"):
        FORM.seats[0].check(np.ones(3))


def test_labels() -> None:
    labels = ListLabels(["one"], [["a", "b"]])
    assert (labels.infoset(0), list(labels.actions(0))) == ("one", ["a", "b"])
    tree = flatten(game("kuhn"))
    assert tree.labels[0].infoset(0) == "J|"


@pytest.mark.parametrize("share", ["x", "0.5", int("9" * 400), True, None, float("nan"), float("inf"), [1], {}])
def test_a_share_that_is_no_number_gets_one_sentence(share: object) -> None:
    with pytest.raises(UserError, match=r"the share of c at 'K\|' must be a finite number, not "):
        sequence_form(game("kuhn")).seats[0].from_table({"K|": {"c": share}})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("names", "told_apart"),
    [
        (["a", "b"], ("a", "b")),
        (["a", "a", "a"], ("a", "a (2)", "a (3)")),
        (["a", "a", "a (2)"], ("a", "a (3)", "a (2)")),
        (["a (2)", "a", "a"], ("a (2)", "a", "a (3)")),
        (["", ""], ("", " (2)")),
    ],
)
def test_names_are_told_apart(names: list[str], told_apart: tuple[str, ...]) -> None:
    assert distinct_names(names) == told_apart


def test_marks_say_where_a_strategy_says_little() -> None:
    form = sequence_form(game("kuhn"))
    bets_kings = form.seats[0].from_table({"K|": {"r": 1}, "Q|": {"c": 1}, "J|": {"c": 1}})
    never_bets = form.seats[1].from_table({name: {"c": 1} for name in ("J|c", "Q|c", "K|c")})
    marks = form.marks((bets_kings, never_bets))
    # With a king nobody checks, so nobody meets a bet after a check; with the others nobody bets after a check. Only
    # player 0's kings bet, which player 1 meets with a jack or a queen.
    assert marks == ({"J|cr": "untested", "Q|cr": "untested", "K|cr": "never reached"}, {"K|r": "untested"})
    assert form.marks(form.uniform()) == ({}, {})


@pytest.mark.parametrize("strategy", [["a"] * 13, None, [[1], [1, 2]]])
def test_a_strategy_that_is_no_numbers_gets_one_sentence(strategy: object) -> None:
    with pytest.raises(UserError, match="a strategy for this seat"):
        sequence_form(game("kuhn")).seats[0].check(strategy)  # type: ignore[arg-type]
