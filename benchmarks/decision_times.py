"""How long an agent thinks: the slowest and the mean decision on each street, in hands with bets of random sizes.

    python -m benchmarks.decision_times nolimit:cpu --stack 200 --hands 30

With `--seconds 1` the agent has the time limit that it has against a person (`headsup.play.table.agent.PATIENCE`).
"""

from __future__ import annotations

import argparse
import random
import time

from headsup.common.errors import plainly
from headsup.games.betting.rules import STREETS
from headsup.play.table.agent import Mixed, make_agent
from headsup.play.table.rules import CALLS, Deal, table

BETS = 0.35  # how often the opponent bets
SMALLEST, LARGEST = 0.3, 1.8  # bets in pots
SEED = 1


def show(name: str, stack: float, hands: int, limit: float | None = None) -> None:
    """Print a line for each street."""
    there, rng = table("holdem-nolimit", stack), random.Random(SEED)
    agent, times = make_agent(name, there), dict[int, list[float]]()
    assert isinstance(agent, Mixed)
    began = time.perf_counter()
    agent.start(there)
    agent.seconds = limit
    print(f"{name}, {stack:g} big blinds: ready after {time.perf_counter() - began:.2f} s")
    for number in range(hands):
        deck = rng.sample(range(52), 9)
        hand = there.hand(Deal((tuple(deck[:2]), tuple(deck[2:4])), tuple(deck[4:])))
        while not hand.over:
            view, legal = hand.view(), hand.legal
            if hand.state.player != number % 2:
                bet = int(rng.uniform(SMALLEST, LARGEST) * view.pot)
                hand.act(legal.bet(bet) if legal.low and rng.random() < BETS else CALLS)
                continue
            began = time.perf_counter()
            actions, weights = zip(*agent.probabilities(view), strict=True)
            times.setdefault(view.street, []).append(time.perf_counter() - began)
            hand.act(rng.choices(actions, weights)[0])
    for street, seconds in sorted(times.items()):
        mean = sum(seconds) / len(seconds)
        print(f"{STREETS[street]:8} {len(seconds):4} decisions, slowest {max(seconds):.2f} s, mean {mean:.2f} s")


def run(quick: bool) -> None:
    """With deep stacks."""
    for stack in (50.0, 100.0, 200.0):
        show("nolimit:cpu", stack, 4 if quick else 30)


def main() -> None:
    """The command line of the module."""
    parser = argparse.ArgumentParser(description="How long an agent thinks on each street.")
    parser.add_argument("agent")
    parser.add_argument("--stack", type=float, default=200.0, help="in big blinds")
    parser.add_argument("--hands", type=int, default=30)
    parser.add_argument("--seconds", type=float, help="time limit of a move")
    args = parser.parse_args()
    show(args.agent, args.stack, args.hands, args.seconds)


if __name__ == "__main__":
    plainly(main)
