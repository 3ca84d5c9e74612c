"""How much of its range an agent folds to bets of any size on the flop, and what makes a bluff with any hand pay.

    python -m benchmarks.folds nolimit:cpu --stack 200 --flops 12

The opponent raises to 3 big blinds before the flop and the agent calls in the big blind. It checks random flops, and
the opponent bets a fraction of the pot, or all-in where the stack is less. A bluff breaks even if the agent folds
bet / (pot + bet). `nearest` reads a bet that no menu has as the more likely size alone.
"""

from __future__ import annotations

import argparse

import numpy as np

from headsup.cards.combos import HOLDEM_COUNT
from headsup.common.checks import whole
from headsup.common.errors import UserError, plainly
from headsup.games.betting.rules import DEAL
from headsup.play.agents.resolving import BlueprintPlayer
from headsup.play.table.agent import make_agent
from headsup.play.table.real import free_of
from headsup.play.table.rules import CALLS, FOLDS, Action, Legal, PastAction, PlayerView, Table, apply, table

SIZES = (0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 7.0, 12.0, 30.0)
CALLER = 1
RAISE = 3  # big blinds


def bets(there: Table) -> dict[Action, float]:
    """The bets on the flop, each with the fraction of the pot that it is."""
    rules = there.betting
    if rules.stacks[0] <= RAISE * there.unit:
        raise UserError(f"a raise to {RAISE} big blinds leaves no bet on the flop: take a larger --stack")
    state = rules.next_street(apply(rules, apply(rules, there.root, Action("r", RAISE * there.unit)), CALLS))
    state, pot = apply(rules, state, CALLS), rules.pot + sum(state.paid)
    actions = dict.fromkeys(Legal.of(rules, state).bet(fraction * pot) for fraction in SIZES)
    return {action: action.amount / pot for action in actions}


def folded(agent: BlueprintPlayer, there: Table, flop: tuple[int, ...], bet: Action) -> float:
    """The fraction of its range that the agent folds."""
    held, steps, state = free_of(flop).astype(np.float64), list[PastAction](), there.root
    hole = tuple(card for card in range(52) if card not in flop)[:2]
    before = Action("r", RAISE * there.unit), CALLS, CALLS
    while True:
        while state.player == DEAL:
            state = there.betting.next_street(state)
        view = PlayerView.at(there, state, hole, flop if state.street else (), tuple(steps))
        if len(steps) < len(before):
            action = before[len(steps)]
        elif state.player != CALLER:
            action = bet
        else:
            action = FOLDS
        if state.player == CALLER:
            played = agent.range_probabilities(view).get(action, np.zeros(HOLDEM_COUNT))
            if action == FOLDS:
                return float(held @ played / held.sum())
            held *= np.where(free_of(flop), played, 0.0)
        steps.append(PastAction(state.street, state.player, action))
        state = apply(there.betting, state, action)


def show(name: str, stack: float, flops: int) -> None:
    """Print a line for each size."""
    whole(flops, "--flops", 1)
    there = table("holdem-nolimit", stack)
    sizes = bets(there)
    agent = make_agent(name, there)
    if not isinstance(agent, BlueprintPlayer):
        raise UserError(f"{name} plays no blueprint: write nolimit:cpu or nolimit:blueprint")
    rng = np.random.default_rng(1)
    drawn = [tuple(sorted(rng.choice(52, 3, replace=False).tolist())) for _ in range(flops)]
    mixes = agent.mixes
    print("bet, in pots   a bluff pays above   folds   as nearest")
    for bet, fraction in sizes.items():
        row = []
        for agent.mixes in (mixes, False):
            row.append(float(np.mean([folded(agent, there, flop, bet) for flop in drawn])))
        print(f"{fraction:12.3g} {fraction / (1 + fraction):20.1%} {row[0]:7.1%} {row[1]:12.1%}", flush=True)


def run(quick: bool) -> None:
    """At 200 big blinds."""
    show("nolimit:cpu", 200.0, 2 if quick else 12)


def main() -> None:
    """The command line of the module."""
    parser = argparse.ArgumentParser(description="How much of its range an agent folds to bets of any size.")
    parser.add_argument("agent", help="nolimit:cpu, nolimit:blueprint or nolimit:FILE")
    parser.add_argument("--stack", type=float, default=200.0, help="in big blinds")
    parser.add_argument("--flops", type=int, default=12)
    args = parser.parse_args()
    show(args.agent, args.stack, args.flops)


if __name__ == "__main__":
    plainly(main)
