"""ho-2015: `headsup reproduce` of its tables and figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from headsup.cli import main
from headsup.papers.ho2015.rules import rule_plots

KINDS = ("rule", "rule, exploited")
PAGE = Path(__file__).parents[2] / "docs" / "papers" / "ho-2015.md"


def test_reproduce(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["reproduce", "ho-2015", "--plots", str(tmp_path), "--json"]) == 0
    tables = json.loads(capsys.readouterr().out)["tables"]
    assert [len(rows) for title, rows in tables.items() if title.startswith("Table 4.1")] == [10]
    kings = next(row for title, rows in tables.items() for row in rows if row.get("attribute") == "Two Kings")
    assert (len(kings), kings["thesis's least playable"], kings["thesis's R, sb / bb"]) == (6, "KsKh9d2c", "15 / 10")
    assert len(list(tmp_path.glob("*.svg"))) == 6
    shown = PAGE.read_text()  # what is printed, see test_views.py
    assert "| Two Kings | KsKh9d2c |" in shown
    assert "| `hasPairQ` | 73.05 | 2.57 | 28.43 |" in shown
    assert "6.87 chips (0.0172 bb)" in shown
    with pytest.raises(SystemExit):
        main(["reproduce", "knuth-1968"])
    assert "'ho-2015', 'dalpasso-lancia-2015', 'bowling-2015'" in capsys.readouterr().err
    file = tmp_path / "file"
    file.write_text("")
    for words, said in (
        (["--plots", str(file)], "cannot write to the folder"),
        (["--table", str(tmp_path)], "--table is for --without-card-removal"),
        (["--device", "gpu"], "--device is for --without-card-removal"),
    ):
        assert main(["reproduce", "ho-2015", *words]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert said in err


def test_figures_4_5_and_4_8_have_the_prices_of_the_rules() -> None:
    """The rule's line is the equilibrium's less the price: at R = 6.375 ORACLE in the small blind loses 7.21 chips."""
    drawn = rule_plots()["ho-2015-figure-4.8.svg"]
    rows = {(name, stack): chips for name, stack, chips in drawn.rows}  # type: ignore[attr-defined]
    lost = [rows["small blind, equilibrium", 6.375] - rows[f"small blind, {kind}", 6.375] for kind in KINDS]
    assert lost == pytest.approx([7.21, 7.50], abs=0.01)
    assert rows["small blind, equilibrium", 10.0] == -rows["big blind, equilibrium", 10.0]
