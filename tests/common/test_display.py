"""What notebooks show of results."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import headsup
from headsup.common.display import table
from headsup.distil.shipped import find_rule, shipped_card
from headsup.equity import equity
from headsup.jamfold import jamfold
from headsup.solve import solve
from tests.equity import compiled


class Balanced(HTMLParser):
    """Every tag that opens closes, in order; cells are collected."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        """Open."""
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Text."""
        self.cells.append(data)


def cells(record: Any) -> list[str]:
    parser = Balanced()
    parser.feed(record._repr_html_())
    assert not parser.open
    return parser.cells


def test_texts_are_escaped() -> None:
    assert table("<b>", ["&"], [["<script>"]]) == (
        "<table><caption>&lt;b&gt;</caption><thead><tr><th>&amp;</th></tr></thead>"
        "<tbody><tr><td>&lt;script&gt;</td></tr></tbody></table>"
    )


def test_an_equity() -> None:
    found = equity("AdAc", "KhKs")
    assert {"AdAc", "81.2555%", "1,388,072", "exact: 1,712,304 deals, by factorisation"} <= set(cells(found))
    assert repr(found) == "<EquityResult AdAc against KhKs: 81.2555%, exact over 1,712,304 deals, by factorisation>"


def test_a_chart_has_every_hand_twice() -> None:
    answer = jamfold("holdem", 10)
    shown = cells(answer)
    assert [name for name in shown if name in answer.labels] == [*answer.labels, *answer.labels]
    assert 'title="AA 100.0%"' in answer._repr_html_()
    assert len(cells(jamfold("omaha8", 10))) < 20  # 16,432 hands are no chart


def test_a_card() -> None:
    card = shipped_card("omaha8", 4, False).card
    assert "The omaha8 card of 4 lines" in cells(card)
    assert repr(card).startswith("<ScoreCard omaha8: 4 lines")
    assert repr(find_rule("oracle", "omaha8")) == "<PointRule ORACLE: omaha8, 0.5 to 11.25 bb>"
    assert repr(find_rule("oracle", "omaha8").lines[0]).endswith("each=16, amount=bool[16432], why='')")


def test_a_solution() -> None:
    assert "Solution of kuhn" in cells(solve("kuhn", "lp"))


@compiled
def test_a_spot_and_its_solution() -> None:
    spot = headsup.Spot("2c7dKsJh5h", "AA,KQ", "QQ,JTs", 10, 20, bets="50%")
    shown = cells(spot)
    assert {"Spot 2c7dKsJh5h", "pot", "20"} <= set(shown)
    assert any(cell.startswith("oop wins") for cell in cells(headsup.solve_spot(spot, 0.01)))
