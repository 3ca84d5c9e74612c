"""The words of the coach follow the numbers: every line, the margin, the border and the equilibrium's view."""

from __future__ import annotations

import re
from functools import cache

import pytest

from headsup.cards.classes import parse_holdem_class, parse_omaha_class
from headsup.distil.rules.coach import EquilibriumView, advice_lines, border, counted_lines, margin, view, view_text
from headsup.distil.rules.oracle import oracle
from headsup.distil.rules.points import Advice, PointRule
from headsup.distil.rules.sage import sage
from headsup.distil.scorecards.rule import card_rule
from headsup.distil.shipped import shipped_card
from headsup.jamfold.hands import class_sizes
from headsup.jamfold.shipped import shipped


def rules() -> list[PointRule]:
    cards = [shipped_card("holdem", 4, row=True), shipped_card("omaha8", 4, row=True)]
    return [oracle(), sage(), *map(card_rule, cards), card_rule(shipped_card("omaha8", 4, row=False))]


@cache
def some_advice() -> list[Advice]:
    found = []
    for rule in rules():
        classes = len(class_sizes(rule.game))
        for at, hand in enumerate(range(0, classes, max(1, classes // 7))):
            found.append(rule.advise(hand, 2.0 + (at * 7 % 9), ("sb", "bb")[at % 2]))
    return found


@cache
def explained(advice: Advice) -> tuple[str, ...]:
    return tuple(advice_lines(advice, explain=True))


def test_the_lines_add_up_to_what_is_said() -> None:
    for advice in some_advice():
        points = [float(line.split()[0]) for line in counted_lines(advice) if line.startswith("  ")]
        assert sum(points) == advice.score
        assert len(points) == len(advice.counted)
        if not advice.always:
            said = " ".join(explained(advice))
            assert re.search(rf"(?<![\d.]){advice.score:g} points?,", said)


def test_the_margin_has_the_sign_of_the_verdict() -> None:
    for advice in some_advice():
        if not advice.always:
            assert (margin(advice) >= 0) == advice.plays
            said = explained(advice)
            verdict = next(line for line in said if line.startswith(f"{advice.action.capitalize()}:"))
            assert ("short" in verdict) == (not advice.plays)


def test_the_border_is_where_the_rule_changes_its_mind() -> None:
    for advice in some_advice():
        last, rule = border(advice), advice.rule
        if advice.always:
            continue
        if last is None:
            assert not rule.advise(advice.hand, rule.min_stack, advice.seat).plays
        else:
            assert rule.advise(advice.hand, last, advice.seat).plays
            if last < rule.max_stack:
                assert not rule.advise(advice.hand, last + 0.125, advice.seat).plays


def test_the_view_is_that_of_the_shipped_equilibrium() -> None:
    sweep = shipped("omaha8")
    for advice in some_advice():
        if advice.rule.game != "omaha8":
            continue
        seen, at = view(advice), sweep.nearest_index(advice.stack)
        values, fold = (sweep.ev_jam, -0.5) if advice.seat == "sb" else (sweep.ev_call, -1.0)
        assert seen.frequency == sweep.played(advice.seat)[at, advice.hand]
        assert seen.gain == pytest.approx(values[at, advice.hand] - fold, abs=1e-6)
        assert seen.cost == pytest.approx(max(0, -seen.gain if advice.plays else seen.gain))


JAMS = sage().advise(parse_holdem_class("AA"), 8.0, "sb")
FOLDS = sage().advise(parse_holdem_class("32o"), 8.0, "bb")


@pytest.mark.parametrize(
    ("advice", "frequency", "gain", "said"),
    [
        (JAMS, 1.0, 1.5, "The equilibrium jams it too; folding would lose 1.500 bb."),
        (JAMS, 0.0, -0.25, "The equilibrium folds it: jamming loses 0.250 bb."),
        (FOLDS, 0.0, -0.25, "The equilibrium folds it too; calling would lose 0.250 bb."),
        (FOLDS, 1.0, 0.125, "The equilibrium calls it: folding loses 0.125 bb."),
        (JAMS, 0.37, 0.0, "The equilibrium jams it 37% of the time: jamming and folding are worth the same."),
        (FOLDS, 0.0, -0.0001, "The equilibrium folds it: calling and folding are worth the same."),
    ],
)
def test_the_equilibrium_in_one_sentence(advice: Advice, frequency: float, gain: float, said: str) -> None:
    assert view_text(advice, EquilibriumView(8.0, (0.5, 50.0), frequency, gain, 0.0)) == said


@pytest.mark.parametrize(
    ("stack", "kind"), [(7.3, "At 7.25 big blinds, the nearest"), (60.0, "At 50 big blinds, the largest")]
)
def test_other_stacks_are_named(stack: float, kind: str) -> None:
    advice = sage().advise(parse_holdem_class("AA"), stack, "sb")
    assert kind in view_text(advice, view(advice))


BEYOND = [
    (sage(), "K4o", 17.0, "The 30 is the table's last number: the table ends at R = 7, and you have R = 16"),
    (sage(), "K4o", 1.25, "The 0 is the table's first number: the table begins at R = 1, and you have R = 0.25"),
    (rules()[2], "22", 20.0, "The 35 is the card's last number: the card ends at R = 12, and you have R = 20."),
    (rules()[2], "22", 0.5, "The 2 is the card's first number: the card begins at R = 1, and you have R = 0.5."),
]


@pytest.mark.parametrize(("rule", "hand", "stack", "said"), BEYOND)
def test_a_stack_that_the_rule_is_not_made_for_is_said_first(
    rule: PointRule, hand: str, stack: float, said: str
) -> None:
    advice = rule.advise(parse_holdem_class(hand), stack, "bb")
    told = advice_lines(advice, explain=True)
    assert any(line.startswith(said) for line in told)
    for lines in (told, advice_lines(advice, explain=False)):
        assert lines[0].startswith(
            f"Mind that the rule is made for {rule.min_stack:g} to {rule.max_stack:g} big blinds"
        )
        assert sum(line.startswith("Mind") for line in lines) == 1


def test_a_table_has_a_number_for_every_stack_it_is_made_for() -> None:
    for rule in rules():
        for stack in (rule.min_stack, 5.375, rule.max_stack):
            said = advice_lines(rule.advise(0, stack, "bb"), explain=True)
            assert not any(word in line for line in said for word in ("Mind that", "last number", "first number"))


def test_points_that_are_taken_have_no_reason_to_give_some() -> None:
    advice = rules()[3].advise(parse_omaha_class("QsJs5h4d"), 10.0, "bb")
    assert counted_lines(advice)[-3:] == ["What holds it back:", "    -1  Cards: a five", "    -2  Cards: a four"]


def test_advice_of_oracle_in_full() -> None:
    advice = oracle().advise(parse_omaha_class("AsTh9d9c"), 8.0, "sb")
    assert advice_lines(advice, explain=True) == [
        "What speaks for the hand:",
        "   +16  Suits: no two cards of one suit",
        "   +46  Cards: a single Ace, the best card both ways",
        "   +20  Pairs: a pair of Sixes to Nines",
        "    +5  Straights: six or seven ranks from top to bottom, close enough for straights",
        "What holds it back:",
        "    -6  Structure: exactly one pair, one card less to work with",
        "Jam: that makes 81 points, and with 8 big blinds a jam needs 81 (more than 80), so it is just enough.",
        "The 80 is ten times the stack of 8 big blinds.",
        "It is close: with more than 8 big blinds it is a fold.",
        "The equilibrium folds it: jamming loses 0.229 bb.",
    ]
    always = advice_lines(oracle().advise(parse_omaha_class("AsAh9d9c"), 10.0, "sb"), explain=True)
    assert always[0] == "Jam: always, at any stack, with two or more Aces. No need to count."
