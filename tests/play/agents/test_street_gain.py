"""What re-solving a street gains, exactly: `benchmarks/street_gain.py` against sums over all lines at the table."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import partial

import numpy as np
import pytest

from benchmarks.street_gain import AtTable, both_gain, gains, shipped_source
from headsup.cards import parse_cards
from headsup.common.arrays import Floats
from headsup.games.betting.rules import RIVER, TURN
from headsup.games.holdem.vector import Mixture
from headsup.play.agents import subgame
from headsup.play.agents.resolving import BlueprintPlayer, ResolvingPlayer
from headsup.play.table.agent import Mixed, make_agent
from headsup.play.table.ranges import against_ranges
from headsup.play.table.real import free_of
from headsup.play.table.rules import CALLS, Action, Deal, Table, TableHand, raise_to, table
from tests.bucket_makers import small

BOARD = parse_cards("AhKd7c4s2d")
LIMIT_LINE = (raise_to(20), CALLS, CALLS, raise_to(10), CALLS, CALLS, CALLS)


def seat_0_wins(agents: tuple[Mixed, Mixed], hand: TableHand, ranges: list[Floats]) -> float:
    """Summed over all lines from here on, and over all pairs of hands by weight."""
    if not hand.over:
        won, seat = 0.0, hand.player
        for action, row in agents[seat].range_probabilities(hand.view()).items():
            acted = copy(hand)
            acted.steps = [*hand.steps]
            acted.act(action)
            won += seat_0_wins(agents, acted, [r * row if s == seat else r for s, r in enumerate(ranges)])
        return won
    paid, (shares, met) = hand.state.paid, against_ranges(ranges[1][None], BOARD)
    pairs = float(ranges[0] @ met[0])
    if paid[0] != paid[1]:  # the player who paid less has folded
        return pairs * (paid[1] if paid[1] < paid[0] else -paid[0])
    return float(ranges[0] @ shares[0]) * sum(paid) - paid[0] * pairs


def after(line: Sequence[Action], there: Table, shipped: Mixed) -> tuple[TableHand, list[Floats]]:
    """A hand after some actions, and the ranges with which the shipped strategy gets there."""
    hand = there.hand(Deal((parse_cards("AsAc"), parse_cards("QcQs")), BOARD))
    ranges = [free_of(BOARD).astype(float), free_of(BOARD).astype(float)]
    for action in line:
        ranges[hand.player] *= shipped.hand_probabilities(hand.view(), action)
        hand.act(action)
    return hand, ranges


def won_at_table(shipped: Mixed, solved: ResolvingPlayer, hand: TableHand, ranges: list[Floats]) -> float:
    """What re-solving wins, in chips, as the mean over both seats."""
    mass = float(ranges[0] @ against_ranges(ranges[1][None], BOARD)[1][0])
    both, first, second = (
        seat_0_wins(agents, hand, ranges) / mass
        for agents in ((shipped, shipped), (solved, shipped), (shipped, solved))
    )
    assert abs(first - both) > 1e-3
    return (first - second) / 2.0


def check_gains(shipped: Mixed, solved: ResolvingPlayer, hand: TableHand, ranges: list[Floats]) -> None:
    won, from_shipped, from_solved = gains(solved, hand.view()) * hand.table.unit
    assert won == pytest.approx(won_at_table(shipped, solved, hand, ranges), rel=1e-3)
    assert from_shipped > from_solved > 0.0


def translating(monkeypatch: pytest.MonkeyPatch, iterations: int) -> tuple[BlueprintPlayer, ResolvingPlayer]:
    """A blueprint, and its re-solving player with bets that it translates."""
    monkeypatch.setattr(subgame, "WORK", 1e5)
    monkeypatch.setattr(subgame, "ITERATIONS", (iterations, iterations))
    there, game = table("holdem-nolimit", 20), small("holdem-nolimit:stack=20,menu=100%, a; a")
    blueprint = Mixture(game, 0.1, 0.7, 0.2)
    solved = ResolvingPlayer("solved", game, blueprint, there)
    solved.menus = {TURN: "100%, a; a", RIVER: "60%, 100%, a; a"}
    return BlueprintPlayer("shipped", game, blueprint, there), solved


def test_what_a_river_of_limit_wins_is_the_sum_over_its_lines() -> None:
    there = table("holdem-limit")
    shipped, solved = make_agent("limit", there), make_agent("limit:river", there)
    assert isinstance(shipped, Mixed)
    assert isinstance(solved, ResolvingPlayer)
    check_gains(shipped, solved, *after(LIMIT_LINE, there, shipped))


def test_what_a_river_of_no_limit_wins_is_the_sum_over_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped, solved = translating(monkeypatch, 60)
    solved.first = RIVER
    check_gains(shipped, solved, *after((CALLS,) * 6, table("holdem-nolimit", 20), shipped))


def test_what_turn_and_river_win_is_the_sum_over_their_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped, solved = translating(monkeypatch, 6)
    monkeypatch.setattr(solved, "_opened", lambda done, view: ())  # bets of the menu are in the tree
    hand, ranges = after((CALLS,) * 4, table("holdem-nolimit", 20), shipped)
    won = both_gain(solved, hand.view(), BOARD)[0] * hand.table.unit
    assert won == pytest.approx(won_at_table(shipped, solved, hand, ranges), rel=1e-3)


def test_both_sources_of_a_shipped_strategy_agree() -> None:
    there = table("holdem-limit")
    agent = make_agent("limit:river", there)
    assert isinstance(agent, ResolvingPlayer)
    view = after(LIMIT_LINE, there, agent)[0].view()
    node, _, _ = agent._followed(view, agent.before(view))
    tree = agent._at_first(view)[0][0].tree
    source, nodes = shipped_source(agent, view, node, tree)
    assert source is agent.blueprint
    slow, free = AtTable(partial(BlueprintPlayer.range_probabilities, agent), view, tree), free_of(BOARD)
    for at in np.flatnonzero(tree.player < 2).tolist():
        known = source.rows(int(nodes[at]), BOARD)
        np.testing.assert_allclose(slow.rows(at, BOARD)[:, free], known[:, free], atol=1e-12)
