"""andersson-2006: rows of its view against second ways to the same figures."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.papers.andersson2006 import results
from headsup.papers.andersson2006.bot.strategy import shipped_bot
from headsup.papers.andersson2006.model import PARTS, opening, readings
from headsup.papers.andersson2006.results import TABLES, ReportedMatch, misprints


def test_the_paper_divides_as_printed_but_for_one_row() -> None:
    wrong = [
        (stack, row.opponent)
        for stack, table in TABLES.items()
        for row in table
        if f"{row.won / row.hands:.2f}" != f"{row.printed:.2f}"
    ]
    assert wrong == [(20, "Avery")]
    assert any("0.39; 11 of 12" in row[2] for row in misprints().rows)


def test_the_papers_example_of_a_bet_that_is_not_in_the_menu() -> None:
    """Section 4.4: 3 into 10 is a check with 40 % and a half-pot bet with 60 %."""
    row = readings().rows[0]
    assert row[3] == "check 40%, half the pot 60%"


@pytest.mark.parametrize("agent", ["aggrobot", "nolimit"])
def test_openings_are_shares(agent: str) -> None:
    rows = opening(agent, 20)
    np.testing.assert_allclose(rows.sum(axis=1), 1.0, atol=1e-6)
    assert rows.shape == (1326, len(PARTS))


def test_a_quarter_of_all_hands_is_in_each_bucket_before_the_flop() -> None:
    """So the mean over hands is nearly that over buckets."""
    bot = shipped_bot(20)
    limps = list(bot.tree.actions(0)).index("call")
    assert opening("aggrobot", 20)[:, 1].mean() == pytest.approx(bot.chances.first() @ bot.table(0)[:, limps])


def test_what_long_runs_measured_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    price = {"strategy": "aggrobot", "stack": 20, "opponent": "few"}
    price |= {"exploitability_mbb": 900.0, "reply_sb_mbb": 1000.0, "reply_bb_mbb": 800.0}
    model = {
        "stack": 15,
        "method": "cfr+",
        "low": 0.01244,
        "high": 0.0125,
        "processor_seconds": 20.02,
        "memory_mb": 206,
    }
    model |= {"payoffs": 5039664, "iterations": 6000}
    cell = {"menu": "100%, a; a", "decisions": 192, "buckets": "4", "iterations": [600, 1800], "mbb": [500.04, 400.0]}
    known = {"prices": [price], "models": [model], "frontier": [cell, {**cell, "among_mbb": 450.0}]}
    monkeypatch.setattr(results, "stored", lambda path: known)
    last = results.prices().rows[-1]
    assert last[0] == "AggroBot, rebuilt, 20 bb, if the opponent's only raise is all-in"
    assert last[2:] == ("900.0, exact", "1000.0, 800.0")
    shown = ("15 bb", "cfr+", "0.01244 to 0.01250", "20", "206", "5,039,664", "6,000 iterations")
    assert results.models()[0].rows == [shown]
    shown = ("100%, a; a", "192", "4", "1,800", "400.0 (earlier: 500.0)")
    assert results.frontier()[0].rows == [(*shown, ""), (*shown, "450.0")]
    del price["exploitability_mbb"], price["reply_bb_mbb"]
    assert results.prices().rows[-1][2:] == ("one seat alone", "1000.0, not measured")
    price |= {"exploitability_mbb": None, "best_response_mbb": {"sb": None, "bb": 700.0}}
    assert results.prices().rows[-1][2:] == ("one seat alone", "not measured, 700.0")


def test_what_is_undecided_is_called_so() -> None:
    assert str(ReportedMatch("a", "b", 20, 0.1, 0.2)) == "0.10 ± 0.20, undecided"
    assert str(ReportedMatch("a", "b", 20, -0.3, 0.2)) == "-0.30 ± 0.20"
    assert str(ReportedMatch("a", "b", 20, 0.422, 0.0)) == "0.422, exact"
