"""Training: any mix within epsilon is right, what was missed comes again, and a deck makes its questions again."""

from __future__ import annotations

import io
import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.cli import main
from headsup.common.errors import UserError
from headsup.distil.scorecards.rule import card_rule
from headsup.distil.shipped import shipped_card
from headsup.jamfold.hands import parse_class
from headsup.play.coach.decks import CardDeck, HandsDeck, JamFoldDeck, PreflopDeck, SpotDeck
from headsup.play.coach.questions import TrainingQuestion, score
from headsup.play.coach.reference import EXACT, ActionChoice, ReferenceAnswer
from headsup.play.coach.review import review
from headsup.play.coach.trainer import (
    GAPS,
    Answered,
    Due,
    MemoryStore,
    answer,
    next_due,
    next_key,
    progress,
    train_at_terminal,
)
from headsup.play.table.logged import LoggedHand
from headsup.play.table.record import parse_betting, replay
from headsup.play.table.rules import Deal, table
from headsup.preflop.shipped import shipped_preflop
from headsup.spots.solve import solve_spot
from tests.play.coach.test_reference import river

MIXED = ReferenceAnswer("x", EXACT, (ActionChoice("fold", 0.4, 0.0), ActionChoice("jam", 0.6, 0.004)))
CLEAR = ReferenceAnswer("x", EXACT, (ActionChoice("fold", 0.0, 0.0), ActionChoice("jam", 1.0, 0.5)))


def asked(known: ReferenceAnswer) -> TrainingQuestion:
    return TrainingQuestion("k", "?", "AsKs", known=known)


@given(st.integers(0, 100))
def test_any_mix_of_equal_choices_is_right(percent: int) -> None:
    found = score(asked(MIXED), f"fold {percent}, jam {100 - percent}")
    assert found.right
    assert found.lost == pytest.approx(max(0.0, 0.004 * (percent / 100 - 0.4)))  # the equilibrium folds 40 %
    assert found.best == "fold or jam"


@given(st.integers(0, 100))
def test_a_mix_loses_what_its_parts_do(percent: int) -> None:
    found = score(asked(CLEAR), f"f {percent}%, j {100 - percent}%")
    assert found.lost == pytest.approx(0.5 * percent / 100)
    assert found.right == (percent <= 2)  # 0.01 bb
    assert found.best == "jam"


@pytest.mark.parametrize(
    ("text", "given_"), [("jam", "jam"), ("J", "jam"), ("2", "jam"), ("fold", "fold"), (" 1 ", "fold")]
)
def test_choices_by_name_letter_and_number(text: str, given_: str) -> None:
    assert score(asked(CLEAR), text).given == given_


@pytest.mark.parametrize("text", ["", "x", "3", "0", "fold 40", "fold 90, jam 20", "fold 50, x 50", "9" * 400])
def test_what_is_no_answer_is_told(text: str) -> None:
    with pytest.raises(UserError):
        score(asked(CLEAR), text)


def test_bets_are_told_apart_by_their_sizes() -> None:
    known = ReferenceAnswer(
        "x",
        EXACT,
        tuple(ActionChoice(name, float(i == 2), float(i)) for i, name in enumerate(("check", "bet 50", "bet 500"))),
    )
    assert score(asked(known), "bet 50").given == "bet 50"
    assert score(asked(known), "bet 50 25, bet 500 75").lost == pytest.approx(0.25)
    with pytest.raises(UserError, match="not one of the choices"):
        score(asked(known), "bet")


def test_guesses_are_scored_by_how_far_they_are_off() -> None:
    question = TrainingQuestion("k", "?", "AsKs", number=54.25, unit="points", epsilon=3.0)
    assert score(question, "54").lost == pytest.approx(0.25)
    assert score(question, "57.25%").right
    assert not score(question, "57.3").right
    for text in ("", "nan", "inf", "many", "1e400"):
        with pytest.raises(UserError, match="number"):
            score(question, text)


# --- what comes again -------------------------------------------------------------------------------------------------


class Numbers:
    """A deck that asks 0, 1, 2, .. in turn."""

    name = "numbers"

    def __init__(self) -> None:
        self.drawn = 0

    def draw(self, random: Random) -> str:
        self.drawn += 1
        return str(self.drawn - 1)

    def question(self, key: str) -> TrainingQuestion:
        return TrainingQuestion(key, "?", "", number=float(key), epsilon=0.0)


def course(missed: set[int], turns: int) -> list[str]:
    """The keys that come, if the answers of these turns are wrong."""
    deck, store, came = Numbers(), MemoryStore(), list[str]()
    for turn in range(turns):
        key = next_key(deck, store, Random(0))
        came.append(key)
        answer(deck, store, key, "-1" if turn in missed else key)
    return came


def test_what_was_missed_comes_again_after_three_ten_thirty_and_a_hundred_others() -> None:
    came = course({0}, 200)
    turns = [turn for turn, key in enumerate(came) if key == "0"]
    gaps = [later - now - 1 for now, later in pairwise(turns)]
    assert tuple(gaps) == GAPS == (3, 10, 30, 100)
    assert course(set(), 50) == [str(i) for i in range(50)]


def test_missed_again_it_begins_anew() -> None:
    turns = [turn for turn, key in enumerate(course({0, 4}, 40)) if key == "0"]
    assert turns[:4] == [0, 4, 8, 19]


@given(st.integers(0, 3), st.integers(0, 1000), st.booleans())
def test_a_question_waits_longer_each_time(box: int, turn: int, right: bool) -> None:
    due = next_due(Due(box, turn), turn, right)
    assert (due is None) == (right and box == 3)
    if due is not None:
        assert due.turn - turn == GAPS[due.box]
        assert due.box == (box + 1 if right else 0)
    assert next_due(None, turn, True) is None


def test_progress_by_tens() -> None:
    answers = [Answered("k", "x", float(i // 10), i >= 10) for i in range(25)]
    told = progress(answers)
    assert (told["answers"], told["right"], told["last"], told["last_right"]) == (25, 15, 20, 15)
    assert told["curve"] == [(10, 0.0), (20, 1.0), (25, 2.0)]
    assert progress([])["mean_lost"] is None


# --- decks ------------------------------------------------------------------------------------------------------------


@cache
def played() -> HandsDeck:
    there = table("holdem-jamfold", 10)
    deal = Deal(((0, 21), (48, 49)), ())
    hand = replay(there, deal, parse_betting("r1000f"))
    return HandsDeck(review([LoggedHand("hand 7", hand, "", ("ann", "bob"))]).decisions, "mine")


@pytest.mark.parametrize("make", [JamFoldDeck, lambda: JamFoldDeck("omaha8", 8.0, "bb"), PreflopDeck, CardDeck, played])
def test_a_key_makes_the_same_question_again(make) -> None:  # type: ignore[no-untyped-def]
    deck, random = make(), Random(1)
    for _ in range(20):
        key = deck.draw(random)
        question = deck.question(key)
        assert question == make().question(key)
        assert question.key == key
        assert (question.known is None) == (question.number is not None)
    for key in ("", "x", "sb", "sb x", "sb 8", "9.9", "xx 8 K7o"):
        with pytest.raises(UserError):
            deck.question(key)


def test_half_of_the_hands_are_close_ones() -> None:
    deck, random = JamFoldDeck(), Random(3)
    values = [deck.question(deck.draw(random)).known.choices[1].value for _ in range(400)]  # type: ignore[union-attr]
    close = sum(abs(value or 0.0) <= 0.3 for value in values) / 400
    as_dealt = JamFoldDeck().equilibrium
    share = 0.0
    for seat in ("sb", "bb"):
        weight = as_dealt.columns()["hands"]
        share += weight[abs(as_dealt.ev(seat) - as_dealt.ev_fold(seat)) <= 0.3].sum() / weight.sum() / 2
    assert close == pytest.approx((1 + share) / 2, abs=0.08)


@pytest.mark.parametrize("seat", ["sb", "bb", "both"])
def test_decisions_before_the_flop_have_the_values_of_the_chart(seat: str) -> None:
    deck, random = PreflopDeck(10.0, seat), Random(2)
    keys = [deck.draw(random) for _ in range(60)]
    assert len({key.partition("|")[0] for key in keys}) > 1
    for key in keys:
        line, _, hand = (part.strip() for part in key.partition("|"))
        view, question = shipped_preflop(10).at(line), deck.question(key)
        assert seat in ("both", view.player)
        assert question.choices == view.actions
        assert question.known is not None
        values, table = [choice.value or 0.0 for choice in question.known.choices], view.table(hand)
        assert values == pytest.approx([row["ev_bb"] - table[0]["ev_bb"] + values[0] for row in table], abs=2e-4)
        if view.actions[0] == "fold":
            assert values[0] == pytest.approx(0.0, abs=1e-4)
        best = max(range(len(values)), key=values.__getitem__)
        assert score(question, str(best + 1)).right
        mean = sum(row["frequency"] * value for row, value in zip(table, values, strict=True))
        for taken, value in enumerate(values, start=1):
            assert score(question, str(taken)).lost == pytest.approx(max(0.0, mean - value), abs=1e-4)


def test_a_question_that_is_not_in_the_chart_is_refused() -> None:
    for key, sentence in (("raise 99 | AA", "not a decision of this chart"), ("call, check | AA", "not a decision")):
        with pytest.raises(UserError, match=sentence):
            PreflopDeck().question(key)
    for wrong, sentence in (((99.0,), "give a stack from 4 to 30"), ((10.0, "x"), "is not a seat")):
        with pytest.raises(UserError, match=sentence):
            PreflopDeck(*wrong)  # type: ignore[arg-type]
    with pytest.raises(UserError, match="the accepted loss"):
        PreflopDeck(epsilon=2.0)


def test_a_spot_asks_its_decisions_with_its_values() -> None:
    deck, random = SpotDeck(river(), "mine"), Random(0)
    keys = [deck.draw(random) for _ in range(30)]
    assert len({key.partition("|")[0] for key in keys}) > 2
    for key in keys[:8]:
        line, _, hand = key.partition("|")
        row, question = river().at(line.strip()).hand(hand.strip()), deck.question(key)
        assert question.known is not None
        values = [one.value for one in question.known.choices]
        assert values == pytest.approx([x / 2 for x in row["ev"].values()], abs=1e-3)  # percent of a pot of 200
        assert question.choices == tuple(row["ev"])


def test_a_spot_that_was_stopped_early_is_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stopped = solve_spot(river().spot, None, iterations=1)
    assert stopped.exploitability_pot > 0.01
    caution = f"not solved: exploitability {100 * stopped.exploitability_pot:.2g} % of the pot"
    for found, marked in ((stopped, True), (river(), False)):
        question = SpotDeck(found, "mine").question(" | AsAh")
        assert (("caution", caution) in question.facts) is marked
        assert question.known is not None
        assert ("not solved" in question.known.source) is marked
        assert found.is_solved is not marked
    stopped.save(tmp_path / "spot")
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    assert main(["train", "spot", str(tmp_path / "spot"), "--questions", "1", "--seed", "1"]) == 0
    assert f"caution {caution}" in capsys.readouterr().out


def test_a_card_asks_for_its_points() -> None:
    question = CardDeck("omaha8", 4).question("sb 10 Js8h7s3d")
    rule = card_rule(shipped_card("omaha8", 4, row=True))
    assert question.number == rule.scores("sb")[parse_class("omaha8", "Js8h7s3d")]
    assert score(question, f"{question.number:g}").right
    assert not score(question, f"{question.number + 1:g}").right


def test_hands_that_were_played_are_asked() -> None:
    question = played().question("0.1")
    assert question.choices == ("fold", "call")
    assert "In hand 7, bob chose: fold" in question.why[0]
    with pytest.raises(UserError, match="no decision"):
        HandsDeck([], "none")


def test_at_the_terminal() -> None:
    said = list[str]()
    answers = iter(["what", "jam", "fold", "f", "q"])
    went = train_at_terminal(JamFoldDeck(seat="sb"), 20, 1, lambda _: next(answers), said.append)
    assert went["answers"] == 3
    assert any("not one of the choices" in line for line in said)
    assert sum("jam-or-fold equilibrium, 10 bb" in line for line in said) == 3


def test_the_verb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 4))
    assert main(["train", "jamfold", "--stack", "8", "--questions", "4", "--seed", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["deck"], told["answers"]) == ("jamfold holdem 8 both", 4)
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 3))
    assert main(["train", "preflop", "--seat", "bb", "--questions", "3", "--seed", "1"]) == 0
    assert "You are in the big blind: what do you do?" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    assert main(["train", "preflop", "--stack", "14"]) == 0
    assert "nothing ships for 14 bb; questions are from the chart for 15 bb, the nearest" in capsys.readouterr().err
    assert main(["train", "spot"]) == 2
    assert "spot and hands need a file" in capsys.readouterr().err
