"""A card says the rule, its price, its stacks and its data; a reader of the text can play it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from headsup.distil.scorecards.drawing import card_svg, card_text, points_text, threshold_text
from headsup.distil.scorecards.frontier import record
from headsup.distil.scorecards.records import CardRecord
from headsup.distil.scorecards.scorecard import ScoreCard
from headsup.distil.shipped import shipped_cards

LINE = ScoreCard("omaha8", {"aces": (9, 20, 9), "suits": (5, 3, 0, -1)}, (-4, 1), (0, 2), 2.0)
ROW = ScoreCard("holdem", {"high": (2, 0, 0), "pair": (22,)}, (1, 5, 9), (0, 4, 8), 3.0, True)


def made(card: ScoreCard) -> CardRecord:
    return record(card, None, 0.0, "by hand")


def test_points_in_words() -> None:
    assert points_text(LINE) == [
        ("Aces", "+9 one ace, three or four aces; +20 two aces"),
        ("Suits", "+5 double-suited; +3 two of one suit; -1 four of one suit"),
    ]
    # equal points that add up are said apart
    both = ScoreCard("holdem", {"high": (1, 1, 1), "connected": (2, 2)}, (1,), (1,), 1.0, True)
    assert points_text(both) == [
        ("High card", "+1 for each rank above a two (an ace is 12 above); +1 more for an ace; +1 more for a king"),
        ("Connected", "+2 ranks next to each other, one rank between"),
    ]
    assert threshold_text(LINE) == [
        ("Small blind: jam with", "R - 4 points or more"),
        ("Big blind: call with", "2 x R points or more"),
    ]
    assert threshold_text(ROW)[0] == ("Small blind: jam at", "  1   5   9")


@pytest.mark.parametrize("card", [LINE, ROW, shipped_cards("holdem")[1].card], ids=["line", "row", "shipped"])
def test_text_and_svg_say_the_same(card: ScoreCard) -> None:
    text, svg = card_text(made(card)), card_svg(made(card))
    ElementTree.fromstring(svg)  # well-formed
    drawn = " ".join(re.findall(r">([^<]+)</text>", svg))
    for heading, said in points_text(card):
        assert heading in text
        assert heading in drawn
        assert said in drawn
        assert " ".join(said.split()) in " ".join(text.split())
    assert f"1 to {card.max_stack:g} big blinds" in text
    assert "best response is not known" in " ".join(text.split())
    assert "equilibria that ship" in drawn
    assert "equilibria that ship" in text
    assert svg == card_svg(made(card))


@pytest.mark.parametrize("game", ["holdem", "omaha8"])
def test_every_shipped_card_states_its_price(game: str) -> None:
    for one in shipped_cards(game):
        text = card_text(one)
        assert one.worst_price is not None
        assert (
            f"it loses {one.worst_price[0]:.1f} mbb per hand as small blind and {one.worst_price[1]:.1f}"
            in " ".join(text.split())
        )
        assert max(map(len, text.splitlines())) < 80
        ElementTree.fromstring(card_svg(one))
