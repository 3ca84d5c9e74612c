"""Answers at every stack: charts before the flop, and solved rests of the hand after it."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.cards.combos import colex
from headsup.evaluate import rank_combos
from headsup.nolimit.shipped import shipped_opening
from headsup.play.agents import subgame
from headsup.play.agents.lbr import win_chances
from headsup.play.coach.any_stack import AnyStackJudge, any_stack_for, chart_answer, judges_for
from headsup.play.coach.reference import RESOLVED, STRATEGY, UNSURE, ReferenceAnswer
from headsup.play.coach.review import hand_decisions
from headsup.play.coach.spot_of import chart_for, spot_of
from headsup.play.table.real import free_of
from headsup.play.table.record import parse_betting, record
from headsup.play.table.rules import CALLS, FOLDS, Action, Deal, Table, TableHand, table
from headsup.preflop.shipped import shipped_preflop

BOARD = parse_cards("Kd8s3c2h7c")
HOLES = parse_cards("AsQs"), parse_cards("KhJh")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subgame, "WORK", 1e5)
    monkeypatch.setattr(subgame, "ITERATIONS", (4, 6))


def hand_of(there: Table, betting: str, holes: tuple[tuple[int, ...], tuple[int, ...]] = HOLES) -> TableHand:
    hand = there.hand(Deal(holes, BOARD))
    for action in parse_betting(betting):
        hand.act(action)
    return hand


def test_every_decision_of_a_deep_hand_is_answered() -> None:
    there = table("holdem-nolimit", 93)
    hand = hand_of(there, "r234r917c/r611c/cr1313r5000c/cr1256f")
    answers = [decision for decision in hand_decisions(record(hand, ("ann", "bob")), runouts=0) if decision is not None]
    assert len(answers) == len(hand.steps)
    for decision in answers:
        known = decision.known
        assert known.kind == (STRATEGY if decision.street == "preflop" else RESOLVED)
        assert sum(choice.share for choice in known.choices) == pytest.approx(1.0, abs=1e-6)
        assert "100 bb" in f"{known.source} {known.note}"
        rough = decision.street == "preflop"
        assert known.trust == ("low" if rough or known.left or known.gap > UNSURE else "medium")
        if decision.street != "preflop":  # every bet is in the tree as it was made
            assert known.choices[decision.taken].name == decision.did
            assert all(choice.value is not None for choice in known.choices)
            assert ReferenceAnswer.of(known.as_dict()) == known


def test_value_of_a_call_on_the_river_is_counted_hand_by_hand() -> None:
    there = table("holdem-nolimit", 60)
    hand = hand_of(there, "r300c/cc/cc/r900", (HOLES[1], HOLES[0]))
    judge, view = any_stack_for(there), hand.view()
    assert judge is not None
    known = judge.judge(view, view.legal.passive)
    assert known is not None
    rest, node, _ = judge._place(view)
    theirs = judge._theirs(rest, node, BOARD)
    theirs = np.where(free_of((*view.hole, *BOARD)), theirs, 0.0)
    ranks = rank_combos(np.array([BOARD], dtype=np.uint8))[0].astype(int)
    mine = ranks[colex(sorted(view.hole))]
    points = np.where(ranks < mine, 1.0, np.where(ranks == mine, 0.5, 0.0))
    won = float(theirs @ points) / float(theirs.sum())
    values = {choice.name: choice.value for choice in known[0].choices}
    assert values["fold"] == pytest.approx(0.0, abs=1e-4)
    assert values["call 900"] == pytest.approx(won * (6 + 2 * 9) - 9, abs=2e-3)


@pytest.mark.parametrize(("stack", "solved"), [(18, 20), (11.5, 12), (27, 25), (29, 30), (60, 50), (160, 200)])
def test_before_the_flop_the_nearest_chart_answers(stack: float, solved: int) -> None:
    there = table("holdem-nolimit", stack)
    hand = hand_of(there, "")
    judge = AnyStackJudge(there)
    known = judge.judge(hand.view(), hand.legal.passive)
    assert known is not None
    chart = shipped_opening(stack) or shipped_preflop(stack)
    assert chart.stack == solved
    row = chart.at("").hand("AQs")
    assert [choice.share for choice in known[0].choices] == pytest.approx(list(row["frequencies"].values()))
    values = [value + 0.5 for value in row["ev"].values()]  # from here on; half a blind is paid
    assert [choice.value for choice in known[0].choices] == pytest.approx(values, abs=1e-4)
    assert (known[0].kind, known[0].choices[known[1]].name) == (STRATEGY, "fold")
    assert f"made for {solved} bb" in known[0].note


def test_all_in_is_all_in_for_a_chart_of_a_deeper_stack() -> None:
    """40 big blinds are nearer to the raise to 33 of the chart for 50 than to its all-in."""
    for betting, line in (("r300", "raise 3, all-in 50"), ("r250", "raise 2.5, all-in 50")):
        hand, chart = hand_of(table("holdem-nolimit", 40), f"{betting}r4000"), shipped_opening(50)
        known = chart_answer(hand.view(), CALLS, 40.0)
        assert known is not None
        assert chart is not None
        row = chart.at(line).hand("AQs")
        paid = int(betting[1:]) / 100
        values = [choice.value for choice in known[0].choices]
        assert values == pytest.approx([row["ev"]["fold"] + paid, row["ev"]["call"] + paid], abs=1e-4)


def test_the_deeper_players_all_in_is_that_of_the_shorter_stack() -> None:
    there = table("holdem-nolimit", 20).with_stacks((2000, 5000))
    hand = hand_of(there, "c")
    known = chart_answer(hand.view(), Action("r", 5000), 20.0)
    assert known is not None
    assert known[0].choices[known[1]].name == "all-in"
    assert known[0].trust == "medium"


def test_an_action_that_the_table_has_is_not_read_as_another() -> None:
    """The raise to 5 of the chart is the smallest one here, and all-in is nearer to it in chips."""
    hand = hand_of(table("holdem-nolimit", 15), "r657")
    known = chart_answer(hand.view(), Action("r", 1214), 15.0)
    assert known is not None
    assert known[0].choices[known[1]].name == "raise to 1,214"


def test_an_all_in_over_a_bet_that_is_read_as_all_in_has_no_answer() -> None:
    """The blueprint has nobody who acts there; the chart may."""
    there = table("holdem-nolimit", 28)
    hand = hand_of(there, "r2264r2800")
    for judge in judges_for(there):
        judge.judge(hand.view(), FOLDS)


def test_stacks_may_differ_and_the_shorter_counts() -> None:
    there = table("holdem-nolimit", 80).with_stacks((8000, 3000))
    hand = hand_of(there, "r300c/cc/r450r7700c")
    answers = [decision for decision in hand_decisions(record(hand, ("ann", "bob")), runouts=0) if decision is not None]
    assert [decision.did for decision in answers][-2:] == ["all-in", "call 2,250"]
    assert {decision.known.kind for decision in answers[-3:]} == {RESOLVED}


@pytest.mark.parametrize("stack", [4.5, 251])
def test_other_stacks_have_no_such_answers(stack: float) -> None:
    there = table("holdem-nolimit", stack)
    assert any_stack_for(there) is None
    assert len(judges_for(there)) == 1


@pytest.mark.parametrize(("stack", "trust"), [(93, "medium"), (70, "low")])  # blueprints ship for 50 and 100
def test_flops_are_solved(stack: float, trust: str) -> None:
    there = table("holdem-nolimit", stack)
    hand = hand_of(there, "r300c/c")
    known = AnyStackJudge(there).judge(hand.view(), hand.legal.passive)
    assert known is not None
    assert (known[0].kind, known[0].trust) == (RESOLVED, trust)
    assert known[0].source == "the re-solved flop, 40 iterations"


def test_value_of_a_call_of_all_chips_on_the_flop_is_counted_hand_by_hand() -> None:
    hand = hand_of(table("holdem-nolimit", 40), "r300c/r3700", (HOLES[1], HOLES[0]))
    judge, view = AnyStackJudge(hand.table), hand.view()
    known = judge.judge(view, view.legal.passive)
    assert known is not None
    rest, node, _ = judge._place(view)
    theirs = rest.theirs * rest.rows(0, rest.board)[node - int(rest.tree.child[0])]
    theirs = np.where(free_of((*view.hole, *view.board)), theirs, 0.0)
    won = float(theirs @ win_chances(view.hole, view.board)) / float(theirs.sum())
    values = {choice.name: choice.value for choice in known[0].choices}
    assert values["fold"] == pytest.approx(0.0, abs=1e-4)
    assert values["call 3,700"] == pytest.approx(won * 80.0 - 37.0, abs=5e-3)


def test_values_on_the_flop_add_up_from_node_to_node() -> None:
    hand = hand_of(table("holdem-nolimit", 100), "r300c/")
    judge, view = AnyStackJudge(hand.table), hand.view()
    assert judge.judge(view, view.legal.passive) is not None
    rest = judge._place(view)[0]
    worth, tree = judge._worth[rest], rest.tree
    mine = rest.game.showdown.hands[view.seat]  # type: ignore[attr-defined]
    for node in range(len(tree.player)):
        below = worth[int(tree.child[node]) : int(tree.child[node] + tree.count[node])]
        if tree.player[node] == view.seat:
            below = rest.rows(node, rest.board)[:, mine] * below
        if tree.player[node] <= 1:
            assert np.allclose(below.sum(axis=0), worth[node], rtol=1e-4, atol=1e-3 * np.abs(worth).max())


def answers_of(
    there: Table, betting: str, holes: tuple[tuple[int, ...], tuple[int, ...]] = HOLES
) -> list[tuple[str, ReferenceAnswer]]:
    """The action and the answer of each decision; all of them are answered."""
    hand = hand_of(there, betting, holes)
    decisions = list(hand_decisions(record(hand, ("ann", "bob")), runouts=0))
    assert None not in decisions
    return [(decision.did, decision.known) for decision in decisions if decision is not None]


def test_a_call_of_a_large_bet_is_not_priced_as_a_call_of_all_chips() -> None:
    """Four pots on the flop: between the pot and all-in of the blueprint."""
    (_, called), (_, turned) = answers_of(table("holdem-nolimit", 200), "r300c/cr2400c/cc/cc")[4:6]
    assert (called.kind, turned.kind) == (RESOLVED, RESOLVED)
    assert sum(choice.share for choice in called.choices) == pytest.approx(1.0)
    assert {choice.name.split()[0] for choice in called.choices} >= {"fold", "call"}
    assert all(choice.value is not None for choice in called.choices)


@pytest.mark.parametrize("stack", [50, 100])
def test_a_raise_that_the_blueprint_lacks_before_the_flop_still_reaches_its_flop(stack: int) -> None:
    answers = answers_of(table("holdem-nolimit", stack), "r700c/cr1000c/cc/cc")
    assert [known.kind for _, known in answers[2:5]] == [RESOLVED] * 3


def test_what_a_chart_plays_before_the_flop_is_not_called_an_action_that_is_never_taken() -> None:
    """The blueprint alone never limps with this hand at 100 big blinds; the chart does so with a fifth of it."""
    holes = HOLES[0], parse_cards("7d4h")
    answers = answers_of(table("holdem-nolimit", 100), "cc/cc/cc/cc", holes)
    assert {known.left for _, known in answers} == {""}
    assert [known.trust for _, known in answers[:4]] == ["low", "low", "medium", "medium"]  # the chart itself is rough


def test_an_action_that_a_chart_never_takes_makes_answers_less_sure() -> None:
    (_, jammed), (_, called) = answers_of(table("holdem-nolimit", 200), "r20000c")
    assert (jammed.left, called.left) == ("", "before the flop the opponent took an action that it never takes")
    assert called.trust == "low"


def test_actions_of_solved_streets_count_as_well() -> None:
    hand = hand_of(table("holdem-nolimit", 100), "cr400c/cr500c/r700c/cr1200")
    view = hand.view()
    judge = AnyStackJudge(hand.table)
    assert judge.judge(view, view.legal.passive) is not None
    taken = list(judge._rows_solved(view))
    assert [step for step, _, _ in taken] == [step for step in view.steps if step.street]
    for step, row, dealt in taken:
        board = BOARD[: 2 + step.street]
        np.testing.assert_allclose(dealt[dealt > 0.0], 1.0, atol=1e-5)
        assert not dealt[~free_of(board)].any()
        assert 0.0 < row.max() <= 1.0 + 1e-6


@pytest.mark.parametrize("stack", [20, 50, 200])
def test_a_hand_becomes_a_spot_with_the_ranges_of_its_chart(stack: int) -> None:
    made = spot_of(hand_of(table("holdem-nolimit", stack), "r200c/cc/cc/cc"))
    chart = chart_for(stack)
    assert chart is not None
    line = "raise 2, call"
    assert (made.spot.ip, made.spot.oop) == chart.ranges(line)
    assert made.ranges.startswith(f"the chart before the flop for {stack} bb after {line}")
