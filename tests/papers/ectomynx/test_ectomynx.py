"""ectomynx: the report's tables as they were copied, and rows of its view against second ways."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.cards.classes import holdem_class_sizes, parse_holdem_class, rank_multisets
from headsup.discards.equity.deals import deal_counts
from headsup.discards.equity.kernels import swap_many
from headsup.discards.equity.table import swap_table
from headsup.discards.strategy.data import shipped
from headsup.papers.ectomynx.appendix import MAKES, RATES, makes, rates
from headsup.papers.ectomynx.equities import HANDS, report, summary
from headsup.papers.ectomynx.faulty import broken, faulty, faulty_tables
from headsup.papers.ectomynx.system import intuitions, misplays


def test_the_reports_table_was_copied_whole() -> None:
    """Its two examples: row 2 column 3 is KQs, row 13 column 12 is 32o; the mean over all hands is a half."""
    assert report()[parse_holdem_class("KQs")] == 0.55715
    assert report()[parse_holdem_class("32o")] == 0.42844
    sizes = holdem_class_sizes()
    assert report() @ sizes / sizes.sum() == pytest.approx(0.5, abs=0.003)
    assert swap_table().equities @ sizes / sizes.sum() == pytest.approx(0.5, abs=0.0005)


def test_two_faults_explain_the_reports_table() -> None:
    """Chi-square and what is left, cell by cell: far off as told, with both faults as near as random hands come."""
    sizes = holdem_class_sizes().tolist()
    found = {}
    for name, table in (("as stated", swap_table()), ("both faults", faulty("both"))):
        total = 0.0
        for at in range(169):
            own = (table.margins[at] / 1.96) ** 2
            win, tie, _ = (swap_table().counts[at] / swap_table().deals).tolist()
            theirs = (win + tie / 4 - (win + tie / 2) ** 2) / (2 * HANDS * sizes[at] / 1326)
            total += (report()[at] - table.equities[at]) ** 2 / (own + theirs)
        found[name] = total
    rows = {row[0]: row for row in summary().rows}
    assert len(rows) == 5
    for name, total in found.items():
        assert float(rows[name][5]) == pytest.approx(total, rel=0.005)
    assert found["as stated"] > 10 * found["both faults"]
    assert found["both faults"] < 169 + 3 * 18.4
    # Every deal counts for one player what it takes from the other; 20 million random hands leave the mean this near.
    assert report() @ holdem_class_sizes() / 1326 == pytest.approx(0.5, abs=3 * 0.045 / (2 * HANDS) ** 0.5)


def neighbours(ranks: list[int]) -> bool:
    """Whether five neighbours of a sorted list go up by one each, aces standing at both ends."""
    line = [-1] * ranks.count(12) + sorted(ranks)
    return any(all(line[i + j + 1] - line[i + j] == 1 for j in range(4)) for i in range(len(line) - 4))


def test_straights_of_neighbours() -> None:
    rows = rank_multisets(7)[::7]
    assert broken(rows).tolist() == [not neighbours(row) for row in rows.tolist()]
    wanted = {(3, 4, 5, 5, 6, 7, 11): True, (3, 3, 4, 5, 6, 7, 7): False, (0, 0, 1, 2, 3, 12, 12): True}
    assert broken(np.array(list(wanted), dtype=np.uint8)).tolist() == list(wanted.values())


def test_the_faults_do_what_they_say() -> None:
    """A doubled seven hides a straight; where neither card is flagged, the ace of a gutshot goes before a lone king."""
    hands = [parse_cards("9d8hAcAd")]
    hidden, seen = parse_cards("5c6d7h7sKc"), parse_cards("5c6d7hKsKc")
    for board, tables, wanted in (
        (hidden, None, [1, 0, 0]),
        (hidden, faulty_tables("straights"), [0, 0, 1]),
        (seen, faulty_tables("straights"), [1, 0, 0]),
    ):
        assert deal_counts(hands, 1, 1, board=tuple(board), tables=tables)[0].tolist() == wanted
    out = np.zeros(2, dtype=np.uint8)
    holes = np.array([parse_cards("AsKd"), parse_cards("Kd7c")], dtype=np.uint8)
    boards = np.array([parse_cards("2h3c4d"), parse_cards("2h5c9d")], dtype=np.uint8)
    swap_many(faulty_tables("power")[0], holes, boards, out)
    assert out.tolist() == [1, 2]


def test_tables_of_the_appendix() -> None:
    assert len(makes()) == len(MAKES) == 5
    flush = makes()[0].rows
    assert flush[3][2] == f"{100 * 32 / 47:.1f}"  # keep a flush draw: 47 - 9 flushes - 6 that pair a hole card
    for _, *cells in flush:
        assert sum(map(float, cells[:-1])) == pytest.approx(100, abs=0.2)


def test_base_rates_are_counted() -> None:
    """Each by its outs: nine hearts, eight ends, six cards that pair, four middles."""
    rows = rates().rows
    assert len(rows) == len(RATES) + 1
    outs = [(9, 9), (8, 8), (6, 6), (4, 4), (12, 15), (9, 12), (9, 9)]
    for row, (flop, turn) in zip(rows, outs, strict=True):
        assert row[2:] == (f"{flop} of 47 = {flop / 47:.1%}", f"{turn} of 46 = {turn / 46:.1%}")


def test_what_our_strategy_folds() -> None:
    """The share of hands that the button folds, hand by hand."""
    sizes, rows = holdem_class_sizes(), shipped()[:169].astype(np.float64)
    folds = sum(n * row[0] / row.sum() for n, row in zip(sizes, rows, strict=True)) / sizes.sum()
    assert any(f"the button folds {folds:.1%} of all hands" in row[2] for row in intuitions().rows)


def test_the_misplays_as_told() -> None:
    """Three of a kind in the big blind: 5 % to level 0, half of level 1, and 1 of 3.5 of the rest are checked."""
    turn = 0.05 + 0.10 / 2 + (0.25 + 0.60) / 3.5
    assert f"check {turn:.0%} of the time on the turn" in misplays().rows[1][1]
