"""Answers at every stack: charts before the flop, blueprints on it, and solved rests of the hand after it."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.cards.combos import colex
from headsup.evaluate import rank_combos
from headsup.nolimit.shipped import shipped_opening
from headsup.play.agents import subgame
from headsup.play.coach.any_stack import AnyStackJudge, any_stack_for, judges_for
from headsup.play.coach.reference import ESTIMATE, FREQUENCY, RESOLVED, STRATEGY, ReferenceAnswer
from headsup.play.coach.review import hand_decisions
from headsup.play.table.real import free_of
from headsup.play.table.record import parse_betting, record
from headsup.play.table.rules import Deal, Table, TableHand, table
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
    kinds = {"preflop": {STRATEGY}, "flop": {FREQUENCY}, "turn": {RESOLVED}, "river": {RESOLVED}}
    for decision in answers:
        known = decision.known
        assert known.kind in kinds[decision.street]
        assert sum(choice.share for choice in known.choices) == pytest.approx(1.0, abs=1e-6)
        assert "100 bb" in f"{known.source} {known.note}"
        assert known.trust == ("low" if known.left else "medium")
        if decision.street in ("turn", "river"):  # every bet is in the tree as it was made
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


@pytest.mark.parametrize(("stack", "solved"), [(18, 20), (11.5, 12), (29, 25), (60, 50), (160, 200)])
def test_before_the_flop_the_nearest_chart_answers(stack: float, solved: int) -> None:
    there = table("holdem-nolimit", stack)
    hand = hand_of(there, "")
    judge = AnyStackJudge(there)
    known = judge.judge(hand.view(), hand.legal.passive)
    assert known is not None
    chart = shipped_preflop(stack) if stack <= 30 else shipped_opening(stack)
    assert chart is not None
    assert chart.stack == solved
    row = chart.at("").hand("AQs")
    assert [choice.share for choice in known[0].choices] == pytest.approx(list(row["frequencies"].values()))
    values = [value + 0.5 for value in row["ev"].values()]  # from here on; half a blind is paid
    assert [choice.value for choice in known[0].choices] == pytest.approx(values, abs=1e-4)
    assert (known[0].kind, known[0].choices[known[1]].name) == (STRATEGY, "fold")
    assert f"made for {solved} bb" in known[0].note


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
def test_flops_have_values_from_runouts(stack: float, trust: str) -> None:
    there = table("holdem-nolimit", stack)
    hand = hand_of(there, "r300c/c")
    known = AnyStackJudge(there, runouts=10).judge(hand.view(), hand.legal.passive)
    assert known is not None
    assert known[0].kind == ESTIMATE
    assert known[0].trust == trust
