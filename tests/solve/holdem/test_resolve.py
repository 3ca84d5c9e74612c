"""What is solved anew gives no more away than the blueprint, as far as it was solved."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.abstraction import build_buckets
from headsup.abstraction.merging.rounds import Below, cuts_before, part_with, ranges_at
from headsup.games.holdem.vector import ArrayStrategy, Strategy, VectorGame
from headsup.games.walk.streaming import hand_values
from headsup.measure import measure
from headsup.solve import solve
from headsup.solve.holdem.resolve import best_response_values, resolve, resolve_street
from tests.bucket_makers import small

SMALL = "holdem-nolimit:stack=4,ranks=4,suits=2,streets=2,menu=100%, a; a"


@pytest.fixture(scope="module")
def coarse() -> tuple[VectorGame, Strategy, float]:
    """A game, a blueprint in a few buckets, and its price in mbb/g."""
    game = small(SMALL)
    solution = solve(game, "cfr+", iterations=100, buckets=build_buckets(game, "3-2:ehs"), threads=1)
    blueprint = ArrayStrategy.of(game, solution.in_game(game))
    return game, blueprint, measure(game, blueprint).mbb


def test_no_more_is_given_away(coarse: tuple[VectorGame, Strategy, float]) -> None:
    game, blueprint, price = coarse
    safe = measure(game, ArrayStrategy.of(game, resolve_street(game, blueprint, 1, 150))).mbb
    assert safe < price - 1.0  # the flop was abstracted, and is not any more
    unsafe = measure(game, ArrayStrategy.of(game, resolve_street(game, blueprint, 1, 150, safe=False))).mbb
    assert safe < unsafe
    trusting = measure(game, ArrayStrategy.of(game, resolve_street(game, blueprint, 1, 150, trust=0.3))).mbb
    assert trusting < price - 1.0
    likely = measure(game, ArrayStrategy.of(game, resolve_street(game, blueprint, 1, 150, trust=0.6, least=1e-3))).mbb
    assert likely < price - 1.0


def test_what_a_reply_earns(coarse: tuple[VectorGame, Strategy, float]) -> None:
    """By the walk that asks for rows, decision by decision."""
    game, blueprint, _ = coarse
    deal, board = next(cuts_before(game, 1))
    part = part_with(game, ranges_at(game, blueprint, deal, board), deal, board)
    below = Below(game, part, blueprint)
    for seat in (0, 1):
        expected = hand_values(part.game, below, seat, best=True) * part.game.mass
        np.testing.assert_allclose(best_response_values(ArrayStrategy.of(part.game, below), seat), expected, atol=1e-9)


@pytest.mark.parametrize("seat", [0, 1])
def test_hands_leave_for_more_and_enter_for_less(coarse: tuple[VectorGame, Strategy, float], seat: int) -> None:
    game, blueprint, _ = coarse
    deal, board = next(cuts_before(game, 1))
    part = part_with(game, ranges_at(game, blueprint, deal, board), deal, board)
    hands = part.game.showdown.sizes[1 - seat]
    much = resolve(part.game, seat, np.full(hands, 1e6), 10, store="float64")
    little = resolve(part.game, seat, np.full(hands, -1e6), 10, store="float64")
    assert much.entering.max() == 0.0
    assert little.entering.min() == 1.0
    plain = resolve(part.game, seat, None, 10, store="float64")
    for first, second in zip(little.strategy.policy, plain.strategy.policy, strict=True):
        np.testing.assert_allclose(first, second, atol=1e-12)


@pytest.mark.parametrize("chosen", [False, True])
def test_hands_of_the_prior_enter_only_if_they_gain_by_a_bet_that_was_chosen(
    coarse: tuple[VectorGame, Strategy, float], chosen: bool
) -> None:
    """Only the opponent's strongest hand gains: if hands choose, no other hand is answered."""
    game, blueprint, _ = coarse
    deal, board = next(cuts_before(game, 1))
    ranges = ranges_at(game, blueprint, deal, board)
    part = part_with(game, (ranges[0], np.sign(ranges[1])), deal, board)
    hands = part.game.showdown.sizes[1]
    values = best_response_values(ArrayStrategy.of(part.game, Below(game, part, blueprint)), 1)
    best = int(values.argmax())
    alternative = np.where(np.arange(hands) == best, -1e6, 1e6)
    prior = np.ones(hands)
    answer = resolve(part.game, 0, alternative, 50, trust=0.6, prior=prior, chosen=chosen, store="float64")
    assert answer.entering[best] == 1.0
    assert np.delete(answer.entering, best).max() == 0.0
    alone = np.where(np.arange(hands) == best, 1.0, 0.0)
    against = ArrayStrategy.of(part.game, answer.strategy)
    best_known = resolve(part.game, 0, alternative, 50, trust=0.0, store="float64")
    earned = best_response_values(against, 1) @ alone
    expected = best_response_values(ArrayStrategy.of(part.game, best_known.strategy), 1) @ alone
    assert (earned == pytest.approx(expected, abs=1e-6)) == chosen


def test_only_the_shape_of_a_prior_counts(coarse: tuple[VectorGame, Strategy, float]) -> None:
    game, blueprint, _ = coarse
    deal, board = next(cuts_before(game, 1))
    part = part_with(game, ranges_at(game, blueprint, deal, board), deal, board)
    prior = part.game.weights[1].copy()
    prior[::2] *= 0.25
    never = np.full(len(prior), 1e6)  # all hands leave: only the prior is left
    policies = [
        resolve(part.game, 0, never, 10, trust=0.6, prior=scale * prior, store="float64").strategy.policy[0]
        for scale in (1.0, 8.0, 0.0)
    ]
    np.testing.assert_array_equal(policies[1], policies[0])
    assert not np.allclose(policies[2], policies[0])
