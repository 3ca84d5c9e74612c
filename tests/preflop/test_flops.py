"""Before the flop with play after it: jam or fold is the smallest case; charts add up, and are read back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headsup.cards.classes import holdem_class_sizes
from headsup.common.errors import DataError, UserError
from headsup.equity.holdem.flop_subsets import FlopSubset
from headsup.games.betting.stakes import Stakes
from headsup.jamfold.answer import answer
from headsup.preflop import flops
from headsup.preflop.flops import PreflopChart, Setting, solve_flops
from tests.solve import compiled

pytestmark = compiled


@pytest.fixture(scope="module")
def jams() -> PreflopChart:
    return solve_flops(Setting(10.0, "a", limp=False), target=0.01, threads=1)


@pytest.fixture(scope="module")
def chart() -> PreflopChart:
    """Five big blinds, two flops, few iterations: far from an equilibrium, but a strategy like any other."""
    few = FlopSubset(np.array([[0, 1, 2], [48, 49, 50]], dtype=np.uint8), np.array([10.0, 14.0]), 0.0, 0.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flops, "flop_subset", lambda size: few)
        return solve_flops(
            Setting(5.0, "2x, a; a", "a; a", "a; a", "a; a"), target=None, iterations=3, store="float64", threads=2
        )


def test_a_menu_of_jams_is_jam_or_fold(jams: PreflopChart) -> None:
    known = answer("holdem", Stakes.of(10))
    assert jams.value_sb == pytest.approx(known.value_sb, abs=1e-4)
    assert jams.exploitability_mbb < 0.01
    assert jams.at("").actions == ("fold", "all-in 10")
    assert jams.at("").hand("A5s")["ev"]["all-in 10"] == pytest.approx(known.ev_jam[known_class("A5s")], abs=2e-3)


def known_class(name: str) -> int:
    from headsup.cards.classes import parse_holdem_class

    return parse_holdem_class(name)


def test_values_of_the_first_decision_add_up_to_the_value_of_the_game(chart: PreflopChart) -> None:
    view = chart.at("")
    assert view.actions == ("fold", "call", "raise 2", "all-in 5")
    assert np.allclose(view.frequencies.sum(axis=0), 1.0)
    mean = (view.frequencies * view.ev).sum(axis=0) @ holdem_class_sizes() / 1326
    assert mean == pytest.approx(chart.value_sb, abs=1e-5)
    assert np.allclose(view.ev[0], -0.5)


def test_ranges_where_a_line_sees_the_flop(chart: PreflopChart) -> None:
    assert all(text for text in chart.ranges("call, check"))
    with pytest.raises(UserError, match="no flop comes"):
        chart.ranges("fold")
    with pytest.raises(UserError, match="no flop comes"):
        chart.ranges("call")
    with pytest.raises(UserError, match="the hand is over"):
        chart.at("call, check")


def test_charts_are_saved_and_read(chart: PreflopChart, tmp_path: Path) -> None:
    path = tmp_path / "chart.headsup"
    chart.save(path)
    again = PreflopChart.load(path)
    assert repr(again) == repr(chart)
    assert again.summary() == chart.summary()
    other = PreflopChart({**chart.about, "menu": "a"}, chart.probabilities, chart.ev)
    other.save(path)
    with pytest.raises(DataError, match="is not a preflop chart"):
        PreflopChart.load(path)


def test_a_subset_that_does_not_ship_is_refused() -> None:
    with pytest.raises(UserError, match="no subset of 24 flops"):
        solve_flops(Setting(5.0), flops=24)
