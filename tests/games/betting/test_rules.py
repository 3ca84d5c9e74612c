"""The rules of betting, case by case: blinds that are short, minimum raises, what comes back, rake, names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.games import game
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.rules import DEAL, FOLD, LIMIT_HOLDEM, SHOWDOWN, Betting, Move
from headsup.games.catalogue.poker import Poker, RankDeck

FLOP = Betting(first=(0, 0, 0), stacks=(910, 910), pot=180)


def hand(**changes: Any) -> Betting:
    given: dict[str, Any] = {"first": (0, 1, 1, 1), "stacks": (100, 100), "blinds": (5, 10)}
    return Betting(**(given | changes))


@pytest.mark.parametrize(
    ("rules", "line", "bounds"),
    [
        (hand(), "", (20, 100)),
        (hand(), "call", (20, 100)),
        (hand(), "raise 25", (40, 100)),  # the raise was 15
        (hand(), "raise 25, raise 60", (95, 100)),
        (hand(), "raise 25, raise 65", (100, 100)),  # all that is left is less than a full raise
        (hand(), "call, check", (10, 90)),
        (hand(min_bet=4), "call, check", (4, 90)),
        (hand(full_raises=False), "raise 50", (60, 100)),
        (hand(stacks=(100, 40)), "", (20, 100)),  # more than the other has may be bet, and comes back
        (hand(kind="pot-limit"), "", (20, 30)),  # 20 in the pot after a call
        (hand(kind="pot-limit"), "raise 30", (50, 90)),
        (hand(antes=(1, 1), kind="pot-limit"), "", (20, 32)),
        (hand(cap=(2, 1, 1, 1)), "raise 25", None),
        (hand(), "all-in", None),
        (hand(stacks=(10, 100)), "", None),  # can only call
        (FLOP, "", (1, 910)),
        (FLOP, "bet 94", (188, 910)),
        (LIMIT_HOLDEM, "", (4, 4)),
        (LIMIT_HOLDEM, "raise 4", (6, 6)),
        (LIMIT_HOLDEM, "raise 4, raise 6, raise 8", None),
        (LIMIT_HOLDEM, "call, check, check, check", (4, 4)),  # the turn
    ],
)
def test_legal_totals(rules: Betting, line: str, bounds: tuple[int, int] | None) -> None:
    state = rules.root()
    for step in filter(None, line.split(", ")):
        total = int(step.split()[1]) if " " in step else rules.most(state) if step == "all-in" else None
        choices = {move.name.lower(): after for move, _, after in rules.moves(state, ())}
        state = choices[step] if total is None else rules.bet(state, total)
        while state.player == DEAL:
            state = rules.next_street(state)
    assert rules.bounds(state) == bounds


@pytest.mark.parametrize(
    ("stacks", "antes", "decisions", "payoffs"),
    [
        ((5, 100), (0, 0), [0, 0, 0, 0], ((5, 5), (-5, -5))),  # the small blind is all-in for it
        ((3, 100), (0, 0), [0, 0, 0, 0], ((3, 3), (-3, -3))),
        ((100, 3), (0, 0), [0, 0, 0, 0], ((3, 3), (-3, -3))),  # the big blind has less than the small one
        ((100, 5), (0, 0), [0, 0, 0, 0], ((5, 5), (-5, -5))),
        ((100, 7), (0, 0), [1, 0, 0, 0], ((7, 7), (-7, -7))),  # two more to call
        ((7, 100), (0, 0), [1, 0, 0, 0], ((7, 7), (-7, -7))),
        ((2, 100), (4, 4), [0, 0, 0, 0], ((2, 2), (-2, -2))),  # short of the ante: as much comes back
        ((2, 100), (0, 4), [0, 0, 0, 0], ((6, 2), (-2, -6))),  # an ante that one owes is anybody's
    ],
)
def test_short_blinds(
    stacks: tuple[int, int], antes: tuple[int, int], decisions: list[int], payoffs: tuple[tuple[int, int], ...]
) -> None:
    tree = betting_tree(hand(stacks=stacks, antes=antes), "a")
    assert tree.decisions() == decisions
    shown = np.flatnonzero(tree.player == SHOWDOWN)
    assert len(shown) == 1
    assert ((*tree.win[shown[0]],), (*tree.lose[shown[0]],)) == payoffs


def test_uncalled_chips_go_back() -> None:
    rules = hand(stacks=(300, 100))
    jam = rules.bet(rules.root(), 300)
    folded, called = (after for _, _, after in rules.moves(jam, ()))
    assert (folded.player, rules.payoffs(folded)) == (FOLD, ((10.0, 10.0), (-10.0, -10.0)))
    assert called.player == DEAL
    assert called.paid == (300, 100)
    assert rules.payoffs(called) == ((100.0, 100.0), (-100.0, -100.0))


def test_an_all_in_runs_out_the_board() -> None:
    tree = betting_tree(hand(), "a")
    node = tree.find("all-in, call")
    seen = [int(tree.player[node])]
    while tree.count[node]:
        node = int(tree.child[node])
        seen.append(int(tree.player[node]))
    assert seen == [DEAL, DEAL, DEAL, SHOWDOWN]
    assert tree.find("ac///") == node
    assert tree.letters(node) == "ac///"
    assert tree.line(node) == "all-in 100, call"


@pytest.mark.parametrize(
    ("changes", "line", "win", "lose"),
    [
        ({"rake": 0.05}, "fold", (5, 5), (-5, -5)),  # no flop, no drop
        ({"rake": 0.05, "no_flop_no_drop": False}, "fold", (4.5, 4.5), (-5, -5)),
        ({"rake": 0.05}, "call, check, check, bet 40, fold", (9, 9), (-10, -10)),
        ({"rake": 0.05}, "all-in, call", (90, 90), (-100, -100)),
        ({"rake": 0.05, "rake_cap": 3.0}, "all-in, call", (97, 97), (-100, -100)),
        ({}, "all-in, call", (100, 100), (-100, -100)),
    ],
)
def test_rake(changes: dict[str, Any], line: str, win: tuple[float, float], lose: tuple[float, float]) -> None:
    tree = betting_tree(hand(**changes), "preflop a; a | flop 40c; none")
    node = tree.find(line)
    while tree.player[node] == DEAL:
        node = int(tree.child[node])
    assert ((*tree.win[node],), (*tree.lose[node],)) == (pytest.approx(win), lose)
    assert tree.total == (None if changes else 0.0)


def test_the_pot_at_the_root_is_won() -> None:
    tree = betting_tree(FLOP, "52%; 2.5x")
    node = tree.find("bet 94, fold")
    assert (tree.win[node, 0], tree.lose[node, 1]) == (180.0, 0.0)
    node = tree.find("check, check, check, check, check, check")
    assert (*tree.win[node], *tree.lose[node]) == (180.0, 180.0, 0.0, 0.0)
    assert tree.total == 180.0


def test_jam_or_fold() -> None:
    tree = betting_tree(hand(jam_or_fold=True))
    assert tree.actions(0) == ["fold", "all-in 100"]
    assert tree.actions(tree.find("r")) == ["fold", "call"]
    assert tree.decisions() == [2, 0, 0, 0]


def test_names_are_totals() -> None:
    tree = betting_tree(FLOP, "52%; 2.5x")
    node = tree.find("check, bet 94, raise 235, call")
    assert tree.player[node] == DEAL
    assert tree.line(node) == "check, bet 94, raise 235, call"
    assert tree.letters(node) == "cr94r235c"
    assert tree.find("cr94r235c") == node
    assert tree.find("cr94r235c/") == tree.child[node]
    assert tree.find("check, bet 94, raise 235, call / check") == tree.child[tree.child[node]]
    assert tree.actions(tree.find("cr94r235c/")) == ["check", "bet 338"]
    assert [tree.action_name(i) for i in (0, 1, 2)] == ["", "check", "bet 94"]
    limit = betting_tree(LIMIT_HOLDEM)
    assert all(limit.find(limit.letters(node)) == node for node in range(0, limit.n_nodes, 7))
    state = game("leduc_nolimit").public_root()  # type: ignore[attr-defined]
    assert game("leduc_nolimit").public_actions(state) == ["c", "r1", "r2", "a"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("check, bet 95", "column 8: 'bet 95' is not possible here, where there is check, bet 94"),
        ("bet 94, fold, check", "column 15: 'check' is not possible here, where there is nothing: the hand is over"),
        ("bet", "column 1: 'bet' needs the total bet on this street"),
        ("ccz", "column 1: 'ccz' is not an action"),
        ("check,,bet 94", "column 7: '' is not an action"),
    ],
)
def test_lines_that_are_not_there(line: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        betting_tree(FLOP, "52%; 2.5x").find(line)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"first": ()}, "opens each of one to four streets"),
        ({"first": (0, 2)}, "opens each of one to four streets"),
        ({"kind": "spread"}, "there is no betting 'spread': choose from no-limit, pot-limit, limit"),
        ({"stacks": (10.5, 10)}, "whole numbers of chips"),
        ({"blinds": (-1, 2)}, "whole numbers of chips"),
        ({"stacks": (0, 10)}, "at least one chip"),
        ({"stacks": (1 << 40, 1 << 40)}, "no-limit betting needs stacks"),
        ({"kind": "limit"}, "one bet size a street: 4 sizes"),
        ({"cap": (3,)}, "a cap is given for each street: 4 numbers, not 1"),
        ({"blinds": (10, 5)}, "the first to act has the greater blind"),
        ({"rake": 1.5}, "the rake is a share from 0 to below 1"),
        ({"rake": 0.1, "rake_cap": -1.0}, "the rake is a share"),
    ],
)
def test_rules_that_make_no_sense(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError, match=words):
        hand(**changes)


@pytest.mark.parametrize("changes", [{"rake": 0.1}, {"pot": 3}, {"antes": (0, 1)}])
def test_flat_games_are_zero_sum(changes: dict[str, Any]) -> None:
    rules = Betting(**({"first": (0,), "stacks": (9, 9), "antes": (1, 1)} | changes))
    with pytest.raises(UserError, match="no rake, no pot at first, equal antes"):
        Poker("raked", RankDeck("JQK"), rules, board=(0,))


def test_moves_are_numbers_of_the_enum() -> None:
    tree = betting_tree(FLOP, "52%, a; 2.5x")
    kinds = {tree.action_name(i).split(" ")[0]: Move(int(tree.kind[i])) for i in range(1, tree.n_nodes)}
    assert kinds.items() >= {"bet": Move.BET, "raise": Move.RAISE, "all-in": Move.ALLIN, "call": Move.CALL}.items()
