"""Answers to decisions: values by continuation against those of solved spots, jam or fold, spots that hands reach."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.cards.combos import colex, holdem_combos
from headsup.games.betting import DEAL
from headsup.games.jamfold_hands import parse_class
from headsup.games.spot import Spot
from headsup.play.continuation import action_values, is_quick
from headsup.play.judges import JamFoldKnows, SpotKnows, knows
from headsup.play.known import EXACT, SOLVED, Known
from headsup.play.lbr import win_chances
from headsup.play.luck import share
from headsup.play.record import parse_betting
from headsup.play.rest import OnRealCards
from headsup.play.table import CALLS, FOLDS, Deal, Hand, Table, raise_to, table
from headsup.solve.jamfold import answer
from headsup.solve.spot import SpotSolution, solve_spot
from tests import naive

RIVER = Spot(board="Td9d6hQc2s", oop="AA,KTs,87s", ip="QQ,A9s,J8s", pot=200, stack=300, bets="75%, a", raises="a")
TURN = Spot(board="Td9d6hQc", oop="AsAh,8d7d", ip="QsQh,Jd8d", pot=20, stack=20, bets="a")


@cache
def river() -> SpotSolution:
    return solve_spot(RIVER, None, iterations=40)


def values_by_hand(found: SpotSolution, line: str) -> tuple[np.ndarray, np.ndarray]:
    """[hands, actions] by the walk over all hands, and by the sums for each hand alone."""
    view = found.at(line)
    source, tree = OnRealCards(found.game, found.strategy), found.game.betting
    node, board = tree.find(line), parse_cards(view.board)
    seat = int(tree.player[node])
    reach = found.spot.ranges[1 - seat].weights.copy()
    at, above = node, int(tree.parent[node])
    while above >= 0:
        if tree.player[above] == 1 - seat:
            reach = reach * source.rows(above, board)[at - int(tree.child[above])]
        at, above = above, int(tree.parent[above])
    holes = [tuple(two) for two in holdem_combos()[view.combos].tolist()]
    mine = [action_values(source, node, hole, board, reach) for hole in holes]
    return view.ev.T, np.array([[np.nan] * len(view.actions) if one is None else one for one in mine])


@pytest.mark.parametrize("line", ["", "check", "bet 150", "check, bet 150", "all-in", "bet 150, all-in"])
def test_values_are_those_of_the_walk_over_all_hands(line: str) -> None:
    walked, summed = values_by_hand(river(), line)
    assert np.isfinite(walked).any()
    assert summed == pytest.approx(walked, abs=1e-3, nan_ok=True)


def test_values_over_cards_that_come() -> None:
    found = solve_spot(TURN, None, iterations=10)
    assert not is_quick(found.game.betting, 0)
    walked, summed = values_by_hand(found, "")
    assert summed == pytest.approx(walked, abs=1e-3, nan_ok=True)
    assert is_quick(found.game.betting, found.game.betting.find("all-in"))


@pytest.mark.parametrize("board", ["Td9d6hQc2s", "Td9d6hQc", "Td9d6h"])
def test_shares_of_the_pot_are_counted_hand_by_hand(board: str) -> None:
    hole, cards = parse_cards("AsTh"), parse_cards(board)
    found = win_chances(hole, cards)
    for other in ("AdKd", "9s9h", "8c7c"):
        theirs = parse_cards(other)
        assert found[colex(sorted(theirs))] == pytest.approx(share("holdem", (hole, theirs), cards))
    assert found[colex(sorted(parse_cards("Td2c")))] == 0.0
    if len(cards) == 5:
        beaten = naive.best_key([*hole, *cards]) > naive.best_key([*parse_cards("8c7c"), *cards])
        assert found[colex(sorted(parse_cards("8c7c")))] == float(beaten)


def hand_at(there: Table, holes: tuple[str, str], board: str, betting: str) -> Hand:
    """A hand in its middle."""
    hand = there.hand(Deal((parse_cards(holes[0]), parse_cards(holes[1])), parse_cards(board)))
    for action in parse_betting(betting):
        hand.act(action)
    return hand


@pytest.mark.parametrize(
    ("game", "stack", "betting", "hand", "seat"),
    [
        ("holdem-jamfold", 10, "", "7c2d", "sb"),
        ("holdem-jamfold", 10, "r1000", "AsAh", "bb"),
        ("holdem-nolimit", 12, "", "AsAh", "sb"),
        ("omaha8-jamfold", 10, "r1000", "AsAhKd3c", "bb"),
    ],
)
def test_jam_or_fold_has_the_values_of_the_equilibrium(
    game: str, stack: int, betting: str, hand: str, seat: str
) -> None:
    there = table(game, stack)
    other = "9s9h9d8c"[: len(hand)]
    view = hand_at(there, (hand, other) if seat == "sb" else (other, hand), "", betting).view()
    found = answer(there.cards, float(stack))
    jam = view.legal.bet(view.legal.high)
    known, taken = JamFoldKnows().judge(view, FOLDS) or pytest.fail("it is known")
    again, other_one = JamFoldKnows().judge(view, jam) or pytest.fail("it is known")
    assert (taken, other_one, known.kind) == (0, 1, EXACT)
    assert again == known
    at = parse_class(there.cards, hand)
    assert known.choices[1].value == pytest.approx(float(found.ev(seat)[at]) - found.ev_fold(seat), abs=1e-6)
    assert known.choices[1].share == found.played(seat)[at]
    best = max(0.0, known.choices[1].value or 0.0)
    assert known.lost([1.0, 0.0]) == pytest.approx(best)
    assert known.lost([0.5, 0.5]) == pytest.approx(best - 0.5 * (known.choices[1].value or 0.0))


def test_limps_deep_stacks_and_later_streets_are_no_jam_or_fold() -> None:
    judge = JamFoldKnows()
    short, deep = (hand_at(table("holdem-nolimit", stack), ("7c2d", "AsAh"), "", "") for stack in (10, 100))
    assert judge.judge(short.view(), CALLS) is None
    assert judge.judge(short.view(), raise_to(300)) is None
    assert judge.judge(deep.view(), FOLDS) is None
    limped = hand_at(table("holdem-nolimit", 10), ("7c2d", "AsAh"), "", "c")
    assert judge.judge(limped.view(), CALLS) is None
    assert judge.judge(hand_at(table("omaha-potlimit", 10), ("7c2d2h9s", "AsAhKd3c"), "", "").view(), FOLDS) is None


def at_river(bet: str = "", stack: float = 4.0) -> Hand:
    """A hand of no-limit that comes to the river with 200 chips in the pot and the stack behind 300."""
    return hand_at(table("holdem-nolimit", stack), ("QsQd", "AsAh"), "Td9d6hQc2s", f"cc/cc/cc/{bet}")


def test_a_hand_that_comes_to_a_solved_spot_has_its_values() -> None:
    judge = SpotKnows(river(), "mine")
    hand = at_river()
    known, taken = judge.judge(hand.view(), raise_to(150)) or pytest.fail("it is the spot")
    view = river().at("")
    row = view.hand("AsAh")
    assert [one.name for one in known.choices] == ["check", "bet 150", "all-in"]
    assert (taken, known.kind, known.note) == (1, SOLVED, "")
    assert [one.share for one in known.choices] == pytest.approx(list(row["frequencies"].values()))
    assert [one.value for one in known.choices] == pytest.approx([x / 100 for x in row["ev"].values()], abs=1e-4)
    assert knows(hand.table, [judge])[0] is judge
    hand.act(raise_to(150))
    known, _ = judge.judge(hand.view(), CALLS) or pytest.fail("it is the spot")
    assert [one.value for one in known.choices] == pytest.approx(
        [x / 100 for x in river().at("bet 150").hand("QsQd")["ev"].values()], abs=1e-4
    )
    assert Known.of(known.as_dict()) == known


def test_a_bet_that_the_spot_lacks_is_read_as_another_and_said() -> None:
    judge, hand = SpotKnows(river(), "mine"), at_river()
    known, taken = judge.judge(hand.view(), raise_to(130)) or pytest.fail("it is the spot")
    assert taken == 1
    assert "nearest" in known.note


def test_other_boards_stacks_and_hands_are_not_the_spot() -> None:
    judge = SpotKnows(river(), "mine")
    assert judge.judge(at_river(stack=6.0).view(), CALLS) is None
    other = hand_at(table("holdem-nolimit", 4), ("QsQd", "AsAh"), "Td9d6hQc3s", "cc/cc/cc/")
    assert judge.judge(other.view(), CALLS) is None
    out = hand_at(table("holdem-nolimit", 4), ("QsQd", "7s2h"), "Td9d6hQc2d", "cc/cc/cc/")
    assert judge.judge(out.view(), CALLS) is None
    before = hand_at(table("holdem-nolimit", 4), ("QsQd", "AsAh"), "Td9d6hQc2s", "cc/cc/")
    assert judge.judge(before.view(), CALLS) is None
    assert river().game.betting.player[0] < DEAL
