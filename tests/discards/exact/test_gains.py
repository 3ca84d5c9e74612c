"""Swaps in equilibrium on a turn of real hold'em: it converges, both sides keep what they have, and the rule loses."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.cards import parse_cards
from headsup.common.errors import UserError
from headsup.discards.exact.gains import solve_swaps
from tests.equity import compiled


@compiled
def test_swaps_on_a_turn_converge() -> None:
    turn = parse_cards("9c9d8h4s")
    few, many = solve_swaps(turn, 5), solve_swaps(turn, 40)
    assert 0.0 < many.gap < 0.001 < few.gap
    assert min(many.rule_loss) > 0.0
    assert many.equity == pytest.approx(0.5, abs=0.002)  # whoever swaps first gives away little
    for shares in (many.first, *many.last):
        assert shares.sum(axis=0) == pytest.approx(np.ones((52, 52)))
        assert shares[1] == pytest.approx(shares[2].T)  # a hand is the same from either side
    eight, four = parse_cards("8c4d")
    assert many.first[1, four, eight] > 0.99  # the report's corner: the four goes
    nine, ace = parse_cards("9hAs")
    assert many.first[1, nine, ace] < 0.01  # trips stay


def test_a_board_has_three_or_four_cards() -> None:
    with pytest.raises(UserError, match="give a board of 3 or 4 cards, not 5"):
        solve_swaps(parse_cards("9c9d8h4s2c"))
