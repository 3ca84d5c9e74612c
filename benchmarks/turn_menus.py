"""How well a turn is solved with different bets, in as many iterations as an answer takes at the table.

    python -m benchmarks.turn_menus --stack 200 --turns 4

The small blind raises to 3 big blinds, the big blind calls, both check the flop, and the big blind bets the pot on a
random turn. What follows is solved for the small blind as at the table. Shown are the nodes of the betting, the time of
an answer on one core, and what the opponent gains in the gadget above a solution of 400 iterations: after 48
iterations, and after those that the table allows. All figures are means over turns, in mbb.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from headsup.common.checks import whole
from headsup.common.errors import plainly
from headsup.games.betting.rules import DEAL
from headsup.games.holdem.vector import VectorGame
from headsup.play.agents import subgame
from headsup.play.agents.resolving import MENUS, TURN, ResolvingPlayer
from headsup.play.agents.subgame import SubgameTask, tree_with
from headsup.play.table.agent import make_agent
from headsup.play.table.rules import CALLS, Action, Legal, PastAction, PlayerView, Table, apply, table
from headsup.solve.holdem.resolve import best_response_values, resolve

FIRST, BEST = 48, 400  # iterations
SHOWN = {
    "all-in everywhere": "75%, a; 100%, a; a | river 75%, a; a",
    "all-in up to four pots": "75%; 100%; none | river 75%; none | add 400%",
    "at the table": MENUS[TURN],
    "all-in up to one pot": "75%; 100%; none | river 75%; none | add 100%",
}


def turn_task(agent: ResolvingPlayer, there: Table, board: tuple[int, ...]) -> SubgameTask:
    """The turn after the line of this benchmark, from the view of the small blind."""
    state, steps = there.root, list[PastAction]()
    for action in (Action("r", 3 * there.unit), *[CALLS] * 3, None):
        while state.player == DEAL:
            state = there.betting.next_street(state)
        pot = there.betting.pot + sum(state.paid)
        action = Legal.of(there.betting, state).bet(pot) if action is None else action
        steps.append(PastAction(state.street, state.player, action))
        state = apply(there.betting, state, action)
    hole = tuple(card for card in range(52) if card not in board)[:2]
    view = PlayerView.at(there, state, hole, board, tuple(steps))
    task = agent._from_blueprint(view, agent.before(view), board)
    return task._replace(opened=agent._opened(agent.bets(view, TURN), view))


def subgame_of(task: SubgameTask, menu: str) -> VectorGame:
    """The subgame in the betting of a menu."""
    tree, _ = tree_with(task.rules, menu, task.opened)
    return subgame._game("rest", tree, task.board, task.seat, task.mine, np.sign(task.theirs))


def lost(task: SubgameTask, game: VectorGame, iterations: int) -> tuple[float, float]:
    """What the opponent has in the gadget, in chips by pair of hands, and the seconds of the solution."""
    other = 1 - task.seat
    hands = subgame._hands(game, other)
    assert task.alternative is not None
    alternative, prior = task.alternative[hands], task.theirs[hands]
    began = time.perf_counter()
    solution = resolve(game, task.seat, alternative, iterations, trust=subgame.TRUST, prior=prior)
    took = time.perf_counter() - began
    values = best_response_values(solution.strategy, other)
    entered = (1.0 - subgame.TRUST) * np.maximum(values, alternative).mean()
    return float(entered + subgame.TRUST * (prior @ values) / prior.sum()) / float(task.mine.sum()), took


def show(stack: float, turns: int) -> None:
    """Print a line for each menu."""
    whole(turns, "--turns", 1)
    there, rng = table("holdem-nolimit", stack), np.random.default_rng(1)
    agent = make_agent("nolimit:cpu", there)
    assert isinstance(agent, ResolvingPlayer)
    tasks = [turn_task(agent, there, tuple(rng.choice(52, 4, replace=False).tolist())) for _ in range(turns)]
    print(f"{stack:g} big blinds                nodes   after {FIRST}   at the table: iterations, mbb, seconds")
    for name, menu in SHOWN.items():
        rows = []
        for task in tasks:
            game = subgame_of(task, menu)
            most = subgame.iterations_for(game)
            (first, _), (now, took), (best, _) = (lost(task, game, made) for made in (FIRST, most, BEST))
            mbb = 1000.0 / there.unit
            rows.append((game.betting.n_nodes, mbb * (first - best), most, mbb * (now - best), took))
        nodes, early, made, late, seconds = np.mean(rows, axis=0)
        print(f"{name:24} {nodes:9.0f} {early:10.0f} {made:23.0f} {late:8.0f} {seconds:8.2f}", flush=True)


def run(quick: bool) -> None:
    """At two stacks."""
    for stack in (20.0, 200.0):
        show(stack, 1 if quick else 4)


def main() -> None:
    """The command line of the module."""
    parser = argparse.ArgumentParser(description="How well a turn is solved with different bets.")
    parser.add_argument("--stack", type=float, default=200.0, help="in big blinds")
    parser.add_argument("--turns", type=int, default=4)
    args = parser.parse_args()
    show(args.stack, args.turns)


if __name__ == "__main__":
    plainly(main)
