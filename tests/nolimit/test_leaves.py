"""Depth-limited flops: values of leaves against whole walks below them, and what solving with them is worth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from headsup.abstraction import build_buckets
from headsup.abstraction.bets.translation import Seats
from headsup.abstraction.merging.rounds import Below, part_with
from headsup.cards import parse_cards
from headsup.cards.combos import HOLDEM_COUNT
from headsup.common.arrays import Floats
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.cut import decisions_below, street_tree
from headsup.games.betting.rules import DEAL, Betting, Move
from headsup.games.holdem.bucketed import BucketStrategy
from headsup.games.holdem.vector import ArrayStrategy, Place, Strategy, VectorGame, holdem_game
from headsup.games.walk.streaming import hand_values
from headsup.measure import measure
from headsup.nolimit.flop import solve_flop
from headsup.nolimit.leaves import CONTINUATIONS, Leaf, LeafValues, RunOuts, run_outs
from headsup.play.agents.subgame import OnRealCards
from headsup.solve import solve
from headsup.solve.holdem.resolve import resolve_street

FLOP, DECK = tuple(parse_cards("TdJcQh")), {"ranks": 5, "suits": 3}
POT = 4


@cache
def blueprint() -> BucketStrategy:
    """A flop of a deck of 15 cards, solved with few buckets."""
    tree = betting_tree(Betting(first=(1, 1, 1), stacks=(12, 12), pot=POT, min_bet=1), "100%, a; a")
    game = holdem_game("flop of 15 cards", tree, root=FLOP, streets=(0, 1, 1), **DECK)  # type: ignore[arg-type]
    record = solve(game, "cfr+", iterations=100, buckets=build_buckets(game, "4-4-4:ehs"), threads=1)
    strategy = record.in_game(game)
    assert isinstance(strategy, BucketStrategy)
    return strategy


@cache
def outs(every: bool = True) -> RunOuts:
    game, dealt = blueprint().game, np.zeros(HOLDEM_COUNT, dtype=bool)
    dealt[game.showdown.hands[0]] = True  # type: ignore[attr-defined]
    return run_outs(FLOP, dealt, OnRealCards(game, blueprint()).buckets, every)


def limited(ranges: tuple[Floats, Floats], seat: int) -> tuple[VectorGame, LeafValues]:
    """The betting of the flop as a game, and the values of its leaves."""
    whole = blueprint().game
    betting, acted, leaves = street_tree(whole.betting, 0, range(1), streets=1), decisions_below(whole.betting), []
    for node in np.flatnonzero(betting.player == DEAL).tolist():
        paid = betting.paid[node].astype(float)
        leaves.append(Leaf(int(whole.betting.child[node]), POT + paid.sum(), (paid[0], paid[1]), not acted[node]))
    combos = np.zeros((2, HOLDEM_COUNT))
    combos[0, whole.showdown.hands[0]], combos[1, whole.showdown.hands[1]] = ranges  # type: ignore[attr-defined]
    flop = holdem_game("flop", betting, root=FLOP, streets=(0,), ranges=(combos[0], combos[1]), merged=False, **DECK)  # type: ignore[arg-type]
    hands = np.flatnonzero(combos[seat]), np.flatnonzero(combos[1 - seat])
    return flop, LeafValues(blueprint(), outs(), leaves, seat, hands, POT)


class Favouring:
    """A strategy by which a player makes some actions five times as likely after the flop."""

    def __init__(self, player: int, favoured: str | None) -> None:
        self.player, self.favoured = player, favoured

    def rows(self, decision: int, board: Place) -> Floats:
        rows, tree = np.array(blueprint().rows(decision, board)), blueprint().game.betting
        for a, row in enumerate(rows):
            kind = Move(int(tree.kind[tree.child[decision] + a]))
            name = {Move.FOLD: "fold", Move.CHECK: "call", Move.CALL: "call"}.get(kind, "raise")
            row *= 5.0 if tree.player[decision] == self.player and name == self.favoured else 1.0
        return np.asarray(rows / rows.sum(axis=0))


@pytest.mark.parametrize("seat", [0, 1])
def test_values_of_leaves_are_those_of_whole_walks(seat: int) -> None:
    whole, rng = blueprint().game, np.random.default_rng(seat)
    ranges = rng.random(whole.showdown.sizes[0]), rng.random(whole.showdown.sizes[1])
    flop, values = limited(ranges, seat)
    deals = np.flatnonzero(flop.betting.player == DEAL).tolist()
    for player in (0, 1):
        reach = np.tile(ranges[1 - player], (len(deals), len(CONTINUATIONS), 1))
        earned = values.earned(player, reach)
        for n, node in enumerate(deals):
            part = part_with(whole, ranges, node)
            for k, favoured in enumerate(CONTINUATIONS):
                below = Below(whole, part, Favouring(1 - seat, favoured))
                chips = hand_values(part.game, below, player) * part.game.mass
                if player == seat and n not in values.played:  # of a showdown the first continuation has all
                    chips = chips * (len(CONTINUATIONS) if k == 0 else 0)
                np.testing.assert_allclose(earned[n, k], chips, rtol=1e-4, atol=1e-3)


def checking() -> BucketStrategy:
    """Checks and calls whatever it holds."""
    game, strategy = blueprint().game, blueprint()
    numbers = [np.zeros_like(strategy.shares[p]) for p in (0, 1)]
    for p in (0, 1):
        nodes = np.flatnonzero(game.betting.player == p).tolist()
        for node, (here, n) in zip(nodes, strategy.decisions(p), strict=True):
            kinds = game.betting.kind[game.betting.child[node] : game.betting.child[node] + n]
            numbers[p][here].reshape(n, -1)[(kinds == Move.CHECK) | (kinds == Move.CALL)] = 1.0
    return BucketStrategy(game, strategy.buckets, (numbers[0], numbers[1]))


def test_a_few_run_outs_are_corrected_to_exact_equities() -> None:
    whole, few = blueprint().game, outs(every=False)
    cards = DECK["ranks"] * DECK["suits"] - len(FLOP)
    assert len(few.column) == 2 * cards < len(outs().column)
    combos = whole.showdown.hands  # type: ignore[attr-defined]
    check = int(whole.betting.child[whole.betting.find("check, check")])
    values = LeafValues(checking(), few, [Leaf(check, POT, (0.0, 0.0), False)], 0, combos, POT)
    assert values.played == [0]
    showdown = LeafValues(checking(), outs(), [Leaf(check, POT, (0.0, 0.0), True)], 0, combos, POT)
    reach = np.random.default_rng(5).random((1, len(CONTINUATIONS), len(combos[1])))
    expected = showdown.earned(0, reach)[0, 0]
    np.testing.assert_allclose(values.earned(0, reach)[0].sum(axis=0), expected, rtol=1e-4, atol=1e-3)


class Limited:
    """A blueprint with the flop solved depth-limited for a seat."""

    def __init__(self, seat: int) -> None:
        weights = blueprint().game.weights
        flop, values = limited((weights[0], weights[1]), seat)
        self.strategy = solve_flop(flop, values, 100).strategy

    def rows(self, decision: int, board: Place) -> Floats:
        return (blueprint() if board.street else self.strategy).rows(decision, board)


def test_with_turn_and_river_solved_again_a_depth_limited_flop_is_less_exploitable() -> None:
    """Than the blueprint's flop with turn and river solved again, which is less exploitable than the blueprint."""
    game = blueprint().game

    def resolved(heads: Sequence[Strategy]) -> float:
        halves = [resolve_street(game, head, 1, 30, trust=0.3) for head in heads]
        return measure(game, ArrayStrategy.of(game, Seats(game, halves[0], halves[1]))).mbb

    from_blueprint, from_flop = resolved([blueprint()] * 2), resolved([Limited(0), Limited(1)])
    assert from_flop < 0.5 * from_blueprint < 0.5 * measure(game, blueprint()).mbb
