"""A hand that is put down and taken up again between moves is the hand that the referee turns in one go."""

from __future__ import annotations

import random

import pytest

from headsup.play.protocols.guest import GUEST, HandSetup, begin, given_up, hand_seed, move, resume
from headsup.play.table.agent import Player, make_agent
from headsup.play.table.referee import Referee
from headsup.play.table.rules import CALLS, FOLDS, Action, Illegal, PlayerView, raise_to, table

SECRET = bytes(range(16))
CASES = [("holdem-nolimit", 20, "random"), ("holdem-limit", None, "random"), ("holdem-discard", None, "random"),
         ("holdem-jamfold", 10, "jamfold"), ("omaha8-jamfold", 8, "mix:0.3,0.3,0.4")]  # fmt: skip


def chosen(view: PlayerView, rng: random.Random) -> Action:
    legal = view.legal
    every = [FOLDS] if legal.fold else []
    every += [CALLS] if legal.call >= 0 else []
    every += [Action("d", card) for card in legal.discards]
    every += [raise_to(rng.randint(legal.low, legal.high))] if legal.low else []
    return rng.choice(every)


class Wild(Player):
    """Anything, by its own dice."""

    name = GUEST

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def act(self, view: PlayerView) -> Action:
        return chosen(view, self.rng)


@pytest.mark.parametrize(("game", "stack", "bot"), CASES)
@pytest.mark.parametrize("duplicate", [False, True])
def test_the_same_moves_make_the_referees_hand(game: str, stack: float | None, bot: str, duplicate: bool) -> None:
    there = table(game, stack)
    agent = make_agent(bot, there)
    for number in range(30):
        place = HandSetup(there, SECRET, number, duplicate)
        rng = random.Random(number)
        now = begin(place, agent)
        while not now.hand.over:
            assert now.hand.player == place.seat
            now = move(resume(place, now.betting, now.dice), agent, chosen(now.hand.view(), rng))
        referee = Referee((Wild(number), make_agent(bot, there)), hand_seed(SECRET, number))
        assert now.record(GUEST, agent.name) == referee.play(there, place.deal, number, number % 2)


def test_duplicate_hands_have_the_same_cards_with_the_seats_changed() -> None:
    there = table("holdem-nolimit", 20)
    places = [HandSetup(there, SECRET, number, True) for number in range(4)]
    assert places[0].deal == places[1].deal != places[2].deal
    assert [place.seat for place in places] == [0, 1, 0, 1]


def test_seeds_hang_on_the_secret_and_the_number() -> None:
    found = {hand_seed(secret, number) for secret in (SECRET, SECRET[::-1]) for number in range(1000)}
    assert len(found) == 2000


def test_what_is_not_allowed_changes_nothing() -> None:
    there = table("holdem-nolimit", 20)
    agent = make_agent("caller", there)
    now = begin(HandSetup(there, SECRET, 0), agent)
    with pytest.raises(Illegal, match="raise to 150 is not allowed"):
        move(now, agent, raise_to(150))
    assert now.betting == ""


def test_who_is_gone_loses_what_is_in() -> None:
    there = table("holdem-nolimit", 20)
    agent = make_agent("caller", there)
    now = move(begin(HandSetup(there, SECRET, 0), agent), agent, raise_to(300))
    over = given_up(now, "no move for an hour")
    assert over.record("me", "caller").chips == (-300, 300)
    assert over.betting.endswith("x")
    again = resume(over.setup, over.betting, over.dice, over.fault)
    assert again.record("me", "caller") == over.record("me", "caller")


def test_an_agent_that_breaks_loses_the_hand() -> None:
    class Broken(Player):
        name = "broken"

        def act(self, view: PlayerView) -> Action:
            raise ValueError("no")

    there = table("holdem-nolimit", 20)
    now = move(begin(HandSetup(there, SECRET, 0), Broken()), Broken(), raise_to(300))
    assert now.hand.over
    found = now.record("me", "broken")
    assert found.chips == (100, -100)
    assert found.faults[0].kind == "crash"
