"""A card as a rule plays, scores and explains as the card itself does."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.distil.scorecards.rule import card_rule
from headsup.distil.scorecards.scorecard import ScoreCard
from headsup.distil.shipped import shipped_card, shipped_cards


@pytest.mark.parametrize("game", ["holdem", "omaha8"])
def test_the_rule_plays_as_the_card(game: str) -> None:
    for one in shipped_cards(game):
        rule = card_rule(one)
        for seat in ("sb", "bb"):
            assert np.array_equal(rule.scores(seat), one.card.scores)
            for stack in (1.0, 2.5, 7.125, one.card.max_stack):
                assert np.array_equal(rule.strategy(stack, seat), one.card.strategy(stack, seat))
                assert rule.threshold(stack, seat) == one.card.threshold(seat, stack)
        assert (rule.min_stack, rule.max_stack) == (1.0, one.card.max_stack)


def test_every_card_has_a_name_of_its_own() -> None:
    names = [card_rule(one).name for game in ("holdem", "omaha8") for one in shipped_cards(game)]
    assert len(set(names)) == len(names)


def test_the_lines_add_up_to_the_score() -> None:
    for one in shipped_cards("omaha8"):
        rule, scores = card_rule(one), one.card.scores
        for hand in range(0, 16432, 411):
            advice = rule.advise(hand, 7.0, "bb")
            assert sum(line.points for line in advice.counted) == advice.score == scores[hand]


@pytest.mark.parametrize(("game", "classes"), [("holdem", 169), ("omaha8", 16432)])
def test_a_card_without_lines_gives_no_points(game: str, classes: int) -> None:
    card = ScoreCard(game, {}, (0, 0), (1, 0), 12.0, row=False)
    assert card.scores.tolist() == [0] * classes
    assert card.strategy(5.0, "sb").all()
    assert not card.strategy(5.0, "bb").any()


def test_cards_that_do_not_ship() -> None:
    with pytest.raises(UserError, match=r"choose one of 1, 2, 3, 4.* --rules 9 --threshold row --seconds 60"):
        shipped_card("holdem", 9, row=True)
    with pytest.raises(UserError, match="choose holdem or omaha8"):
        shipped_card("omaha", 4, row=True)
