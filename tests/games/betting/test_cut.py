"""Parts of betting trees: what is kept is as it was, and the promises of a tree hold."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.cut import cut_tree, decisions_below, without_bets
from headsup.games.betting.rules import DEAL, Betting, Move
from tests.games.betting.test_bettingtree import check_promises

HAND = Betting(first=(0, 1, 1), stacks=(40, 40), blinds=(1, 2))


def test_nothing_cut_is_the_tree() -> None:
    tree = betting_tree(HAND, "100%, a")
    same, nodes = cut_tree(tree)
    assert (nodes == np.arange(tree.n_nodes)).all()
    for name in ("street", "player", "parent", "child", "count", "paid", "win", "lose", "kind", "amount", "start"):
        assert (getattr(same, name) == getattr(tree, name)).all(), name
    assert all((a == b).all() for a, b in zip(same.entries, tree.entries, strict=True))


@pytest.mark.parametrize("line", ["", "call, check", "raise 6, call", "raise 6, call, check, check"])
def test_what_follows_a_line(line: str) -> None:
    tree = betting_tree(HAND, "100%, a")
    root = tree.find(line)
    part, nodes = cut_tree(tree, root)
    check_promises(part)
    assert nodes[0] == root
    for node, was in enumerate(nodes.tolist()):
        assert tree.line(was) == ", ".join(filter(None, (line, part.line(node))))
        assert (part.win[node] == tree.win[was]).all()
    below = [n for n in range(tree.n_nodes) if root in tree._path(n)]
    assert nodes.tolist() == below


def test_without_bets_from_a_street_on() -> None:
    """The same tree as a menu without them builds."""
    tree = betting_tree(HAND, "100%, a")
    part, _ = cut_tree(tree, 0, without_bets(tree, 2))
    wanted = betting_tree(HAND, "100%, a | turn none")
    check_promises(part)
    for name in ("street", "player", "parent", "child", "count", "paid", "win", "lose", "kind", "amount", "start"):
        assert (getattr(part, name) == getattr(wanted, name)).all(), name


def test_no_action_left() -> None:
    tree = betting_tree(HAND, "100%, a")
    gone = tree.parent == tree.parent[tree.find("call, check, check")]
    with pytest.raises(UserError, match="after 'call, check' no action is left"):
        cut_tree(tree, 0, gone)
    calls = np.asarray((tree.kind == Move.CALL) & (tree.parent == 0))
    assert cut_tree(tree, 0, calls)[0].actions(0) == ["fold", "raise 6", "all-in 40"]


def test_decisions_below() -> None:
    tree = betting_tree(HAND, "100%, a")
    found = decisions_below(tree)
    assert not found[tree.find("all-in, call")]
    assert found[tree.find("call, check")]
    assert (found[tree.player < DEAL]).all()
