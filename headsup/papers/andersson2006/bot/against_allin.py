"""What AggroBot wins from Allin, exactly: both rows of tables 5.1 and 5.2.

    python -m headsup.papers.andersson2006.bot.against_allin 15

Allin moves all-in at its first turn, so the value of a hand is a sum over the bot's own actions.
"""

import argparse
import json
from collections.abc import Sequence

import numpy as np

from headsup.cards.classes import holdem_class_reps, holdem_class_sizes
from headsup.common.errors import plainly
from headsup.equity.holdem.table import holdem_table
from headsup.play.table.agent import Agent, Mixed, make_pair
from headsup.play.table.rules import Action, Deal, Table, table


def against_allin(stack: int, name: str = "aggrobot") -> tuple[float, float]:
    """What an agent wins from Allin in the small blind and in the big blind, in big blinds per hand."""
    there = table("holdem-nolimit", stack)
    agent, allin = make_pair(name, "allin", there)
    assert isinstance(agent, Mixed)
    counts = holdem_table()
    equities = (counts.wins + counts.ties / 2).sum(axis=1) / counts.deals.sum(axis=1)
    weights = holdem_class_sizes() / holdem_class_sizes().sum()
    worth = [
        [_worth(agent, allin, there, tuple(hole), seat, float(equity), ()) for seat in (0, 1)]
        for hole, equity in zip(holdem_class_reps().tolist(), equities, strict=True)
    ]
    small, big = (weights @ np.array(worth) / there.unit).tolist()
    return small, big


def _worth(
    agent: Mixed,
    allin: Agent,
    there: Table,
    hole: tuple[int, ...],
    seat: int,
    equity: float,
    actions: tuple[Action, ...],
) -> float:
    """Chips that the agent wins with a hand after some actions of its own."""
    rest = [card for card in range(52) if card not in hole][:7]  # nobody looks at these
    holes = (hole, tuple(rest[:2])) if seat == 0 else (tuple(rest[:2]), hole)
    hand, taken = there.hand(Deal(holes, tuple(rest[2:]))), list(actions)
    while not hand.over:
        if hand.player != seat:
            hand.act(allin.act(hand.view()))
        elif taken:
            hand.act(taken.pop(0))
        else:
            return sum(
                probability * _worth(agent, allin, there, hole, seat, equity, (*actions, action))
                for action, probability in agent.probabilities(hand.view())
            )
    folder = hand.state.folder
    if folder >= 0:
        return float(-hand.paid[seat] if folder == seat else hand.paid[1 - seat])
    assert hand.paid[seat] == hand.paid[1 - seat] == there.betting.stacks[seat]
    return (2.0 * equity - 1.0) * hand.paid[seat]


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="What AggroBot wins from Allin, exactly, in big blinds per hand.")
    parser.add_argument("stack", type=int, choices=(15, 20), help="in big blinds")
    stack = parser.parse_args(given).stack
    small, big = against_allin(stack)
    print(json.dumps({"stack": stack, "small_blind": small, "big_blind": big, "mean_bb": (small + big) / 2}))


if __name__ == "__main__":
    plainly(main)
