"""Charts that ship: reach and hands met by NumPy alone agree with the compiled walk, and figures add up."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.cards.classes import holdem_class_sizes
from headsup.cards.combos import colex
from headsup.cards.ranges.parser import parse_range
from headsup.common.errors import UserError
from headsup.games.holdem.vector import ArrayStrategy
from headsup.games.walk.walk import look_inside
from headsup.preflop.chart import PreflopChart
from headsup.preflop.shipped import shipped_preflop, shipped_stacks
from headsup.preflop.view import hands_met, reach_of, row_counts, rows_at
from tests.solve import compiled

EVERY = shipped_stacks()


def decisions(chart: PreflopChart) -> list[str]:
    """The lines to every decision of a chart, in big blinds."""
    lines, waiting = [], [""]
    while waiting:
        line = waiting.pop()
        lines.append(line)
        betting = chart.setting.betting
        for action in chart.at(line).actions:
            longer = f"{line}, {action}" if line else action
            try:
                chart.at(longer)
            except UserError:
                continue
            waiting.append(longer)
        assert len(lines) <= betting.n_nodes
    return lines


@compiled
@pytest.mark.parametrize("stack", EVERY[:1])
def test_reach_and_hands_met_agree_with_the_compiled_walk(stack: int) -> None:
    chart = shipped_preflop(stack)
    game, betting = chart.setting.chart, chart.setting.betting
    policy = chart.probabilities[0].ravel(), chart.probabilities[1].ravel()
    for seat in (0, 1):
        seen = look_inside(game, ArrayStrategy(game, policy), seat, [0])
        for node in range(betting.n_nodes):
            for p in (0, 1):
                assert reach_of(betting, chart.probabilities, node, p) == pytest.approx(seen.reach[p][node])
            met = game.showdown.lines(seat, 0, 0, seen.reach[1 - seat][node][None], 0)[1][0]
            assert hands_met(seen.reach[1 - seat][node]) == pytest.approx(met, abs=1e-9)
            if betting.player[node] == seat:
                assert rows_at(betting, node).start == game.rounds.row[node]
    assert row_counts(betting) == (game.rounds.rows[0, 0], game.rounds.rows[1, 0])


@pytest.mark.parametrize("stack", EVERY)
def test_values_of_shipped_charts_add_up(stack: int) -> None:
    chart = shipped_preflop(stack)
    assert chart.stack == stack
    first = chart.at("")
    mean = (first.frequencies * first.ev).sum(axis=0) @ holdem_class_sizes() / 1326
    assert mean == pytest.approx(chart.value_sb, abs=0.02 + 2 * chart.exploitability_mbb / 1000)
    for line in decisions(chart):
        view = chart.at(line)
        assert np.allclose(view.frequencies.sum(axis=0), 1.0, atol=1e-6), line
        for action in view.table():
            assert 0.0 <= action["frequency"] <= 1.0
            assert abs(action["ev_bb"] or 0.0) <= stack


@pytest.mark.parametrize("stack", EVERY)
def test_ranges_after_a_limp_are_the_frequencies_of_the_chart(stack: int) -> None:
    chart = shipped_preflop(stack)
    assert chart.sees_flop("call, check")
    assert not chart.sees_flop("call")
    sb, bb = (parse_range(text).weights for text in chart.ranges("call, check"))
    each = {"sb": chart.at("").hand("JTs"), "bb": chart.at("call").hand("JTs")}
    number = colex(parse_cards("JsTs"))
    assert sb[number] == pytest.approx(each["sb"]["frequencies"]["call"], abs=0.0051)
    assert bb[number] == pytest.approx(each["bb"]["frequencies"]["check"], abs=0.0051)


def test_another_stack_is_answered_from_the_nearest() -> None:
    low, high = EVERY[0], EVERY[-1]
    assert shipped_preflop(4).stack == low
    assert shipped_preflop(high + 0.3).stack == high
    for stack in (3.9, 30.5, 0):
        with pytest.raises(UserError, match="give a stack from 4 to 30"):
            shipped_preflop(stack)
