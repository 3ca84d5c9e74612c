"""Answers to decisions: values by continuation against those of solved spots, jam or fold, spots that hands reach."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.cards.cards import parse_cards
from headsup.cards.classes import holdem_class_of_combo, holdem_class_reps
from headsup.cards.combos import colex, holdem_combos
from headsup.common.backend import JIT_DISABLED
from headsup.games.betting.rules import DEAL
from headsup.games.holdem.spot import Spot
from headsup.games.holdem.vector import ArrayStrategy
from headsup.jamfold.answer import answer
from headsup.jamfold.hands import parse_class
from headsup.play.agents.lbr import win_chances
from headsup.play.agents.subgame import OnRealCards
from headsup.play.coach.any_stack import judges_for
from headsup.play.coach.continuation import action_values, is_quick, values
from headsup.play.coach.judges import JamFoldJudge, SpotJudge, StrategyJudge, strategy_for
from headsup.play.coach.questions import TrainingQuestion, score
from headsup.play.coach.reference import ESTIMATE, EXACT, FREQUENCY, SOLVED, STRATEGY, ActionChoice, ReferenceAnswer
from headsup.play.statistics.values import pot_share
from headsup.play.table.record import parse_betting
from headsup.play.table.rules import CALLS, FOLDS, Deal, Table, TableHand, raise_to, table
from headsup.spots.solve import SpotSolution, solve_spot
from tests import naive

RIVER = Spot(board="Td9d6hQc2s", oop="AA,KTs,87s", ip="QQ,A9s,J8s", pot=200, stack=300, bets="75%, a", raises="a")
FLOP = Spot(board="Td9d6h", oop="AsAh,8d7d,Th9h,KdKc", ip="QsQh,Jd8d,AcTc,5d4d", pot=20, stack=40, bets="100%, a")
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
    reach, source = found.spot.ranges[1].weights, OnRealCards(found.game, found.strategy)
    for hand, row in zip(found.at("").hands, walked, strict=True):
        worth = values(source, 0, parse_cards(hand), parse_cards(TURN.board), reach, None)
        assert worth is not None
        assert (worth.values, worth.errors) == (pytest.approx(row.tolist(), abs=1e-3), [0.0] * len(row))


def test_the_limit_strategy_is_worth_before_the_flop_what_it_was_measured_to_be() -> None:
    """87.16 mbb/g for the dealer, by the exact measurement of `headsup.limit.shipped`: a walk of its own."""
    judge = strategy_for(table("holdem-limit"))
    assert judge is not None
    assert judge.lines is not None
    total, sizes, every = 0.0, np.bincount(holdem_class_of_combo()) / 1326, np.ones(1326)
    for size, hole in zip(sizes, holdem_class_reps().tolist(), strict=True):
        worth = values(judge.source, 0, tuple(hole), (), every, judge.lines)
        assert worth is not None
        shares = judge.source.rows(0, ())[:, colex(sorted(hole))]
        total += float(size) * float(shares @ np.array(worth.values)) / judge.game.unit
    assert 1000.0 * (total - 0.5) == pytest.approx(87.16, abs=0.01)


@pytest.mark.skipif(JIT_DISABLED, reason="hundreds of walks over a flop's betting")
def test_estimates_on_the_flop_are_as_near_as_they_say() -> None:
    """Half of them within a quarter of the interval or so; none of 12 farther off than twice of it."""
    found = solve_spot(FLOP, None, iterations=10)
    view, source, board = found.at(""), OnRealCards(found.game, found.strategy), parse_cards(FLOP.board)
    reach, names, apart = found.spot.ranges[1].weights, view.actions, list[float]()
    for i, hand in enumerate(view.hands):
        worth = values(source, 0, parse_cards(hand), board, reach, None, 23)
        assert worth is not None
        assert worth.runouts == 23
        shares, exact = view.frequencies[:, i], view.ev[:, i]
        jam = names.index("all-in 40")
        assert worth.values[jam] == pytest.approx(exact[jam], abs=1e-3)
        for a in range(len(names)):
            gap = float(shares @ worth.values) - worth.values[a] - (float(shares @ exact) - exact[a])
            assert abs(gap) <= 2.0 * worth.errors[a] + 1e-3
            apart += [abs(gap) / worth.errors[a]] if worth.errors[a] > 1e-6 else []
    assert len(apart) >= 8
    assert 0.01 < float(np.median(apart)) < 0.8
    assert values(source, 0, parse_cards(view.hands[0]), board, reach, None, 0) is None
    assert values(source, 0, parse_cards("Td2c"), board, 0.0 * reach, None) is None


def test_what_is_within_its_error_is_no_loss() -> None:
    choices = (
        ActionChoice("check", 0.5, 1.0),
        ActionChoice("bet 100", 0.5, 0.9, 0.2),
        ActionChoice("all-in", 0.0, 0.45, 0.2),
    )
    known = ReferenceAnswer("a strategy", ESTIMATE, choices)
    assert [known.lost_by(i) for i in range(3)] == pytest.approx([0.0, 0.0, 0.5])
    assert ReferenceAnswer.of(known.as_dict()) == known
    question = TrainingQuestion("1.1", "what?", "AsAh", known=known, epsilon=0.05)
    assert score(question, "bet 100").right
    assert score(question, "bet 100").best == "check or bet 100"
    assert not score(question, "all-in").right


@given(st.lists(st.tuples(st.integers(0, 255), st.floats(-20.0, 20.0)), min_size=1, max_size=6))
def test_a_loss_is_the_distance_below_the_reference_and_its_own_mix_has_none(rows: list[tuple[int, float]]) -> None:
    total = sum(pot_share for pot_share, _ in rows)
    choices = (ActionChoice(f"bet {i}", pot_share / (total or 1), worth) for i, (pot_share, worth) in enumerate(rows))
    known = ReferenceAnswer("x", EXACT, tuple(choices))
    if not total:
        assert (known.value, known.lost_by(0), known.best) == (None, None, None)
        return
    value = sum(pot_share * worth for pot_share, worth in rows) / total
    assert known.value == pytest.approx(value, abs=1e-9)
    assert known.lost([one.share for one in known.choices]) == pytest.approx(0.0, abs=1e-9)
    for i, (_, worth) in enumerate(rows):
        assert known.lost_by(i) == pytest.approx(max(0.0, value - worth), abs=1e-9)
    assert known.best is not None
    assert known.best.value == max(worth for _, worth in rows)


ALIKE = "The blueprint plays groups of hands alike, so it can be wrong about a single hand."
VERDICTS = (
    (  # an action that the reference itself takes
        (("check", 0.13, 2.736), ("bet 400", 0.87, 2.0)), 1, 0.13 * 0.736,
        "costs 0.10 bb compared with the mix of the blueprint, though the blueprint does this 87 % of the time",
        "By these values, check is worth 0.64 bb more than the mix of the blueprint, which chooses it 13 % of the "
        f"time. {ALIKE}",
    ),
    (  # the values say raise, and the reference folds
        (("fold", 1.0, 0.0), ("call 100", 0.0, -0.5), ("raise to 300", 0.0, 0.4)), 0, 0.0,
        "this is what the blueprint does",
        "By these values, raise to 300 is worth 0.40 bb more than the mix of the blueprint, which never chooses it. "
        f"{ALIKE}",
    ),
    (
        (("fold", 0.0, 0.0), ("call 100", 1.0, 0.004)), 0, 0.004,
        "no loss, though the blueprint never does this", "",
    ),
    (
        (("fold", 0.8, 0.0), ("call 100", 0.2, -0.01)), 1, 0.008,
        "costs 0.01 bb: the blueprint would fold (80 % of the time) or do this (20 % of the time)", "",
    ),
    (
        (("fold", 1.0, 0.0), ("call 100", 0.0, -1.5)), 1, 1.5,
        "costs 1.50 bb: the blueprint would fold", "",
    ),
    (
        (("check", 0.998, None), ("bet 100", 0.002, None)), 1, None,
        "the blueprint does this less than 1 % of the time", "",
    ),
    (
        (("check", 0.4, None), ("bet 100", 0.6, None), ("bet 50", 0.0, None)), 2, None,
        "the blueprint uses other sizes; most often it would bet 100", "",
    ),
)  # fmt: skip


@pytest.mark.parametrize(("choices", "taken", "lost", "verdict", "note"), VERDICTS)
def test_verdicts_agree_with_losses_and_explain_what_does_not_fit(
    choices: tuple[tuple[str, float, float | None], ...], taken: int, lost: float | None, verdict: str, note: str
) -> None:
    known = ReferenceAnswer("the blueprint, 20 bb", STRATEGY, tuple(ActionChoice(*one) for one in choices))
    assert known.lost_by(taken) == (None if lost is None else pytest.approx(lost))
    assert known.verdict(taken) == verdict
    assert known.notes() == ([note] if note else [])


def test_an_answer_that_its_own_values_contradict_is_less_sure() -> None:
    choices = ActionChoice("fold", 0.0, 0.0), ActionChoice("call", 1.0, -0.4), ActionChoice("all-in", 0.0, 0.0, 0.2)
    known = ReferenceAnswer("the chart", STRATEGY, choices)
    assert (known.gap, known.trust) == (pytest.approx(0.4), "medium")
    worse = ReferenceAnswer("the chart", STRATEGY, (*choices[:1], ActionChoice("call", 1.0, -1.1)))
    assert (worse.gap, worse.trust) == (pytest.approx(1.1), "low")
    assert ReferenceAnswer("the chart", FREQUENCY, (ActionChoice("fold", 1.0),)).gap == 0.0


@pytest.mark.parametrize("seat", [0, 1])
def test_a_line_that_the_strategy_never_plays_is_named(seat: int) -> None:
    """In this one nobody out of position checks, and in position nobody bets after a check."""
    found = river()
    game, policy = found.game, [one.copy() for one in found.strategy.policy]
    for who, node, actions in ((0, 0, (0.0, 1.0, 0.0)), (1, game.betting.find("check"), (1.0, 0.0, 0.0))):
        row = int(game.rounds.row[node])
        policy[who].reshape(-1, game.showdown.sizes[who])[row : row + 3] = np.array(actions)[:, None]
    seen = SpotJudge(found, "mine").carried(at_river("c" if seat else "cr150").view())
    assert seen is not None
    player = StrategyJudge("x", game, ArrayStrategy(game, (policy[0], policy[1])), seen.table)
    mine = "on the river the player took an action that it never takes with this hand"
    assert player.left(seen) == ("on the river the opponent took an action that it never takes" if seat else mine)
    assert StrategyJudge("x", game, found.strategy, seen.table).left(seen) == ""


@pytest.mark.parametrize("board", ["Td9d6hQc2s", "Td9d6hQc", "Td9d6h"])
def test_shares_of_the_pot_are_counted_hand_by_hand(board: str) -> None:
    hole, cards = parse_cards("AsTh"), parse_cards(board)
    found = win_chances(hole, cards)
    for other in ("AdKd", "9s9h", "8c7c"):
        theirs = parse_cards(other)
        assert found[colex(sorted(theirs))] == pytest.approx(pot_share("holdem", (hole, theirs), cards))
    assert found[colex(sorted(parse_cards("Td2c")))] == 0.0
    if len(cards) == 5:
        beaten = naive.best_key([*hole, *cards]) > naive.best_key([*parse_cards("8c7c"), *cards])
        assert found[colex(sorted(parse_cards("8c7c")))] == float(beaten)


def hand_at(there: Table, holes: tuple[str, str], board: str, betting: str) -> TableHand:
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
    known, taken = JamFoldJudge().judge(view, FOLDS) or pytest.fail("it is known")
    again, other_one = JamFoldJudge().judge(view, jam) or pytest.fail("it is known")
    assert (taken, other_one, known.kind) == (0, 1, EXACT)
    assert again == known
    at = parse_class(there.cards, hand)
    assert known.choices[1].value == pytest.approx(float(found.ev(seat)[at]) - found.ev_fold(seat), abs=1e-6)
    assert known.choices[1].share == found.played(seat)[at]
    best = max(0.0, known.choices[1].value or 0.0)
    assert known.lost([1.0, 0.0]) == pytest.approx(best)
    assert known.lost([0.5, 0.5]) == pytest.approx(best - 0.5 * (known.choices[1].value or 0.0))


def test_limps_deep_stacks_and_later_streets_are_no_jam_or_fold() -> None:
    judge = JamFoldJudge()
    short, deep = (hand_at(table("holdem-nolimit", stack), ("7c2d", "AsAh"), "", "") for stack in (10, 100))
    assert judge.judge(short.view(), CALLS) is None
    assert judge.judge(short.view(), raise_to(300)) is None
    assert judge.judge(deep.view(), FOLDS) is None
    limped = hand_at(table("holdem-nolimit", 10), ("7c2d", "AsAh"), "", "c")
    assert judge.judge(limped.view(), CALLS) is None
    assert judge.judge(hand_at(table("omaha-potlimit", 10), ("7c2d2h9s", "AsAhKd3c"), "", "").view(), FOLDS) is None


def at_river(bet: str = "", stack: float = 4.0) -> TableHand:
    """A hand of no-limit that comes to the river with 200 chips in the pot and the stack behind 300."""
    return hand_at(table("holdem-nolimit", stack), ("QsQd", "AsAh"), "Td9d6hQc2s", f"cc/cc/cc/{bet}")


def test_a_hand_that_comes_to_a_solved_spot_has_its_values() -> None:
    judge = SpotJudge(river(), "mine")
    hand = at_river()
    known, taken = judge.judge(hand.view(), raise_to(150)) or pytest.fail("it is the spot")
    view = river().at("")
    row = view.hand("AsAh")
    assert [one.name for one in known.choices] == ["check", "bet 150", "all-in"]
    assert (taken, known.kind, known.note) == (1, SOLVED, "")
    assert [one.share for one in known.choices] == pytest.approx(list(row["frequencies"].values()))
    assert [one.value for one in known.choices] == pytest.approx([x / 100 for x in row["ev"].values()], abs=1e-4)
    assert judges_for(hand.table, [judge])[0] is judge
    hand.act(raise_to(150))
    known, _ = judge.judge(hand.view(), CALLS) or pytest.fail("it is the spot")
    assert [one.value for one in known.choices] == pytest.approx(
        [x / 100 for x in river().at("bet 150").hand("QsQd")["ev"].values()], abs=1e-4
    )
    assert ReferenceAnswer.of(known.as_dict()) == known


def test_a_bet_that_the_spot_lacks_is_read_as_another_and_said() -> None:
    judge, hand = SpotJudge(river(), "mine"), at_river()
    known, taken = judge.judge(hand.view(), raise_to(130)) or pytest.fail("it is the spot")
    assert taken == 1
    assert "translated" in known.note


def test_other_boards_stacks_and_hands_are_not_the_spot() -> None:
    judge = SpotJudge(river(), "mine")
    assert judge.judge(at_river(stack=6.0).view(), CALLS) is None
    other = hand_at(table("holdem-nolimit", 4), ("QsQd", "AsAh"), "Td9d6hQc3s", "cc/cc/cc/")
    assert judge.judge(other.view(), CALLS) is None
    out = hand_at(table("holdem-nolimit", 4), ("QsQd", "7s2h"), "Td9d6hQc2d", "cc/cc/cc/")
    assert judge.judge(out.view(), CALLS) is None
    before = hand_at(table("holdem-nolimit", 4), ("QsQd", "AsAh"), "Td9d6hQc2s", "cc/cc/")
    assert judge.judge(before.view(), CALLS) is None
    assert river().game.betting.player[0] < DEAL
