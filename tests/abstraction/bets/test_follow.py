"""A player at a table where every bet is allowed, who follows the hand in a tree of few."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.abstraction.bets.follow import pot_fraction, total_of
from headsup.abstraction.bets.sizes import METHODS
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.rules import DEAL, Betting, Move
from tests.follower import Follower

RULES = Betting(first=(0, 1), stacks=(40, 40), blinds=(1, 2))
MENU = "50%, 100%, 200%, a | cap 3"
TREE = betting_tree(RULES, MENU)


def test_the_papers_example() -> None:
    """andersson-2006: 3 into 10 is a check with 40 %; drawn a thousand times it is so within four deviations."""
    rules = Betting(first=(0,), stacks=(100, 100), pot=10)
    tree, visits = betting_tree(rules, "50%, 100%, a"), Counter[int]()
    follower = Follower(tree, "linear", Random(1))
    for _ in range(1000):
        follower.restart()
        follower.saw(rules.root(), Move.BET, 3)
        visits[follower.node] += 1
    assert set(visits) == {tree.find("check"), tree.find("bet 5")}
    assert abs(visits[tree.find("check")] - 400) < 4 * (1000 * 0.4 * 0.6) ** 0.5


@given(st.integers(0, 10**6), st.sampled_from(METHODS), st.booleans())
def test_hands_are_followed_to_their_end(seed: int, method: str, on_menu: bool) -> None:
    """Random opponents, any legal bet: what the follower does is legal; within the menu it stands where the hand is."""
    random = Random(seed)
    me, follower, state, line = random.randrange(2), Follower(TREE, method, random), RULES.root(), []
    while state.player <= DEAL:
        if state.player == DEAL:
            state = RULES.next_street(state)
            follower.deal()
            continue
        node = TREE._dealt(TREE.find(", ".join(line))) if on_menu else -1
        amounts = [int(TREE.amount[c]) for c in follower._sizes.bets(node)] if on_menu else RULES.amounts(state)
        moves = RULES.moves(state, amounts)
        if state.player == me:
            if on_menu:
                assert follower.node == node
            if follower.lost:
                move, total = next((option, 0) for option, _, _ in moves if option in (Move.CHECK, Move.CALL))
            else:
                assert TREE.player[follower.node] == me
                move, total = follower.act(state, random.randrange(int(TREE.count[follower.node])))
            chosen = [option for option in moves if option[0] == move and (move < Move.BET or option[1] == total)]
            assert len(chosen) == 1, (move, total, moves)
        else:
            chosen = [random.choice(moves)]
            follower.saw(state, chosen[0][0], chosen[0][1])
        move, total, state = chosen[0]
        line.append(f"{'all-in' if move == Move.ALLIN else move.name.lower()}" + f" {total}" * (move >= Move.BET))


def test_chips() -> None:
    state = RULES.bet(RULES.root(), 6)  # the small blind raises to 6: 4 more into a pot of 4 after a call
    assert pot_fraction(RULES, RULES.root(), 6) == pytest.approx(1.0)
    assert pot_fraction(RULES, state, 18) == pytest.approx(1.0)
    assert total_of(RULES, state, Move.RAISE, 1.0) == 18
    assert total_of(RULES, state, Move.RAISE, 0.01) == 10  # the smallest raise
    assert total_of(RULES, state, Move.RAISE, 50.0) == total_of(RULES, state, Move.ALLIN, 0.0) == 40
    assert total_of(RULES, RULES.bet(state, 40), Move.RAISE, 1.0) is None


def test_a_closed_street_and_a_new_hand() -> None:
    follower = Follower(TREE, "nearest")
    state = RULES.root()
    follower.act(state, 1)  # calls
    state = RULES.moves(state, [])[1][2]
    follower.saw(state, Move.RAISE, 4)
    assert not follower.lost  # half the pot
    follower.restart()
    assert follower.node == 0
    turn = betting_tree(Betting(first=(0, 0), stacks=(100, 100), pot=40), "100%, a")
    follower = Follower(turn, "nearest")
    follower.act(turn.rules.root(), 0)
    checked = turn.rules.moves(turn.rules.root(), [])[0][2]
    follower.saw(checked, Move.BET, 4)
    assert follower.lost  # a tenth of the pot is read as a check, which ends the street
    assert follower.tree.line(follower.node) == "check, check"
    follower.deal()
    assert not follower.lost
