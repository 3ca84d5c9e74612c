"""One test that every game passes: it keeps the promises of the contract, and its flat forms agree with it."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.games import CHANCE, GAMES, TERMINAL, Game, PublicGame, flatten, game, public_tree, sequence_form
from headsup.games.trees.efg import parse_efg, write_efg
from headsup.games.trees.tree import walk
from headsup.games.trees.unroll import unroll

SMALL = (
    "rps",
    "andersson",
    "kuhn",
    "kuhn:ranks=5",
    "leduc:merged=true",
    "leduc:ranks=2",
    "leduc:ranks=4,suits=1",
    "leduc_nolimit:merged=true,stack=6,raises=1",
    "numbers:n=4,stack=4",
    "numbers:n=3,stack=3,raises=2",
    "spades",
    "small_holdem:ranks=4,suits=2,rounds=1",
    "liars_dice:sides=3",
    "borel:cells=4",
    "neumann:cells=3,bet=1.5",
    "holdem-discard:ranks=7,suits=1",
)


def test_every_game_of_the_catalogue_is_tried() -> None:
    """Those of betting and boards have no states of their own: test_walk and test_plain try their flat forms."""
    boards = {"rhode-island", "holdem-limit", "holdem-nolimit", "jamfold", "preflop"}
    assert {name.partition(":")[0] for name in SMALL} == set(GAMES) - boards


@pytest.fixture(params=[*SMALL, "efg"], ids=str)
def any_game(request: pytest.FixtureRequest) -> Game:
    if request.param == "efg":
        return parse_efg(write_efg(game("kuhn")), "kuhn.efg")
    return game(request.param)


def test_contract(any_game: Game) -> None:
    actions_at: dict[tuple[int, str], list[str]] = {}
    waiting = [any_game.root()]
    while waiting:
        state = waiting.pop()
        hash(state)
        who = any_game.player(state)
        assert who in (0, 1, CHANCE, TERMINAL)
        if who == TERMINAL:
            assert np.isfinite(any_game.payoff(state))
            continue
        actions = list(any_game.actions(state))
        assert actions
        assert len(set(actions)) == len(actions)
        assert all(isinstance(name, str) and name for name in actions)
        if who == CHANCE:
            odds = list(any_game.chance(state))
            assert len(odds) == len(actions)
            assert min(odds) > 0
            assert sum(odds) == pytest.approx(1.0, abs=1e-12)
        else:
            assert actions_at.setdefault((who, any_game.infoset(state)), actions) == actions
        waiting += [any_game.next(state, i) for i in range(len(actions))]
    assert any_game.unit > 0


def test_name_leads_back_to_the_game() -> None:
    for name in SMALL:
        one = game(name)
        again = game(str(one))
        assert (str(again), again.params, again.unit) == (str(one), one.params, one.unit)


def test_flat_tree(any_game: Game) -> None:
    """Breadth-first invariants, and the chance and payoffs of a walk."""
    tree = walk(any_game)
    assert tree.child[0] == 1
    assert tree.child[-1] == tree.n_nodes
    assert (np.diff(tree.child) >= 0).all()
    assert ((np.diff(tree.child) == 0) == (tree.player == TERMINAL)).all()
    assert sum(high - low for low, high in tree.levels()) == tree.n_nodes
    assert tree.nbytes <= 25 * tree.n_nodes + 4
    for seat in (0, 1):
        owner = np.repeat(np.arange(len(tree.parents[seat])), np.diff(tree.firsts[seat]))
        parent_owner = np.concatenate(([-1], owner))[tree.parents[seat]]
        assert (parent_owner < np.arange(len(parent_owner))).all()  # a parent comes before its children


def test_forms_agree(any_game: Game) -> None:
    """The walk through the contract, the unrolled public tree and the direct sequence form are one game."""
    slow = walk(any_game).sequence_form()
    forms = [flatten(any_game).sequence_form(), sequence_form(any_game)]
    random = np.random.default_rng(1)
    tables = []
    for seat in slow.seats:
        sigma = np.ones(seat.n_sequences)
        for i in range(seat.n_infosets):
            weights = random.random(seat.first[i + 1] - seat.first[i])
            sigma[seat.first[i] : seat.first[i + 1]] = weights / weights.sum()
        tables.append(seat.table(sigma))
    plans = slow.plans((slow.seats[0].from_table(tables[0]), slow.seats[1].from_table(tables[1])))
    for form in forms:
        assert form.unit == slow.unit
        mine = form.plans((form.seats[0].from_table(tables[0]), form.seats[1].from_table(tables[1])))
        assert [seat.n_infosets for seat in form.seats] == [seat.n_infosets for seat in slow.seats]
        assert form.value(mine) == pytest.approx(slow.value(plans), abs=1e-12)
        assert form.best_values(mine) == pytest.approx(slow.best_values(plans), abs=1e-12)


@pytest.mark.parametrize("name", [name for name in SMALL if isinstance(game(name), PublicGame)])
def test_unrolled_nodes_are_the_walked_nodes(name: str) -> None:
    one = game(name)
    assert isinstance(one, PublicGame)
    slow, fast = walk(one), unroll(public_tree(one))
    for column in ("player", "child"):
        assert np.array_equal(getattr(slow, column), getattr(fast, column))
    assert np.allclose(slow.chance, fast.chance, atol=1e-14)
    assert np.allclose(slow.payoff, fast.payoff, atol=1e-14)
    for seat in (0, 1):
        nodes = np.flatnonzero(slow.player == seat)
        names = [slow.labels[seat].infoset(i) for i in slow.infoset[nodes]]
        assert names == [fast.labels[seat].infoset(i) for i in fast.infoset[nodes]]
