"""Tables 5.1 and 5.2 played again: intervals of printed results, and rows that name who stands in."""

from __future__ import annotations

from pathlib import Path

import pytest

from headsup.cli import main
from headsup.common.backend import JIT_DISABLED
from headsup.papers.andersson2006.replay import Replayed, compared, replay_rows, stored_rows
from headsup.papers.andersson2006.results import TABLES


def test_results_agree_if_their_intervals_allow_it() -> None:
    row = next(row for row in TABLES[20] if row.opponent == "Allin")
    exact = Replayed(0.422, 0.0, 10.09, 0)
    assert exact.printed_margin(row) == pytest.approx(1.96 * 10.09 / 9886**0.5)
    assert exact.agrees(row)
    assert not Replayed(0.6, 0.0, 10.09, 0).agrees(row)


@pytest.mark.skipif(JIT_DISABLED, reason="buckets on flops look at a thousand run-outs")
def test_every_row_is_played_and_a_finished_run_is_read_again(tmp_path: Path) -> None:
    first = replay_rows(2, tmp_path)
    assert first.keys() == stored_rows().keys()
    tables = compared(first)
    assert [len(section.rows) for section in tables] == [6, 6]
    assert "stands in for Amanda" in tables[0].rows[0][3]
    assert tables[1].rows[4][4] == "0.422, exact"
    assert replay_rows(2, tmp_path) == first


def test_the_matches_that_ship_can_be_read_twice() -> None:
    assert stored_rows() == stored_rows()


def test_options_of_the_replay_need_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "andersson-2006", "--jobs", "2"]) == 2
    assert "is for --hands" in capsys.readouterr().err
