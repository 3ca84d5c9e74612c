"""What re-solving a street gains, exactly: `benchmarks/street_gain.py` against sums over all lines at the table."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import numpy as np
import pytest

from benchmarks.street_gain import AtTable, gains, shipped_source
from headsup.cards import parse_cards
from headsup.common.arrays import Floats
from headsup.games.holdem.vector import Mixture
from headsup.play.agents import subgame
from headsup.play.agents.resolver import RIVER
from headsup.play.agents.resolving import BlueprintPlayer, ResolvingPlayer
from headsup.play.table.agent import Mixed, make_agent
from headsup.play.table.ranges import against_ranges
from headsup.play.table.real import free_of
from headsup.play.table.rules import CALLS, Action, Deal, Table, TableHand, raise_to, table
from tests.bucket_makers import small

BOARD = parse_cards("AhKd7c4s2d")
LIMIT_LINE = (raise_to(20), CALLS, CALLS, raise_to(10), CALLS, CALLS, CALLS)


def seat_0_wins(agents: tuple[Mixed, Mixed], hand: TableHand, ranges: list[Floats]) -> float:
    """Summed over all lines of a river, and over all pairs of hands by weight."""
    if not hand.over:
        won, seat = 0.0, hand.player
        for action, row in agents[seat].range_probabilities(hand.view()).items():
            after = copy(hand)
            after.steps = [*hand.steps]
            after.act(action)
            won += seat_0_wins(agents, after, [r * row if s == seat else r for s, r in enumerate(ranges)])
        return won
    paid, (shares, met) = hand.state.paid, against_ranges(ranges[1][None], BOARD)
    pairs = float(ranges[0] @ met[0])
    if paid[0] != paid[1]:  # the player who paid less has folded
        return pairs * (paid[1] if paid[1] < paid[0] else -paid[0])
    return float(ranges[0] @ shares[0]) * sum(paid) - paid[0] * pairs


def river(there: Table, shipped: Mixed, line: Sequence[Action]) -> tuple[TableHand, list[Floats]]:
    """A hand on the river, and the ranges with which the shipped strategy gets there."""
    hand = there.hand(Deal((parse_cards("AsAc"), parse_cards("QcQs")), BOARD))
    ranges = [free_of(BOARD).astype(float), free_of(BOARD).astype(float)]
    for action in line:
        ranges[hand.player] *= shipped.hand_probabilities(hand.view(), action)
        hand.act(action)
    return hand, ranges


def check_gains(shipped: Mixed, solved: ResolvingPlayer, hand: TableHand, ranges: list[Floats]) -> None:
    mass = float(ranges[0] @ against_ranges(ranges[1][None], BOARD)[1][0])
    both, first, second = (
        seat_0_wins(agents, hand, ranges) / mass
        for agents in ((shipped, shipped), (solved, shipped), (shipped, solved))
    )
    won, from_shipped, from_solved = gains(solved, hand.view()) * hand.table.unit
    assert won == pytest.approx((first - second) / 2.0, rel=1e-3)
    assert abs(first - both) > 1e-3
    assert from_shipped > from_solved > 0.0


def test_what_a_river_of_limit_wins_is_the_sum_over_its_lines() -> None:
    there = table("holdem-limit")
    shipped, solved = make_agent("limit", there), make_agent("limit:river", there)
    assert isinstance(shipped, Mixed)
    assert isinstance(solved, ResolvingPlayer)
    check_gains(shipped, solved, *river(there, shipped, LIMIT_LINE))


def test_what_a_river_of_no_limit_wins_is_the_sum_over_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solution has bets that the blueprint translates."""
    monkeypatch.setattr(subgame, "WORK", 1e5)
    monkeypatch.setattr(subgame, "ITERATIONS", (60, 60))
    there, game = table("holdem-nolimit", 20), small("holdem-nolimit:stack=20,menu=75%, a; a")
    blueprint = Mixture(game, 0.1, 0.7, 0.2)
    shipped = BlueprintPlayer("shipped", game, blueprint, there)
    solved = ResolvingPlayer("solved", game, blueprint, there)
    solved.first = RIVER
    hand, ranges = river(there, shipped, (CALLS,) * 6)
    check_gains(shipped, solved, hand, ranges)


def test_both_sources_of_a_shipped_strategy_agree() -> None:
    there = table("holdem-limit")
    agent = make_agent("limit:river", there)
    assert isinstance(agent, ResolvingPlayer)
    view = river(there, agent, LIMIT_LINE)[0].view()
    node, _, _ = agent._followed(view, agent.before(view))
    tree = agent._at_first(view)[0][0].tree
    source, nodes = shipped_source(agent, view, node, tree)
    assert source is agent.blueprint
    slow, free = AtTable(agent, view, tree), free_of(BOARD)
    for at in np.flatnonzero(tree.player < 2).tolist():
        known = source.rows(int(nodes[at]), BOARD)
        np.testing.assert_allclose(slow.rows(at, BOARD)[:, free], known[:, free], atol=1e-12)
