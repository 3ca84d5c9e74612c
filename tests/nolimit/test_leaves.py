"""Depth-limited flops: values of leaves against whole walks below them, and what solving with them is worth."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from benchmarks.limited_flop import POT, SmallFlop
from headsup.abstraction.merging.rounds import Below, part_with
from headsup.common.arrays import Floats
from headsup.games.betting.rules import DEAL, Move
from headsup.games.holdem.bucketed import BucketStrategy
from headsup.games.holdem.vector import Place
from headsup.games.walk.streaming import hand_values
from headsup.measure import measure
from headsup.nolimit.leaves import CONTINUATIONS, Leaf, LeafMemory, LeafValues, RunOuts


@cache
def small() -> SmallFlop:
    return SmallFlop("TdJcQh", "4-4-4:ehs", ranks=5)


@cache
def outs(every: bool = True) -> RunOuts:
    return small().run_outs(every)


class Favouring:
    """A strategy by which a player makes some actions five times as likely after the flop."""

    def __init__(self, player: int, favoured: str | None) -> None:
        self.player, self.favoured = player, favoured

    def rows(self, decision: int, board: Place) -> Floats:
        rows, tree = np.array(small().blueprint.rows(decision, board)), small().game.betting
        for a, row in enumerate(rows):
            kind = Move(int(tree.kind[tree.child[decision] + a]))
            name = {Move.FOLD: "fold", Move.CHECK: "call", Move.CALL: "call"}.get(kind, "raise")
            row *= 5.0 if tree.player[decision] == self.player and name == self.favoured else 1.0
        return np.asarray(rows / rows.sum(axis=0))


@pytest.mark.parametrize("seat", [0, 1])
def test_values_of_leaves_are_those_of_whole_walks(seat: int) -> None:
    whole, rng = small().game, np.random.default_rng(seat)
    ranges = rng.random(whole.showdown.sizes[0]), rng.random(whole.showdown.sizes[1])
    flop, values = small().limited(ranges, seat, outs())
    deals = np.flatnonzero(flop.betting.player == DEAL).tolist()
    reach = [np.tile(of, (len(deals), 1)).astype(np.float32) for of in ranges]
    theirs = values.theirs(reach[seat])
    for n, node in enumerate(deals):
        part = part_with(whole, ranges, node)
        for k in (n % len(CONTINUATIONS), (n + 1) % len(CONTINUATIONS)):
            chosen = np.zeros((len(deals), len(CONTINUATIONS), 1), np.float32)
            chosen[:, k] = 1.0
            own = values.own(reach[1 - seat][:, None] * chosen)
            below = Below(whole, part, Favouring(1 - seat, CONTINUATIONS[k]))
            for player, earned in ((seat, own[n]), (1 - seat, theirs[n, k])):
                chips = hand_values(part.game, below, player) * part.game.mass
                np.testing.assert_allclose(earned, chips, rtol=1e-4, atol=1e-3)


def checking() -> BucketStrategy:
    """Checks and calls whatever it holds."""
    game, strategy = small().game, small().blueprint
    numbers = [np.zeros_like(strategy.shares[p]) for p in (0, 1)]
    for p in (0, 1):
        nodes = np.flatnonzero(game.betting.player == p).tolist()
        for node, (here, n) in zip(nodes, strategy.decisions(p), strict=True):
            kinds = game.betting.kind[game.betting.child[node] : game.betting.child[node] + n]
            numbers[p][here].reshape(n, -1)[(kinds == Move.CHECK) | (kinds == Move.CALL)] = 1.0
    return BucketStrategy(game, strategy.buckets, (numbers[0], numbers[1]))


def test_a_few_run_outs_are_corrected_to_exact_equities() -> None:
    whole, few = small().game, outs(every=False)
    cards = 3 * 5 - 3
    assert len(few.column) == 2 * cards < len(outs().column)
    combos = whole.showdown.hands  # type: ignore[attr-defined]
    check = int(whole.betting.child[whole.betting.find("check, check")])
    values = LeafValues(LeafMemory(checking()), few, [Leaf(check, POT, (0.0, 0.0), False)], 0, combos, POT)
    assert values.played == [0]
    showdown = LeafValues(LeafMemory(checking()), outs(), [Leaf(check, POT, (0.0, 0.0), True)], 0, combos, POT)
    reach = np.random.default_rng(5).random((1, len(CONTINUATIONS), len(combos[1])), np.float32)
    np.testing.assert_allclose(values.own(reach), showdown.own(reach), rtol=1e-4, atol=1e-3)


def test_with_turn_and_river_solved_again_a_depth_limited_flop_is_less_exploitable() -> None:
    """Than the blueprint's flop with turn and river solved again, which is less exploitable than the blueprint.

    With all run-outs and all hands in the gadget: with few of them it is not so on this deck (docs/nolimit.md).
    """
    safe = {"iterations": 30, "least": 0.0, "trust": 0.3}
    from_blueprint = small().resolved([small().blueprint] * 2, **safe)
    from_flop = small().resolved([small().solved(seat, outs(), 40) for seat in (0, 1)], **safe)
    assert from_flop < 0.7 * from_blueprint < 0.7 * measure(small().game, small().blueprint).mbb
