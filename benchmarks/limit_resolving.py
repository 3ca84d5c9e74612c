"""What solving the river, or the turn, at the table gains in limit hold'em, without chance in hands and actions.

    python -m benchmarks.limit_resolving river --hands 1000 --seed 1 --out rivers.jsonl

The shipped strategy plays itself. Where a hand reaches the street, the rest of it is a game between the two ranges
that the actions imply, and what strategies and best responses earn there is exact. Only the cards on the board and the
actions before the street are left to chance; a hand that ends earlier counts 0. Three means over all hands and both
seats, in mbb/g:

    wins        what the re-solved street wins from the shipped strategy
    shipped     what an opponent wins from the shipped strategy who plays it before the street and a best response then
    re-solved   what the same opponent wins if the street is re-solved

The last two are lower bounds on an exploitability. From the turn on, the river is played as the turn's solution has
it. Hands that are already in the file are not played again.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

import numpy as np

from headsup.abstraction import build_buckets
from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import UserError, plainly
from headsup.games.betting.cut import cut_tree
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.vector import ArrayStrategy, VectorGame, holdem_game
from headsup.measure import measure
from headsup.play.agents import subgame
from headsup.play.agents.limit import RiverPlayer
from headsup.play.agents.resolver import RIVER, TURN
from headsup.play.agents.subgame import OnRealCards, Subgame, source_policy, threads
from headsup.play.statistics.interval import fixed
from headsup.play.table.agent import make_agent
from headsup.play.table.real import free_of
from headsup.play.table.referee import Referee
from headsup.play.table.rules import BOARD, PlayerView, states_before, table
from headsup.solve import solve
from headsup.solve.holdem.resolve import resolve_street

STREETS = {"turn": TURN, "river": RIVER}
NAMES = ("wins", "shipped", "re-solved")


class AsPlayed:
    """A re-solved street as a source: hands that the solution leaves out play the blueprint, as at the table."""

    def __init__(self, rest: Subgame, blueprint: OnRealCards, nodes: AnyArray) -> None:
        self.rest, self.blueprint, self.nodes, self.tree = rest, blueprint, nodes, rest.tree

    def rows(self, node: int, board: tuple[int, ...]) -> Floats:
        known = self.rest.rows(node, board)
        return np.where(known.sum(axis=0) > 0.0, known, self.blueprint.rows(int(self.nodes[node]), board))

    def several(self, nodes: Sequence[int], board: tuple[int, ...], hands: AnyArray) -> Iterator[Floats]:
        """Node by node."""
        yield from (self.rows(node, board)[:, hands] for node in nodes)


def gains(agent: RiverPlayer, view: PlayerView) -> Floats:
    """The three figures of one board and line into the street, in chips, as means over both seats."""
    street, board, before = agent.first, view.board, agent.before(view)
    node, reach, _ = agent._followed(view, before)
    tree, nodes = cut_tree(agent.game.betting, node)
    ranges = np.where(free_of(board), reach[0], 0.0), np.where(free_of(board), reach[1], 0.0)
    game = holdem_game("rest", tree, root=board, streets=(0, *(1 for _ in range(street, RIVER))), ranges=ranges)
    shipped = [source_policy(game, agent.blueprint, seat, nodes, street) for seat in (0, 1)]
    known, figures = measure(game, ArrayStrategy(game, (shipped[0], shipped[1])), threads=threads()), np.zeros(3)
    for seat in (0, 1):
        (rest, _, _), _ = agent._at_first(view._replace(seat=seat))
        if not np.array_equal(rest.tree.child, tree.child):
            raise UserError("the agent solves another betting tree than the blueprint's: compare the same betting")
        own = source_policy(game, AsPlayed(rest, agent.blueprint, nodes), seat, np.arange(tree.n_nodes), street)
        policy = (own, shipped[1]) if seat == 0 else (shipped[0], own)
        resolved, other = measure(game, ArrayStrategy(game, policy), threads=threads()), 1 - seat
        won = resolved.values[seat] - known.values[seat]
        lost = (measured.best[other] - known.values[other] for measured in (known, resolved))
        figures += np.array([won, *lost]) / 2.0
    return figures


def reached(agent: RiverPlayer, seed: int, first: int) -> Iterator[PlayerView | None]:
    """The view in which hand after hand of the shipped strategy begins the street; None if it ends before."""
    there, street = table("holdem-limit"), agent.first
    players = make_agent("limit", there), make_agent("limit", there)
    referee = Referee(players, seed)
    referee.start(there)
    for number in count(first):
        record = referee.play(there, there.deal_number(seed, number), number, 0)
        steps, view = record.steps, None
        for i, (step, state) in enumerate(states_before(there, steps)):
            if step.street == street and view is None:
                view = PlayerView.at(there, state, (), record.deal.board[: BOARD[street]], steps[:i])
        yield view


def resolver(street: int) -> RiverPlayer:
    """The agent that re-solves from a street on."""
    agent = make_agent("limit:river", table("holdem-limit"))
    assert isinstance(agent, RiverPlayer)
    agent.first = street
    return agent


def hands(street: int, seed: int, first: int) -> Iterator[Floats]:
    """The figures of hand after hand, in mbb."""
    agent = resolver(street)
    for view in reached(agent, seed, first):
        yield np.zeros(3) if view is None else gains(agent, view) * 1000.0 / agent.game.unit


def seconds(street: int, solutions: int) -> None:
    """How long a solution takes; the first one, which compiles, does not count."""
    agent, took = resolver(street), list[float]()
    for view in reached(agent, 1, 0):
        if len(took) > solutions:
            break
        if view is not None:
            began = time.process_time()
            (rest, _, _), _ = agent._at_first(view)
            took.append(time.process_time() - began)
    shown = f"{min(took[1:]):.2f} to {max(took[1:]):.2f} s of CPU time on {subgame.threads()} threads"
    print(f"street {street}: {rest.iterations} iterations take {shown}", flush=True)


def report(figures: Floats) -> None:
    """Means with 95 % intervals for a fixed number of hands."""
    print(f"{len(figures):,} hands, {np.mean(figures.any(axis=1)):.1%} reach the street; mbb/g, 95 % CI")
    for name, values in [*zip(NAMES, figures.T, strict=True), ("difference", figures[:, 1] - figures[:, 2])]:
        interval = fixed(values)
        print(f"{name:10} {interval.mean:8.2f} ± {interval.half:6.2f}   standard deviation {values.std(ddof=1):7.1f}")


def deck(name: str, buckets: str, turns: Sequence[int], iterations: int = 60) -> None:
    """Exact exploitabilities on a reduced deck: in buckets, with turns re-solved, and with rivers re-solved."""
    game = named_game(name)
    assert isinstance(game, VectorGame)
    solution = solve(game, "cfr+", iterations=150, buckets=build_buckets(game, buckets), threads=1).finished()
    blueprint = ArrayStrategy.of(game, solution.in_game(game))
    print(f"{name}, {buckets}: {measure(game, blueprint).mbb:.1f} mbb/g", flush=True)
    for street, made in [*((TURN, made) for made in turns), (RIVER, iterations)]:
        resolved = measure(game, ArrayStrategy.of(game, resolve_street(game, blueprint, street, made)))
        where = "turn" if street == TURN else "river"
        print(f"  with the {where} re-solved, {made} iterations: {resolved.mbb:.1f}", flush=True)


def run(quick: bool) -> None:
    """A reduced deck, and some rivers with all cards."""
    for buckets in ("9-3-3-3:ehs",) if quick else ("9-3-3-3:ehs", "9-10-10-10:ehs"):
        deck(f"holdem-limit:ranks=3,suits={3 if quick else 4},raises=1", buckets, (10, 20, 60))
    for street in (RIVER, TURN):
        seconds(street, 2 if quick else 10)
    several = hands(RIVER, 1, 0)
    report(np.array([next(several) for _ in range(5 if quick else 100)]))


def main() -> None:
    """The command line of the module."""
    parser = argparse.ArgumentParser(description="What solving a street of limit hold'em at the table gains.")
    parser.add_argument("street", choices=STREETS)
    parser.add_argument("--hands", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--iterations", type=int, help="of a solution; by default as many as at the table")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    if args.iterations is not None:
        subgame.ITERATIONS = (args.iterations, args.iterations)
    lines = args.out.read_text().splitlines() if args.out.exists() else []
    with open(args.out, "a") as file:
        several = hands(STREETS[args.street], args.seed, len(lines))
        while len(lines) < args.hands:
            lines.append(json.dumps(np.round(next(several), 6).tolist()))
            print(lines[-1], file=file, flush=True)
    report(np.array([json.loads(line) for line in lines[: args.hands]]))


if __name__ == "__main__":
    plainly(main)
