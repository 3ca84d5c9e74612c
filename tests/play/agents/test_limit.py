"""Limit hold'em at the table: the river is re-solved on the real cards."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.cards import parse_cards
from headsup.cards.combos import colex
from headsup.common.errors import UserError
from headsup.play.agents.limit import RiverPlayer
from headsup.play.table.agent import make_agent
from headsup.play.table.rules import CALLS, FOLDS, Deal, PlayerView, raise_to, table

BOARD = parse_cards("AhKd7c4s2d")


def river_view(hole: str, bet: bool) -> PlayerView:
    """The dealer's view of a river after a raise before the flop and checks, or after a bet on the river."""
    there = table("holdem-limit")
    hand = there.hand(Deal((parse_cards(hole), parse_cards("QcQs")), BOARD))
    hand.act(raise_to(20))
    while hand.view().street < 3:
        hand.act(CALLS)
    hand.act(raise_to(20) if bet else CALLS)
    return hand.view()


def test_the_river_is_solved_again() -> None:
    agent = make_agent("limit:river", table("holdem-limit"))
    assert isinstance(agent, RiverPlayer)
    facing = river_view("AsAc", bet=True)
    aces = dict(agent.probabilities(facing))
    assert aces.get(FOLDS, 0.0) < 1e-6
    assert set(aces) <= {FOLDS, CALLS, raise_to(40)}
    assert sum(aces.values()) == pytest.approx(1.0)
    folds = agent.hand_probabilities(facing, FOLDS)
    assert folds[colex(sorted(parse_cards("6h5h")))] > 0.5
    total = np.sum([agent.hand_probabilities(facing, action) for action in (FOLDS, CALLS, raise_to(40))], axis=0)
    free = np.array([not set(pair) & set(BOARD) for pair in _pairs()])
    np.testing.assert_allclose(total[free], 1.0, atol=1e-6)
    again = make_agent("limit:river", table("holdem-limit"))
    assert isinstance(again, RiverPlayer)
    assert dict(again.probabilities(facing)) == aces


def _pairs() -> list[tuple[int, int]]:
    return [(low, high) for high in range(52) for low in range(high)]


def test_a_river_is_solved_once_for_all_bets() -> None:
    agent = make_agent("limit:river", table("holdem-limit"))
    assert isinstance(agent, RiverPlayer)
    for bet in (False, True):
        agent.probabilities(river_view("AsAc", bet))
    assert len(agent._kept) == 1


def test_earlier_streets_are_the_shipped_strategy_s() -> None:
    there = table("holdem-limit")
    view = there.hand(Deal((parse_cards("KdTd"), parse_cards("QcQs")), BOARD)).view()
    agents = [make_agent(name, there) for name in ("limit", "limit:river")]
    first, second = (dict(agent.probabilities(view)) for agent in agents)  # type: ignore[attr-defined]
    assert first == second


def test_other_options_are_refused() -> None:
    with pytest.raises(UserError, match="limit or limit:river"):
        make_agent("limit:turn", table("holdem-limit"))
