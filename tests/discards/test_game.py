"""Hold'em with discards on small decks: the rules, who knows what, and the arena's referee as a second opinion."""

from __future__ import annotations

import random

import pytest

from headsup.common.errors import UserError
from headsup.discards.game import KEEP, Discard, DiscardState, short_deck
from headsup.games import TERMINAL, game
from headsup.games.betting.rules import Betting
from headsup.measure import measure
from headsup.play.table.rules import Deal, Table
from headsup.solve import solve
from tests.discard_hands import turned

SMALL = "holdem-discard:ranks=7,suits=1"


def play(rules: Discard, *names: str) -> DiscardState:
    """The state after these actions and cards, by name."""
    state = rules.root()
    for name in names:
        state = rules.next(state, list(rules.actions(state)).index(name))
    return state


def test_the_other_sees_only_that_a_card_was_changed() -> None:
    rules = game("holdem-discard")
    assert isinstance(rules, Discard)
    start = ("AcAd", "KcKd"), "Qd"
    state = play(rules, *start[0], start[1])
    assert rules.player(state) == 1  # out of position
    assert rules.infoset(state) == "KcKd|/Qd/"
    assert list(rules.actions(state)) == [KEEP, "dKc", "dKd"]
    one = play(rules, *start[0], start[1], "dKc", "Jc")
    two = play(rules, *start[0], start[1], "dKd", "Qc")
    kept = play(rules, *start[0], start[1], KEEP)
    assert rules.infoset(one) == rules.infoset(two) == "AcAd|/Qd/d"
    assert rules.infoset(kept) == "AcAd|/Qd/k"
    assert "Kc" not in rules.actions(play(rules, *start[0], start[1], "dKc"))  # out of play
    assert one.seen[1] == "KcKd-Kc+Jc"
    assert "Kc" not in rules.actions(play(rules, *start[0], start[1], "dKc", "Jc", "dAc"))


def test_together_nobody_knows_before_both_are_done() -> None:
    rules = game("holdem-discard:together=true,stack=2")
    assert isinstance(rules, Discard)
    start = ("AcAd", "KcKd", "c", "c", "Qd")
    seen = {rules.infoset(play(rules, *start, *swap)) for swap in ((KEEP,), ("dKc", "Jc"), ("dKd", "Qc"))}
    assert seen == {"AcAd|cc/Qd/"}
    after = play(rules, *start, "dKc", "Jc", KEEP)
    assert (rules.player(after), rules.infoset(after)) == (1, "KcKd-Kc+Jc|cc/Qd/dk")


@pytest.mark.parametrize("together", [False, True])
def test_the_referee_of_the_arena_plays_the_same_hands(together: bool) -> None:
    """Random hands with betting on a short deck: legal actions, who acts, and what is won."""
    betting = Betting(first=(0, 1, 1, 1), stacks=(12, 12), blinds=(1, 2))
    rules = Discard(short_deck(5, 4), betting, (0, 3, 1, 1), (1, 2), together)
    there = Table("holdem-discard", "holdem", betting, 2, draws=(1, 2))
    dice = random.Random(5)
    for _ in range(60):
        cards = dice.sample(rules.deck, 13)
        deal = Deal((tuple(cards[:2]), tuple(cards[2:4])), tuple(cards[4:9]), tuple(cards[9:]))
        for hand, state in turned(rules, there, deal, dice):
            if rules.player(state) == TERMINAL:
                break
            assert (hand.over, hand.player) == (False, rules.player(state))
            if state.waiting:
                assert set(hand.legal.discards) == set(state.holes[state.waiting[0]])
        assert hand.over
        assert hand.chips[0] == rules.payoff(state)
        assert [set(hole) for hole in hand.holes] == [set(hole) for hole in state.holes]


def test_the_rule_and_the_equilibrium_of_a_checked_down_game() -> None:
    """On one suit a hand is two ranks: to throw the lower card of an unpaired hand is a best reply to itself."""
    rules = game(SMALL)
    assert isinstance(rules, Discard)
    assert measure(rules, rules.rule()).exploitability == pytest.approx(0.0, abs=1e-12)
    assert measure(rules, solve(rules, method="lp")).exploitability == pytest.approx(0.0, abs=1e-9)
    with pytest.raises(UserError, match="says nothing about bets"):
        game(SMALL, stack=1).rule()  # type: ignore[union-attr]


def test_who_swaps_by_the_rule_has_no_choice() -> None:
    """Checked down and both by the rule, nothing is left to decide; one by the rule, the other's best reply is left."""
    small = game(SMALL)
    assert isinstance(small, Discard)
    ruled = measure(small, small.rule())
    bound = solve(game(SMALL, by_rule="both"), method="lp")
    assert bound.value == pytest.approx(ruled.value, abs=1e-9)
    free = solve(game(SMALL, by_rule="blind"), method="lp")
    assert free.value == pytest.approx(ruled.best[0], abs=1e-9)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("holdem-discard:ranks=3", "need 7 cards"),
        ("holdem-discard:swaps=2", "swaps must be from 0 to 1"),
        ("holdem-discard:flop=4", "flop must be from 1 to 3"),
        ("holdem-discard:by_rule=me", "none, button, blind or both"),
        ("holdem-discard:stack=2,menu=x", "x"),
    ],
)
def test_mistakes_are_told(text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        game(text)
