"""Lossless shrinking: the shrunken game has the value of the whole one, and its equilibria lifted back lose nothing."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from headsup.abstraction import merge, shrink
from headsup.abstraction.merging.shrink import card_classes
from headsup.common.errors import UserError
from headsup.games import game, public_tree
from headsup.games.catalogue.names import rhode_island_poker
from headsup.games.trees.publictree import PublicTree
from headsup.measure.measurement import of_plans
from headsup.solve.small.lp import sequence_lp
from tests.naive_games import suit_blind
from tests.solve import compiled


def rhode_island(ranks: int, suits: int) -> PublicTree:
    return public_tree(rhode_island_poker(ranks, suits, 1))


@pytest.mark.parametrize("name", ["leduc", "kuhn"])
def test_the_value_is_that_of_the_whole_game(name: str) -> None:
    check_lossless(public_tree(game(name)))


@compiled
def test_the_value_of_rhode_island_is_that_of_the_whole_game() -> None:
    check_lossless(rhode_island(3, 2))


def check_lossless(tree: PublicTree) -> None:
    shrunk, whole = shrink(tree), tree.sequence_form()
    small = shrunk.tree.sequence_form()
    value, plans = sequence_lp(small)
    assert value == pytest.approx(sequence_lp(whole)[0], abs=1e-9)
    lifted = whole.plans(shrunk.lift(small.behaviours(plans)))
    assert of_plans(whole, lifted).exploitability == pytest.approx(0.0, abs=1e-9)


def test_leduc_is_merged_by_rank() -> None:
    tree = public_tree(game("leduc"))
    assert card_classes(tree).counts() == [3, 9]
    ours, known = shrink(tree), merge(tree, suit_blind)
    for seat in (0, 1):
        assert len(set(zip(ours.lifts[seat], known.lifts[seat], strict=True))) == len(set(known.lifts[seat]))
        assert len(set(ours.lifts[seat])) == len(set(known.lifts[seat]))


def test_kuhn_cannot_be_shrunk() -> None:
    assert shrink(public_tree(game("kuhn"))).ratio == 1.0


def test_hands_that_a_renaming_of_suits_exchanges_are_merged_and_more() -> None:
    """Each hand with its board up to suits, one by one: no finer than the classes, and coarser on the last street."""
    tree = rhode_island(3, 3)
    classes, hands = card_classes(tree), tree.hands[0]
    boards = {int(tree.cards[0]): ()}
    for node in range(tree.n_nodes):
        for i in range(int(tree.child[node]), int(tree.child[node + 1])):
            if tree.cards[i] != tree.cards[node]:
                gone = np.flatnonzero(tree.weights[tree.cards[i]].sum(axis=1) == 0).tolist()
                before = boards[int(tree.cards[node])]
                new = next(hands[h] for h in gone if hands[h] not in before)
                boards[int(tree.cards[i])] = (*before, new)
    suits = sorted({hand[1] for hand in hands})
    for depth in range(3):
        kinds: dict[tuple[str, ...], set[int]] = {}
        for state in np.flatnonzero(classes.depth == depth).tolist():
            for h in np.flatnonzero(classes.classes[0][state] >= 0).tolist():
                cards = hands[h], *boards[state]
                kind = min(
                    tuple(card[0] + str(order.index(card[1])) for card in cards) for order in permutations(suits)
                )
                kinds.setdefault(kind, set()).add(int(classes.classes[0][state][h]))
        assert all(len(found) == 1 for found in kinds.values())
        assert len(kinds) >= classes.counts()[depth]
    assert len(kinds) > classes.counts()[2]


def test_a_tree_up_to_suits_is_refused() -> None:
    with pytest.raises(UserError, match="is merged already"):
        shrink(public_tree(game("leduc"), up_to_suits=True))
