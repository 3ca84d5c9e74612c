"""What is seen in two cards."""

from __future__ import annotations

from headsup.cards.classes import parse_holdem_class
from headsup.cards.hands import holdem_cards


def test_two_cards() -> None:
    def of(hand: str) -> list[int]:
        return [int(column[parse_holdem_class(hand)]) for column in holdem_cards()]

    assert of("AA") == [14, 14, 1, 0, 0]
    assert of("AKs") == [14, 13, 0, 1, 0]
    assert of("T7o") == [10, 7, 0, 0, 2]
