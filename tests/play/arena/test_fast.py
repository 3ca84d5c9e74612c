"""Whole sessions at once are the referee's, hand by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.play.agents.chart import jams_only
from headsup.play.arena.fast import awards, session_chips
from headsup.play.table.agent import make_agent
from headsup.play.table.dice import FIRST, Dice, first_numbers
from headsup.play.table.referee import Referee
from headsup.play.table.rules import award, table
from headsup.play.table.showdown import showdown


@pytest.mark.parametrize(
    ("game", "stack", "first", "second"),
    [
        ("holdem-jamfold", 10, "jamfold", "rule:sage"),
        ("holdem-jamfold", 7.125, "sklansky", "jamfold"),
        ("holdem-jamfold", 200, "sklansky", "allin"),
        ("holdem-nolimit", 20, "sklansky", "jamfold"),
        ("omaha-jamfold", 5, "caller", "jamfold"),
        ("omaha8-jamfold", 12, "jamfold", "rule:oracle"),
        ("omaha8-jamfold", 3, "folder", "raiser"),
    ],
)
@pytest.mark.parametrize("duplicate", [False, True])
def test_a_session_is_that_of_the_referee(game: str, stack: float, first: str, second: str, duplicate: bool) -> None:
    there = table(game, stack)
    agents = make_agent(first, there), make_agent(second, there)
    assert jams_only(there, agents)
    referee, found = Referee(agents, seed=9), []
    for number in range(20, 60):
        deal = there.deal_number(9, number // 2 if duplicate else number)
        found.append(referee.play(there, deal, number, number % 2).chips[number % 2])
    assert session_chips(there, agents, 9, range(20, 60), duplicate).tolist() == found


def test_others_are_left_to_the_referee() -> None:
    there = table("holdem-jamfold", 10)
    assert not jams_only(there, (make_agent("random", there), make_agent("jamfold", there)))
    deep = table("holdem-nolimit", 10)
    assert not jams_only(deep, (make_agent("caller", deep), make_agent("jamfold", deep)))  # it limps


@given(st.integers(1, 500), st.integers(0, 2**64 - 1))
def test_awards_and_numbers_of_arrays(pot: int, seed: int) -> None:
    there = table("omaha8-jamfold", 10)
    deals = [there.deal_number(seed, number) for number in range(6)]
    many = awards(pot, there, *(np.array([d.holes[i] for d in deals], dtype=np.uint8) for i in (0, 1)),
                  np.array([d.board for d in deals], dtype=np.uint8))  # fmt: skip
    assert many.tolist() == [award(pot, showdown("omaha8", *d.holes, d.board), 1) for d in deals]
    numbers = first_numbers(seed, np.arange(5), np.array([FIRST, FIRST + 1, FIRST, FIRST + 1, FIRST]))
    assert numbers.tolist() == [Dice(seed, hand, FIRST + hand % 2).random() for hand in range(5)]
