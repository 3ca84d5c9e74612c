"""What AggroBot wins from Allin, exactly: both rows of tables 5.1 and 5.2.

    python -m headsup.papers.andersson2006.bot.against_allin 15

Allin moves all-in at its first turn, so the value of a hand is a sum over the bot's own actions.
"""

import argparse
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from headsup.cards.classes import holdem_class_reps, holdem_class_sizes
from headsup.common.arrays import Floats
from headsup.common.display import print_line
from headsup.common.errors import plainly
from headsup.equity.holdem.table import holdem_table
from headsup.papers.andersson2006.bot.strategy import STACKS
from headsup.play.table.agent import Agent, Mixed, make_agent, make_pair
from headsup.play.table.rules import Action, Deal, Table, table


class AllinResult(NamedTuple):
    """Big blinds per hand."""

    small_blind: float
    big_blind: float
    sd: float  # of a single hand

    @property
    def mean(self) -> float:
        return (self.small_blind + self.big_blind) / 2.0


def against_allin(stack: int, agent: Mixed | None = None) -> AllinResult:
    """What an agent wins from Allin; the shipped bot if none is given."""
    there = table("holdem-nolimit", stack)
    known, allin = make_pair("aggrobot", "allin", there) if agent is None else (agent, make_agent("allin", there))
    assert isinstance(known, Mixed)
    counts = holdem_table()
    deals = counts.deals.sum(axis=1)
    shares = zip((counts.wins.sum(axis=1) / deals).tolist(), (counts.ties.sum(axis=1) / deals).tolist(), strict=True)
    weights = holdem_class_sizes() / holdem_class_sizes().sum()
    worth = [
        [_worth(known, allin, there, tuple(hole), seat, share, ()) for seat in (0, 1)]
        for hole, share in zip(holdem_class_reps().tolist(), shares, strict=True)
    ]
    (small, big), squares = np.moveaxis(np.tensordot(weights, np.array(worth), 1), -1, 0) / np.array(
        [[there.unit], [there.unit**2]]
    )
    return AllinResult(float(small), float(big), float(np.sqrt(squares.mean() - ((small + big) / 2.0) ** 2)))


def _worth(
    agent: Mixed,
    allin: Agent,
    there: Table,
    hole: tuple[int, ...],
    seat: int,
    share: tuple[float, float],
    actions: tuple[Action, ...],
) -> Floats:
    """Chips that the agent wins with a hand after some actions of its own, and the mean of their square; `share` is how
    often the hand wins from a random one, and ties.
    """
    rest = [card for card in range(52) if card not in hole][:7]  # nobody looks at these
    holes = (hole, tuple(rest[:2])) if seat == 0 else (tuple(rest[:2]), hole)
    hand, taken = there.hand(Deal(holes, tuple(rest[2:]))), list(actions)
    while not hand.over:
        if hand.player != seat:
            hand.act(allin.act(hand.view()))
        elif taken:
            hand.act(taken.pop(0))
        else:
            parts = [
                probability * _worth(agent, allin, there, hole, seat, share, (*actions, action))
                for action, probability in agent.probabilities(hand.view())
            ]
            return np.asarray(np.sum(parts, axis=0))
    folder = hand.state.folder
    if folder >= 0:
        won = float(-hand.paid[seat] if folder == seat else hand.paid[1 - seat])
        return np.array([won, won**2])
    paid = float(hand.paid[seat])
    assert paid == hand.paid[1 - seat] == there.betting.stacks[seat]
    wins, ties = share
    return np.array([(2.0 * wins + ties - 1.0) * paid, (1.0 - ties) * paid**2])


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="What AggroBot wins from Allin, exactly, in big blinds per hand.")
    parser.add_argument("stack", type=int, choices=STACKS, help="in big blinds")
    stack = parser.parse_args(given).stack
    won = against_allin(stack)
    seats = {"small_blind": won.small_blind, "big_blind": won.big_blind}
    print_line(stack=stack, **seats, mean_bb=won.mean, sd_bb=won.sd)


if __name__ == "__main__":
    plainly(main)
