"""The sum behind a hand, against the table of all matchups and hands counted one by one."""

from __future__ import annotations

import pytest

from headsup.cards.cards import parse_cards
from headsup.cards.classes import omaha_class_of_combo
from headsup.cards.combos import omaha_combos
from headsup.games.holdem.classes import class_table
from headsup.jamfold.answer import answer
from headsup.jamfold.hands import parse_class
from headsup.web.table.why import met, why_call, why_jam
from tests.solve import compiled


@compiled
@pytest.mark.parametrize("name", ["AA", "63s", "K7o", "72o"])
def test_holdem_sums_are_those_of_the_table(name: str) -> None:
    found, table, hand = answer("holdem", 8.0), class_table("holdem"), parse_class("holdem", name)
    for seat, played in (("sb", found.call), ("bb", found.jam)):
        pots, hands = (float(table.to_host(one)[hand]) for one in table.sums(table.xp.asarray(played)))
        assert met("holdem", played, hand) == pytest.approx(hands / table.total)
        text = why_jam(found, hand) if seat == "sb" else why_call(found, hand)
        assert f"has {100 * pots / hands:.1f}\N{NO-BREAK SPACE}% equity in a pot of 16 bb" in text


def test_omaha_hands_that_are_met_one_by_one() -> None:
    found, hand = answer("omaha8", 10.0), parse_class("omaha8", "AsKsQhJh")
    held, total, played = set(parse_cards("AsKsQhJh")), 0, 0.0
    for kind, cards in zip(omaha_class_of_combo().tolist(), omaha_combos().tolist(), strict=True):
        if held.isdisjoint(cards):
            total, played = total + 1, played + found.call[kind]
    assert total == 194_580  # four of 48 cards
    assert met("omaha8", found.call, hand) == pytest.approx(played / total)
    assert "When called (72.4\N{NO-BREAK SPACE}%)" in why_jam(found, hand)
    assert "this hand has 47.7\N{NO-BREAK SPACE}% equity in a pot of 20 bb" in why_call(found, hand)
