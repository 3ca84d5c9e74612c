"""Public trees: what they keep, and public cards dealt only up to suits."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.games import CHANCE, TERMINAL, PublicGame, game, public_tree
from headsup.games.trees.unroll import unroll
from headsup.solve import solve
from headsup.solve.small.lp import sequence_lp

SUITED = [
    "leduc",
    "leduc:ranks=2,suits=3",
    "small_holdem:ranks=4,suits=2,raises=1",
    "small_holdem:ranks=3,suits=3,raises=1",
]


def public(name: str) -> PublicGame:
    one = game(name)
    assert isinstance(one, PublicGame)
    return one


@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars_dice:sides=3", "small_holdem:ranks=4,suits=2"])
def test_probabilities_add_up(name: str) -> None:
    """For every pair of hands, the public cards below a chance node are as likely together as those above it."""
    tree = public_tree(public(name))
    assert tree.deal.sum() == pytest.approx(1.0)
    for node in np.flatnonzero(tree.player == CHANCE):
        below = tree.weights[tree.cards[tree.child[node] : tree.child[node + 1]]].sum(axis=0)
        here = tree.weights[tree.cards[node]]
        assert np.allclose(below[tree.deal > 0], here[tree.deal > 0])
    assert ((tree.matrix >= 0) == (tree.player == TERMINAL)).all()


@pytest.mark.parametrize("name", SUITED)
def test_public_cards_up_to_suits_lose_nothing(name: str) -> None:
    plain, short = (
        public_tree(public(name)).sequence_form(),
        public_tree(public(name), up_to_suits=True).sequence_form(),
    )
    assert sum(s.n_infosets for s in short.seats) * 1.9 <= sum(s.n_infosets for s in plain.seats)
    for form in (plain, short):
        assert form.value(form.plans(form.uniform())) == pytest.approx(plain.value(plain.plans(plain.uniform())))
        values = form.best_values(form.plans(form.uniform()))
        assert values == pytest.approx(plain.best_values(plain.plans(plain.uniform())), abs=1e-12)


def test_up_to_suits_has_the_same_value() -> None:
    short = public_tree(public("leduc"), up_to_suits=True)
    assert sequence_lp(short.sequence_form())[0] == pytest.approx(-0.085606424078, abs=1e-9)
    assert short.n_nodes < public_tree(public("leduc")).n_nodes
    plain, fast = (solve(game("leduc"), "cfr+", iterations=15, form="vector", up_to_suits=u) for u in (False, True))
    assert fast.exploitability == pytest.approx(plain.exploitability, abs=1e-9)


def test_a_strategy_up_to_suits_holds_in_the_real_game() -> None:
    """What is learned up to suits, played with real cards, has the exploitability that was claimed for it."""
    one = public("leduc")
    short = public_tree(one, up_to_suits=True).sequence_form()
    found = solve(short, "cfr+", iterations=50)
    real = public_tree(one).sequence_form()
    tables = [seat.table(sigma) for seat, sigma in zip(short.seats, found.strategy, strict=True)]

    def canonical(name: str) -> str:
        """The representative's name: the first board of a rank, and before the board the first hand of a rank."""
        hand, _, text = name.partition("|")
        if "/" not in text:
            return f"{hand[0]}h|{text}"
        if text.split("/")[1][1] == "s":  # exchange the suits so that the board is a heart
            swapped = {"h": "s", "s": "h"}
            before, board, after = text.split("/")
            return f"{hand[0]}{swapped[hand[1]]}|{before}/{board[0]}h/{after}"
        return name

    profile = []
    for seat, table in zip(real.seats, tables, strict=True):
        names = [seat.labels.infoset(i) for i in range(seat.n_infosets)]
        profile.append(seat.from_table({name: table[canonical(name)] for name in names}))
    plans = real.plans((profile[0], profile[1]))
    assert sum(real.best_values(plans)) / 2 == pytest.approx(found.exploitability, abs=1e-12)


def test_refusals() -> None:
    with pytest.raises(UserError, match="no plain tree"):
        unroll(public_tree(public("leduc"), up_to_suits=True))

    class Empty(type(public("kuhn"))):  # type: ignore[misc]
        def deal(self) -> np.ndarray:
            return np.zeros((3, 3))

    kuhn = public("kuhn")
    with pytest.raises(UserError, match="not all 0"):
        public_tree(Empty("empty", kuhn.deck, kuhn.betting, kuhn.board))
