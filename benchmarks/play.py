"""Matches: hands a second on one core, of Python agents and of charts, beside the loops of PokerKit and RLCard.

Python agents: both take a random legal action in no-limit hold'em of 20 big blinds; PokerKit and RLCard play the same
way with their own states. Charts: jam or fold at 10 big blinds between the shipped equilibrium and SAGE, whole
sessions at once.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from time import perf_counter

from headsup.play.arena.plan import Match
from headsup.play.arena.session import play_session
from headsup.play.table.agent import make_agent
from headsup.play.table.referee import Referee
from headsup.play.table.rules import table


def run(quick: bool) -> None:
    """Print hands a second and their ratios."""
    hands = 1_000 if quick else 5_000
    print("hands a second on one core")
    ours = _rate(_referee, hands)
    fast = _rate(_charts, 20 * hands)
    print(f"  headsup, two random Python agents   {ours:12,.0f}")
    print(f"  headsup, two charts                 {fast:12,.0f}")
    for name, loop in (("PokerKit", _pokerkit), ("RLCard", _rlcard)):
        try:
            theirs = _rate(loop, max(50, hands // 10))
        except ImportError:
            print(f"  {name:10} is not installed")
            continue
        ratios = f"headsup is {ours / theirs:.1f} and {fast / theirs:,.0f} times as fast"
        print(f"  {name:10} random actions           {theirs:12,.0f}   {ratios}")


def _rate(loop: Callable[[int], None], hands: int) -> float:
    loop(20)  # whatever is compiled or loaded
    best = 0.0
    for _ in range(3):
        began = perf_counter()
        loop(hands)
        best = max(best, hands / (perf_counter() - began))
    return best


def _referee(hands: int) -> None:
    there = table("holdem-nolimit", 20)
    referee = Referee((make_agent("random", there), make_agent("random", there)))
    for number in range(hands):
        referee.play(there, there.deal_number(0, number), number, number % 2)


def _charts(hands: int) -> None:
    match = Match("jamfold", "rule:sage", "holdem-jamfold", stack=10, hands=hands, session=hands)
    play_session(0, **match.arguments())


def _pokerkit(hands: int) -> None:
    from pokerkit import Automation, NoLimitTexasHoldem

    game = NoLimitTexasHoldem(tuple(Automation), True, 0, (50, 100), 100)
    rng = random.Random(1)
    for _ in range(hands):
        state = game((2000, 2000), 2)
        while state.status:
            ways = [state.check_or_call] if state.can_check_or_call() else []
            if state.can_fold():
                ways.append(state.fold)
            low, high = (
                state.min_completion_betting_or_raising_to_amount,
                state.max_completion_betting_or_raising_to_amount,
            )
            totals = {low, (low + high) // 2, high} if low is not None and high is not None else set()
            ways += [partial(state.complete_bet_or_raise_to, total) for total in totals]
            rng.choice(ways)()


def _rlcard(hands: int) -> None:
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("no-limit-holdem")
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(2)])
    for _ in range(hands):
        env.run(is_training=False)
