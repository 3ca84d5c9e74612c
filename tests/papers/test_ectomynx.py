"""ectomynx: the report's tables as they were copied, and rows of its view against second ways."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.cards.classes import holdem_class_sizes, parse_holdem_class
from headsup.equity.swap_table import swap_table
from headsup.papers.ectomynx.equities import MAKES, makes, report, summary
from headsup.papers.ectomynx.system import intuitions, misplays
from headsup.play.discard.data import shipped


def test_the_reports_table_was_copied_whole() -> None:
    """Its two examples: row 2 column 3 is KQs, row 13 column 12 is 32o; the mean over all hands is a half."""
    assert report()[parse_holdem_class("KQs")] == 0.55715
    assert report()[parse_holdem_class("32o")] == 0.42844
    sizes = holdem_class_sizes()
    assert report() @ sizes / sizes.sum() == pytest.approx(0.5, abs=0.003)
    assert swap_table().equities @ sizes / sizes.sum() == pytest.approx(0.5, abs=0.0005)


def test_cells_that_differ_are_counted() -> None:
    """The same, cell by cell."""
    apart = [abs(a - b) > m for a, b, m in zip(report(), swap_table().equities, swap_table().margins, strict=True)]
    assert summary().rows[0][:3] == ("all", "169", str(sum(apart)))
    assert [row[1] for row in summary().rows] == ["169", "13", "78", "78"]


def test_tables_of_the_appendix() -> None:
    assert len(makes()) == len(MAKES) == 4
    flush = makes()[0].rows
    assert flush[3][2] == f"{100 * 32 / 47:.1f}"  # keep a flush draw: 47 - 9 flushes - 6 that pair a hole card
    for _, *cells in flush:
        assert sum(map(float, cells[:-1])) == pytest.approx(100, abs=0.2)


def test_what_our_strategy_folds() -> None:
    """The share of hands that the button folds, hand by hand."""
    sizes, rows = holdem_class_sizes(), shipped()[:169].astype(np.float64)
    folds = sum(n * row[0] / row.sum() for n, row in zip(sizes, rows, strict=True)) / sizes.sum()
    assert any(f"the button folds {folds:.1%} of all hands" in row[2] for row in intuitions().rows)


def test_the_misplays_as_told() -> None:
    """Three of a kind in the big blind: 5 % to level 0, half of level 1, and 1 of 3.5 of the rest are checked."""
    turn = 0.05 + 0.10 / 2 + (0.25 + 0.60) / 3.5
    assert f"checking {turn:.0%} on the turn" in misplays().rows[1][1]
