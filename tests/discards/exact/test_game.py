"""Swaps on hand vectors: the walk against a pair-by-pair one, the maps, and what stays when nobody swaps."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.common.errors import UserError
from headsup.discards.exact.spots import in_real_game, real_game
from headsup.discards.exact.swapped import real_value
from headsup.discards.exact.swapped_best import real_best
from headsup.discards.game import short_deck
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.rules import Betting
from headsup.games.catalogue.flat import FlatHoldem
from headsup.games.holdem.vector import ArrayStrategy, VectorGame, holdem_game
from headsup.games.walk import kernels
from headsup.games.walk.plain import PlainWalker
from headsup.games.walk.streaming import hand_values
from headsup.games.walk.walk import Walker
from headsup.measure import measure
from headsup.solve import PRESETS
from headsup.solve.holdem.vector import VectorCfr
from tests.naive_swaps import Naive, drawn_play


@cache
def spot(
    swaps: tuple[int, ...] = (0,),
    together: bool = False,
    ranks: int = 7,
    suits: int = 1,
    known: int = 1,
    streets: tuple[int, ...] = (0, 1),
    menu: str = "a",
    merged: bool = False,
    drawn: bool = True,
) -> VectorGame:
    """A small deck with some board cards; ranges drawn at random, or all hands alike."""
    rules = Betting(first=(0,) * len(streets), stacks=(4, 3), pot=2, swaps=swaps, together=together)
    weights = np.random.default_rng(1).random((2, 1326)) if drawn else np.ones((2, 1326))
    return holdem_game(
        "small swaps",
        betting_tree(rules, menu),
        root=short_deck(ranks, suits)[ranks // 2 :][:known],
        streets=streets,
        ranges=(weights[0], weights[1]),
        ranks=ranks,
        suits=suits,
        merged=merged,
    )


def everyone_keeps(game: VectorGame, policy: tuple[np.ndarray, np.ndarray]) -> ArrayStrategy:  # type: ignore[type-arg]
    """The same strategies without a swap."""
    strategy = ArrayStrategy(game, (policy[0].copy(), policy[1].copy()))
    for node in np.flatnonzero(game.rounds.swap):
        seat, street = int(game.rounds.player[node]), int(game.betting.street[node])
        low, high = game.layout[seat][street : street + 2]
        part = strategy.policy[seat][low:high].reshape(
            -1, int(game.rounds.rows[seat, street]), game.showdown.sizes[seat]
        )
        part[:, game.rounds.row[node] : game.rounds.row[node] + 3] = np.array([1.0, 0.0, 0.0])[:, None]
    return strategy


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(spot(), id="in turn"),
        pytest.param(spot(together=True), id="together"),
        pytest.param(spot((0, 1), streets=(0, 1, 1), menu="none"), id="two streets"),
    ],
)
def test_values_and_best_replies_are_those_of_pairs_of_hands(game: VectorGame) -> None:
    policy = drawn_play(game, 3)
    strategy, compiled, plain = ArrayStrategy(game, policy), Walker(game), PlainWalker(game)
    for seat in (0, 1):
        slow = Naive(game, strategy, seat).values()
        assert hand_values(game, strategy, seat) == pytest.approx(slow, abs=1e-12)
        if not game.betting.rules.together:  # a best reply pair by pair would see too much
            best = Naive(game, strategy, seat, best=True).values()
            assert hand_values(game, strategy, seat, best=True) == pytest.approx(best, abs=1e-12)
    assert compiled.values(policy) == pytest.approx(plain.values(policy), abs=1e-12)
    assert compiled.best_values(policy) == pytest.approx(plain.best_values(policy), abs=1e-12)
    for walker in (compiled, plain):
        for seat in (0, 1):
            earned, reply = walker.best_response(policy, seat)
            both = (reply, policy[1]) if seat == 0 else (policy[0], reply)
            assert walker.values(both)[seat] == pytest.approx(earned, abs=1e-12)
            assert earned == pytest.approx(compiled.best_values(policy)[seat], abs=1e-12)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_up_is_down_turned_around(seed: int) -> None:
    """With as much met by every hand, the sum of value times reach is the same before and after a swap."""
    game, rng = spot(), np.random.default_rng(seed)
    rounds, n, cards = game.rounds, game.showdown.sizes[0], game.showdown.arrays.cards[0]  # type: ignore[attr-defined]
    walk = PlainWalker(game)
    reach, sigma, alive = walk.reach(0, 0), walk.sigma(0, 0), np.arange(n, dtype=np.int16)
    reach[0], sigma[:3], after = rng.random(n), rng.random((3, n)), rng.random(n)
    parts = reach[0] * sigma[1:3]
    kernels.forward_reach(rounds, 0, 0, sigma, reach, cards, alive, walk.workspace.showdown.held)
    walk.workspace.showdown.met[:], walk.workspace.value[2, :n] = 1.0, after
    walk.seat = 0
    assert walk.open_up(0)
    draws = game.draws()[0]
    before = (walk.workspace.value[2:4, :n] * parts).sum() * (draws + 2) / draws
    assert reach[rounds.at[0, 2]] @ after == pytest.approx(before, abs=1e-12)
    assert reach[rounds.at[0, 3]] == pytest.approx(parts.sum(axis=0))


def test_nobody_draws_the_card_just_thrown_or_one_of_the_board() -> None:
    game = spot((0, 1), known=0, streets=(0, 1, 1), menu="none")
    walk = PlainWalker(game)
    policy = tuple(np.ones(int(at[-1])) for at in game.layout)
    walk._policy = policy  # type: ignore[assignment]
    walk.seat, walk.mode = 1, kernels.MIX
    walk.open(0, 0)
    walk.open(1, 2)
    names = game.showdown.names(0)
    (card,) = game.board(1, 2).cards
    blocked = [i for i, two in enumerate(game.showdown.arrays.cards[0].tolist()) if card in two]  # type: ignore[attr-defined]
    assert len(blocked) == 6
    assert not walk.reach(1, 0)[:, blocked].any()
    first = walk.reach(0, 0)
    first[0] = 0.0
    first[0, names.index("AcKc")] = 1.0
    sigma = np.zeros_like(walk.sigma(0, 0))
    sigma[1] = 1.0  # the lower card goes
    kernels.forward_reach(
        game.rounds, 0, 0, sigma, first, walk.cards(0), np.arange(21, dtype=np.int16), walk.workspace.showdown.held
    )
    assert {names[i] for i in np.flatnonzero(first[game.rounds.at[0, 2]])} == {"AcQc", "AcJc", "AcTc", "Ac9c", "Ac8c"}


def test_without_a_swap_it_is_the_ordinary_game() -> None:
    game, usual = spot(), spot(())
    strategy = everyone_keeps(game, drawn_play(game, 4))
    node, shift = game.betting.find("keep, keep"), {}
    for plain in range(usual.betting.n_nodes):  # the node of the same letters
        shift[plain] = game.betting.find("kk" + usual.betting.letters(plain)) if plain else node

    class Same:
        def rows(self, decision, board):  # type: ignore[no-untyped-def]
            return strategy.rows(shift[decision], board)

    for seat in (0, 1):
        expected = hand_values(usual, Same(), seat)
        assert hand_values(game, strategy, seat) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("swaps", [(0,), (0, 1)])
def test_boards_up_to_suits_are_all_boards(swaps: tuple[int, ...]) -> None:
    shape = {"ranks": 4, "suits": 2, "known": 1, "streets": (0, 1, 1), "drawn": False}
    found = []
    for merged in (False, True):
        solver = VectorCfr(spot(swaps, merged=merged, **shape), PRESETS["cfr+"], store="float64")  # type: ignore[arg-type]
        solver.step(6)
        found.append((*solver.values(), *solver.best_values()))
    assert found[1] == pytest.approx(found[0], abs=1e-9)


@pytest.mark.parametrize("together", [False, True])
def test_it_converges_and_the_real_game_is_near(together: bool) -> None:
    game = spot(together=together, streets=(0,), drawn=False)
    solver = VectorCfr(game, PRESETS["dcfr"], store="float64")
    solver.step(300)
    assert solver.exploitability() < 0.01 * game.betting.rules.pot
    rules = real_game(game)
    real = measure(rules, in_real_game(game, solver.strategy(), rules))
    assert real.exploitability < 0.2 * game.betting.rules.pot
    half = game.betting.rules.pot / 2.0
    assert real_value(game, solver.strategy()) - half == pytest.approx(real.value, abs=1e-9)
    if not together:
        best = [real_best(game, solver.strategy(), seat) - half for seat in (0, 1)]
        assert best == pytest.approx(real.best, abs=1e-9)
    kept = everyone_keeps(game, drawn_play(game, 5))
    usual = float(game.weights[0] @ hand_values(game, kept, 0)) - game.betting.rules.pot / 2.0
    assert measure(rules, in_real_game(game, kept, rules)).value == pytest.approx(usual, abs=1e-12)


@pytest.mark.long
def test_real_cards_on_two_streets_are_the_plain_game_s() -> None:
    game = spot(ranks=4, suits=2, menu="none", drawn=False)
    strategy, rules = ArrayStrategy(game, drawn_play(game, 5)), real_game(game)
    found, half = measure(rules, in_real_game(game, strategy, rules)), game.betting.rules.pot / 2.0
    assert real_value(game, strategy) - half == pytest.approx(found.value, abs=1e-12)
    assert [real_best(game, strategy, seat) - half for seat in (0, 1)] == pytest.approx(found.best, abs=1e-12)


def test_refusals() -> None:
    game = spot()
    with pytest.raises(UserError, match="forgets the cards thrown away"):
        FlatHoldem(game)
    with pytest.raises(UserError, match="equally often"):
        real_game(game)
    with pytest.raises(UserError, match="no card left to change one for"):
        spot(ranks=5, streets=(0,))
