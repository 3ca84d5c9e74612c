"""The agent that models its opponent: it learns frequencies, wins from weak opponents, and never risks more."""

from __future__ import annotations

import pytest

from headsup.common.errors import UserError
from headsup.play import Match, play
from headsup.play.agents.adaptive import PRIOR, AdaptivePlayer, equilibrium_frequency, safe_chart
from headsup.play.table.agent import make_agent
from headsup.play.table.referee import Referee
from headsup.play.table.rules import table

STACK = 10
THERE = table("holdem-jamfold", STACK)


def player(name: str = "adaptive") -> AdaptivePlayer:
    agent = make_agent(name, THERE)
    assert isinstance(agent, AdaptivePlayer)
    return agent


def test_it_learns_how_often_the_opponent_plays_and_forgets_in_a_new_session() -> None:
    agent = player()
    referee = Referee((agent, make_agent("allin", THERE)), seed=3)
    for number in range(20):
        referee.play(THERE, THERE.deal_number(3, number), number=number, dealer=number % 2)
    assert agent.decisions[True] == agent.plays[True] == 10
    expected = 100.0 * (PRIOR * equilibrium_frequency(True, STACK) + 10) / (PRIOR + 10)
    assert agent.percent(True, STACK) == round(expected)
    assert agent.by_class(False, STACK) == safe_chart(False, STACK, agent.percent(True, STACK), 20.0).tolist()
    agent.start(THERE)
    assert agent.percent(True, STACK) == round(100.0 * equilibrium_frequency(True, STACK))


def test_no_strategy_that_it_may_play_risks_more_than_its_bound() -> None:
    from headsup.play.agents.adaptive import solved_game

    game, value, _, _ = solved_game(STACK)
    for percent in (0, 5, 50, 95, 100):
        proof = game.certify(safe_chart(True, STACK, percent, 20.0), safe_chart(False, STACK, percent, 20.0))
        assert value - proof.sure_sb <= 0.020 + 1e-6
        assert proof.most_sb - value <= 0.020 + 1e-6
        assert proof.exploitability_mbb <= 20.0 + 1e-3


def test_it_beats_a_weak_opponent_by_more_than_the_equilibrium_does() -> None:
    risky, safe = (
        play(Match(name, "allin", game="holdem-jamfold", stack=STACK, hands=1000, seed=1, duplicate=True, aivat=True))
        for name in ("adaptive:300", "jamfold")
    )
    assert risky.interval.low > safe.interval.mean


def test_other_games_and_risks_are_refused() -> None:
    with pytest.raises(UserError, match="plays holdem-jamfold, and not holdem-nolimit"):
        make_agent("adaptive", table("holdem-nolimit", 20))
    for rest in ("-1", "much", "1e9"):
        with pytest.raises(UserError, match="needs a risk of 0 to 2000 mbb"):
            make_agent(f"adaptive:{rest}", THERE)
