"""The rules of endgames: chips, odd chips, levels."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.common.errors import UserError
from headsup.endgame.rules import BlindLevel, Endgame, endgame, parse_levels, pot_splits
from headsup.games.betting.stakes import Stakes


def test_odd_chips_go_to_the_big_blind() -> None:
    assert pot_splits("holdem", 10) == (10, 5, 0)
    assert pot_splits("holdem", 11) == (11, 5, 0)
    # half of 10 is 5, which splits 3 and 2: the button is the one with 2
    assert pot_splits("omaha8", 10) == (10, 7, 5, 2, 0)
    assert pot_splits("omaha8", 8) == (8, 6, 4, 2, 0)


def test_one_hand_of_a_known_state() -> None:
    rules = endgame("holdem", "8000", blinds="300/600", unit="50")
    assert (rules.chips, rules.levels) == (160, (BlindLevel(6, 12),))
    hand = rules.hand(rules.levels[0], 60)
    assert hand.ends == (54, 72, 120, 60, 0)
    assert not hand.all_in
    assert not hand.called
    short = rules.hand(rules.levels[0], 5)  # 250 chips: all in by posting the small blind
    assert short.all_in
    assert short.ends[2:] == (10, 5, 0)
    other = rules.hand(rules.levels[0], 152)  # 400 chips in the big blind
    assert other.called
    assert not other.all_in
    assert other.ends == (146, 160, 160, 152, 144)


levels = st.builds(
    lambda small, more, ante, bb_ante: BlindLevel(small, small + more, ante, bb_ante),
    st.integers(1, 6),
    st.integers(0, 6),
    st.integers(0, 3),
    st.integers(0, 4).map(lambda half: 2 * half),
)


@given(st.sampled_from(["holdem", "omaha", "omaha8"]), st.integers(2, 40), levels)
def test_ends_are_chips_that_are_there_and_a_better_outcome_has_more(game: str, chips: int, level: BlindLevel) -> None:
    rules = Endgame(game, chips, (level,))
    for hand in rules.hands(level):
        assert all(0 <= end <= chips for end in hand.ends)
        assert list(hand.ends[2:]) == sorted(hand.ends[2:], reverse=True)
        assert hand.ends[0] <= hand.chips
        # the same stakes as one hand for chips: the gift of a big-blind ante apart
        stakes = Stakes(hand.chips, chips - hand.chips, level.small, level.big, level.ante, level.bb_ante).payoffs
        assert hand.ends[0] - hand.chips == pytest.approx(stakes.fold_sb * level.big)
        assert hand.chips - hand.ends[1] == pytest.approx(stakes.fold_bb * level.big)
        assert hand.ends[2] - hand.ends[-1] == pytest.approx(2 * stakes.stack * level.big)


@given(st.integers(1, 39), st.integers(1, 8))
def test_the_odd_chip_is_one_chip(chips: int, small: int) -> None:
    rules = Endgame("omaha8", 40, (BlindLevel(small, 2 * small),))
    best, most, half, few, none = rules.hand(rules.levels[0], chips).ends[2:]
    assert best - none == 2 * (half - none)
    assert most - half == few - none
    assert half - few in (most - half, most - half + 1)


def test_levels_are_read() -> None:
    assert parse_levels("100/200x10, 200/400/50") == [(100, 200, 0, 10), (200, 400, 50, None)]
    rules = endgame("holdem", "40", blinds="0.5/1x2,1/2x1,2/4", unit="0.5")
    assert rules.rising == 3
    assert [level.big for level in rules.schedule] == [2, 2, 4, 8]
    assert rules.big_blinds == 40
    assert endgame("holdem", "20").unit == Fraction(1, 4)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("holdem", "20", "1-2"), "no level"),
        (("holdem", "20", "1/2,2/4"), "needs its number of hands"),
        (("holdem", "20", "1/2x5"), "until the end"),
        (("holdem", "20", "1/2x0,2/4"), "needs its number of hands"),
        (("holdem", "20", "2/1"), "between 0 and its big blind"),
        (("holdem", "20", "0/1"), "loses nothing"),
        (("holdem", "20.1", "0.5/1"), "whole number of units"),
        (("holdem", "many", "0.5/1"), "not a number"),
        (("holdem", "1e400000000", "0.5/1"), "fewer digits"),
        (("holdem", "9" * 400, "0.5/1"), "fewer digits"),
        (("holdem", "20", f"1/{'9' * 400}"), "fewer digits"),
        (("holdem", "5000", "0.5/1"), "units"),
        (("holdem", "20", "1/2x900,2/4"), "900 hands"),
        (("chess", "20", "1/2"), "chess"),
    ],
)
def test_user_errors_name_the_mistake(given: tuple[str, str, str], message: str) -> None:
    game, chips, blinds = given
    with pytest.raises(UserError, match=message):
        endgame(game, chips, blinds=blinds)


def test_antes_and_units_that_cannot_be() -> None:
    for word in ("unit", "ante", "bb_ante"):
        with pytest.raises(UserError, match=f"--{word.replace('_', '-')} is .*: write it with fewer digits"):
            endgame("holdem", "20", **{word: "1e400"})
    with pytest.raises(UserError, match="odd number of units"):
        endgame("omaha8", "20", bb_ante="0.25")
    with pytest.raises(UserError, match="above zero"):
        endgame("holdem", "20", unit="0")
    with pytest.raises(UserError, match="zero or more"):
        endgame("holdem", "20", ante="-1")
