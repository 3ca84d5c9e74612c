"""`headsup flops`: every flop at once agrees with one flop at a time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from headsup.cli import main
from headsup.common.backend import JIT_DISABLED
from headsup.equity import equity

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="goes through two million boards")


def test_summary_and_file_agree_with_single_flops(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "flops.csv"
    assert main(["flops", "AsKs", "RUS", "--json", "--csv", str(path)]) == 0
    found = json.loads(capsys.readouterr().out)
    rows = path.read_text().splitlines()
    assert rows[0] == "flop,win,tie,lose"
    assert len(rows) == 1 + 19600 == 1 + found["flops"]
    counts = {row.split(",")[0]: tuple(map(int, row.split(",")[1:])) for row in rows[1:]}
    for one in (found["best"][0], found["worst"][0]):
        single = equity("AsKs", "RUS", one["flop"])
        assert (single.win, single.tie, single.lose) == counts[one["flop"]] == (one["win"], one["tie"], one["lose"])
    assert sum(map(sum, counts.values())) == found["deals"]


def test_mistakes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flops", "AKs", "random"]) == 2
    assert "not one hand" in capsys.readouterr().err
    assert main(["flops", "AsKs", "RUS", "--csv", "/nonexistent/x.csv"]) == 2
    assert "cannot be written" in capsys.readouterr().err
