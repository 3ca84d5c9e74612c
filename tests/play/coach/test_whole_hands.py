"""Hands trained decision by decision: every step is legal, no card comes twice, and the opponent plays the solution."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from headsup.cards.cards import mask_of, parse_cards
from headsup.common.errors import UserError
from headsup.games.holdem.spot import Spot
from headsup.play.coach import whole_hands
from headsup.play.coach.decks import PreflopDeck, SpotDeck
from headsup.play.coach.whole_hands import PreflopHands, SpotHands
from headsup.spots.solve import SpotSolution, solve_spot


@pytest.fixture(scope="module")
def turn() -> SpotSolution:
    spot = Spot("Td9d6hQc", "AA,T9s,KJs", "QQ,AQs,J8s", 200, 900, bets="60%, a", raises="2.5x")
    return solve_spot(spot, None, iterations=20)


@pytest.mark.parametrize("one_street", [False, True])
def test_hands_of_a_spot_come_to_an_end(turn: SpotSolution, one_street: bool) -> None:
    deck, random = SpotDeck(turn, "turn"), Random(3)
    hands, seats, lengths = SpotHands(deck, one_street), set(), Counter[int]()
    for _ in range(40):
        key, steps = hands.begin(random), 0
        seat = deck.question(key).ask
        seats.add(seat)
        streets = {len(deck.question(key).board)}
        while key:
            steps += 1
            question = deck.question(key)
            assert question.ask == seat
            cards = [*parse_cards(question.cards), *parse_cards(question.board)]
            assert len(set(cards)) == len(cards)
            streets.add(len(question.board))
            before = key
            key, events = hands.proceed(key, random.choice(question.choices), random)
            if key:
                assert key.startswith(before.partition("|")[0].strip())
            assert events or key
        lengths[steps] += 1
        assert len(streets) == 1 or not one_street
    assert len(seats) == 2
    assert max(lengths) > 1


def test_the_opponent_answers_with_the_frequencies_of_the_hands_that_are_left(turn: SpotSolution) -> None:
    deck, random = SpotDeck(turn, "turn"), Random(5)
    view = deck.at("")
    hand, action = "AsAd", view.actions[1]
    exact = view.opponent.frequencies(mask_of(parse_cards(hand)))["answers"][action]
    counts, hands, times = Counter[str](), SpotHands(deck), 600
    for _ in range(times):
        counts[hands.proceed(f" | {hand}", action, random).events[0]] += 1
    for name, share in exact.items():
        spread = 4.5 * (share * (1 - share) / times) ** 0.5 + 1e-9
        assert counts[f"Opponent: {name}."] / times == pytest.approx(share, abs=spread)


def test_an_action_that_the_solution_hardly_takes_ends_the_hand(
    turn: SpotSolution, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = SpotDeck(turn, "turn")
    monkeypatch.setattr(whole_hands, "RARE", 1.1)
    key, events = SpotHands(deck).proceed(" | AsAd", deck.at("").actions[0], Random(1))
    assert not key
    assert "fewer than 0.1 %" in events[0]
    swaps: Any = SimpleNamespace(
        solution=SimpleNamespace(spot=Spot("Td9d6hQc", "AA", "QQ", 200, 900, "60%", swaps="in turn"))
    )
    with pytest.raises(UserError, match="single decisions"):
        SpotHands(swaps)


@pytest.mark.parametrize("seat", ["both", "bb"])
def test_hands_before_the_flop(seat: str) -> None:
    deck, random, steps = PreflopDeck(10.0, seat), Random(2), Counter[int]()
    for _ in range(60):
        hands, number = PreflopHands(deck), 0
        key = hands.begin(random)
        player = deck.lines[key.partition("|")[0].strip()]
        assert seat in ("both", player)
        while key:
            number += 1
            assert deck.lines[key.partition("|")[0].strip()] == player
            key, events = hands.proceed(key, random.choice(deck.question(key).choices), random)
        assert re.search("over", events[-1])
        steps[number] += 1
    assert max(steps) > 1
