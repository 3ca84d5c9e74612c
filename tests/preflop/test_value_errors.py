"""Errors of a chart's values: none where they are those of all flops, and what was added where something was."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.cards.classes import HOLDEM_CLASSES
from headsup.common.errors import UserError
from headsup.games.walk.trunk import open_lines
from headsup.preflop import value_errors
from headsup.preflop.all_flops import FlopResult, dealt_values, trunk_of
from headsup.preflop.chart import PreflopChart
from headsup.preflop.estimate import Outcomes
from headsup.preflop.flops import best_values
from headsup.preflop.shipped import shipped_preflop
from headsup.preflop.view import node_after, rows_at
from tests.solve import compiled

NONE = np.zeros(0)


@compiled
def test_what_is_added_to_a_value_is_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values that follow from equities are known from a few flops, so the estimate has no error of its own."""
    chart, rng = shipped_preflop(5), np.random.default_rng(4)
    trunk = trunk_of(chart)
    copies, lines = trunk.copies, [line for line, _ in open_lines(trunk.game)]
    shape = len(copies), HOLDEM_CLASSES
    known = {
        line: Outcomes(rng.random(shape) + 0.5, rng.random(shape) / 2.0, rng.random(HOLDEM_CLASSES)) for line in lines
    }
    monkeypatch.setattr(value_errors, "checked_down", lambda *_: known)
    paid = np.zeros((len(copies), len(lines) + len(trunk.lines), HOLDEM_CLASSES))
    for line, outcomes in known.items():
        paid[:, line] = 0.001 * copies[:, None] * (outcomes.beaten - 0.4 * outcomes.met)
    flops = rng.permutation(len(copies))[:12].tolist()
    results = {flop: FlopResult(np.stack([paid[flop]] * 2), np.stack([paid[flop]] * 2)) for flop in flops}
    every = FlopResult(np.stack([paid.sum(axis=0)] * 2), np.stack([paid.sum(axis=0)] * 2))
    first, second = (dealt_values(trunk, seat, range(len(copies)), [every], None)[0] for seat in (0, 1))
    ev = best_values(chart.setting, trunk.game, trunk.policy, (first, second))
    rows = rows_at(chart.setting.betting, node_after(chart.setting.betting, "call"))
    ev[1][rows.start] += 0.1
    found = list(value_errors.value_errors(PreflopChart(chart.about, chart.probabilities, ev), results, NONE))
    for one in found:
        wrong = 0.1 if (one["line"], one["action"]) == ("call", "check") else 0.0
        assert (one["off_bb"], one["error_bb"]) == pytest.approx((wrong, 0.0), abs=1e-6), one
    assert len(found) == sum(len(chart.at(line).actions) for line in dict.fromkeys(one["line"] for one in found))
    with pytest.raises(UserError, match="solve 4 or more"):
        next(value_errors.value_errors(chart, {}, NONE))
